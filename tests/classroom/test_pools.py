"""Pools: who has which lemma, that it stays so, that all of them are one problem, and how they are found."""

from itertools import pairwise
from pathlib import Path

import pytest

from curricula import resolve_lemma
from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.desk.desk import Desk
from oasis.classroom.lessons.checking import check
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.lessons.searching import searching
from oasis.classroom.register.register import Register
from oasis.classroom.register.results import results_json
from oasis.store import Store
from oasis.teacher.exact.difficulty import difficulty
from oasis.teacher.exact.values import shortest_script
from state_spaces.name import formula_key
from tactics.errors import InputError
from tactics.formula import Formula
from tests.classroom.people import local, make, sit

POOL = [r"a: p /\ q -> q /\ p", r"b: p /\ q -> p /\ p", r"c: p /\ q -> q /\ q", r"d: (p -> q) /\ p -> q"]


def lesson(*pool: str, more: str = "") -> Lesson:
    """Return a lesson with one exercise that has this pool."""
    first, *others = pool
    listed = ", ".join(f"'{other}'" for other in others)
    text = f"{more}\n[[exercise]]\nlemma = '{first}'\npool = [{listed}]"
    return Lesson.parse(text, "a text", "week", Path())


def enlist(store: Store, *names: str) -> list[Desk]:
    return [local(store, name) for name in names]


def lemma_of(desk: Desk, asked: Lesson) -> Formula:
    (exercise,) = desk.given(asked)
    assert exercise.name == "a"
    return exercise.formula


