"""The report of an experiment, made of its family's list of measures and of nothing else."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from importlib.util import find_spec
from itertools import chain, combinations
from typing import Any, Final, TextIO

import numpy as np

from oasis.ground.plural import conjunction, listed, named
from oasis.ground.statistics import (
    BOUNDED,
    LEVEL,
    MOST_SEEDS,
    Bools,
    Differences,
    Floats,
    Interval,
    differences,
    fewest,
    seeds_needed,
)
from oasis.ground.table import Table, html
from oasis.lab.measure import Family, Measure, Trial
from tactics.errors import InputError

VERSION: Final = 2
"""Of the shape of `Report.to_json`."""
_COLUMNS: Final = 4
"""Of numbers with their bounds that a table has at most."""
FEW: Final = 30
"""Lemmas up to which a table has a row for each; JSON always does."""
_FEW_NEEDS: Final = 6
"""Numbers of units up to which a sentence says how many it takes for which pairs."""
_ROUNDING: Final = 1e-9
"""Differences that are no larger, beside the numbers or at all, come of rounding."""

Pair = tuple[str, str]


class Report:
    """What kinds come to in each measure, and which of them can be told apart.

    Attributes:
        family: whose measures these are.
        trials: by kind its trials in the order of the seeds; every kind has the same seeds.
        lemmas: their names.
        remarks: sentences of the family's own, which come last.
        pairs: of kinds that are compared; all if None, else each with those that it is to be held against.
        chosen: whether they are others than all pairs of some kinds.
        names: of the kinds.
        measures: those of the family for which every trial has what they take.
        left_out: the others.
        samples: by measure and kind the numbers of the units; shape (units,), or (units, points) of a curve.
        units: their number; seeds or lemmas.
    """

    def __init__(
        self,
        family: Family,
        trials: Mapping[str, Sequence[Trial]],
        lemmas: Sequence[str],
        remarks: Sequence[str] = (),
        pairs: Sequence[Pair] | None = None,
    ) -> None:
        self.family, self.trials, self.lemmas, self.names = family, trials, tuple(lemmas), tuple(trials)
        self.remarks = tuple(remarks)
        every = [trial for each in trials.values() for trial in each]
        if not every or len({len(each) for each in trials.values()}) > 1:
            raise InputError("A report needs a trial of every kind, and as many of each; let the experiment go on.")
        self.measures = tuple(measure for measure in family.measures if measure.is_in(every))
        self.left_out = tuple(measure for measure in family.measures if measure not in self.measures)
        self.samples = {
            measure.name: {name: measure.of(each, family.across) for name, each in trials.items()}
            for measure in self.measures
        }
        self.units = len(self.lemmas) if family.across == "lemmas" else len(trials[self.names[0]])
        self.pairs = list(combinations(self.names, 2)) if pairs is None else list(pairs)
        rivals = [name for name in self.names if any(name in pair for pair in self.pairs)]
        self.chosen = self.pairs != list(combinations(rivals, 2))

    def __repr__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        from oasis.lab.pictures import pictures

        said = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences())
        found = pictures(self, "report") if find_spec("matplotlib") else []
        drawn = [f"<h4>{escape(title)}</h4>{svg}" for title, svg in found]
        return "".join([*map(html, self.tables()), f"<ul>{said}</ul>", *drawn])

    @property
    def seeds(self) -> int:
        """How many seeds each kind was tried with."""
        return len(self.trials[self.names[0]])

    @property
    def numbers(self) -> tuple[Measure, ...]:
        """The measures that are no curves."""
        return tuple(measure for measure in self.measures if not measure.x)

    @property
    def curves(self) -> tuple[Measure, ...]:
        """The measures that are curves."""
        return tuple(measure for measure in self.measures if measure.x)

    @property
    def compared(self) -> tuple[Measure, ...]:
        """The measures on which pairs are compared, the headline first."""
        return tuple(sorted((each for each in self.measures if each.tested), key=lambda each: not each.headline))

    @property
    def fewest(self) -> int:
        """The number of units from which two kinds can be told apart."""
        return max(fewest(len(self.pairs)), self.family.fewest)

    @property
    def says_nothing(self) -> bool:
        """Whether so few units can tell no two kinds apart, however much these differ."""
        return self.units < self.fewest

    @property
    def has_bounds(self) -> bool:
        """Whether there are units enough for intervals."""
        return self.units >= BOUNDED

    def led_by(self, headline: str) -> Report:
        """Return the same report with the verdict about another of its tested measures."""
        if headline not in [each.name for each in self.compared]:
            return self
        measures = (replace(each, headline=each.name == headline) for each in self.family.measures)
        return Report(
            replace(self.family, measures=tuple(measures)), self.trials, self.lemmas, self.remarks, self.pairs
        )

    def number(self, measure: Measure, name: str) -> Interval:
        """Return what a kind comes to in a measure; shape () or (points,)."""
        sample = self.samples[measure.name][name]
        if not measure.x:
            sample = sample[~np.isnan(sample)]
        if not len(sample):
            return Interval(*[np.asarray(np.nan)] * 3)
        return measure.statistic.of(sample, measure.least, measure.most)

    def points(self, measure: Measure, name: str) -> Floats:
        """Return where the points of a kind's curve lie; shape (points,)."""
        return np.asarray(self.trials[name][0][measure.x], np.float64)

    def gains(self, measure: Measure, pair: Pair) -> Floats:
        """Return how much more the first of two kinds has, unit by unit."""
        one, other = (self.samples[measure.name][name] for name in pair)
        return np.where(np.isclose(one, other, rtol=_ROUNDING, atol=_ROUNDING), 0, one - other)

    @cached_property
    def tests(self) -> dict[Pair, Differences]:
        """By pair what `differences` says of the measures in `compared`."""
        spans = np.array([self._most(each) - each.least for each in self.compared])
        return {
            pair: differences(
                np.stack([self.gains(each, pair) for each in self.compared], axis=1), len(self.pairs), spans
            )
            for pair in self.pairs
        }

    def _most(self, measure: Measure) -> float:
        """Return the largest number that a measure can have: the budget, if some unit did not get there."""
        if any(self.never(measure, name) for name in self.names):
            return max(float(sample.max()) for sample in self.samples[measure.name].values())
        return measure.most

    def difference(self, measure: Measure, pair: Pair) -> tuple[Interval, float]:
        """Return how much more the first of two kinds has in a tested measure, and p over the whole report."""
        found, place = self.tests[pair], self.compared.index(measure)
        if self.units < self.family.fewest:
            return Interval(found.gain.value[place], np.asarray(-np.inf), np.asarray(np.inf)), 1.0
        return Interval(*(bound[place] for bound in found.gain)), float(found.p[place])

    def never(self, measure: Measure, name: str) -> int:
        """Return how many units of a kind did not get there; 0 for a measure that knows of no such thing."""
        return int(self.lost(measure, name).sum())

    def lost(self, measure: Measure, name: str) -> Bools:
        """Return which units of a kind did not get there, in some lemma or with some seed; shape (units,)."""
        if measure.never is None:
            return np.zeros(self.units, np.bool_)
        lost = np.stack([measure.never(trial) for trial in self.trials[name]])  # (trials, lemmas)
        return np.asarray(lost.any(axis=0 if self.family.across == "lemmas" else 1))

    def seeds_needed(self, measure: Measure, pair: Pair, effect: float | None = None) -> int | None:
        """Return how many units would tell a pair apart in most experiments, if it differs by that, or as much as here.

        More than there are, as these did not. None if that is too many to ask for, and where a pair does not differ.
        """
        gains = self.gains(measure, pair)
        effect = float(gains.mean()) if effect is None else effect
        found = seeds_needed(gains, effect, len(self.pairs)) if effect and self.units > 1 else None
        return found and max(found, self.units + 1, self.fewest)

    def tables(self) -> Iterator[Table]:
        """Yield what each kind comes to, lemma by lemma if there are some, but not many, and how much kinds differ."""
        for title, chosen in (
            ("What is compared", self.compared),
            ("Besides", tuple(each for each in self.numbers if not each.tested)),
        ):
            for first in range(0, len(chosen), _COLUMNS):
                yield self.table(title, chosen[first : first + _COLUMNS])
        for each in self.curves:
            if each.by_point:
                yield self._by_point(each)
        if 1 < len(self.lemmas) <= FEW:
            yield from self._by_lemma()
        if self.pairs and not self.says_nothing:
            rows = tuple((f"{one} – {other}", *self._row((one, other))) for one, other in self.pairs)
            note = "* told apart; intervals hold together over the whole report."
            yield Table("First less second", ("", *(each.name for each in self.compared)), rows, note=note)

    def table(self, title: str, measures: Sequence[Measure]) -> Table:
        """Return what each kind comes to in some measures that are no curves."""
        rows = tuple((name, *(each.with_bounds(self.number(each, name)) for each in measures)) for name in self.names)
        return Table(title, ("", *(each.name for each in measures)), rows)

    def _row(self, pair: Pair) -> Iterator[str]:
        for measure in self.compared:
            gain, p = self.difference(measure, pair)
            yield measure.of_gains.with_bounds(gain, "+") + (" *" if p <= LEVEL else "")

    def _by_point(self, measure: Measure) -> Table:
        points = [f"{point:g}" for point in self.points(measure, self.names[0])]
        rows = []
        for name in self.names:
            found = [Interval(*bounds) for bounds in zip(*self.number(measure, name), strict=True)]
            if len(points) <= _COLUMNS:
                rows.append((name, *map(measure.with_bounds, found)))
            else:
                rows.append((name, *(measure.text(float(each.value)) for each in found)))
        return Table(f"{measure.name}, by {measure.axis or self.family.effort}", ("", *points), tuple(rows))

    def _by_lemma(self) -> Iterator[Table]:
        for measure in self.numbers:
            if measure.by_lemma:
                means = [measure.of_lemmas(self.trials[name]) for name in self.names]
                rows = tuple(
                    (lemma, *(measure.text(float(mean[place])) for mean in means))
                    for place, lemma in enumerate(self.lemmas)
                )
                yield Table(f"{measure.name.capitalize()}, lemma by lemma", ("", *self.names), rows)

    def sentences(self) -> list[str]:
        """Return the verdict, what else can be told apart, and what these units could not show."""
        return [*self.warnings(), *self._verdicts(), *self.remarks]

    def warnings(self) -> Iterator[str]:
        """Say what is left out, and what a reader has to mind."""
        for why in dict.fromkeys(measure.lacking for measure in self.left_out):
            missed = [f"“{measure.name}”" for measure in self.left_out if measure.lacking == why]
            yield f"Left out: {conjunction(missed)}, as {why}."
        for measure in self.numbers:
            means = {name: float(self.samples[measure.name][name].mean()) for name in self.names}
            many = [
                f"{measure.text(mean)} for {named(name)}" for name, mean in means.items() if mean > measure.warn_above
            ]
            if many:
                yield f"Mind that {measure.name} is {conjunction(many)}: {measure.says}."
            lost = [f"{number} of {named(name)}" for name in self.names if (number := self.never(measure, name))]
            if lost:
                yield (
                    f"{measure.name.capitalize()}: of {self._units(self.units)} each, {conjunction(lost)} did not get "
                    "there; they count with the whole budget, so the true means are larger."
                )

    def _verdicts(self) -> Iterator[str]:
        if not self.pairs:
            return
        if self.says_nothing:
            yield (
                f"{self._units(self.units)} of each kind can tell no kinds apart, however much they differ; take "
                f"{self.fewest} or more."
            )
            return
        for measure in self.compared:
            if measure.better:
                yield from self._against(measure) if self.chosen else (self._verdict(measure),)
        yield (
            f"Kinds are compared {self.family.across[:-1]} by {self.family.across[:-1]} on "
            f"{self._units(self.units)}; of reports with equal kinds, at most 5 % tell any two apart."
        )
        if not self.chosen:
            yield from self.power()

    def _units(self, number: int) -> str:
        return f"{number:,} {self.family.units}" if number != 1 else f"1 {self.family.units.removesuffix('s')}"

    def _verdict(self, measure: Measure) -> str:
        """Say who is ahead: worse than nobody and better than most in a measure; of several who has the best mean."""
        sign = 1 if measure.better == "more" else -1
        means = {name: float(self.samples[measure.name][name].mean()) for name in dict.fromkeys(chain(*self.pairs))}
        apart = [
            pair if sign * gain.value > 0 else pair[::-1]
            for pair in self.pairs
            for gain, p in [self.difference(measure, pair)]
            if p <= LEVEL
        ]
        beats, beaten = Counter(better for better, _ in apart), {worse for _, worse in apart}
        first = max((name for name in means if name not in beaten), key=lambda name: (beats[name], sign * means[name]))
        told, alike = [], []
        for pair in self.pairs:
            if first in pair:
                gain, p = self.difference(measure, pair)
                rival = pair[1 - pair.index(first)]
                if p > LEVEL:
                    alike.append(named(rival))
                    continue
                low, high = sorted(abs(float(bound)) for bound in (gain.low, gain.high))
                bounds = f"{measure.text(low, unit=False)} to {measure.text(high, unit=False)}"
                more = measure.of_gains.text(abs(float(gain.value)))
                told.append(f"{more} {measure.better} than {named(rival)} ({bounds})")
        name = measure.name.capitalize()
        if not told:
            values = conjunction(f"{measure.text(mean)} for {named(kind)}" for kind, mean in means.items())
            return f"{name}: nobody is ahead; {values}."
        ahead = f"{name}: {named(first)} is ahead with {measure.text(means[first])}, {conjunction(told)}"
        return f"{ahead}; not told apart from {conjunction(alike)}." if alike else f"{ahead}."

    def _against(self, measure: Measure) -> Iterator[str]:
        """Say which kinds do better, and which worse, than each that they are held against."""
        for other in dict.fromkeys(pair[1] for pair in self.pairs):
            rivals = [pair for pair in self.pairs if pair[1] == other]
            found: dict[str, list[str]] = {"better": [], "worse": [], "not told apart": []}
            for pair in rivals:
                gain, p = self.difference(measure, pair)
                word = "better" if (gain.value > 0) == (measure.better == "more") else "worse"
                found[word if p <= LEVEL else "not told apart"].append(pair[0])
            told = "; ".join(f"{word}: {listed(names)}" for word, names in found.items() if names)
            yield f"{measure.name.capitalize()}, against {named(other)}: {told}."

    def power(self) -> Iterator[str]:
        """Say how many units it takes to tell pairs apart in the headline that are not told apart here."""
        head, noun = self.compared[0], self.family.across
        needs: dict[float, list[Pair]] = {}
        for pair in self.pairs:
            is_open = self.says_nothing or self.difference(head, pair)[1] > LEVEL
            if is_open and self.gains(head, pair).any():
                needs.setdefault(self.seeds_needed(head, pair) or np.inf, []).append(pair)
        words = {need: f"some {need:,}" if need <= MOST_SEEDS else f"more than {MOST_SEEDS:,}" for need in needs}
        told = [
            f"{much} for {listed([f'{one} and {other}' for one, other in needs[need]])}" for need, much in words.items()
        ]
        if len(told) > _FEW_NEEDS:
            told = [f"{words[min(needs)]} to {words[max(needs)]}, as --json says of each pair"]
        if told:
            yield (
                f"{noun.capitalize()} needed to tell kinds apart in {named(head.name)} 8 times of 10, if they differ "
                f"as much as here: {'; '.join(told)}."
            )

    def pilot(self) -> list[str]:
        """Say how many units it takes to tell each pair apart, or why nothing says so."""
        if not self.pairs:
            return ["There is one kind alone, so there is nobody to tell it apart from; name a second kind."]
        head = self.compared[0]
        alike = [f"{one} and {other}" for one, other in self.pairs if not self.gains(head, (one, other)).any()]
        told = [*self.power()]
        if alike:
            told.append(
                f"Nothing says how many it takes for {listed(alike)}, which do not differ in {head.name} here; try "
                "other lemmas, or a larger budget."
            )
        return told or [f"{self._units(self.units)} of each kind are enough to tell all kinds apart in {head.name}."]

    def to_json(self) -> dict[str, Any]:
        """Return numbers, curves, pairs and sentences, what each measure is, and each lemma's numbers."""
        return {
            "report": VERSION,
            "family": self.family.noun,
            "units": self.units,
            "across": self.family.across,
            "seeds": self.seeds,
            "lemmas": list(self.lemmas),
            "kinds": list(self.names),
            "measures": {
                each.name: {
                    "says": each.says,
                    "better": each.better,
                    "unit": each.unit,
                    "scale": each.scale,
                    "statistic": each.statistic.name,
                    "interval": each.statistic.says,
                    "tested": each.tested,
                    "headline": each.headline,
                }
                for each in self.measures
            },
            "left_out": {each.name: each.lacking for each in self.left_out},
            "numbers": {
                each.name: {
                    name: {**self.number(each, name).to_json(), "never": self.never(each, name)} for name in self.names
                }
                for each in self.numbers
            },
            "by_lemma": {
                each.name: {name: _finite(each.of_lemmas(self.trials[name])) for name in self.names}
                for each in self.numbers
            },
            "curves": {
                each.name: {
                    name: {"x": self.points(each, name).tolist(), **self.number(each, name).to_json()}
                    for name in self.names
                }
                for each in self.curves
            },
            "pairs": [self._pair(pair, measure) for pair in self.pairs for measure in self.compared],
            "sentences": self.sentences(),
        }

    def _pair(self, pair: Pair, measure: Measure) -> dict[str, Any]:
        gain, p = self.difference(measure, pair)
        apart = p <= LEVEL
        return {
            "one": pair[0],
            "other": pair[1],
            "measure": measure.name,
            **gain.to_json(),
            "p": p,
            "told_apart": apart,
            "seeds_needed": None if apart else self.seeds_needed(measure, pair),
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each unit of each kind with all its numbers that belong to units, for a CSV file."""
        units = self.lemmas if self.family.across == "lemmas" else range(self.units)
        for name in self.names:
            samples = {each.name: self.samples[each.name][name] for each in self.numbers if self._is_of_units(each)}
            for place, unit in enumerate(units):
                numbers = {measure: float(sample[place]) for measure, sample in samples.items()}
                yield {"kind": name, self.family.across[:-1]: unit, **numbers}

    def _is_of_units(self, measure: Measure) -> bool:
        """Say whether the numbers of a measure belong to the units, and not to seeds while units are lemmas."""
        return self.family.across == "seeds" or len(measure.of_lemmas(self.trials[self.names[0]])) > 1


def write_rows(rows: Iterable[Mapping[str, Any]], stream: TextIO) -> None:
    """Write rows of the same columns as CSV, at least one."""
    rows = iter(rows)
    first = next(rows)
    writer = csv.DictWriter(stream, first.keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerow(first)
    writer.writerows(rows)


def _finite(numbers: Floats) -> list[float | None]:
    return [float(number) if np.isfinite(number) else None for number in np.atleast_1d(numbers)]
