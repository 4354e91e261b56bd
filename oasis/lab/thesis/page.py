"""The page of `oasis thesis`: figure by figure what the thesis saw, what is seen here, and why."""

from __future__ import annotations

from collections.abc import Sequence

from oasis.lab.pages.page import render
from oasis.lab.thesis.figures import CONDITIONS, MAX_STEPS
from oasis.lab.thesis.findings import Finding
from oasis.lab.thesis.pictures import part_svgs
from oasis.lab.thesis.study import Study
from oasis.lab.thesis.tables import DEFINITIONS, part_title, tables
from tactics.printer import show


def page(found: Sequence[Finding], study: Study, command: str = "", made_by: str = "") -> str:
    """Write the report as HTML.

    Args:
        found: what to report.
        study: that it was found in.
        command: what was typed to get it.
        made_by: which Oasis did the experiments.
    """
    return render(
        "thesis.html",
        title="Chapter 7, done again",
        findings=[
            {
                "finding": each,
                "lemmas": [
                    (lemma.name, show(lemma.formula, quantified=True))
                    for lemma in each.figure.short.lemmas[: 1 if each.figure.unit == "copy" else None]
                ],
                "pictures": {
                    part: (part_title(plan), part_svgs(each.figure, part, study.parts(each.figure)[part]))
                    for part, plan in each.figure.plans.items()
                },
                "tables": list(tables(each)),
            }
            for each in found
        ],
        definitions=DEFINITIONS,
        settings=CONDITIONS,
        limit=f"{MAX_STEPS:,}",
        command=command,
        made_by=made_by,
    )
