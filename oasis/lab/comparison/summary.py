"""What the trials of a plan come to: curves and numbers for each variant, pairs of variants, what an order is worth.

A pure function of plan and trials. How each number is made is said once, in `DEFINITIONS`, for whoever prints it; what
the numbers say in words is elsewhere (`oasis.lab.comparison.conclusions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from oasis.lab.comparison.truth import Truth
from oasis.lab.plan import Plan, Trial, Variant
from oasis.lab.plots.curves import Series
from oasis.lab.statistics import (
    Floats,
    Interval,
    area_under_curve,
    bootstrap,
    first_reliable,
    first_success,
    interquartile_mean,
    median_or_never,
    paired_difference,
    probability_of_improvement,
    stratified_bootstrap,
)
from tactics.printer import show

POINTS: Final = 50
"""Of a curve at most; episodes of longer ones are put into bins."""
_CURVE_RESAMPLES: Final = 1000
_WIDTHS: Final = (1, 2, 5)
"""Of bins, times powers of ten."""

DEFINITIONS: Final = {
    "interval": "95 % percentile bootstrap interval: students are drawn anew, with replacement, 2,000 times (1,000 for "
    "curves).",
    "IQM": "interquartile mean: the mean over students without the lowest and the highest quarter of them.",
    "proofs": "share of a student's episodes on a lemma that ended in a proof, 0 if it had none: the area under its "
    "curve of proofs, divided by the number of episodes (IQM over students and lemmas). Students that carry one memory "
    "through all lemmas are drawn with all of them; taught afresh, each lemma is a stratum of its own.",
    "actions": "actions in an episode, the mean over a student's episodes (IQM).",
    "first proof": "the first episode that ended in a proof (median over students; “never” if the median student has "
    "none).",
    "reliable from": "the first checkpoint from which on the greedy policy proves every lemma at every checkpoint "
    "(median over students; “never” if that is so for the median student).",
    "greedy area": "share of the time, as checkpoints divide it, in which the greedy policy proves a lemma (IQM over "
    "students and lemmas).",
    "greedy proof": "actions in the greedy policy's proof after the last episode; a student without one counts as "
    "longer than any (median over students), and how many have one is said beside it. Among actions of equal "
    "values it takes any, so a student that has learned nothing has a proof as often as chance has it.",
    "value": "what a student believes the lemma to be worth after the last episode, under the policy that it learns "
    "about (IQM).",
    "P(more)": "probability of improvement: how likely a student drawn from the one variant has more than one drawn "
    "from the other, ties half.",
}


@dataclass(frozen=True)
class Summary:
    """What the students of one variant came to.

    Attributes:
        variant: whose they are.
        truths: about each lemma.
        proved: the curve of the share of episodes with a proof; means.
        steps: the curve of actions an episode; interquartile means.
        solved: the curve over checkpoints of the share of lemmas that the greedy policy proves; means.
        greedy: over checkpoints the length of its proof of the first lemma, medians, none as infinity.
        value: over checkpoints what the lemmas are believed to be worth, their mean; interquartile means.
        proofs: as all that follows, see `DEFINITIONS`.
        last_greedy: for each lemma.
        with_proof: for each lemma the number of students whose greedy policy proves it in the end.
        last_value: for each lemma.
    """

    variant: Variant
    truths: tuple[Truth, ...]
    proved: Series
    steps: Series
    solved: Series
    greedy: Series
    value: Series
    proofs: Interval
    actions: Interval
    first: Interval
    reliable: Interval
    area: Interval
    states: Interval
    last_greedy: tuple[Interval, ...]
    with_proof: tuple[int, ...]
    last_value: tuple[Interval, ...]


@dataclass(frozen=True)
class Pair:
    """How two variants compare.

    Attributes:
        one: name of the first.
        other: name of the second.
        more: probability that one's share of proofs is larger than the other's, over all lemmas.
        shorter: probability that one's last greedy proof is shorter, over all lemmas.
    """

    one: str
    other: str
    more: Interval
    shorter: Interval


@dataclass(frozen=True)
class Order:
    """What an order was worth against another: differences between students of the same seed.

    Attributes:
        one: name of the variant.
        other: name of the one with the same settings and an order to compare with.
        proofs: how much larger the share of proofs is, over all lemmas; mean.
        area: of how much more of the time and of the lemmas the greedy policy has a proof, as a share; mean.
        solved: how many more of the lemmas it proves in the end, as a share; mean.
    """

    one: str
    other: str
    proofs: Interval
    area: Interval
    solved: Interval


@dataclass(frozen=True)
class Comparison:
    """A plan and all that its trials come to."""

    plan: Plan
    bin: int
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    orders: tuple[Order, ...]

    @property
    def curriculum(self) -> bool:
        """Whether there are several lemmas."""
        return len(self.plan.lemmas) > 1

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints: of every average its value and the bounds of its interval, null for never."""
        return {
            "name": self.plan.name,
            "lemmas": [
                {"name": lemma.name, "formula": show(lemma.formula, quantified=True)} for lemma in self.plan.lemmas
            ],
            "seeds": list(self.plan.seeds),
            "episodes": self.plan.episodes,
            "variants": [_summary_to_json(summary) for summary in self.summaries],
            "pairs": [_plain(pair) for pair in self.pairs],
            "orders": [_plain(order) for order in self.orders],
            "definitions": DEFINITIONS,
        }


