"""The course: what it teaches is enough for what it asks, and what it asks is what it says."""

from __future__ import annotations

import pytest

from curricula.course import World, course
from curricula.lemma import Status
from curricula.resolve import resolve, resolve_lemma
from oasis.teacher.deciding.decide import Verdict, decide
from oasis.teacher.exact.values import shortest_script
from tactics.errors import InputError
from tactics.rules import RULES

each_world = pytest.mark.parametrize("world", course(), ids=[world.name for world in course()])


def test_the_course_has_six_worlds_and_at_least_forty_lemmas_none_of_them_twice() -> None:
    assert len(course()) == 6
    names = [lemma for world in course() for lemma in world.lemmas]
    assert len(names) == len(set(names)) >= 40
    assert [lemma.name for lemma in resolve("course").lemmas] == names
    formulas = [lemma.formula for lemma in resolve("course").lemmas]
    assert len(set(formulas)) == len(formulas)


def test_every_rule_is_taught_once() -> None:
    assert sorted(rule for world in course() for rule in world.rules) == sorted(RULES)


@each_world
def test_what_a_world_asks_for_can_be_proved_with_what_was_taught(world: World) -> None:
    taught = {rule for each in course()[: course().index(world) + 1] for rule in each.rules}
    for name in world.lemmas:
        lemma = resolve_lemma(name)
        if lemma.status is Status.THEOREM and lemma.level not in (4, 5, 6):
            script = shortest_script(lemma.formula)
            assert script is not None
            assert {move.rule for move in script} <= taught


@each_world
def test_a_world_uses_every_rule_that_it_teaches(world: World) -> None:
    used = set()
    for name in world.lemmas:
        script = shortest_script(resolve_lemma(name).formula) if world.rules else None
        used |= {move.rule for move in script or ()}
    assert set(world.rules) <= used


@each_world
def test_lemmas_come_in_the_order_of_their_shortest_proofs_and_those_without_last(world: World) -> None:
    lemmas = resolve(f"course/{world.name}").lemmas
    assert [lemma.name for lemma in lemmas] == list(world.lemmas)
    lengths = [6 * lemma.level - 2 if lemma.level else lemma.shortest for lemma in lemmas]
    theorems = [length for length in lengths if length is not None]
    assert theorems == sorted(theorems)
    assert lengths == theorems + [None] * (len(lengths) - len(theorems))


@each_world
def test_what_has_no_proof_is_told_apart_by_the_teacher(world: World) -> None:
    for lemma in resolve(f"course/{world.name}").lemmas:
        expected = Verdict.THEOREM if lemma.status is Status.THEOREM else Verdict.NON_THEOREM
        assert decide(lemma.formula).verdict is expected


def test_half_of_the_worlds_have_something_without_a_proof() -> None:
    without = [world for world in course() if any(resolve_lemma(n).status is Status.NON_THEOREM for n in world.lemmas)]
    assert len(without) >= 3


@pytest.mark.parametrize("text", ["course/nowhere", "arrows"])
def test_what_is_no_world_is_told(text: str) -> None:
    with pytest.raises(InputError):
        resolve_lemma(text)
