"""The learners: each is one function that plays one episode and learns from it, and what else is to be said of it.

A(s) is `observation.actions`, empty when the episode has terminated, so the target of a last step is its reward alone.
An episode cut short by the step limit has not terminated: temporal differences look ahead from its last step as from
any other; Monte Carlo takes what it got. The same learners on integer arrays are in `oasis.student.compiled`; these
here say what those have to do. To add a learner is to write one function with its `Learner`, and its compiled twin,
which that names (`Learner.compiled`) and `tests/student/test_compiled.py` holds against it; and one entry in
`oasis.ground.names.LEARNERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from oasis.ground.names import LEARNERS
from oasis.ground.registry import brought, imported
from oasis.ground.splitmix import SplitMix64
from oasis.student.schedules import AVERAGE, Rate
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.student.environment import PerceivedEnvironment
    from oasis.student.memory import Action, Memory, Observation
    from oasis.student.policy import Choose


class Parameters(NamedTuple):
    """What learners are given beside the environment; none uses all of it.

    Attributes:
        alpha: the step size, above 0 and up to 1.
        gamma: the discount, in [0, 1].
        epsilon: how often the student explores in this episode, in [0, 1].
        trace_decay: λ, in [0, 1].
        planning: planning steps after each real one.
        rng: where chance comes from.
    """

    alpha: Rate
    gamma: float
    epsilon: float
    trace_decay: float
    planning: int
    rng: SplitMix64


Play = Callable[["PerceivedEnvironment", "Memory", "Choose", Parameters], None]
"""(environment, q, policy, parameters): one episode."""


@dataclass(frozen=True)
class Learner:
    """A way to learn.

    Attributes:
        play: one episode, in plain Python.
        compiled: where the same is as a generator on integer arrays, as `module:function` (`oasis.student.compiled`);
            None if it is not, and the student is slower by a factor of a hundred.
        on_policy: whether its values are those of the policy that it follows; otherwise of the greedy one.
        of_goals: whether its values are those of single goals, so that a key is that of the focused goal.
        traces: whether it keeps eligibility traces.
        model: whether it remembers what came of each pair.
        learns: whether its values ever change.
        rewarded: whether rewards make a difference to it.
        ignores: other settings that make none, of those that comparisons vary.
    """

    play: Play
    compiled: str | None = None
    on_policy: bool = False
    of_goals: bool = False
    traces: bool = False
    model: bool = False
    learns: bool = True
    rewarded: bool = True
    ignores: tuple[str, ...] = ()

    def generator(self) -> Callable[..., Any]:
        """The compiled form. Raises ValueError if there is none."""
        if self.compiled is None:
            name = getattr(self.play, "__name__", repr(self.play))
            raise ValueError(f"{name} has no compiled form: name it in its entry, compiled='module:function'")
        found: Callable[..., Any] = imported(self.compiled)
        return found


def learner(name: str) -> Learner:
    """One of `LEARNERS`, or `module:object` for a Learner of somebody's own. Raises InputError if there is none."""
    found = LEARNERS.looked_up(name)
    if not isinstance(found, Learner):
        module, _, attribute = name.partition(":")
        is_function = callable(found) and not isinstance(found, type)
        todo = f"; write NAME = Learner({attribute}) there, and --learner {module}:NAME." if is_function else "."
        what = f"is to be an oasis.student.learners.Learner, not a {type(found).__name__}"
        raise InputError(f"--learner {name} {what}{todo}")
    if name not in LEARNERS and found.compiled is not None:
        brought("compiled", found.compiled)  # told before any work if it is not there
    return found


class Step(NamedTuple):
    """A step of an episode: S, A, R, S' and, for those who ask for it, A'.

    Attributes:
        before: the observation that the action was chosen at.
        pair: the number of the state-action pair.
        reward: what it paid.
        after: the observation behind it; its actions are none if the episode has terminated.
        following: the number of the next pair, if it was chosen before the step was given and there is one.
    """

    before: Observation
    pair: int
    reward: float
    after: Observation
    following: int | None


def steps(environment: PerceivedEnvironment, policy: Choose, *, ahead: bool = False) -> Iterator[Step]:
    """Play one episode and give its steps; who is given one learns from it before the next one is made.

    Args:
        environment: where.
        policy: what chooses.
        ahead: whether the next action is chosen before a step is given.
    """
    observation, _ = environment.reset()
    action, truncated = None, False
    while observation.actions and not truncated:
        before, action = observation, action or policy(observation)
        observation, reward, _, truncated, _ = environment.step(action)
        following = policy(observation) if ahead and observation.actions else None
        yield Step(before, action.pair, reward, observation, following and following.pair)
        action = following


def uniform(environment: PerceivedEnvironment, _: Memory, __: Choose, parameters: Parameters) -> None:
    """No learner: any action is as likely as any other. What the others have to beat."""

    def policy(observation: Observation) -> Action:
        return observation.actions[parameters.rng.below(len(observation.actions))]

    for _step in steps(environment, policy):
        pass


