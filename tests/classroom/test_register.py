"""The teacher's view: what it says of a class that did known things, whatever letters each had."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from time import sleep

import pytest
from hypothesis import given, settings

from oasis.classroom.desk.work import export_work
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.proving.words import when
from oasis.classroom.register.marks import Mark
from oasis.classroom.register.mistakes import Examiner, Work
from oasis.classroom.register.overview import overview
from oasis.classroom.register.register import MARK_COLUMNS, Register, as_row
from oasis.classroom.spreadsheet import MARK
from oasis.store import KeptEvent, Store
from oasis.teacher.hints import Teacher
from tactics.errors import InputError
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, again, bring, empty, local, make, sit
from tests.strategies import Walk, walks
from tests.thorough import examples

NUMBERS = count(1)


@pytest.fixture
def register(store: Store) -> Register:
    return Register(store)


def or_comm(letters: str, terms: Terms | None = None) -> Exercise:
    """The exercise in other letters."""
    left, right = tuple(letters)
    return Exercise(OR_COMM.name, parse(f"{left} \\/ {right} -> {right} \\/ {left}"), OR_COMM.place, terms or Terms())


def refuse(store: Store, name: str, exercise: Exercise, *moves: str) -> None:
    """A student makes moves that do not apply."""
    attempt = sit(local(store, name), exercise)
    for move in moves:
        with pytest.raises(InputError):
            attempt.make(*parse_script(move))


# Who is where, and what they have done.


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
    assert [each[:3] for each in where] == [
        ("Ann", "cases", "textbook/or_comm"),
        ("Bob", "cases", "textbook/or_comm"),
        ("Zoe", "", ""),
    ]
    assert [each.outcome for each in where] == ["", "proved", ""]
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
    refuse(store, "Ann", OR_COMM, "split", "left")
    (mark,) = register.marks()
    assert mark._replace(seconds=0, done=None) == Mark(
        name="Ann",
        place="cases",
        lemma="textbook/or_comm",
        attempts=3,
        outcome="proved",
        moves=6,
        points=1,
        hints=1,
        wrong_claims=1,
        refused=2,
        taken_over=1,
        slips=2,
        listed=1,
        seconds=0,
        done=None,
        due=None,
        punctual="",
        imported=0,
        asked=True,
        key=mark.key,
    )
    assert mark.done == store.attempts()[0].kept.done


def test_a_hint_counts_where_there_is_a_choice_and_not_where_only_one_move_applies(
    store: Store, register: Register
) -> None:
    attempt = sit(local(store), OR_COMM)
    for moves, counted in ((PROOF[:0], 0), (PROOF[:2], 1)):
        make(attempt, moves)
        attempt.take_hint()
        assert [mark.hints for mark in register.marks()] == [counted]
        assert [problem.hints for problem in register.problems()] == [counted]
        assert [each.hints for each in overview(register.whereabouts(), register.marks())] == [counted]


def test_what_has_come_from_a_file_is_counted_where_something_was_done(store: Store, register: Register) -> None:
    with empty() as elsewhere:
        home = local(elsewhere)
        make(sit(home, OR_COMM), PROOF)
        make(sit(home, PEIRCE), PROOF[:1])
        bring(local(store), export_work(home))
    make(again(local(store), OR_COMM), PROOF)
    make(sit(local(store, "Bob"), OR_COMM), PROOF)
    counted = [(mark.name, mark.lemma, mark.attempts, mark.imported) for mark in register.marks()]
    assert sorted(counted) == [
        ("Ann", "textbook/or_comm", 2, 1),
        ("Ann", "textbook/peirce", 1, 1),
        ("Bob", "textbook/or_comm", 1, 0),
    ]
    assert {problem.lemma: (problem.attempts, problem.imported) for problem in register.problems()} == {
        "textbook/or_comm": (3, 1),
        "textbook/peirce": (1, 1),
    }


def test_work_from_a_file_is_no_presence_until_it_is_gone_on_with(store: Store, register: Register) -> None:
    with empty() as elsewhere:
        home = local(elsewhere)
        make(sit(home, PEIRCE), PROOF[:1])
        bring(local(store), export_work(home))
    (where,) = register.whereabouts()
    assert where == ("Ann", "", "", "", "", 0)
    sleep(0.01)  # for a later millisecond
    sit(local(store), PEIRCE)
    (where,) = register.whereabouts()
    assert (where.lemma, where.when) == ("textbook/peirce", store.attempts()[0].kept.changed)


def test_who_only_opened_a_problem_has_not_begun_it(store: Store, register: Register) -> None:
    sit(local(store), OR_COMM)
    assert (register.marks(), register.problems()) == ([], [])


def test_the_same_problem_in_other_letters_is_one_problem(store: Store, register: Register) -> None:
    for name, letters in [("Ann", "pq"), ("Bob", "xy"), ("Eve", "qp")]:
        make(sit(local(store, name), or_comm(letters)), PROOF if name == "Bob" else PROOF[:2])
    sit(local(store, "Eve"), or_comm("qp")).take_hint()
    make(sit(local(store, "Eve"), PEIRCE), PROOF[:1])
    first, second = register.problems()
    assert first._replace(key="", uuids=(), median_seconds=0) == (
        *("cases", "textbook/or_comm", "forall p q : Prop, p \\/ q -> q \\/ p"),
        *(None, 3, 1, None, 0, 3, 6, 0, 1, 0, 0, 0, 0, "", ()),
    )
    assert (second.lemma, second.begun, second.done, second.fewest, second.median_seconds) == (
        *("textbook/peirce", 1, 0),
        *(None, None),
    )


# What a lesson asks for.


def spreadsheet(text: str) -> csv.DictReader[str]:
    """The rows of a spreadsheet, as programs read it that know the mark in front."""
    return csv.DictReader(io.StringIO(text.removeprefix(MARK)))


def lesson(text: str) -> Lesson:
    """A lesson called cases."""
    return Lesson.parse(f'name = "cases"\n{text}', "a text", "cases", Path())


def test_what_a_lesson_asks_for_is_there_before_anybody_has_begun_it_and_in_its_order(store: Store) -> None:
    asked = lesson('due = 2020-01-01\nlemmas = ["textbook/peirce", "textbook/or_comm", "textbook/and_comm"]')
    make(sit(local(store, "Ann"), or_comm("xy")), PROOF)
    make(sit(local(store, "Ann"), Exercise("own", parse("p -> p"))), PROOF[:1])
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
    assert [each.total[:4] for each in overview(register.whereabouts(), register.marks())] == [
        (3, 1, 1, 10),
        (3, 0, 0, 0),
        (3, 0, 0, 0),
    ]
    assert [(mark.lemma, mark.asked) for mark in register.of("Ann")] == [("textbook/or_comm", True), ("own", False)]
    assert len(list(spreadsheet(register.student_csv()))) == 10
    assert len(list(spreadsheet(register.problem_csv(register.mistakes)))) == 4


def test_a_date_that_the_teacher_has_put_off_counts_also_for_what_was_done_before(store: Store) -> None:
    late = Terms(due=datetime.now(UTC) - timedelta(days=1))
    make(sit(local(store), or_comm("pq", late)), PROOF)
    assert [mark.punctual for mark in Register(store).marks()] == ["late"]
    assert [mark.punctual for mark in Register(store, [lesson('lemmas = ["textbook/or_comm"]')]).marks()] == [""]
    put_off = lesson('due = 2999-01-01\nlemmas = ["textbook/or_comm"]')
    assert [mark.punctual for mark in Register(store, [put_off]).marks()] == ["on time"]


def test_a_problem_of_the_same_name_that_says_something_else_is_another(store: Store, register: Register) -> None:
    make(sit(local(store), OR_COMM), PROOF)
    make(sit(local(store), Exercise(OR_COMM.name, parse("p -> p"), OR_COMM.place)), PROOF[:1])
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
    make(sit(local(store), or_comm("pq", Terms(due=due))), PROOF if done else PROOF[:1])
    (mark,) = register.marks()
    assert mark.punctual == punctual
    assert register.problems()[0].late == (punctual == "late")


# Wrong moves.


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
    refuse(store, "Bob", or_comm("xy"), "split", "split", "destruct_and H")
    (problem,) = register.problems()
    mistakes = register.mistakes(problem, seconds=60)
    assert (mistakes.seen, mistakes.attempts, mistakes.unknown) == (3, 3, 0)
    assert [(each.sentence(), each.students, each.times) for each in mistakes.moves] == [
        ("left loses the proof at H : p \\/ q |- q \\/ p", 2, 2),
        ("right loses the proof at H : p \\/ q |- q \\/ p", 2, 2),
        ("split does not apply at H : p \\/ q |- q", 1, 2),
        ("destruct_and H (p \\/ q) does not apply at H : p \\/ q |- q", 1, 1),
    ]


def test_the_hypothesis_that_a_wrong_move_is_about_is_said(store: Store, register: Register) -> None:
    exercise = Exercise("arrows", parse("((p -> q) -> r) -> r"))
    make(sit(local(store), exercise), parse_script("intro"))
    refuse(store, "Ann", exercise, "imply2 H")
    (mistake,) = register.mistakes(register.problems()[0]).moves
    assert mistake.sentence() == "curry H ((p -> q) -> r) does not apply at H : (p -> q) -> r |- r"


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
    monkeypatch.setattr(Adviser, "on_track", lambda *_: None)
    events = [KeptEvent("", "move", "intro"), KeptEvent("", "move", "left"), KeptEvent("", "undo", "")]
    work = Work(1, OR_COMM.formula, tuple(RULES), events, OR_COMM.formula)
    assert Examiner().mistakes([work], 60) == ((), 1, 1, 2)


def test_attempts_for_which_there_is_no_time_or_that_are_damaged_are_not_said_to_be_looked_at() -> None:
    work = Work(1, OR_COMM.formula, tuple(RULES), [KeptEvent("", "move", "intro")], OR_COMM.formula)
    damaged = work._replace(events=[KeptEvent("", "move", "split")])
    assert Examiner().mistakes([work, damaged, work], 60)[1:3] == (2, 3)
    assert Examiner().mistakes([work, damaged, work], -1)[1:3] == (0, 3)


# Spreadsheets.


def test_the_spreadsheets_say_what_the_rows_say(store: Store, register: Register) -> None:
    make(sit(local(store, "Ann"), OR_COMM), PROOF)
    make(sit(local(store, 'Bob, or "Rob"'), or_comm("ab")), parse_script("intro; left"))
    marks = list(spreadsheet(register.student_csv()))
    assert marks == [
        {
            **{name: "" if value is None else str(value) for name, value in as_row(mark).items() if name != "key"},
            "done": "" if mark.done is None else when(mark.done),
        }
        for mark in register.marks()
    ]
    (problem,) = spreadsheet(register.problem_csv(register.mistakes))
    assert problem["begun"] == "2"
    assert problem["wrong_moves"] == "left loses the proof at H : p \\/ q |- q \\/ p (1 of 2)"
    assert problem["attempts_searched"] == "2"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_name_that_a_spreadsheet_would_take_for_a_formula_stays_text(
    store: Store, register: Register, name: str
) -> None:
    make(sit(local(store, name), Exercise(name, OR_COMM.formula, name)), PROOF[:1])
    for text in (register.student_csv(), register.problem_csv(register.mistakes)):
        header, *rows = csv.reader(io.StringIO(text.removeprefix(MARK)))
        assert len(rows) == 1 and len(rows[0]) == len(header)
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in rows[0])
        assert f"'{name}" in rows[0]


def test_an_empty_class_gives_headers_alone(register: Register) -> None:
    assert MARK_COLUMNS[0] == "student"
    assert register.student_csv() == MARK + ",".join(MARK_COLUMNS) + "\n"
    assert len(register.problem_csv(register.mistakes).splitlines()) == 1


def test_a_lesson_alone_leaves_out_all_else_and_has_its_rows_as_they_were(store: Store) -> None:
    make(sit(local(store, "Ann"), OR_COMM), PROOF)
    make(sit(local(store, "Ann"), PEIRCE), PROOF[:1])
    asked = lesson('lemmas = ["textbook/or_comm"]')
    everything, alone = Register(store, [asked]), Register(store, [asked], are_alone=True)
    assert {mark.place for mark in alone.marks()} == {asked.name}
    assert alone.marks() == [mark for mark in everything.marks() if mark.place == asked.name and mark.asked]
    assert alone.problems() == [problem for problem in everything.problems() if problem.asked is not None]
    assert len(everything.problems()) > len(alone.problems())
