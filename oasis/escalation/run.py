"""An escalation that is kept: a run in a store whose lemmas climb, started or resumed.

A proof is in the store before the next attempt is made; what attempts cost, and what the student learned, is stored
every second, or less often where that would take more than a tenth of the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

from curricula.lemma import Curriculum
from oasis.escalation.climb import Pace, Record, Visit, read_time
from oasis.escalation.escalation import Escalation
from oasis.escalation.ladder import ESCALATE, EXPLORER, Asked, Ladder, asked_by
from oasis.escalation.pupil import Pupil, Say
from oasis.escalation.solvers import NETWORK
from oasis.escalation.stages import TABLE
from oasis.neural.policies import checkpoint_named, from_anywhere, policy_named
from oasis.neural.training.header import digest
from oasis.play.solving import OPEN, PROVED
from oasis.store import Store
from oasis.student.kept import kept_student
from oasis.student.report import Tally, exam_to_text, packed
from oasis.student.settings import Settings
from oasis.student.student import Practice
from oasis.student.training import CHECKPOINT_SECONDS, Training, settings_of
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.script import show_script

SECONDS: Final = 10.0
"""For each lemma, unless a time for all of them is given."""
MOST_SECONDS: Final = 1_800.0
"""For all lemmas together, likewise."""
_PATIENCE: Final = 10
"""Times as long as storing took until it is done again, at least."""


def begin(
    store: Store,
    curriculum: Curriculum,
    settings: Settings,
    *,
    network: str = "",
    language: str = "",
    search: str = "",
    expansions: int | None = None,
    budget: str | None = None,
    taught_by: int | None = None,
) -> int:
    """Begin an escalation by all stages, and return the number of its run.

    Args:
        store: where it is kept.
        curriculum: its lemmas.
        settings: of the student.
        network: the name of the policy that is asked where table and search are silent; empty for the usual one.
        language: the name of the policy that writes whole proofs where all others are silent; empty for none.
        search: the name of the search; empty for the usual one.
        expansions: of a search in each attempt at most; None for no limit but time.
        budget: time for all lemmas together, as `read_time` reads it; None for the usual one.
        taught_by: a run whose student goes on learning here.

    Raises InputError if there is no such policy.
    """
    network = from_anywhere(network or NETWORK)
    ladder = Ladder.named(ESCALATE, network, search or EXPLORER, language and from_anywhere(language))
    asked_by(ladder, lambda name: policy_named(name, store))
    ladder = replace(ladder, expansions=expansions, digest=_digest(ladder))
    seconds = min(MOST_SECONDS, SECONDS * len(curriculum.lemmas)) if budget is None else read_time(budget)
    return EscalatedRun.start(store, curriculum, settings, ladder, seconds, taught_by=taught_by)


def go_on(store: Store, run: int, say: Say) -> EscalatedRun:
    """Return an escalation that is gone on with; stages whose policy lacks a library are left out."""
    kept = kept_escalation(store, run).ladder
    ladder, asked = asked_by(kept, lambda name: policy_named(name, store), say)
    at_work = EscalatedRun(store, run, ladder, asked, say=say)
    if kept.digest and ladder == kept and not at_work.finished and _digest(kept) != kept.digest:
        names = " or ".join(filter(None, (kept.network, kept.language)))
        say(f"{names} is another network than run {run} was begun with; it goes on with this one.")
    return at_work


def _digest(ladder: Ladder) -> str:
    """Return what stands for the content of the files of its networks; empty if they have none."""
    files = [checkpoint_named(name) for name in (ladder.network, ladder.language) if name]
    return "".join(digest(file) for file in files if file is not None)


class EscalatedRun:
    """A run of an escalation; iterating makes the attempts that are left, and then examines the student.

    Args:
        store: where it is.
        run: its number.
        ladder: the stages that can be climbed now, which may be fewer than those it was begun with.
        asked: the policies of its stages.
        say: is told, in a sentence, of what does not go as usual.
    """

    def __init__(
        self,
        store: Store,
        run: int,
        ladder: Ladder,
        asked: Asked,
        *,
        say: Say = lambda sentence: None,
    ) -> None:
        kept = kept_escalation(store, run)
        stored = store.run(run)
        self.store, self.run, self.ladder = store, run, ladder
        self.settings = settings_of(stored)
        self.finished: bool = stored["finished"] is not None
        rows = store.lemmas(run)
        self.names = [row["name"] for row in rows]
        self._tallies = [Tally.of(row) for row in rows]
        lemmas = [parse(row["formula"]) for row in rows]
        records, self._taught = kept.records, kept.taught
        pupil = self._pupil(lemmas, records, say) if TABLE in ladder.stages else None
        self.escalation = Escalation(
            ladder,
            lemmas,
            pupil=pupil,
            asked=asked,
            seconds=kept.pace.budget,
            seed=self.settings.seed,
            records=records,
            pace=kept.pace,
            say=say,
        )
        self._practised: dict[int, list[Practice]] = {}
        self._changed: set[int] = set()
        self._settled: set[int] = set()
        self._kept_pace = kept.stored_pace
        self._kept_at = self._stored_at = perf_counter()
        self._storing = 0.0

    @classmethod
    def start(
        cls,
        store: Store,
        curriculum: Curriculum,
        settings: Settings,
        ladder: Ladder,
        seconds: float,
        *,
        taught_by: int | None = None,
    ) -> int:
        """Store a new run with all its lemmas still to be climbed, and give its number.

        Args:
            store: where to keep it.
            curriculum: its lemmas.
            settings: of the student.
            ladder: the stages.
            seconds: for all lemmas together.
            taught_by: a run whose student goes on learning here.

        Raises InputError if the student of `taught_by` cannot go on with these settings.
        """
        with store.together():
            run = Training.start(store, curriculum, settings, taught_by=taught_by).run
            store.start_escalation(run, ladder=ladder.to_json(), pace=Pace(seconds).to_json())
        return run

    def __iter__(self) -> Iterator[Visit]:
        """Make attempts until every lemma is settled or given up, the time is over, or somebody stops it."""
        if self.finished:
            return
        self._teach_again()
        try:
            for visit in self.escalation:
                self._take_note(visit)
                self._keep(now=visit.record.status is not OPEN)
                yield visit
        finally:
            self._keep(now=True, with_student=True)
        if self.escalation.climb.stop_requested:
            return
        self._examine()
        if not self.escalation.climb.stop_requested:
            self.store.finish_run(self.run)
            self.finished = True

    def _pupil(self, lemmas: list[Formula], records: list[Record], say: Say) -> Pupil:
        self._student = kept_student(self.store, self.run, self.settings)

        def anew() -> Any:
            self._student.begin_anew()
            return self._student.student

        practised: Counter[Formula] = Counter()
        for lemma, tally in zip(lemmas, self._tallies, strict=True):
            practised[lemma] += tally.episodes
        pupil = Pupil(self._student.student, anew, practised, say)
        for lemma, record in zip(lemmas, records, strict=True):
            if record.script is not None:
                pupil.remember(lemma, record.script)
        return pupil

    def _teach_again(self) -> None:
        """Show the student what was proved after it was stored last."""
        climb, pupil = self.escalation.climb, self.escalation.pupil
        if pupil is None:
            return
        for lemma, record in zip(climb.lemmas, climb.records, strict=True):
            if record.script is not None and record.order is not None and record.order >= self._taught:
                pupil.learn(lemma, record.script)

    def _take_note(self, visit: Visit) -> None:
        """Take note of what an attempt has changed."""
        self._changed.add(visit.position)
        if visit.record.status is not OPEN:
            self._settled.add(visit.position)
        pupil, tally = self.escalation.pupil, self._tallies[visit.position]
        if pupil is not None:
            for lemma, practice, met, seconds in pupil.waiting:
                tally.add(practice, pupil.best(lemma), met, seconds)
                self._practised.setdefault(visit.position, []).append(practice)
            pupil.waiting.clear()

    def _keep(self, *, now: bool, with_student: bool = False) -> None:
        """Store what changed, if it is time or has to be now; the student as well if it is time or has to be.

        Raises StoreError if another process has gone on with the run meanwhile.
        """
        began, climb = perf_counter(), self.escalation.climb
        if not (now or began - self._kept_at > CHECKPOINT_SECONDS):
            return
        has_waited = began - self._stored_at > max(CHECKPOINT_SECONDS, _PATIENCE * self._storing)
        with_student = self.escalation.pupil is not None and (with_student or has_waited)
        settled = {position: climb.records[position].script for position in self._settled}
        pace = climb.pace.to_json()
        with self.store.together():
            self._keep_practice()
            if with_student:
                self.store.checkpoint(self.run, **self._student.changes())
            self.store.keep_climbs(
                self.run,
                {position: climb.records[position].to_json() for position in self._changed},
                before=self._kept_pace,
                pace=pace,
                taught=climb.proved if with_student else None,
                settled={
                    position: None if script is None else (show_script(script), len(script))
                    for position, script in settled.items()
                },
            )
        self._practised.clear()
        self._changed.clear()
        self._settled.clear()
        self._kept_pace = pace
        self._kept_at = perf_counter()
        if with_student:
            self._stored_at, self._storing = self._kept_at, self._kept_at - began
        climb.count(self._kept_at - began)
        climb.pace.storing += self._kept_at - began

    def _keep_practice(self) -> None:
        """Store what was practised since it was stored last: those who are killed have made these episodes, too."""
        for position, practices in self._practised.items():
            tally = self._tallies[position]
            episodes = sum(len(practice.proved) for practice in practices)
            block = tally.episodes + 1 - episodes, episodes, packed(practices)
            self.store.checkpoint(self.run, position, tally=tally.columns(), block=block)

    def _examine(self) -> None:
        """Examine the student on every lemma that is proved."""
        climb, pupil = self.escalation.climb, self.escalation.pupil
        for position, row in enumerate(self.store.lemmas(self.run)):
            if pupil is None or climb.stop_requested:
                return
            if climb.records[position].status is PROVED and row["exam"] is None:
                exam = pupil.examine(climb.lemmas[position])
                if exam is not None:
                    self.store.keep_exam(self.run, position, exam_to_text(exam))


class Kept:
    """What is stored of an escalation.

    Attributes:
        ladder: its stages.
        pace: where it is in its time.
        stored_pace: the same as it is stored.
        taught: how many proofs the student had been shown when it was stored last.
        records: how far each lemma has climbed.
    """

    def __init__(self, ladder: Ladder, stored_pace: dict[str, Any], taught: int, records: list[Record]) -> None:
        self.ladder, self.taught, self.records = ladder, taught, records
        self.stored_pace, self.pace = stored_pace, Pace.from_json(stored_pace)


def kept_escalation(store: Store, run: int) -> Kept:
    """What is stored of an escalation. Raises StoreError if it is damaged, or the run is none."""
    stored = store.escalation(run)
    if stored is None:
        raise InputError(f"Run {run} is no escalation; go on with it by: oasis train --resume --run {run}")
    climbs = store.climbs(run)
    try:
        records = [
            Record.from_json(climbs[position]) if position in climbs else Record()
            for position in range(len(store.lemmas(run)))
        ]
        return Kept(Ladder(**stored["ladder"]), stored["pace"], int(stored["taught"]), records)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise store.damaged(f"run {run}: {error}") from error
