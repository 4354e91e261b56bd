"""Proofs as texts: whatever a style writes is read back, move by move, and what is no move ends it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactics.goal import Move
from tactics.json_form import move_to_json
from tactics.script import Script
from tactics.written import MARK, STYLES, Style, pieces
from tests.strategies import moves

MOVES = (Move("intro"), Move("imply1", "H"), Move("assumption"))
JSON = STYLES["json"].text(MOVES)
CALLS = "".join(f'<tool_call>{{"arguments": {json.dumps(move_to_json(move))}}}</tool_call>' for move in MOVES)
styles = st.sampled_from([*STYLES.values()])
said = st.text("AB ~->\\\n∧→⊢:", max_size=20).filter(lambda text: "--" not in text)


def read(text: str, style: Style = STYLES["coq"]) -> Script:
    return tuple(piece.move for piece in pieces(text, style))


@given(
    st.sampled_from(["", f'As in ["left"]. {MARK}']),
    styles,
    st.lists(st.tuples(said, moves())),
    st.integers(0, 5),
    said,
)
def test_a_text_cut_after_any_move_goes_on(
    reasons: str, style: Style, proof: list[tuple[str, Move]], place: int, state: str
) -> None:
    whole = style.text([part for pair in proof for part in pair])
    found, script = pieces(whole, style), [move for _, move in proof]
    assert [piece.move for piece in found] == script
    assert [piece.said.split() for piece in found] == [text.split() for text, _ in proof]
    assert whole.startswith("".join(piece.text for piece in found))
    begun = reasons + style.resumed("".join(piece.text for piece in found[:place]), state)
    rest = style.text([part for pair in proof[place:] for part in pair]).removeprefix(style.opens)
    assert [piece.move for piece in pieces(begun + rest, style)] == script
    assert [piece.move for piece in pieces(begun + rest, style, len(begun))] == script[place:]


@pytest.mark.parametrize(
    "text",
    [
        f"The tactic [intro] is good. {MARK}{JSON} That was it.",
        f"intro. {MARK} {MARK} intro. imply1 H. assumption.",
        '{"action_type":"TacticList","payload":["intro","imply1 H","assumption"]}',
        '["intro", "(* now *)", "imply1 H (* B *)", "assumption"',
        CALLS,
        CALLS.replace("arguments", "parameters"),
        "```coq\nTheorem t : A.\nProof.\nintro. (* ] *) { imply1 H. } assumption.\nQed.\n``` A proof.",
        "```lean4\nintro -- split\nimply1 H /- so\nright -/\n\n  · assumption\n```",
    ],
)
def test_a_proof_is_read_in_whatever_form_it_comes(text: str) -> None:
    assert read(text, STYLES["lean"]) == MOVES


@pytest.mark.parametrize(
    "text",
    [
        JSON[: JSON.index("assumption") + 4],
        STYLES["json"].text(MOVES[:2]) + ' {"rule": "magic"} ' + JSON,
        '{"payload": ["intro", "imply1 H", "rw [mul_comm]", "assumption"]}',
        '{"payload": ["intro", "imply1 H", "split; left"]}',
        "intro. imply1 H. magic. assumption.",
        "intro. imply1 H. (* assumption.",
        "Proof. intro. imply1 H. Qed. assumption. Proof. left.",
    ],
)
def test_what_is_written_behind_the_first_fault_is_left_out(text: str) -> None:
    assert read(text) == MOVES[:2]


@pytest.mark.parametrize(
    "text",
    ["", "I intro", "{", '{"rule": 3}', '{"rule": []}', '{"arguments": null}', "[[", "{" * 100_000, '{"a":' * 100_000],
)
def test_what_is_no_tactic_is_none(text: str) -> None:
    assert read(text) == ()


@given(st.text(), styles, st.sampled_from(["", MARK, MARK + "[{", '{"payload": [', "intro. (*"]), st.integers(0, 9))
def test_any_text_is_read_without_an_error(text: str, style: Style, before: str, begun: int) -> None:
    pieces(before + text, style, begun)
