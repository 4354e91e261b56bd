"""Arguments and options that several commands share, and how their text is read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from oasis.cli.narration import narrate, narrator
from oasis.ground.settings import LEVELS, SEEDS, Known, Setting
from tactics.errors import InputError, check_choice

if TYPE_CHECKING:
    from curricula import Curriculum, Lemma
    from tactics.printer import Notation
    from tactics.script import Script

Given = TypeVar("Given")


def complete_curriculum(incomplete: str) -> list[str]:
    """Names for shell completion."""
    from curricula import complete

    return complete(incomplete)


def _let_all_use(db: Path) -> Path:
    """Name the database to the reward R†, which looks there for what was fitted, also in processes that are started.

    Raises InputError for a folder, also where a command would not open it.
    """
    if db.is_dir():
        # By its last name, since who comes over a network need not know where it is.
        raise InputError(f"{db.name or db} is a folder; name a file in it with --db.")
    os.environ["OASIS_DB"] = str(db)
    return db


def number_option(what: str, within: str, *names: str) -> Any:
    """The option for a number within bounds, which are written as for a setting: `(0, ∞)`."""

    def read(parameter: typer.CallbackParam, value: float | None) -> float | None:
        Known("", Setting(what, within=within, names=(parameter.opts[0],)), type(value), None).check(value)
        return value

    return typer.Option(*names, help=what, callback=read)


def seconds_option(what: str) -> Any:
    """The option for the time that something may take."""
    return number_option(what, "(0, ∞)")


def seed_option(what: str) -> Any:
    """The option for the seed of something, which is the same kind of number everywhere."""
    return number_option(what, SEEDS)


def lemma_argument(what: str, metavar: str = "LEMMA") -> Any:
    """The argument that names a lemma or lemmas, whose names the shell completes."""
    return typer.Argument(metavar=metavar, help=what, autocompletion=complete_curriculum)


LemmaArgument = Annotated[
    str,
    lemma_argument(
        "A lemma by name (SYJ203.3, thesis/43, textbook/and_comm), as text, a file, or - for standard input."
    ),
]
ScriptArgument = Annotated[
    str,
    typer.Argument(
        metavar="SCRIPT",
        help="Moves as in 'intro; imply3 H; assumption', one a line or a file of them, or - for standard input.",
    ),
]
OutputOption = Annotated[Path | None, typer.Option("--output", "-o", help="A file instead of standard output.")]
FormatOption = Annotated[str, typer.Option("--format", help="coq, tptp or unicode.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
DatabaseOption = Annotated[
    Path,
    typer.Option(
        "--db",
        envvar="OASIS_DB",
        help="The file that keeps runs and the work of a class.",
        metavar="FILE",
        callback=_let_all_use,
    ),
]
DATABASE = Path("oasis.db")
_REMARKS = 5
"""Remarks on how lemmas were read that are told of one curriculum."""
ListedOnlyOption = Annotated[
    bool, typer.Option("--listed-only", help="Let in nobody who is not on the list (oasis classroom students).")
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters alone.")]
ThemeOption = Annotated[str | None, typer.Option(help="A theme of Textual's, such as textual-light.")]
HostOption = Annotated[str, typer.Option(help="The address to listen at; only this machine unless told otherwise.")]
LevelsOption = Annotated[str | None, typer.Option(help=LEVELS.help)]
CertifyOption = Annotated[
    str,
    typer.Option(
        envvar="OASIS_CERTIFY",
        help="Who certifies the proofs: all that are installed, none, or names as in coq,lean.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]


@dataclass(frozen=True)
class Output:
    """Where a command keeps things and how it answers; a parameter of this type stands for these options."""

    db: DatabaseOption = DATABASE
    as_json: JsonOption = False
    quiet: QuietOption = False

    @property
    def say(self) -> Callable[[str], None]:
        """What tells a person a sentence, or nothing if the command is to be quiet."""
        return narrator(quiet=self.quiet)


def was_typed(context: typer.Context, name: str) -> bool:
    """Whether an option stood on the command line, rather than having its default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def naming(db: Path) -> str:
    """Return how a command names the database, if it has to be named."""
    from shlex import quote

    return "" if db == DATABASE else f" --db {quote(str(db))}"


