"""Each learner's update on episodes small enough to work out on paper, with γ = 0.9 and α = 1/2."""

import pytest

from oasis.ground.names import LEARNERS
from oasis.play.actions import ACTION_SPACES
from oasis.student.focus import Focus
from oasis.student.memory import Action, Memory, Observation
from state_spaces import Simple
from tests.student.pupils import dictated, empty_memory, environment, parameters, values_by_rule

every_learner = pytest.mark.parametrize("learner", LEARNERS)
FIRST_TARGETS = {**dict.fromkeys(LEARNERS, 0.5), "epsilon-soft": 1.0, "and-or-q": 0.45}
"""What half a step towards a proof in one action comes to; Monte Carlo takes all of it, and goals are worth γ."""
del FIRST_TARGETS["uniform"]
learners_from_targets = pytest.mark.parametrize(("learner", "value"), FIRST_TARGETS.items())
one_step = pytest.mark.parametrize("learner", ["sarsa", "q-learning", "dyna-q"])
with_traces = pytest.mark.parametrize("learner", ["sarsa-lambda", "q-lambda"])
OR_SAME = "p -> p \\/ p"  # left and right lead to the same state
OR_OTHER = "p -> p \\/ q"  # right ends stuck


def never(_: Observation) -> Action:
    """Return a policy that must not be asked."""
    pytest.fail("there is nothing to choose")


def practise(
    learner: str,
    memory: Memory,
    lemma: str,
    *episodes: str,
    reward: str = "terminating",
    max_steps: int = 300,
) -> None:
    """Play episodes, each given as the rules of its moves."""
    proving = environment(lemma, memory, reward, max_steps)
    for episode in episodes:
        LEARNERS[learner].play(proving, memory, dictated(*episode.split()), parameters())


def test_monte_carlo_averages_its_returns() -> None:
    memory = empty_memory()
    practise("epsilon-soft", memory, OR_OTHER, "intro left assumption", "intro right", "intro left assumption")
    # intro: 0.9² proved, 0.9·(-1) stuck, 0.9² proved.
    expected = {"assumption": 1, "left": 0.9, "right": -1, "intro": (0.81 - 0.9 + 0.81) / 3}
    assert values_by_rule(memory) == pytest.approx(expected)


def test_monte_carlo_counts_every_visit() -> None:
    memory = empty_memory("blind")
    practise("epsilon-soft", memory, "p -> p", "split split intro assumption", reward="standard")
    # Returns from behind: 1, 1 + 0.9, -1 + 0.9·1.9 = 0.71 and -1 + 0.9·0.71 = -0.361.
    expected = {"assumption": 1, "intro": 1.9, "split": (0.71 - 0.361) / 2}
    assert values_by_rule(memory) == pytest.approx(expected)


@one_step
def test_one_step_methods_move_a_reward_back_one_step_an_episode(learner: str) -> None:
    memory = empty_memory()
    episode = "intro left assumption"
    practise(learner, memory, OR_SAME, episode)
    assert values_by_rule(memory) == {"assumption": 0.5, "left": 0, "intro": 0}
    practise(learner, memory, OR_SAME, episode)
    assert values_by_rule(memory) == pytest.approx({"assumption": 0.75, "left": 0.5 * 0.9 * 0.5, "intro": 0})
    practise(learner, memory, OR_SAME, episode)
    # left: 0.225 + ½ (0.9·0.75 - 0.225) = 0.45; intro: ½·0.9·0.225.
    assert values_by_rule(memory) == pytest.approx({"assumption": 0.875, "left": 0.45, "intro": 0.10125})


@pytest.mark.parametrize(("learner", "intro"), [("sarsa", 0.0), ("q-learning", 0.10125)])
def test_sarsa_looks_at_the_action_that_follows_and_q_learning_at_the_best(learner: str, intro: float) -> None:
    memory = empty_memory()
    # After two episodes Q(left) is 0.225 and Q(right) 0; then right follows intro.
    practise(learner, memory, OR_SAME, "intro left assumption", "intro left assumption", "intro right assumption")
    # right: ½·0.9·0.75; assumption, the same pair after left and right: 0.75 + ½ (1 - 0.75).
    expected = {"assumption": 0.875, "left": 0.225, "right": 0.3375, "intro": intro}
    assert values_by_rule(memory) == pytest.approx(expected)


@pytest.mark.parametrize("learner", ["sarsa", "q-learning"])
def test_one_step_methods_stop_at_a_dead_end(learner: str) -> None:
    memory = empty_memory()
    practise(learner, memory, OR_OTHER, "intro right", "intro right")
    # right: -½, then -¾: beyond q, a dead end, nothing is looked ahead at. After intro, Q-learning sees left, still 0.
    intro = 0.5 * 0.9 * -0.5 if learner == "sarsa" else 0
    assert values_by_rule(memory) == pytest.approx({"right": -0.75, "intro": intro})


@pytest.mark.parametrize("learner", ["sarsa", "q-learning"])
def test_one_step_methods_look_ahead_where_an_episode_is_cut_short(learner: str) -> None:
    memory = empty_memory()
    practise(learner, memory, OR_SAME, "intro left assumption", "intro left assumption")
    # Sarsa chooses the action that would follow, though it is not taken: three choices in two steps.
    practise(learner, memory, OR_SAME, "intro left assumption", max_steps=2)
    # left: 0.225 + ½ (0.9·0.75 - 0.225), not 0.225 + ½ (0 - 0.225); assumption is not updated.
    assert values_by_rule(memory) == pytest.approx({"assumption": 0.75, "left": 0.45, "intro": 0.10125})


