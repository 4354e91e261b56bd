"""Names of students: which will do, and which nobody tells apart. Whose they are is not known here."""

from __future__ import annotations

import unicodedata
from typing import Final

from tactics.errors import InputError

LONGEST_NAME: Final = 40


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
    """The names in a list that somebody has typed or saved from a spreadsheet, one a line."""
    return [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
