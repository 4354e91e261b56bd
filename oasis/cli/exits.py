"""Exit codes, and the exception by which a command ends early with a sentence and a code."""

from __future__ import annotations

from typing import Final

import typer

EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130
EXIT_CLOSED_PIPE: Final = 141


class Stopped(typer.TyperException):
    """The command ends here: a sentence for stderr and an exit code."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code
