"""What a partner is: who works on the lemma beside a person, whatever is behind it.

It plays and may learn, can be watched at every step, asked what it says of a state and why, shown a proof, and told
where to begin. It lives in a process of its own (`oasis.classroom.partner.beside`). Nothing here is shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from oasis.classroom.partner.curve import Curve
from oasis.classroom.partner.opinions import Opinion, Reason, Share
from oasis.classroom.partner.plan import LONGEST, Planned
from oasis.play.exam import Exam
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.printer import Notation
from tactics.script import Script, replay

BeforeStep = Callable[[], None]
"""Called before each step, when the partner stands where it will make it and has chosen; now and then before that, too,
where choosing takes long."""


class Knowledge(NamedTuple):
    """What has come of all episodes.

    Attributes:
        episodes: played by itself, from the lemma on.
        proved: how many of them ended in a proof.
        helped: further ones: proofs it was shown, and episodes that began where somebody else stood.
        states: that it remembers.
        best: the shortest proof of its own episodes; None if there is none.
        exam: what its greedy policy proves; None for who has nothing to be examined in.
    """

    episodes: int
    proved: int
    helped: int
    states: int
    best: Script | None
    exam: Exam | None

    @property
    def is_something(self) -> bool:
        """Whether there is something to lose."""
        return self.episodes + self.helped > 0


class Left(Exception):
    """The episode is not gone on with; raised through whoever plays it, who knows nothing of that."""


class Partner(ABC):
    """Who works beside a person at one lemma.

    Args:
        formula: the lemma.
        rules: the rules that it may use.

    Attributes:
        settings: how it learns, as things are now.
        curve: the proofs of its own episodes.
        state: where it stands: in its present episode, at the end of its last, or where its next begins.
        script: the moves from the lemma to there.
        intends: what it will do next; None if it has not chosen.
        shares: what each of its voices did and cost; none if there is but one, which costs nothing worth telling.
        is_coming: whether a part of it is still being loaded, after which it says more.
    """

    settings: Settings
    curve: Curve
    state: State
    script: Script
    intends: Move | None = None
    _proved: int
    _helped: int
    _best: Script | None
    _handed: Script  # where the next episode begins
    _is_left: bool
    _plan: tuple[int, tuple[Planned, ...]] | None  # the last one, and the number of the episode before which it was

    def __init__(self, formula: Formula, rules: Collection[str]) -> None:
        self.formula, self._rules = formula, frozenset(rules)
        self._begin()

    @property
    def knows(self) -> Knowledge:
        """What has come of all episodes so far."""
        return Knowledge(self.curve.episodes, self._proved, self._helped, self.states, self._best, self.exam())

    @property
    def states(self) -> int:
        """The number of states that it remembers."""
        return 0

    @property
    def shares(self) -> tuple[Share, ...]:
        """None, unless it has several voices."""
        return ()

    @property
    def is_coming(self) -> bool:
        """False, unless there is something to load."""
        return False

    def exam(self) -> Exam | None:
        """The exam of what it learned; None if it learns nothing."""
        return None

    @abstractmethod
    def opinion(self, state: State) -> Opinion:
        """What it says of a state; asking changes nothing."""

    @abstractmethod
    def why(self, state: State, notation: Notation) -> Reason:
        """Why it would do in a state what it would do there."""

    @abstractmethod
    def change(self, **changes: Any) -> str:
        """Change settings, and say in a sentence what becomes of what it has learned. Raises InputError."""

    def episode(self, before_step: BeforeStep | None = None) -> bool:
        """Play an episode, and learn if it learns; returns whether it was played to its end.

        Args:
            before_step: called before each step, when `state`, `script` and `intends` say where the partner stands and
                what it will do. Whatever is asked of the partner there is done there and then.
        """
        handed, self._handed, self._is_left = self._handed, (), False
        self._stand(handed)
        try:
            self._play(before_step)
        except Left:
            return False
        if handed:
            self._helped += 1
        else:
            self._count(0 if self.state else len(self.script))
        return True

    def plan(self) -> tuple[Planned, ...]:
        """What it takes to be best from the lemma on, step by step, until it would draw lots or has no move."""
        if self._plan is None or self._plan[0] != self._number:
            steps: list[Planned] = []
            state = initial(self.formula)
            while state and len(steps) < LONGEST and (found := self._best_step(state)) is not None:
                step, state = found
                steps.append(step)
            self._plan = self._number, tuple(steps)
        return self._plan[1]

    def follow(self, proof: Script) -> str:
        """Look at somebody's proof, and learn from it if it learns; returns what there is to say about that.

        Raises InputError if it is no proof or cannot be learned from; then nothing is learned or counted.
        """
        if replay(self.formula, proof)[-1]:
            raise InputError("Only a whole proof can be shown, and this one leaves goals: finish it first.")
        said = self._follow(proof)
        self._helped += 1
        self.curve.add_shown()
        return said

    def start_from(self, script: Script) -> None:
        """Let its next episode begin where a script leads; the present one is left. Raises InputError."""
        replay(self.formula, script)
        self.leave()
        self._handed = script
        self._stand(script)

    def leave(self) -> None:
        """Leave the present episode, if there is one, before its next step; what it has taught remains."""
        self._is_left, self.intends, self._handed = True, None, ()
        self._stand(())

    @abstractmethod
    def _play(self, before_step: BeforeStep | None) -> None:
        """Play from `state` on, calling `let_in` before each step. Raises Left."""

    @abstractmethod
    def _follow(self, proof: Script) -> str:
        """Learn from a proof, and say what came of it."""

    @abstractmethod
    def _best_step(self, state: State) -> tuple[Planned, State] | None:
        """The next step of a plan, and where it leads; None if it would draw lots, or its action changes nothing."""

    def let_in(self, action: Move | None, before_step: BeforeStep | None) -> None:
        """Let somebody in before a step, or while none is chosen. Raises Left if they had the episode left."""
        if before_step is not None:
            self.intends = action
            before_step()
            self.intends = None
            if self._is_left:
                raise Left

    @property
    def _number(self) -> int:
        """The present or next episode's, from 1."""
        return self.curve.episodes + self._helped + 1

    def _begin(self) -> None:
        """Know nothing."""
        self.curve = Curve()
        self._proved = self._helped = 0
        self._best = self._plan = None
        self.leave()

    def _stand(self, script: Script) -> None:
        self.state, self.script = replay(self.formula, script)[-1], script

    def _count(self, moves: int) -> None:
        """Count an episode, and the moves in its proof; 0 if it has none."""
        self.curve.add(moves)
        if moves:
            self._proved += 1
            if self._best is None or moves < len(self._best):
                self._best = self.script
        if self.curve.exam_is_due and (exam := self.exam()) is not None:
            self.curve.add_exam(exam)
