"""Data files; see the YAML beside this file."""
