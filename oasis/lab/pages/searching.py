"""The page and the CSV file of a comparison of searches, and the CSV file of one of ladders."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import partial
from math import isfinite
from typing import Final, TextIO

from oasis.ground.pictures import to_svg
from oasis.ground.table import Table
from oasis.lab.climbing.plan import STAGES, ClimbPlan, Climbs
from oasis.lab.pages.page import render
from oasis.lab.plots.searching import PANELS, single
from oasis.lab.searching.conclusions import conclusions
from oasis.lab.searching.plan import SearchPlan
from oasis.lab.searching.summary import DEFINITIONS, Comparison
from oasis.lab.searching.tables import said, tables
from oasis.lab.searching.trials import STATUSES, Outcomes, lines
from tactics.printer import show

_COLUMNS: Final = (
    "length",
    "bound",
    "settled_expansions",
    "settled_calls",
    "settled_seconds",
    "expansions",
    "calls",
    "seconds",
)


def page(comparison: Comparison, command: str = "", made_by: str = "", more: Iterable[Table] = ()) -> str:
    """The report as HTML.

    Args:
        comparison: what to report.
        command: what was typed to get it, for whoever wants to get it again.
        made_by: which Oasis did the trials.
        more: tables to follow those of the comparison.
    """
    plan = comparison.plan
    return render(
        "searches.html",
        title=f"Searches compared on {plan.name}",
        plan=plan,
        budget=said(plan.budget),
        formulas=[(lemma.name, show(lemma.formula, quantified=True)) for lemma in plan.lemmas],
        figures=[
            (each.title, to_svg(partial(single, comparison, each), f"panel{place}"))
            for place, each in enumerate(PANELS)
        ],
        sentences=conclusions(comparison),
        tables=[*tables(comparison), *more],
        definitions=DEFINITIONS,
        command=command,
        made_by=made_by,
    )


def write_searches(plans: Mapping[str, SearchPlan], trials: Mapping[str, Mapping[str, Outcomes]], out: TextIO) -> None:
    """Write CSV with a line for each part of an experiment, variant, seed and lemma; no `length` without a proof."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("part", "search", "policy", "experience", "seed", "lemma", "status", *_COLUMNS, "reason"))
    for part, plan in plans.items():
        for variant in plan.variants:
            trial = trials[part][variant.name]
            reasons = lines(trial.reason)
            for place, seed in enumerate(plan.seeds):
                columns = zip(*(getattr(trial, name)[place].tolist() for name in _COLUMNS), strict=True)
                for lemma, status, numbers, reason in zip(
                    plan.lemmas, trial.status[place], columns, reasons[place], strict=True
                ):
                    helped = "with" if variant.experience else "without"
                    tried = (part, variant.search, variant.policy, helped, seed, lemma.name)
                    length, *others = numbers
                    writer.writerow((*tried, STATUSES[status].value, length or "", *others, reason))


def write_climbs(plan: ClimbPlan, trials: Mapping[str, Climbs], out: TextIO) -> None:
    """Write CSV with a line for each ladder, seed and lemma; no `settled` if it is open, no `length` if unproved."""
    counted = ("episodes", "expansions", "plays", "forwards", "seconds")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("ladder", "seed", "lemma", "status", "stage", "settled", "length", *counted))
    for name, trial in trials.items():
        for place, seed in enumerate(plan.seeds):
            for at, lemma in enumerate(plan.lemmas):
                status, stage, settled = (each[place, at] for each in (trial.status, trial.stage, trial.settled))
                when = f"{settled:.3f}" if isfinite(settled) else ""
                tried = (name, seed, lemma.name, STATUSES[status].value, ("", *STAGES)[stage], when)
                numbers = (getattr(trial, each)[place, at] for each in counted)
                writer.writerow((*tried, trial.length[place, at] or "", *numbers))
