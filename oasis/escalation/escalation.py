"""Lemmas climb a ladder, and what is proved comes back to the student: without a store, for whoever keeps it or not."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from oasis.escalation.climb import Climb, Pace, Record, Visit, why_open
from oasis.escalation.costs import Clock, Counter
from oasis.escalation.ladder import NOBODY, Asked, Ladder, built
from oasis.escalation.pupil import Pupil, Say
from oasis.escalation.stages import LANGUAGE, TABLE
from oasis.escalation.study import Study
from oasis.ground.plugins import foreign, takes
from oasis.play.exam import SMALL
from oasis.play.policy import called
from oasis.play.solving import OPEN, PROVED, Attempt, Budget, Step
from oasis.search.cache import GoalCache
from oasis.student.settings import MAIN_JOB, Settings
from oasis.student.student import School
from tactics.formula import Formula

SECONDS: Final = 10.0
"""For each lemma, unless a time is given."""


class Escalation:
    """A climb of lemmas with a student who is shown what others prove; iterating makes the attempts.

    Every proof is replayed before it counts. A network that can learn studies the proofs and is changed by that.
    A policy that has `make_ready` is asked once to do what takes long the first time, and one that has `forget`, to
    forget what it was asked about another lemma.

    Args:
        ladder: the stages.
        lemmas: to be proved.
        pupil: the student, if the table is a stage.
        asked: the policies of its stages.
        seconds: for all lemmas together.
        seed: of all chance but the student's.
        records: how far the lemmas have climbed before; none yet if left out.
        pace: where the climb is in its time; at its beginning if left out.
        clock: by which time is counted.
        say: is told, in a sentence, of what does not go as usual.
    """

    def __init__(
        self,
        ladder: Ladder,
        lemmas: Sequence[Formula],
        *,
        pupil: Pupil | None,
        asked: Asked,
        seconds: float,
        seed: int,
        records: Sequence[Record] | None = None,
        pace: Pace | None = None,
        clock: Clock = monotonic,
        say: Say = lambda sentence: None,
    ) -> None:
        self._counter = Counter(clock)
        self.pupil, self._asked, self._say = pupil, asked, say
        self.records = [Record() for _ in lemmas] if records is None else records
        stages = built(ladder, pupil, asked, GoalCache(), self._counter, seed)
        pace = Pace(seconds) if pace is None else pace
        # No goal of another lemma is equal, but for renaming.
        self.climb = Climb(stages, lemmas, self.records, pace, clock, turn=lambda: self._have_asked("forget"))
        self._study = Study(asked.network, self.climb, seed, self._counter)

    def __iter__(self) -> Iterator[Visit]:
        """Make attempts until every lemma is settled or given up, the time is over, or somebody stops it."""
        if self.climb.is_over:
            return
        self._make_ready()
        self._study.again()
        for visit in self.climb:
            if visit.tried.status is PROVED:
                self._take_in(visit)
            yield visit
            self._study.if_due()

    def _make_ready(self) -> None:
        """Let everybody do once what takes long only the first time, before time is taken."""
        if self.pupil is not None:
            self.pupil.make_ready(self.climb.lemmas[0])
        for policy in filter(None, self._asked):
            policy.probabilities([SMALL])
        self._have_asked("make_ready")

    def _have_asked(self, method: str) -> None:
        """Have them do something, if they can: somebody's own may lack it, or mean something else by the name."""
        for policy in filter(None, self._asked):
            act = getattr(policy, method, None)
            if act is not None and takes(act):
                with foreign(called(policy)):
                    act()

    def _take_in(self, visit: Visit) -> None:
        """Show a proof to the student."""
        lemma, script = self.climb.lemmas[visit.position], visit.tried.script
        assert script is not None
        if self.pupil is None:
            return
        if visit.stage == TABLE:
            self.pupil.remember(lemma, script)
            return
        with self._counter.counting() as spending:
            remark = self.pupil.learn(lemma, script)
        visit.record.of(TABLE).cost += spending.cost
        self.climb.count(spending.cost.seconds)
        if remark:
            self._say(remark)


def new_pupil(settings: Settings, say: Say = lambda sentence: None) -> Pupil:
    """A student who knows nothing, and is kept nowhere."""
    return Pupil(School(settings).student(settings.seed), lambda: School(settings).student(settings.seed), {}, say)


@dataclass(kw_only=True)
class Climbing:
    """A ladder as a solver: all lemmas climb it together, and a lemma that is proved leaves its time to the others.

    Attributes:
        ladder: the stages.
        asked: the policies of its stages.
        seed: of all chance.
        settings: of the student, which knows nothing when it begins.
        clock: by which time is counted.
        say: is told, in a sentence, of what does not go as usual.
        name: what a person types.
        escalation: the climb under way, or the last one; None before the first.
    """

    ladder: Ladder
    asked: Asked = NOBODY
    seed: int = 0
    settings: Settings = MAIN_JOB
    clock: Clock = monotonic
    say: Say = lambda sentence: None
    name: str = "escalate"
    escalation: Escalation | None = None

    @property
    def counts(self) -> tuple[str, ...]:
        """The costs that show its progress; tokens among them if whole proofs are written."""
        tokens = ["tokens"] if LANGUAGE in self.ladder.stages else []
        return ("episodes", "expansions", "plays", "calls", "forwards", *tokens, "seconds")

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        """Yield how far it is with which lemma after each visit of a stage, and last what came of each."""
        settings = replace(self.settings, seed=self.seed)
        escalation = self.escalation = Escalation(
            self.ladder,
            lemmas,
            pupil=new_pupil(settings, self.say) if TABLE in self.ladder.stages else None,
            asked=self.asked,
            seconds=(budget.seconds or SECONDS) * len(lemmas),
            seed=self.seed,
            clock=self.clock,
            say=self.say,
        )
        is_stopped = False
        try:
            for visit in escalation:
                yield visit.position, self._attempt(lemmas[visit.position], visit.record, visit.stage)
        except KeyboardInterrupt:
            is_stopped = True
        for position, record in enumerate(escalation.records):
            reason = why_open(record, self.ladder.stages, is_stopped=is_stopped) if record.status is OPEN else ""
            yield position, self._attempt(lemmas[position], record, record.stage or self.name, reason)

    def _attempt(self, lemma: Formula, record: Record, by: str, reason: str = "") -> Attempt:
        return Attempt(
            lemma=lemma,
            by=by,
            status=record.status,
            script=record.script,
            length=record.too_long or None,
            cost=record.cost,
            reason=reason,
        )
