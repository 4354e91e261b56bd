"""Ways to cheat in an exam, each a test: none gains a point that the teacher does not see.

The exam opens at minute 0 and closes at minute 60, by the clock of the process that writes, which stands where a test
puts it. What is tested guards below all screens: whoever writes into the file of the class meets it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from oasis.classroom import clock
from oasis.classroom.admission import NotAdmitted, admit, admit_listed, open_classroom, open_register
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.keeping import KeeperBeside, Part, at_once
from oasis.classroom.desk.work import export_work
from oasis.classroom.lessons.exams import GRACE, Exams, NotCounted, end_unless_timed, exams_in, give, show_results
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.guessing import Origin
from oasis.classroom.people.tabs import Presence, who_comes_back
from oasis.classroom.proving.events import Event, NotAllowed
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.marks import Mark, Marks
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, Store, StoreError
from tactics.errors import InputError
from tests.classroom.people import OR_COMM, PROOF, again, bring, empty, local, make, sit

OPENS = datetime(2030, 12, 1, 9, tzinfo=UTC)
SAID = 'extra = { "Bob" = 15 }\nattempts = 1\nresults = "when shown"'
AtMinute = Callable[[float], None]


def finals(said: str = SAID, lemma: str = "textbook/or_comm", **terms: Any) -> Lesson:
    """Return the exam, with more or other lines."""
    text = f'title = "Finals"\nexam = true\n{said}\nlemmas = ["{lemma}"]\n'
    if "opens" not in said:
        text = f"opens = {OPENS:%Y-%m-%dT%H:%M:%SZ}\ncloses = {OPENS + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}\n{text}"
    lesson = Lesson.parse(text, "finals.toml", "finals", Path())
    entries = tuple(
        entry._replace(exercise=replace(entry.exercise, terms=replace(entry.exercise.terms, **terms)))
        for entry in lesson.exercises
    )
    return replace(lesson, exercises=entries)


def task(lesson: Lesson | None = None) -> Exercise:
    """Return the first exercise of an exam, the teacher's unless told otherwise."""
    return (lesson or finals()).exercises[0].exercise


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> AtMinute:
    """Sets the clock of this process to a minute of the exam; every look at it is a millisecond later."""
    looks = iter(range(10**6))
    start = OPENS

    def utc() -> datetime:
        return start + timedelta(milliseconds=next(looks))

    def to(minute: float) -> None:
        nonlocal start
        start = OPENS + timedelta(minutes=minute)

    monkeypatch.setattr(clock, "utc", utc)
    to(10)
    return to


@pytest.fixture
def class_(store: Store, at: AtMinute) -> Store:
    """The file of a class that has the exam, with Ann in it."""
    give(store, [finals()])
    local(store)
    return store


def desk_of(store: Store, name: str = "Ann", *lessons: Lesson) -> Desk:
    """Return the desk of somebody who opened these lessons, the exam if none is named."""
    desk = local(store, name)
    desk.lessons = lambda: lessons or (finals(),)
    return desk


def marks(store: Store, lesson: Lesson | None = None) -> list[Mark]:
    """Return what the teacher sees of the exam."""
    return [mark for mark in Register(store, [lesson or finals()]).marks() if mark.place == "finals"]


def points(store: Store) -> dict[str, int]:
    """Return the points of everybody who is in the class."""
    return {mark.name: mark.points for mark in marks(store)}


def refused(deed: Callable[[], object]) -> str:
    """Do what must be refused, and return the sentence that says why."""
    with pytest.raises(InputError) as said:
        deed()
    sentence = str(said.value)
    assert sentence.endswith(".") and sentence.isprintable() and len(sentence) < 200
    return sentence


def by_force(store: Store, exercise: Exercise, *, anew: bool = False) -> str:
    """Make Ann's first move as a program would that knows of no exam: straight to the writer; what is said of it."""
    desk = local(store)
    desk.renew_exams = lambda: None  # type: ignore[method-assign]
    (again if anew else sit)(desk, exercise).make(PROOF[0])
    return desk.parted