def compare(plan: Plan, trials: Mapping[str, Trial], truths: Mapping[str, tuple[Truth, ...]]) -> Comparison:
    """Summarise.

    Args:
        plan: of the comparison.
        trials: by name of a variant its students' arrays, stacked: their first axis is that of `plan.seeds`.
        truths: by name of a variant what is known of each lemma.
    """
    width = bin_width(plan.episodes)
    named = {variant.name: variant for variant in plan.variants}
    shares = {name: proof_shares(plan, trial) for name, trial in trials.items()}
    pairs = []
    for one, other in combinations(named, 2):
        together = not named[one].order == named[other].order == "afresh"
        lengths = [trials[name].greedy_lengths[:, -1] for name in (other, one)]
        pairs.append(
            Pair(
                one,
                other,
                more=probability_of_improvement(shares[one], shares[other], together=together),
                shorter=probability_of_improvement(*lengths, together=together),
            )
        )
    return Comparison(
        plan,
        width,
        tuple(_summary(plan, variant, trials[name], truths[name], width) for name, variant in named.items()),
        tuple(pairs),
        tuple(_orders(plan, trials)),
    )


def proof_shares(plan: Plan, trial: Trial) -> Floats:
    """Of each student's episodes on each lemma the share that ended in a proof, 0 without any; shape (seeds, lemmas).

    Orders differ in how often they choose a lemma, so lemmas count alike, however often they were practised.
    """
    practised = trial.lemma[..., None] == np.arange(len(plan.lemmas))
    proofs = (practised & trial.proved[..., None]).sum(axis=1)
    return np.asarray(proofs / np.maximum(1, practised.sum(axis=1)), np.float64)


def _greedy_area(plan: Plan, trial: Trial) -> Floats:
    """Of the time the share in which the greedy policy has a proof of each lemma; shape (seeds, lemmas)."""
    return area_under_curve(np.moveaxis(trial.greedy > 0, 1, -1), plan.checkpoints)


def bin_width(episodes: int) -> int:
    """The smallest round number of episodes such that a curve has at most `POINTS` points."""
    power = 1
    while True:
        for factor in _WIDTHS:
            if factor * power * POINTS >= episodes:
                return factor * power
        power *= 10


def binned(curves: ArrayLike, width: int) -> tuple[Floats, Floats]:
    """The middles of bins of episodes, counted from 1, and the means of curves in them; the last may be narrower."""
    curves = np.asarray(curves, np.float64)
    starts = np.arange(0, curves.shape[-1], width)
    ends = np.minimum(starts + width, curves.shape[-1])
    return (starts + 1 + ends) / 2, np.add.reduceat(curves, starts, axis=-1) / (ends - starts)


