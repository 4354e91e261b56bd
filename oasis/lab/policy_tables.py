"""The tables of `oasis policy eval` and `balance`: what policies prove, pairs, pass@k, judgements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from oasis.ground.table import Table
from oasis.lab.comparison.tables import percent, points
from oasis.lab.policy_balance import Balance
from oasis.lab.policy_calibration import Judgements
from oasis.lab.policy_eval import PROPL, PUBLISHED, Evaluation, Score, differences
from oasis.lab.policy_pairs import paired
from oasis.lab.policy_samples import Samples
from oasis.lab.statistics import Interval
from oasis.play.calibration import Calibration

_TITLES: Final = {"sets": "set", "lengths": "shortest proof", "sizes": "connectives", "families": "family"}
_COLUMNS: Final = ("theorems", "proved", "%", "95 %", "moves", "shortest", "calls", "trials", "illegal")
_JUDGED: Final = ("goals", "provable", "accuracy", "AUC", "ECE", "Brier score", "of always saying their share")
_POSITIONS: Final = ("position", "proved", "more", "illegal, %", "moves", "shortest", "calls", "trials", "ms")
_BALANCE: Final = (
    "proved: with Wilson's 95 % interval. more: points more than in the row above, on the same theorems; intervals "
    "that hold together in 95 % of experiments (Student's t; where all theorems differ alike, what one that was not "
    "drawn may change). ms: of processor time, for a theorem. Theorems are the first of each benchmark."
)


def scores(evaluation: Evaluation) -> Iterator[Table]:
    """What was proved, part by part; beside PropL's sets what was published."""
    is_published = evaluation.benchmark.name == PROPL and bool(evaluation.scores("sets"))
    for part in evaluation.benchmark.parts:
        found, longest, levels = evaluation.scores(part), evaluation.longest(part), evaluation.levels(part)
        rows: list[tuple[str, ...]] = []
        for name, score in found.items():
            proved = [", ".join(map(str, levels[name]))] if part == "families" else []
            rows.append((name, *_cells(score), *proved))
            if part == "sizes" and name in longest:
                rows.append(("  the longest fifth", *_cells(longest[name])))
        for each in PUBLISHED if part == "sets" and is_published else ():
            calls = "–" if each.calls is None else f"≈ {each.calls}"
            shown = ("", "", f"{100 * each.share:.1f}", "", "", "", calls, "", "")
            rows.append((f"{each.name}, {each.theorems}*", *shown))
        if found:
            yield Table("", (_TITLES[part], *_COLUMNS, *["levels proved"] * (part == "families")), tuple(rows))


def remark(evaluation: Evaluation) -> list[str]:
    """What keeps figures from being comparable with those that were published and stand beside them."""
    is_published = evaluation.benchmark.name == PROPL and evaluation.scores("sets")
    return [f"* {differences(evaluation.choosing)}"] if is_published else []


def pairs(names: Sequence[str], evaluations: Sequence[Evaluation]) -> Iterator[Table]:
    """What only one of two policies proves, group by group."""
    yield Table(
        f"{names[0]} against {names[1]}, theorem by theorem:",
        ("theorems", "of", "both", "only the first", "only the second", "more, in points", "p"),
        tuple(
            (
                name,
                *(f"{number:,}" for number in (each.theorems, each.both, each.only_one, each.only_other)),
                points(each.more),
                "<0.001" if each.p < 0.001 else f"{each.p:.3f}",
            )
            for groups in paired(*evaluations).values()
            for name, each in groups.items()
        ),
        note="p: McNemar's, exact. Interval: 95 %, Student's t of the differences, and where all theorems differ "
        "alike, what one that was not drawn may change; over theorems, not over trainings. Each row stands by itself: "
        "of twenty rows of equal policies about one has p below 0.05.",
    )


def calibrations(judgements: Judgements) -> Iterator[Table]:
    """How well goals were judged, group by group, and the reliability curves."""
    groups = {name: each for part in judgements.parts for name, each in judgements.calibrations(part).items()}
    undecided = f" {judgements.undecided:,} goals that the oracle left undecided are left out."
    yield Table(
        "Goals in focus in the policy's plays and in random ones, judged:",
        ("theorems", *_JUDGED),
        tuple((name, *_judged(each)) for name, each in groups.items()),
        note=f"ECE: expected calibration error, over ten bins.{undecided * bool(judgements.undecided)}",
    )
    bounds = sorted({(each.least, each.most) for of_group in groups.values() for each in of_group.bins})
    yield Table(
        "Reliability: of the goals that the policy gives so much, the share that is provable, in %, and their number",
        ("from, to", *groups),
        tuple((f"{least:.1f}, {most:.1f}", *(_bin(each, least) for each in groups.values())) for least, most in bounds),
    )


def passes(samples: Samples, evaluation: Evaluation) -> Iterator[Table]:
    """pass@k, group by group."""
    yield Table(
        f"{samples.samples:,} plays of each theorem, drawn at temperature {samples.temperature:g}:",
        ("theorems", *(f"pass@{k}, %" for k in samples.ks)),
        tuple(
            (name, *map(_share, found.values()))
            for part in evaluation.benchmark.parts
            for name, found in samples.passes(part).items()
        ),
        note="With 95 % intervals over theorems and plays.",
    )


def balance(compared: Balance) -> Iterator[Table]:
    """What each policy proves of each benchmark at each position."""
    rows = compared.rows
    groups = list(dict.fromkeys((row.policy, row.benchmark) for row in rows))
    for group in groups:
        found = [row for row in rows if (row.policy, row.benchmark) == group]
        yield Table(
            f"{group[0]} on {found[0].score.theorems:,} theorems of {group[1]}",
            _POSITIONS,
            tuple(
                (
                    row.position.name,
                    percent(row.score.share),
                    "" if row.gain is None else points(row.gain),
                    f"{100 * float(row.illegal.value):.1f}" if row.position.is_written else "–",
                    *map(_number, (row.score.moves, row.score.shortest, row.score.calls, row.score.trials)),
                    _number(1_000 * row.seconds),
                )
                for row in found
            ),
            note=_BALANCE if group == groups[-1] else "",
        )


def _cells(score: Score) -> list[str]:
    low, high = (f"{100 * float(bound):.1f}" for bound in score.share[1:])
    return [
        f"{score.theorems:,}",
        f"{score.proved:,}",
        f"{100 * float(score.share.value):.1f}",
        f"{low}–{high}",
        *map(_number, (score.moves, score.shortest, score.calls, score.trials)),
        f"{score.illegal:,}",
    ]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _share(interval: Interval) -> str:
    value, low, high = (f"{100 * float(bound):.1f}" for bound in interval)
    return f"{value} ({low}–{high})"


def _bin(of: Calibration, least: float) -> str:
    found = next((each for each in of.bins if each.least == least), None)
    return "–" if found is None else f"{100 * found.happened:.0f} of {found.states:,}"


def _judged(each: Calibration) -> list[str]:
    numbers = (each.happened, each.accuracy, each.auc, each.ece, each.brier, each.base)
    return [f"{each.states:,}", *("–" if number != number else f"{number:.4f}" for number in numbers)]