def all_of_it(desk: Desk) -> None:
    """Prove the first exercise."""
    make(sit(desk, task()), PROOF)


# Who keeps to the terms.


def test_what_is_done_in_time_counts_and_its_points_are_told_when_they_are_shown(class_: Store, at: AtMinute) -> None:
    ann = desk_of(class_)
    make(sit(ann, task()), PROOF)
    assert points(class_) == {"Ann": 10} and ann.result.outcome == "proved"
    at(90)
    for told in (ann.result, *ann.results().values()):
        assert (told.points, told.course_points, told.is_shown) == (0, 0, False)
    show_results(class_, finals())
    ann.renew_exams()
    assert ann.result.points == 10 and ann.result.is_shown and [each.points for each in ann.results().values()] == [10]


def test_an_exam_opens_and_closes_by_itself_and_later_for_who_has_extra_time(class_: Store, at: AtMinute) -> None:
    ann, bob = desk_of(class_), desk_of(class_, "bob")
    at(-1)
    assert "Finals opens 2030-12-01" in refused(lambda: make(sit(ann, task()), PROOF))
    at(0)
    for desk in (ann, bob):
        make(sit(desk, task()), PROOF[:3])
    at(61)
    assert "Finals is closed since 2030-12-01" in refused(lambda: make(sit(ann, task()), PROOF[3:]))
    make(sit(bob, task()), PROOF[3:])
    at(76)
    assert "is closed" in refused(lambda: bob.do(lambda attempt: attempt.undo()))
    assert points(class_) == {"Ann": 0, "bob": 10}
    assert [each.events for each in class_.attempts()] == [3, 6], "what is there is handed in"


def test_an_exam_without_a_closing_time_ends_with_its_server_or_when_it_is_given_no_longer(
    store: Store, at: AtMinute
) -> None:
    untimed = Lesson.parse('exam = true\nlemmas = ["textbook/or_comm"]', "finals.toml", "finals", Path())
    ann = desk_of(store, "Ann", untimed)
    for end in (partial(end_unless_timed, store), partial(give, store, [])):
        give(store, [untimed])
        sit(ann, task(untimed))
        assert ann.exams.open
        end()
        ann.renew_exams()
        assert not ann.exams.open and "finals is closed:" in ann.exams.why_not("finals")
    give(store, [finals()])
    end_unless_timed(store)
    assert exams_in(store)["finals"].is_given


def test_an_exam_that_becomes_another_lesson_needs_another_name_once_somebody_has_worked_at_it(class_: Store) -> None:
    lesson = replace(finals(), is_exam=False)
    give(class_, [lesson])
    assert not exams_in(class_), "nobody had begun it"
    give(class_, [finals()])
    make(sit(desk_of(class_), task()), PROOF)
    give(class_, [lesson])
    assert "Finals is closed" in refused(lambda: desk_of(class_, "Bob", lesson).again(task()))
    assert points(class_) == {"Ann": 10, "Bob": 0}


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"title": "", "tasks": [], "terms": {"extra": 1}}'])
def test_terms_that_nobody_can_have_stored_are_damage(class_: Store, content: str) -> None:
    class_.note_exam(clock.now(), "finals", "given", content)
    with pytest.raises(StoreError, match=r"is damaged \(what was given as finals\)"):
        exams_in(class_, ["Ann"])


def test_more_time_that_the_teacher_gives_meanwhile_counts(class_: Store, at: AtMinute) -> None:
    ann = desk_of(class_)
    sit(ann, task())
    at(61)
    longer = finals(f'extra = {{ "Ann" = 30 }}\nopens = {OPENS:%Y-%m-%dT%H:%M:%SZ}\ncloses = 2030-12-01T10:00:00Z')
    give(class_, [longer])
    make(sit(ann, task()), PROOF)
    assert [mark.points for mark in marks(class_, longer)] == [10]


# The ways to cheat.