def test_monte_carlo_takes_what_an_episode_cut_short_has_brought() -> None:
    memory = empty_memory()
    practise("epsilon-soft", memory, OR_SAME, "intro left", reward="standard", max_steps=2)
    assert values_by_rule(memory) == pytest.approx({"left": 1, "intro": 1.9})


@pytest.mark.parametrize("learner", ["sarsa", "q-learning"])
def test_an_error_looks_ahead_to_its_own_state(learner: str) -> None:
    memory = empty_memory("blind")
    practise(learner, memory, "p -> p", "split intro assumption", "split split intro assumption", reward="standard")
    # First: split -½, intro ½, assumption ½. Then split -½ + ½ (-1 + 0.9·x + ½), where x is Q(split) = -½ for Sarsa and
    # Q(intro) = ½ for Q-learning; split again, with x = ½ for both; intro ½ + ½ (1 + 0.9·½ - ½); assumption ¾.
    split = -0.975 if learner == "sarsa" else -0.525
    split += 0.5 * (-1 + 0.9 * 0.5 - split)
    assert values_by_rule(memory) == pytest.approx({"split": split, "intro": 0.975, "assumption": 0.75})


@pytest.mark.parametrize("learner", ["sarsa", "q-learning"])
def test_giving_up_the_last_action_ends_an_episode_stuck(learner: str) -> None:
    memory = empty_memory("blind, forgetting")
    practise(learner, memory, "p", "intro split left right assumption contradiction")
    expected = dict.fromkeys(["intro", "split", "left", "right", "assumption"], 0.0)
    assert values_by_rule(memory) == expected | {"contradiction": -0.5}


@every_learner
def test_a_lemma_that_is_stuck_at_once_teaches_nothing(learner: str) -> None:
    memory = empty_memory()
    proving = environment("p", memory)
    LEARNERS[learner].play(proving, memory, never, parameters())
    assert (proving.steps, proving.script, proving.proved) == (0, [], False)
    assert memory.values == []


@learners_from_targets
def test_a_lemma_proved_by_its_first_action_has_its_end_as_its_only_target(learner: str, value: float) -> None:
    memory = empty_memory("simplify")
    practise(learner, memory, "p -> p", "simplify")
    assert values_by_rule(memory) == {"simplify": value}


@with_traces
def test_traces_bring_a_reward_to_the_whole_episode_at_once(learner: str) -> None:
    memory = empty_memory()
    practise(learner, memory, OR_SAME, "intro left assumption")
    # γλ = 0.72: the error 1 of the last step reaches left by 0.72 and intro by 0.72², each by half.
    assert values_by_rule(memory) == pytest.approx({"assumption": 0.5, "left": 0.36, "intro": 0.5 * 0.72**2})


def test_a_trace_is_renewed_and_not_added_up() -> None:
    memory = empty_memory("blind")
    practise("sarsa-lambda", memory, "p -> p", "split split intro", reward="standard", max_steps=2)
    # First -1 + 0.9·0, by half; then -1 + 0.9·0 + ½ = -½ with a trace of 1, and not of 1 + 0.72.
    assert values_by_rule(memory) == {"split": -0.5 - 0.25}


def test_q_lambda_forgets_its_traces_at_an_action_that_is_not_greedy() -> None:
    sarsa, q = empty_memory(), empty_memory()
    for learner, memory in (("sarsa-lambda", sarsa), ("q-lambda", q)):
        practise(learner, memory, OR_SAME, "intro left assumption", "intro right assumption")
    assert values_by_rule(q)["intro"] < values_by_rule(sarsa)["intro"]


def test_planning_repeats_what_is_remembered() -> None:
    memory = empty_memory()
    proving = environment(OR_SAME, memory)
    LEARNERS["dyna-q"].play(proving, memory, dictated("intro", "left", "assumption"), parameters(planning=50))
    planned = values_by_rule(memory)
    # After so many repetitions the values are nearly those of V* along the way.
    assert planned == pytest.approx({"assumption": 1, "left": 0.9, "intro": 0.81}, abs=0.01)
    assert sum(memory.visits) == 3 * 51


def test_and_or_learning_multiplies_over_the_goals_that_a_move_leaves() -> None:
    memory = Memory(Focus(Simple()), ACTION_SPACES["legal"])
    lemma = "(p -> p) /\\ (q -> q)"
    for _ in range(60):
        practise("and-or-q", memory, lemma, "split intro assumption intro assumption")
    # Each conjunct is worth γ², and split γ·γ²·γ²: the discount of five moves.
    assert sorted(value for value in memory.values if value) == pytest.approx([0.9**5, 0.9**2, 0.9**2, 0.9, 0.9])


def test_and_or_learning_gives_a_goal_its_due_though_another_one_fails() -> None:
    memory = Memory(Focus(Simple()), ACTION_SPACES["legal"])
    for _ in range(60):
        practise("and-or-q", memory, "(p -> p) /\\ q", "split intro assumption")
    # The first conjunct is proved, the second is stuck: γ, γ² and nothing for split.
    assert sorted(memory.values) == pytest.approx([0, 0.9**2, 0.9])
