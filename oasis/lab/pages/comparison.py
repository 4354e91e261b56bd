"""The page and the CSV files of a comparison."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final, TextIO

from oasis.ground.pictures import to_svg
from oasis.ground.table import Table
from oasis.lab.comparison.conclusions import conclusions
from oasis.lab.comparison.summary import DEFINITIONS, Comparison
from oasis.lab.comparison.tables import tables
from oasis.lab.pages.page import render
from oasis.lab.plots.comparison import Panel, panels, single
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from tactics.printer import show

_HIDDEN: Final = ("seed", "backend")
"""Settings that say nothing of a variant."""


def page(
    comparison: Comparison,
    trials: Mapping[str, Trial],
    command: str = "",
    made_by: str = "",
    more: Iterable[Table] = (),
) -> str:
    """The report as HTML.

    Args:
        comparison: what to report.
        trials: that it was made of.
        command: what was typed to get it, for whoever wants to get it again.
        made_by: which Oasis did the trials.
        more: tables to follow those of the comparison.
    """
    plan = comparison.plan
    same, different = _settings(plan)
    return render(
        "compare.html",
        title=f"Learners compared on {plan.name}",
        plan=plan,
        formulas=[(lemma.name, show(lemma.formula, quantified=True)) for lemma in plan.lemmas],
        figures=[(each, _picture(comparison, each, place)) for place, each in enumerate(panels(comparison))],
        sentences=conclusions(comparison, trials),
        tables=[*tables(comparison), *more],
        same=same,
        different=different,
        definitions=DEFINITIONS,
        command=command,
        made_by=made_by,
    )


def write_episodes(plan: Plan, trials: Mapping[str, Trial], stream: TextIO) -> None:
    """CSV with a line for each variant, seed and episode."""
    _write(("variant", "seed", "episode", "lemma", "proved", "steps", "states"), _episodes(plan, trials), stream)


def write_checkpoints(plan: Plan, trials: Mapping[str, Trial], stream: TextIO) -> None:
    """Write CSV with a line for each variant, seed, checkpoint and lemma; a `greedy` of 0 is no proof."""
    _write(("variant", "seed", "episode", "lemma", "share", "greedy", "value"), _checkpoints(plan, trials), stream)


def _episodes(plan: Plan, trials: Mapping[str, Trial]) -> Iterator[Sequence[Any]]:
    names = [lemma.name for lemma in plan.lemmas]
    for variant, trial in trials.items():
        for place, seed in enumerate(plan.seeds):
            columns = (array[place].tolist() for array in (trial.lemma, trial.proved, trial.steps, trial.states))
            for episode, (lemma, proved, steps, states) in enumerate(zip(*columns, strict=True), 1):
                yield variant, seed, episode, names[lemma], int(proved), steps, states


def _checkpoints(plan: Plan, trials: Mapping[str, Trial]) -> Iterator[Sequence[Any]]:
    for variant, trial in trials.items():
        for place, seed in enumerate(plan.seeds):
            columns = (array[place].tolist() for array in (trial.share, trial.greedy, trial.value))
            for episode, *asked in zip(plan.checkpoints, *columns, strict=True):
                for lemma, share, length, worth in zip(plan.lemmas, *asked, strict=True):
                    yield variant, seed, episode, lemma.name, share, f"{length:g}", worth


def _write(header: Sequence[str], rows: Iterator[Sequence[Any]], stream: TextIO) -> None:
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def _picture(comparison: Comparison, each: Panel, place: int) -> str:
    return to_svg(partial(single, comparison, each), f"panel{place}")


def _settings(plan: Plan) -> tuple[dict[str, str], Table | None]:
    """What all variants have in common, and a table of where they differ, if they do."""
    every = [{**asdict(variant.settings), "order": variant.order} for variant in plan.variants]
    if len(plan.lemmas) == 1:
        every = [{name: value for name, value in each.items() if name != "order"} for each in every]
    names = [name for name in every[0] if name not in _HIDDEN]
    different = [name for name in names if any(each[name] != every[0][name] for each in every)]
    same = {_spoken(name): _spoken(every[0][name]) for name in names if name not in different}
    rows = tuple(
        (variant.name, *(_spoken(each[name]) for name in different))
        for variant, each in zip(plan.variants, every, strict=True)
    )
    header = ("variant", *map(_spoken, different))
    return same, Table("Where the variants differ", header, rows, words=len(header)) if different else None


def _spoken(value: Any) -> str:
    """A name or a value of a setting as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,g}" if isinstance(value, float) else str(value).replace("_", " ")
