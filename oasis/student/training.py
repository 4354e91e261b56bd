"""A run: one student practises the lemmas of a curriculum one after the other, is examined, and all of it is kept.

Everything up to the last checkpoint survives the process, and a resumed run goes on exactly as it would have gone on:
the student is stored with the episodes. Drawing progress is left to whoever iterates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import count, takewhile
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from curricula.lemma import Curriculum
from oasis.ground.splitmix import SplitMix64
from oasis.ground.version import commit, version
from oasis.play.actions import ACTION_SPACES
from oasis.play.exam import Exam, examine
from oasis.play.policy import Policy, Uniform
from oasis.rewards import asked
from oasis.store import Store
from oasis.student.kept import KeptStudent, compatible, kept_student
from oasis.student.report import Tally, exam_to_text, packed
from oasis.student.settings import Settings
from oasis.student.student import CannotFollow, NoRoom, Practice, School, why_plain
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show
from tactics.script import Script, show_script

if TYPE_CHECKING:
    from oasis.backends.base import Backend

CHECKPOINT_SECONDS: Final = 1.0
"""The longest a finished block waits to be stored, unless storing takes more than a tenth of the time."""
BLOCK_SECONDS: Final = 0.1
"""What a block of episodes should take, so that there is progress to be seen and a stop is soon obeyed."""
EXPLORATION: Final = 0.1
"""The share of random moves in a student's policy, so that a search can try what the student thinks little of."""
EARLIEST: Final = 100
"""Episodes before which there is no exam: to waver at first is no unlearning, and exams are to cost little."""
_GROWTH: Final = 4
"""Times that a block may be longer than the one before."""

_NOTHING_PRACTISED: Final = {
    "practised": 0,
    "proofs": 0,
    "actions": 0,
    "first_proof": None,
    "best": None,
    "met": 0,
    "seconds": 0.0,
    "known": None,
}

Say = Callable[[str], None]
Shortest = Callable[[Formula], int | None]
"""The length of a shortest proof, or None if it has none or that is not known."""
Teach = Callable[[Settings, Formula, Policy], Script | None]
"""A proof of a lemma to be shown to a student of these settings and this policy, or None if none was found.

It raises Unprovable if it finds that there is none.
"""


class Unprovable(Exception):
    """A lemma has no proof, so that there is nothing to practise; the text says who found that."""


def nothing_to_show(settings: Settings, formula: Formula, policy: Policy) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class Progress:
    """A block of episodes that is over.

    Attributes:
        position: of the lemma in the run, from 0.
        lemma: its name.
        episode: the number of the last episode, from 1.
        episodes: in the block.
        proved: how many of them ended in a proof.
    """

    position: int
    lemma: str
    episode: int
    episodes: int
    proved: int


