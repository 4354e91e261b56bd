"""Errors in text that a person wrote: the file, the line and the column, the line itself and a caret below it.

Only how such an error is worded and shown; what counts as one is up to the readers.
"""

from __future__ import annotations

from typing import Final

from tactics.errors import InputError
from tactics.parser import FormulaSyntaxError

LONGEST_FORMULA: Final = 4 * 10**6
"""Characters in a formula of a file; reading one takes up to 500 bytes for each."""


class SourceError(InputError):
    """Text from a file, or from standard input, that cannot be read as lemmas.

    Attributes:
        message: what is wrong, without the place.
        source: the file as the person named it.
        line: from 1.
        column: from 1, in characters.
    """

    def __init__(self, message: str, text: str, position: int, source: str) -> None:
        where = FormulaSyntaxError(message, text, position)
        self.message, self.source, self.line, self.column = message, source, where.line, where.column
        excerpt = str(where).partition("\n")[2]
        super().__init__(f"{source}, line {self.line}, column {self.column}: {message}\n{excerpt}")


def check_length(text: str, start: int, length: int, source: str) -> None:
    """Raises SourceError if a formula that starts there in a text is longer than `LONGEST_FORMULA`."""
    if length > LONGEST_FORMULA:
        raise SourceError(
            f"this formula has {length:,} characters, and at most {LONGEST_FORMULA:,} are read", text, start, source
        )
