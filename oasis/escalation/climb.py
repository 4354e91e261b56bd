"""Dividing time among lemmas: in each round every open lemma gets a slice of every stage, four times as long as before.

So the hard lemmas do not eat the time of those that can be proved: before anybody gets a long slice, all lemmas had a
short one, the smallest lemmas first. Each climbs stage by stage: nobody is asked before those below were. When the time
no longer suffices for slices four times as long, what is left is shared out evenly, or if that would not be twice as
long, in slices of twice the length as far as it goes.

A single step may take longer than a slice: one look of a network at a huge goal takes seconds, and a play goes on for a
while, as it could only begin anew. So there are accounts. A lemma that has cost a stage more than its slices so far has
to wait there, and so does a stage that cost ten slices more in this round than all lemmas had that had their turn, or
with each of the last two lemmas more than twice the slices so far of the next one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf
from typing import Any, Final

from oasis.escalation.costs import Clock, total
from oasis.escalation.stages import BY, LONGEST, SPENT, Slice, Stage
from oasis.ground.plural import counted
from oasis.play.solving import OPEN, PROVED, STOPPED, Attempt, Cost, Status
from tactics.errors import InputError
from tactics.formula import Formula, subformulas
from tactics.script import Script, parse_script, show_script

GROWTH: Final = 4
"""Times that a slice is as long as in the round before."""
_FIRST: Final = 0.2
"""Seconds of a slice in the first round, at most."""
_SHARE: Final = 4
"""The first round takes at most one part in so many of the time."""
_CREDIT: Final = 10
"""Slices that a stage may have cost more than it had in a round, and still be asked."""
_DEAR: Final = 2
"""Times its slices that a lemma may be expected to cost, and still be tried."""
_PLAY: Final = 2.0
"""Seconds that a play may take in a shorter slice, at most."""
_PLAYS: Final = 200
"""And one part in so many of the budget."""
_LEAST: Final = 0.005
"""Seconds of a slice, at least; less time than that is none."""
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass
class Spent:
    """What a stage did for a lemma.

    Attributes:
        visits: how often it was asked.
        round: the last one in which the lemma had its turn; -1 before the first.
        is_spent: whether it has nothing more to try.
        cost: of all attempts.
    """

    visits: int = 0
    round: int = -1
    is_spent: bool = False
    cost: Cost = field(default_factory=Cost)


@dataclass
class Record:
    """How far a lemma has climbed.

    Attributes:
        status: what is known of it.
        stage: that settled it; empty if none did.
        script: the proof, if there is one.
        stages: what each stage did, by its name.
        order: how many lemmas were proved before it; None if it is not proved.
        too_long: moves of a proof that was found and is too long to count; 0 if none was.
    """

    status: Status = OPEN
    stage: str = ""
    script: Script | None = None
    stages: dict[str, Spent] = field(default_factory=dict)
    order: int | None = None
    too_long: int = 0

    @property
    def by(self) -> str | None:
        """Who proved it: `table`, `search` or `network`; None if nobody did."""
        return BY[self.stage] if self.status is PROVED else None

    @property
    def cost(self) -> Cost:
        """Of all stages together."""
        return total([spent.cost for spent in self.stages.values()])

    def of(self, stage: str) -> Spent:
        """What a stage did."""
        return self.stages.setdefault(stage, Spent())

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it."""
        return {
            "status": self.status.value,
            "stage": self.stage,
            "script": None if self.script is None else show_script(self.script),
            "order": self.order,
            "too_long": self.too_long,
            "stages": {name: {**vars(each), "cost": each.cost.to_json()} for name, each in self.stages.items()},
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Record:
        """The record that `to_json` wrote. Raises KeyError, TypeError, ValueError or InputError if it is none."""
        return cls(
            Status(stored["status"]),
            stored["stage"],
            None if stored["script"] is None else parse_script(stored["script"]),
            {name: Spent(**{**each, "cost": Cost.from_json(each["cost"])}) for name, each in stored["stages"].items()},
            stored["order"],
            stored["too_long"],
        )


def why_open(record: Record, stages: Sequence[str], *, is_stopped: bool = False) -> str:
    """Why nobody settled a lemma, in a climb that somebody stopped or not."""
    if record.too_long:
        return f"a proof was found, but of its {record.too_long:,} moves only {LONGEST:,} would be written down"
    if is_stopped:
        return STOPPED
    if all(name in record.stages and record.stages[name].is_spent for name in stages):
        return SPENT
    return "the time was not enough"


def read_time(text: str) -> float:
    """Return the seconds of a time such as 90, 90s, 30m or 2h. Raises InputError."""
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise InputError(f"--budget is a time, as in 90s, 30m or 2h, not {text[:40]!r}.")
    return seconds


def in_words(seconds: float) -> str:
    """Return seconds as text, whole ones unless they are few."""
    return f"{seconds:,.0f}" if seconds >= 10 else f"{seconds:.2g}"


@dataclass
class Pace:
    """Where a climb is in its time.

    Attributes:
        budget: seconds for all lemmas together.
        spent: of these.
        round: from 0.
        slice: seconds of an attempt in this round; 0 before the first one.
        slices: the sum of those of all rounds so far.
        studies: what it took that the network learned from what was proved; its seconds are among those spent.
        storing: seconds that it took to keep what was found and learned, likewise.
    """

    budget: float
    spent: float = 0.0
    round: int = -1
    slice: float = 0.0
    slices: float = 0.0
    studies: Cost = field(default_factory=Cost)
    storing: float = 0.0

    def said(self) -> str:
        """Say how far lemmas came in their time, and what of it was for none of them."""
        said = f"after {in_words(self.spent)} of {in_words(self.budget)} s in {counted(self.round + 1, 'round')}."
        if not self.studies.seconds:
            return said
        learned = "learned from" if self.studies.forwards else "looked at"
        return f"{said} In {in_words(self.studies.seconds)} s of these, its studies, the network {learned} the proofs."

    @property
    def left(self) -> float:
        """Seconds."""
        return self.budget - self.spent

    def next_round(self, attempts: int) -> None:
        """Begin a round of so many attempts."""
        even = self.left / attempts
        grown = self.slice * GROWTH if self.slice else min(_FIRST, even / _SHARE)
        self.slice = max(_LEAST, min(grown, max(even, 2 * self.slice if self.slice else grown), self.left))
        self.slices += self.slice
        self.round += 1

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it."""
        return {**vars(self), "studies": self.studies.to_json()}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Pace:
        """The pace that `to_json` wrote."""
        return cls(**{**stored, "studies": Cost.from_json(stored["studies"])})


@dataclass(frozen=True)
class Visit:
    """An attempt that was made.

    Attributes:
        position: of the lemma.
        stage: by its name.
        tried: what came of it.
        record: of the lemma, with this attempt.
    """

    position: int
    stage: str
    tried: Attempt
    record: Record


class Climb:
    """Lemmas that climb a ladder within a time; iterating makes the attempts.

    Set `stop_requested` to any true value to end after the current attempt, which is cut short.

    Args:
        stages: the ladder, from below.
        lemmas: to be proved.
        records: of each lemma; changed as it climbs.
        pace: of the whole; likewise.
        clock: by which time is counted.
        turn: called before the first attempt at another lemma than the last.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        lemmas: Sequence[Formula],
        records: Sequence[Record],
        pace: Pace,
        clock: Clock,
        turn: Callable[[], None] = lambda: None,
    ) -> None:
        self.stages, self.lemmas, self.records, self.pace = stages, lemmas, records, pace
        self.stop_requested = 0
        self._clock, self._turn, self._position = clock, turn, -1
        sizes = [sum(1 for _ in subformulas(lemma)) for lemma in lemmas]
        self._order = sorted(range(len(lemmas)), key=sizes.__getitem__)

    @property
    def proved(self) -> int:
        """Lemmas that are proved."""
        return sum(record.status is PROVED for record in self.records)

    @property
    def is_settled(self) -> bool:
        """Whether every lemma is proved or refuted."""
        return all(record.status is not OPEN for record in self.records)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to try."""
        return not self._attempts_left()

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to try, or no time."""
        return self.pace.left < _LEAST or self.is_done

    def __iter__(self) -> Iterator[Visit]:
        """Make attempts until every lemma is settled or given up, the time is over, or somebody stops it."""
        while not self.is_over:
            waiting = self._attempts_left()
            if not any(self._has_to_come(*each) for each in waiting):
                self.pace.next_round(len(waiting))
            account = {stage.name: 0.0 for stage in self.stages}
            before = {stage.name: deque([0.0], maxlen=2) for stage in self.stages}
            for position in self._order:
                for stage in self.stages:
                    if not self._has_to_come(position, stage):
                        continue
                    account[stage.name] += self.pace.slice
                    is_dear = min(before[stage.name]) > _DEAR * self.pace.slices
                    is_dear |= account[stage.name] < -_CREDIT * self.pace.slice
                    waits = is_dear or not self._is_reached(position, stage) or self._is_in_debt(position, stage)
                    visit = None if waits else self._attempt(position, stage)
                    if not self.stop_requested:  # else it was cut short, and has its turn again
                        self.records[position].of(stage.name).round = self.pace.round
                    if visit is None:
                        continue
                    account[stage.name] -= visit.tried.cost.seconds
                    before[stage.name].append(visit.tried.cost.seconds)
                    yield visit
                    if self.stop_requested or self.pace.left < _LEAST:
                        return

    def count(self, seconds: float) -> None:
        """Count time that was spent on something else than attempts."""
        self.pace.spent += seconds

    def reopen(self, stages: Sequence[str]) -> None:
        """Let stages that have changed try again, in this round, what they had nothing more to try with."""
        for record in self.records:
            for spent in (record.stages[name] for name in stages if name in record.stages):
                if record.status is OPEN and spent.is_spent:
                    spent.is_spent, spent.round = False, self.pace.round - 1

    def _attempts_left(self) -> list[tuple[int, Stage]]:
        return [
            (position, stage)
            for position, record in enumerate(self.records)
            if record.status is OPEN
            for stage in self.stages
            if not record.of(stage.name).is_spent
        ]

    def _has_to_come(self, position: int, stage: Stage) -> bool:
        """Whether it is the turn of a stage with a lemma in this round."""
        record = self.records[position]
        spent = record.of(stage.name)
        return record.status is OPEN and not spent.is_spent and spent.round < self.pace.round

    def _is_reached(self, position: int, stage: Stage) -> bool:
        """Whether every stage below one was asked about a lemma."""
        record = self.records[position]
        below = takewhile(lambda each: each is not stage, self.stages)
        return all(record.of(each.name).visits for each in below)

    def _is_in_debt(self, position: int, stage: Stage) -> bool:
        """Whether a lemma has cost more than its slices of this stage, or of all stages of the same kind together."""
        record, slices = self.records[position], self.pace.slices
        alike = [each.name for each in self.stages if BY[each.name] == BY[stage.name]]
        together = sum(record.of(name).cost.seconds for name in alike)
        return record.of(stage.name).cost.seconds >= slices or together >= slices * len(alike)

    def _attempt(self, position: int, stage: Stage) -> Visit:
        if position != self._position:
            self._turn()
            self._position = position
        record = self.records[position]
        spent = record.of(stage.name)
        seconds, expansions = min(self.pace.slice, self.pace.left), spent.cost.expansions
        play = min(_PLAY, self.pace.budget / _PLAYS, self.pace.left)
        part = Slice(seconds, spent.visits, expansions, lambda: bool(self.stop_requested), play)
        began = self._clock()
        tried = stage.attempt(self.lemmas[position], part)
        self.pace.spent += self._clock() - began
        spent.cost += tried.cost
        spent.visits += 1
        spent.is_spent = tried.reason == SPENT
        if tried.script is None:
            record.too_long = tried.length or record.too_long
        if tried.status is not OPEN:
            record.status, record.stage, record.script = tried.status, stage.name, tried.script
            if tried.status is PROVED:
                record.order = self.proved - 1
        return Visit(position, stage.name, tried, record)
