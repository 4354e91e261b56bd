"""`oasis thesis`: chapter 7 of the thesis, done again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import (
    DATABASE,
    CertifyOption,
    DatabaseOption,
    JsonOption,
    QuietOption,
    output_stream,
    read_certifiers,
)
from oasis.cli.campaigns import Carrying, certified, opened, run
from oasis.cli.options import Given, Without, command
from oasis.ground.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.lab.experiment import Experiment
    from oasis.lab.students.plan import Plan
    from oasis.lab.thesis.findings import Finding
    from oasis.lab.thesis.study import Study


@dataclass(frozen=True)
class Conditions:
    """What is done again, and how much of it."""

    figure: Annotated[tuple[str, ...], Setting("7.1 to 7.5; can be repeated. All if not given.", metavar="NUMBER")] = ()
    share: Annotated[float, Setting("Share of the students to take, above 0 and up to 1; for a quick look.")] = 1.0
    episodes: Annotated[int, Setting("Episodes in the long part.")] = 5000


@dataclass(frozen=True)
class Files:
    """What is to be written; None for what is not."""

    plot: Annotated[Path | None, Setting("Draw the pictures; a file for a single figure.", metavar="FOLDER|FILE")] = (
        None
    )
    csv: Annotated[Path | None, Setting("Write every point of every curve.", metavar="FILE")] = None
    html: Annotated[Path | None, Setting("Write a report: one page that stands alone.", metavar="FILE")] = None


@command
def thesis(
    *,
    conditions: Given[Conditions],
    carrying: Annotated[Given[Carrying], Without("so_far", "pilot")],
    files: Given[Files],
    certify: CertifyOption = "all",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Do chapter 7 of the thesis again: Figures 7.1 to 7.5 under its conditions, and then for 5,000 episodes.

    For each figure: what the thesis saw, what is seen here with 95 % intervals, and why. What is done is kept: Ctrl-C
    shows the figures that are done, and --resume goes on. The numbers are the same every time, on any engine.
    """
    from oasis.cli.render import print_json, print_text
    from oasis.lab.proofs import sentence
    from oasis.lab.thesis.figures import figures
    from oasis.lab.thesis.findings import findings
    from oasis.lab.thesis.study import Study, plans

    def planned() -> tuple[str, dict[str, Plan]]:
        asked = conditions.made()
        wanted = figures(asked.figure, share=asked.share, episodes=asked.episodes)
        _check_files(written.plot, written.html, len(wanted))
        return "Figures " + ", ".join(each.number for each in wanted), plans(wanted)

    how, written, certifiers = carrying.made(), files.made(), read_certifiers(certify)
    chosen = how.at()
    with opened("thesis", planned, db, how, settled=[conditions], files=files, quiet=quiet) as kept:
        study = Study(kept)
        _check_files(written.plot, written.html, len(study.figures))
        try:
            run(kept, chosen, quiet=quiet)
        except KeyboardInterrupt:
            if not study.done:
                raise
        found = findings(study)
        proofs = [proof for part in certified(kept, certifiers, quiet=quiet).values() for proof in part]
        if as_json:
            print_json(
                {
                    **kept.to_json(),
                    "figures": [each.to_json() for each in found],
                    "proofs": [proof.to_json() for proof in proofs],
                }
            )
        else:
            _show(found)
            print_text(sentence(proofs))
        _write_files(kept, study, found, written.plot, written.csv, written.html)
        if not kept.finished:
            raise KeyboardInterrupt


def _check_files(plot: Path | None, html: Path | None, pictures: int) -> None:
    """What cannot be written is refused before any work."""
    from oasis.lab.pages.page import check_page
    from oasis.lab.thesis.pictures import check_pictures

    if plot is not None:
        check_pictures(plot, pictures)
    if html is not None:
        check_page(html)


def _show(found: Sequence[Finding]) -> None:
    from oasis.cli.render import print_section, print_text
    from oasis.lab.thesis.tables import tables

    for each in found:
        print_text(f"Figure {each.figure.number}: {each.figure.title}")
        print_text(each.figure.conditions)
        print()
        for table in tables(each):
            print_section(table.title, table.header, table.rows)
        for title, sentences in (
            ("The thesis saw", (f"{each.figure.saw}.",)),
            ("Here", each.here),
            ("Because", each.because),
            (f"With {each.figure.long.episodes:,} episodes", each.later),
        ):
            print_text(f"{title}:")
            for sentence in sentences:
                print_text(sentence, "  · ")
        print()


def _write_files(
    campaign: Experiment[Plan],
    study: Study,
    found: Sequence[Finding],
    plot: Path | None,
    csv: Path | None,
    html: Path | None,
) -> None:
    from shlex import join

    from oasis.cli.render import write_csv
    from oasis.lab.pages.page import write
    from oasis.lab.thesis.page import page
    from oasis.lab.thesis.pictures import rows, save_pictures

    parts = {each.figure: study.parts(each.figure) for each in found}
    if csv is not None:
        with output_stream(csv) as stream:
            write_csv([row for figure in parts for row in rows(figure, parts[figure])], stream)
    if plot is not None:
        save_pictures(plot, parts)
    if html is not None:
        write(html, page(found, study, join(["oasis", *sys.argv[1:]]), campaign.made_by))
