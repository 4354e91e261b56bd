"""`oasis classroom serve`: the classroom in browsers."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import DATABASE, DatabaseOption, ListedOnlyOption
from oasis.cli.doors import check_begun
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from oasis.store import Store

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is read as another
_LENGTH = 8
_SECONDS = 2.0  # for each exercise of a lesson; what is not found out by then is not held against it


def serve(
    lesson: Annotated[Path | None, typer.Option(metavar="FILE", help="The lesson of the class.")] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; only this machine unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen at.")] = 8000,
    code: Annotated[
        str | None,
        typer.Option(
            envvar="OASIS_CLASS_CODE", help="What students have to type to come in; made up if others can reach it."
        ),
    ] = None,
    listed_only: ListedOnlyOption = False,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Give the lesson also if some of it cannot be done.")
    ] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters alone.")] = False,
    theme: Annotated[str | None, typer.Option(help="A theme of Textual's, such as textual-light.")] = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Open the classroom for browsers: every student signs in with a name and a passphrase of their own.

    Whoever knows the code may join, unless only those come in whom the teacher has put on the list.

    What is typed travels as it is; on a network that others use, too, put a server with HTTPS in front.
    """
    from oasis.classroom.admission import open_classroom
    from tactics.errors import check_choice
    from tui.serving import ClassroomServer, is_loopback

    if listed_only:
        check_begun(db)
    with open_classroom(db) as store:  # what is wrong with the file is said here, not in thirty browsers
        if listed_only:
            _check_list(store)
    arguments: list[str] = []
    if lesson is not None:
        _check(lesson, unchecked=unchecked)
        arguments += ["--lesson", str(lesson.resolve())]
    if theme is not None:
        from textual.theme import BUILTIN_THEMES

        check_choice("--theme", theme, BUILTIN_THEMES)
        arguments += ["--theme", theme]
    if listed_only:
        arguments.append("--listed-only")
    if ascii_only:
        arguments.append("--ascii")
    server = ClassroomServer(db, arguments, host, port)
    if not code and not is_loopback(host):
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    if code:
        os.environ["OASIS_CLASS_CODE"] = code  # for the processes of the students
        narrate(f"The code of the class is {code}")
    else:
        os.environ.pop("OASIS_CLASS_CODE", None)
    try:
        server.serve()
    except OSError as error:
        from tactics.errors import InputError

        raise InputError(f"Nobody can listen at {host}:{port} ({error.strerror}); choose another --port.") from None


def _check_list(store: Store) -> None:
    """Raises InputError for a class that nobody could come into who is on its list."""
    from tactics.errors import InputError

    if store.teacher() is None:
        raise InputError(
            f"The class in {store.path} has no teacher yet to have a list; set a passphrase with `oasis classroom "
            "passphrase`, and add students with `oasis classroom students add`."
        )
    if not any(student["left"] is None and student["hash"] is not None for student in store.students()):
        raise InputError(
            f"Nobody on the list of {store.path} has a passphrase to come in with; add students with `oasis classroom "
            "students add`, or leave out --listed-only."
        )


def _check(file: Path, *, unchecked: bool) -> None:
    """Raises InputError for a lesson that cannot be read, or with exercises that cannot be done."""
    from oasis.classroom.lessons.checking import check
    from oasis.classroom.lessons.lesson import Lesson
    from tactics.errors import InputError

    lesson = Lesson.read(file)
    if unchecked:
        return
    wrong = [checked.exercise.name for checked in check(lesson, _SECONDS) if checked.has_error]
    if wrong:
        raise InputError(
            f"{file} cannot be given like this because of {', '.join(wrong)}: `oasis lesson check {file}` says why, "
            "and --unchecked opens the classroom all the same."
        )
