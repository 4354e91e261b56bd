"""Names of students: which will do, and which nobody tells apart. Whose they are is not known here."""

from __future__ import annotations

import unicodedata
from typing import Final

from tactics.errors import InputError

LONGEST_NAME: Final = 40
_COLUMN_SIGNS: Final = (";", ",", "\t", '"')
"""What stands between the columns of a spreadsheet that was saved as text, or around them."""


def proper_name(name: str) -> str:
    """A student's name without spaces that say nothing. Raises InputError."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise InputError(f"A name has 1 to {LONGEST_NAME} letters, digits, signs and spaces; type another one.")
    return name


def name_key(name: str) -> str:
    """The same for names that nobody tells apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def names_in(text: str) -> list[str]:
    """The names in a list that somebody has typed or saved from a spreadsheet, one a line.

    Raises InputError for a line of several columns, which is no name.
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    for number, line in enumerate(lines, 1):
        if any(sign in line for sign in _COLUMN_SIGNS):
            raise InputError(
                f"Line {number} of the list, {quoted(line)}, is more than a name; give names alone, one a line, "
                "as in Ada Lovelace."
            )
    return [line for line in lines if line]


def quoted(name: str) -> str:
    """What was typed for a name, in quotes, and cut where it is longer than any name."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 2]} …")