def _summary(plan: Plan, variant: Variant, trial: Trial, truths: tuple[Truth, ...], width: int) -> Summary:
    greedy = trial.greedy_lengths
    solved = trial.greedy > 0
    x, proved = binned(trial.proved, width)
    _, steps = binned(trial.steps, width)
    checkpoints = np.asarray(plan.checkpoints, np.float64)
    together = variant.order != "afresh"
    reliable = first_reliable(solved.all(axis=-1), plan.checkpoints)
    return Summary(
        variant,
        truths,
        proved=Series(x, bootstrap(proved, resamples=_CURVE_RESAMPLES)),
        steps=Series(x, bootstrap(steps, interquartile_mean, resamples=_CURVE_RESAMPLES)),
        solved=Series(checkpoints, bootstrap(solved.mean(axis=-1), resamples=_CURVE_RESAMPLES)),
        greedy=Series(checkpoints, median_or_never(greedy[..., 0], resamples=_CURVE_RESAMPLES)),
        value=Series(checkpoints, bootstrap(trial.value.mean(axis=-1), interquartile_mean, resamples=_CURVE_RESAMPLES)),
        proofs=stratified_bootstrap(proof_shares(plan, trial), together=together),
        actions=bootstrap(area_under_curve(trial.steps), interquartile_mean),
        first=median_or_never(first_success(trial.proved)),
        reliable=median_or_never(reliable),
        area=stratified_bootstrap(_greedy_area(plan, trial), together=together),
        states=bootstrap(trial.states[:, -1].astype(np.float64), interquartile_mean),
        last_greedy=tuple(median_or_never(lengths) for lengths in greedy[:, -1].T),
        with_proof=tuple(solved[:, -1].sum(axis=0).tolist()),
        last_value=tuple(bootstrap(values, interquartile_mean) for values in trial.value[:, -1].T),
    )


def _orders(plan: Plan, trials: Mapping[str, Trial]) -> Iterator[Order]:
    """Each order against practising afresh and against the given order, where the settings are the same."""
    if len(plan.lemmas) == 1:
        return
    for variant in plan.variants:
        for other in plan.variants:
            worth_asking = other.order == "afresh" != variant.order or (
                other.order == "fixed" and variant.order not in ("fixed", "afresh")
            )
            if worth_asking and other.settings == variant.settings:
                proofs, area, solved = (
                    paired_difference(ours, theirs)
                    for ours, theirs in zip(
                        _worth(plan, trials[variant.name]), _worth(plan, trials[other.name]), strict=True
                    )
                )
                yield Order(variant.name, other.name, proofs, area, solved)


def _worth(plan: Plan, trial: Trial) -> tuple[Floats, ...]:
    """What an order is judged by, each the mean over the lemmas: proofs, greedy area, greedy proofs in the end."""
    solved = trial.greedy[:, -1] > 0
    return tuple(sample.mean(axis=-1) for sample in (proof_shares(plan, trial), _greedy_area(plan, trial), solved))


def _summary_to_json(summary: Summary) -> dict[str, Any]:
    settings = asdict(summary.variant.settings)
    del settings["seed"]
    plain = {name: _plain(value) for name, value in vars(summary).items() if name not in ("variant", "truths")}
    return {
        "name": summary.variant.name,
        "order": summary.variant.order,
        "settings": settings,
        "truths": [asdict(truth) for truth in summary.truths],
        **plain,
    }


def _plain(value: Any) -> Any:
    """What JSON can hold."""
    if isinstance(value, Interval):
        return value.to_json()
    if isinstance(value, Series):
        return {"x": np.asarray(value.x).tolist(), **value.interval.to_json()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, (Pair, Order)):
        return {name: _plain(each) for name, each in vars(value).items()}
    return value
