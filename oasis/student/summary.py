"""What runs came to in tables: of many lemmas by family, and of students that differ in their seeds alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from curricula.levels import show_levels
from oasis.ground.plural import counted
from oasis.ground.statistics import SHARE
from oasis.ground.table import Table
from oasis.play.exam import Exam
from oasis.student.report import LemmaReport, RunReport


def by_family(lemmas: Sequence[LemmaReport]) -> Table:
    """Return how many lemmas of each family were practised and proved; the last row is that of all."""
    families: dict[str, list[LemmaReport]] = {}
    for lemma in lemmas:
        families.setdefault(lemma.family or "without levels", []).append(lemma)
    groups = [*families.items()] if len(families) > 1 else []
    never = {lemma.name for lemma in lemmas if lemma.exam is None or not lemma.exam.proved}
    rows = tuple(
        (
            family,
            f"{sum(not lemma.only_examined for lemma in found):,}",
            _counted(found, [lemma for lemma in found if lemma.is_known], of_one=found is not lemmas),
            _counted(found, [lemma for lemma in found if lemma.is_shortest], of_one=found is not lemmas),
            f"{sum(not lemma.is_known and lemma.name not in never for lemma in found):,}",
            f"{sum(lemma.name in never for lemma in found):,}",
        )
        for family, found in [*groups, ("all", lemmas)]
    )
    return Table("", ("family", "practised", "proved in the exam", "by shortest proofs", "now and then", "not"), rows)


def _counted(lemmas: Sequence[LemmaReport], found: Sequence[LemmaReport], *, of_one: bool) -> str:
    """Return how many lemmas are found to be so, and of one family that has levels also of which."""
    with_levels = found and of_one and lemmas[0].level is not None
    return f"{len(found):,}{f' ({show_levels(lemma.level or 0 for lemma in found)})' if with_levels else ''}"


def together(reports: Sequence[RunReport]) -> Table:
    """Return what students of the same settings came to: of each lemma means over students, with 95 % intervals."""
    header = ("lemma", "exam", "untaught", "always\nprove", "median is\noptimum", "optimum")
    note = "exam and untaught: the mean share of plays that prove, of five students or more with its 95 % interval."
    return Table("", header, tuple(map(_row, _by_lemma(reports))), note=note)


def unlearned(reports: Sequence[RunReport]) -> Iterator[str]:
    """Yield of each lemma that some of these students unlearned how many did, and what says when."""
    for lemmas in _by_lemma(reports):
        lost = [f"{report.run}" for report, lemma in zip(reports, lemmas, strict=True) if lemma.unlearned]
        if lost:
            one = f"oasis runs show {lost[0]} says when"
            yield f"{lemmas[0].name} was unlearned by {len(lost)} of {counted(len(reports), 'student')}; {one}."


def _by_lemma(reports: Sequence[RunReport]) -> Iterator[tuple[LemmaReport, ...]]:
    return zip(*(report.lemmas for report in reports), strict=True)


def _row(lemmas: Sequence[LemmaReport]) -> tuple[str, ...]:
    exams = [lemma.exam for lemma in lemmas if lemma.exam]
    optimum = lemmas[0].optimum
    return (
        lemmas[0].name,
        _mean_share(exams),
        _mean_share([lemma.untaught for lemma in lemmas if lemma.untaught]),
        f"{sum(exam.share == 1 for exam in exams)} of {len(exams)}",
        "–" if optimum is None else f"{sum(exam.median == optimum for exam in exams)} of {len(exams)}",
        "–" if optimum is None else f"{optimum}",
    )


def _mean_share(exams: Sequence[Exam]) -> str:
    """Return the mean share of plays that proved, with its interval if there are students enough."""
    if not exams:
        return "–"
    mean, low, high = (100 * float(bound) for bound in SHARE.of(np.array([exam.share for exam in exams]), 0, 1))
    return f"{mean:.1f}% ({low:.1f}–{high:.1f})" if np.isfinite(low) else f"{mean:.1f}%"
