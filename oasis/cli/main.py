"""The command as a whole: its groups, and what a person sees when something goes wrong."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from oasis.cli import (
    check,
    classroom,
    compare,
    countermodel,
    curricula,
    decide,
    doctor,
    export,
    hint,
    lesson,
    play,
    prove,
    replay,
    runs,
    same,
    serve,
    sharing,
    states,
    thesis,
    train,
    tui,
)
from oasis.cli.exits import EXIT_CLOSED_PIPE, EXIT_INTERRUPTED, EXIT_MISSING, EXIT_USAGE, Stopped


class _Group(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        """Run a command; a closed pipe must get past Typer, which would swallow it."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise Stopped("The program that was reading the output has closed it.", EXIT_CLOSED_PIPE) from None
        return result


app = typer.Typer(
    name="oasis",
    cls=_Group,
    help="An artificial student that learns to prove theorems of intuitionistic propositional logic.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_STUDENT, _CLASS, _TEACHER = "The student learns", "You learn", "The teacher knows"
_PROOFS, _STATES = "Proofs and provers", "States"
app.command("train", rich_help_panel=_STUDENT)(train.train)
app.add_typer(runs.app, name="runs", rich_help_panel=_STUDENT)
app.add_typer(curricula.app, name="curricula", rich_help_panel=_STUDENT)
app.command("compare", rich_help_panel=_STUDENT)(compare.compare)
app.command("sharing", rich_help_panel=_STUDENT)(sharing.sharing)
app.command("thesis", rich_help_panel=_STUDENT)(thesis.thesis)
app.command("tui", rich_help_panel=_CLASS)(tui.tui)
app.command("play", rich_help_panel=_CLASS)(play.play)
app.add_typer(lesson.app, name="lesson", rich_help_panel=_CLASS)
classroom.app.command("serve")(serve.serve)
app.add_typer(classroom.app, name="classroom", rich_help_panel=_CLASS)
app.command("decide", rich_help_panel=_TEACHER)(decide.decide)
app.command("prove", rich_help_panel=_TEACHER)(prove.prove)
app.command("countermodel", rich_help_panel=_TEACHER)(countermodel.countermodel)
app.command("hint", rich_help_panel=_TEACHER)(hint.hint)
app.command("replay", rich_help_panel=_PROOFS)(replay.replay)
app.command("check", rich_help_panel=_PROOFS)(check.check)
app.command("export", rich_help_panel=_PROOFS)(export.export)
app.command("doctor", rich_help_panel=_PROOFS)(doctor.doctor)
app.command("states", rich_help_panel=_STATES)(states.states)
app.command("same", rich_help_panel=_STATES)(same.same)


def _show_version(asked: bool) -> None:
    if asked:
        from oasis.version import version

        print(f"oasis {version()}")
        raise typer.Exit


@app.callback()
def _oasis(
    _: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """Run the command; every failure is one plain sentence on stderr and an exit code (`oasis.cli.exits`)."""
    try:
        sys.exit(app(prog_name="oasis", standalone_mode=False) or 0)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        see = "" if context is None else f" See {context.command_path} --help"
        _fail(error.format_message() + see, error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _fail("Interrupted.", EXIT_INTERRUPTED)
    except Exception as error:
        from oasis.backends.base import BackendError, BackendMissing
        from oasis.store import StoreError
        from tactics.errors import InputError, LibraryMissing

        if os.environ.get("OASIS_DEBUG"):
            raise
        if isinstance(error, (BackendMissing, LibraryMissing)):
            _fail(str(error), EXIT_MISSING)
        if isinstance(error, (InputError, StoreError, BackendError)):
            _fail(str(error), EXIT_USAGE)
        _fail(f"This should not happen: {type(error).__name__}: {error}. Set OASIS_DEBUG=1 to see where.", 1)


def _fail(message: str, exit_code: int) -> NoReturn:
    if exit_code == EXIT_CLOSED_PIPE:
        # Nobody reads stdout any more; what is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    try:
        print(f"oasis: {message}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    sys.exit(exit_code)
