"""A student who practises for a while, is shown what others prove, and keeps what it did until somebody stores it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Final, Protocol, runtime_checkable

from oasis.play.actions import LEGAL
from oasis.play.exam import Exam
from oasis.play.policy import Policy, Uniform
from oasis.student.student import CannotFollow, NoRoom, Practice, Student
from oasis.student.training import EXPLORATION
from tactics.formula import Formula
from tactics.goal import initial
from tactics.script import Script

BLOCK_SECONDS: Final = 0.05
"""What a block of episodes should take, so that a slice is not much exceeded and a stop is soon obeyed."""
LONGEST_SHOWN: Final = 5_000
"""Moves of the longest proof that is shown to who learns; longer ones repeat what they do."""
_GROWTH: Final = 4
"""Times that a block may be longer than the one before."""

Say = Callable[[str], None]


@runtime_checkable
class Releasing(Protocol):
    """A student that nothing else frees, once its memory is full."""

    def release(self) -> None:
        """Give back its memory; it is of no use afterwards."""
        ...


class Pupil:
    """A student with a table, among others who prove what it does not.

    Args:
        student: practises.
        anew: puts another one in its place that knows nothing, for when its memory is full.
        practised: episodes on each lemma so far.
        say: is told, in a sentence, of what does not go as usual.

    Attributes:
        waiting: what it practised since this was last emptied, with the states it met and the seconds it took.
        proofs: what it is shown again when it has to begin anew.
        found: the shortest proofs of its own that it would have forgotten when it began anew.
    """

    def __init__(
        self,
        student: Student,
        anew: Callable[[], Student],
        practised: Mapping[Formula, int],
        say: Say = lambda sentence: None,
    ) -> None:
        self.student = student
        self._anew, self._practised, self._say = anew, dict(practised), say
        self.waiting: list[tuple[Formula, Practice, int, float]] = []
        self.proofs: dict[Formula, Script] = {}
        self.found: dict[Formula, Script] = {}

    @property
    def most(self) -> int:
        """Episodes of each lemma."""
        return self.student.settings.episodes

    def practised(self, lemma: Formula) -> int:
        """Episodes on a lemma so far."""
        return self._practised.get(lemma, 0)

    def policy(self) -> Policy:
        """Who proposes moves to a search: what the student knows, and now and then any move."""
        if self.student.settings.actions != LEGAL.name:
            return Uniform()
        return self.student.policy(epsilon=EXPLORATION)

    def make_ready(self, lemma: Formula) -> None:
        """Compile what is compiled at first use, which takes up to half a minute once, before time is taken."""
        self.student.practise(lemma, 0)
        self.policy().probabilities([initial(lemma)])

    def remember(self, lemma: Formula, proof: Script) -> bool:
        """Keep a proof to be shown again, unless it is very long (`LONGEST_SHOWN`); whether it is kept."""
        is_shown = len(proof) <= LONGEST_SHOWN
        if is_shown:
            self.proofs[lemma] = proof
        return is_shown

    def practise(self, lemma: Formula, seconds: float, clock: Callable[[], float], stop: Callable[[], bool]) -> int:
        """Practise a lemma for so many seconds, or to the end of its episodes; gives how many episodes there were.

        A block takes as long as one episode at least. Who runs out of room forgets all lemmas, is shown what is proved
        again, and raises NoRoom if that does not help.
        """
        before, began, block = self.practised(lemma), clock(), 1
        while (left := self.most - self.practised(lemma)) > 0 and not stop():
            started = clock()
            self._practise_block(lemma, min(block, left))
            now = clock()
            if now - began >= seconds:
                break
            pace = min(block, left) / max(now - started, 1e-6)
            block = max(1, min(int(pace * min(BLOCK_SECONDS, seconds - (now - began))), _GROWTH * block))
        return self.practised(lemma) - before

    def learn(self, lemma: Formula, proof: Script) -> str:
        """Be shown a proof, as often as the settings say, if it is one to `remember`.

        Gives why it cannot be learned from, or nothing.
        """
        if not self.remember(lemma, proof):
            return ""
        try:
            self._follow(lemma, proof)
        except CannotFollow as error:
            return str(error)
        except NoRoom:
            self._begin_anew()
        return ""

    def examine(self, lemma: Formula) -> Exam | None:
        """The exam of what it knows now; None if an empty memory, too, has no room for the states it would come to."""
        try:
            return self.student.examine(lemma)
        except NoRoom:
            self._begin_anew()
        with suppress(NoRoom):
            return self.student.examine(lemma)
        return None

    def best(self, lemma: Formula) -> Script | None:
        """The shortest proof among its own episodes, those that it forgot included."""
        known = [script for script in (self.found.get(lemma), self.student.best(lemma)) if script is not None]
        return min(known, key=len, default=None)

    def _practise_block(self, lemma: Formula, episodes: int) -> None:
        began, known = perf_counter(), self.student.states
        self._practised.setdefault(lemma, 0)
        try:
            practice = self.student.practise(lemma, episodes)
        except NoRoom:
            self._begin_anew()
            known = self.student.states
            practice = self.student.practise(lemma, episodes)
        self._practised[lemma] = self.practised(lemma) + episodes
        self.waiting.append((lemma, practice, self.student.states - known, perf_counter() - began))

    def _follow(self, lemma: Formula, proof: Script) -> None:
        for _ in range(self.student.settings.shown):
            self.student.follow(lemma, proof)

    def _begin_anew(self) -> None:
        self._say("The student's memory is full, so it forgets all lemmas, and is shown again what was proved.")
        self.found |= {lemma: best for lemma in self._practised if (best := self.best(lemma)) is not None}
        self._replace()
        for lemma, proof in self.proofs.items():
            try:
                self._follow(lemma, proof)
            except CannotFollow:  # as was said when it was shown first
                continue
            except NoRoom:
                self._replace()
                return

    def _replace(self) -> None:
        if isinstance(self.student, Releasing):
            self.student.release()
        self.student = self._anew()
