"""The teacher's view: what it says of a class that did known things, whatever letters each had."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from threading import Timer
from time import sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.clock import now
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import Record
from oasis.classroom.desk.work import Imported, export_work
from oasis.classroom.lessons.lesson import Entry, Lesson
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.words import when
from oasis.classroom.register.examining import ExaminerBeside, ExaminerGone
from oasis.classroom.register.mistakes import Examiner, Work
from oasis.classroom.register.overview import Total, altogether, class_rows, overview, standing, total
from oasis.classroom.register.register import Register, Whereabouts
from oasis.classroom.register.results import COLUMNS, as_row, results_csv
from oasis.classroom.spreadsheet import MARK, csv_text
from oasis.store import KeptEvent, KeptTab, Store
from oasis.teacher.hints import Teacher
from tactics.errors import InputError
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, again, bring, local, make, or_comm, sit
from tests.strategies import Walk, walks
from tests.thorough import examples

NUMBERS = count(1)


@pytest.fixture
def register(store: Store) -> Register:
    return Register(store)


def lesson_of(exercise: Exercise, *, is_exam: bool = False) -> Lesson:
    """Return the lesson that has this exercise alone."""
    return Lesson(exercise.place, exercise.place, "", (Entry(exercise, None),), is_exam=is_exam)


def try_refused_moves(store: Store, name: str, exercise: Exercise, *moves: str) -> None:
    """Have a student try moves that do not apply."""
    attempt = sit(local(store, name), exercise)
    for move in moves:
        with pytest.raises(InputError):
            attempt.make(*parse_script(move))


@pytest.mark.parametrize("read", [Register.marks, Register.problems, Register.whereabouts, Register.everything])
def test_a_first_move_that_is_made_while_the_class_is_read_is_seen_whole_or_not_at_all(
    store: Store, read: Callable[[Register], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(sit(local(store, "Ann"), OR_COMM), PROOF)
    before = read(Register(store))
    with Store(store.path) as elsewhere:
        for name in ("kinds_of_events", "attempts", "students"):
            question = getattr(store, name)

            def asked(*arguments: object, question: Callable[..., object] = question) -> object:
                """Between any two questions somebody comes and makes a first move."""
                answer = question(*arguments)
                make(sit(local(elsewhere, f"Student {next(NUMBERS)}"), OR_COMM), PROOF[:1])
                return answer

            monkeypatch.setattr(store, name, asked)
        assert read(Register(store)) == before


def test_it_says_where_everybody_is(store: Store, register: Register) -> None:
    local(store, "Zoe")
    make(sit(local(store, "Bob"), OR_COMM), PROOF)
    desk = local(store, "Ann")
    make(sit(desk, PEIRCE), PROOF[:1])
    sit(desk, OR_COMM)
    where = register.whereabouts()
    assert [(*each[:3], each.outcome) for each in where] == [
        ("Ann", "cases", "textbook/or_comm", ""),
        ("Bob", "cases", "textbook/or_comm", "proved"),
        ("Zoe", "", "", ""),
    ]
    assert where[0].when == max(row.kept.changed for row in store.attempts())


def test_a_mark_adds_up_all_attempts_of_a_student_at_a_problem(store: Store, register: Register) -> None:
    desk = local(store)
    attempt = sit(desk, OR_COMM)
    attempt.show_list()
    attempt.claim(right=False)
    make(attempt, PROOF[:2])
    attempt.take_hint()
    attempt.take_over(PROOF)
    make(again(desk, OR_COMM), PROOF)
    try_refused_moves(store, "Ann", OR_COMM, "split", "left")
    (mark,) = register.marks()
    assert (mark.name, mark.place, mark.lemma, mark.attempts) == ("Ann", "cases", "textbook/or_comm", 3)
    assert (mark.outcome, mark.moves, mark.points) == ("proved", 6, 1)
    assert (mark.hints, mark.wrong_claims, mark.refused, mark.taken_over) == (1, 1, 2, 1)
    assert (mark.slips, mark.listed, mark.due, mark.punctual) == (2, 1, None, "")
    assert (mark.imported, mark.asked, mark.done) == (0, True, store.attempts()[0].kept.done)


def test_what_comes_from_a_file_is_counted_where_work_was_done(store: Store, register: Register, abroad: Desk) -> None:
    make(sit(abroad, OR_COMM), PROOF)
    make(sit(abroad, PEIRCE), PROOF[:1])
    bring(local(store), export_work(abroad))
    make(again(local(store), OR_COMM), PROOF)
    make(sit(local(store, "Bob"), OR_COMM), PROOF)
    counted = {(mark.name, mark.lemma[9:]): (mark.attempts, mark.imported) for mark in register.marks()}
    assert counted == {("Ann", "or_comm"): (2, 1), ("Ann", "peirce"): (1, 1), ("Bob", "or_comm"): (1, 0)}
    in_all = {problem.lemma[9:]: (problem.attempts, problem.imported) for problem in register.problems()}
    assert in_all == {"or_comm": (3, 1), "peirce": (1, 1)}


def test_what_is_brought_is_done_when_it_is_brought_and_in_an_exam_not_at_all(store: Store, abroad: Desk) -> None:
    due = Terms(due=datetime(2026, 6, 1, tzinfo=UTC))
    week, finals = Exercise(OR_COMM.name, OR_COMM.formula, "week", due), Exercise("p", PEIRCE.formula, "finals", due)
    register = Register(store, [lesson_of(week), lesson_of(finals, is_exam=True)])
    make(sit(abroad, week), PROOF)
    sit(abroad, finals).claim(right=True)
    in_may = re.sub(r"\d{4}-\d\d-\d\d(?=T\d\d:\d\d:\d\d\.)", "2026-05-04", export_work(abroad))

    def marked() -> list[tuple[str, str, int, int]]:
        return [(mark.outcome, mark.punctual, mark.points, mark.imported) for mark in register.marks()]

    bring(local(store), in_may)
    assert marked() == [("proved", "late", 10, 1), ("", "late", 0, 1)]
    assert {mark.done for mark in register.marks()} == {store.attempts()[0].kept.imported, None}
    assert register.bring(in_may, into="Ann") == (Imported(0, 2), None)
    assert marked() == [("proved", "late", 10, 1), ("", "late", 0, 1)], "the teacher has not answered for it"
    assert register.bring(in_may, into="Ann", vouched=True) == (Imported(2, 0), None)
    assert marked() == [("proved", "on time", 10, 1), ("refuted", "on time", 10, 1)]
    assert all((mark.done or "").startswith("2026-05-04") for mark in register.marks())


def test_what_a_file_adds_to_an_exam_that_is_done_is_an_attempt_of_its_own(store: Store) -> None:
    desk, register = local(store), Register(store, [lesson_of(OR_COMM, is_exam=True)])
    attempt = sit(desk, OR_COMM)
    attempt.claim(right=False)
    make(attempt, PROOF)
    (before,) = register.marks()
    content = json.loads(export_work(desk))
    content["attempts"][0]["events"] += [[now(), "undo", ""], [now(), "redo", ""]]
    for expected in (Imported(1, 0), Imported(0, 1)):
        assert bring(desk, json.dumps(content)) == expected
        assert register.marks() == [before._replace(attempts=2, imported=1)]
    assert [bool(row.kept.imported) for row in store.attempts()] == [False, True]


def test_work_from_a_file_is_no_presence_until_gone_on_with(store: Store, register: Register, abroad: Desk) -> None:
    make(sit(abroad, PEIRCE), PROOF[:1])
    bring(local(store), export_work(abroad))
    assert register.whereabouts() == [Whereabouts("Ann", "", "", "", "", 0)]
    sleep(0.01)  # for a later millisecond
    sit(local(store), PEIRCE)
    (where,) = register.whereabouts()
    assert (where.lemma, where.when) == ("textbook/peirce", store.attempts()[0].kept.changed)


def test_the_same_problem_in_other_letters_is_one_problem(store: Store, register: Register) -> None:
    for name, letters in [("Ann", "pq"), ("Bob", "xy"), ("Eve", "qp")]:
        make(sit(local(store, name), or_comm(letters)), PROOF if name == "Bob" else PROOF[:2])
    sit(local(store, "Eve"), or_comm("qp")).take_hint()
    make(sit(local(store, "Eve"), PEIRCE), PROOF[:1])
    first, second = register.problems()
    assert first._replace(key="", uuids=(), median_seconds=0) == (
        *("cases", "textbook/or_comm", "forall p q : Prop, p \\/ q -> q \\/ p"),
        *(None, 3, 1, None, 0, 3, 6, 0, 1, 0, 0, 0, 0, "", "", ()),
    )
    assert (second.lemma, second.begun, second.done, second.fewest) == ("textbook/peirce", 1, 0, None)
    assert second.median_seconds is None
    make(sit(local(store), Exercise(OR_COMM.name, parse("p -> p"), OR_COMM.place)), PROOF[:1])
    assert len(register.problems()) == 3, "of the same name, but it says something else"


def spreadsheet(text: str) -> csv.DictReader[str]:
    """Return the rows of a spreadsheet, read without the byte order mark."""
    return csv.DictReader(io.StringIO(text.removeprefix(MARK)))


def lesson(text: str) -> Lesson:
    """Return a lesson called cases."""
    return Lesson.parse(f'name = "cases"\n{text}', "a text", "cases", Path())


def test_what_a_lesson_asks_for_is_there_before_anybody_has_begun_it_and_in_its_order(store: Store) -> None:
    asked = lesson('due = 2020-01-01\nlemmas = ["textbook/peirce", "textbook/or_comm", "textbook/and_comm"]')
    make(sit(local(store, "Ann"), or_comm("xy")), PROOF)
    own = sit(local(store, "Ann"), Exercise("own", parse("p -> p")))
    make(own, PROOF[:1])
    own.claim(right=False)
    own.show_list()
    store.add_student(name="Bob", key="bob", account=None, salt=None, digest=None)
    local(store, "Çağla")
    register = Register(store, [asked])
    assert [(mark.name, mark.lemma, mark.attempts, mark.punctual) for mark in register.marks()] == [
        ("Ann", "textbook/peirce", 0, "late"),
        ("Ann", "textbook/or_comm", 1, "late"),
        ("Ann", "textbook/and_comm", 0, "late"),
        ("Ann", "own", 1, ""),
        *(
            (name, lemma, 0, "late")
            for name in ("Bob", "Çağla")
            for lemma in ("textbook/peirce", "textbook/or_comm", "textbook/and_comm")
        ),
    ]
    assert [(each.lemma, each.begun, each.done, each.late) for each in register.problems()] == [
        ("textbook/peirce", 0, 0, 3),
        ("textbook/or_comm", 1, 1, 3),
        ("textbook/and_comm", 0, 0, 3),
        ("own", 1, 0, 0),
    ]
    assert [each.asked for each in register.problems()] == [3, 3, 3, None]
    students = overview(register.whereabouts(), register.marks())
    assert [each.total[:4] for each in students] == [(3, 1, 1, 10), (3, 0, 0, 0), (3, 0, 0, 0)]
    assert [(row["wrong_claims"], row["listed"]) for row in class_rows(students)] == [(0, 0)] * 3, "only of the lesson"
    everything = class_rows(overview(register.whereabouts(), Register(store).marks()))
    assert [(row["wrong_claims"], row["listed"]) for row in everything] == [(1, 1), (0, 0), (0, 0)]
    assert [(mark.lemma, mark.asked) for mark in register.of("Ann")] == [("textbook/or_comm", True), ("own", False)]
    assert len(list(spreadsheet(results_csv(register, "student")))) == 10
    assert len(list(spreadsheet(results_csv(register, "problem")))) == 4


def test_a_date_that_the_teacher_has_put_off_counts_also_for_what_was_done_before(store: Store) -> None:
    late = Terms(due=datetime.now(UTC) - timedelta(days=1))
    make(sit(local(store), or_comm("pq", late)), PROOF)
    assert [mark.punctual for mark in Register(store).marks()] == ["late"]
    assert [mark.punctual for mark in Register(store, [lesson('lemmas = ["textbook/or_comm"]')]).marks()] == [""]
    put_off = lesson('due = 2999-01-01\nlemmas = ["textbook/or_comm"]')
    assert [mark.punctual for mark in Register(store, [put_off]).marks()] == ["on time"]


@pytest.mark.parametrize(
    ("done", "hours", "punctual"),
    [(True, 1, "on time"), (True, -1, "late"), (False, -1, "late"), (False, 1, ""), (True, None, "")],
)
def test_on_time_is_done_before_the_date_and_late_is_what_is_not_done_after_it(
    store: Store, register: Register, done: bool, hours: int | None, punctual: str
) -> None:
    due = None if hours is None else datetime.now(UTC) + timedelta(hours=hours)
    make(sit(local(store), or_comm("pq", Terms(due=due))), PROOF if done else PROOF[:1])
    (mark,) = register.marks()
    assert mark.punctual == punctual
    assert register.problems()[0].late == (punctual == "late")


def test_the_commonest_wrong_moves_are_found_whatever_the_letters(store: Store, register: Register) -> None:
    for name, letters in [("Ann", "pq"), ("Bob", "xy"), ("Eve", "qp")]:
        attempt = sit(local(store, name), or_comm(letters))
        make(attempt, parse_script("intro; left" if name != "Eve" else "intro; right"))
        attempt.undo()
        attempt.redo()
    attempt = sit(local(store, "Ann"), or_comm("pq"))
    attempt.undo()
    make(attempt, PROOF[2:3])
    attempt.undo()
    make(attempt, PROOF[1:])
    try_refused_moves(store, "Bob", or_comm("xy"), "split", "split", "destruct_and H")
    (problem,) = register.problems()
    mistakes = register.mistakes(problem, seconds=60)
    assert (mistakes.seen, mistakes.attempts, mistakes.unknown) == (3, 3, 0)
    assert [(each.sentence(), each.students, each.times) for each in mistakes.moves] == [
        ("left loses the proof at H : p \\/ q |- q \\/ p", 2, 2),
        ("right loses the proof at H : p \\/ q |- q \\/ p", 2, 2),
        ("split does not apply at H : p \\/ q |- q", 1, 2),
        ("destruct_and H (p \\/ q) does not apply at H : p \\/ q |- q", 1, 1),
    ]


@given(walks())
@settings(max_examples=examples(60))
def test_a_move_is_wrong_exactly_if_the_state_could_be_proved_before_and_not_after(walk: Walk) -> None:
    events = [KeptEvent("", "move", str(move)) for move in walk.script]
    found = Examiner(60).mistakes([Work(1, walk.formula, tuple(RULES), events, walk.formula)], 60)
    teacher = Teacher()
    provable = [teacher.provable(state) for state in walk.states]
    lost = [number for number, still in enumerate(provable[1:]) if provable[number] and not still]
    assert sum(mistake.times for mistake in found.moves) == len(lost)
    for mistake, number in zip(found.moves, lost, strict=True):
        assert (mistake.move, mistake.goal, mistake.lost) == (walk.script[number], walk.states[number][0], True)


def test_what_is_not_known_is_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    work = LOST._replace(events=[*MOVES, KeptEvent("", "undo", "")])
    damaged = work._replace(events=[KeptEvent("", "move", "split")])
    assert Examiner().mistakes([work, damaged, work], 60)[1:3] == (2, 3)
    assert Examiner().mistakes([work, damaged, work], -1)[1:3] == (0, 3)
    monkeypatch.setattr(Adviser, "on_track", lambda *_: None)
    assert Examiner().mistakes([work], 60) == ((), 1, 1, 2)


def test_the_spreadsheets_say_what_the_rows_say(store: Store, register: Register) -> None:
    assert results_csv(register, "student") == MARK + ",".join(COLUMNS["student"]) + "\n"
    assert len(results_csv(register, "problem").splitlines()) == 1
    make(sit(local(store, "Ann"), OR_COMM), PROOF)
    make(sit(local(store, 'Bob, or "Rob"'), or_comm("ab")), parse_script("intro; left"))
    marks = list(spreadsheet(results_csv(register, "student")))
    assert marks == [
        {
            **{name: "" if value is None else str(value) for name, value in as_row(mark).items() if name != "key"},
            "done": "" if mark.done is None else when(mark.done),
        }
        for mark in register.marks()
    ]
    (problem,) = spreadsheet(results_csv(register, "problem"))
    assert problem["begun"] == "2"
    assert problem["wrong_moves"] == "left loses the proof at H : p \\/ q |- q \\/ p (1 of 2)"
    assert problem["attempts_searched"] == "2"


def test_a_lesson_alone_leaves_out_all_else_and_has_its_rows_as_they_were(store: Store) -> None:
    make(sit(local(store, "Ann"), OR_COMM), PROOF)
    make(sit(local(store, "Ann"), PEIRCE), PROOF[:1])
    asked = lesson('lemmas = ["textbook/or_comm"]')
    everything, alone = Register(store, [asked]), Register(store, [asked], are_alone=True)
    assert {mark.place for mark in alone.marks()} == {asked.name}
    assert alone.marks() == [mark for mark in everything.marks() if mark.place == asked.name and mark.asked]
    assert alone.problems() == [problem for problem in everything.problems() if problem.asked is not None]
    assert len(everything.problems()) > len(alone.problems())


def test_a_group_is_seen_and_summed_up_alone(store: Store) -> None:
    register = Register(store, [lesson('lemmas = ["textbook/or_comm"]')])
    with pytest.raises(InputError, match=r"^Nobody is in a group; `oasis classroom students group GROUP NAME` puts"):
        register.narrow("Monday")
    for name in ("Ann", "Bob", "Cem"):
        make(sit(local(store, name), OR_COMM), PROOF)
    assert [register.roll.set_group(name, " Monday ") for name in ("ann", "Bob")] == ["Ann", "Bob"]
    register.roll.set_group("Cem", "Tuesday")
    register.narrow("Monday")
    assert [row["student"] for row in spreadsheet(results_csv(register, "class"))] == ["Ann", "Bob"]
    assert {mark.name for mark in register.marks()} == {"Ann", "Bob"}
    assert [(problem.asked, problem.begun) for problem in register.problems() if problem.asked] == [(2, 2)]
    with pytest.raises(InputError, match=r"^The group is one of Monday, Tuesday, not 'Wednesday'\.$"):
        register.narrow("Wednesday")
    register.roll.set_group("Cem", "")
    register.roll.dismiss("Bob")
    assert register.roll.groups() == ["Monday"]


# A class at a glance: sums that agree with what they are sums of, for the teacher and for the student.

COUNTS = st.integers(0, 50)
RESULTS = st.builds(
    Result, st.sampled_from(["", "proved", "refuted"]), COUNTS, COUNTS, COUNTS, st.integers(1, 50), st.floats(0, 1e4)
)


@given(st.lists(RESULTS), st.lists(RESULTS))
def test_totals_add_up(ones: list[Result], others: list[Result]) -> None:
    one, other, both = total(ones), total(others), total([*ones, *others])
    assert total(ones, one.asked + 3) == one._replace(asked=one.asked + 3)
    assert both[:4] == tuple(map(sum, zip(one[:4], other[:4], strict=True)))
    assert abs(both.seconds - one.seconds - other.seconds) <= 1


def test_the_teacher_sees_the_same_totals_as_the_student(store: Store) -> None:
    ann = local(store, "Ann")
    make(sit(ann, OR_COMM), PROOF)
    attempt = sit(ann, PEIRCE)
    attempt.take_hint()
    attempt.claim(right=False)
    sit(local(store, "Zoe"), OR_COMM)  # and begins nothing
    register = Register(store)
    first, second = overview(register.whereabouts(), register.marks())
    assert first.where.name == "Ann"
    assert first.total == total(ann.results().values())
    assert first.total[:4] == (2, 1, 2, 10)
    assert (first.hints, first.wrong_claims) == (0, 1), "there is but one first move"
    assert [mark.lemma for mark in first.marks] == [OR_COMM.name, PEIRCE.name]
    assert (second.where.name, second.total, second.marks) == ("Zoe", Total(0, 0, 0, 0, 0), ())


def at(seconds_ago: float, *, worked: int = 0, outcome: str = "") -> str:
    """Return the standing of a student who last acted so long ago, after so much work at the problem."""
    now = datetime(2026, 5, 4, 10, tzinfo=UTC)
    when = (now - timedelta(seconds=seconds_ago)).isoformat(timespec="milliseconds")
    return standing(Whereabouts("Ann", "", "lemma", when, outcome, worked), now)


def test_who_has_worked_long_at_one_problem_is_stuck_and_who_does_nothing_is_idle() -> None:
    assert [at(1), at(100, worked=199), at(300), at(1, worked=9000, outcome="proved")] == ["working"] * 4
    assert [at(1, worked=300), at(300, worked=5000)] == ["stuck"] * 2
    assert [at(301, worked=5000), at(3600), at(301, outcome="proved")] == ["idle"] * 3
    assert [at(100, worked=200), at(299, worked=180)] == ["stuck"] * 2, "who thinks about a move works, too"
    assert [at(3601, worked=5000), standing(Whereabouts("Bob", "", "", "", "", 0))] == ["", ""]


@dataclass
class Seen:
    """What a class sees of a student: when the tab was opened and closed and keys were pressed, and what was done."""

    keys: float
    """Seconds since the last one."""
    acts: Sequence[tuple[float, str, str]] = ()
    """Seconds since each event, its kind, and what it is about."""
    is_open: bool = True
    here: float = 1800
    """Seconds since the tab was opened."""


INTRO, LEFT, SPLIT = ("move", "intro"), ("move", "left"), ("refused", "split")


@pytest.mark.parametrize(
    ("seen", "says"),
    [
        pytest.param(Seen(keys=900), "idle", id="stares in silence"),
        pytest.param(Seen(keys=20), "working", id="reads and scrolls"),
        pytest.param(Seen(30, [(500, *INTRO)]), "working", id="thinks, and touches the keys"),
        pytest.param(Seen(200, [(200, *INTRO)]), "working", id="thinks"),
        pytest.param(Seen(1, [(300, *INTRO), *((each, *SPLIT) for each in (200, 90, 1))]), "stuck", id="flails"),
        pytest.param(Seen(1, [(60, *SPLIT), (50, *SPLIT), (1, *INTRO)]), "working", id="slips and goes on"),
        pytest.param(Seen(700, [(900, *INTRO), (800, *LEFT), (700, *SPLIT)]), "stuck", id="gave up at a dead end"),
        pytest.param(
            Seen(5, [(400, *INTRO), *((each, *move) for each in (300, 5) for move in (("undo", ""), INTRO))]),
            "stuck",
            id="goes to and fro",
        ),
        pytest.param(Seen(60, [(60, *INTRO), (60, *SPLIT)], is_open=False), "idle", id="closed the tab"),
        pytest.param(Seen(4000, [(4000, *INTRO)], is_open=False), "", id="gone"),
        pytest.param(Seen(900, [(910 - 2 * n, "move", str(move)) for n, move in enumerate(PROOF)]), "idle", id="done"),
    ],
)
def test_a_class_is_seen_as_a_teacher_who_walks_round_would_say(store: Store, seen: Seen, says: str) -> None:
    moment = datetime.now(UTC)

    def ago(seconds: float) -> str:
        return (moment - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")

    desk = local(store, "Ann")
    record = Record(OR_COMM, ago(seen.here), events=[KeptEvent(ago(at), kind, what) for at, kind, what in seen.acts])
    store.keep(desk.student.id, record.kept(), 0, record.events)
    closed = 0 if seen.is_open else 1
    store.open_tab(KeptTab("tab", "", desk.student.id, ago(seen.here), ago(seen.keys), ago(0)))
    store.renew_tab(KeptTab("tab", "", desk.student.id, ago(seen.here), ago(seen.keys), ago(0), closed))
    (where,) = Register(store).whereabouts()
    assert (where.tabs, standing(where)) == (1 - closed, says)


def test_the_whole_class_is_a_sum_and_a_sentence(store: Store) -> None:
    asked = lesson('due = 2020-01-01\nlemmas = ["textbook/or_comm", "textbook/peirce"]')
    register = Register(store, [asked])

    def said() -> str:
        return altogether(overview(register.whereabouts(), register.marks())).sentence()

    assert said() == "Nobody is in the class yet."
    make(sit(local(store, "Ann"), OR_COMM), PROOF)
    local(store, "Zoe")
    assert said() == "2 students: 1 working; 1 began nothing; 1 of 4 problems done (25%); 4 late or overdue."
    sit(local(store, "Bob"), OR_COMM)  # who is here, and thinks
    assert said() == "3 students: 2 working; 1 began nothing; 1 of 6 problems done (17%); 6 late or overdue."
    store._connection.execute("UPDATE attempts SET changed = '2026-01-01T00:00:00.000+00:00'")
    assert said() == "3 students: nobody is here now; 2 began nothing; 1 of 6 problems done (17%); 6 late or overdue."


def test_a_class_is_a_spreadsheet_in_the_order_of_names_that_excel_reads(store: Store) -> None:
    for name in ("Zoë", "Ada 10", "Ludo", "Łucja", "çağla", "Ada 2", "Lydia", "Ödön"):
        local(store, name)
    register = Register(store)
    text = results_csv(register, "class")
    assert text.encode().startswith(b"\xef\xbb\xbfstudent,identifier,")
    names = [row["student"] for row in spreadsheet(text)]
    assert names == ["Ada 2", "Ada 10", "çağla", "Łucja", "Ludo", "Lydia", "Ödön", "Zoë"]


# Wrong moves looked for in another process: the same as here, and its end is told in words.

MOVES = [KeptEvent("then", "move", "intro"), KeptEvent("then", "move", "left")]
LOST = Work(1, OR_COMM.formula, tuple(RULES), MOVES, OR_COMM.formula)


@pytest.fixture
def beside() -> Iterator[ExaminerBeside]:
    examiner = ExaminerBeside(60.0)
    yield examiner
    examiner.close()


def pid() -> int | None:
    """Return the number of the process, once there is one."""
    return next((process.pid for process in active_children() if process.name == "examiner"), None)


@pytest.mark.slow
def test_it_finds_what_is_found_here_through_faults_and_begins_anew_after_its_end(beside: ExaminerBeside) -> None:
    here = Examiner(60.0).mistakes([LOST, LOST], 60.0)
    assert [str(mistake.move) for mistake in here.moves] == ["left"]
    with pytest.raises(AttributeError):
        beside.mistakes([LOST._replace(formula="p")], 60.0)  # type: ignore[arg-type]
    assert beside.mistakes([LOST, LOST], 60.0) == here
    assert beside.mistakes([], 60.0) == Examiner().mistakes([], 60.0)
    first = pid()
    assert first is not None
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ExaminerGone, match="renew to begin it anew"):
        beside.mistakes([LOST], 60.0)
    assert beside.mistakes([LOST, LOST], 60.0) == here
    assert pid() not in (None, first)


@pytest.mark.slow
def test_closing_it_ends_the_search_and_the_process(beside: ExaminerBeside) -> None:
    beside.mistakes([LOST], 60.0)
    process = pid()
    assert process is not None
    os.kill(process, signal.SIGSTOP)  # it would think for ever
    Timer(0.2, beside.close).start()
    with pytest.raises(ExaminerGone):
        beside.mistakes([LOST], 60.0)
    deadline = time.monotonic() + 30
    while pid() is not None and time.monotonic() < deadline:
        time.sleep(0.02)
    assert pid() is None


# Spreadsheets compute nothing, whatever somebody has typed for a name.


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("\t=1", "'\t'=1"),
        ("＝1+1", "'＝1+1"),
        ("Ada;=1+1", "Ada;'=1+1"),
        ('Ada; "@SUM(1)"', 'Ada;\' "@SUM(1)"'),
        ("a,-2\n+3", "a,'-2\n'+3"),
        ("p -> q; ~p = 1", "p -> q; ~p = 1"),
    ],
)
def test_no_cell_begins_a_formula_whatever_sign_stands_between_columns(cell: str, written: str) -> None:
    text = csv_text(["before", "text"], [{"before": 1, "text": cell}]).removeprefix(MARK)
    assert list(csv.DictReader(io.StringIO(text, newline=""))) == [{"before": "1", "text": written}]
