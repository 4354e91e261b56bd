"""Values that renamed or shuffled states share are the right ones: corresponding moves have equal slots."""

from __future__ import annotations

from random import Random

import pytest

from curricula import resolve_lemma
from oasis.actions import ACTION_SPACES, LEGAL
from oasis.lab.copies import copies
from oasis.rewards import REWARDS
from oasis.splitmix import SplitMix64
from oasis.student.calculus import Embedded
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import q_learning
from oasis.student.memory import Memory
from oasis.student.policy import Tabular, epsilon_greedy
from state_spaces import Match, Name, StateSpace
from tactics.formula import Formula
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.script import replay
from tests.student.pupils import Remembered, exam_of, parameters
from tests.thorough import paired

GOOD_FIRST = "((p -> p) -> g) -> ((p -> q) -> g) -> g"
GOOD_LAST = "((a -> c) -> b) -> ((a -> a) -> b) -> b"
"""The same two hypotheses in the other order and other letters; imply4 on the one with q, here c, is a dead end."""


LEMMAS = ("SYJ203.2", "SYJ203.3", "textbook/or_comm", "textbook/triple_negation", "textbook/iff_trans", GOOD_FIRST)


def trained(space: StateSpace, *lemmas: Formula, episodes: int = 1000) -> Memory:
    memory = Memory(space, ACTION_SPACES["legal"])
    policy = epsilon_greedy(memory, 0.4, SplitMix64.seeded(7))
    for lemma in lemmas:
        environment = PerceivedEnvironment(Embedded(lemma), memory, REWARDS["terminating"](), 100)
        for _ in range(episodes):
            q_learning(environment, memory, policy, parameters(0.7))
    return memory


@pytest.mark.parametrize(("space", "lemma"), paired([Name, Match], LEMMAS, 2))
def test_who_has_learned_one_copy_proves_every_renamed_copy(space: type[StateSpace], lemma: str) -> None:
    learned, *others = copies(resolve_lemma(lemma).formula, 21, Random(lemma))
    untaught, memory = trained(space()), trained(space(), learned)
    exam = exam_of(memory, learned)
    assert exam.share == 1
    assert exam.lengths != exam_of(untaught, learned).lengths
    for copy in others:
        found = exam_of(memory, copy)
        assert set(found.lengths) == set(exam.lengths)
        assert found.share == 1
        assert found.script is not None
        assert all(memory.has_met(state) for state in replay(copy, found.script)[:-1])


def preferred(memory: Memory, lemma: Formula) -> list[str]:
    """What the greedy policy chooses from once both hypotheses are there."""
    state = replay(lemma, [Move("intro")] * 2)[-1]
    (shares,) = Tabular(Remembered(memory), LEGAL).probabilities([state])
    return [str(move) for move, share in zip(legal_moves(state[0]), shares, strict=True) if share]


@pytest.mark.parametrize("space", [Name, Match])
def test_who_has_learned_which_hypothesis_to_use_finds_it_elsewhere(space: type[StateSpace]) -> None:
    lemma, shuffled = parse(GOOD_FIRST), parse(GOOD_LAST)
    assert preferred(trained(space()), shuffled) == ["imply4 H", "imply4 H0"]
    memory = trained(space(), lemma)
    assert preferred(memory, lemma) == ["imply4 H"]
    assert preferred(memory, shuffled) == ["imply4 H0"]
    assert exam_of(memory, lemma).share == 1
