"""Names of students: which will do, and which nobody tells apart. Whose they are is not known here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from idna.core import valid_contextj

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
_MARKS: Final = 3
"""Accents that a letter has at most; in no language are there more."""
_ALPHABET: Final = re.compile(r"OLD \w+|\w+")
"""The alphabet of a letter, as its name in Unicode begins with it."""
_EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are written together with each other and with one alphabet (Unicode's UTS 39, highly restrictive)."""
_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lo"})
"""Categories of letters that belong to an alphabet."""
_JOINERS: Final = "\u200c\u200d"
"""Signs that show nothing, and between some letters change how these are joined."""
_PLAIN_SIGNS: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bb\u02bc\u2032\u00b4`", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys(_JOINERS)
)
"""Apostrophes and hyphens as keyboards have them, and no joiners."""
_DIRECTION: Final = "\u200e"
"""Stands around signs that are read from right to left in the table of those that look alike."""


def proper_name(name: str) -> str:
    """A student's name without spaces and joiners that say nothing. Raises InputError."""
    name = unicodedata.normalize("NFC", name)
    name = "".join(sign for place, sign in enumerate(name) if sign not in _JOINERS or _joins(name, place))
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.translate(_PLAIN_SIGNS).isprintable():
        raise InputError(f"A name has 1 to {LONGEST_NAME} letters, digits, signs and spaces; type another one.")
    return name


def new_name(name: str) -> str:
    """A proper name for somebody who has not been called so before, which passes for no other. Raises InputError.

    Whether it looks like a name that somebody has is the business of `look_alike`.
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
        alphabets = set(filter(None, map(_alphabet, word))) - _EAST_ASIAN
        if len(alphabets) > 1:
            raise InputError(
                f"{word} has letters of several alphabets ({', '.join(sorted(alphabets)).title()}), some of which look "
                "alike; type it in one."
            )
    return name


def name_key(name: str) -> str:
    """The same for names that nobody tells apart, be it by apostrophes, hyphens or joiners."""
    return unicodedata.normalize("NFKC", name.translate(_PLAIN_SIGNS)).casefold()


def plain_key(name: str) -> str:
    """The same for names that differ in capitals and accents alone, as who has no ë on the keyboard types them."""
    apart = unicodedata.normalize("NFKD", name.translate(_PLAIN_SIGNS).casefold().translate(_STROKED))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def look_alike(name: str, names: Iterable[str]) -> str | None:
    """Return the first of some names for which another one may be taken by who reads it; None if there is none.

    They look alike as they are written, in small letters, or in capitals, by the confusables of Unicode's UTS 39.
    """
    shapes = _shapes(name)
    return next((each for each in names if not shapes.isdisjoint(_shapes(each))), None)


@lru_cache(4096)
def _shapes(name: str) -> frozenset[str]:
    """Return what a name looks like as it is, in small letters and in capitals, each with signs that stand for all."""
    plain = unicodedata.normalize("NFKC", name.translate(_PLAIN_SIGNS))
    shapes = _shapes_of_signs()
    return frozenset(
        "".join(shapes.get(sign, sign) for sign in unicodedata.normalize("NFD", written))
        for written in (plain, plain.lower(), plain.upper())
    )


@cache
def _shapes_of_signs() -> Mapping[str, str]:
    """Return for each sign that looks like others what stands for all of them."""
    from confusable_homoglyphs.confusables import confusables_data  # read only where somebody gets a name

    table = {
        sign.strip(_DIRECTION): {each["c"].strip(_DIRECTION) for each in alike}
        for sign, alike in confusables_data.items()
    }
    shapes = {}
    for sign in table:  # its neighbours are the sign that stands for it in the table, or those that it stands for
        near = {sign}.union(table[sign], *(table.get(each, ()) for each in table[sign]))
        shapes[sign] = min(each for each in near if len(each) == 1 or each == sign)
    several = {sign: min((each for each in table[sign] if len(each) > 1), default="") for sign in table}
    return shapes | {
        sign: "".join(shapes.get(each, each) for each in signs) for sign, signs in several.items() if signs
    }


def _joins(name: str, place: int) -> bool:
    """Return True if the joiner at a place stands between letters that need it (RFC 5892, as Unicode's UAX 31)."""
    if not (0 < place < len(name) - 1 and name[place + 1].isalpha()):
        return False
    try:
        return valid_contextj(name, place)
    except ValueError:
        return False


def _alphabet(sign: str) -> str:
    """Return the alphabet of a letter, empty for other signs."""
    found = _ALPHABET.match(unicodedata.name(sign, "")) if unicodedata.category(sign) in _LETTERS else None
    return found[0] if found else ""


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

    Raises InputError for a line of several columns.
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    for number, line in enumerate(lines, 1):
        if any(sign in line for sign in _COLUMN_SIGNS):
            raise InputError(
                f"Line {number} of the list, {quoted(line)}, is more than a name; give names alone, one a line, "
                "as in Ada Lovelace, or write heads above the columns, as in Surname and First name."
            )
    return [line for line in lines if line]


def quoted(name: str) -> str:
    """What was typed for a name, in quotes, and cut where it is longer than any name."""
    return repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 2]} …")
