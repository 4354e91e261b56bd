"""Results as gradebooks take them back: a line for each student with what they are known by there, a column a lesson.

What they read is said by Canvas's GradebookImporter and by Moodle's page on grade import. Where the identifiers come
from is the business of `oasis.classroom.people.tables`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from oasis.classroom.proving.exercise import POINTS
from oasis.classroom.register.marks import Mark
from oasis.classroom.register.register import Register
from oasis.classroom.spreadsheet import MARK, csv_text
from oasis.ground.plural import listed
from oasis.store import Student
from tactics.errors import InputError

GRADEBOOKS: Final = ("moodle", "canvas")
_CANVAS: Final = {"ID": "canvas", "SIS User ID": "number", "SIS Login ID": "login", "Section": "group"}
"""The columns that Canvas wants behind `Student`, in this order."""
_POINTS_POSSIBLE: Final = "    Points Possible"
_MOODLE: Final = {"First name": "first_name", "Last name": "surname", "ID number": "number", "Email address": "email"}


def gradebook_csv(register: Register, gradebook: str) -> tuple[str, list[str]]:
    """Return a table that a gradebook imports, and what is to be known of it.

    It has a column for each lesson with the points in it, which is empty for who has begun nothing of it. Raises
    InputError without lessons.

    Args:
        register: of the class, with lessons.
        gradebook: one of `GRADEBOOKS`.
    """
    if not register.has_lessons:
        raise InputError("A gradebook has a column for each lesson; name lessons by --lesson FILE.")
    marks = [mark for mark in register.marks() if mark.asked]
    maxima = _maxima(marks)
    register.roll.log("results saved", more=f"for {gradebook}")
    students, points = register.students(), _points(marks)
    rows = [
        {**_called(student, gradebook), **{place: points.get((student.name, place)) for place in maxima}}
        for student in students
    ]
    if gradebook == "canvas":
        rows.insert(0, {"Student": _POINTS_POSSIBLE, **maxima})
        remarks = [
            _lacking(students, tuple(_CANVAS.values())[:-1], "number and login of Canvas, which looks them up by name")
        ]
        return _text(["Student", *_CANVAS, *maxima], rows), list(filter(None, remarks))
    remarks = [_lacking(students, ("number",), "ID number"), _lacking(students, ("email",), "e-mail address")]
    remarks += [
        f"{place} has {maximum} points: its grade item in Moodle needs this maximum."
        for place, maximum in maxima.items()
    ]
    return _text([*_MOODLE, *maxima], rows), list(filter(None, remarks))


def _text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    return csv_text(columns, rows).removeprefix(MARK)


def _maxima(marks: Iterable[Mark]) -> dict[str, int]:
    """Return the points that there are in each lesson."""
    asked: dict[str, set[str]] = {}
    for mark in marks:
        asked.setdefault(mark.place, set()).add(mark.key)
    return {place: POINTS * len(keys) for place, keys in asked.items()}


def _points(marks: Iterable[Mark]) -> dict[tuple[str, str], int]:
    """Return the points of each student in each lesson of which they have begun something."""
    points: dict[tuple[str, str], int] = {}
    for mark in marks:
        if mark.attempts:
            points[mark.name, mark.place] = points.get((mark.name, mark.place), 0) + mark.points
    return points


def _called(student: Student, gradebook: str) -> dict[str, str]:
    """Return the columns that say who a student is."""
    details = student.details
    known = details._asdict()
    if gradebook == "canvas":
        has_both = details.surname and details.first_name
        turned = f"{details.surname}, {details.first_name}" if has_both else student.name
        return {"Student": turned, **{head: known[field] for head, field in _CANVAS.items()}}
    columns = {head: known[field] for head, field in _MOODLE.items()}
    return columns if details.surname or details.first_name else columns | {"First name": student.name}


def _lacking(students: Iterable[Student], fields: Sequence[str], called: str) -> str:
    """Say who has none of these; empty if nobody."""
    without = [student.name for student in students if not any(getattr(student.details, field) for field in fields)]
    return f"Without {called}: {listed(without)}." if without else ""
