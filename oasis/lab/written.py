"""What is written of a report: a page that stands alone, a folder for a paper, and curves for boards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from oasis.ground.board import Board
from oasis.ground.pictures import FORMATS, check_place, need_matplotlib
from oasis.ground.table import Table, latex
from oasis.ground.version import commit, version
from oasis.lab.experiment import Maker
from oasis.lab.pictures import pictures, save_plot, stem
from oasis.lab.report import write_rows
from oasis.lab.reports import Reports
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
    reports: Reports,
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
                "title": "" if reports.is_one else name,
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


def check_folder(folder: Path) -> None:
    """Make the folder. Raises InputError if it cannot be, or is a file; LibraryMissing without matplotlib."""
    need_matplotlib()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made a folder ({error.strerror}); name another one.") from None


def write_paper(
    folder: Path, reports: Reports, *, title: str, command: str, made_by: str = "", tables: Sequence[Table] = ()
) -> None:
    """Write each part's pictures, tables, JSON and CSV, the command, and who made them.

    Args:
        folder: is made if it is not there.
        reports: by part.
        title: of the picture of a single part.
        command: that was typed.
        made_by: which Oasis did the trials; this one if it is left out.
        tables: that a paper takes beside those of the reports.

    Raises InputError if that fails.
    """
    check_folder(folder)
    made_by = made_by or str(Maker(version(), commit(), len(reports)))
    names = {part: "report" if reports.is_one else stem(part) for part in reports}
    texts = {"made_by.txt": f"{command}\nOasis {made_by}\n"}
    in_latex = {name: [*reports[part].tables()] for part, name in names.items()}
    in_latex.setdefault("report", []).extend(tables)
    texts |= {f"{name}.tex": "\n".join(map(latex, each)) for name, each in in_latex.items() if each}
    texts |= {
        f"{name}.json": json.dumps(reports[part].to_json(), indent=1, ensure_ascii=False)
        for part, name in names.items()
    }
    try:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        for part, name in names.items():
            for ending in FORMATS:
                save_plot(folder / f"{name}{ending}", reports[part], title if reports.is_one else part)
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
                write_rows(reports[part].rows(), stream)
    except OSError as error:
        raise InputError(f"{folder} cannot be written to ({error.strerror}); name another folder.") from None


def write_curves(folder: Path, reports: Reports, kind: str = "tensorboard") -> None:
    """Write the curves of each kind for a board into a folder of its own; of several parts one in the other."""
    for part, report in reports.items():
        for name in report.names:
            places = [name] if reports.is_one else [part, name]
            with Board(folder.joinpath(*map(stem, places)), kind) as board:
                for measure in report.curves:
                    values = measure.scale * np.asarray(report.number(measure, name).value)
                    for step, value in zip(report.points(measure, name), values, strict=True):
                        board.add(measure.name, float(value), round(float(step)), f"{measure.says} ({measure.unit})")
