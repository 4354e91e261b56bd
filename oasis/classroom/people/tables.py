"""Tables of a class, as gradebooks and spreadsheets save them: who stands in them, found by the heads of the columns.

CSV and XLSX are read, and a plain list of names as a table without heads. The heads are those of Moodle's and Canvas's
exports and their like. Who of them is on the list already is the business of the roll.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

from oasis.classroom.people.names import name_key, names_in, quoted
from oasis.classroom.spreadsheet import begins_formula, without_mark
from oasis.ground.plural import conjunction
from oasis.store import Details
from tactics.errors import InputError, check_installed

IDENTIFIERS: Final = ("canvas", "number", "login", "email")
"""The details by which a student is known elsewhere, and two of one name are told apart; the surest comes first."""
_HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": (
        *("name", "names", "full name", "fullname", "student", "students", "student name", "display name"),
        *("vollständiger name", "teilnehmer", "nom complet", "étudiant"),
    ),
    "surname": ("surname", "last name", "lastname", "family name", "nachname", "familienname", "nom", "nom de famille"),
    "first_name": ("first name", "firstname", "given name", "given names", "forename", "vorname", "prénom", "prenom"),
    "email": (
        *("email", "e-mail", "mail", "email address", "e-mail address", "e-mail-adresse", "mailadresse"),
        *("adresse de courriel", "courriel", "adresse e-mail"),
    ),
    "number": (
        *("number", "id", "id number", "idnumber", "student id", "student number", "matriculation number"),
        *("sis user id", "sis id", "matrikelnummer", "id-nummer", "numéro d'identification", "numéro d'étudiant"),
    ),
    "login": ("login", "login id", "sis login id", "username", "user name", "anmeldename", "nom d'utilisateur"),
    "group": ("group", "groups", "section", "sections", "gruppe", "gruppen", "klasse", "groupe", "groupes"),
}
_FIELDS: Final = {head: field for field, heads in _HEADS.items() for head in heads}
_CALLED: Final = {"first_name": "first name", "email": "e-mail", "canvas": "number in Canvas"}
"""What a field is called, where not as it is."""
_OF_CANVAS: Final = frozenset({"sis user id", "sis login id", "section"})
"""Heads of which Canvas's gradebook has at least one beside those of names and `ID`."""
_NO_STUDENTS: Final = frozenset({"points possible", "student, test"})
"""What stands for a name in two rows of Canvas's gradebook."""
_HIDDEN: Final = re.compile(r"muted|manual posting.*", re.IGNORECASE)
"""What stands in a third one, below assignments whose grades students do not see."""
_SEPARATORS: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_KEPT_AS_TEXT: Final = re.compile('="([^"]*)"')
"""A cell in which a number is written so that a spreadsheet leaves its zeros."""
_LONGEST: Final = 200
_DAMAGE: Final = (
    *(AttributeError, EOFError, LookupError, OSError, RuntimeError, SyntaxError, TypeError, ValueError),
    *(BadZipFile, zlib.error),
)
"""What openpyxl, and the packing and the XML that it reads, make of a file that is damaged or is something else."""
_ZIP, _OLD_EXCEL = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


class Entry(NamedTuple):
    """Somebody in a table: the name by which the class knows them, and what else the table says of them."""

    name: str
    details: Details = Details()


