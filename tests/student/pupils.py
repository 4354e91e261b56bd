"""What the tests of this room share: a student without a store, policies that do as they are told, and small lemmas."""

from collections.abc import Callable

from hypothesis import strategies as st

from oasis.ground.names import LEARNERS
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES
from oasis.play.exam import PLAYS, Exam, examine
from oasis.rewards import REWARDS
from oasis.student.calculus import Embedded
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import Parameters
from oasis.student.memory import Action, Memory, Observation
from oasis.student.policy import Choose, Tabular, epsilon_greedy
from oasis.student.schedules import Rate
from oasis.student.settings import Settings
from state_spaces import Simple
from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.parser import parse
from tests.strategies import PLAIN_NAMES, formulas

SPACES = {"legal": False, "blind": False, "blind, forgetting": True, "simplify": False}
"""The action spaces that a student can have, and whether it forgets errors in them."""


def empty_memory(space: str = "legal") -> Memory:
    """Return a memory over Simple, with one of the `SPACES`."""
    return Memory(Simple(), ACTION_SPACES[space.split(",")[0]], forget_errors=SPACES[space])


def environment(
    lemma: Formula | str, memory: Memory, reward: str = "terminating", max_steps: int = 300
) -> PerceivedEnvironment:
    """Return an environment for a lemma, with the names of the command line."""
    formula = parse(lemma) if isinstance(lemma, str) else lemma
    return PerceivedEnvironment(Embedded(formula), memory, REWARDS[reward](), max_steps)


def parameters(
    alpha: float = 0.5, gamma: float = 0.9, trace_decay: float = 0.8, planning: int = 0, seed: int = 0
) -> Parameters:
    """Return the parameters of a learner with a constant step size."""
    return Parameters(Rate(alpha, 0.0), gamma, 0.0, trace_decay, planning, SplitMix64.seeded(seed))


def taught(formula: Formula, settings: Settings, alpha: Callable[[int], float] | None = None) -> Memory:
    """Return a student's memory after all episodes; `alpha` gives the step size of an episode, counted from 0."""
    memory = empty_memory(settings.actions)
    lemma = environment(formula, memory, settings.reward, settings.max_steps)
    given = parameters(float(settings.alpha), settings.gamma, settings.trace_decay, settings.planning, settings.seed)
    policy = epsilon_greedy(memory, float(settings.epsilon), given.rng)
    for episode in range(settings.episodes):
        rate = Rate(alpha(episode), 0.0) if alpha else given.alpha
        LEARNERS[settings.learner].play(lemma, memory, policy, given._replace(alpha=rate))
    return memory


class Remembered:
    """The values of a memory, asked without learning from it."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def q_values(self, state: State) -> dict[Move, float]:
        """Return the values of a state's actions, as a student tells them."""
        memory = self._memory
        if memory.has_met(state):
            return {action.move: memory.values[action.pair] for action in memory.observe(state).actions}
        return dict.fromkeys(memory.action_space.actions(state), memory.initial_value)


def exam_of(memory: Memory, lemma: Formula, plays: int = PLAYS) -> Exam:
    """Return the exam of the greedy policy of a memory."""
    space = memory.action_space
    return examine(Tabular(Remembered(memory), space), lemma, plays=plays, space=space)


def dictated(*rules: str) -> Choose:
    """Return a policy that takes the only action of each rule, in this order."""
    remaining = iter(rules)

    def choose(observation: Observation) -> Action:
        rule = next(remaining)
        (action,) = [action for action in observation.actions if action.move.rule == rule]
        return action

    return choose


def values_by_rule(memory: Memory) -> dict[str, float]:
    """Return Q of every pair that was updated, by rule; for lemmas in which no rule has two such pairs."""
    _, records = memory.changes()
    by_rule = {record.slot[0]: record.value for record in records if record.visits}
    assert len(by_rule) == sum(record.visits > 0 for record in records)
    return by_rule


def lemmas(max_size: int = 12) -> st.SearchStrategy[Formula]:
    """Formulas whose whole graph of states is small."""
    return formulas(PLAIN_NAMES, max_steps=4, max_size=max_size)