def test_cheat_1_own_imports_while_it_is_open(class_: Store, abroad: Desk) -> None:
    make(sit(abroad, task()), PROOF)
    for text in (export_work(abroad), export_work(abroad).replace("finals", "week")):
        assert "Finals is an exam that is open to you" in refused(partial(bring, local(class_), text))
    assert points(class_) == {"Ann": 0} and not class_.attempts()


def test_cheat_2_own_imports_after_it_with_times_that_lie_in_it(class_: Store, abroad: Desk, at: AtMinute) -> None:
    make(sit(abroad, task()), PROOF)
    at(90)
    bring(local(class_), export_work(abroad))
    assert [(each.outcome, each.points) for each in desk_of(class_).results().values()] == [("", 0)]
    (mark,) = marks(class_)
    assert (mark.points, mark.outcome, mark.imported) == (0, "", 1), "the teacher sees it, and it is worth nothing"


def test_cheat_3_a_second_account(class_: Store) -> None:
    make(sit(desk_of(class_, "Ann 2"), task()), PROOF)
    assert points(class_) == {"Ann": 0, "Ann 2": 10}, "it stands in the list of the class"
    with pytest.raises(NotAdmitted):
        admit_listed(class_, "Ann 3", passphrase="wrong passphrase")


def test_cheat_4_a_second_tab_for_a_second_attempt(class_: Store) -> None:
    one, two = desk_of(class_), desk_of(class_)
    for desk in (one, two):
        sit(desk, task())
    make(sit(one, task()), PROOF[:2])
    assert two.attempt.made == []
    two.do(lambda attempt: attempt.make(PROOF[0]))
    make(sit(two, task()), PROOF[2:])
    assert len([each for each in class_.attempts() if each.events]) == 1

    def begin_and_move(begin: Callable[[Exercise], object]) -> None:
        begin(task())
        two.do(lambda attempt: attempt.make(PROOF[0]))

    for begin in (two.again, two.sit):
        told = refused(partial(begin_and_move, begin))
        assert told == "In Finals each exercise can be begun once, which you have done."


def test_cheat_5_moves_that_part_in_two_tabs_are_no_second_attempt(class_: Store) -> None:
    one, two = desk_of(class_), desk_of(class_)
    for desk in (one, two):
        sit(desk, task())
    one.do(lambda attempt: attempt.make(PROOF[0]))
    one.do(lambda attempt: attempt.make(PROOF[1]))
    two.do(lambda attempt: attempt.make(PROOF[0]))
    assert "can be begun once" in two.parted
    (attempt,) = [each for each in class_.attempts() if each.events]
    assert attempt.events == 2, "what parts is told and not counted"


def test_cheat_6_a_terminal_beside_that_opened_other_lessons_or_none(class_: Store) -> None:
    week = Exercise(OR_COMM.name, OR_COMM.formula, "week")
    beside = local(class_)
    assert "nothing else is there until it closes" in refused(lambda: make(sit(beside, week), PROOF))
    assert "nothing else is there" in by_force(class_, week)
    assert not any(each.events for each in class_.attempts())


def test_cheat_7_another_lesson_with_the_same_lemma_and_hints(class_: Store, at: AtMinute) -> None:
    course = Exercise(OR_COMM.name, OR_COMM.formula, "course/cases")
    ann = desk_of(class_)
    assert "open to you" in refused(lambda: sit(ann, course).take_hint())
    at(-30)
    sit(ann, course).take_hint()
    at(10)
    make(sit(ann, task()), PROOF)
    assert points(class_) == {"Ann": 10}, "the exam is worth what was done in it"


@pytest.mark.parametrize(
    "terms", [{"hints": 4, "hint_cost": 0}, {"hint_cost": 0}, {"moves": "listed"}, {"light": True}]
)
def test_cheat_8_the_exam_from_a_file_with_kinder_terms(class_: Store, terms: dict[str, Any]) -> None:
    kinder = task(finals(**terms))
    assert "is not in Finals as your teacher gives it" in by_force(class_, kinder)
    assert points(class_) == {"Ann": 0}


