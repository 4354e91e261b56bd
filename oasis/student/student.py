"""What a student is, and where students come from.

A student practises lemmas, is examined, and can be asked what came of it. Students of one school share what is the same
for all of them, and nothing that they learn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from curricula import resolve_lemma
from oasis.ground.names import LEARNERS, REWARDS
from oasis.ground.plural import counted
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ACTION_SPACES, ActionSpace, NotExpressed, expressed
from oasis.play.exam import PLAYS, Exam, examine
from oasis.play.policy import Floats, Policy
from oasis.rewards import Reward
from oasis.student.learners import learner
from oasis.student.policy import Tabular
from oasis.student.schedules import Schedule, parse_schedule
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.printer import brief
from tactics.script import Script, replay

if TYPE_CHECKING:
    from oasis.play.states import States, Worth

_TRIED: Final = 2
"""Episodes in which a learner or a reward of somebody's own is tried."""


class NoRoom(InputError):
    """A student has met more states than it has room for; what it was doing is not gone on with."""


class CannotFollow(InputError):
    """A proof that a student cannot learn from, and why."""


def dictated(settings: Settings, space: ActionSpace, lemma: Formula, proof: Script) -> list[Move]:
    """The actions by which a student of these settings makes a proof; raises as `Student.follow` does."""
    if replay(lemma, proof)[-1]:
        raise InputError("Only a whole proof can be learned from, and this one leaves goals: finish it first.")
    if not learner(settings.learner).learns:
        raise CannotFollow(f"The learner {settings.learner} learns from nothing, so also not from this proof.")
    try:
        actions = expressed(space, initial(lemma), proof)
    except NotExpressed as error:
        raise CannotFollow(str(error)) from None
    if len(actions) > settings.max_steps:
        most = f"a student makes {settings.max_steps:,} at most"
        raise CannotFollow(f"The proof of {brief(lemma)} has {len(actions):,} steps, and {most}.")
    return actions


class Practice(NamedTuple):
    """Some episodes of practice on a lemma; every array has shape (episodes,).

    Attributes:
        proved: whether each ended in a proof.
        steps: the actions taken in each.
        states: the number of states in memory after each.
    """

    proved: NDArray[np.bool_]
    steps: NDArray[np.int32]
    states: NDArray[np.int32]


class Student(ABC):
    """One memory, which goes through all lemmas that are practised; what it does depends on settings and seed alone.

    Attributes:
        settings: how it learns.
        reward: what it is paid, with what that has counted so far.
    """

    reward: Reward

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._learner = learner(settings.learner)
        self._practised: Counter[Formula] = Counter()
        self._best: dict[Formula, tuple[int, Script]] = {}  # how many actions, and the moves that they made

    @property
    def action_space(self) -> ActionSpace:
        """What it is offered."""
        return ACTION_SPACES[self.settings.actions]

    @property
    @abstractmethod
    def states(self) -> int:
        """The number of states in memory; the proved one is none."""

    @abstractmethod
    def practise(self, lemma: Formula, episodes: int) -> Practice:
        """More episodes on a lemma; schedules go on where the last practice of this lemma ended."""

    @abstractmethod
    def follow(self, lemma: Formula, proof: Script) -> None:
        """Learn from somebody's proof as from one more episode, which is none of its own.

        It counts neither among the episodes practised nor as a proof that the student found. Raises CannotFollow if
        its actions do not express the proof or it learns from none, and InputError if it is no proof; then nothing is
        learned.
        """

    @abstractmethod
    def q_values(self, state: State) -> dict[Move, float]:
        """Q(s, a) for each of A(s), none if there is none; the initial value where it has never been."""

    def __repr__(self) -> str:
        episodes, lemmas = f"{self._practised.total():,} episodes", counted(len(self._practised), "lemma")
        return f"a student of {self.settings.learner} after {episodes} on {lemmas}, {self.states:,} states in memory"

    def best(self, lemma: Formula) -> Script | None:
        """The first of the proofs with fewest actions among its episodes on a lemma; None if there is none."""
        return self._best[lemma][1] if lemma in self._best else None

    def prove(self, lemma: Formula | str) -> Script | None:
        """The shortest proof that its exam finds of a lemma, which may be named; None if it finds none."""
        return self.examine(lemma).script

    def examine(self, lemma: Formula | str, plays: int = PLAYS, seed: int | None = None) -> Exam:
        """The exam of its greedy policy (`oasis.play.exam`) on a lemma, which may be named, in its own action space.

        Nothing is learned, given up, met or stored, and asked again it gives the same answer; after more practice
        other lots are drawn, unless a seed is given.
        """
        return examine(
            self.policy(),
            formula_of(lemma),
            plays=plays,
            seed=exam_seed(self.settings, self._practised.total()) if seed is None else seed,
            max_steps=self.settings.max_steps,
            space=self.action_space,
        )

    def worth(self, states: States, amounts: Floats | None = None) -> Worth:
        """What its greedy policy comes to on a lemma, exactly: an exam without luck and without a step limit.

        Args:
            states: those that the lemma leads to in its action space.
            amounts: what a reward pays for each of their edges, if there is one (`oasis.teacher.exact.policies`).

        Raises LimitReached if the student has no room for so many states.
        """
        from oasis.play.states import worth

        return worth(self.policy(), states, self.settings.gamma, amounts)

    def policy(self, *, epsilon: float = 0.0, temperature: float | None = None) -> Policy:
        """Its policy, which follows what it learns: greedy, ε-greedy or softmax (`oasis.student.policy.Tabular`)."""
        of_goals = self._learner.of_goals
        return Tabular(self, self.action_space, epsilon=epsilon, temperature=temperature, of_goals=of_goals)

    def value(self, lemma: Formula) -> float:
        """What it believes the closed lemma to be worth under the policy that its values are about.

        max Q(s0, a) where that is the greedy policy, (1-ε) max + ε mean where it is the ε-soft one; Sutton & Barto
        (2018), 5.4. Zero for a lemma without moves.
        """
        q_values = [*self.q_values(initial(lemma)).values()]
        if not q_values or not self._learner.learns:
            return 0.0
        share = exploration(self.settings, max(1, self._practised[lemma])) if self._learner.on_policy else 0.0
        return (1 - share) * max(q_values) + share * (sum(q_values) / len(q_values))


