"""What the trials of ladders come to: what each proves, by whom, and how much more one proves than another.

A pure function of plan and trials. How each number is made is said once, in `DEFINITIONS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Status
from oasis.escalation.stages import BY
from oasis.ground.table import Table
from oasis.lab.climbing.plan import STAGES, Climber, ClimbPlan, Climbs
from oasis.lab.comparison.conclusions import ENOUGH
from oasis.lab.comparison.tables import percent, points
from oasis.lab.searching.trials import STATUSES
from oasis.lab.statistics import STUDENTS_T, Interval, difference, mean_interval, share_interval, share_method
from oasis.lab.words import INTERVALS, conjunction, listed, methods, named, rounded, with_interval
from oasis.play.solving import PROVED, REFUTED

DEFINITIONS: Final = {
    "ladder": "the stages that a lemma climbs: table, search (with the student's policy if there is one, else asking "
    "nobody), network (greedy plays, plays by what moves leave, plays by its probabilities, and a search with it); "
    "escalate is all of them. All lemmas share the time, which is that of the processor.",
    "proved": "theorems that were proved, as far as the source says what is one: mean over seeds, with the interval "
    "over seeds, of these very lemmas. " + INTERVALS,
    "share": "of theorems: a lemma counts by its mean over seeds, and the interval, over lemmas, says what other "
    "lemmas like these would show.",
    "method": "which interval this share has.",
    "by": "how many of these the table, a search that asks no network, and the network proved first: mean over seeds.",
    "refuted": "lemmas that a search refuted by trying everything: mean over seeds.",
    "seconds": "of the processor that the ladder took for all lemmas and the studies of its network: mean over seeds. "
    "It ends before its time is over when nobody on it has anything more to try: each lemma is settled, or for a table "
    "alone was practised in as many episodes as a student's settings allow, or has no room for more states.",
    "had_more": "the share of seeds with which there was more to try when the time was over.",
    "more": "how many theorems more the one proves than the other with the same seed, and in percentage points lemma "
    "by lemma, with Student's t intervals; where all seeds, or all lemmas, differ by the same, the interval says what "
    "one that was not drawn may change, and the difference need not stand in its middle. All intervals of one column "
    "hold together in 95 % of experiments (Bonferroni); two ladders are told apart if theirs leaves out 0.",
    "only": "theorems that the one proves with some seed and the other with none.",
}
_WHO: Final = ("table", "search", "network")


@dataclass(frozen=True)
class Summary:
    """What one ladder came to; see `DEFINITIONS`."""

    variant: Climber
    proved: Interval
    share: Interval
    method: str
    by: dict[str, float]
    refuted: float
    seconds: float
    had_more: float

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        intervals = {"proved": self.proved.to_json(), "share": self.share.to_json()}
        names = ("method", "by", "refuted", "seconds", "had_more")
        rest = {name: getattr(self, name) for name in names}
        return {"name": self.variant.name, "ladder": self.variant.ladder.to_json(), **intervals, **rest}


@dataclass(frozen=True)
class Pair:
    """How two ladders compare; all pairs are a family."""

    one: str
    other: str
    more: Interval
    share: Interval
    only_one: tuple[str, ...]
    only_other: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        return {**vars(self), "more": self.more.to_json(), "share": self.share.to_json()}


@dataclass(frozen=True)
class Comparison:
    """A plan and all that its trials come to.

    Attributes:
        plan: of the comparison.
        theorems: how many of its lemmas may be theorems.
        summaries: one for each variant.
        pairs: every variant with every earlier one.
    """

    plan: ClimbPlan
    theorems: int
    summaries: tuple[Summary, ...]
    pairs: tuple[Pair, ...]

    def to_json(self) -> dict[str, Any]:
        """The form that `--json` prints."""
        stored = self.plan.to_json()
        return {
            **{name: stored[name] for name in ("name", "lemmas", "seeds", "seconds", "student")},
            "theorems": self.theorems,
            "variants": [each.to_json() for each in self.summaries],
            "pairs": [each.to_json() for each in self.pairs],
            "definitions": DEFINITIONS,
        }


def compare(plan: ClimbPlan, trials: Mapping[str, Climbs]) -> Comparison:
    """Summarise.

    Args:
        plan: of the comparison, with at least two seeds.
        trials: by name of a variant what became of lemmas, side by side, their first axis that of the seeds.
    """
    theorems = np.array([lemma.status != Status.NON_THEOREM for lemma in plan.lemmas])
    proved = {name: (trial.status == STATUSES.index(PROVED)) & theorems for name, trial in trials.items()}
    summaries = tuple(
        _summary(variant, trials[variant.name], proved[variant.name], theorems) for variant in plan.variants
    )
    pairs = [*combinations((variant.name for variant in plan.variants), 2)]
    return Comparison(
        plan,
        int(theorems.sum()),
        summaries,
        tuple(_pair(plan, later, earlier, proved, theorems, len(pairs)) for earlier, later in pairs),
    )


def _summary(variant: Climber, trial: Climbs, proved: NDArray[np.bool_], theorems: NDArray[np.bool_]) -> Summary:
    who = np.array(["", *(BY[stage] for stage in STAGES)])[trial.stage]
    counts = proved.sum(axis=1).astype(np.float64)
    return Summary(
        variant,
        proved=mean_interval(counts, least=0, most=float(theorems.sum())),
        share=share_interval(_units(proved, theorems)),
        method=share_method(_units(proved, theorems)),
        by={name: float((proved & (who == name)).sum(axis=1).mean()) for name in _WHO},
        refuted=float((trial.status == STATUSES.index(REFUTED)).sum(axis=1).mean()),
        seconds=float(trial.spent.mean()),
        had_more=float(trial.had_more.mean()),
    )


def _units(proved: NDArray[np.bool_], theorems: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Of several theorems the mean of each over seeds, of a single one its seeds."""
    of_theorems = proved[:, theorems].astype(np.float64)
    return np.asarray(of_theorems.mean(axis=0) if of_theorems.shape[1] > 1 else of_theorems[:, 0])