def prove(desk: Desk, asked: Lesson) -> None:
    (exercise,) = desk.given(asked)
    proof = shortest_script(exercise.formula)
    assert proof is not None
    make(sit(desk, exercise), proof)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_neighbours_have_different_lemmas_all_are_used_alike_and_they_stay(tmp_path: Path, size: int) -> None:
    names = [f"Student {number}" for number in range(12)]
    with open_classroom(tmp_path / "oasis.db") as store:
        desks = enlist(store, *reversed(names))[::-1]
        lemmas = [lemma_of(desk, lesson(*POOL[:size])) for desk in desks]
        assert all(one is not other for one, other in pairwise(lemmas))
        assert sorted(map(lemmas.count, set(lemmas))) == [12 // size] * size
    with open_classroom(tmp_path / "oasis.db") as store:
        again = [admit(store, name, account=name) for name in names]
        larger = lesson(*POOL, more='letters = "own"')
        assert [formula_key(lemma_of(desk, larger)) for desk in again] == [formula_key(each) for each in lemmas]
        (later,) = enlist(store, "Student 12")
        beside = formula_key(lemma_of(later, larger))
        assert beside != formula_key(lemmas[-1]) and (size == 4 or beside not in map(formula_key, lemmas))


def test_the_lot_is_another_one_in_another_file_and_a_lemma_that_is_taken_out_is_drawn_anew() -> None:
    drawn = []
    for _ in range(8):
        store = Store(Path(":memory:"))
        drawn.append([lemma_of(desk, lesson(*POOL)) for desk in enlist(store, "Ann", "Bob", "Eve")])
    assert len({tuple(each) for each in drawn}) > 1, "by chance once in 24^7"
    rest = [text for text in POOL if resolve_lemma(text).formula is not drawn[-1][0]]
    renamed = lesson(*rest, more="") if rest[0] == POOL[0] else lesson(rest[0].replace("b:", "a:"), *rest[1:])
    desks = [local(store, name) for name in ("Ann", "Bob", "Eve")]
    ann, *others = [lemma_of(desk, renamed) for desk in desks]
    assert ann is not drawn[-1][0]
    assert others == drawn[-1][1:]


def test_who_has_begun_one_keeps_it_when_there_is_a_pool_and_erasing_leaves_no_draw(store: Store) -> None:
    (ann, bob) = enlist(store, "Ann", "Bob")
    for desk in (ann, bob):
        make(sit(desk, lesson(POOL[1].replace("b:", "a:")).exercises_for("")[0]), ())
    assert [lemma_of(desk, lesson(*POOL)) for desk in (ann, bob)] == [resolve_lemma(POOL[1]).formula] * 2
    store.erase_student(ann.student.id)
    assert list(store.draws("week")) == [("a", bob.student.id)]


def test_all_lemmas_of_a_pool_are_one_problem_and_the_teacher_sees_who_has_which(store: Store) -> None:
    asked = lesson(*POOL[:3], more='letters = "own"')
    desks = enlist(store, "Ann", "Bob", "Eve", "Max")
    for desk in desks[:3]:
        prove(desk, asked)
    register = Register(store, [asked])
    marks = register.marks()
    assert [(mark.name, mark.lemma, mark.outcome, mark.points) for mark in marks] == [
        *((name, "a", "proved", 10) for name in ("Ann", "Bob", "Eve")),
        ("Max", "a", "", 0),
    ]
    formulas = {name: resolve_lemma(text).formula for name, text in zip("abc", POOL, strict=False)}
    assert [formula_key(formulas[mark.variant]) for mark in marks] == [
        formula_key(lemma_of(desk, asked)) for desk in desks
    ]
    (problem,) = register.problems()
    assert (problem.asked, problem.begun, problem.done, problem.attempts) == (4, 3, 3, 3)
    assert sorted(problem.variants.replace(",", "").split()[1::2]) == ["1", "1", "2"]
    assert problem.sentences()[-1] == f"drawn: {problem.variants}"
    assert register.mistakes(problem).seen == 3
    (history,) = register.attempts(marks[0])
    assert history.kept.key == formula_key(formulas[marks[0].variant])
    rows = results_json(register, "student", register.mistakes)["marks"]
    assert [row["variant"] for row in rows] == [mark.variant for mark in marks]
    assert {mark.variant for mark in Register(store).marks()} == {""}, "nobody knows of a pool without the lesson"


def test_a_pool_is_checked_and_the_odd_one_is_named_with_its_figures() -> None:
    pool = [*POOL[:3], r"same: x /\ y -> y /\ x", r"odd: p \/ q -> q \/ p"]
    (found,) = check(lesson(*pool), 60)
    assert found.has_error
    assert [each.variant.name for each in found.pool] == ["a", "b", "c", "odd"]
    said = [finding.text for finding in found.findings if "its pool" in finding.text]
    assert said == [
        "same of its pool is there already, up to letters.",
        "odd of its pool is not as hard as the others: it has a shortest proof of 6 moves, 4 moves that lose, the "
        "first after 1, and they have a shortest proof of 5 moves, 0 moves that lose; take another lemma, as `oasis "
        "lesson variants` finds them.",
    ]
    assert not next(check(lesson(*POOL[:3]), 60)).has_error
    (late,) = check(lesson(*POOL[:3]), 0)
    assert [each.difficulty for each in late.pool] == [None] * 3
    assert sum("How hard" in finding.text for finding in late.findings) == 3
    assert not late.has_error


@pytest.mark.parametrize("name", ["choices/sidetrack", "choices/fork"])
def test_what_the_search_finds_is_a_pool_of_different_lemmas_that_are_equally_hard(name: str) -> None:
    *_, found = searching(name, 4, 600)
    assert (len(found.others), found.reached) == (3, "")
    entry = Lesson.parse(found.toml(), "a text", "week", Path()).exercises[0]
    assert (entry.exercise.name, len({variant.key for variant in entry.pool})) == (name, 4)
    assert {difficulty(variant.formula) for variant in entry.pool} == {found.difficulty}
    assert {variant.formula.size for variant in entry.pool} == {entry.exercise.formula.size}
    assert entry.theorem is (False if name == "choices/fork" else None)


def test_a_search_ends_in_time_and_says_what_it_could_not_find_out() -> None:
    *_, found = searching("textbook/or_comm", 50, 0.05)
    assert found.reached and len(found.others) < 49
    with pytest.raises(InputError, match=r"How hard SYJ203.20 is was not found out: .*; take a smaller lemma"):
        list(searching("SYJ203.20", 2, 0.01))
