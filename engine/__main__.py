"""`python -m tilesat` is the `tilesat` command."""

from .cli import main

main()
