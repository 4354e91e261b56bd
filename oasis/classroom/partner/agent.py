"""An artificial student at one lemma: it plays and learns, can be watched at every step, asked, shown and switched.

The learners are those of `oasis.student`, untouched: somebody who watches is let in by the environment, before each
step, when everything learned so far is in the values and the next move is chosen. There they may ask, change and
show, and an episode that is not gone on with is left by an exception.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from math import inf
from typing import Any, Final

from oasis.classroom.partner.allowed import Allowed
from oasis.classroom.partner.beliefs import Belief, Beliefs, epsilon_soft_shares
from oasis.classroom.partner.opinions import Opinion, Reason, of_table, why_by_table
from oasis.classroom.partner.partner import BeforeStep, Partner
from oasis.classroom.partner.plan import Planned
from oasis.classroom.partner.switches import KEPT_THROUGH, called
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import attempt
from oasis.play.exam import Exam, examine
from oasis.play.policy import Policy, draw
from oasis.rewards import asked
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import learner
from oasis.student.memory import Action, Observation
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import dictated, exam_seed, exploration
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.printer import Notation
from tactics.rules import RULES
from tactics.script import Script

_TABLE: Final = "table"
EXAM_PLAYS: Final = 20
"""Plays in an exam: few enough that somebody who watches does not wait."""
MOST_SHOWN: Final = 300
"""Times that a proof is played to learn from it."""
SETTLED: Final = 0.001
"""Of the largest value along a proof: if none changes by more, playing the proof once more teaches little."""


class Agent(Partner):
    """What it does depends on the lemma, the settings and what it is asked to do, in that order, alone.

    Args:
        formula: the lemma.
        settings: how it learns, and its seed; `backend` is not looked at, moves are made in the calculus of `tactics`.
        rules: the rules that it may use.
    """

    _student: PlainStudent
    _exam: tuple[int, Exam] | None  # the last one, and the number of the episode before which it was

    def __init__(self, formula: Formula, settings: Settings, rules: Collection[str] = tuple(RULES)) -> None:
        self.settings = settings
        super().__init__(formula, rules)

    @property
    def states(self) -> int:
        """The number of states that it remembers."""
        return self._student.states

    @property
    def epsilon(self) -> float:
        """The share of actions that it chooses at random in its present or next episode; 1 if it is uniform."""
        if not learner(self.settings.learner).learns:
            return 1.0
        return exploration(self.settings, self._number)

    def practise(self, episodes: int) -> None:
        """Play so many episodes and learn from them."""
        for _ in range(episodes):
            self.episode()

    def beliefs(self, state: State) -> Beliefs:
        """What it makes of a state; asking does not make it meet the state."""
        memory = self._student.memory
        met = self.has_met(state)
        if met:
            actions = memory.observe(state).actions
            known = [(move, memory.values[pair], memory.visits[pair]) for move, pair in actions]
        else:
            known = [(move, self.settings.initial_value, 0) for move in memory.action_space.actions(state)]
        shares = epsilon_soft_shares([value for _, value, _ in known], self.epsilon)
        return Beliefs(met, tuple(Belief(*each, *share) for each, share in zip(known, shares, strict=True)))

    def opinion(self, state: State) -> Opinion:
        """What its table says of a state."""
        beliefs = self.beliefs(state)
        moves = tuple(each.move for each in beliefs.actions)
        return Opinion(moves, (of_table(beliefs, _TABLE),) if moves else (), _TABLE if moves else "")

    def why(self, state: State, notation: Notation) -> Reason:
        """The values that its choice comes from."""
        return why_by_table(self.beliefs(state), _TABLE)

    def has_met(self, state: State) -> bool:
        """Whether it knows a state, or one that is the same to it."""
        return bool(state) and self._student.memory.has_met(state)

    def policy(self, epsilon: float = 0.0) -> Policy:
        """Its policy as it is whenever it is asked, with a share of random actions."""
        return self._student.policy(epsilon=epsilon)

    def greedy_play(self, state: State, rng: SplitMix64) -> Move | None:
        """The first action of a greedy play from a state on, ties by lot, if it ends in a proof; else None."""
        policy, space = self._student.policy(), self._student.memory.action_space
        first: Move | None = None
        for _ in range(self.settings.max_steps):
            chosen = draw(policy.probabilities([state])[0], rng)
            if chosen is None:
                return None
            action = space.actions(state)[chosen]
            first = first or action
            state, _moves = space.perform(state, action, attempt)
            if not state:
                return first
        return None

    def exam(self) -> Exam:
        """The exam of its greedy policy; asked again before another episode it is the same one."""
        if self._exam is None or self._exam[0] != self._number:
            policy, space = self._student.policy(), self._student.memory.action_space
            seed, most = exam_seed(self.settings, self._number), self.settings.max_steps
            found = examine(policy, self.formula, plays=EXAM_PLAYS, seed=seed, max_steps=most, space=space)
            self._exam = self._number, found
        return self._exam[1]

    def change(self, **changes: Any) -> str:
        """Change settings, and say in a sentence what becomes of what it has learned. Raises InputError."""
        settings = replace(self.settings, **changes)
        before = asdict(self.settings)
        changed = {name: value for name, value in asdict(settings).items() if value != before[name]}
        if not changed:
            return "It goes on as before."
        self.settings = settings
        words = " and ".join(f"{called(name)} is {value}" for name, value in changed.items())
        if changed.keys() <= KEPT_THROUGH:
            self._student.settings, self._exam = settings, None
            return f"From the next episode on {words}; it keeps what it has learned."
        self._begin()
        return f"It begins anew: {words}, and values learned before would mean something else."

    def _play(self, before_step: BeforeStep | None) -> None:
        self._student.learn(_Watched(self, self._student, before_step), self._number)

    def _follow(self, proof: Script) -> str:
        """Learn from somebody's proof as from further episodes, until playing it once more would change little.

        One-step learners carry what the end is worth one move nearer to the beginning each time. Raises CannotFollow
        if its actions do not express the proof or it learns from none; then nothing is learned.
        """
        student = self._student
        actions = dictated(self.settings, student.memory.action_space, self.formula, proof)
        times, change, values = 0, inf, self._values_along(actions)
        while times < MOST_SHOWN and change > SETTLED * max(map(abs, values)):
            student.follow(self.formula, proof, self._number)
            before, values = values, self._values_along(actions)
            times, change = times + 1, max(abs(now - then) for now, then in zip(values, before, strict=True))
        before_that = self._played[proof]
        self._played[proof] += times
        often = f"{_often(times)} more, {_often(before_that + times)} in all" if before_that else _often(times)
        return f"It has played your proof {often}; the first move is worth {values[0]:.2f} now."

    def _values_along(self, actions: Sequence[Move]) -> list[float]:
        """Q of each action, from the lemma on."""
        state, values = initial(self.formula), []
        for action in actions:
            values.append(self._student.q_values(state)[action])
            state, _ = self._student.memory.action_space.perform(state, action, attempt)
        return values

    def _best_step(self, state: State) -> tuple[Planned, State] | None:
        choice = self.beliefs(state).choice
        if choice is None:
            return None
        after, moves = self._student.memory.action_space.perform(state, choice, attempt)
        worth = self._student.q_values(state)[choice]
        return (Planned(choice, moves, ("Q", worth)), after) if moves else None

    def _begin(self) -> None:
        self._student = PlainStudent(self.settings)
        asked(self._student.reward, self._student.reward.begin, self.formula)
        if not self._rules >= RULES.keys():
            self._student.memory.action_space = Allowed(self._student.memory.action_space, self._rules)
        self._exam = None
        self._played: Counter[Script] = Counter()  # how often each proof that it was shown
        super()._begin()


def _often(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


class _Onwards:
    """The calculus of `tactics` from some state on."""

    def __init__(self, state: State) -> None:
        self._state = state

    def begin(self) -> State:
        """Back to that state."""
        return self._state

    def attempt(self, state: State, move: Move) -> State | None:
        """The state after a move, or None if it does not apply."""
        return attempt(state, move)


class _Watched(PerceivedEnvironment):
    """An environment that begins where an agent stands, moves it, and lets somebody in before each step."""

    def __init__(self, agent: Agent, student: PlainStudent, before_step: BeforeStep | None) -> None:
        super().__init__(_Onwards(agent.state), student.memory, student.reward, student.settings.max_steps)
        self._agent, self._before, self._before_step = agent, agent.script, before_step

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """A step, unless the episode was left before it."""
        self._agent.let_in(action.move, self._before_step)
        told = super().step(action)
        self._agent.state, self._agent.script = self.state, self._before + tuple(self.script)
        return told