def _pair(
    plan: ClimbPlan,
    one: str,
    other: str,
    proved: Mapping[str, NDArray[np.bool_]],
    theorems: NDArray[np.bool_],
    family: int,
) -> Pair:
    ours, theirs = proved[one], proved[other]
    counts = [each.sum(axis=1).astype(np.float64) for each in (ours, theirs)]
    some = [np.asarray(each.any(axis=0)) for each in (ours, theirs)]
    return Pair(
        one,
        other,
        more=difference(*counts, span=float(theorems.sum()), family=family),
        share=difference(_units(ours, theorems), _units(theirs, theorems), span=1, family=family),
        only_one=_names(plan, some[0] & ~some[1]),
        only_other=_names(plan, some[1] & ~some[0]),
    )


def _names(plan: ClimbPlan, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(lemma.name for lemma, is_it in zip(plan.lemmas, chosen, strict=True) if is_it)


def tables(comparison: Comparison) -> Iterator[Table]:
    """All tables of a comparison: what each ladder proves, and each pair."""
    plan = comparison.plan
    yield Table(
        f"{plan.name} (lemmas: {len(plan.lemmas)}, theorems as far as is known: {comparison.theorems}), in "
        f"{plan.seconds:g} s of processor time for all of them",
        ("ladder", "proved", "share", *(f"by {who}" for who in _WHO), "refuted", "seconds"),
        tuple(
            (
                each.variant.name,
                with_interval(each.proved, ".1f"),
                percent(each.share),
                *(rounded(each.by[who]) for who in _WHO),
                rounded(each.refuted),
                rounded(each.seconds),
            )
            for each in comparison.summaries
        ),
        note=" ".join(
            [
                methods(
                    {"proved": STUDENTS_T, "share": {each.variant.name: each.method for each in comparison.summaries}}
                ),
                *_at_leisure(comparison),
            ]
        ),
    )
    if comparison.pairs:
        yield Table(
            "How many theorems more the first ladder proves",
            ("ladder", "against", "more", "in points", "only the first", "only the other"),
            tuple(
                (
                    pair.one,
                    pair.other,
                    with_interval(pair.more, ".1f"),
                    points(pair.share),
                    f"{len(pair.only_one)}",
                    f"{len(pair.only_other)}",
                )
                for pair in comparison.pairs
            ),
            words=2,
            note="The intervals of a column hold together in 95 % of experiments: those of more over seeds, of these "
            "very lemmas; those of points over lemmas. Where all differ by the same, the interval says what one "
            "that was not drawn may change.",
        )


def _at_leisure(comparison: Comparison) -> Iterator[str]:
    """Which ladders had nothing more to try before their time was over with any seed, though theorems were left."""
    early = [
        each.variant.name
        for each in comparison.summaries
        if not each.had_more and float(each.proved.value) < comparison.theorems
    ]
    if early:
        yield (
            f"{conjunction(map(named, early))} had nothing more to try before the time was over, so more time would "
            "change nothing."
        )


def conclusions(comparison: Comparison) -> list[str]:
    """The sentences: which ladders can be told apart on these lemmas, and what the last of each pair misses."""
    return [*_ends(comparison), *_told_apart(comparison), *_missed(comparison)]


def _ends(comparison: Comparison) -> Iterator[str]:
    """Of ladders that all prove everything, or all nothing, that no difference between them can be seen."""
    for names, what, other in (
        (_at(comparison, comparison.theorems), "every theorem with every seed", "harder lemmas or a shorter --budget"),
        (_at(comparison, 0), "no theorem with any seed", "easier lemmas or a longer --budget"),
    ):
        if len(names) > 1:
            yield (
                f"{conjunction(map(named, names))} prove {what}, so no difference between them can be "
                f"seen in what they prove, however many seeds there are. Take {other}."
            )


def _at(comparison: Comparison, theorems: int) -> list[str]:
    """The ladders that prove exactly so many theorems with every seed, which is all or none of them."""
    return [each.variant.name for each in comparison.summaries if float(each.proved.value) == theorems]


def _told_apart(comparison: Comparison) -> Iterator[str]:
    ends = [_at(comparison, theorems) for theorems in (comparison.theorems, 0)]
    for pair in comparison.pairs:
        if any({pair.one, pair.other} <= {*names} for names in ends):
            continue
        if pair.more.sign > 0:
            yield f"{pair.one} proves more than {pair.other} in the same time, by {_bounds(pair.more)} theorems."
        elif pair.more.sign < 0:
            fewer = _bounds(pair.more.scaled(-1))
            yield f"{pair.other} proves more than {pair.one} in the same time, by {fewer} theorems."
        else:
            more = "" if len(comparison.plan.seeds) >= ENOUGH else f" Take --seeds {ENOUGH} or more."
            yield f"{pair.one} and {pair.other} cannot be told apart by these seeds.{more}"


def _bounds(interval: Interval) -> str:
    return with_interval(interval, ".1f")


def _missed(comparison: Comparison) -> Iterator[str]:
    for pair in comparison.pairs:
        if pair.only_other:
            yield f"{pair.other} proves with some seed what {pair.one} never does: {listed(pair.only_other)}."
