"""Options that many commands have are read by one rule, whichever the command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import typer

from oasis.cli.main import main
from tactics.errors import LARGEST_SEED, InputError
from tests.commands import every_command

COMMANDS = {name: typer.Context(command) for name, command in every_command().items()}


def having(option: str) -> list[str]:
    """Return the commands that have an option."""
    return [name for name, context in COMMANDS.items() if any(each.name == option for each in context.command.params)]


def read(command: str, option: str, value: str) -> object:
    """Return the value that a command reads from a text."""
    context = COMMANDS[command]
    (parameter,) = [each for each in context.command.params if each.name == option]
    return parameter.process_value(context, value)


@pytest.mark.parametrize("command", having("seed"))
def test_every_command_takes_the_same_seeds(command: str) -> None:
    for wrong in (-1, LARGEST_SEED + 1):
        with pytest.raises(InputError, match=f"^A seed lies between 0 and {LARGEST_SEED}, and {wrong} does not"):
            read(command, "seed", str(wrong))
    assert [read(command, "seed", str(seed)) for seed in (0, LARGEST_SEED)] == [0, LARGEST_SEED]


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--gamma", "much", "oasis: --gamma should be a number, not 'much'."),
        ("--planning", "2.5", "oasis: --planning should be a whole number, not '2.5'."),
        ("--episodes", "many", "oasis: --episodes should be a whole number, not 'many'."),
        ("--epsilon", "much", "oasis: --epsilon: 'much' is no schedule;"),
    ],
)
def test_what_is_no_number_is_said_in_the_same_words_of_one_value_and_of_a_list(
    option: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("train", "compare"):
        monkeypatch.setattr(sys, "argv", ["oasis", command, "thesis/41", option, value])
        with pytest.raises(SystemExit):
            main()
        assert capsys.readouterr().err.startswith(sentence)


@pytest.mark.parametrize("command", having("db"))
def test_no_command_takes_a_folder_for_the_database(command: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; name a file in it with --db"):
        read(command, "db", str(tmp_path))
