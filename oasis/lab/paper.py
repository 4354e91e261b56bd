"""What a paper takes from a report, in one folder: pictures, tables for LaTeX, every number, and what made them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from re import sub
from typing import Any, Final

from oasis.ground.pictures import FORMATS, need_matplotlib
from oasis.ground.table import Table
from oasis.ground.version import commit, version
from oasis.lab.experiment import Maker
from oasis.lab.pictures import save_plot
from oasis.lab.report import Report, every_row, write_rows
from tactics.errors import InputError

_SPECIAL: Final = {
    **{sign: rf"\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "ε": r"$\varepsilon$",
    "γ": r"$\gamma$",
    "α": r"$\alpha$",
    "λ": r"$\lambda$",
}


def check_folder(folder: Path) -> None:
    """Make the folder. Raises InputError if it cannot be, or is a file; LibraryMissing without matplotlib."""
    need_matplotlib()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made a folder ({error.strerror}); name another one.") from None


def for_a_paper(
    reports: Mapping[str, Report], *, title: str, command: str, made_by: str = ""
) -> dict[str, Callable[[Any], object]]:
    """Return what writes every row to a stream, and what writes all that a paper takes to a folder.

    Args:
        reports: by part.
        title: of pictures.
        command: that was typed.
        made_by: which Oasis did the trials; this one if it is left out.
    """
    made_by = made_by or str(Maker(version(), commit(), len(reports)))
    return {
        "csv": lambda stream: write_rows(every_row(reports), stream),
        "paper": lambda path: write_paper(path, reports, title=title, command=command, made_by=made_by),
    }


def write_paper(folder: Path, reports: Mapping[str, Report], *, title: str, command: str, made_by: str) -> list[Path]:
    """Write each part's pictures, tables, JSON and CSV, and who made them; return the files.

    Raises InputError if that fails.
    """
    check_folder(folder)
    files = [folder / "made_by.txt"]
    try:
        files[0].write_text(f"{command}\nOasis {made_by}\n", encoding="utf-8")
        for part, report in reports.items():
            name = stem(part) if len(reports) > 1 else "report"
            for ending in FORMATS:
                save_plot(folder / f"{name}{ending}", report, part if len(reports) > 1 else title)
            for ending, text in (
                (".tex", "\n".join(map(latex, report.tables()))),
                (".json", json.dumps(report.to_json(), indent=1, ensure_ascii=False)),
            ):
                (folder / f"{name}{ending}").write_text(text, encoding="utf-8")
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
                write_rows(report.rows(), stream)
            files += [folder / f"{name}{ending}" for ending in (*FORMATS, ".tex", ".json", ".csv")]
    except OSError as error:
        raise InputError(f"{folder} cannot be written to ({error.strerror}); name another folder.") from None
    return files


def stem(part: str) -> str:
    """Return the name of a part as files have it."""
    return sub(r"[^\w.]+", "-", part).strip("-")


def latex(table: Table) -> str:
    """Return a table for LaTeX, which needs no package."""
    rows = [" & ".join(map(escaped, row)) + r" \\" for row in (table.header, *table.rows)]
    columns = "l" * table.words + "r" * (len(table.header) - table.words)
    return "\n".join([
        f"% {table.title}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        rows[0],
        r"\hline",
        *rows[1:],
        r"\hline",
        r"\end{tabular}",
        *([f"% {table.note}"] if table.note else []),
        "",
    ])  # fmt: skip


def escaped(text: str) -> str:
    """Return text with what means something to LaTeX written so that it stands for itself."""
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
