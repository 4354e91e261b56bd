"""The results of a class as rows of plain values: for spreadsheets and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from oasis.classroom.proving.words import when
from oasis.classroom.register.marks import Mark
from oasis.classroom.register.mistakes import Mistakes
from oasis.classroom.register.overview import CLASS_COLUMNS, altogether, class_rows, class_view
from oasis.classroom.register.register import Problem, Register, Whereabouts
from oasis.classroom.spreadsheet import csv_text
from oasis.store import KeptAttempt, KeptNote

COLUMNS: Final = {
    "student": ("student", *Mark._fields[1:-1]),
    "class": CLASS_COLUMNS,
    "problem": (*Problem._fields[:-2], "wrong_moves", "attempts_searched"),
}
"""The columns of a spreadsheet, by what a line is about."""
_TIMES: Final = ("done", "due", "seen")
_LISTED: Final = 3
Find = Callable[[Problem], Mistakes]


def results_csv(register: Register, by: str, find: Find | None = None) -> str:
    """The results as a spreadsheet, times as clocks here show them.

    Args:
        register: of the class.
        by: what a line is about, `student` (at one problem), `class` (a student all in all) or `problem`.
        find: finds the wrong moves at a problem; the register itself if left out.
    """
    find = find or register.mistakes
    register.roll.log("results saved", more=f"by {by}")
    rows: Iterable[Mapping[str, Any]]
    match by:
        case "student":
            rows = map(as_row, register.marks())
        case "class":
            rows = class_rows(class_view(register)[0])
        case _:
            rows = (_described(problem, find(problem)) for problem in register.problems())
    return csv_text(COLUMNS[by], map(_timed, rows))


def results_json(register: Register, by: str, find: Find) -> dict[str, Any]:
    """The same as JSON has it: for problems each wrong move, for students also where they are, and notes to them."""
    match by:
        case "student":
            marks, whereabouts = list(map(as_row, register.marks())), list(map(as_row, register.whereabouts()))
            return {"whereabouts": whereabouts, "marks": marks, "notes": [_noted(*each) for each in register.notes()]}
        case "class":
            students, _ = class_view(register)
            return {"students": class_rows(students), "class": altogether(students)._asdict()}
        case _:
            found = ((problem, find(problem)) for problem in register.problems())
            return {"problems": [{**problem._asdict(), **_searched(mistakes)} for problem, mistakes in found]}


def as_row(of: Mark | Whereabouts) -> dict[str, Any]:
    """The fields as columns of a table, in which a name says whose it is."""
    return {"student" if field == "name" else field: value for field, value in of._asdict().items()}


def _noted(name: str, note: KeptNote, attempt: KeptAttempt | None) -> dict[str, Any]:
    """A note of the teacher: to whom, what it says or sends, and at which moment of which attempt it was left."""
    left = None if attempt is None else {"uuid": attempt.uuid, "place": attempt.place, "lemma": attempt.name}
    return {
        "student": name,
        "at": note.at,
        "text": note.text,
        "lemma": note.lemma or None,
        "formula": note.formula or None,
        "attempt": None if left is None else {**left, "moment": note.moment},
        "exam": bool(note.exam),
        "read": note.read,
    }


def _searched(mistakes: Mistakes) -> dict[str, Any]:
    wrong = [
        {"move": str(each.move), "sentence": each.sentence(), "times": each.times, "students": each.students}
        for each in mistakes.moves
    ]
    return {"wrong_moves": wrong, "attempts_searched": mistakes.seen}


def _described(problem: Problem, mistakes: Mistakes) -> dict[str, Any]:
    listed = [f"{mistake.sentence()} ({mistake.students} of {problem.begun})" for mistake in mistakes.moves]
    wrong = "; ".join(listed[:_LISTED])
    return {**problem._asdict(), "wrong_moves": wrong, "attempts_searched": mistakes.seen}


def _timed(row: Mapping[str, Any]) -> dict[str, Any]:
    times = {name: when(row[name]) for name in _TIMES if isinstance(row.get(name), str) and row[name]}
    return {**row, **times}
