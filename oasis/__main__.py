"""`python -m oasis` is the `oasis` command."""

from oasis.cli.main import main

main()
