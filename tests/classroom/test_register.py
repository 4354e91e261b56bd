"""The teacher's view: what it says of a class that did known things, whatever letters each had."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings

from oasis.classroom.desk.work import export_work, import_work
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.register.marks import Mark
from oasis.classroom.register.mistakes import Examiner, Work
from oasis.classroom.register.overview import overview
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, Store
from oasis.teacher.hints import Teacher
from tactics.errors import InputError
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, empty, local, make
from tests.strategies import Walk, walks

PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


@pytest.fixture
def register(store: Store) -> Register:
    return Register(store)


def or_comm(letters: str, terms: Terms | None = None) -> Exercise:
    """The exercise in other letters."""
    left, right = tuple(letters)
    return Exercise(OR_COMM.name, parse(f"{left} \\/ {right} -> {right} \\/ {left}"), OR_COMM.place, terms or Terms())


def refuse(store: Store, name: str, exercise: Exercise, *moves: str) -> None:
    """A student makes moves that do not apply."""
    attempt = local(store, name).sit(exercise)
    for move in moves:
        with pytest.raises(InputError):
            attempt.make(*parse_script(move))


# Who is where, and what they have done.


def test_it_says_where_everybody_is(store: Store, register: Register) -> None:
    local(store, "Zoe")
    make(local(store, "Bob").sit(OR_COMM), PROOF)
    desk = local(store, "Ann")
    make(desk.sit(PEIRCE), PROOF[:1])
    desk.sit(OR_COMM)
    where = register.whereabouts()
    assert [each[:3] for each in where] == [
        ("Ann", "cases", "textbook/or_comm"),
        ("Bob", "cases", "textbook/or_comm"),
        ("Zoe", "", ""),
    ]
    assert [each.outcome for each in where] == ["", "proved", ""]
    assert where[0].when == max(row["changed"] for row in store.attempts())


def test_a_mark_adds_up_all_attempts_of_a_student_at_a_problem(store: Store, register: Register) -> None:
    desk = local(store)
    attempt = desk.sit(OR_COMM)
    attempt.take_hint()
    attempt.claim(right=False)
    make(attempt, PROOF[:2])
    attempt.take_over(PROOF)
    make(desk.again(OR_COMM), PROOF)
    refuse(store, "Ann", OR_COMM, "split", "imply1 H7")
    (mark,) = register.marks()
    assert mark._replace(seconds=0, done=None) == Mark(
        student="Ann",
        place="cases",
        lemma="textbook/or_comm",
        attempts=3,
        outcome="proved",
        moves=6,
        points=4,
        hints=1,
        wrong_claims=1,
        refused=2,
        taken_over=1,
        seconds=0,
        done=None,
        due=None,
        punctual="",
        imported=0,
        asked=True,
        key=mark.key,
    )
    assert mark.done == store.attempts()[0]["done"]


def test_what_was_done_elsewhere_is_counted_where_something_was_done(store: Store, register: Register) -> None:
    with empty() as elsewhere:
        home = local(elsewhere)
        make(home.sit(OR_COMM), PROOF)
        make(home.sit(PEIRCE), PROOF[:1])
        import_work(local(store), export_work(home))
    make(local(store).again(OR_COMM), PROOF)
    make(local(store, "Bob").sit(OR_COMM), PROOF)
    counted = [(mark.student, mark.lemma, mark.attempts, mark.imported) for mark in register.marks()]
    assert sorted(counted) == [
        ("Ann", "textbook/or_comm", 2, 1),
        ("Ann", "textbook/peirce", 1, 1),
        ("Bob", "textbook/or_comm", 1, 0),
    ]
    assert {problem.lemma: (problem.attempts, problem.imported) for problem in register.problems()} == {
        "textbook/or_comm": (3, 1),
        "textbook/peirce": (1, 1),
    }


def test_who_only_opened_a_problem_has_not_begun_it(store: Store, register: Register) -> None:
    local(store).sit(OR_COMM)
    assert (register.marks(), register.problems()) == ([], [])


def test_the_same_problem_in_other_letters_is_one_problem(store: Store, register: Register) -> None:
    for name, letters in [("Ann", "pq"), ("Bob", "xy"), ("Eve", "qp")]:
        make(local(store, name).sit(or_comm(letters)), PROOF if name == "Bob" else PROOF[:2])
    local(store, "Eve").sit(or_comm("qp")).take_hint()
    make(local(store, "Eve").sit(PEIRCE), PROOF[:1])
    first, second = register.problems()
    assert first._replace(key="", uuids=(), median_seconds=0) == (
        *("cases", "textbook/or_comm", "forall p q : Prop, p \\/ q -> q \\/ p"),
        *(3, 1, 0, 3, 6, 0, 1, 0, 0, 0, "", ()),
    )
    assert (second.lemma, second.begun, second.done, second.fewest, second.median_seconds) == (
        *("textbook/peirce", 1, 0),
        *(None, None),
    )


# What a lesson asks for.


def lesson(text: str) -> Lesson:
    """A lesson called cases."""
    return Lesson.parse(f'name = "cases"\n{text}', "a text", "cases", Path())


def test_what_a_lesson_asks_for_is_there_before_anybody_has_begun_it_and_in_its_order(store: Store) -> None:
    asked = lesson('due = 2020-01-01\nlemmas = ["textbook/peirce", "textbook/or_comm", "textbook/and_comm"]')
    make(local(store, "Ann").sit(or_comm("xy")), PROOF)
    make(local(store, "Ann").sit(Exercise("own", parse("p -> p"))), PROOF[:1])
    store.add_student(name="Bob", key="bob", account=None, salt=None, digest=None)
    local(store, "the teacher, who only looks")
    register = Register(store, asked)
    assert [(mark.student, mark.lemma, mark.attempts, mark.punctual) for mark in register.marks()] == [
        ("Ann", "textbook/peirce", 0, "late"),
        ("Ann", "textbook/or_comm", 1, "late"),
        ("Ann", "textbook/and_comm", 0, "late"),
        ("Ann", "own", 1, ""),
        *(("Bob", lemma, 0, "late") for lemma in ("textbook/peirce", "textbook/or_comm", "textbook/and_comm")),
    ]
    assert [(each.lemma, each.begun, each.done, each.late) for each in register.problems()] == [
        ("own", 1, 0, 0),
        ("textbook/peirce", 0, 0, 2),
        ("textbook/or_comm", 1, 1, 2),
        ("textbook/and_comm", 0, 0, 2),
    ]
    assert [each.total[:4] for each in overview(register.whereabouts(), register.marks())] == [
        (3, 1, 2, 10),
        (3, 0, 0, 0),
        (0, 0, 0, 0),
    ]
    assert [(mark.lemma, mark.asked) for mark in register.of("Ann")] == [("textbook/or_comm", True), ("own", False)]
    assert len(list(csv.DictReader(io.StringIO(register.student_csv())))) == 7
    assert len(list(csv.DictReader(io.StringIO(register.problem_csv(register.mistakes))))) == 4


def test_a_date_that_the_teacher_has_put_off_counts_also_for_what_was_done_before(store: Store) -> None:
    late = Terms(due=datetime.now(UTC) - timedelta(days=1))
    make(local(store).sit(or_comm("pq", late)), PROOF)
    assert [mark.punctual for mark in Register(store).marks()] == ["late"]
    assert [mark.punctual for mark in Register(store, lesson('lemmas = ["textbook/or_comm"]')).marks()] == [""]
    put_off = lesson('due = 2999-01-01\nlemmas = ["textbook/or_comm"]')
    assert [mark.punctual for mark in Register(store, put_off).marks()] == ["on time"]


def test_a_problem_of_the_same_name_that_says_something_else_is_another(store: Store, register: Register) -> None:
    make(local(store).sit(OR_COMM), PROOF)
    make(local(store).sit(Exercise(OR_COMM.name, parse("p -> p"), OR_COMM.place)), PROOF[:1])
    assert len(register.problems()) == 2


@pytest.mark.parametrize(
    ("done", "hours", "punctual"),
    [
        (True, 1, "on time"),
        (True, -1, "late"),
        (False, -1, "late"),
        (False, 1, ""),
        (True, None, ""),
        (False, None, ""),
    ],
)
def test_on_time_is_done_before_the_date_and_late_is_what_is_not_done_after_it(
    store: Store, register: Register, done: bool, hours: int | None, punctual: str
) -> None:
    due = None if hours is None else datetime.now(UTC) + timedelta(hours=hours)
    make(local(store).sit(or_comm("pq", Terms(due=due))), PROOF if done else PROOF[:1])
    (mark,) = register.marks()
    assert mark.punctual == punctual
    assert register.problems()[0].late == (punctual == "late")


# Wrong moves.


def test_the_commonest_wrong_moves_are_found_whatever_the_letters(store: Store, register: Register) -> None:
    for name, letters in [("Ann", "pq"), ("Bob", "xy"), ("Eve", "qp")]:
        attempt = local(store, name).sit(or_comm(letters))
        make(attempt, parse_script("intro; left" if name != "Eve" else "intro; right"))
        attempt.undo()
        attempt.redo()
    attempt = local(store, "Ann").sit(or_comm("pq"))
    attempt.undo()
    make(attempt, PROOF[2:3])
    attempt.undo()
    make(attempt, PROOF[1:])
    refuse(store, "Bob", or_comm("xy"), "split", "split", "imply1 H7")
    (problem,) = register.problems()
    mistakes = register.mistakes(problem, seconds=60)
    assert (mistakes.seen, mistakes.attempts, mistakes.unknown) == (3, 3, 0)
    assert [(each.sentence(), each.students, each.times) for each in mistakes.moves] == [
        ("left loses the proof at H : p \\/ q |- q \\/ p", 2, 2),
        ("right loses the proof at H : p \\/ q |- q \\/ p", 2, 2),
        ("split does not apply at H : x \\/ y |- y", 1, 2),
        ("imply1 H7 does not apply at H : x \\/ y |- y", 1, 1),
    ]


def test_the_hypothesis_that_a_wrong_move_is_about_is_said(store: Store, register: Register) -> None:
    exercise = Exercise("arrows", parse("((p -> q) -> r) -> r"))
    make(local(store).sit(exercise), parse_script("intro"))
    refuse(store, "Ann", exercise, "imply2 H")
    (mistake,) = register.mistakes(register.problems()[0]).moves
    assert mistake.sentence() == "imply2 H ((p -> q) -> r) does not apply at H : (p -> q) -> r |- r"


@given(walks())
@settings(max_examples=60)
def test_a_move_is_wrong_exactly_if_the_state_could_be_proved_before_and_not_after(walk: Walk) -> None:
    events = [KeptEvent("", "move", str(move)) for move in walk.script]
    found = Examiner(60).mistakes([Work(1, walk.formula, tuple(RULES), events)], 60)
    teacher = Teacher()
    provable = [teacher.provable(state) for state in walk.states]
    lost = [number for number, still in enumerate(provable[1:]) if provable[number] and not still]
    assert sum(mistake.times for mistake in found.moves) == len(lost)
    for mistake, number in zip(found.moves, lost, strict=True):
        assert (mistake.move, mistake.goal, mistake.lost) == (walk.script[number], walk.states[number][0], True)


def test_what_is_not_known_is_not_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adviser, "on_track", lambda *_: None)
    events = [KeptEvent("", "move", "intro"), KeptEvent("", "move", "left"), KeptEvent("", "undo", "")]
    work = Work(1, OR_COMM.formula, tuple(RULES), events)
    assert Examiner().mistakes([work], 60) == ((), 1, 1, 2)


def test_attempts_for_which_there_is_no_time_or_that_are_damaged_are_not_said_to_be_looked_at() -> None:
    work = Work(1, OR_COMM.formula, tuple(RULES), [KeptEvent("", "move", "intro")])
    damaged = work._replace(events=[KeptEvent("", "move", "split")])
    assert Examiner().mistakes([work, damaged, work], 60)[1:3] == (2, 3)
    assert Examiner().mistakes([work, damaged, work], -1)[1:3] == (0, 3)


# Spreadsheets.


def test_the_spreadsheets_say_what_the_rows_say(store: Store, register: Register) -> None:
    make(local(store, "Ann").sit(OR_COMM), PROOF)
    make(local(store, 'Bob, or "Rob"').sit(or_comm("ab")), parse_script("intro; left"))
    marks = list(csv.DictReader(io.StringIO(register.student_csv())))
    assert marks == [
        {name: "" if value is None else str(value) for name, value in mark._asdict().items() if name != "key"}
        for mark in register.marks()
    ]
    (problem,) = csv.DictReader(io.StringIO(register.problem_csv(register.mistakes)))
    assert problem["begun"] == "2"
    assert problem["wrong_moves"] == "left loses the proof at H : a \\/ b |- b \\/ a (1 of 2)"
    assert problem["attempts_searched"] == "2"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_name_that_a_spreadsheet_would_take_for_a_formula_stays_text(
    store: Store, register: Register, name: str
) -> None:
    make(local(store, name).sit(Exercise(name, OR_COMM.formula, name)), PROOF[:1])
    for text in (register.student_csv(), register.problem_csv(register.mistakes)):
        header, *rows = csv.reader(io.StringIO(text))
        assert len(rows) == 1 and len(rows[0]) == len(header)
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in rows[0])
        assert f"'{name}" in rows[0]


def test_an_empty_class_gives_headers_alone(register: Register) -> None:
    assert register.student_csv() == ",".join(Mark._fields[:-1]) + "\n"
    assert len(register.problem_csv(register.mistakes).splitlines()) == 1
