"""Names of students: which will do, and which nobody tells apart. Whose they are is not known here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from tactics.errors import InputError, did_you_mean

LONGEST_NAME: Final = 40
_MEANT: Final = 3
"""Names of which one may be meant that are told."""
_STROKED: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
)
"""Letters that Unicode does not take apart, as people sort and type them."""
_COLUMN_SIGNS: Final = (";", ",", "\t", '"')
"""What stands between the columns of a spreadsheet that was saved as text, or around them."""
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What shows nothing though it counts as printable: Default_Ignorable_Code_Point of Unicode, and empty Braille."""
_HEADINGS: Final = frozenset(
    {"name", "names", "full name", "student", "students", "student name", "first name", "last name"}
)
"""What stands above names in a column of a spreadsheet."""
_MARKS: Final = 3
"""Accents that a letter has at most; in no language are there more."""
_ALIKE: Final = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC", "CHEROKEE"})
"""Alphabets with letters that look the same, as the names of letters in Unicode begin with them."""


def proper_name(name: str) -> str:
    """A student's name without spaces that say nothing. Raises InputError."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise InputError(f"A name has 1 to {LONGEST_NAME} letters, digits, signs and spaces; type another one.")
    return name


def new_name(name: str) -> str:
    """A proper name for somebody who has not been called so before, which passes for no other. Raises InputError.

    A name wholly in another alphabet may still look like another one; only a reader of both alphabets can tell.
    """
    name = proper_name(name)
    plain = unicodedata.normalize("NFKC", name)
    if ";" in plain:
        raise InputError("A name has no semicolon, which stands between names in a spreadsheet; type it without one.")
    marks = groupby(unicodedata.category(letter) in ("Mn", "Me") for letter in unicodedata.normalize("NFD", name))
    is_heaped = any(is_mark and len(list(run)) > _MARKS for is_mark, run in marks)
    if is_heaped or _INVISIBLE.search(name) or not any(letter.isalnum() for letter in name):
        raise InputError(
            f"A name has letters or digits, at most {_MARKS} accents on each, and nothing invisible; type another one."
        )
    for word in re.split(r"[\s-]", plain):
        alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in word} & _ALIKE
        if len(alphabets) > 1:
            raise InputError(
                f"{word} has letters of several alphabets ({', '.join(sorted(alphabets)).title()}), some of which look "
                "alike; type it in one."
            )
    return name


def name_key(name: str) -> str:
    """The same for names that nobody tells apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def plain_key(name: str) -> str:
    """The same for names that differ in capitals and accents alone, as who has no ë on the keyboard types them."""
    apart = unicodedata.normalize("NFKD", name.casefold().translate(_STROKED))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def meant(name: str, names: Sequence[str]) -> str | None:
    """The one who is called like this, or else the only one who is but for accents, or in one of several names.

    To read by: whoever changes or erases something types the whole name, or is asked first.
    """
    plain = plain_key(name)
    exactly = [each for each in names if name_key(each) == name_key(name)]
    alike = [each for each in names if plain_key(each) == plain]
    in_part = [each for each in names if plain in plain_key(each).split()]
    return next((found[0] for found in (exactly, alike, in_part) if len(found) == 1), None)


def nearest(name: str, names: Iterable[str]) -> str:
    """What to do about a name that nobody has: who may be meant, by part of a name or a slip, or the list."""
    known = {name_key(each): each for each in names}
    having = [known[key] for key in known if name_key(name) in key.split()]
    if having:
        more = ", or another one" if len(having) > _MEANT else ""
        return f"did you mean {' or '.join(having[:_MEANT])}{more}?"
    return did_you_mean(name_key(name), known, "look for the name on the list.")


def alphabetical(name: str) -> tuple[object, ...]:
    """What names are sorted by: letters whatever their case and accents, and numbers as numbers; then the rest of it.

    Çağla comes before Zoë, Łucja before Ludo, and Ada 2 before Ada 10, in every locale.
    """
    parts = [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", plain_key(name)) if part
    ]
    return (parts, name)


def names_in(text: str) -> list[str]:
    """The names in a list that somebody has typed or saved from a spreadsheet, one a line.

    Raises InputError for a line of several columns, and for the heading of a column, which are no names.
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    for number, line in enumerate(lines, 1):
        if any(sign in line for sign in _COLUMN_SIGNS):
            raise InputError(
                f"Line {number} of the list, {quoted(line)}, is more than a name; give names alone, one a line, "
                "as in Ada Lovelace."
            )
    names = [line for line in lines if line]
    if len(names) > 1 and name_key(names[0]) in _HEADINGS:
        raise InputError(
            f"The list begins with {names[0]}, which is the heading of a column and nobody's name; take this line out."
        )
    return names


def quoted(name: str) -> str:
    """What was typed for a name, in quotes, and cut where it is longer than any name."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 2]} …")