def test_cheat_9_an_easier_lemma_under_the_name_of_the_exam(class_: Store) -> None:
    easier = Exercise(OR_COMM.name, task(finals(lemma="p -> p")).formula, "finals", task().terms)
    assert "is not in Finals as your teacher gives it" in by_force(class_, easier)


@pytest.mark.parametrize("kind", [Event("hint", "1"), Event("asked"), Event("given", "intro")])
def test_cheat_10_help_of_any_kind(class_: Store, kind: Event) -> None:
    ann = desk_of(class_)
    sit(ann, task())
    with pytest.raises(NotAllowed):
        ann.do(lambda attempt: attempt.take_hint())
    ann.append(kind)
    assert "in which there is no help" in ann.parted and not any(each.events for each in class_.attempts())


def test_cheat_11_the_lesson_said_to_be_none_or_open_for_longer(class_: Store, at: AtMinute) -> None:
    for said in ("", 'opens = 2000-01-01\ncloses = 2040-01-01\nextra = { "Ann" = 60 }'):
        ann = desk_of(class_, "Ann", replace(finals(said), is_exam=bool(said)))
        at(61)
        assert "is closed" in refused(partial(all_of_it, ann))
    assert points(class_) == {"Ann": 0}


def test_cheat_12_times_set_in_what_is_stored(class_: Store, at: AtMinute) -> None:
    ann = desk_of(class_)
    ann.sit(task())
    (record,) = (each.kept for each in class_.attempts())
    event = KeptEvent((OPENS + timedelta(minutes=30)).isoformat(timespec="milliseconds"), "move", "intro")
    at(60.4)
    part = Part(ann.student.id, record, 0, (event,))
    at_once(class_)(part).result()
    at(60 + GRACE.total_seconds() / 60 + 0.1)
    for late in (event, event._replace(at=(OPENS + timedelta(minutes=61)).isoformat(timespec="milliseconds"))):
        with pytest.raises(NotCounted, match="is closed"):
            at_once(class_)(part._replace(stored=1, events=(late,))).result()


def test_cheat_13_replayed_messages(class_: Store) -> None:
    ann = desk_of(class_)
    kept: list[Part] = []
    keep = ann.keeper

    def noted(part: Part) -> Future[list[KeptEvent] | None]:
        kept.append(part)
        return keep(part)

    ann.keeper = noted
    make(sit(ann, task()), PROOF)
    before = [class_.events(each.kept.uuid) for each in class_.attempts()]
    for part in kept:
        at_once(class_)(part).result()
    bob = local(class_, "Bob")
    for part in kept:
        at_once(class_)(part._replace(student_id=bob.student.id)).result()
    assert [class_.events(each.kept.uuid) for each in class_.attempts()] == before
    assert points(class_) == {"Ann": 10, "Bob": 0}


def test_cheat_14_an_edited_cookie_and_the_tab_of_a_classmate(class_: Store) -> None:
    bob, bobs = local(class_, "Bob"), Origin(session="what the cookie of Bob says", tab="1")
    presence = Presence(open_classroom, class_.path, bobs, bob.student.id)
    presence.tell("learn", "")
    presence.close("learn", "", signs_out=False)
    presence.wait(60)
    back = who_comes_back(class_, bobs)
    assert back is not None and back.student == bob.student.id
    for edited in ("", "what the cookie of Bob say", back.browser, back.id):
        assert who_comes_back(class_, bobs._replace(session=edited)) is None


def test_cheat_15_the_name_of_a_classmate(class_: Store) -> None:
    bob = admit(class_, "Bob", passphrase="bobs passphrase")
    for name in ("Bob", "bob ", "BOB"):
        with pytest.raises(NotAdmitted):
            admit(class_, name, passphrase="anns passphrase")
    with pytest.raises(InputError, match="looks like Bob"):
        admit(class_, "B0b", passphrase="anns passphrase")
    names = (bob.name, "bob", "Ann", "B0b", "Bob 2")
    assert [exams_in(class_, [name])["finals"].terms.minutes_more(name) for name in names] == [15, 15, 0, 0, 0]
    assert "Bob" not in str(class_.exam_journal()), "who is erased is not left in it"


