"""The simulator and the KTIR reference interpreter."""
