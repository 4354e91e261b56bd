"""The table of commands: keys that do not get in each other's way, and moves that have keys of their own."""

from __future__ import annotations

from itertools import combinations

import pytest
from textual.binding import Binding

from tui.commands import COMMANDS, bindings, move_keys
from tui.screens.data import Data
from tui.screens.learn import Learn
from tui.screens.prove import Prove
from tui.screens.room import Room
from tui.screens.teach import Teach
from tui.screens.together import Together
from tui.screens.watch import Watch

ROOMS = [Learn, Prove, Together, Watch, Teach, Data]


def keys_of(room: type[Room]) -> dict[str, set[str]]:
    """The keys of each command that a place has, its own and those of what it is derived from."""
    found: dict[str, set[str]] = {}
    for kind in room.__mro__:
        for binding in vars(kind).get("BINDINGS", []):
            if isinstance(binding, Binding) and binding.id in COMMANDS:
                found[binding.id] = set(binding.key.split(","))
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_no_two_commands_of_a_place_have_one_key(room: type[Room]) -> None:
    for (one, keys), (other, others) in combinations(keys_of(room).items(), 2):
        assert not keys & others, (one, other)


@pytest.mark.parametrize("room", ROOMS)
def test_every_command_of_a_place_is_something_that_it_does(room: type[Room]) -> None:
    for name in keys_of(room):
        assert hasattr(room, f"action_{name}") or hasattr(room, "action_go"), name


@pytest.mark.parametrize("room", [Prove, Together])
def test_at_least_twenty_moves_have_a_key_each_that_does_nothing_else(room: type[Room]) -> None:
    taken = {key for keys in keys_of(room).values() for key in keys}
    keys = move_keys(taken)
    assert len(set(keys)) == len(keys) >= 20
    assert not set(keys) & taken
    assert keys[:10] == "1234567890"


def test_every_command_is_explained_in_a_sentence_and_short_in_the_footer() -> None:
    for command in COMMANDS.values():
        assert command.about.endswith("."), command.name
        assert len(command.label) <= 12, command.name


def test_bindings_keep_the_name_so_that_other_keys_can_be_given() -> None:
    for name in COMMANDS:
        (binding,) = bindings(name)
        assert isinstance(binding, Binding)
        assert binding.id == name
