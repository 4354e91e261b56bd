"""Who proved what in an escalation, and what it took, read from the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from oasis.escalation.climb import Pace, Record
from oasis.escalation.costs import total
from oasis.escalation.ladder import Ladder
from oasis.escalation.run import kept_escalation
from oasis.play.solving import OPEN, PROVED, REFUTED, Cost
from oasis.store import Store
from oasis.student.report import RunReport


@dataclass(frozen=True)
class StageReport:
    """What a stage came to.

    Attributes:
        stage: its name.
        tried: lemmas it was asked about.
        proved: of these by it.
        refuted: likewise.
        cost: of all of them.
    """

    stage: str
    tried: int
    proved: int
    refuted: int
    cost: Cost

    def to_json(self) -> dict[str, Any]:
        """All of it by name."""
        return {**vars(self), "cost": self.cost.to_json()}


@dataclass(frozen=True)
class EscalationReport:
    """An escalation as stored: its stages and time, and how far each lemma climbed, in the order of the run."""

    ladder: Ladder
    pace: Pace
    records: tuple[Record, ...]

    @property
    def stages(self) -> list[StageReport]:
        """What each stage came to, from below."""
        return [stage_report(name, self.records) for name in self.ladder.stages]

    @property
    def cost(self) -> Cost:
        """Of everything, the studies of the network included."""
        return total([*(record.cost for record in self.records), self.pace.studies])

    def count(self, status: str) -> int:
        """How many lemmas are `proved`, `refuted` or `open`."""
        return sum(record.status.value == status for record in self.records)

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        return {
            **self.ladder.to_json(),
            **pace_to_json(self.pace),
            "rounds": self.pace.round + 1,
            **{status.value: self.count(status.value) for status in (PROVED, REFUTED, OPEN)},
            "by_stage": [stage.to_json() for stage in self.stages],
            "cost": self.cost.to_json(),
        }

    def lemmas_to_json(self) -> Iterator[dict[str, Any]]:
        """What `--json` says of each lemma's climb."""
        for record in self.records:
            yield {"status": record.status.value, **climb_to_json(record)}


def stage_report(name: str, records: Sequence[Record]) -> StageReport:
    """What a stage came to."""
    spent = [record.stages[name] for record in records if name in record.stages]
    settled = [record.status for record in records if record.stage == name]
    return StageReport(
        name,
        tried=sum(each.visits > 0 for each in spent),
        proved=settled.count(PROVED),
        refuted=settled.count(REFUTED),
        cost=total([each.cost for each in spent]),
    )


def climb_to_json(record: Record) -> dict[str, Any]:
    """Who proved a lemma, in which stage, and what each stage that was asked took; null where nobody settled it.

    `too_long` has the moves of a proof that was found and is too long to count; null if there is none.
    """
    return {
        "by": record.by,
        "stage": record.stage or None,
        "too_long": record.too_long or None,
        "costs": {name: spent.cost.to_json() for name, spent in record.stages.items() if spent.visits},
    }


def pace_to_json(pace: Pace) -> dict[str, Any]:
    """What `--json` says of the time of all lemmas together: studies, and storing, belong to no lemma."""
    seconds = {"budget": pace.budget, "spent": round(pace.spent, 3), "storing": round(pace.storing, 3)}
    return {**seconds, "studies": pace.studies.to_json()}


def run_to_json(store: Store, report: RunReport) -> dict[str, Any]:
    """Return the form in which `--json` prints a run: with who proved each lemma and what that took."""
    whole, escalation = report.to_json(), escalation_report(store, report.run)
    lemmas = [{**lemma, **climb} for lemma, climb in zip(whole["lemmas"], escalation.lemmas_to_json(), strict=True)]
    return {**whole, "escalation": escalation.to_json(), "lemmas": lemmas}


def escalation_report(store: Store, run: int) -> EscalationReport:
    """What came of an escalation so far. Raises StoreError if it cannot be read, or the run is none."""
    kept = kept_escalation(store, run)
    return EscalationReport(kept.ladder, kept.pace, tuple(kept.records))
