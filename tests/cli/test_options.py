"""Options that many commands have are read by one rule, whichever the command."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from oasis.cli.main import app
from tactics.errors import LARGEST_SEED, InputError


def commands(name: str, command: Any) -> Iterator[tuple[str, typer.Context]]:
    """Every command below one, each by its whole name."""
    if hasattr(command, "commands"):
        for each, inner in command.commands.items():
            yield from commands(f"{name} {each}".strip(), inner)
    else:
        yield name, typer.Context(command)


COMMANDS = dict(commands("", get_command(app)))


def having(option: str) -> list[str]:
    """The commands that have an option."""
    return [name for name, context in COMMANDS.items() if any(each.name == option for each in context.command.params)]


def read(command: str, option: str, value: str) -> object:
    """What a command takes a value for."""
    context = COMMANDS[command]
    (parameter,) = [each for each in context.command.params if each.name == option]
    return parameter.process_value(context, value)


@pytest.mark.parametrize("command", having("seed"))
def test_every_command_takes_the_same_seeds(command: str) -> None:
    for wrong in (-1, LARGEST_SEED + 1):
        with pytest.raises(InputError, match=f"^A seed lies between 0 and {LARGEST_SEED}, and {wrong} does not"):
            read(command, "seed", str(wrong))
    assert [read(command, "seed", str(seed)) for seed in (0, LARGEST_SEED)] == [0, LARGEST_SEED]


@pytest.mark.parametrize("command", having("db"))
def test_no_command_takes_a_folder_for_the_database(command: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; name a file in it with --db"):
        read(command, "db", str(tmp_path))
