"""Exit codes, and the exception by which a command ends early with a sentence and a code."""

from __future__ import annotations

from typing import Final

import typer

EXIT_REJECTED: Final = 1
EXIT_NOT_PROVED: Final = 1
EXIT_USAGE: Final = 2
EXIT_MISSING: Final = 3
EXIT_SIGNAL: Final = 128
"""Plus the number of the signal that ended the command."""
EXIT_INTERRUPTED: Final = EXIT_SIGNAL + 2
EXIT_CLOSED_PIPE: Final = EXIT_SIGNAL + 13  # SIGPIPE, which not every system has


class Stopped(typer.TyperException):
    """The command ends here: a sentence for stderr and an exit code."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code
