"""Errors in text that a person wrote: the file, the line and the column, the line itself and a caret below it.

Only how such an error is worded and shown; what counts as one is up to the readers.
"""

from __future__ import annotations

from tactics.errors import InputError
from tactics.parser import FormulaSyntaxError


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
