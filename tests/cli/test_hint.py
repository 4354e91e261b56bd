"""`oasis hint`: what it prints at each level, after good and bad moves, and when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Oasis

pytestmark = pytest.mark.slow

OR_COMM = "A \\/ B -> B \\/ A"
WHY = (
    "H says A \\/ B, so there are two cases: prove B \\/ A from A, and again from B. "
    "A shortest proof of this goal has 5 moves and begins like this."
)


def _lines(oasis: Oasis, *arguments: str, **options: Any) -> list[str]:
    answer = oasis("hint", *arguments, **options)
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    return answer.stdout.splitlines()


def _json(oasis: Oasis, *arguments: str) -> dict[str, Any]:
    content = json.loads("\n".join(_lines(oasis, *arguments, "--json")))
    assert isinstance(content, dict)
    return content


def test_each_level_prints_one_thing_more(oasis: Oasis) -> None:
    said = [
        "Yes, this can still be proved.",
        "Look at H.",
        "Use destruct_or.",
        f"destruct_or H: {WHY}",
        "left and right would make it unprovable.",
    ]
    for level in (1, 2, 3):
        assert _lines(oasis, OR_COMM, "intro", "--level", str(level)) == said[:level]
    assert _lines(oasis, OR_COMM, "intro", "--level", "4") == said


def test_without_a_level_and_a_script_it_says_whether_the_lemma_can_be_proved(oasis: Oasis) -> None:
    assert _lines(oasis, "textbook/or_comm") == ["Yes, this can still be proved."]


def test_a_hint_as_json_leaves_out_what_its_level_does_not_give(oasis: Oasis) -> None:
    everything = {
        "lemma": OR_COMM,
        "state": "H : A \\/ B |- B \\/ A",
        "level": 4,
        "provable": True,
        "where": "H",
        "rule": "destruct_or",
        "move": "destruct_or H",
        "why": WHY,
        "length": 5,
        "shortest": True,
        "lost": None,
    }
    assert _json(oasis, OR_COMM, "intro", "--level", "4") == everything
    later = {"where": 2, "rule": 3, "move": 4, "why": 4, "length": 4, "shortest": 4}
    for level in (1, 2, 3):
        left = {name: None if later.get(name, 0) > level else value for name, value in everything.items()}
        assert _json(oasis, OR_COMM, "intro", "--level", str(level)) == {**left, "level": level}


def test_a_move_that_lost_the_proof_is_named_with_a_countermodel(oasis: Oasis) -> None:
    lines = _lines(oasis, OR_COMM, "intro; left", "--level", "2")
    assert lines[:5] == [
        "No: since move 2, left, this cannot be proved any more.",
        "Go back to before move 2.",
        "Look at H.",
        "",
        "Goal 1 after left is A \\/ B |- B, which fails here:",
    ]
    assert "At world 0, A \\/ B is true, because A is." in lines


def test_a_lost_proof_as_json_has_the_model_and_what_to_do_instead(oasis: Oasis) -> None:
    answer = _json(oasis, OR_COMM, "intro; left; destruct_or H", "--level", "4")
    assert (answer["provable"], answer["move"]) == (False, "destruct_or H")
    assert answer["state"] == "H : A |- B; H : B |- B"
    lost = answer["lost"]
    assert (lost["step"], lost["move"], lost["goal"]) == (2, "left", "H : A \\/ B |- B")
    assert lost["worlds"] == [{"true": ["A"], "above": []}]
    assert lost["words"]


def test_a_state_without_moves_is_said_to_have_none(oasis: Oasis) -> None:
    assert _lines(oasis, "A -> A \\/ B", "intro; right")[:2] == [
        "No: since move 2, right, this cannot be proved any more.",
        "No move applies here.",
    ]


def test_a_proved_state_needs_no_hint(oasis: Oasis) -> None:
    assert _lines(oasis, "A -> A", "intro; assumption", "--level", "4") == ["Nothing is left to prove."]
    answer = _json(oasis, "A -> A", "intro; assumption", "--level", "4")
    assert (answer["state"], answer["provable"], answer["move"]) == ("proved", True, None)


def test_a_lemma_without_a_proof_is_said_to_have_none(oasis: Oasis) -> None:
    said = ["This lemma cannot be proved, whatever the moves; oasis countermodel shows why."]
    assert _lines(oasis, "textbook/peirce", "intro", "--level", "4") == said
    answer = _json(oasis, "textbook/peirce")
    assert (answer["provable"], answer["move"], answer["lost"]) == (False, None, None)


def test_an_answer_that_takes_too_long_is_unknown(oasis: Oasis) -> None:
    said = "There is no hint in time: 0.001 seconds were not enough; try a larger --seconds."
    assert _lines(oasis, "SYJ202.8", "--seconds", "0.001") == [said]
    answer = _json(oasis, "SYJ202.8", "--seconds", "0.001")
    assert (answer["provable"], answer["move"]) == (None, None)


def test_a_script_can_come_from_a_file_or_standard_input(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "so far.txt").write_text("intro\ndestruct_or H\n")
    expected = ["Yes, this can still be proved.", "Look at the conclusion."]
    assert _lines(oasis, OR_COMM, "so far.txt", "--level", "2") == expected
    assert _lines(oasis, OR_COMM, "-", "--level", "2", typed="intro\ndestruct_or H\n") == expected


def test_formulas_can_be_shown_in_another_notation(oasis: Oasis) -> None:
    lines = _lines(oasis, OR_COMM, "intro", "--level", "4", "--format", "unicode")
    assert lines[3].startswith("destruct_or H: H says A ∨ B, so there are two cases: prove B ∨ A from A,")
