"""Commands of the book run as those of `tests.cli` do."""

from tests.cli.conftest import oasis

__all__ = ["oasis"]