def test_cheat_16_letters_guessed(class_: Store) -> None:
    exam = replace(finals(), letters="own")
    give(class_, [exam])
    (own,), (bobs,) = exam.exercises_for("Ann"), exam.exercises_for("Bob")
    make(sit(desk_of(class_, "Ann", exam), bobs), PROOF)
    assert bobs.formula != own.formula and "can be begun once" in by_force(class_, own)
    assert [mark.attempts for mark in marks(class_, exam)] == [1], "it is one exercise, in whatever letters"


def test_cheat_17_results_asked_for_early(class_: Store, at: AtMinute) -> None:
    ann = desk_of(class_)
    make(sit(ann, task()), PROOF)
    own = Marks(class_, student=ann.student)
    for question in (own.marks, own.proofs, lambda: export_work(ann)):
        assert "is open to you" in refused(question)
    at(90)
    assert own.marks() == [] and own.proofs() == [] and json.loads(export_work(ann))["attempts"] == []
    with pytest.raises(NotAdmitted):
        open_register(class_, "guessed")
    Register(class_).show_results(finals())
    assert [mark.points for mark in own.marks()] == [10] and json.loads(export_work(ann))["attempts"]


def test_cheat_18_two_servers_of_which_one_gives_other_terms(class_: Store, at: AtMinute) -> None:
    opened = f"{OPENS:%Y-%m-%dT%H:%M:%SZ}"
    give(class_, [finals(f"opens = {opened}\ncloses = 2030-12-01T12:00:00Z")])
    at(90)
    make(sit(desk_of(class_), task()), PROOF)
    assert points(class_) == {"Ann": 0}, "the teacher's own file says until when it counts"
    assert Register(class_).told_of_terms(finals()).startswith("Finals was given on 2 different terms, the last since ")


def test_cheat_19_a_tab_that_is_still_open_after_the_closing(class_: Store, at: AtMinute) -> None:
    ann, beside = desk_of(class_), KeeperBeside(open_classroom, class_.path)
    ann.keeper = beside
    sit(ann, task())
    assert ann.save(60)
    ann.exams = Exams("Ann", {})
    at(61)
    ann.do(lambda attempt: attempt.make(PROOF[0]))
    assert ann.save(60) and "Finals is closed since" in ann.parted and ann.attempt.made == []
    beside.close()
    beside.wait(60)
    assert not any(each.events for each in class_.attempts())


def test_cheat_20_the_class_file_of_another_machine(class_: Store, at: AtMinute) -> None:
    with empty() as home:
        make(sit(local(home), task(finals(hints=4))), PROOF)
        text = export_work(local(home))
    at(90)
    bring(local(class_), text)
    assert points(class_) == {"Ann": 0}
    register = Register(class_, [finals()])
    assert register.bring(text, into="Ann", vouched=True)[0].new == 1, "the teacher may answer for it"
    assert points(class_) == {"Ann": 10}


def test_cheat_21_the_same_exercise_begun_anew_to_be_rid_of_slips(class_: Store) -> None:
    ann = desk_of(class_)
    make(sit(ann, task()), PROOF[:2])
    ann.do(lambda attempt: attempt.jump(0))
    assert "can be begun once" in refused(lambda: ann.again(task()))
    assert "can be begun once" in by_force(class_, task(), anew=True)


def test_cheat_22_the_lemma_of_the_pool_that_a_classmate_has(class_: Store) -> None:
    text = 'exam = true\n[[exercise]]\nlemma = "textbook/or_comm"\npool = ["other : p -> p"]\n'
    pooled = Lesson.parse(text, "pool.toml", "pool", Path())
    give(class_, [pooled])
    ((own,), (other,)) = (desk_of(class_, name, pooled).given(pooled) for name in ("Ann", "Bob"))
    assert own.formula != other.formula
    assert "is another student's; open your own." in by_force(class_, other)
    assert by_force(class_, own) == ""
