"""The page of a report: one file with styles and pictures in it, which asks for nothing from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from oasis.ground.pictures import check_place, need_matplotlib
from oasis.ground.table import Table
from oasis.ground.version import version
from oasis.lab.pictures import pictures
from oasis.lab.report import Report
from tactics.errors import InputError, LibraryMissing, install_command


def check_page(path: Path) -> None:
    """Raises InputError if no page can be written under this name, LibraryMissing if a library for it is not there."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{path} should end in .html; rename it.")
    check_place(path)
    if find_spec("jinja2") is None:
        raise LibraryMissing(f"Reports need Jinja2, which is not installed: {install_command('plots')}")
    need_matplotlib()


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
    from jinja2 import Environment, PackageLoader, StrictUndefined

    measures = {each.name: each for report in reports.values() for each in report.measures}
    environment = Environment(
        loader=PackageLoader("oasis.lab"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html").render(
        version=version(),
        title=title,
        lemmas=lemmas,
        settings=settings,
        tables=[*tables],
        parts=[
            {
                "title": name if len(reports) > 1 else "",
                "report": report,
                "figures": pictures(report, f"part{place}"),
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
