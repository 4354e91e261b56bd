"""`oasis tui`: the classroom on this terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    AsciiOption,
    DatabaseOption,
    ListedOnlyOption,
    ThemeOption,
    account,
    check_theme,
    lemma_argument,
    read_lemma,
    seconds_option,
)
from oasis.cli.doors import check_begun
from oasis.cli.exits import EXIT_USAGE, Stopped
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.classroom.admission import Origin


def tui(
    lemma: Annotated[str | None, lemma_argument("A lemma to begin with; the course if left out.")] = None,
    lesson: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="A lesson to work on; repeatable.")] = None,
    student: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Who you are; the user of this machine if left out.")
    ] = None,
    teacher: Annotated[bool, typer.Option("--teacher", help="You are the teacher, and no student.")] = False,
    listed_only: ListedOnlyOption = False,
    ascii_only: AsciiOption = False,
    theme: ThemeOption = None,
    seconds: Annotated[float, seconds_option("How long the teacher may take for an answer.")] = 5.0,
    network: Annotated[
        str,
        typer.Option(metavar="POLICY", help="The network or language model, as hf:FOLDER, that partners ask."),
    ] = "tiny",
    db: DatabaseOption = DATABASE,
    served: Annotated[bool, typer.Option("--served", hidden=True)] = False,
    handed: Annotated[Path | None, typer.Option("--handed", hidden=True)] = None,
    nursery: Annotated[bool, typer.Option("--nursery", hidden=True)] = False,
) -> None:
    """Open the classroom: learn, prove beside a partner, teach.

    Every key is explained by ?; your work is saved after every move. Colours are left out where NO_COLOR is set.
    """
    if served or "TEXTUAL_FPS" not in os.environ:
        # The answer to a key may have to wait for two frames; Textual reads this when it is imported.
        os.environ["TEXTUAL_FPS"] = "120"
    server = os.getppid()
    if nursery:
        from tui.nursery import fork_for_tabs

        server = fork_for_tabs()

    from oasis.classroom.lessons.following import read_lessons
    from tui.look import Look
    from tui.preferences import Preferences, preferences_file, read_preferences
    from tui.setup import Setup

    if not served and not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise Stopped(
            "The classroom needs a terminal, for its errors too; oasis play works with lines of text.", EXIT_USAGE
        )
    exam = next((each for each in read_lessons(lesson or ()) if each.is_exam), None)
    if lemma is not None and exam is not None:
        raise InputError(f"{exam.title} is an exam, which is done alone; leave {lemma} out.")
    if teacher:
        check_begun(db)
    preferred = Preferences() if served else read_preferences(preferences_file())
    if theme is not None:
        check_theme(theme)
    setup = Setup(
        database=Path(db.name) if served else db,
        account=None if served else account(),
        origin=_origin(served=served),
        student=student,
        teacher=teacher,
        lesson_files=tuple(each.absolute() for each in lesson or ()),
        handed_lessons=handed,
        lemma=None if lemma is None else read_lemma(lemma, piped=False),
        listed_only=listed_only,
        look=Look.ascii() if ascii_only or preferred.ascii_only else Look(),
        theme=theme or preferred.theme,
        preferences=None if served else preferences_file(),
        keys=preferred.keys,
        seconds=seconds,
        network=network,
    )

    from tui.app import Classroom
    from tui.leaving import leave_after, leave_when_told

    if served:  # whoever comes over a network is told of trouble with the file, but not where it is
        os.chdir(db.absolute().parent)
        leave_after(server)
    app = Classroom(setup)
    if not served:
        leave_when_told(app, app.session.close)
    app.run()
    if app.return_code:
        raise Stopped("The classroom was left because of an error.", app.return_code)


def _origin(*, served: bool) -> Origin:
    """From where somebody comes: a browser, of which the server says so, or an account of this machine."""
    from oasis.classroom.admission import Origin

    if not served:
        return Origin.of_account(account())
    return Origin(*(os.environ.get(f"OASIS_{name.upper()}", "") for name in Origin._fields))
