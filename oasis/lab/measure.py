"""What is measured: each number is declared once, and tables, sentences, files and pictures are made of the list.

A trial is a mapping of named arrays: what one variant did with one seed. To add a number to every report of a family is
to add one `Measure` to its list; to add a statistic is to add one `Statistic` (`oasis.ground.statistics`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from oasis.ground.statistics import MEAN, SHARE, Bools, Floats, Interval, Statistic

Trial = Mapping[str, NDArray[Any]]
Across = Literal["seeds", "lemmas"]

PERCENT: Final[dict[str, Any]] = {"least": 0, "most": 1, "scale": 100, "unit": "%"}
"""What a measure of shares says of its numbers."""


@dataclass(frozen=True)
class Measure:
    """One number, or one curve, of a unit: of a seed or of a lemma, as the family says.

    Attributes:
        name: as a column and a key.
        says: what it is, in a sentence without a full stop.
        take: from a trial, of shape (lemmas,), or (points, lemmas) of a curve; without the
            axis of lemmas if the number belongs to none; nan, left out of means, if there is no number, unless tested.
        better: which direction is good; empty where neither is.
        over_lemmas: what makes one number of those of the lemmas; it takes `axis`.
        statistic: what makes one number of those of the units, with its interval.
        tested: whether pairs are compared on it; all tests of a report are corrected together.
        headline: whether the verdict is about it; one in a list, and it is tested.
        by_lemma: whether a table shows it lemma by lemma, if there are several.
        x: the array of the trial that holds the points of a curve; empty for a number.
        axis: what the points of a curve are; empty for the family's effort.
        by_point: whether a table shows a curve point by point.
        least: the smallest it can be.
        most: the largest.
        scale: by which it is multiplied to be shown.
        digits: shown after the point.
        unit: shown behind the number.
        needs: the arrays of a trial without which, or with nan in which, it is left out.
        lacking: why a trial may be without them, after "as".
        never: whether a lemma did not get there, so that its number is the budget; shape (lemmas,). None if all do.
        warn_above: a mean that a sentence has to mention.
    """

    name: str
    says: str
    take: Callable[[Trial], Any]
    better: Literal["less", "more", ""] = ""
    over_lemmas: Callable[..., Any] = np.mean
    statistic: Statistic = MEAN
    tested: bool = False
    headline: bool = False
    by_lemma: bool = False
    x: str = ""
    axis: str = ""
    by_point: bool = False
    least: float = -np.inf
    most: float = np.inf
    scale: float = 1.0
    digits: int = 1
    unit: str = ""
    needs: tuple[str, ...] = ()
    lacking: str = "not every trial has it"
    never: Callable[[Trial], Bools] | None = None
    warn_above: float = np.inf

    def each(self, trials: Sequence[Trial]) -> Floats:
        """Return the numbers trial by trial; shape (trials, lemmas), or (trials, points, lemmas) of a curve.

        A number that belongs to no lemma counts as that of one lemma.
        """
        taken = np.stack([np.asarray(self.take(trial), np.float64) for trial in trials])
        lacks = 2 + bool(self.x) - taken.ndim
        if lacks not in (0, 1):
            raise ValueError(
                f"{self.name} takes an array of {taken.ndim - 1} axes from a trial, not {1 + bool(self.x)}"
            )
        return taken[..., None] if lacks else taken

    def of(self, trials: Sequence[Trial], across: Across) -> Floats:
        """Return the numbers of the units; shape (units,), or (units, points) of a curve.

        The units of what belongs to no lemma are always seeds.
        """
        taken = self.each(trials)
        if across == "seeds" or taken.shape[-1] == 1:
            return np.asarray(self.over_lemmas(taken, axis=-1), np.float64)
        return np.asarray(taken.mean(axis=0).T if self.x else mean_of_known(taken))

    def of_lemmas(self, trials: Sequence[Trial]) -> Floats:
        """Return the number of each lemma, its mean over trials; shape (lemmas,)."""
        return mean_of_known(self.each(trials))

    def is_in(self, trials: Sequence[Trial]) -> bool:
        """Say whether every trial has what this takes."""
        return all(name in trial and not _lacks(trial[name]) for trial in trials for name in self.needs)

    @property
    def of_gains(self) -> Measure:
        """The measure as differences are written: those of percentages are points."""
        return replace(self, unit="points") if self.unit == "%" else self

    def text(self, number: float, sign: str = "", *, unit: bool = True) -> str:
        """Return a number as people read it; `sign` as in a format, such as `+`."""
        if not np.isfinite(number):
            return "–"
        shown = f"{round(self.scale * float(number), self.digits) + 0.0:{sign},.{self.digits}f}".replace("-", "−")
        return f"{shown} {self.unit}" if unit and self.unit else shown

    def with_bounds(self, found: Interval, sign: str = "") -> str:
        """Return a number with its bounds; without them where they say nothing."""
        shown = self.text(float(found.value), sign)
        if not np.isfinite([found.low, found.high]).all():
            return shown
        low, high = (self.text(float(bound), sign, unit=False) for bound in (found.low, found.high))
        return f"{shown} ({low} to {high})"


@dataclass(frozen=True)
class Family:
    """A kind of experiment: what its units are called, and what is measured of them.

    Attributes:
        noun: what trials are of, such as `students`.
        effort: what practice or search is counted in, such as `episodes`; the axis of curves and of the headline.
        measures: in the order in which they are shown.
        across: what a difference is taken over and resampled: `seeds`, or `lemmas` where a seed changes little.
        fewest: the number of these below which no kind is said to be better, whatever a test says.
    """

    noun: str
    effort: str
    measures: tuple[Measure, ...]
    across: Across = "seeds"
    fewest: int = 0

    def __post_init__(self) -> None:
        headlines = [measure for measure in self.measures if measure.headline]
        if len(headlines) != 1 or not (headlines[0].tested and headlines[0].better):
            raise ValueError(f"{self.noun} need one headline, which is tested and has a better direction")

    @property
    def units(self) -> str:
        """The name of its units."""
        return "lemmas" if self.across == "lemmas" else self.noun

    @property
    def headline(self) -> Measure:
        """The measure that the verdict is about."""
        return next(measure for measure in self.measures if measure.headline)


def yes_or_no(name: str, says: str, take: Callable[[Trial], Any], *, tested: bool = False, **others: Any) -> Measure:
    """Return the measure of a share of yes and no; more of one that is tested is better."""
    shown = {"better": "more" if tested else "", "statistic": SHARE, **PERCENT, **others}
    return Measure(name, says, take, tested=tested, **shown)


def texts(found: NDArray[Any]) -> NDArray[Any]:
    """Return the texts of an array of shape (lemmas,), or the lines of one text that has a line for each lemma."""
    return np.array(found.tolist() if found.ndim else str(found).split("\n"), object)


def whole(name: str) -> Callable[[Trial], Floats]:
    """Take an array of shape (lemmas,) as it is."""
    return lambda trial: np.asarray(trial[name], np.float64)


def last(name: str) -> Callable[[Trial], Floats]:
    """Take what a curve ends with; the curve is an array of shape (points, lemmas)."""
    return lambda trial: np.asarray(trial[name][-1], np.float64)


def at_end(curve: Measure, **others: Any) -> Measure:
    """Return the measure of what a curve ends with; what else differs from the curve is given by name."""
    name, says = f"{curve.name}, end", f"`{curve.name}` after the last episode"
    return replace(curve, name=name, says=says, take=lambda trial: curve.take(trial)[-1], x="", **others)


def area(name: str, x: str) -> Callable[[Trial], Floats]:
    """Take the mean height of a curve of shape (points, lemmas) over its axis, on the linear scale."""

    def mean_height(trial: Trial) -> Floats:
        points = np.asarray(trial[x], np.float64)
        return np.asarray(np.trapezoid(trial[name], points, axis=0) / (points[-1] - points[0]))

    return mean_height


def share(name: str) -> Callable[[Trial], Any]:
    """Return what takes the mean of an array without an axis of lemmas."""
    return lambda trial: np.mean(trial[name], dtype=np.float64)


def mean_of_known(numbers: Floats, axis: int = 0) -> Floats:
    """Return the means over an axis of the numbers that are not nan; nan where there is none."""
    known = ~np.isnan(numbers)
    sums = np.asarray(np.where(known, numbers, 0).sum(axis=axis))
    means = np.divide(sums, known.sum(axis=axis), out=np.full_like(sums, np.nan), where=known.any(axis=axis))
    return np.asarray(means)


def _lacks(array: NDArray[Any]) -> bool:
    return bool(array.dtype.kind == "f" and np.isnan(array).any())
