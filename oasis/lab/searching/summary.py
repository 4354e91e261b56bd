"""What the trials of searches come to: numbers and curves for each, and pairs.

A pure function of plan, outcomes and what the teacher knows. How each number is made is said once, in `DEFINITIONS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from re import compile as compile_pattern
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Status
from oasis.lab.plots.curves import Series
from oasis.lab.searching.passk import interval, tries
from oasis.lab.searching.plan import Searcher, SearchPlan
from oasis.lab.searching.trials import ALONE, STATUSES, Outcomes, lines
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
from oasis.lab.words import INTERVALS
from oasis.play.solving import PROVED, REFUTED

DEFINITIONS: Final = {
    "interval": "of several lemmas over lemmas and seeds at once: a lemma counts by its mean over seeds, and the "
    "interval says what other lemmas like these would show; of a single lemma over seeds. " + INTERVALS,
    "difference": "mean of the differences lemma by lemma, or of a single lemma seed by seed, with Student's t "
    "interval. All intervals of one table hold together in 95 % of experiments (Bonferroni), so it is safe to look for "
    "the largest; two are told apart if theirs leaves out 0.",
    "search": "each lemma is searched within the budget and knowing nothing, neither proofs of others nor the moves of "
    "a goal; alone is no search: the policy plays once, and takes nothing back.",
    "solved": "share of lemmas that were proved, or refuted by trying everything.",
    "method": "which interval this share has.",
    "proved": "lemmas that were proved, of all; mean over seeds.",
    "refuted": "lemmas that were refuted, of all; mean over seeds.",
    "expansions": "goals, or states, whose moves were looked at until the lemma was solved, an unsolved one counting "
    "as more than any: median over lemmas of the medians over seeds. A search that goes on behind its first proof is "
    "looked at every 64.",
    "stopped": "why searches ended although the budget of expansions, calls and seconds was not used up, with the "
    "lemmas that they left open then, whatever the seed. Their expansions count as those of any unsolved lemma.",
    "95 % within": "the number of expansions within which 95 % of all searches solved their lemma.",
    "moves": "moves of the proof that was found, divided by those of a shortest one: mean over seeds that proved the "
    "lemma, then over lemmas that were proved and whose shortest proof the teacher knows. Who proves only what is easy "
    "has other lemmas in this mean than who proves more.",
    "shortest": "how many of these proofs are shortest ones.",
    "calls": "states about which the policy was asked, in all: mean over seeds, then over lemmas.",
    "ms": "milliseconds of wall time, in all: mean over seeds, then over lemmas. The only number that depends on the "
    "machine and on what else it did.",
    "pass@k": "how likely at least one of k searches with seeds of their own proves the lemma: of n seeds, c of which "
    "did, 1 - C(n - c, k) / C(n, k) (Chen et al. 2021), which has no bias; mean over the lemmas that may be theorems, "
    "with the interval over lemmas and seeds at once, of a single lemma over seeds.",
    "stage": "what is proved by the policy alone, by playing it again and again (sampling), and by each search with "
    "it: pass@1 within the budget; and how much more that is than alone, lemma by lemma.",
    "P(fewer)": "how likely a search of the one solves a lemma in fewer expansions than one of the other, ties half, "
    "mean over lemmas. An asterisk says that the two are told apart, by the difference of their ranks on each lemma.",
}
_POINTS: Final = 60
"""Of a curve."""
_USED_UP: Final = compile_pattern(r" (expansions|calls|seconds?) (was|were) not enough$")
"""What a search says that the budget ended."""
_MOST_OF_THEM: Final = 0.95


@dataclass(frozen=True)
class Summary:
    """What one search came to; see `DEFINITIONS`.

    Attributes:
        variant: the search and its policy.
        solved: share.
        method: which interval this has, by its name (`oasis.lab.statistics.share_method`).
        proved: lemmas.
        refuted: lemmas.
        expansions: until a lemma was solved, infinity for never.
        most: expansions within which 95 % were solved, infinity for never.
        moves: of the proofs, by those of shortest ones; None where neither is known.
        shortest: how many proofs are shortest ones, and of how many that is known.
        calls: in all.
        seconds: in all.
        passes: pass@k for each k of `Comparison.tries`; empty if no lemma may be a theorem.
        stopped: why searches left lemmas open before the budget was used up, with the names of these lemmas.
        by_expansions: the curve of the share that was solved within so many expansions.
        by_seconds: within so many seconds, as far as no search was broken off before.
    """

    variant: Searcher
    solved: Interval
    method: str
    proved: float
    refuted: float
    expansions: Interval
    most: float
    moves: Interval | None
    shortest: tuple[int, int]
    calls: Interval
    seconds: Interval
    passes: tuple[Interval, ...]
    stopped: dict[str, tuple[str, ...]]
    by_expansions: Series
    by_seconds: Series


@dataclass(frozen=True)
class Pair:
    """How two searches compare; differences are those of `DEFINITIONS`, and all pairs are a family.

    Attributes:
        one: name of the first.
        other: name of the second.
        solved: how much larger the first one's share of solved lemmas is.
        fewer: probability that it needs fewer expansions.
        ranks: how much further behind the other's searches are when those of both are ranked by expansions, lemma by
            lemma, divided by the number of seeds.
    """

    one: str
    other: str
    solved: Interval
    fewer: float
    ranks: Interval


@dataclass(frozen=True)
class Comparison:
    """A plan and all that its trials come to.

    Attributes:
        plan: of the comparison.
        shortest: moves of the shortest proof of each lemma, as far as that is known.
        tries: the numbers k of pass@k.
        summaries: one for each variant.
        pairs: every variant with every later one.
        unsolved: names of the lemmas that nobody solved.
    """

    plan: SearchPlan
    shortest: tuple[int | None, ...]
    tries: tuple[int, ...]
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]
    unsolved: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints; null for never and for what is not known."""
        stored = self.plan.to_json()
        for lemma, shortest in zip(stored["lemmas"], self.shortest, strict=True):
            lemma["shortest"] = shortest
        return {
            **{name: stored[name] for name in ("name", "lemmas", "seeds", "budget", "runs")},
            "tries": list(self.tries),
            "variants": [{**asdict(each.variant), **_plain(each, "variant")} for each in self.summaries],
            "pairs": [_plain(pair) for pair in self.pairs],
            "unsolved": list(self.unsolved),
            "definitions": DEFINITIONS,
        }


