"""`oasis tui`: the classroom on this terminal."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, ListedOnlyOption, account, complete_curriculum
from oasis.cli.exits import EXIT_USAGE, Stopped


def tui(
    lemma: Annotated[
        str | None,
        typer.Argument(
            metavar="LEMMA", help="A lemma to begin with; the course if left out.", autocompletion=complete_curriculum
        ),
    ] = None,
    lesson: Annotated[Path | None, typer.Option(metavar="FILE", help="A lesson to work on.")] = None,
    student: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="Who you are; the user of this machine if left out.")
    ] = None,
    listed_only: ListedOnlyOption = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters alone.")] = False,
    theme: Annotated[str | None, typer.Option(help="A theme of Textual's, such as textual-light.")] = None,
    seconds: Annotated[float, typer.Option(help="How long the teacher may take for an answer.")] = 5.0,
    db: DatabaseOption = DATABASE,
    served: Annotated[bool, typer.Option("--served", hidden=True)] = False,
) -> None:
    """Open the classroom: learn, prove beside the agent, teach.

    Every key is explained by ?; your work is saved after every move. Colours are left out where NO_COLOR is set.
    """
    if served or "TEXTUAL_FPS" not in os.environ:
        # The answer to a key may have to wait for two frames; Textual reads this when it is imported.
        os.environ["TEXTUAL_FPS"] = "120"

    from curricula import resolve_lemma
    from oasis.classroom.lessons.lesson import Lesson
    from tactics.errors import InputError, check_choice
    from tui.look import Look
    from tui.preferences import Preferences, preferences_file, read_preferences
    from tui.setup import Setup

    if not served and not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise Stopped("The classroom needs a terminal; oasis play works with lines of text.", EXIT_USAGE)
    if seconds <= 0:
        raise InputError("--seconds must be above 0.")
    preferred = Preferences() if served else read_preferences(preferences_file())
    if theme is not None:
        from textual.theme import BUILTIN_THEMES

        check_choice("--theme", theme, BUILTIN_THEMES)
    setup = Setup(
        database=Path(db.name) if served else db,
        account=None if served else account(),
        student=student,
        lesson=None if lesson is None else Lesson.read(lesson),
        lemma=None if lemma is None else resolve_lemma(lemma),
        listed_only=listed_only,
        class_code=os.environ.get("OASIS_CLASS_CODE") if served else None,
        look=Look.ascii() if ascii_only or preferred.ascii_only else Look(),
        theme=theme or preferred.theme,
        preferences=None if served else preferences_file(),
        keys=preferred.keys,
        seconds=seconds,
    )

    from tui.app import Classroom

    if served:  # whoever comes over a network is told of trouble with the file, but not where it is
        os.chdir(db.absolute().parent)
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    app = Classroom(setup)
    app.run()
    if app.return_code:
        raise Stopped("The classroom was left because of an error.", app.return_code)


def _end_with(server: int) -> None:
    """End this process after the one that serves it, which may have had no time to say so.

    All work is stored by then; if the application cannot leave in good order, because nobody reads what it draws, it is
    ended all the same.
    """
    while os.getppid() == server:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)
    os._exit(1)
