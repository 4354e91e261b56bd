"""For whom a command works: a student at their desk, or the teacher with the register; passphrases are asked for here.

Who is let in is decided by admission.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from oasis.cli.arguments import account
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.classroom.desk.desk import Desk
    from oasis.classroom.lessons.lesson import Lesson
    from oasis.classroom.register.register import Register
    from oasis.store import Store

PASSPHRASE, OLD_PASSPHRASE = "OASIS_PASSPHRASE", "OASIS_OLD_PASSPHRASE"


@contextmanager
def opened_register(db: Path, lessons: Iterable[Lesson] = ()) -> Iterator[Register]:
    """The register of the class in a file, for its teacher."""
    from oasis.classroom.admission import Origin, open_classroom, open_register

    check_begun(db)
    with open_classroom(db, create=False) as store:
        passphrase = ask("Passphrase of the teacher: ", PASSPHRASE) if store.teacher() else ""
        yield open_register(store, passphrase, Origin.of_account(account()), lessons)


def check_begun(db: Path) -> None:
    """Raises InputError, for a teacher, if there is no such file yet."""
    if not db.exists():
        raise InputError(
            f"There is no class in {db} yet; begin one with `oasis classroom passphrase`, or name its file with --db."
        )


def desk_of(store: Store, name: str | None, *, create: bool) -> Desk:
    """The desk of the student who is named, or of the one whose account this is."""
    from oasis.classroom.admission import admit, needs_passphrase

    user, name = account(), name_of(store, name)
    given = ask(f"Passphrase of {name}: ", PASSPHRASE) if needs_passphrase(store, name, user) else None
    return admit(store, name, passphrase=given, account=user, create=create)


def name_of(store: Store, name: str | None) -> str:
    """The name of the student who is named, or of the one whose account this is."""
    from oasis.classroom.admission import own_name

    return own_name(store, account()) if name is None else name


def ask(question: str, variable: str, *, twice: bool = False) -> str:
    """A passphrase from a variable of the environment, or typed unseen; a new one twice, unless it will not do."""
    from getpass import getpass

    from oasis.classroom.people.passphrases import check_new

    if variable in os.environ:
        return os.environ[variable]
    if not sys.stdin.isatty():
        raise InputError(f"A passphrase is asked for on a terminal; without one, put it into {variable}.")
    typed = getpass(question)
    if twice:
        check_new(typed)
        if getpass("Once more: ") != typed:
            raise InputError("The two are not the same; nothing was changed, so begin again.")
    return typed
