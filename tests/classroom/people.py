"""Simulated students, each in a process of its own or in the one of the test, who do whatever can be done."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from time import sleep, time
from typing import Any, Final

import pytest
from hypothesis import strategies as st

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.work import Imported, WorkError, import_work, read_work
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event, Refused
from oasis.classroom.proving.exercise import AGENT, MOVES, POINTS, Exercise, Terms
from oasis.store import Store
from oasis.teacher.hints import LEVELS
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import Script, parse_script
from tests.store.databases import rows

OR_COMM: Final = Exercise("textbook/or_comm", parse("p \\/ q -> q \\/ p"), "cases")
PROOF: Final = parse_script("intro; destruct_or H; right; assumption; left; assumption")
"""Of `OR_COMM`."""
LOST: Final = parse_script("intro; left")
"""Moves at `OR_COMM` after which it has no proof any more."""
PEIRCE: Final = Exercise("textbook/peirce", parse("((p -> q) -> p) -> p"), "cases")
terms = st.builds(
    Terms,
    rules=st.lists(st.sampled_from(list(RULES)), min_size=1, unique=True).map(tuple),
    hints=st.sampled_from([0, *LEVELS]),
    hint_cost=st.integers(0, POINTS),
    light=st.booleans(),
    agent=st.sampled_from(AGENT),
    moves=st.sampled_from(MOVES),
    due=st.none() | st.datetimes(datetime(2000, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC)),
)
"""All terms that there are."""
LONG: Final = parse("(((p1 -> p2) /\\ (p2 -> p1) -> p1 /\\ p2 /\\ p3) -> f) /\\ (p3 \\/ (p3 -> f) -> f) -> f")
"""Long attempts at it are easily made."""


def or_comm(letters: str, terms: Terms | None = None) -> Exercise:
    """Return `OR_COMM` in two other letters."""
    left, right = tuple(letters)
    return Exercise(OR_COMM.name, parse(f"{left} \\/ {right} -> {right} \\/ {left}"), OR_COMM.place, terms or Terms())


def empty() -> Store:
    """Return a class of its own that lasts as long as the test."""
    return Store(Path(":memory:"))


def local(store: Store, name: str = "Ann") -> Desk:
    """Return the desk of a student at this machine."""
    return admit(store, name, account=name)


def histories(store: Store) -> list[list[Event]]:
    """Return what happened in each attempt in the store."""
    return [[Event(kind, what) for _, kind, what in store.events(row.kept.uuid)] for row in store.attempts()]


def told(store: Store) -> list[list[str]]:
    """Return what each event in the store was about, attempt by attempt."""
    return [[what for _, what in events] for events in histories(store)]


class Sitting:
    """A student at an attempt: it is what `Attempt` is, but each event is kept at the student's desk."""

    def __init__(self, desk: Desk, seen: list[Event] | None = None) -> None:
        self.desk, self.seen = desk, seen

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.desk.attempt, name)
        return partial(self._do, name) if name in _DEEDS else found

    def __eq__(self, other: object) -> bool:
        return self.desk.attempt == (other.desk.attempt if isinstance(other, Sitting) else other)

    __hash__ = None  # type: ignore[assignment]

    def _do(self, name: str, *arguments: object, **named: object) -> Event | None:
        return self.desk.do(lambda attempt: getattr(attempt, name)(*arguments, **named))


_DEEDS: Final = ("make", "undo", "redo", "jump", "take_hint", "claim", "take_over", "ask_agent", "show_list")


def sit(desk: Desk, exercise: Exercise) -> Sitting:
    """Have somebody take up their newest attempt, or a new one."""
    desk.sit(exercise)
    return Sitting(desk)


def again(desk: Desk, exercise: Exercise) -> Sitting:
    """Have somebody begin a new attempt."""
    desk.again(exercise)
    return Sitting(desk)


def make(attempt: Attempt | Sitting, script: Script) -> None:
    """Make moves one by one."""
    for move in script:
        attempt.make(move)


def fumble(attempt: Attempt | Sitting, draw: Callable[[int], int]) -> Event | None:
    """Do something, sensible or not, and return it; `draw` gives a number from 0 to below its argument."""
    offers = attempt.offers()
    try:
        match draw(11):
            case 0:
                return attempt.undo()
            case 1:
                return attempt.redo()
            case 2:
                return attempt.jump(draw(len(attempt.made) + len(attempt.undone) + 1))
            case 3:
                return attempt.take_hint()
            case 4:
                return attempt.make(Move(list(RULES)[draw(len(RULES))], ["H", "H17", None][draw(3)]))
            case 5:
                return attempt.take_over(attempt.script[: draw(len(attempt.made) + 1)])
            case 6:
                return attempt.show_list()
            case 7:
                return attempt.claim(right=False)
            case 8:
                return attempt.ask_agent()
            case _ if offers:
                return attempt.make(offers[draw(len(offers))].move)
    except Refused as refusal:
        return refusal.event
    except InputError:
        pass  # nothing to take back
    return None


def bring(desk: Desk, text: str) -> Imported:
    """Read a work at a desk and import it."""
    return import_work(desk, read_work(text, desk.name))


def refused(desk: Desk, text: str) -> str:
    """Import a work that must be refused and store nothing; return the sentence that says why."""
    before = rows(desk.store.path)
    with pytest.raises(WorkError) as said:
        bring(desk, text)
    assert rows(desk.store.path) == before
    sentence = str(said.value)
    assert sentence.endswith(".") and sentence.isprintable() and len(sentence) < 400
    return sentence


def attend(number: int, path: Path, together: Barrier, lemmas: int, pause: float) -> None:
    """Come in when all others do, too, prove lemmas of two moves one after the other, and write down when each was."""
    together.wait(180)
    when = []
    with open_classroom(path) as store:
        desk = local(store, f"Student {number}")
        for lemma in range(lemmas):
            given = " /\\ ".join(["p"] * (lemma + 1))
            attempt = sit(desk, Exercise(f"lemma {lemma}", parse(f"{given} -> {given}"), "week"))
            for rule in ("intro", "assumption"):
                sleep(pause)
                attempt.make(Move(rule))
                assert not desk.trouble, desk.trouble
            when.append(time())
    path.with_name(f"{number}.json").write_text(json.dumps(when))


def report_each_event(path: Path) -> None:
    """Work without end, and say on standard output how many events are stored so far."""
    stored = count(1)
    with open_classroom(path) as store:
        desk = local(store)
        attempt, random = sit(desk, Exercise("long", LONG)), Random()
        while True:
            if fumble(attempt, random.randrange) is not None:
                assert not desk.trouble, desk.trouble
                print(next(stored), flush=True)
