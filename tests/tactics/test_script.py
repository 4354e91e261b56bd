"""Scripts: read as people type them, written as JSON holds them, and replayed state by state."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tactics.errors import InputError
from tactics.goal import Move
from tactics.rules import RULES, IllegalMove, apply
from tactics.script import Script, ScriptError, parse_script, replay, show_script
from tests.strategies import Walk, moves, scripts, walks

EXAMPLE = (Move("intro"), Move("imply3", "H"), Move("imply1", "H0"))


@given(scripts())
def test_a_script_that_was_shown_is_read_back(script: Script) -> None:
    assert parse_script(show_script(script)) == script


@pytest.mark.parametrize(
    "text",
    [
        "intro;imply3 H;imply1 H0;",
        "intro; split_or H; apply H0",
        "intro\nimply3 H\nimply1 H0\n",
        "\n\n  intro ;\r\n\timply3   H .\n; imply1 H0 ..",
        "# a proof; really\nintro # split\nimply3 H # H1 is next; (*\nimply1 H0 # *)",
        "(* intro. *) intro (* one\ntwo *); imply3 (* of *) H; imply1 H0 (* # *)",
        "intro (* (* split *) left *); imply3 H (* *) ; imply1 H0",
        "intro\rimply3 H\r\nimply1 H0\r",
        "intro # split\rimply3 H # left\r\nimply1 H0",
        "- intro.\n  + imply3 H.\n  -- imply1 H0.",
        "{ intro. { imply3 H. } }\n* { imply1 H0 }",
        "\u00b7 intro\n\u2022 imply3 H\n  \u00b7 imply1 H0",
        "Proof. intro. imply3 H. imply1 H0. Qed.",
        "Lemma l : forall p,\n (p \\/ p -> p) -> p.\nProof with a.\n intro. split_or H.\n apply H0.\nAbort. Print l.",
        "Ltac d_intro := intro.\nProof.\nd_start.\nd_intro.\n{\nd_imply3 H.\n}\nd_imply1 H0.\nQed.\nPrint l.",
    ],
)
def test_moves_may_be_separated_and_commented_in_several_ways(text: str) -> None:
    assert parse_script(text) == EXAMPLE
    assert show_script(EXAMPLE) == "intro; imply3 H; imply1 H0"


@pytest.mark.parametrize("text", ["", "  \n", ";;.", "# nothing", "(* nothing *)", "Proof.", "Qed.", "- { + }"])
def test_a_text_without_moves_is_the_empty_script(text: str) -> None:
    assert parse_script(text) == ()


@pytest.mark.parametrize(
    ("text", "step", "message"),
    [
        ("auto", 1, f"Step 1: auto is not a rule; the rules are {', '.join(RULES)}."),
        ("intro; split;\nIntro", 3, f"Step 3: Intro is not a rule; the rules are {', '.join(RULES)}."),
        ("intro;; imply1 H H0", 2, "Step 2: a move is a rule and at most one hypothesis, not 'imply1 H H0'."),
        ("intro, split", 1, f"Step 1: intro, is not a rule; the rules are {', '.join(RULES)}."),
        ("intro; (split)", 2, f"Step 2: (split) is not a rule; the rules are {', '.join(RULES)}."),
        ("intro. (* split. (* *)", 2, "Step 2: a comment begins here with (* and does not end; write *) behind it."),
        ("Proof. intro. Qed. Proof. left. Qed.", 2, "Step 2: a second proof begins here; leave one of the two out."),
    ],
)
def test_text_that_is_no_script_is_refused_with_the_step(text: str, step: int, message: str) -> None:
    with pytest.raises(ScriptError) as refusal:
        parse_script(text)
    assert isinstance(refusal.value, InputError)
    assert str(refusal.value) == message
    assert (refusal.value.step, refusal.value.states) == (step, ())


words = st.sampled_from([*RULES, "H", ";", ".", "\n", "#", "(*", "*)", "auto"])


@given(st.one_of(st.text(max_size=30), st.lists(words).map(" ".join)))
def test_any_text_is_a_script_or_an_error_with_its_step(text: str) -> None:
    try:
        script = parse_script(text)
    except ScriptError as error:
        message, step = str(error), error.step
    else:
        assert all(move.rule in RULES for move in script)
        return
    assert message.startswith(f"Step {step}: ")


@given(walks())
def test_a_replayed_script_goes_through_the_same_states(walk: Walk) -> None:
    assert tuple(replay(walk.formula, walk.script)) == walk.states
    assert tuple(replay(walk.formula, parse_script(show_script(walk.script)))) == walk.states


@given(walks(), moves(), st.data())
def test_a_replay_stops_at_the_first_move_that_does_not_apply(walk: Walk, wrong: Move, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(walk.script)))
    try:
        apply(walk.states[place], wrong)
    except IllegalMove as error:
        reason = str(error)
    else:
        assume(False)
    with pytest.raises(ScriptError) as refusal:
        replay(walk.formula, (*walk.script[:place], wrong, *walk.script[place:]))
    assert str(refusal.value) == f"Step {place + 1}: {reason}"
    assert refusal.value.step == place + 1
    assert refusal.value.states == walk.states[: place + 1]
