"""The page and the CSV file of an ablation of R†."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Final, TextIO

from oasis.dagger.making import weights_of
from oasis.dagger.weights import Weights
from oasis.ground.pictures import to_svg
from oasis.ground.table import Table
from oasis.lab.pages.page import render
from oasis.lab.plots.ablation import figure
from oasis.lab.rewarding.ablation import ALL, CORRECT, TERMINATING
from oasis.lab.rewarding.contrasts import DEFINITIONS, Contrast, Outcome
from oasis.lab.rewarding.measures import Measures
from oasis.lab.rewarding.verdict import paragraph, tables
from oasis.lab.students.plan import Plan
from tactics.printer import show

_PICTURES: Final = {
    ALL: "R† without a term, against all of R†",
    CORRECT: "A term beside C, against C alone",
    TERMINATING: "Each reward, against terminating",
}
_MEASURES: Final = {
    "episodes": "episodes more until a student is reliable",
    "plays": "percentage points more of the plays in the last exam that prove",
}
_SETTINGS: Final = ("learner", "state_space", "epsilon", "gamma", "initial_value")


def page(
    plans: Mapping[str, Plan],
    found: Sequence[Outcome],
    contrasts: Sequence[Contrast],
    title: str,
    command: str = "",
    made_by: str = "",
) -> str:
    """The report as HTML.

    Args:
        plans: of the parts, each with one lemma.
        found: what the students of each reward came to.
        contrasts: how they differ.
        title: of the page.
        command: what was typed to get it, for whoever wants to get it again.
        made_by: which Oasis did the trials.
    """
    plan = next(iter(plans.values()))
    chosen = {theirs: [each for each in contrasts if each.compared.theirs == theirs] for theirs in _PICTURES}
    settings = plan.variants[0].settings
    return render(
        "ablation.html",
        title=title,
        plan=plan,
        formulas=[(each.lemmas[0].name, show(each.lemmas[0].formula, quantified=True)) for each in plans.values()],
        figures=[
            (f"{_PICTURES[theirs]}: {what}", to_svg(partial(figure, each, measure), f"{measure}{place}"))
            for place, (theirs, each) in enumerate(chosen.items())
            if each
            for measure, what in _MEASURES.items()
        ],
        sentences=paragraph(contrasts),
        tables=[*tables(found, contrasts, "What students came to"), _weights(plan)],
        settings={name.replace("_", " "): getattr(settings, name) for name in _SETTINGS},
        definitions=DEFINITIONS,
        command=command,
        made_by=made_by,
    )


def _weights(plan: Plan) -> Table:
    """What the terms weigh in all of R†."""
    weights: Weights = weights_of(next(each.settings.reward for each in plan.variants if each.name == ALL))
    rows = tuple((name, f"{weight:g}") for name, weight in weights.weights.items())
    note = (
        f"{weights.reading} reading, belief {weights.belief}, knowledge {weights.knowledge}, rounds of "
        f"{weights.round:,} episodes, clip ±{weights.clip:g}."
    )
    return Table("Weights of all of R†", ("term", "weight"), rows, note=note)


def write_students(
    plans: Mapping[str, Plan], found: Mapping[str, Measures], known: Mapping[str, int | None], stream: TextIO
) -> None:
    """Write CSV with a line for each reward, lemma and seed; nothing in a field where there is no such number."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("reward", "lemma", "seed", "reliable_from", "plays", "length_ratio", "shortest"))
    for variant, measures in found.items():
        for place, (part, plan) in enumerate(plans.items()):
            columns = (each[:, place].tolist() for each in (measures.episodes, measures.plays, measures.length))
            for seed, *numbers in zip(plan.seeds, *columns, strict=True):
                shown = [f"{number:g}" if isfinite(number) else "" for number in numbers]
                writer.writerow((variant, part, seed, *shown, known[part] or ""))
