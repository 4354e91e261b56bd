"""What the numbers of `oasis.lab.sharing` say: averages with their intervals, and sentences that follow from them.

No sentence says more than what was measured: "more" and "fewer" only where the interval of the difference between
students of the same seed leaves out 0, and the intervals of an experiment are so wide that they hold together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from oasis.lab.comparison.curves import first_success
from oasis.lab.sharing.experiments import Experiment, Record, Sharing
from oasis.lab.statistics import Floats, Interval, difference, mean_interval, median_interval, share_interval
from oasis.lab.words import bounds, conjunction, rounded
from state_spaces import STATE_SPACES

SPACES: Final = tuple(STATE_SPACES)
_LAST: Final = 10
"""Copies at the end over which the growth of a memory is looked at."""
DIFFERENCES: Final = 5
"""That are looked at in an experiment, at most."""


@dataclass(frozen=True)
class Summary:
    """What the students of one space came to in one experiment, on average.

    Attributes:
        space: its name.
        states: in memory at the end.
        proofs: episodes that ended in one.
        first: the first of these, from 1, by the median; infinity if the median student has none.
        steps: an episode.
        parts: what `Experiment.parts` asks for.
    """

    space: str
    states: Interval
    proofs: Interval
    first: Interval
    steps: Interval
    parts: tuple[Interval, ...]


@dataclass(frozen=True)
class Finding:
    """One experiment: the averages in every space, and what they say."""

    experiment: Experiment
    summaries: tuple[Summary, ...]
    sentences: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints: of every average its value and the bounds of its interval."""
        return {
            "name": self.experiment.name,
            "title": self.experiment.title,
            "spaces": {
                summary.space: {
                    "states": summary.states.to_json(),
                    "proofs": summary.proofs.to_json(),
                    "first_proof": summary.first.to_json(),
                    "steps": summary.steps.to_json(),
                    "parts": {
                        name: part.to_json() for name, part in zip(self.experiment.parts, summary.parts, strict=True)
                    },
                }
                for summary in self.summaries
            },
            "sentences": list(self.sentences),
        }


def findings(sharing: Sharing) -> dict[str, Finding]:
    """What the students that are done show, by the names of the experiments."""
    return {experiment.name: _finding(sharing, experiment) for experiment in sharing.experiments}


def _finding(sharing: Sharing, experiment: Experiment) -> Finding:
    records = {space: sharing.record(experiment.name, space) for space in SPACES}
    return Finding(
        experiment,
        tuple(_summary(experiment, space, record) for space, record in records.items()),
        tuple(_SENTENCES[experiment.name](sharing, experiment, records)),
    )


def _summary(experiment: Experiment, space: str, record: Record) -> Summary:
    return Summary(
        space,
        states=mean_interval(record.states[:, -1], least=0),
        proofs=share_interval(record.proved.mean(axis=1)).scaled(record.proved.shape[1]),
        first=median_interval(first_success(record.proved), least=1),
        steps=mean_interval(record.steps.mean(axis=1), least=0),
        parts=tuple(map(share_interval, by_part(experiment, record))),
    )


def by_part(experiment: Experiment, record: Record) -> list[Floats]:
    """For each part of an experiment and each student the share of episodes with a proof, or 1 for at least one."""
    if not experiment.parts:
        return []
    parts = np.split(record.proved, len(experiment.parts), axis=1)
    return [part.max(axis=1) if experiment.one_proof_is_enough else part.mean(axis=1) for part in parts]


def _copies(sharing: Sharing, _: Experiment, records: dict[str, Record]) -> Iterator[str]:
    lemma, number = sharing.lemma.name, sharing.copies
    itself = {space: sharing.record("same", space) for space in SPACES}
    alike = [space for space in SPACES if all(map(np.array_equal, records[space], itself[space]))]
    if alike:
        yield (
            f"In {conjunction(map(str.capitalize, alike))} the {number} copies are one lemma: episode by episode, "
            f"every student has as many states, makes as many steps and finds the same proofs as on {lemma} itself."
        )
    for space in SPACES:
        if space not in alike:
            states, others = records[space].states[:, -1].mean(), itself[space].states[:, -1].mean()
            yield (
                f"In {space.capitalize()} they are not: {rounded(states)} states for the copies, {rounded(others)} for "
                f"{lemma} itself."
            )
    if number > _LAST:
        growth = (
            f"{rounded((record.states[:, -1] - record.states[:, -1 - _LAST]).mean() / _LAST)} in {space.capitalize()}"
            for space, record in records.items()
        )
        yield f"New states that each of the last {_LAST} copies brings: {conjunction(growth)}."
    yield from _proofs(records)


def _states_and_proofs(_: Sharing, __: Experiment, records: dict[str, Record]) -> Iterator[str]:
    (finest, most), *others = ((space, record.states[:, -1].mean()) for space, record in records.items())
    kept = (f"{space.capitalize()} {rounded(states)} ({_change(states / most - 1)})" for space, states in others)
    yield f"{finest.capitalize()} keeps {rounded(most)} states, {conjunction(kept)}."
    yield from _proofs(records)


def _letterings(_: Sharing, experiment: Experiment, records: dict[str, Record]) -> Iterator[str]:
    for space, record in records.items():
        shares = by_part(experiment, record)
        points = difference(shares[-1], shares[0], span=1, family=DIFFERENCES).scaled(100)
        yield f"{space.capitalize()}: in the last lettering the share of proofs is " + (
            f"{abs(points.value):.0f} percentage points {'higher' if points.sign > 0 else 'lower'} than in the first "
            f"({bounds(points)})."
            if points.sign
            else f"that of the first, as far as these students show ({bounds(points)} percentage points)."
        )
    yield from _proofs(records)


def _at_once(sharing: Sharing, experiment: Experiment, records: dict[str, Record]) -> Iterator[str]:
    shares = (
        f"{by_part(experiment, record)[-1].mean():.0%} in {space.capitalize()}" for space, record in records.items()
    )
    yield f"The share of students that prove {experiment.parts[-1]} at once: {conjunction(shares)}."
    yield from _states_and_proofs(sharing, experiment, records)


_SENTENCES: Final = {
    "copies": _copies,
    "same": _states_and_proofs,
    "letterings": _letterings,
    "at-once": _at_once,
    "levels": _states_and_proofs,
}


def _proofs(records: dict[str, Record]) -> Iterator[str]:
    """Each space against the one before it, student by student."""
    for (finer, before), (space, record) in pairwise(records.items()):
        proofs, fewer = record.proved.mean(axis=1), before.proved.mean(axis=1)
        gain = difference(proofs, fewer, span=1, family=DIFFERENCES).scaled(record.proved.shape[1])
        if np.array_equal(proofs, fewer):
            found = f"with every student exactly as many proofs as in {finer.capitalize()}."
        elif gain.sign:
            more = "more" if gain.sign > 0 else "fewer"
            found = f"{rounded(abs(gain.value))} {more} proofs than in {finer.capitalize()} ({bounds(gain)})."
        else:
            found = f"no difference to {finer.capitalize()} in proofs that these students show ({bounds(gain)})."
        yield f"{space.capitalize()}: {found}"


def _change(ratio: Floats) -> str:
    if ratio == 0:
        return "exactly as many"
    return f"{abs(ratio):.1%} {'more' if ratio > 0 else 'fewer'}"