@contextmanager
def private_stream(path: Path | None) -> Iterator[TextIO]:
    """A new file for the work of people (`new_file`), or standard output if none is named."""
    from oasis.ground.files import new_file

    with nullcontext(sys.stdout) if path is None else new_file(path) as stream:
        yield stream


def read_notation(name: str) -> Notation:
    """The notation that --format names."""
    from tactics.printer import NOTATIONS

    check_choice("--format", name, NOTATIONS)
    return NOTATIONS[name]


def check_theme(name: str) -> None:
    """Raises InputError for what is no theme."""
    from tui.colours import OFFERED

    check_choice("--theme", name, OFFERED)


def read_stdin() -> str:
    """All of standard input, which must be text in UTF-8."""
    from curricula.source import read_stream

    return read_stream(sys.stdin.buffer, "standard input")


def read_text_of(file: str) -> str:
    """The text of a file in UTF-8, or standard input for `-`."""
    from curricula.source import read_file

    return read_stdin() if file == "-" else read_file(Path(file))


def read_content_of(file: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    from curricula.source import file_content, stream_content

    return stream_content(sys.stdin.buffer, "standard input") if file == "-" else file_content(Path(file))


def read_curriculum(text: str, levels: str | None = None) -> Curriculum:
    """Return the lemmas that a text names or is, those of some levels if these are given; say how they were read.

    Raises InputError.
    """
    import curricula

    found = curricula.resolve(text, levels=curricula.parse_levels(levels) if levels else None, stdin=read_stdin)
    narrate_reading(found.reading)
    return found


def read_theorems(names: Iterable[str], levels: str | None = None) -> list[Lemma]:
    """Return the lemmas of some curricula that may be theorems, each once. Raises InputError."""
    from curricula.lemma import Status

    found = (lemma for name in names for lemma in read_curriculum(name, levels).lemmas)
    return [*{lemma.formula: lemma for lemma in found if lemma.status is not Status.NON_THEOREM}.values()]


def narrate_reading(remarks: Sequence[str]) -> None:
    """Say how lemmas were read, but no more than a few of many remarks."""
    for remark in remarks[:_REMARKS]:
        narrate(remark)
    if len(remarks) > _REMARKS:
        narrate(f"{len(remarks) - _REMARKS:,} more remarks of this kind are left out.")


def read_lemma(text: str, *, piped: bool = True) -> Lemma:
    """Return the lemma that a text names or is, and say how it was read; with `piped` it may be standard input.

    Raises InputError.
    """
    from curricula import resolve_lemma

    found = resolve_lemma(text, stdin=read_stdin if piped else None)
    for remark in found.placed_remarks:
        narrate(remark)
    return found


def read_attempt(lemma: str, script: str) -> tuple[Lemma, Script]:
    """A lemma and moves on it, of which one may come from standard input or both from files."""
    from tactics.script import parse_script

    if lemma == script == "-":
        raise InputError("Only one of LEMMA and SCRIPT can come from standard input; name a file for the other.")
    return read_lemma(lemma), read_given(script, parse_script)


def referees() -> tuple[str, ...]:
    """The provers that are installed, else the embedded calculus."""
    from oasis.backends.registry import installed

    if names := installed():
        return names
    narrate("Neither Coq nor Lean is here, so only the embedded calculus answers; see oasis doctor.")
    return ("native",)


def read_certifiers(text: str, option: str = "--certify") -> tuple[str, ...]:
    """The provers to ask in the end; one that is named must be there before the work begins."""
    if text == "none":
        return ()
    from oasis.backends.certifying import check_there
    from oasis.backends.registry import installed, parse_names

    if text == "all":
        return installed()
    return check_there(parse_names(text, option), option)


def read_given(text: str, read: Callable[[str], Given]) -> Given:
    """A script or a state as it was typed, or what is in the file that the text names, or standard input for `-`."""
    from curricula.source import typed_or_in_file

    return read(read_stdin()) if text == "-" else typed_or_in_file(text, read)


def account() -> str:
    """The name of this machine's user, who needs no passphrase here."""
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError):
        raise InputError("This system does not say who you are; set the variable USER to your name.") from None
