"""The day of an exam with thirty browsers: a server that dies, tabs that reload, a network that is cut, a wrong clock.

Each student types what a script says, beside which stand the points that a person worked out for it.
"""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk.desk import Desk
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.roll import Roll
from oasis.store.classroom import StoredAttempt
from oasis.teacher.proofs import Proof, prove
from tests.commands import Oasis, environment
from tests.server.serving import CODE, Served, Tab, Visitor, served, soon
from tests.server.test_real_tabs import fill_in, reach

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

STUDENTS: Final = 30
CUT_SECONDS: Final = 20
LINE: Final = "Enter makes it"
"""What stands below the line where moves are typed."""
CLAIM: Final = "no proof"
OWN: Final = "own"
"""The proof of the lemma that the student has of a pool."""
NEXT: Final = "n"
AND_COMM: Final = ("intro", "destruct_and H", "split", "assumption", "assumption")
OR_COMM: Final = ("intro", "destruct_or H", "right", "assumption", "left", "assumption")
EXAM: Final = """\
title = "Exam"
exam = true
opens = 2020-01-01
closes = {closes}
extra = {{ "Student 19" = 30 }}
results = "when shown"
moves = "type"
letters = "own"
lemmas = ["textbook/and_comm", "textbook/or_comm"]

[[exercise]]
lemma = "no : A -> A /\\\\ B"
theorem = false

[[exercise]]
lemma = "choices/dead_end"
pool = [
  "second: ((q -> s) -> r) -> (p -> q) -> ((r -> s) -> p) -> (q -> r) -> p -> r",
  "third: ((q -> s) -> r) -> (p -> q) -> ((q -> s) -> q) -> (q -> r) -> p -> r",
]
"""


class Script(NamedTuple):
    """What a student types in the line for tactics before the server dies, after it, and when the exam is closed.

    Attributes:
        points: what that is worth, by exercise: 10 of each, a wrong word that there is no proof costs 3, two slips 1.
    """

    before: Sequence[str] = ()
    after: Sequence[str] = ()
    late: Sequence[str] = ()
    points: tuple[int, int, int, int] = (0, 0, 0, 0)


SCRIPTS: Final = (
    Script((*AND_COMM, NEXT, *OR_COMM, NEXT, CLAIM, NEXT, OWN), points=(10, 10, 10, 10)),
    Script((*AND_COMM, NEXT, *OR_COMM[:3]), (*OR_COMM[3:], NEXT, CLAIM), points=(10, 10, 10, 0)),
    Script(AND_COMM[:2], (*AND_COMM[2:], NEXT, *OR_COMM), points=(10, 10, 0, 0)),
    Script(("split", *AND_COMM), points=(10, 0, 0, 0)),
    Script(("split",), ("left", *AND_COMM), points=(9, 0, 0, 0)),
    Script((CLAIM, *AND_COMM), points=(7, 0, 0, 0)),
    Script((*AND_COMM, NEXT, *OR_COMM[:2], "left", "assumption", "undo", *OR_COMM[2:]), points=(10, 9, 0, 0)),
    Script(),
    Script(AND_COMM[:3]),
    Script(AND_COMM[:3], AND_COMM[3:4], AND_COMM[4:]),
)
EXTRA: Final = 19
"""The number of the student who has extra time."""
IN_EXTRA_TIME: Final = (10, 0, 0, 0)
LEMMAS: Final = ("textbook/and_comm", "textbook/or_comm", "no", "choices/dead_end")


