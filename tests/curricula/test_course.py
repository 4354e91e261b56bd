"""The course: what it teaches is enough for what it asks, and what it asks is what it says."""

from __future__ import annotations

import pytest

from curricula.course import World, course
from curricula.lemma import Status
from curricula.resolve import resolve, resolve_lemma
from oasis.teacher.deciding.decide import Verdict, decide
from oasis.teacher.exact.values import lengths, shortest_script
from tactics.formula import FALSE, Formula, Implies
from tactics.rules import RULES
from tactics.script import replay

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
def test_what_has_a_proof_comes_in_the_order_of_the_shortest(world: World) -> None:
    lemmas = resolve(f"course/{world.name}").lemmas
    assert [lemma.name for lemma in lemmas] == list(world.lemmas)
    theorems = [lemma for lemma in lemmas if lemma.status is Status.THEOREM]
    lengths = [6 * lemma.level - 2 if lemma.level else lemma.shortest or 0 for lemma in theorems]
    assert lengths == sorted(lengths)


@each_world
def test_in_every_world_something_has_no_proof_and_does_not_stand_together_at_the_end(world: World) -> None:
    has_proof = [resolve_lemma(name).status is Status.THEOREM for name in world.lemmas]
    assert has_proof != sorted(has_proof, reverse=True)


@pytest.mark.parametrize("world", course()[:2], ids=lambda world: world.name)
def test_in_the_first_worlds_a_proof_can_be_lost(world: World) -> None:
    losing = [name for name in world.lemmas if _may_be_lost(resolve_lemma(name).formula)]
    assert len(losing) >= 2
    assert len([name for name in world.lemmas if resolve_lemma(name).status is Status.NON_THEOREM]) >= 3


def _may_be_lost(formula: Formula) -> bool:
    """Whether a move from a state on a shortest proof leaves something without a proof."""
    known, script = lengths(formula), shortest_script(formula)
    states = replay(formula, script) if script else []
    return any(None in known.by_move(state[0]).values() for state in states if state)


def test_that_truth_tables_do_not_decide_is_said_where_the_first_lemma_shows_it_and_with_that_lemma() -> None:
    classical = [world for world in course() if any(_is_only_classical(name) for name in world.lemmas)]
    assert "truth tables say yes" in classical[0].about
    assert "ruth tables" not in " ".join(world.about for world in course()[: course().index(classical[0])])
    first = next(name for name in classical[0].lemmas if _is_only_classical(name))
    assert classical[0].notes[first].meaning.startswith("Truth tables say yes, and there is still no proof")


def _is_only_classical(name: str) -> bool:
    """Whether truth tables say yes to a lemma that has no proof: then its double negation has one (Glivenko)."""
    lemma = resolve_lemma(name)
    twice = Implies(Implies(lemma.formula, FALSE), FALSE)
    return lemma.status is Status.NON_THEOREM and decide(twice).verdict is Verdict.THEOREM


@each_world
def test_each_lemma_has_two_sentences_that_fit_and_tell_of_no_other_lemma(world: World) -> None:
    for name, note in world.notes.items():
        for sentence in note:
            assert 20 <= len(sentence) <= 125, name
            assert sentence.endswith(".") and sentence.count(". ") == 0, name
            assert sentence.isascii() and "`" not in sentence, name
            assert "_" not in sentence.replace("split_or", ""), "no lemma is called by name"
    said = [sentence for note in world.notes.values() for sentence in note]
    assert len(set(said)) == len(said)