class Table(NamedTuple):
    """Who stands in a table, and how it was read.

    Attributes:
        entries: of the students, in the order of the rows.
        form: the encoding and what stands between the columns, or XLSX.
        columns: what each head was read as, in the order of the columns; none for a plain list of names.
        unused: the other heads.
    """

    entries: tuple[Entry, ...]
    form: str
    columns: Mapping[str, str]
    unused: tuple[str, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is a list of names in UTF-8, of which nothing can have been mistaken."""
        return not self.columns and self.form == "UTF-8"

    def sentence(self) -> str:
        """Say how it was read."""
        columns = conjunction(f"{head} is the {called}" for head, called in self.columns.items())
        unused = f"; not used: {', '.join(self.unused)}" if self.unused else ""
        return f"Read as {self.form}: {columns or 'names, one a line'}{unused}."

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {"read_as": self.form, "columns": self.columns, "unused": self.unused}


def read_table(content: bytes) -> Table:
    """Return who stands in a table of students: CSV in any usual encoding, XLSX, or names alone, one a line.

    Raises InputError for what is none of these, for a table without names, and for what no identifier can be;
    LibraryMissing where XLSX cannot be read.
    """
    if content.startswith(_OLD_EXCEL):
        raise InputError("This spreadsheet has a passphrase, or is of an old kind (.xls); save it as XLSX or CSV.")
    if content.startswith(_ZIP):
        rows, form, separated = _rows_of_sheet(content), "XLSX", ""
    else:
        text, form = _decoded(content)
        readings = {separator: _rows_of_text(text, separator) for separator in _SEPARATORS}
        separator = max(readings, key=lambda each: len(_fields(readings[each])))
        rows, separated = readings[separator], f" with {_SEPARATORS[separator]}"
    fields = _fields(rows)
    if len(fields) > 1 or (fields and sum(map(any, rows)) > 1):
        return _table(rows, fields, form if len(rows[0]) == 1 else f"{form}{separated}")
    if form != "XLSX":
        names = names_in(text)
    elif max(map(_width, rows), default=0) < 2:
        names = list(filter(None, map("".join, rows)))
    else:
        raise InputError(_no_names(rows[0]))
    return Table(tuple(map(Entry, names)), form, {}, ())


def identifier(details: Details) -> str:
    """Return what a person looks a student up by in a gradebook: the number, or what else there is; empty for none."""
    return details.number or details.email or details.login or details.canvas


def _table(rows: Sequence[Sequence[str]], fields: Mapping[str, int], form: str) -> Table:
    """The table of rows of which the first one has heads; fields say in which columns they are."""
    heads = rows[0]
    if not {"name", "surname", "first_name"} & set(fields):
        raise InputError(_no_names(heads))
    has_parts = {"surname", "first_name"} <= set(fields)
    students = [(number, _cells(row, fields)) for number, row in enumerate(rows, 1) if number > 1]
    students = [(number, cells) for number, cells in students if _is_student(cells)]
    is_turned = not has_parts and all("," in cells.get("name", "") for _, cells in students)
    turns = is_turned or "canvas" in fields
    columns = {heads[place]: _CALLED.get(field, field) for field, place in sorted(fields.items(), key=lambda of: of[1])}
    if has_parts and "name" in fields:
        del columns[heads[fields["name"]]]
    unused = tuple(head for head in heads if head and head not in columns)
    return Table(tuple(_entry(number, cells, turns=turns) for number, cells in students), form, columns, unused)


def _fields(rows: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the column of each field that a head of the first row names; of several, the first one."""
    heads = [_head(cell) for cell in rows[0]] if rows else []
    fields: dict[str, int] = {}
    for place, head in enumerate(heads):
        field = _FIELDS.get(head, "")
        if head == "id" and not _OF_CANVAS.isdisjoint(heads):
            field = "canvas"
        if field:
            fields.setdefault(field, place)
    return fields


def _head(cell: str) -> str:
    return name_key(" ".join(cell.replace("_", " ").split()))


def _cells(row: Sequence[str], fields: Mapping[str, int]) -> dict[str, str]:
    return {field: row[place] for field, place in fields.items() if place < len(row) and row[place]}


def _is_student(cells: Mapping[str, str]) -> bool:
    """Whether a row is about a student: it says something, and is none of those that Canvas adds."""
    said = [cell for field, cell in cells.items() if not _HIDDEN.fullmatch(cell)]
    return bool(said) and cells.get("name", "").casefold() not in _NO_STUDENTS


def _entry(number: int, cells: Mapping[str, str], *, turns: bool) -> Entry:
    """Who stands in a row; `turns` says that names are written as in `Lovelace, Ada`."""
    surname, first, name = (cells.get(field, "") for field in ("surname", "first_name", "name"))
    if not (surname or first) and turns and "," in name:
        surname, _, first = (part.strip() for part in name.partition(","))
    # Who has one name alone has a dash or a point for the other.
    parts = [part for part in (first, surname) if any(map(str.isalnum, part))]
    name = " ".join(parts) or name
    if not name:
        raise InputError(f"Row {number} of the table has no name; write one into it, or take the row out.")
    known = {field: cells.get(field, "") for field in (*IDENTIFIERS, "group")}
    for field, cell in known.items():
        if len(cell) > _LONGEST or not cell.isprintable() or (field in IDENTIFIERS and begins_formula(cell)):
            raise InputError(
                f"Row {number} of the table: {quoted(cell)} is no {_CALLED.get(field, field)}, for it is too long, has "
                "signs that nobody sees, or would be computed by a spreadsheet; correct it there."
            )
    return Entry(name, Details(surname, first, **known))


def _no_names(heads: Iterable[str]) -> str:
    return (
        f"No column of names was found; the first row has {', '.join(filter(None, heads))}. Call one column Name, or "
        "two Surname and First name."
    )


def _width(row: Sequence[str]) -> int:
    return sum(map(bool, row))


def _decoded(content: bytes) -> tuple[str, str]:
    """Return the text of a file, and in which encoding it is written. Raises InputError if it is none."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        codec, name = "utf-16", "UTF-16"
    elif b"\0" in content:
        codec = "utf-16-le" if content[1::2].count(0) > content[::2].count(0) else "utf-16-be"
        name = "UTF-16"
    else:
        codec, name = "utf-8-sig", "UTF-8"
    for each, called in ((codec, name), ("cp1252", "Windows-1252")):
        try:
            return content.decode(each), called
        except UnicodeDecodeError:
            if name != "UTF-8":
                break
    raise InputError("This is neither text nor XLSX; save the table as CSV in UTF-8, or as XLSX.")


def _rows_of_text(text: str, separator: str) -> list[list[str]]:
    """Return the rows of a text with their cells, from the first that is not empty."""
    try:
        rows = [list(map(_plain, row)) for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator)]
    except csv.Error as error:
        raise InputError(f"This is no table ({error}); save it as CSV in UTF-8, or as XLSX.") from None
    return list(dropwhile(lambda row: not any(row), rows))


def _plain(cell: str) -> str:
    """Return a cell without spaces around it, and without what keeps a spreadsheet from changing it."""
    cell = cell.strip()
    kept = _KEPT_AS_TEXT.fullmatch(cell)
    return kept[1] if kept else without_mark(cell)


def _rows_of_sheet(content: bytes) -> list[list[str]]:
    """Return the rows of the first sheet of an XLSX file, cells as text, from the first that is not empty."""
    check_installed("Tables in XLSX need", "web", "openpyxl")
    from openpyxl import load_workbook

    try:
        sheet = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # which some programs write wrongly
        rows = [list(map(_shown, cells)) for cells in sheet.iter_rows()]
    except _DAMAGE as error:
        raise InputError(f"This is no spreadsheet that can be read ({error}); save it anew as XLSX or CSV.") from None
    return list(dropwhile(lambda row: not any(row), rows))


def _shown(cell: Any) -> str:
    """Return a cell of a sheet as a person sees it there: whole numbers without a point, and with their zeros."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and re.fullmatch("0+", cell.number_format):
        return str(value).zfill(len(cell.number_format))
    return _plain(str(value))
