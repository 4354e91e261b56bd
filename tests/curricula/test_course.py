"""The course: what it teaches is enough for what it asks, and what it asks is what it says."""

import pytest

from curricula.course import World, course
from curricula.lemma import Status
from curricula.resolve import resolve, resolve_lemma
from oasis.teacher.exact.values import lengths, shortest_script
from tactics.formula import Formula
from tactics.rules import RULES
from tactics.script import replay

each_world = pytest.mark.parametrize("world", course(), ids=[world.name for world in course()])


def test_the_course_has_six_worlds_and_at_least_forty_lemmas_none_of_them_twice() -> None:
    assert len(course()) == 6
    names = [lemma for world in course() for lemma in world.lemmas]
    assert len(names) == len(set(names)) >= 40
    assert [lemma.name for lemma in resolve("course").lemmas] == names
    assert len({lemma.formula for lemma in resolve("course").lemmas}) == len(names)
    assert {rule for world in course() for rule in world.rules} == RULES.keys()


@each_world
def test_what_a_world_asks_for_can_be_proved_with_what_was_taught_and_needs_what_it_teaches(world: World) -> None:
    before = course()[: course().index(world)]
    taught = {rule for each in before for rule in each.rules}
    assert taught.isdisjoint(world.rules)
    used: set[str] = set()
    for name in world.lemmas:
        lemma = resolve_lemma(name)
        if lemma.status is Status.THEOREM and lemma.level not in (4, 5, 6):
            script = shortest_script(lemma.formula)
            assert script is not None
            used |= {move.rule for move in script}
    assert set(world.rules) <= used <= {*taught, *world.rules}


@each_world
def test_what_has_a_proof_comes_in_the_order_of_the_shortest_and_something_between_has_none(world: World) -> None:
    lemmas = resolve(f"course/{world.name}").lemmas
    assert [lemma.name for lemma in lemmas] == list(world.lemmas)
    has_proof = [lemma.status is Status.THEOREM for lemma in lemmas]
    assert has_proof != sorted(has_proof, reverse=True)
    theorems = [lemma for lemma in lemmas if lemma.status is Status.THEOREM]
    lengths = [6 * lemma.level - 2 if lemma.level else lemma.shortest or 0 for lemma in theorems]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize("world", course()[:2], ids=lambda world: world.name)
def test_in_the_first_worlds_a_proof_can_be_lost(world: World) -> None:
    losing = [name for name in world.lemmas if _may_be_lost(resolve_lemma(name).formula)]
    assert len(losing) >= 2
    assert len([name for name in world.lemmas if resolve_lemma(name).status is Status.NON_THEOREM]) >= 3


def _may_be_lost(formula: Formula) -> bool:
    """Return True if a move from a state on a shortest proof leaves something without a proof."""
    known, script = lengths(formula), shortest_script(formula)
    states = replay(formula, script) if script else []
    return any(None in known.by_move(state[0]).values() for state in states if state)


@each_world
def test_each_lemma_has_two_sentences_that_fit_a_terminal(world: World) -> None:
    said = [sentence for note in world.notes.values() for sentence in note]
    assert len(set(said)) == len(said)
    for sentence in said:
        assert 20 <= len(sentence) <= 125 and sentence.isascii()
        assert sentence.endswith(".") and sentence.count(". ") == 0