def formula_of(lemma: Formula | str) -> Formula:
    """The formula of a lemma that may be named, as `curricula.resolve_lemma` takes it. Raises InputError."""
    return resolve_lemma(lemma).formula if isinstance(lemma, str) else lemma


def exploration(settings: Settings, episode: int) -> float:
    """ε in an episode of a lemma, from 1."""
    schedule: Schedule = parse_schedule(settings.epsilon)
    return schedule.rate(episode, settings.episodes).at(episode)


def exam_seed(settings: Settings, practised: int) -> int:
    """The seed of the exam of a student that has practised so many episodes in all: none of its own chance."""
    return SplitMix64(SplitMix64.seeded(~settings.seed).state ^ practised).next()


class School:
    """Students with the same settings, each with a seed of its own; compiled ones share a graph of states.

    Students are compiled where they can be (`why_plain`), and otherwise plain: the same numbers, a hundred times
    slower. The first compiled student of each learner waits until it is compiled for this machine: up to half a minute
    for the first learner, some seconds for each other.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._compiled = why_plain(settings) is None
        if self._compiled:
            from oasis.student.compiled.student import new_world

            self._world = new_world(settings)

    def student(self, seed: int) -> Student:
        """A student who knows nothing yet."""
        settings = replace(self.settings, seed=seed)
        if not self._compiled:
            from oasis.student.plain import PlainStudent

            return PlainStudent(settings)
        from oasis.student.compiled.student import CompiledStudent

        return CompiledStudent(settings, self._world)


def why_plain(settings: Settings) -> str | None:
    """Why students of these settings run in plain Python, as the end of a sentence; None if they run compiled."""
    if find_spec("numba") is None:
        return "numba is not installed"
    if learner(settings.learner).compiled is None:
        return f"{settings.learner} has no compiled form"
    if settings.backend != Settings.backend:
        return f"every move is made inside {settings.backend}"
    return None


def is_compiled(settings: Settings) -> bool:
    """Whether nobody has to wait until students of these settings are compiled."""
    if why_plain(settings) is not None:
        return True
    from oasis.student.compiled.jit import is_kept

    return is_kept(learner(settings.learner).generator())


def try_out(settings: Settings, formulas: Sequence[Formula]) -> None:
    """Have a learner or a reward that somebody brought along play, if there is one, so that others do not wait for it.

    Raises InputError if it fails.
    """
    if not LEARNERS.is_own(settings.learner) and not REWARDS.is_own(settings.reward):
        return
    from oasis.student.plain import PlainStudent

    student = PlainStudent(settings)
    for formula in formulas:
        student.practise(formula, _TRIED)
        student.examine(formula, plays=1)


def on_compiling(students: Iterable[Settings]) -> Iterator[str]:
    """Say why students of these settings will keep people waiting: they are to be compiled first, or cannot be."""
    students = list(students)
    if reasons := "; ".join(dict.fromkeys(filter(None, map(why_plain, students)))):
        yield f"Students run in plain Python, a hundred times slower than compiled: {reasons}."
    if not all(map(is_compiled, students)):
        yield (
            "Learners are compiled for this machine when they are first used: up to half a minute for the first, "
            "some seconds for each other."
        )


def on_rewards(students: Iterable[Settings]) -> Iterator[str]:
    """Say which rewards that were asked for make no difference to a learner, and which give the solution away."""
    from oasis.rewards.named import reward

    ignored: dict[str, list[str]] = {}
    asked: list[str] = []
    for each in students:
        is_ignored = each.reward != Settings.reward and not learner(each.learner).rewarded
        (ignored.setdefault(each.learner, []) if is_ignored else asked).append(each.reward)
    for name, rewards in ignored.items():
        names = [*dict.fromkeys(rewards)]
        which = f"--reward {','.join(names)}" if len(names) <= 3 else f"which of {len(names)} rewards it has"
        yield f"{name} asks for no reward, so {which} changes nothing; choose another --learner, such as q-learning."
    for name in dict.fromkeys(asked):
        if reward(name).leaks:
            yield f"The reward {name} knows which goals are provable: what is learned from it was told, not found."
