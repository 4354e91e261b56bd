"""Values that renamed or shuffled states share are the right ones: corresponding moves have equal slots."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from curricula import resolve_lemma
from oasis.actions import ACTION_SPACES
from oasis.lab.copies import copies
from oasis.rewards import REWARDS
from oasis.splitmix import SplitMix64
from oasis.student.calculus import Embedded
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import q_learning
from oasis.student.memory import Memory
from oasis.student.policy import epsilon_greedy, greedy
from oasis.student.training import play
from state_spaces import Match, Name, StateSpace, View
from tactics.formula import Formula
from tactics.goal import State
from tactics.parser import parse
from tactics.printer import show
from tactics.script import replay
from tests.student.pupils import parameters

GOOD_FIRST = "((p -> p) -> g) -> ((p -> q) -> g) -> g"
GOOD_LAST = "((a -> c) -> b) -> ((a -> a) -> b) -> b"
"""The same two hypotheses in the other order and other letters; imply4 on the one with q, here c, is a dead end."""


class MatchWithoutSlots(Match):
    """A test double: the keys of Match, but of hypotheses of one form the first that is met is called the first."""

    def view(self, state: State) -> View:
        positions: dict[str, str | int] = {}
        seen: Counter[str] = Counter()
        for name, formula in state[0].hypotheses if state else ():
            form = re.sub(r"\w+", "·", show(formula, sugar=False))
            seen[form] += 1
            positions[name] = f"{form} {seen[form]}"
        return View(super().view(state).key, positions)


def trained(space: StateSpace, *lemmas: Formula, episodes: int = 1000) -> Memory:
    memory = Memory(space, ACTION_SPACES["legal"])
    policy = epsilon_greedy(memory, 0.4, SplitMix64.seeded(7))
    for lemma in lemmas:
        environment = PerceivedEnvironment(Embedded(lemma), memory, REWARDS["terminating"](), 100)
        for _ in range(episodes):
            q_learning(environment, memory, policy, parameters(0.7))
    return memory


def greedily(memory: Memory, lemma: Formula) -> PerceivedEnvironment:
    environment = PerceivedEnvironment(Embedded(lemma), memory, REWARDS["terminating"](), 100)
    play(environment, greedy(memory))
    return environment


@pytest.mark.parametrize("space", [Name, Match])
@pytest.mark.parametrize(
    "lemma", ["SYJ203.2", "SYJ203.3", "textbook/or_comm", "textbook/triple_negation", "textbook/iff_trans", GOOD_FIRST]
)
def test_who_has_learned_one_copy_proves_every_renamed_copy(space: type[StateSpace], lemma: str) -> None:
    learned, *others = copies(resolve_lemma(lemma).formula, 21, Random(lemma))
    memory = trained(space(), learned)
    shortest = greedily(memory, learned)
    assert shortest.proved
    known = memory.size
    for copy in others:
        played = greedily(memory, copy)
        assert replay(copy, played.script)[-1] == ()
        # An atom called H takes that name from the first hypothesis, so names may differ.
        assert [move.rule for move in played.script] == [move.rule for move in shortest.script]
    assert memory.size == known


@pytest.mark.parametrize("space", [Name, Match])
def test_who_has_learned_which_hypothesis_to_use_finds_it_elsewhere(space: type[StateSpace]) -> None:
    lemma, shuffled = parse(GOOD_FIRST), parse(GOOD_LAST)
    memory = trained(space(), lemma)
    played = greedily(memory, shuffled)
    assert played.proved
    assert replay(shuffled, played.script)[-1] == ()
    assert [str(move) for move in greedily(memory, lemma).script if move.rule == "imply4"] == ["imply4 H"]
    assert [str(move) for move in played.script if move.rule == "imply4"] == ["imply4 H0"]


def test_equal_keys_without_equal_slots_teach_a_wrong_move() -> None:
    lemma, shuffled = parse(GOOD_FIRST), parse(GOOD_LAST)
    memory = trained(MatchWithoutSlots(), lemma)
    assert greedily(memory, lemma).proved
    misled = greedily(memory, shuffled)
    assert not misled.proved
    assert next(str(move) for move in misled.script if move.rule == "imply4") == "imply4 H"
