"""What the trials of a plan come to: curves and numbers for each variant, pairs of variants, what an order is worth.

A pure function of plan and trials. How each number is made is said once, in `DEFINITIONS`, for whoever prints it; what
the numbers say in words is elsewhere (`oasis.lab.comparison.conclusions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from oasis.lab.comparison.curves import area_under_curve, bin_width, binned, first_reliable, first_success
from oasis.lab.plots.curves import Series
from oasis.lab.statistics import (
    Floats,
    Interval,
    difference,
    mean_interval,
    median_interval,
    probability_of_improvement,
    ranks,
    share_curve,
    share_interval,
    share_method,
)
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.students.trial import Trial
from oasis.lab.students.truth import Truth
from oasis.lab.words import INTERVALS
from tactics.printer import show

DEFINITIONS: Final = {
    "interval": INTERVALS,
    "methods": "which interval shares have, as said below the tables; of `lemma_proofs` lemma by lemma.",
    "difference": "mean of the differences between students of the same seed, who draw the same random numbers, with "
    "Student's t interval; where all pairs differ by the same, it says what a pair that was not drawn may change. All "
    "intervals of one table hold together in 95 % of experiments (Bonferroni), so it is safe "
    "to look for the largest; two variants are told apart if theirs leaves out 0.",
    "proofs": "share of a student's episodes on a lemma that ended in a proof, 0 if it had none: the area under its "
    "curve of proofs, divided by the number of episodes; mean over lemmas, then over students. In `lemma_proofs`, and "
    "in the table lemma by lemma, it is that of each lemma, the mean over students.",
    "actions": "actions in an episode: mean over a student's episodes, then over students.",
    "first proof": "the first episode that ended in a proof; median over students, “never” if the median student has "
    "none.",
    "exam": "at each checkpoint the greedy policy plays every lemma `plays` times, after the last episode `last_plays` "
    "times, ties by lot; nothing is learned from it. A student knows a lemma if every play proves it. Luck does not "
    "pass that: who proves half of the plays by luck proves 20 of 20 once in a million exams.",
    "reliable from": "the first checkpoint from which on a student knows every lemma at every checkpoint, by the "
    "number of episodes on all lemmas so far; median over students, “never” if that is so for the median student. "
    "≤ stands before the first checkpoint, before which nobody was asked. In `lemma_reliable`, and in the table lemma "
    "by lemma, it is that of each lemma.",
    "greedy area": "share of the plays in exams that prove the lemma, over the time as checkpoints divide it; mean "
    "over lemmas, then over students.",
    "plays in the end": "the same share in the exams after the last episode.",
    "experience": "among actions of equal value a student with experience draws lots by the odds of maxims; its exams "
    "follow none, so they show what it learned itself.",
    "states": "states in memory after the last episode; mean over students.",
    "greedy proof": "actions in the median play of a student's exam after the last episode, a play without a proof "
    "counting as longer than any; median over students, likewise. It is a length and not a sign of knowledge: who "
    "knows nothing and proves about half of the plays has one now and then.",
    "know it": "how many students know the lemma after the last episode, every play of the exam being a proof, and the "
    "interval of their share.",
    "value": "what a student believes the lemma to be worth after the last episode, under the policy that it learns "
    "about; mean over students.",
    "P(more)": "probability of improvement: how likely a student drawn from the one variant has more than one drawn "
    "from the other, ties half (the Mann-Whitney U divided by the number of pairs). An asterisk says that the two are "
    "told apart: by the difference of their shares of proofs, or by that of the ranks of their students' lengths. "
    "Where all pairs differ the same way there may be none: few students cannot rule out others that were not drawn. "
    "In `pairs` it is of all lemmas together, in `lemma_pairs` of each, whose intervals hold together as well.",
}


@dataclass(frozen=True)
class Summary:
    """What the students of one variant came to.

    Attributes:
        variant: whose they are.
        truths: about each lemma.
        proved: the curve of the share of episodes with a proof; means.
        steps: the curve of actions an episode; means.
        solved: the curve over checkpoints of the share of plays in exams that prove a lemma; means.
        greedy: over checkpoints the actions in the median play of the first lemma, medians, none as infinity.
        value: over checkpoints what the lemmas are believed to be worth, their mean; means.
        proofs: as all that follows, see `DEFINITIONS`.
        lemma_proofs: for each lemma the share of the episodes on it that ended in a proof.
        actions: in an episode.
        first: the episode of the first proof.
        reliable: the checkpoint from which on every lemma is proved.
        area: the share of plays that prove, over all exams.
        states: in memory after the last episode.
        last_greedy: for each lemma the length of the greedy proof.
        lemma_reliable: for each lemma the checkpoint from which on it is proved.
        with_proof: for each lemma the number of students whose median play proves it after the last episode.
        knowing: for each lemma the number of students who know it after the last episode.
        knowing_share: for each lemma their share.
        last_value: for each lemma what it is believed to be worth.
        methods: which interval `proofs` and `area` have, and on several lemmas each of `lemma_proofs`, by its name
            (`oasis.lab.statistics.share_method`).
    """

    variant: Variant
    truths: tuple[Truth, ...]
    proved: Series
    steps: Series
    solved: Series
    greedy: Series
    value: Series
    proofs: Interval
    lemma_proofs: tuple[Interval, ...]
    actions: Interval
    first: Interval
    reliable: Interval
    area: Interval
    states: Interval
    last_greedy: tuple[Interval, ...]
    lemma_reliable: tuple[Interval, ...]
    with_proof: tuple[int, ...]
    knowing: tuple[int, ...]
    knowing_share: tuple[Interval, ...]
    last_value: tuple[Interval, ...]
    methods: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Pair:
    """How two variants compare; differences are those of `DEFINITIONS`, and all pairs are a family.

    Attributes:
        one: name of the first.
        other: name of the second.
        lemma: the lemma that it is about; empty for all of them together.
        more: probability that a student of one has a larger share of proofs than one of the other.
        proofs: how much larger the share of proofs is.
        shorter: probability that its last greedy proof is shorter, the mean over lemmas.
        ranks: how much further behind the other's students are when those of both are ranked by the lengths of their
            last greedy proofs; the mean over lemmas.
    """

    one: str
    other: str
    lemma: str
    more: float
    proofs: Interval
    shorter: float
    ranks: Interval


@dataclass(frozen=True)
class Gain:
    """What an order, or experience, was worth: the differences of `DEFINITIONS`, one measure being a family.

    Attributes:
        one: name of the variant.
        other: name of the one that differs in nothing else: in another order, or without experience.
        proofs: how much larger the share of proofs is, over all lemmas.
        area: how much larger the share of plays that prove is, over all exams and lemmas.
        solved: the same after the last episode.
    """

    one: str
    other: str
    proofs: Interval
    area: Interval
    solved: Interval


@dataclass(frozen=True)
class Comparison:
    """A plan and all that its trials come to; of several lemmas pairs also lemma by lemma, all these as one family."""

    plan: Plan
    bin: int
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    lemma_pairs: tuple[Pair, ...]
    orders: tuple[Gain, ...]
    experience: tuple[Gain, ...]

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
            "plays": self.plan.plays,
            "last_plays": self.plan.last_plays,
            "variants": [_summary_to_json(summary) for summary in self.summaries],
            "pairs": [_plain(pair) for pair in self.pairs],
            "lemma_pairs": [_plain(pair) for pair in self.lemma_pairs],
            "orders": [_plain(gain) for gain in self.orders],
            "experience": [_plain(gain) for gain in self.experience],
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
    return Comparison(
        plan,
        width,
        tuple(_summary(plan, variant, trials[variant.name], truths[variant.name], width) for variant in plan.variants),
        tuple(_pairs(plan, trials)),
        tuple(_pairs(plan, trials, by_lemma=True)) if len(plan.lemmas) > 1 else (),
        tuple(_gains(plan, trials, _orders(plan))),
        tuple(_gains(plan, trials, _experience(plan))),
    )


def proof_shares(plan: Plan, trial: Trial) -> Floats:
    """Of each student's episodes on each lemma the share that ended in a proof, 0 without any; shape (seeds, lemmas).

    Orders differ in how often they choose a lemma, so lemmas count alike, however often they were practised.
    """
    practised = trial.lemma[..., None] == np.arange(len(plan.lemmas))
    proofs = (practised & trial.proved[..., None]).sum(axis=1)
    return np.asarray(proofs / np.maximum(1, practised.sum(axis=1)), np.float64)


def _greedy_area(plan: Plan, trial: Trial) -> Floats:
    """Of the plays in exams the share that proves each lemma, the mean over time; shape (seeds, lemmas)."""
    return area_under_curve(np.moveaxis(trial.share, 1, -1), plan.checkpoints)


def _summary(plan: Plan, variant: Variant, trial: Trial, truths: tuple[Truth, ...], width: int) -> Summary:
    lengths = trial.greedy_lengths
    x, proved = binned(trial.proved, width)
    _, steps = binned(trial.steps, width)
    checkpoints = np.asarray(plan.checkpoints, np.float64)
    of_lemmas = proof_shares(plan, trial)
    proofs, area = of_lemmas.mean(axis=-1), _greedy_area(plan, trial).mean(axis=-1)
    reliable, each_reliable = (
        first_reliable(known, plan.checkpoints) for known in (trial.known.all(axis=-1), np.moveaxis(trial.known, 1, -1))
    )
    return Summary(
        variant,
        truths,
        proved=Series(x, share_curve(proved)),
        steps=Series(x, mean_interval(steps, least=0)),
        solved=Series(checkpoints, share_curve(trial.share.mean(axis=-1))),
        greedy=Series(checkpoints, median_interval(lengths[..., 0], least=1)),
        value=Series(checkpoints, mean_interval(trial.value.mean(axis=-1))),
        proofs=share_interval(proofs),
        lemma_proofs=tuple(map(share_interval, of_lemmas.T)),
        actions=mean_interval(trial.steps.mean(axis=-1), least=0),
        first=median_interval(first_success(trial.proved), least=1),
        reliable=median_interval(reliable, least=plan.checkpoints[0]),
        area=share_interval(area),
        states=mean_interval(trial.states[:, -1].astype(np.float64), least=0),
        last_greedy=tuple(median_interval(each, least=1) for each in lengths[:, -1].T),
        lemma_reliable=tuple(median_interval(each, least=plan.checkpoints[0]) for each in each_reliable.T),
        with_proof=tuple(np.isfinite(lengths[:, -1]).sum(axis=0).tolist()),
        knowing=tuple(trial.known[:, -1].sum(axis=0).tolist()),
        knowing_share=tuple(map(share_interval, trial.known[:, -1].T.astype(np.float64))),
        last_value=tuple(map(mean_interval, trial.value[:, -1].T)),
        methods={
            "proofs": (share_method(proofs),),
            "area": (share_method(area),),
            "lemma_proofs": tuple(map(share_method, of_lemmas.T)),
        },
    )


def _pairs(plan: Plan, trials: Mapping[str, Trial], *, by_lemma: bool = False) -> Iterator[Pair]:
    """Every variant against every later one, on all lemmas together, or on each of them."""
    shares = {name: proof_shares(plan, trial) for name, trial in trials.items()}
    lengths = {name: trial.greedy_lengths[:, -1] for name, trial in trials.items()}
    pairs = list(combinations((variant.name for variant in plan.variants), 2))
    parts = {"": slice(None)}
    if by_lemma:
        parts = {lemma.name: slice(place, place + 1) for place, lemma in enumerate(plan.lemmas)}
    family = len(pairs) * len(parts)
    for (one, other), (lemma, part) in product(pairs, parts.items()):
        ours, theirs = (shares[name][:, part].mean(axis=-1) for name in (one, other))
        our_lengths, their_lengths = (lengths[name][:, part] for name in (one, other))
        places = np.apply_along_axis(ranks, 0, np.concatenate([their_lengths, our_lengths])).mean(axis=-1)
        behind, ahead = np.split(places, 2)
        yield Pair(
            one,
            other,
            lemma,
            more=float(probability_of_improvement(ours, theirs)),
            proofs=difference(ours, theirs, span=1, family=family),
            shorter=float(probability_of_improvement(their_lengths, our_lengths).mean()),
            ranks=difference(behind, ahead, span=len(places) / 2, family=family),
        )


def _orders(plan: Plan) -> list[tuple[str, str]]:
    """Each order against practising afresh and against the given order, where the settings are the same."""
    if len(plan.lemmas) == 1:
        return []
    return [
        (variant.name, other.name)
        for variant in plan.variants
        for other in plan.variants
        if other.settings == variant.settings
        and (
            other.order == "afresh" != variant.order
            or (other.order == "fixed" and variant.order not in ("fixed", "afresh"))
        )
    ]


def _experience(plan: Plan) -> list[tuple[str, str]]:
    """Students with maxims against those without, where nothing else differs."""
    return [
        (variant.name, other.name)
        for variant in plan.variants
        for other in plan.variants
        if variant.settings.experience
        and (other.settings, other.order) == (replace(variant.settings, experience=""), variant.order)
    ]


def _gains(plan: Plan, trials: Mapping[str, Trial], pairs: Sequence[tuple[str, str]]) -> Iterator[Gain]:
    """What the first of each pair was worth against the second."""
    worth = {name: _worth(plan, trials[name]) for pair in pairs for name in pair}
    for one, other in pairs:
        proofs, area, solved = (
            difference(ours, theirs, span=1, family=len(pairs))
            for ours, theirs in zip(worth[one], worth[other], strict=True)
        )
        yield Gain(one, other, proofs, area, solved)


def _worth(plan: Plan, trial: Trial) -> tuple[Floats, ...]:
    """What gains are judged by, each the mean over the lemmas: proofs, greedy area, plays that prove in the end."""
    return tuple(
        sample.mean(axis=-1) for sample in (proof_shares(plan, trial), _greedy_area(plan, trial), trial.share[:, -1])
    )


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
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (Pair, Gain)):
        return {name: _plain(each) for name, each in vars(value).items()}
    return value
