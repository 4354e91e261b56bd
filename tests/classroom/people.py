"""Simulated students, each in a process of its own or in the one of the test, who do whatever can be done."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from typing import Final

import pytest

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import WorkError, import_work
from oasis.classroom.proving.attempt import Attempt, Event
from oasis.classroom.proving.exercise import Exercise
from oasis.store import Store
from tactics.errors import InputError
from tactics.formula import Formula, renamed
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import Script
from tests.store.databases import rows

OR_COMM: Final = Exercise("textbook/or_comm", parse("p \\/ q -> q \\/ p"), "cases")
PEIRCE: Final = Exercise("textbook/peirce", parse("((p -> q) -> p) -> p"), "cases")
LONG: Final = parse("(((p1 -> p2) /\\ (p2 -> p1) -> p1 /\\ p2 /\\ p3) -> f) /\\ (p3 \\/ (p3 -> f) -> f) -> f")
"""Long attempts at it are easily made."""


def empty() -> Store:
    """A class of its own that lasts as long as the test."""
    return Store(Path(":memory:"))


def local(store: Store, name: str = "Ann") -> Desk:
    """The desk of a student at this machine."""
    return admit(store, name, account=name)


def in_letters(formula: Formula, letters: Sequence[str]) -> Formula:
    """The formula with other letters for p1, p2, p3 and f."""
    return renamed(formula, dict(zip(["p1", "p2", "p3", "f"], letters, strict=True)))


def make(attempt: Attempt, script: Script) -> None:
    """Make moves one by one."""
    for move in script:
        attempt.make(move)


def fumble(attempt: Attempt, draw: Callable[[int], int]) -> None:
    """Do something, sensible or not; `draw` gives a number from 0 to below its argument."""
    offers = attempt.offers()
    try:
        match draw(8):
            case 0:
                attempt.undo()
            case 1:
                attempt.redo()
            case 2:
                attempt.jump(draw(len(attempt.made) + len(attempt.undone) + 1))
            case 3:
                attempt.take_hint()
            case 4:
                attempt.make(Move(list(RULES)[draw(len(RULES))], ["H", "H17", None][draw(3)]))
            case 5:
                attempt.take_over(attempt.script[: draw(len(attempt.made) + 1)])
            case _ if offers:
                attempt.make(offers[draw(len(offers))].move)
    except InputError:
        pass  # refused, which was recorded, or nothing to take back


def refused(desk: Desk, text: str) -> str:
    """What is said of a work that cannot be imported: one sentence, and nothing is stored."""
    before = rows(desk.store.path)
    with pytest.raises(WorkError) as said:
        import_work(desk, text)
    assert rows(desk.store.path) == before
    sentence = str(said.value)
    assert sentence.endswith(".") and sentence.isprintable() and len(sentence) < 400
    return sentence


def simulate(number: int, path: Path, together: Barrier, events: int) -> None:
    """Come in when all others do, too, do so many things at a lemma in letters of one's own, and write down which."""
    together.wait(60)
    seen: list[Event] = []
    exercise = Exercise("long", in_letters(LONG, [f"{letter}{number}" for letter in "abcd"]), "thirty")
    with open_classroom(path) as store:
        desk = local(store, f"Student {number}")
        attempt = desk.sit(exercise)
        keep = attempt.record

        def notice(event: Event) -> None:
            keep(event)
            assert not desk.trouble, desk.trouble
            seen.append(event)

        attempt.record = notice
        random = Random(number)
        while len(seen) < events:
            fumble(attempt, random.randrange)
    path.with_name(f"{number}.json").write_text(json.dumps(seen))


def report_each_event(path: Path) -> None:
    """Work without end, and say on standard output how many events are stored so far."""
    stored = count(1)
    with open_classroom(path) as store:
        desk = local(store)
        attempt = desk.sit(Exercise("long", LONG))
        keep = attempt.record

        def say(event: Event) -> None:
            keep(event)
            assert not desk.trouble, desk.trouble
            print(next(stored), flush=True)

        attempt.record = say
        random = Random()
        while True:
            fumble(attempt, random.randrange)
