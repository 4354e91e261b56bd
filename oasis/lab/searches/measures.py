"""What is measured of searches: the effort until a lemma is settled, how many are settled, and what else that took.

A unit is a lemma, as a seed changes little; of a single lemma it is a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from re import compile as compile_pattern
from typing import Any, Final, NamedTuple

import numpy as np

from curricula.lemma import Status
from oasis.ground.plural import listed, named
from oasis.ground.statistics import SHARE, Bools, Floats, Interval, Statistic
from oasis.lab.measure import Family, Measure, Trial, texts, yes_or_no
from oasis.lab.report import Report
from oasis.lab.searches.plan import SearchPlan
from oasis.lab.searches.trial import ALONE, came_to
from oasis.play.solving import PROVED, REFUTED
from oasis.search.sampling import passes, tries
from oasis.teacher.exact.values import shortest_proof

_SECONDS: Final = 1.0
_GOALS: Final = 30_000
"""For the shortest proof of a lemma, which is only there to compare with."""
_POINTS: Final = 60
"""Of a curve."""
_USED_UP: Final = compile_pattern(r" (expansions|calls|seconds?) (was|were) not enough$")
"""What a search says that the budget ended."""
_AFTER: Final = compile_pattern(r" after [\d,]+ moves?$")
"""What differs between lemmas that a search gave up for one reason."""


class _Limit(NamedTuple):
    """What a budget may limit: its name as a measure, how it is shown, and the least of a curve."""

    name: str
    scale: float = 1.0
    unit: str = ""
    least: float = 1.0


_LIMITS: Final = {
    "expansions": _Limit("expansions"),
    "calls": _Limit("calls"),
    "seconds": _Limit("time", 1000.0, "ms", 1e-3),
}
"""By the names of the arrays that count them."""


def report(plan: SearchPlan, trials: Mapping[str, Sequence[Trial]]) -> Report:
    """Report on searches by the names of their variants, each in the order of the seeds."""
    beside: dict[str, Any] = {
        "shortest": np.array([shortest_proof(lemma, _SECONDS, _GOALS) for lemma in plan.lemmas], np.float64),
        "tries": np.array(tries(len(plan.seeds))),
    }
    for count, limit in _LIMITS.items():
        most = max(float(trial[count].max()) for each in trials.values() for trial in each)
        least = min(limit.least, most or limit.least)
        beside[f"points of {count}"] = limit.scale * np.geomspace(least, max(most, 2 * least), _POINTS)
    whole = {
        variant.name: [
            {**trial, **beside, "broken off": _is_open_for_a_reason(trial) & (variant.search != ALONE)}
            for trial in trials[variant.name]
        ]
        for variant in plan.variants
    }
    lemmas = [lemma.name for lemma in plan.lemmas]
    return Report(_family(plan), whole, lemmas, [*_remarks(plan, trials)], plan.pairs)


def _remarks(plan: SearchPlan, trials: Mapping[str, Sequence[Trial]]) -> Iterator[str]:
    """Say what a search may use up, which stopped before the budget was used up and why, and what nobody settled."""
    yield f"A search has {plan.within}."
    for variant in plan.variants:
        reasons = np.stack([np.where(_settled(each), "", texts(each["reason"])) for each in trials[variant.name]])
        told, which = np.unique(reasons, return_inverse=True)
        reasons = np.array([_AFTER.sub("", str(each)) for each in told])[which].reshape(reasons.shape)
        early = {str(each) for each in reasons.ravel() if each and not _USED_UP.search(each)}
        for reason in sorted(early if variant.search != ALONE else ()):  # who only plays has no budget
            names = [lemma.name for place, lemma in enumerate(plan.lemmas) if reason in reasons[:, place]]
            yield f"{named(variant.name)} stops before the budget is used up, as {reason}: {listed(names)}."
    some = np.any([_settled(trial) for each in trials.values() for trial in each], axis=0)
    if left := [lemma.name for lemma, is_settled in zip(plan.lemmas, some, strict=True) if not is_settled]:
        yield f"Solved by nobody: {listed(left)}."


def _family(plan: SearchPlan) -> Family:
    effort = _effort(plan)
    return Family(
        "searches",
        effort.unit or effort.name,
        (
            effort,
            yes_or_no(
                "solved", "share of lemmas that are proved, or refuted by trying everything", _settled, tested=True
            ),
            yes_or_no("proved", "share of lemmas that are proved", _proved),
            yes_or_no("refuted", "share of lemmas that are refuted", came_to(REFUTED)),
            Measure(
                "moves",
                "moves of the proof that was found, by those of a shortest one, where both are known",
                _length,
                better="less",
                least=1,
                digits=2,
                unit="×",
            ),
            yes_or_no("shortest", "share of these proofs that are shortest ones", _is_shortest),
            _total("calls", "states about which the policy was asked"),
            _total("seconds", "wall time, which depends on the machine and on what else it did"),
            _within("expansions"),
            _within("seconds"),
            *_passes(plan),
        ),
        across="lemmas" if len(plan.lemmas) > 1 else "seeds",
    )


_settled, _proved = came_to(PROVED, REFUTED), came_to(PROVED)


def _is_open_for_a_reason(trial: Trial) -> Bools:
    return np.asarray(~_settled(trial) & (texts(trial["reason"]) != ""))


def _length(trial: Trial) -> Floats:
    return np.where(_proved(trial), trial["length"] / trial["shortest"], np.nan)


def _is_shortest(trial: Trial) -> Floats:
    length = _length(trial)
    return np.where(np.isnan(length), np.nan, length == 1)


def _effort(plan: SearchPlan) -> Measure:
    """What the budget limits, until a lemma is settled; all of the budget if it never is."""
    count, most = next((name, float(amount)) for name in _LIMITS if (amount := getattr(plan.budget, name)) is not None)
    limit = _LIMITS[count]
    return Measure(
        limit.name,
        f"{limit.name} until the lemma is settled, and all of the budget if it never is",
        lambda trial: np.where(_settled(trial), np.minimum(trial[f"settled_{count}"], most), most),
        better="less",
        tested=True,
        headline=True,
        by_lemma=True,
        least=0,
        most=most,
        scale=limit.scale,
        unit=limit.unit,
        never=lambda trial: ~_settled(trial),
    )


def _total(count: str, says: str) -> Measure:
    limit = _LIMITS[count]
    name = f"{limit.name} in all"
    return Measure(name, says, lambda trial: trial[count], "less", least=0, scale=limit.scale, unit=limit.unit)


def _within(count: str) -> Measure:
    """The curve of what is solved within so much, up to where a search was broken off that might still solve it."""
    limit, points = _LIMITS[count], f"points of {count}"

    def solved(trial: Trial) -> Floats:
        x = trial[points][:, None] / limit.scale
        within = _settled(trial) & (trial[f"settled_{count}"] <= x)
        return np.where(trial["broken off"] & (trial[count] < x), np.nan, within)

    return yes_or_no(
        f"solved within {limit.name}",
        "share of lemmas that are solved by then",
        solved,
        x=points,
        axis=limit.unit or limit.name,
    )


def _passes(plan: SearchPlan) -> Iterator[Measure]:
    """pass@k of the lemmas that may be theorems, if there are any."""
    theorems = np.array([lemma.status != Status.NON_THEOREM for lemma in plan.lemmas])
    seeds, ks = len(plan.seeds), np.array(tries(len(plan.seeds)))

    def proved(trial: Trial) -> Bools:
        return np.broadcast_to(_proved(trial)[theorems], (len(ks), theorems.sum()))

    def of(sample: Floats, least: float, most: float) -> Interval:
        """From the shares of seeds that proved a lemma, or from whether each seed proved the only one."""
        if len(plan.lemmas) > 1:
            return SHARE.of(passes(np.rint(seeds * sample[:, 0]), seeds, ks), least, most)
        once = SHARE.of(sample, least, most)
        (value,) = passes(sample[:, :1].sum(axis=0), seeds, ks)
        # With few tries the estimate may lie beyond the bounds, which have a bias of their own.
        low, high = (np.where(np.isfinite(at), 1 - (1 - at) ** ks, at) for at in (once.low, once.high))
        return Interval(value, np.minimum(value, low), np.maximum(value, high))

    if theorems.any():
        yield yes_or_no(
            "pass@k",
            "how likely at least one of k searches with seeds of their own proves a lemma that may be a theorem: of n "
            "seeds, c of which did, 1 - C(n - c, k) / C(n, k) (Chen et al. 2021)",
            proved,
            statistic=Statistic("mean without bias", of, SHARE.says),
            x="tries",
            axis="searches",
            by_point=True,
        )
