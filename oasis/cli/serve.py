"""`oasis classroom serve`: the classroom in browsers."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

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

_CODE = "OASIS_CLASS_CODE"


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
    from oasis.classroom.admission import check_list, names_on_list
    from oasis.server.lessons import given_lessons
    from oasis.server.limits import Limits
    from oasis.server.server import ClassroomServer

    if listed_only:
        check_begun(db)
        check_list(db)
    arguments: list[str] = []
    lessons = given_lessons([each.absolute() for each in lesson or []], checked=not unchecked)
    for exam in (each for each in lessons.lessons if each.is_exam):
        for remark in exam.held.remarks(names_on_list(db)):
            narrate(f"{exam.title}: {remark}")
    if theme is not None:
        check_theme(theme)
        arguments += ["--theme", theme]
    arguments += ["--listed-only"] * listed_only + ["--ascii"] * ascii_only
    typed: str | None = ask("Code of the class: ", _CODE) if code else os.environ.get(_CODE, "")
    if not typed and (public_url or not is_loopback(host)):
        typed = None  # it is made up
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
    server.serve()
    with suppress(OSError):  # its terminal may be gone
        narrate(f"The classroom of {db} is closed; no work is lost.")
