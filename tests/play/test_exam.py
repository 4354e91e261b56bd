"""Policies that know nothing, how their moves are drawn, and the exam: many plays, ties by lot, nothing learned."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from math import inf, nan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.library import textbook_lemma, thesis_lemma
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES, attempt
from oasis.play.exam import PLAYS, Exam, examine, graded, stream
from oasis.play.policy import Floats, Ordered, Policy, Uniform, draw
from oasis.student.compiled.student import CompiledStudent
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import legal_moves
from tactics.script import Script, replay
from tests.student.plugins import Insistent
from tests.student.pupils import lemmas
from tests.student.twins import compiled

LEMMA = thesis_lemma("42").formula
CHOICE = parse("p -> q \\/ (r \\/ p)")  # intro, right, right, assumption; every left is a dead end


@pytest.mark.parametrize("space", ACTION_SPACES)
@given(lemma=lemmas())
def test_the_uniform_player_likes_all_actions_the_same(space: str, lemma: Formula) -> None:
    state, actions = initial(lemma), ACTION_SPACES[space].actions(initial(lemma))
    policy = Uniform(ACTION_SPACES[space])
    found, nothing = policy.probabilities([state, ()])
    assert found.tolist() == [1 / len(actions) for _ in actions]
    assert nothing.tolist() == []
    assert policy.values(state) is None


def test_policies_that_know_nothing_answer_about_states_without_actions_too() -> None:
    states = [initial(parse("p")), initial(parse("p \\/ q")), ()]
    for policy, shares in ((Uniform(), [0.5, 0.5]), (Ordered(0), [1, 0]), (Ordered(-1), [0, 1])):
        assert [each.tolist() for each in policy.probabilities(states)] == [[], shares, []]
        assert policy.probabilities([]) == []


@pytest.mark.parametrize("shares", [[0.0, 0.5, 0.5], [0.1, 0.2, 0.7], [0.0, 0.25, 0.0, 0.75], [1e-3, 0.999]])
def test_each_is_drawn_as_often_as_is_likely(shares: list[float]) -> None:
    rng, number = SplitMix64.seeded(3), 10_000
    drawn = Counter(draw(np.array(shares), rng) for _ in range(number))
    for place, share in enumerate(shares):
        assert drawn[place] / number == pytest.approx(share, abs=5 * sqrt(share * (1 - share) / number) + 1e-12)


@given(st.lists(st.floats(0, 1), max_size=6), st.integers(0, 2**64 - 1))
def test_what_is_drawn_is_possible(shares: list[float], seed: int) -> None:
    place = draw(np.array(shares), SplitMix64(seed))
    assert (place is None) == (not any(shares))
    assert place is None or shares[place] > 0


def test_no_lot_is_drawn_where_one_thing_is_left() -> None:
    rng = SplitMix64.seeded(1)
    before = rng.state
    assert draw(np.array([0.0, 1.0]), rng) == 1
    assert draw(np.array([0.0, 0.0]), rng) is None
    assert draw(np.zeros(0), rng) is None
    assert rng.state == before


@given(st.integers(0, 2**64 - 1))
def test_a_stream_of_random_numbers_gives_what_asking_again_and_again_gives(state: int) -> None:
    one_by_one = SplitMix64(state)
    assert list(islice(SplitMix64(state).stream(), 150)) == [one_by_one.next() for _ in range(150)]


# The exam


class Odd(Uniform):
    """A policy that answers with any given value."""

    def __init__(self, given: Any) -> None:
        self._given = given

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        given: list[Floats] = self._given
        return given


def chance(policy: Policy, lemma: Formula, space: str = "legal", max_steps: int = 200) -> float:
    """Return the exact probability that a play ends in a proof, by dynamic programming over states and steps left."""
    actions = ACTION_SPACES[space]

    @cache
    def proves(state: State, steps: int) -> float:
        if not state:
            return 1.0
        (shares,) = policy.probabilities([state])
        if not steps or not shares.any():
            return 0.0
        offered = actions.actions(state)
        ways = [(share, actions.perform(state, move, attempt)[0]) for move, share in zip(offered, shares, strict=True)]
        return float(sum(share * proves(after, steps - 1) for share, after in ways if share))

    return proves(initial(lemma), max_steps)


def check_share(exam: Exam, expected: float) -> None:
    """Check the share of passed plays up to five standard deviations."""
    assert exam.share == pytest.approx(expected, abs=5 * sqrt(expected * (1 - expected) / exam.plays) + 1e-12)


def test_a_policy_that_always_proves_passes_every_play_and_one_that_never_does_none() -> None:
    exam = examine(Insistent("assumption", "intro", "right"), CHOICE)
    script = tuple(Move(rule) for rule in ("intro", "right", "right", "assumption"))
    assert exam == Exam(PLAYS, (4,) * PLAYS, script)
    assert (exam.proved, exam.share, exam.median, exam.of_median_play, exam.best) == (PLAYS, 1.0, 4.0, 4.0, 4)
    exam = examine(Insistent("left"), CHOICE)
    assert exam == Exam(PLAYS, (), None)
    assert (exam.proved, exam.share, exam.median, exam.of_median_play, exam.best) == (0, 0.0, None, None, None)
    assert examine(Uniform(), parse("p")).proved == examine(Uniform(), parse("p \\/ ~ p")).proved == 0


MANY = "The policy Odd has to give 1 probabilities, one for each action, not"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        *(([shares], MANY) for shares in ([nan], [inf], [-1.0], [0.5, 0.5], [], [[1.0]])),
        ([[1.0], [1.0]], "The policy Odd is asked about 1 states and answers about 2"),
        *(([[share]], f"of the policy Odd are {share:g} together, and not 1; divide them") for share in (0.5, 8.0)),
    ],
)
def test_what_is_no_probability_for_each_action_is_refused(given: list[list[Any]], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        examine(Odd(given), CHOICE)


def test_a_class_instead_of_a_policy_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match=r"Uniform is a class and not a policy; make one with Uniform\(\)"):
        examine(Uniform, CHOICE)  # type: ignore[arg-type]


@pytest.mark.parametrize("lemma", [LEMMA, textbook_lemma("or_over_and").formula, CHOICE], ids=show)
@pytest.mark.parametrize(("space", "max_steps"), [("legal", 200), ("legal", 9), ("blind", 15), ("simplify", 200)])
def test_the_uniform_player_passes_as_often_as_chance_says(lemma: Formula, space: str, max_steps: int) -> None:
    policy = Uniform(ACTION_SPACES[space])
    exam = examine(policy, lemma, plays=1000, seed=4, max_steps=max_steps, space=ACTION_SPACES[space])
    check_share(exam, chance(policy, lemma, space, max_steps))


def test_a_play_ends_at_its_last_step() -> None:
    knows = Insistent("assumption", "intro", "right")
    assert examine(knows, CHOICE, max_steps=4).share == 1
    assert examine(knows, CHOICE, max_steps=3).share == 0
    assert examine(knows, CHOICE, max_steps=0) == Exam(PLAYS, (), None)


def test_a_policy_that_knows_no_move_is_asked_once() -> None:
    asked = 0

    class Helpless(Uniform):
        def probabilities(self, states: Sequence[State]) -> list[Floats]:
            nonlocal asked
            asked += 1
            return [np.zeros_like(shares) for shares in super().probabilities(states)]

    assert examine(Helpless(), CHOICE) == Exam(PLAYS, (), None)
    assert asked == 1


def one_by_one(policy: Policy, lemma: Formula, plays: int, seed: int, max_steps: int) -> Exam:
    """Hold the same exam, one play after the other."""
    proofs: list[Script] = []
    for number in range(plays):
        state, script, rng = initial(lemma), [], stream(seed, number)
        for _ in range(max_steps):
            if not state or (chosen := draw(policy.probabilities([state])[0], rng)) is None:
                break
            script.append(legal_moves(state[0])[chosen])
            state = replay(lemma, script)[-1]
        if not state:
            proofs.append(tuple(script))
    return graded(plays, proofs)


class Mixture(Uniform):
    """Two policies, of which each step follows the second with a given probability."""

    def __init__(self, policy: Policy, other: Policy, share: float) -> None:
        self._policy, self._other, self._share = policy, other, share

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        both = zip(self._policy.probabilities(states), self._other.probabilities(states), strict=True)
        return [(1 - self._share) * one + self._share * other for one, other in both]


@given(lemmas(), st.integers(0, 2**32), st.integers(1, 12), st.floats(0, 1))
def test_plays_side_by_side_are_plays_one_by_one(lemma: Formula, seed: int, max_steps: int, share: float) -> None:
    policy = Mixture(Uniform(), Insistent("intro", "split"), share)
    exam = examine(policy, lemma, plays=6, seed=seed, max_steps=max_steps)
    assert exam == one_by_one(policy, lemma, 6, seed, max_steps)


def test_the_same_seed_is_the_same_exam_and_every_proof_of_it_proves_the_lemma() -> None:
    exam, same, other = (examine(Uniform(), LEMMA, seed=seed) for seed in (5, 5, 500))
    assert exam == same != other
    assert exam.script is not None
    assert replay(LEMMA, exam.script)[-1] == ()
    assert len(exam.script) == min(exam.lengths)


def test_the_median_play_counts_those_without_a_proof() -> None:
    assert [Exam(3, lengths, None).of_median_play for lengths in ((5, 7), (5,))] == [7, None]
    assert [Exam(4, lengths, None).of_median_play for lengths in ((4, 6, 9), (4, 6))] == [7.5, None]
    assert [Exam(len(lengths), lengths, None).of_median_play for lengths in ((2,), ())] == [2, None]


STUDENTS = {
    "q-learning": Settings(episodes=60, seed=1),
    "blind, forgetting": Settings(actions="blind", forget_errors=True, max_steps=30, episodes=60, seed=2),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", STUDENTS)
def test_a_student_is_the_same_after_an_exam(kind: str) -> None:
    settings = STUDENTS[kind]
    plain, (fast, world) = PlainStudent(settings), compiled(settings)
    for student in (plain, fast):
        student.practise(LEMMA, 5)
    memory, arrays = plain.memory, fast.memory
    before = [list(memory.values), list(memory.visits), plain.states, plain.rng.state]
    bits = [array.tobytes() for array in (arrays.pairs, arrays.first_pair[: world.size], arrays.counts, arrays.rng)]
    memory.changes()
    exams = [student.examine(lemma) for lemma in (LEMMA, CHOICE) for student in (plain, fast, plain)]
    assert exams[0] == exams[1] == exams[2]
    assert exams[3] == exams[4] == exams[5]
    assert [list(memory.values), list(memory.visits), plain.states, plain.rng.state] == before
    assert memory.changes() == ([], [])
    now = [array.tobytes() for array in (arrays.pairs, arrays.first_pair[: world.size], arrays.counts, arrays.rng)]
    assert now[0] == bits[0]
    assert now[2:] == bits[2:]
    examined = [each.tolist() for each in fast.practise(LEMMA, 5)]
    assert examined == [each.tolist() for each in plain.practise(LEMMA, 5)]
    left_alone = CompiledStudent(settings, world)
    left_alone.practise(LEMMA, 5)
    assert examined == [each.tolist() for each in left_alone.practise(LEMMA, 5)]
