"""A state space is checked: what is told of ours is what the book says of them, and faults of others are found."""

from collections.abc import Callable
from typing import Any

import pytest

from state_spaces import Name, View
from state_spaces.base import Key
from tactics.formula import FALSE
from tactics.goal import Goal, State
from tactics.sequent import parse_state
from tests.commands import Oasis
from tests.state_spaces.brute import corresponding, isomorphic

pytestmark = pytest.mark.slow
MERGES, SPLITS = "merges states that differ", "splits states that are the same"


class Own(Name):
    """Name, with something done to its view."""

    def __init__(self, change: Callable[[View, State], Any]) -> None:
        self.change = change

    def view(self, state: State) -> View:
        view: View = self.change(super().view(state), state)
        return view

    def digest(self, key: Key) -> bytes:
        return b"one key for all." if self is ALIKE else super().digest(key)


AIMLESS = Own(lambda _, state: Name().view(tuple(Goal(goal.hypotheses, FALSE, goal.avoid) for goal in state)))
NAMED = Own(lambda view, _: View(view.key, {name: name for name in view.positions}))
PLACELESS = Own(lambda view, _: View(view.key, dict.fromkeys(view.positions, 0)))
FAILING, BARE = Own(lambda _, state: state[7]), Own(lambda view, _: view.key)
NOWHERE, ALIKE = Own(lambda view, _: View(view.key, {})), Own(lambda view, _: view)
RESTLESS = Own(lambda view, _: View(object(), view.positions))


@pytest.mark.parametrize(
    ("space", "verdicts", "smallest"),
    [
        ("simple", [SPLITS], ["|- p", "|- q"]),
        ("name", ["exact"], []),
        ("match", [MERGES, "not Markov"], ["|- False", "|- False; |- p"]),
        ("tests.student.plugins:Unordered", [SPLITS], ["|- p", "|- q"]),
        (f"{__name__}:AIMLESS", [MERGES, "not Markov"], ["|- False", "|- p"]),
        (f"{__name__}:PLACELESS", ["merges moves that differ", "not Markov"], None),
        (f"{__name__}:NAMED", ["merges moves that differ", "splits moves that are the same", "not Markov"], None),
    ],
)
def test_what_a_space_is_comes_with_the_smallest_states(
    oasis: Oasis, space: str, verdicts: list[str], smallest: list[str] | None
) -> None:
    told = oasis.json("states", "check", space, "--states", "400")
    assert told["verdicts"] == verdicts
    for finding in told["findings"]:
        one, other = map(parse_state, finding["states"])
        assert isomorphic(one, other) == (MERGES not in verdicts)
        if "moves that" in finding["verdict"]:
            hypotheses = tuple(move.split()[1] for move in finding["moves"])
            assert (hypotheses in corresponding(one, other)) == finding["verdict"].startswith("splits")
    assert smallest is None or [text for finding in told["findings"][:1] for text in finding["states"]] == smallest


@pytest.mark.parametrize(
    ("space", "says"),
    [
        ("FAILING", "fails with IndexError: tuple index out of range (test_checking.py, line "),
        ("NOWHERE", "positions do not say where H stands in "),
        ("BARE", "view gives a bytes and no state_spaces.View."),
        ("ALIKE", "digest gives b'one key for all.', not 16 bytes for each key alone."),
        ("RESTLESS", "view gives proved two keys when it is asked twice."),
    ],
)
def test_code_that_fails_is_told_in_a_sentence(oasis: Oasis, space: str, says: str) -> None:
    assert says in oasis.refused("states", "check", f"{__name__}:{space}", "--states", "20")
