"""What `oasis policy eval` shows beside its scores: whether values of goals are probabilities, pass@k, and pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.lab.policy_calibration import Judgements
    from oasis.lab.policy_eval import Evaluation
    from oasis.lab.policy_samples import Samples
    from oasis.lab.statistics import Interval
    from oasis.play.calibration import Calibration

_SCORES: Final = ("goals", "provable", "accuracy", "AUC", "ECE", "Brier score", "of always saying their share")


def show_calibrations(judgements: Judgements) -> None:
    """Print how well goals were judged, group by group, and the reliability curves."""
    from oasis.cli.render import print_section

    groups = {name: each for part in judgements.parts for name, each in judgements.calibrations(part).items()}
    undecided = f" {judgements.undecided:,} goals that the oracle left undecided are left out." * bool(
        judgements.undecided
    )
    print_section(
        "Goals in focus in the policy's plays and in random ones, judged:",
        ["theorems", *_SCORES],
        [[name, *_cells(each)] for name, each in groups.items()],
        note=f"ECE: expected calibration error, over ten bins.{undecided}",
    )
    bounds = sorted({(each.least, each.most) for of_group in groups.values() for each in of_group.bins})
    print_section(
        "Reliability: of the goals that the policy gives so much, the share that is provable, in %, and their number",
        ["from, to", *groups],
        [[f"{least:.1f}, {most:.1f}", *(_bin(each, least) for each in groups.values())] for least, most in bounds],
    )


def show_pairs(names: Sequence[str], evaluations: Sequence[Evaluation]) -> None:
    """Print what only one of two policies proves, group by group."""
    from oasis.cli.render import print_section
    from oasis.lab.comparison.tables import points
    from oasis.lab.policy_pairs import paired

    one, other = names
    pairs = {name: each for groups in paired(*evaluations).values() for name, each in groups.items()}
    print_section(
        f"{one} against {other}, theorem by theorem:",
        ["theorems", "of", "both", "only the first", "only the second", "more, in points", "p"],
        [
            [
                name,
                *(f"{number:,}" for number in (each.theorems, each.both, each.only_one, each.only_other)),
                points(each.more),
                "<0.001" if each.p < 0.001 else f"{each.p:.3f}",
            ]
            for name, each in pairs.items()
        ],
        note="p: McNemar's, exact. Interval: 95 %, Student's t of the differences, and where all theorems differ "
        "alike, what one that was not drawn may change; over theorems, not over trainings. Each row stands by itself: "
        "of twenty rows of equal policies about one has p below 0.05.",
    )


def show_passes(samples: Samples, evaluation: Evaluation) -> None:
    """Print pass@k, group by group."""
    from oasis.cli.render import print_section

    columns = [f"pass@{k}, %" for k in samples.ks]
    print_section(
        f"{samples.samples:,} plays of each theorem, drawn at temperature {samples.temperature:g}:",
        ["theorems", *columns],
        [
            [name, *(_share(each) for each in passes.values())]
            for part in evaluation.benchmark.parts
            for name, passes in samples.passes(part).items()
        ],
        note="With 95 % intervals over theorems and plays.",
    )


def _share(interval: Interval) -> str:
    value, low, high = (f"{100 * float(bound):.1f}" for bound in interval)
    return f"{value} ({low}–{high})"


def _bin(of: Calibration, least: float) -> str:
    found = next((each for each in of.bins if each.least == least), None)
    return "–" if found is None else f"{100 * found.happened:.0f} of {found.states:,}"


def _cells(each: Calibration) -> list[str]:
    numbers = (each.happened, each.accuracy, each.auc, each.ece, each.brier, each.base)
    return [f"{each.states:,}", *("–" if number != number else f"{number:.4f}" for number in numbers)]