def compare(plan: SearchPlan, trials: Mapping[str, Outcomes], shortest: Sequence[int | None]) -> Comparison:
    """Summarise.

    Args:
        plan: of the comparison, with at least two seeds.
        trials: by name of a variant the outcomes side by side, their first axis that of the seeds.
        shortest: moves of the shortest proof of each lemma; None where there is none or it is not known.
    """
    ks = tries(len(plan.seeds))
    solved = np.any([trial.settled.any(axis=0) for trial in trials.values()], axis=0)
    return Comparison(
        plan,
        tuple(shortest),
        ks,
        tuple(_summary(plan, variant, trials, np.array(shortest, np.float64), ks) for variant in plan.variants),
        tuple(_pairs(plan, trials)),
        tuple(lemma.name for lemma, is_solved in zip(plan.lemmas, solved, strict=True) if not is_solved),
    )


def units(sample: NDArray[Any]) -> Floats:
    """What an interval goes over: of several lemmas their means over seeds, of a single one its seeds.

    Args:
        sample: shape (seeds, lemmas).
    """
    return np.asarray(sample.mean(axis=0) if sample.shape[1] > 1 else sample[:, 0], np.float64)


def until_settled(trial: Outcomes) -> Floats:
    """Expansions until each lemma was solved, infinity for never; shape (seeds, lemmas)."""
    return np.where(trial.settled, trial.settled_expansions, np.inf)


def proved(trial: Outcomes) -> NDArray[np.bool_]:
    """Whether each lemma was proved."""
    return np.asarray(trial.status == STATUSES.index(PROVED))


def may_be_theorems(plan: SearchPlan) -> NDArray[np.bool_]:
    """Of each lemma whether it may be a theorem, as far as its source says."""
    return np.array([lemma.status != Status.NON_THEOREM for lemma in plan.lemmas])