class Training:
    """A run in a store, started or resumed; iterating trains.

    Set `stop_requested` to the number of a signal, or any other true value, to end after the current block.

    Args:
        store: where it is.
        run: its number.
        shortest: who is asked for the optimum of each lemma; nobody if left out.
        say: who is told, in a sentence, of what does not go as usual; nobody if left out.
        teach: who is asked for a proof to show before a lemma is practised, and says if there is none; nobody if left
            out.
        settings: of its student, if they are at hand; read from the store if left out.
    """

    def __init__(
        self,
        store: Store,
        run: int,
        shortest: Shortest = lambda formula: None,
        say: Say = lambda sentence: None,
        teach: Teach = nothing_to_show,
        *,
        settings: Settings | None = None,
    ) -> None:
        stored = store.run(run)
        self.store, self.run, self._shortest = store, run, shortest
        self.settings = settings or settings_of(stored)
        self.lemmas = store.lemmas(run)
        self.finished: bool = stored["finished"] is not None
        self.curriculum: str = stored["curriculum"]
        self.is_plain = stored["student"] == "plain"
        self.stop_requested = 0
        self._say, self._teach = say, teach
        self._block = 1
        self._waiting: list[Practice] = []
        self._over: list[dict[str, Any]] = []
        self._shown: dict[str, str] = {}
        self._stored_at, self._storing = perf_counter(), 0.0

    @classmethod
    def start(
        cls,
        store: Store,
        curriculum: Curriculum,
        settings: Settings,
        *,
        exam: Curriculum | None = None,
        taught_by: int | None = None,
        cohort: int | None = None,
        shortest: Shortest = lambda formula: None,
        say: Say = lambda sentence: None,
        teach: Teach = nothing_to_show,
    ) -> Training:
        """A new run; it is in the store before the first episode.

        Args:
            store: where to keep it.
            curriculum: what to practise.
            settings: of the student.
            exam: lemmas to be examined on without practice.
            taught_by: a run whose student goes on learning here.
            cohort: the first of the runs that are started together.
            shortest: who is asked for the optimum of each lemma.
            say: who is told of what does not go as usual.
            teach: who is asked for proofs to show.

        Raises InputError if the student of `taught_by` cannot go on with these settings.
        """
        student = "compiled" if why_plain(settings) is None else "plain"
        if taught_by is not None:
            student = compatible(store, taught_by, settings)
        practised = [(lemma, False) for lemma in curriculum.lemmas]
        examined = [(lemma, True) for lemma in (exam.lemmas if exam else ())]
        run = store.start_run(
            curriculum=curriculum.name,
            settings=asdict(settings),
            version=version(),
            commit=commit(),
            rng=SplitMix64.seeded(settings.seed).state,
            student=student,
            taught_by=taught_by,
            cohort=cohort,
            lemmas=(
                {
                    "name": lemma.name,
                    "formula": show(lemma.formula, quantified=True),
                    "status": lemma.status,
                    "level": lemma.level,
                    "only_examined": only_examined,
                }
                for lemma, only_examined in practised + examined
            ),
        )
        return cls(store, run, shortest, say, teach, settings=settings)

    @property
    def episodes(self) -> int:
        """The number of episodes in the whole run."""
        return self.settings.episodes * sum(not lemma["only_examined"] for lemma in self.lemmas)

    def __iter__(self) -> Iterator[Progress]:
        """Train on what is left, a block at a time; the run is finished when this ends without being stopped."""
        if self.finished:
            return
        with ExitStack() as stack:
            prover: Backend | None = None
            if self.settings.backend != Settings.backend:
                from oasis.backends.registry import backend

                prover = stack.enter_context(backend(self.settings.backend, "--backend"))
            self._student: KeptStudent = kept_student(self.store, self.run, self.settings, prover)
            for position, lemma in enumerate(self.store.lemmas(self.run)):
                if lemma["finished"]:
                    continue
                yield from self._practise_if_there_is_room(position, lemma)
                if self.stop_requested:
                    self._store()
                    return
            self._store()
            if remark := asked(self._student.student.reward, self._student.student.reward.remark):
                self._say(remark)
        self.store.finish_run(self.run)
        self.finished = True

    def _practise_if_there_is_room(self, position: int, lemma: dict[str, Any]) -> Iterator[Progress]:
        """Practise a lemma, if need be with a student that has forgotten the others, or give it up."""
        try:
            yield from self._practise(position, lemma)
        except NoRoom:
            self._say(
                f"{lemma['name']}: the student's memory is full, so it forgets the other lemmas and begins again."
            )
            self._waiting.clear()
            self._student.begin_anew()
            self.store.begin_lemma_again(self.run, position)
            try:
                yield from self._practise(position, {**lemma, **_NOTHING_PRACTISED})
            except NoRoom as error:
                self._say(f"{lemma['name']} is given up. {error}")
                self._waiting.clear()
                self._student.begin_anew()
                self.store.begin_lemma_again(self.run, position)
                self._checkpoint(position, Tally.of({**lemma, **_NOTHING_PRACTISED}), {"finished": 1})

    def _practise(self, position: int, lemma: dict[str, Any]) -> Iterator[Progress]:
        formula, tally = parse(lemma["formula"]), Tally.of(lemma)
        self._student.student.practise(formula, 0)  # what is compiled at first use is compiled before time is taken
        self._block = 1
        is_practised = not lemma["only_examined"]
        if is_practised and not tally.episodes:
            try:
                self._show(formula, tally)
            except Unprovable as found:
                self._say(f"{lemma['name']} is not practised: {found}.")
                is_practised = False
        looks_after = marks(self.settings.episodes)
        while is_practised and tally.episodes < self.settings.episodes:
            until = min(mark for mark in {*looks_after, self.settings.episodes} if mark > tally.episodes)
            practice = self._practise_block(formula, tally, until)
            if tally.episodes in looks_after:
                from oasis.student.unlearning import PLAYS, examined

                exam = self._student.student.examine(formula, PLAYS)
                tally.known = examined(tally.known, tally.episodes, exam)
            yield Progress(position, lemma["name"], tally.episodes, len(practice.proved), int(practice.proved.sum()))
            if self.stop_requested or self._is_due():
                self._checkpoint(position, tally)
            if self.stop_requested:
                return
        self._examine(position, formula, tally)

    def _show(self, formula: Formula, tally: Tally) -> None:
        """Show the student a proof before it practises, if somebody has one; what cannot be followed is said."""
        student, met = self._student.student, self._student.met
        proof = self._teach(self.settings, formula, student.policy(epsilon=EXPLORATION))
        if proof is not None:
            try:
                for _ in range(self.settings.shown):
                    student.follow(formula, proof)
            except CannotFollow as error:
                self._say(str(error))
            else:
                self._shown = {"shown": show_script(proof)}
        tally.met += self._student.met - met

    def _practise_block(self, formula: Formula, tally: Tally, until: int) -> Practice:
        student, met = self._student.student, self._student.met
        began = perf_counter()
        practice = student.practise(formula, min(self._block, until - tally.episodes))
        seconds = perf_counter() - began
        tally.add(practice, student.best(formula), self._student.met - met, seconds)
        self._waiting.append(practice)
        fitting = int(len(practice.proved) * BLOCK_SECONDS / max(seconds, 1e-6))
        self._block = max(1, min(fitting, _GROWTH * self._block))
        return practice

    def _examine(self, position: int, formula: Formula, tally: Tally) -> None:
        """Examine the student on a lemma and store what came of it; the lemma is then finished."""
        exam = self._student.student.examine(formula)
        tally.consider(exam.script)
        if tally.known is not None:
            from oasis.student.unlearning import unlearned

            tally.known = unlearned(tally.known, tally.episodes, exam, self._student.student, formula)
        result = {
            "exam": exam_to_text(exam),
            "untaught": exam_to_text(untaught(formula, self.settings)),
            "optimum": self._shortest(formula),
            "finished": 1,
        }
        self._checkpoint(position, tally, result)

    def _checkpoint(self, position: int, tally: Tally, result: dict[str, Any] | None = None) -> None:
        """Store what came of a lemma so far; one that is over may wait where storing the student takes long."""
        block = None
        if self._waiting:
            episodes = sum(len(practice.proved) for practice in self._waiting)
            block = tally.episodes - episodes + 1, episodes, packed(self._waiting)
        columns = tally.columns() | self._shown | (result or {})
        self._over.append({"lemma": position, "tally": columns, "block": block})
        self._shown = {}
        self._waiting.clear()
        if result is None or not self._student.is_whole or self._is_due():
            self._store()

    def _is_due(self) -> bool:
        """Whether what is done has waited long enough to be stored."""
        return perf_counter() - self._stored_at > max(CHECKPOINT_SECONDS, 10 * self._storing)

    def _store(self) -> None:
        """Store the lemmas that wait for it, and the student as it is after them."""
        if not self._over:
            return
        began = perf_counter()
        *others, last = self._over
        with self.store.together():
            for each in others:
                self.store.checkpoint(self.run, **each)
            self.store.checkpoint(self.run, **last, **self._student.changes())
        self._over.clear()
        self._stored_at = perf_counter()
        self._storing = self._stored_at - began


def marks(episodes: int) -> frozenset[int]:
    """Return after which of so many episodes of a lemma there is a small exam: a half, an eighth and so on."""
    return frozenset(takewhile(lambda mark: mark >= EARLIEST, (episodes >> halvings for halvings in count(1, 2))))


def untaught(formula: Formula, settings: Settings) -> Exam:
    """The exam of somebody who knows nothing, with the action space, the step limit and the seed of a student.

    That is a student who never practised: all moves are worth the same to it, and it draws lots among them.
    """
    seed = SplitMix64.seeded(settings.seed).state
    if why_plain(settings) is None:
        unpaid = replace(settings, reward="terminating", experience="")
        return School(unpaid).student(settings.seed).examine(formula, seed=seed)
    space = ACTION_SPACES[settings.actions]
    return examine(Uniform(space), formula, seed=seed, max_steps=settings.max_steps, space=space)


def settings_of(stored: dict[str, Any]) -> Settings:
    """The settings of a stored run. Raises InputError if this version does not know them."""
    try:
        return Settings(**stored["settings"])
    except TypeError as error:
        raise InputError(
            f"The settings of run {stored['id']} are not those of this version of Oasis ({error}); go on with it in "
            f"version {stored['version']}, which wrote it."
        ) from None
