"""`oasis classroom serve`: the classroom in browsers."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    AsciiOption,
    DatabaseOption,
    HostOption,
    ListedOnlyOption,
    ThemeOption,
    check_theme,
    number_option,
)
from oasis.cli.doors import ask, check_begun
from oasis.cli.narration import narrate
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.classroom.lessons.following import FollowedLessons

_CODE = "OASIS_CLASS_CODE"
_SECONDS = 2.0  # for each exercise of a lesson; what is not found out by then is not held against it


def serve(
    lesson: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A lesson of the class; repeatable.")
    ] = None,
    host: HostOption = "127.0.0.1",
    port: Annotated[int, number_option("The port to listen at.", "[1, 65535]")] = 8000,
    code: Annotated[
        bool,
        typer.Option(
            "--code",
            help=f"Ask for the code that students type, or take it from {_CODE}; made up if others can reach it.",
        ),
    ] = False,
    public_url: Annotated[
        str,
        typer.Option(
            metavar="URL", help="How browsers know it, if a server with HTTPS on this machine stands in front."
        ),
    ] = "",
    allowed_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name under which browsers may come; repeatable.")
    ] = None,
    tabs: Annotated[int, number_option("How many tabs may be open at the same time.", "[1, ∞)")] = 60,
    tabs_per_address: Annotated[int, number_option("How many of them from one address.", "[1, ∞)")] = 30,
    megabytes: Annotated[
        int, number_option("Megabytes that a tab may take, at least 100.", "[100, ∞)", "--memory")
    ] = 1500,
    listed_only: ListedOnlyOption = False,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Give the lesson also if some of it cannot be done.")
    ] = False,
    ascii_only: AsciiOption = False,
    theme: ThemeOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Open the classroom for browsers: every student signs in with a name and a passphrase of their own.

    Whoever knows the code may join, unless only those come in whom the teacher has put on the list.

    What is typed travels as it is; on a network that others use, too, put a server with HTTPS in front, and tell its
    address with --public-url.
    """
    from oasis.api.listening import is_loopback
    from oasis.server.code import made_up_code
    from oasis.server.limits import Limits
    from oasis.server.server import ClassroomServer

    if listed_only:
        _check_list(db)
    arguments: list[str] = []
    lessons = _checked([each.absolute() for each in lesson or []], unchecked=unchecked)
    if theme is not None:
        check_theme(theme)
        arguments += ["--theme", theme]
    arguments += ["--listed-only"] * listed_only + ["--ascii"] * ascii_only
    typed = ask("Code of the class: ", _CODE) if code else os.environ.get(_CODE, "")
    if not typed and (public_url or not is_loopback(host)):
        typed = made_up_code()
    server = ClassroomServer(
        db,
        arguments,
        host,
        port,
        lessons=lessons,
        code=typed,
        public_url=public_url,
        allowed_hosts=allowed_host or (),
        limits=Limits(tabs=tabs, tabs_per_address=tabs_per_address, megabytes=megabytes),
    )
    if typed:
        narrate(f"The code of the class is {typed}")
    server.serve()
    with suppress(OSError):  # its terminal may be gone
        narrate(f"The classroom of {db} is closed; no work is lost.")


def _check_list(db: Path) -> None:
    """Raises InputError for a class that nobody could come into who is on its list."""
    from oasis.classroom.admission import open_classroom

    check_begun(db)
    with open_classroom(db, create=False) as store:
        has_teacher = store.teacher() is not None
        has_list = any(student.left is None and student.secret is not None for student in store.students())
    if not has_teacher:
        raise InputError(
            f"The class in {db} has no teacher yet to have a list; set a passphrase with `oasis classroom passphrase`, "
            "and add students with `oasis classroom students add`."
        )
    if not has_list:
        raise InputError(
            f"Nobody on the list of {db} has a passphrase to come in with; add students with `oasis classroom students "
            "add`, or leave out --listed-only."
        )


def _checked(files: list[Path], *, unchecked: bool) -> FollowedLessons:
    """The lessons. Raises InputError for one that cannot be read, or with exercises that cannot be done."""
    from oasis.classroom.lessons.checking import check
    from oasis.classroom.lessons.following import FollowedLessons, read_lessons

    for file, lesson in zip(files, read_lessons(files), strict=True):
        found = () if unchecked else check(lesson, _SECONDS)
        wrong = [checked.exercise.name for checked in found if checked.has_error]
        if wrong:
            raise InputError(
                f"{file} cannot be given like this because of {', '.join(wrong)}: `oasis lesson check {file}` says "
                "why, and --unchecked opens the classroom all the same."
            )
    return FollowedLessons(files)