def epsilon_soft(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Every-visit Monte Carlo control; a value is the average return. Sutton & Barto (2018), 5.4; thesis, 4.2.1."""
    discounted_return = 0.0
    for step in reversed([*steps(environment, policy)]):
        discounted_return = step.reward + parameters.gamma * discounted_return
        q.update(step.pair, discounted_return, AVERAGE)


def sarsa(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """On-policy temporal differences. Sutton & Barto (2018), 6.4; thesis (4.1)."""
    for step in steps(environment, policy, ahead=True):
        q.update(step.pair, _on_policy(step, q, parameters.gamma), parameters.alpha)


def q_learning(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Off-policy temporal differences. Sutton & Barto (2018), 6.5; thesis (4.2)."""
    for step in steps(environment, policy):
        q.update(step.pair, _off_policy(step.reward, step.after, q, parameters.gamma), parameters.alpha)


def sarsa_lambda(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Sarsa(λ) with replacing traces. Sutton & Barto (2018), 12.7, for a table."""
    traces: dict[int, float] = {}
    for step in steps(environment, policy, ahead=True):
        _spread(step.pair, _on_policy(step, q, parameters.gamma), q, traces, parameters)


def q_lambda(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Watkins's Q(λ): as `sarsa_lambda`, but no trace outlives an action that is not greedy.

    Watkins (1989); Sutton & Barto (2018), 12.10, for a table.
    """
    traces: dict[int, float] = {}
    for step in steps(environment, policy, ahead=True):
        is_greedy = step.following is None or q.values[step.following] == q.best(step.after)
        _spread(step.pair, _off_policy(step.reward, step.after, q, parameters.gamma), q, traces, parameters)
        if not is_greedy:
            traces.clear()


def dyna_q(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Q-learning that also learns from what it remembers, at random. Sutton & Barto (2018), 8.2."""
    for step in steps(environment, policy):
        q.update(step.pair, _off_policy(step.reward, step.after, q, parameters.gamma), parameters.alpha)
        q.remember(step.pair, step.reward, step.after.state)
        for _ in range(parameters.planning):
            pair = q.tried[parameters.rng.below(len(q.tried))]
            reward, after = q.model[pair]
            q.update(pair, _off_policy(reward, q.observe(after), q, parameters.gamma), parameters.alpha)


def and_or_q(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """Q-learning on goals: a move is worth γ times the product of what the goals are worth that it leaves.

    A goal without moves is worth 0 and no goal left is worth 1, so that a goal with a shortest proof of L moves comes
    to γ^L, whatever else is open. Rewards are not asked for. Q(g, m) ← Q(g, m) + α (γ Π max Q(g', ·) - Q(g, m)): the
    goals are the OR nodes and the moves the AND nodes of Nilsson (1980), 3.1. An episode is learned from when it is
    over, from its last move to its first, so that what its end has shown is known at its beginning. The memory's keys
    must be those of single goals (`oasis.student.focus`).
    """
    for step in reversed([*steps(environment, policy)]):
        waiting = len(step.before.state) - 1
        goals = [q.observe((goal,)) for goal in step.after.state[: len(step.after.state) - waiting]]
        worth = prod(q.best(goal) if goal.actions else 0.0 for goal in goals)
        q.update(step.pair, parameters.gamma * worth, parameters.alpha)


def _on_policy(step: Step, q: Memory, gamma: float) -> float:
    """The target of Sarsa."""
    return step.reward if step.following is None else step.reward + gamma * q.values[step.following]


def _off_policy(reward: float, after: Observation, q: Memory, gamma: float) -> float:
    """The target of Q-learning."""
    return reward + gamma * q.best(after) if after.actions else reward


def _spread(pair: int, target: float, q: Memory, traces: dict[int, float], parameters: Parameters) -> None:
    """Renew the trace of a pair, give every pair with a trace its share of the error, and let the traces decay."""
    error = target - q.values[pair]
    q.visit(pair)
    traces[pair] = 1.0
    for traced, trace in traces.items():
        q.shift(traced, error * trace, parameters.alpha)
        traces[traced] = trace * (parameters.gamma * parameters.trace_decay)


_COMPILED: Final = "oasis.student.compiled.learners"
_OF_TRACES_AND_PLANS: Final = ("trace_decay", "planning")
UNIFORM: Final = Learner(
    uniform,
    f"{_COMPILED}:uniform_player",
    learns=False,
    rewarded=False,
    ignores=("epsilon", "alpha", "gamma", *_OF_TRACES_AND_PLANS, "initial_value"),
)
EPSILON_SOFT: Final = Learner(
    epsilon_soft, f"{_COMPILED}:epsilon_soft", on_policy=True, ignores=("alpha", *_OF_TRACES_AND_PLANS)
)
SARSA: Final = Learner(sarsa, f"{_COMPILED}:sarsa", on_policy=True, ignores=_OF_TRACES_AND_PLANS)
Q_LEARNING: Final = Learner(q_learning, f"{_COMPILED}:q_learning", ignores=_OF_TRACES_AND_PLANS)
SARSA_LAMBDA: Final = Learner(
    sarsa_lambda, f"{_COMPILED}:sarsa_lambda", on_policy=True, traces=True, ignores=("planning",)
)
Q_LAMBDA: Final = Learner(q_lambda, f"{_COMPILED}:q_lambda", traces=True, ignores=("planning",))
DYNA_Q: Final = Learner(dyna_q, f"{_COMPILED}:dyna_q", model=True, ignores=("trace_decay",))
AND_OR_Q: Final = Learner(
    and_or_q, f"{_COMPILED}:and_or_q", of_goals=True, rewarded=False, ignores=_OF_TRACES_AND_PLANS
)
