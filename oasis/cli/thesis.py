"""`oasis thesis`: chapter 7 of the thesis, done again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import HtmlOption, JsonOption, QuietOption, WorkersOption, output_stream
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oasis.lab.engines import Engine
    from oasis.lab.thesis.findings import Finding
    from oasis.lab.thesis.study import Study


def thesis(
    figure: Annotated[
        list[str] | None, typer.Option(metavar="NUMBER", help="7.1 to 7.5; can be repeated. All if not given.")
    ] = None,
    share: Annotated[
        float, typer.Option(help="Share of the students to take, above 0 and up to 1; for a quick look.")
    ] = 1.0,
    episodes: Annotated[int, typer.Option(help="Episodes in the long part.")] = 5000,
    workers: WorkersOption = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FOLDER|FILE", help="Draw the pictures; a file for a single figure.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every point of every curve.")] = None,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Do chapter 7 of the thesis again: Figures 7.1 to 7.5 under its conditions, and then for 5,000 episodes.

    For each figure: what the thesis saw, what is seen here with 95 % intervals, and why. Ctrl-C shows the figures that
    are done. The numbers are the same every time, with any number of workers.
    """
    from oasis.cli.render import print_json
    from oasis.lab.engines import engine
    from oasis.lab.thesis.figures import figures
    from oasis.lab.thesis.findings import findings
    from oasis.lab.thesis.study import Study

    wanted = figures(figure or (), share=share, episodes=episodes)
    _check_files(plot, html, len(wanted))
    study = Study(wanted)
    try:
        _watch(study, engine("processes", workers=workers), quiet)
    except KeyboardInterrupt:
        if not study.done:
            raise
    found = findings(study)
    if as_json:
        print_json({"figures": [each.to_json() for each in found]})
    else:
        _show(found)
    _write_files(study, found, plot, csv, html)
    if len(found) < len(wanted):
        raise Stopped(f"Stopped after {len(found)} of {len(wanted)} figures.", EXIT_INTERRUPTED)


def _check_files(plot: Path | None, html: Path | None, pictures: int) -> None:
    """What cannot be written is refused before any work."""
    from oasis.lab.report.page import check_page
    from oasis.lab.thesis.pictures import check_pictures

    if plot is not None:
        check_pictures(plot, pictures)
    if html is not None:
        check_page(html)


def _watch(study: Study, engine: Engine, quiet: bool) -> None:
    from oasis.cli.progress import remark_on_compiling, watch_count

    if not quiet:
        remark_on_compiling(study.settings)
    watch_count((progress.done for progress in study.run(engine)), study.episodes, "episodes", quiet=quiet)
    if not quiet:
        short, beside, long = (
            sum(seconds for (_, each), seconds in study.seconds.items() if each == part)
            for part in ("short", "beside", "long")
        )
        print(
            f"{short:.1f} s under the thesis's own conditions, {beside:.1f} s for what explains them, {long:.1f} s for "
            "more episodes",
            file=sys.stderr,
        )


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
    study: Study, found: Sequence[Finding], plot: Path | None, csv: Path | None, html: Path | None
) -> None:
    from shlex import join

    from oasis.cli.render import write_csv
    from oasis.lab.report.page import write
    from oasis.lab.thesis.page import page
    from oasis.lab.thesis.pictures import rows, save_pictures

    parts = {each.figure: study.parts(each.figure) for each in found}
    if csv is not None:
        with output_stream(csv) as stream:
            write_csv([row for figure in parts for row in rows(figure, parts[figure])], stream)
    if plot is not None:
        save_pictures(plot, parts)
    if html is not None:
        write(html, page(found, study, join(["oasis", *sys.argv[1:]])))
