"""`oasis hint`: what it prints at each level, after good and bad moves, and where there is nothing to hint at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import Oasis

pytestmark = pytest.mark.slow

OR_COMM = "A \\/ B -> B \\/ A"
WHY = (
    "H says A \\/ B, so there are two cases: prove B \\/ A from A, and again from B. "
    "A shortest proof of this goal has 5 moves and begins like this."
)
SAID = ["Yes, this can still be proved.", "Look at H.", "Use destruct_or.", f"destruct_or H: {WHY}"]
NO_PROOF = "This lemma cannot be proved, whatever the moves; oasis countermodel shows why."


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["textbook/or_comm"], SAID[:1]),
        ([OR_COMM, "intro", "--level", "2"], SAID[:2]),
        ([OR_COMM, "intro", "--level", "3"], SAID[:3]),
        ([OR_COMM, "intro", "--level", "4"], [*SAID, "left and right would make it unprovable."]),
        (["A -> A", "intro; assumption", "--level", "4"], ["Nothing is left to prove."]),
        (["textbook/peirce", "intro", "--level", "4"], [NO_PROOF]),
        (
            ["SYJ202.8", "--seconds", "0.001"],
            ["There is no hint in time: 0.001 seconds were not enough; try a larger --seconds."],
        ),
    ],
)
def test_each_level_prints_one_thing_more_and_what_there_is_no_hint_for_is_said(
    oasis: Oasis, arguments: list[str], lines: list[str]
) -> None:
    answer = oasis("hint", *arguments)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines() == lines


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
    assert oasis.json("hint", OR_COMM, "intro", "--level", "4") == everything
    later = {"where": 2, "rule": 3, "move": 4, "why": 4, "length": 4, "shortest": 4}
    for level in (1, 2, 3):
        left = {name: None if later.get(name, 0) > level else value for name, value in everything.items()}
        assert oasis.json("hint", OR_COMM, "intro", "--level", str(level)) == {**left, "level": level}


def test_a_move_that_lost_the_proof_is_named_with_a_countermodel(oasis: Oasis) -> None:
    lines = oasis("hint", OR_COMM, "intro; left", "--level", "2").stdout.splitlines()
    assert lines[:5] == [
        "No: since move 2, left, this cannot be proved any more.",
        "Go back to before move 2.",
        "Look at H.",
        "",
        "Goal 1 after left is A \\/ B |- B, which fails here:",
    ]
    assert "At world 0, A \\/ B is true, because A is." in lines
    stuck = oasis("hint", "A -> A \\/ B", "intro; right").stdout.splitlines()
    assert stuck[:2] == ["No: since move 2, right, this cannot be proved any more.", "No move applies here."]


def test_a_lost_proof_as_json_has_the_model_and_what_to_do_instead(oasis: Oasis) -> None:
    answer = oasis.json("hint", OR_COMM, "intro; left; destruct_or H", "--level", "4")
    assert (answer["provable"], answer["move"]) == (False, "destruct_or H")
    assert answer["state"] == "H : A |- B; H : B |- B"
    lost = answer["lost"]
    assert (lost["step"], lost["move"], lost["goal"]) == (2, "left", "H : A \\/ B |- B")
    assert lost["worlds"] == [{"true": ["A"], "above": []}]
    assert lost["words"]


def test_json_tells_proved_unprovable_and_unknown_apart(oasis: Oasis) -> None:
    for arguments, provable in (
        (["A -> A", "intro; assumption"], True),
        (["textbook/peirce"], False),
        (["SYJ202.8", "--seconds", "0.001"], None),
    ):
        answer = oasis.json("hint", *arguments, "--level", "4")
        assert (answer["provable"], answer["move"], answer["lost"]) == (provable, None, None)


def test_a_script_comes_from_a_file_or_standard_input_and_formulas_in_another_notation(
    oasis: Oasis, tmp_path: Path
) -> None:
    (tmp_path / "so far.txt").write_text("intro\ndestruct_or H\n")
    read = oasis("hint", OR_COMM, "so far.txt", "--level", "2")
    assert read.stdout.splitlines() == ["Yes, this can still be proved.", "Look at the conclusion."]
    assert oasis("hint", OR_COMM, "-", "--level", "2", typed="intro\ndestruct_or H\n").stdout == read.stdout
    shown = oasis("hint", OR_COMM, "intro", "--level", "4", "--format", "unicode").stdout
    assert "destruct_or H: H says A ∨ B, so there are two cases: prove B ∨ A from A," in shown