class Student:
    """Somebody at a browser of an address of its own, whose clock is a day off."""

    def __init__(self, number: int, server: Served, passphrase: str) -> None:
        self.number, self.name, self.passphrase = number, f"Student {number}", passphrase
        self.script, self.server = SCRIPTS[number % len(SCRIPTS)], server
        wrong = datetime.now(UTC) + timedelta(days=(-1) ** number)
        self.visitor = Visitor(server, 1 + number, Date=format_datetime(wrong, usegmt=True))
        self.begun = False

    @property
    def points(self) -> tuple[int, int, int, int]:
        """Return what the work is worth."""
        return IN_EXTRA_TIME if self.number == EXTRA else self.script.points

    async def come(self) -> None:
        """Sign in."""
        await self.visitor.knock()
        await self.open()
        await fill_in(self.tab, self.name, self.passphrase)
        await self.tab.wait_for("Close (Esc)")
        await self.tab.type("\x1b", shows="Enter begins")

    async def open(self) -> None:
        """Open the tab, anew if it was open."""
        self.tab: Tab = await self.visitor.tab(100, 30, name=f"{self.number:032}")

    async def reload(self) -> None:
        """Open the tab anew: it comes back to what was before it."""
        await self.open()
        await self.tab.wait_for("Oasis says" if self.begun else "Enter begins")

    async def type(self, moves: Sequence[str]) -> None:
        """Type moves; each is in the file of the class before the next one is typed."""
        if moves and not self.begun:
            await self.tab.type("\r")
            self.begun = True
        for move in chain.from_iterable(self.proof() if each == OWN else [each] for each in moves):
            if move == NEXT:
                await self.tab.type(NEXT)
                continue
            await self.tab.type("/")  # which opens the line, and does no harm in it
            await reach(self.tab, LINE)
            before = self.events()
            if move == CLAIM:  # it is asked twice
                await self.tab.type(f"{move}\r", shows="again says")
            await self.tab.type(f"{move}\r")
            assert await soon(partial(self.has_more, before), 30), (self.name, move)
            if self.is_done() and NEXT in moves:
                await self.tab.wait_for("Next lemma")

    def proof(self) -> list[str]:
        """Return the moves that prove the lemma of the pool that they have."""
        with open_classroom(self.server.file, create=False) as store:
            (own,) = [each for each in store.students() if each.name == self.name]
            task = Desk(store, own).given(Lesson.read(self.server.file.with_name("exam.toml")))[-1]
        found = prove(task.formula)
        assert isinstance(found, Proof) and found.script
        return [str(move) for move in found.script]

    def has_more(self, events: int) -> bool:
        """Return True if more of theirs than so much is in the file of the class."""
        return self.events() > events

    def events(self) -> int:
        """Return how much of theirs is in the file of the class."""
        return sum(each.events for each in self.attempts())

    def is_done(self) -> bool:
        """Return True if the attempt before them is over."""
        return any(each.kept.done for each in self.attempts()[-1:])

    def attempts(self) -> list[StoredAttempt]:
        """Return what of theirs is in the file of the class."""
        with open_classroom(self.server.file, create=False) as store:
            (own,) = [each.id for each in store.students() if each.name == self.name]
            return store.attempts(own)


async def test_an_exam_is_marked_as_by_hand_whatever_happens_to_server_tabs_and_network(tmp_path: Path) -> None:
    exam = tmp_path / "exam.toml"
    exam.write_text(EXAM.format(closes="2120-01-01"))
    teacher = environment(OASIS_PASSPHRASE="an apple a day", OASIS_DB=str(tmp_path / "class.db"))
    Oasis(tmp_path).ran("classroom", "passphrase", env=teacher)
    with open_classroom(tmp_path / "class.db") as store:
        tickets = Roll(store).add([f"Student {number}" for number in range(STUDENTS)])
    options = ["--lesson", str(exam), "--listed-only", "--tabs-per-address", "40"]
    async with AsyncExitStack() as stack:
        with served(tmp_path, *options, code=CODE) as server:
            students = [Student(number, server, ticket.passphrase) for number, ticket in enumerate(tickets)]
            for student in students:
                await stack.enter_async_context(student.visitor)
            await asyncio.gather(*(student.come() for student in students))
            await asyncio.gather(*(student.type(student.script.before) for student in students))
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
        with served(tmp_path, *options, code=CODE, port=server.port) as server:
            for student in students:
                student.server = server
            await asyncio.gather(*(student.reload() for student in students))
            await asyncio.gather(*(student.reload() for student in students))
            await asyncio.sleep(CUT_SECONDS)  # nothing goes to and fro, and nobody has closed anything
            await asyncio.gather(*(student.reload() for student in students))
            await asyncio.gather(*(student.type(student.script.after) for student in students))
            closes = datetime.now(UTC) + timedelta(seconds=5)
            exam.write_text(EXAM.format(closes=closes.isoformat(timespec="seconds")))
            others = [student for student in students if student.number != EXTRA]
            await asyncio.gather(*(student.tab.wait_for("exam is over") for student in others))
            before = [student.events() for student in others]
            for student in others:  # who may type as they like
                await student.tab.type("".join(f"/{move}\r" for move in student.script.late))
            await asyncio.gather(*(student.type(student.script.late) for student in students if student not in others))
            assert [student.events() for student in others] == before
            shown = b"".join(student.tab.shown for student in others)
            assert b"of 10 points" not in shown
    told = Oasis(tmp_path).json("classroom", "results", "--lesson", str(exam), env=teacher)
    points = {(row["student"], row["lemma"]): row["points"] for row in told["marks"]}
    for student in students:
        assert tuple(points[student.name, lemma] for lemma in LEMMAS) == student.points, student.name
    own = {row["variant"] for row in told["marks"] if row["lemma"] == LEMMAS[-1]}
    assert len(own) == 3, "neighbours have different ones"
    assert {row["place"] for row in told["marks"]} == {"exam"} and len(points) == len(students) * len(LEMMAS)
