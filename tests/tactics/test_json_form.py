"""JSON of moves, scripts, goals and states: written, read back, and refused in words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactics.errors import InputError
from tactics.goal import Goal, Move, State, initial
from tactics.json_form import (
    goal_from_json,
    goal_to_json,
    move_from_json,
    script_from_json,
    script_to_json,
    state_from_json,
    state_to_json,
)
from tactics.parser import parse
from tactics.printer import NOTATIONS, UNICODE, Notation
from tactics.rules import RULES, apply
from tactics.script import Script
from tests.strategies import ALL_NAMES, goals, scripts, states

notations = st.sampled_from(list(NOTATIONS.values()))


def sent(content: object) -> Any:
    """Write some content as JSON and return what is read back."""
    return json.loads(json.dumps(content))


@given(scripts())
def test_a_script_comes_back_from_json(script: Script) -> None:
    assert script_from_json(sent(script_to_json(script))) == script


@given(states(ALL_NAMES) | st.tuples(goals()), notations, st.booleans())
def test_a_state_comes_back_from_json_in_every_notation(state: State, notation: Notation, sugar: bool) -> None:
    assert state_from_json(sent(state_to_json(state, notation, sugar=sugar))) == state


def test_a_state_as_json_is_its_goals_with_what_their_hypotheses_may_not_be_called() -> None:
    state = apply(initial(parse("~ A -> H")), Move("intro"))
    (goal,) = state
    assert state_to_json(state) == {
        "goals": [{"hypotheses": [{"name": "H0", "formula": "~ A"}], "conclusion": "H", "avoid": ["H"]}]
    }
    assert goal_to_json(goal, UNICODE, sugar=False)["hypotheses"] == [{"name": "H0", "formula": "A → ⊥"}]
    assert state_to_json(()) == {"goals": []}
    assert "avoid" not in goal_to_json(Goal((), parse("A")))


def test_a_state_that_a_person_wrote_avoids_the_names_of_its_atoms() -> None:
    goals: list[dict[str, Any]] = [{"hypotheses": [], "conclusion": text} for text in ("A -> B", "H")]
    state = state_from_json({"goals": goals})
    assert [goal.avoid for goal in state] == [{"H"}, {"H"}]
    assert apply(state, Move("intro"))[0].hypotheses[0].name == "H0"
    assert move_from_json({"rule": "intro"}) == Move("intro")
    assert move_from_json({"rule": "nested", "hypothesis": "H"}) == Move("imply4", "H")


GOAL: dict[str, Any] = {"hypotheses": [{"name": "H", "formula": "A"}], "conclusion": "B"}
REFUSED = [
    (move_from_json, "intro", "In JSON a move is an object with 'rule'; it cannot be 'intro'."),
    (move_from_json, {"rule": "auto"}, f"auto is not a rule; the rules are {', '.join(RULES)}."),
    (move_from_json, {"rule": 1}, "In JSON the rule of a move is text; it cannot be 1."),
    (move_from_json, {"rule": "imply1", "hypothesis": 1}, "In JSON the hypothesis of a move is text; it cannot be 1."),
    (script_from_json, {"rule": "intro"}, "In JSON a script is a list; it cannot be {'rule': 'intro'}."),
    (state_from_json, {"goals": None}, "In JSON what a state has as goals is a list; it cannot be None."),
    (
        goal_from_json,
        {"hypotheses": []},
        "In JSON a goal is an object with 'hypotheses' and 'conclusion'; it cannot be",
    ),
    (goal_from_json, {**GOAL, "conclusion": None}, "In JSON the conclusion of a goal is text; it cannot be None."),
    (goal_from_json, {**GOAL, "conclusion": "A ->"}, "a formula is expected here, not the end of the text"),
    (goal_from_json, {**GOAL, "avoid": "H"}, "In JSON what a goal has as avoid is a list; it cannot be 'H'."),
    (goal_from_json, {**GOAL, "avoid": ["H"]}, "H is the name of an atom or to be avoided, so it cannot name"),
    (goal_from_json, {**GOAL, "hypotheses": GOAL["hypotheses"] * 2}, "Two hypotheses of a goal are called H; rename"),
    (goal_from_json, {**GOAL, "hypotheses": [{"name": "1", "formula": "A"}]}, "'1' cannot name a hypothesis: use"),
]


@pytest.mark.parametrize(("read", "content", "words"), REFUSED)
def test_what_cannot_be_read_is_refused_with_what_was_expected(read: Any, content: object, words: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(content)
    assert words in str(refusal.value)


def test_a_refusal_quotes_only_the_beginning_of_what_is_long() -> None:
    with pytest.raises(InputError) as refusal:
        script_from_json("x" * 1000)
    assert len(str(refusal.value)) < 150
