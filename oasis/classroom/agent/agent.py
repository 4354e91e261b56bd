"""An artificial student at one lemma: it plays and learns, can be watched at every step, asked, shown and switched.

The learners are those of `oasis.student`, untouched: somebody who watches is let in by the environment, before each
step, when everything learned so far is in the values and the next move is chosen. There they may ask, change and
show, and an episode that is not gone on with is left by an exception. Nothing here waits, and nothing is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from typing import Any, Final, NamedTuple

from oasis.actions import attempt
from oasis.classroom.agent.allowed import Allowed
from oasis.classroom.agent.beliefs import Belief, Beliefs, epsilon_soft_shares
from oasis.classroom.agent.curve import Curve
from oasis.exam import Exam, examine
from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import learner
from oasis.student.memory import Action, Observation
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.student.student import exam_seed, exploration
from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.rules import RULES
from tactics.script import Script, replay

_NAMES: Final = {"learner": "the learner", "epsilon": "ε", "alpha": "α", "gamma": "γ", "actions": "the action space"}
_KEEP_WHAT_IS_LEARNED: Final = {"epsilon", "alpha", "episodes", "max_steps", "planning", "trace_decay"}
"""Settings with which values mean the same as before."""
EXAM_PLAYS: Final = 20
"""Plays in an exam: few enough that somebody who watches does not wait."""


class Knowledge(NamedTuple):
    """What has come of all episodes.

    Attributes:
        episodes: played by itself, from the lemma on.
        proved: how many of them ended in a proof.
        helped: further ones: proofs it was shown, and episodes that began where somebody else stood.
        states: that it remembers.
        best: the shortest proof of its own episodes; None if there is none.
        exam: what its greedy policy proves.
    """

    episodes: int
    proved: int
    helped: int
    states: int
    best: Script | None
    exam: Exam


class Agent:
    """What it does depends on the lemma, the settings and what it is asked to do, in that order, alone.

    Args:
        formula: the lemma.
        settings: how it learns, and its seed; `backend` is not looked at, moves are made in the calculus of `tactics`.
        rules: the rules that it may use.

    Attributes:
        settings: as they are now (`change`).
        curve: the proofs of its own episodes.
    """

    settings: Settings
    curve: Curve
    _student: PlainStudent
    _environment: _Watched
    _proved: int
    _helped: int
    _best: Script | None
    _handed: Script  # where the next episode begins
    _exam: tuple[int, Exam] | None  # the last one, and the number of the episode before which it was

    def __init__(self, formula: Formula, settings: Settings, rules: Collection[str] = tuple(RULES)) -> None:
        self.formula, self._rules = formula, frozenset(rules)
        self._begin(settings)

    @property
    def state(self) -> State:
        """Where it stands: in its present episode, at the end of its last, or where its next begins."""
        return self._environment.state

    @property
    def script(self) -> Script:
        """The moves from the lemma to there."""
        return self._environment.whole_script

    @property
    def intends(self) -> Move | None:
        """What it will do next; None if it has not chosen."""
        return self._environment.intends

    @property
    def knows(self) -> Knowledge:
        """What has come of all episodes so far."""
        return Knowledge(self.curve.episodes, self._proved, self._helped, self.states, self._best, self.exam())

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

    def episode(self, before_step: Callable[[], None] | None = None) -> bool:
        """Play an episode and learn as its learner does; returns whether it was played to its end.

        Args:
            before_step: called before each step, when `state`, `script` and `intends` say where the agent stands and
                what it will do. Whatever is asked of the agent there is done there and then.
        """
        handed, self._handed = self._handed, ()
        environment = self._environment = self._at(handed, before_step)
        try:
            self._student.learn(environment, self._number)
        except _Left:
            return False
        if handed:
            self._helped += 1
            return True
        moves = len(environment.script) if environment.proved else 0
        self.curve.add(moves)
        if moves:
            self._proved += 1
            if self._best is None or moves < len(self._best):
                self._best = tuple(environment.script)
        if self.curve.exam_is_due:
            self.curve.add_exam(self.exam())
        return True

    def beliefs(self, state: State) -> Beliefs:
        """What it makes of a state; asking does not make it meet the state."""
        memory = self._student.memory
        met = bool(state) and memory.has_met(state)
        if met:
            actions = memory.observe(state).actions
            known = [(move, memory.values[pair], memory.visits[pair]) for move, pair in actions]
        else:
            known = [(move, self.settings.initial_value, 0) for move in memory.action_space.actions(state)]
        shares = epsilon_soft_shares([value for _, value, _ in known], self.epsilon)
        return Beliefs(met, tuple(Belief(*each, *share) for each, share in zip(known, shares, strict=True)))

    def exam(self) -> Exam:
        """The exam of its greedy policy; asked again before another episode it is the same one."""
        if self._exam is None or self._exam[0] != self._number:
            policy, space = self._student.policy(), self._student.memory.action_space
            seed, most = exam_seed(self.settings, self._number), self.settings.max_steps
            found = examine(policy, self.formula, plays=EXAM_PLAYS, seed=seed, max_steps=most, space=space)
            self._exam = self._number, found
        return self._exam[1]

    def follow(self, proof: Script) -> None:
        """Learn from somebody's proof as from one more episode.

        Raises CannotFollow if its actions do not express the proof or it learns from none, and InputError if it is no
        proof; then nothing is learned.
        """
        self._student.follow(self.formula, proof, self._number)
        self._helped += 1
        self.curve.add_shown(len(proof))

    def start_from(self, script: Script) -> None:
        """Let its next episode begin where a script leads; the present one is left. Raises InputError."""
        environment = self._at(script)
        self.leave()
        self._handed, self._environment = script, environment

    def leave(self) -> None:
        """Leave the present episode, if there is one, before its next step; what it has taught remains."""
        self._environment.is_left = True
        self._handed, self._environment = (), self._at(())

    def change(self, **changes: Any) -> str:
        """Change settings, and say in a sentence what becomes of what it has learned. Raises InputError."""
        settings = replace(self.settings, **changes)
        before = asdict(self.settings)
        changed = {name: value for name, value in asdict(settings).items() if value != before[name]}
        if not changed:
            return "It goes on as before."
        words = " and ".join(f"{_name(name)} is {value}" for name, value in changed.items())
        if changed.keys() <= _KEEP_WHAT_IS_LEARNED:
            self._exam = None
            self.settings = self._student.settings = settings
            return f"From the next episode on {words}; it keeps what it has learned."
        self.leave()
        self._begin(settings)
        return f"It begins anew: {words}, and values learned before would mean something else."

    @property
    def _number(self) -> int:
        """The present or next episode's, from 1: schedules depend on it."""
        return self.curve.episodes + self._helped + 1

    def _begin(self, settings: Settings) -> None:
        self.settings, self.curve = settings, Curve()
        self._student = PlainStudent(settings)
        self._student.reward.begin(self.formula)
        if not self._rules >= RULES.keys():
            self._student.memory.action_space = Allowed(self._student.memory.action_space, self._rules)
        self._proved = self._helped = 0
        self._best = self._exam = None
        self._handed = ()
        self._environment = self._at(())

    def _at(self, script: Script, before_step: Callable[[], None] | None = None) -> _Watched:
        """An episode that begins where a script leads. Raises ScriptError."""
        start = _Onwards(replay(self.formula, script)[-1])
        return _Watched(start, self._student, script, before_step)


class _Left(Exception):
    """The episode is not gone on with; raised through the learner, which knows nothing of it."""


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
    """An environment that lets somebody in before each step, and out of which an episode can be left."""

    def __init__(
        self, start: _Onwards, student: PlainStudent, before: Script, before_step: Callable[[], None] | None
    ) -> None:
        super().__init__(start, student.memory, student.reward, student.settings.max_steps)
        self._before, self._before_step = before, before_step
        self.intends: Move | None = None
        self.is_left = False

    @property
    def whole_script(self) -> Script:
        """The moves from the lemma on, also those made before the episode began."""
        return self._before + tuple(self.script)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """A step, unless the episode was left before it."""
        if self._before_step is not None:
            self.intends = action.move
            self._before_step()
            self.intends = None
            if self.is_left:
                raise _Left
        return super().step(action)


def _name(setting: str) -> str:
    return _NAMES.get(setting, "the " + setting.replace("_", " "))
