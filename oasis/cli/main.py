"""The command as a whole, and what a person sees when something goes wrong."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from oasis.cli.commands import Commands
from oasis.cli.exits import EXIT_CLOSED_PIPE, EXIT_INTERRUPTED, EXIT_MISSING, EXIT_USAGE
from oasis.cli.narration import narrate
from oasis.ground.signals import interrupts_kept
from tactics.errors import InputError, LibraryMissing

app = typer.Typer(
    name="oasis",
    cls=Commands,
    help="An artificial student that learns to prove theorems of intuitionistic propositional logic.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        from oasis.ground.version import version

        print(f"oasis {version()}")
        raise typer.Exit


_FIRST = """\
Oasis is a classroom for intuitionistic propositional logic, and an artificial
student that learns to prove beside you.

  oasis tui                      the classroom: a course, proofs of your own
  oasis play textbook/and_comm   prove one lemma, line by line
  oasis train                    let the student practise, and examine it
  oasis doctor                   which provers here could certify a proof

  oasis --help                   all commands; oasis train --help explains one
"""
"""What a person sees who has typed nothing but `oasis`; the classroom comes first, because it needs no explanation."""


@app.callback(invoke_without_command=True)
def _oasis(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(_FIRST, end="")
        raise typer.Exit(EXIT_USAGE)


def main() -> NoReturn:
    """Run the command; every failure is one plain sentence on stderr and an exit code (`oasis.cli.exits`)."""
    if "stdout" in _open_streams():
        _fail(
            "Standard output is closed, so an answer could go nowhere; leave it open, or send it to a file.", EXIT_USAGE
        )
    _show_what_can_be_shown()
    try:
        with interrupts_kept():
            exit_code = app(prog_name="oasis", standalone_mode=False) or 0
        sys.stdout.flush()
    except SystemExit as leaving:
        # Typer and Rich, too, leave when nobody reads the output any more, but with a code of their own.
        _leave(EXIT_CLOSED_PIPE if isinstance(leaving.__context__, BrokenPipeError) else leaving.code)
    except BrokenPipeError:
        _leave(EXIT_CLOSED_PIPE)
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        said = (
            _no_number(error) or _too_many(error) or error.format_message() or _choices(context)
        )  # may end in a command
        see = "" if context is None else ("" if said.endswith(".") else ".") + f" See {context.command_path} --help"
        _fail(said + see, error.exit_code)
    except (KeyboardInterrupt, typer.Abort) as error:
        if isinstance(error.__cause__, EOFError):  # Typer takes it for an end of typing; `typer.prompt` has no cause
            _end_with(error.__cause__)
        _fail("Interrupted.", EXIT_INTERRUPTED)
    except Exception as error:
        _end_with(error)
    _leave(exit_code)


def _choices(context: typer.Context | None) -> str:
    """What is said of a group of commands without one of them."""
    if context is None or not isinstance(context.command, typer.core.TyperGroup):
        return ""
    return f"Say which: {', '.join(context.command.list_commands(context))}."


def _too_many(error: typer.TyperException) -> str | None:
    """What is said of more words than a command for lemmas takes, or None."""
    message, context = error.format_message(), getattr(error, "ctx", None)
    if context is None or not message.startswith("Got unexpected extra argument"):
        return None
    if not any(
        "CURRICULUM" in str(each.metavar) for each in context.command.params if each.param_type_name == "argument"
    ):
        return None
    return f"{message}; use a comma between lemmas, as in SYJ203.1,SYJ203.2, and quotes around a formula."


def _no_number(error: typer.TyperException) -> str | None:
    """What is said of a value that has to be a number, as of those in lists (`oasis.lab.students.grid`), or None."""
    if not isinstance(error, typer.BadParameter) or error.param is None or error.__cause__ is None:
        return None
    from pydantic import ValidationError  # by which Typer reads values

    kinds = {"int_parsing": "whole number", "float_parsing": "number"}
    own = str(error.param.metavar or error.param.name).strip("[]")
    name = next((each for each in error.param.opts if each.startswith("-")), own)
    for each in error.__cause__.errors() if isinstance(error.__cause__, ValidationError) else ():
        if each["type"] in kinds:
            return f"{name} should be a {kinds[each['type']]}, not {each['input']!r}."
    return None


def _end_with(error: Exception) -> NoReturn:
    if os.environ.get("OASIS_DEBUG"):
        raise error
    _fail(*_told(error))


def _told(error: Exception) -> tuple[str, int]:
    """What a person is told of an error, and the exit code."""
    from oasis.ground.limits import is_out_of_memory

    if is_out_of_memory(error):  # before anything larger is imported
        return "The memory is not enough for this; ask for less at once, or close other programs.", EXIT_USAGE

    from oasis.backends.base import BackendError, BackendMissing
    from oasis.store import StoreError

    if isinstance(error, (BackendMissing, LibraryMissing)):
        return str(error), EXIT_MISSING
    if isinstance(error, (InputError, StoreError, BackendError)):
        return str(error), EXIT_USAGE
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"There is no room to write ({error.strerror}); make room, or write to another place.", EXIT_USAGE
    return f"This should not happen: {type(error).__name__}: {error}. Set OASIS_DEBUG=1 to see where.", 1


def _open_streams() -> list[str]:
    """Open the standard streams that are closed on nothing, so that no file gets their numbers; their names."""
    modes = {"stdin": "r", "stdout": "w", "stderr": "w"}
    closed = [name for name in modes if getattr(sys, name) is None]
    for name in closed:
        setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), modes[name]))
    return closed


def _show_what_can_be_shown() -> None:
    """Have characters that the encoding of standard output lacks replaced; as Python has it, they end the command."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="replace")


def _fail(message: str, exit_code: int) -> NoReturn:
    with suppress(OSError):  # who closed stderr, or has no room for it, does not want to know
        narrate(f"oasis: {message}")
    _leave(exit_code)


def _leave(exit_code: int | str | None) -> NoReturn:
    """End the process; what a stream cannot take any more is dropped, so that it does not fail once more at the end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(exit_code)