def _summary(
    plan: SearchPlan, variant: Searcher, trials: Mapping[str, Outcomes], shortest: Floats, ks: Sequence[int]
) -> Summary:
    trial = trials[variant.name]
    expansions, has_proof, theorems = until_settled(trial), proved(trial), may_be_theorems(plan)
    of_lemmas = np.median(expansions, axis=0) if len(plan.lemmas) > 1 else expansions[:, 0]
    is_known = has_proof & np.isfinite(shortest)
    times = np.where(is_known, trial.length, 0) / np.where(np.isfinite(shortest), shortest, 1)
    longest = max(float(each.expansions.max()) for each in trials.values())
    slowest = max(float(each.seconds.max()) for each in trials.values())
    return Summary(
        variant,
        solved=share_interval(units(trial.settled)),
        method=share_method(units(trial.settled)),
        proved=float(has_proof.sum(axis=1).mean()),
        refuted=float((trial.status == STATUSES.index(REFUTED)).sum(axis=1).mean()),
        expansions=median_interval(of_lemmas, least=0),
        most=float(np.quantile(expansions, _MOST_OF_THEM, method="inverted_cdf")),
        moves=_moves(times, is_known),
        shortest=(int((times[is_known] == 1).sum()), int(is_known.sum())),
        calls=mean_interval(units(trial.calls), least=0),
        seconds=mean_interval(units(trial.seconds), least=0),
        passes=tuple(interval(has_proof[:, theorems], k) for k in ks) if theorems.any() else (),
        stopped=_stopped(plan, variant, trial),
        by_expansions=_curve(variant, trial, trial.settled_expansions, trial.expansions, 1, longest),
        by_seconds=_curve(variant, trial, trial.settled_seconds, trial.seconds, min(1e-3, slowest), slowest),
    )


def _stopped(plan: SearchPlan, variant: Searcher, trial: Outcomes) -> dict[str, tuple[str, ...]]:
    """Why searches ended before the budget was used up, and the lemmas open then; who only plays has no budget."""
    if variant.search == ALONE:
        return {}
    reasons = np.where(trial.settled, "", lines(trial.reason))
    early = sorted({str(each) for each in reasons.ravel() if each and not _USED_UP.search(each)})
    return {
        reason: tuple(lemma.name for place, lemma in enumerate(plan.lemmas) if reason in reasons[:, place])
        for reason in early
    }


def _moves(times: Floats, is_known: NDArray[np.bool_]) -> Interval | None:
    """The mean of how many times as long as a shortest one proofs are, where there are some."""
    if times.shape[1] > 1:
        some = is_known.any(axis=0)
        sample = times.sum(axis=0, where=is_known)[some] / is_known.sum(axis=0)[some]
    else:
        sample = times[is_known]
    if len(sample) > 1:
        return mean_interval(sample, least=1)
    return Interval(sample[0], sample[0], sample[0]) if len(sample) else None


def _curve(
    variant: Searcher, trial: Outcomes, when: NDArray[Any], used: NDArray[Any], least: float, most: float
) -> Series:
    """The share that is solved within so much, up to where a search was broken off that might still have solved it."""
    x = np.geomspace(least, max(most, 2 * least), _POINTS)
    within = trial.settled & (when <= x[:, None, None])
    share = share_curve(np.stack([units(each) for each in within], axis=-1))
    broken_off = (lines(trial.reason) != "") & ~trial.settled & (variant.search != ALONE)
    known = x <= np.where(broken_off, used, np.inf).min()
    return Series(x, Interval(*(np.where(known, bound, np.nan) for bound in share)))


def _pairs(plan: SearchPlan, trials: Mapping[str, Outcomes]) -> Iterator[Pair]:
    """Every variant against every later one."""
    pairs = list(combinations((variant.name for variant in plan.variants), 2))
    solved = {name: units(trial.settled) for name, trial in trials.items()}
    expansions = {name: until_settled(trial) for name, trial in trials.items()}
    seeds, alone = len(plan.seeds), len(plan.lemmas) == 1
    for one, other in pairs:
        places = np.apply_along_axis(ranks, 0, np.concatenate([expansions[other], expansions[one]])) / seeds
        behind, ahead = np.split(places, 2)
        yield Pair(
            one,
            other,
            solved=difference(solved[one], solved[other], span=1, family=len(pairs)),
            fewer=float(probability_of_improvement(expansions[other], expansions[one]).mean()),
            ranks=difference(units(behind), units(ahead), span=2 if alone else 1, family=len(pairs)),
        )


def _plain(value: Any, *hidden: str) -> Any:
    """What JSON can hold."""
    if isinstance(value, Interval):
        return value.to_json()
    if isinstance(value, Series):
        return {"x": np.asarray(value.x).tolist(), **value.interval.to_json()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, (Summary, Pair)):
        return {name: _plain(each) for name, each in vars(value).items() if name not in hidden}
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return None if isinstance(value, float) and not np.isfinite(value) else value
