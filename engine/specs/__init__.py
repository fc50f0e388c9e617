"""Loads the project's YAML files: plain data plus the line and column of every node.

Shipped files are checked against their JSON Schema by the test suite; files a user passes in are
checked on load (`validate=True`), since importing jsonschema costs more than a warm compile.
"""

from .loader import Document, load_document, load_text, package_file, schema_check, shipped

__all__ = ["Document", "load_document", "load_text", "package_file", "schema_check", "shipped"]
