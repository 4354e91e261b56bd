"""What the learners converge to, against exact values: Q-learning to V*, the others to the best ε-soft policy.

Q-learning in a deterministic environment is exact: 1e-6. Monte Carlo averages over the policies it had on the way,
and Sarsa keeps its last steps' noise, so their values at the start are compared within a share of the largest |q|: 0.03
and 0.06, about twice the largest error over ten seeds. V* is further away than that where much depends on chance, and
there it is asserted that they do not reach it. Larger lemmas are those of `tests.lab.test_convergence`.
"""

from itertools import product

import pytest

from curricula.resolve import resolve_lemma
from oasis.play.exam import PLAYS
from oasis.rewards import REWARDS
from oasis.student.memory import Memory
from oasis.student.settings import Settings
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tests.strategies import PAID_BY_KIND
from tests.student.pupils import empty_memory, exam_of, taught
from tests.student.truth import longest_route, solve
from tests.thorough import paired

pytestmark = pytest.mark.slow

SMALL = {
    "SYJ203.1": resolve_lemma("SYJ203.1").formula,
    "and_comm": resolve_lemma("textbook/and_comm").formula,
    "or_comm": parse("p \\/ q -> q \\/ p"),
    "identity or not": parse("p \\/ (p -> p)"),
    "no excluded middle, twice denied": parse("~ ~ (p \\/ ~ p)"),
    "excluded middle": parse("p \\/ ~ p"),
    "Peirce": parse("((p -> q) -> p) -> p"),
    "an atom": parse("p"),
}


def start_value(memory: Memory, lemma: Formula, epsilon: float) -> float:
    """Return (1-ε)·max Q + ε·mean Q in the state in which the proof starts."""
    values = [memory.values[action.pair] for action in memory.observe(initial(lemma)).actions]
    return (1 - epsilon) * max(values) + epsilon * sum(values) / len(values) if values else 0.0


def check_exam(lemma: Formula, settings: Settings, moves: int) -> Memory:
    """Check that a taught student proves in so many moves in every play of the exam, and an untaught one does not."""
    assert set(exam_of(empty_memory(settings.actions), lemma).lengths) != {moves}
    memory = taught(lemma, settings)
    assert exam_of(memory, lemma).lengths == (moves,) * PLAYS
    return memory


def check_q(memory: Memory, lemma: Formula, settings: Settings, *, visits: int) -> None:
    """Check that every pair was updated `visits` times and has its Q*."""
    truth = solve(lemma, settings.actions, REWARDS[settings.reward](), settings.gamma)
    compared = 0
    for state in truth.v:
        for action in memory.observe(state).actions:
            if memory.visits[action.pair] >= visits:
                compared += 1
                assert memory.values[action.pair] == pytest.approx(truth.q[state, action.move], rel=0, abs=1e-6)
    assert compared >= len(truth.q)


@pytest.mark.parametrize("lemma", SMALL.values(), ids=SMALL)
@pytest.mark.parametrize("reward", PAID_BY_KIND)
@pytest.mark.parametrize("space", ["legal", "simplify"])
def test_q_learning_reaches_every_optimal_value(lemma: Formula, reward: str, space: str) -> None:
    settings = Settings(reward=reward, actions=space, episodes=1000, epsilon=1.0)
    check_q(taught(lemma, settings), lemma, settings, visits=30)


@pytest.mark.parametrize(("name", "reward"), paired(["identity or not", "excluded middle"], PAID_BY_KIND, 2))
def test_q_learning_reaches_every_optimal_value_with_errors_and_a_step_limit(name: str, reward: str) -> None:
    # 20 steps cut many episodes short: what is cut off must be made up for by looking ahead.
    settings = Settings(reward=reward, actions="blind", episodes=4000, epsilon=1.0, max_steps=20)
    check_q(taught(SMALL[name], settings), SMALL[name], settings, visits=30)


def decreasing(episode: int) -> float:
    """Return a step size from 1 down to 0.003: large while the values are far off, small at the end."""
    return max(0.003, 1 / (1 + episode / 50))


def check_soft(lemma: Formula, settings: Settings, tolerance: float, *, apart: bool = False) -> None:
    """Check that the start value is the best ε-soft one up to a share of the largest |q|, and, if `apart`, not V*."""
    memory = taught(lemma, settings, decreasing)
    best = solve(lemma, settings.actions, REWARDS[settings.reward](), settings.gamma, float(settings.epsilon))
    tolerance *= max(map(abs, best.q.values()), default=1.0)
    found = start_value(memory, lemma, float(settings.epsilon))
    assert found == pytest.approx(best.v[initial(lemma)], abs=tolerance)
    if apart:
        optimal = solve(lemma, settings.actions, REWARDS[settings.reward](), settings.gamma).v[initial(lemma)]
        assert abs(optimal - found) > tolerance


@pytest.mark.parametrize(("learner", "episodes", "tolerance"), [("epsilon-soft", 3000, 0.03), ("sarsa", 6000, 0.06)])
@pytest.mark.parametrize(("name", "paid"), paired(SMALL, product(PAID_BY_KIND, ["legal", "simplify"]), 4))
def test_who_explores_reaches_the_best_epsilon_soft_value(
    name: str, paid: tuple[str, str], learner: str, episodes: int, tolerance: float
) -> None:
    settings = Settings(learner=learner, reward=paid[0], actions=paid[1], episodes=episodes)
    check_soft(SMALL[name], settings, tolerance, apart=name == "or_comm")


@pytest.mark.parametrize("learner", ["epsilon-soft", "sarsa"])
def test_the_best_epsilon_soft_value_is_reached_among_errors_too(learner: str) -> None:
    settings = Settings(learner=learner, actions="blind", episodes=6000)
    check_soft(SMALL["SYJ203.1"], settings, 0.06, apart=True)


@pytest.mark.parametrize(("level", "moves"), [(1, 8), (2, 24)])
def test_under_standard_the_greedy_policy_learns_the_longest_route(level: int, moves: int) -> None:
    lemma = resolve_lemma(f"SYJ203.{level}").formula
    assert longest_route(lemma) == moves
    memory = check_exam(lemma, Settings(reward="standard", episodes=8000), moves)
    assert start_value(memory, lemma, 0.0) == pytest.approx((1 - 0.9**moves) / (1 - 0.9), abs=1e-6)


@pytest.mark.parametrize(("gamma", "moves"), [(0.5, 4), (0.9, 4), (0.98, 4), (0.995, 8), (1.0, 8)])
def test_under_standard_qed_short_proofs_win_only_below_a_discount_of_99_percent(gamma: float, moves: int) -> None:
    lemma = SMALL["SYJ203.1"]
    check_exam(lemma, Settings(reward="standard-qed", gamma=gamma, episodes=2000), moves)
