"""The page of a report: one file with styles and pictures in it, which asks for nothing from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from oasis.ground.table import Table
from oasis.lab.pages.page import render
from oasis.lab.pictures import pictures
from oasis.lab.report import Report


def page(
    reports: Mapping[str, Report],
    *,
    title: str,
    lemmas: Sequence[tuple[str, str]],
    settings: Mapping[str, Any],
    tables: Iterable[Table] = (),
    command: str = "",
    made_by: str = "",
) -> str:
    """Return a page about one report, or about those of several parts.

    Args:
        reports: by the name of the part.
        title: of the page.
        lemmas: name and formula of each.
        settings: what is the same for all kinds, by name.
        tables: that come before those of the reports, such as where kinds differ.
        command: that was typed to get it, for whoever wants to get it again.
        made_by: which Oasis did the trials.
    """
    measures = {each.name: each for report in reports.values() for each in report.measures}
    return render(
        "report.html",
        title=title,
        lemmas=lemmas,
        settings=settings,
        tables=[*tables],
        parts=[
            {
                "title": name if len(reports) > 1 else "",
                "units": report.units,
                "noun": report.family.noun,
                "seeds": report.seeds,
                "kinds": len(report.names),
                "sentences": report.sentences(),
                "figures": pictures(report, f"part{place}"),
                "tables": [*report.tables()],
            }
            for place, (name, report) in enumerate(reports.items())
        ],
        definitions={
            name: f"{each.says[0].upper()}{each.says[1:]}. {each.statistic.name.capitalize()}; interval: "
            f"{each.statistic.says}."
            for name, each in measures.items()
        },
        command=command,
        made_by=made_by,
    )
