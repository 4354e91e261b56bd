"""What a language model reads and writes, and the proofs that it learns from; without any library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve
from oasis.neural.causal.demonstrations import answers, conversation, proofs
from oasis.neural.causal.files import causal
from oasis.neural.causal.text import MARK, STYLES, Form, answered, beginnings, read
from oasis.neural.causal.tools import called
from tactics.errors import InputError
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import RULES, apply
from tactics.script import replay
from tests.neural.causal.conftest import INSTALLED
from tests.optional import missing

MOVES = [Move("intro"), Move("imply1", "H"), Move("assumption")]
THEOREMS = [lemma.formula for lemma in resolve("SYJ203").lemmas[:3]] + [
    lemma.formula for lemma in resolve("textbook").lemmas[:20]
]


def test_language_models_are_tested() -> None:
    if not INSTALLED:
        missing("transformers, peft or trl is not installed: pip install '.[hf]'")


def test_a_question_has_all_rules_and_the_goal_as_its_prover_shows_it() -> None:
    states = replay(parse("(A -> B) /\\ A -> B"), [Move("intro"), Move("destruct_and", "H")])
    coq, lean = (Form(style).question(states[-1][0]) for style in STYLES)
    assert coq.endswith(f"\nH : A -> B\nH0 : A\n{'=' * 28}\nB")
    assert lean.endswith("\nH : A → B\nH0 : A\n⊢ B")
    assert all(f"- {rule}: " in question for rule in RULES for question in (coq, lean))
    assert "imply4: on a hypothesis (C → D) → B; leaves the hypothesis D → B and the conclusion C → D" in lean


def test_a_trained_model_is_told_the_goal_alone_if_it_was_trained_so() -> None:
    (goal,) = initial(parse("A -> A"))
    form = Form(told="goal", reasoning=8)
    assert form.question(goal, ["Go left."]).startswith("Prove this.\n\nWhat earlier attempts suggest")
    assert form.question(goal) == f"Prove this.\n\n{form.shown(goal)}"


def test_maxims_stand_in_a_block_of_their_own_between_the_rules_and_the_goal() -> None:
    form, (goal,) = Form(), initial(parse("A -> B -> A"))
    assert form.question(goal, ["Go left.", "Go right."]) == (
        f"{form.instructions}What earlier attempts suggest for a goal like this; it is no rule, and may be wrong:\n"
        f"- Go left.\n- Go right.\n\n{form.shown(goal)}"
    )
    assert form.question(goal, []) == form.question(goal)


def test_an_answer_is_read_as_what_it_says() -> None:
    assert read(f"The tactic [intro] is good. {MARK}{answered(MOVES)} That was it.") == tuple(MOVES)
    assert read(answered(MOVES)) == tuple(MOVES)
    assert read("".join(f"<tool_call>{json.dumps(_call(move))}</tool_call>" for move in MOVES)) == tuple(MOVES)
    assert read(json.dumps(_call(MOVES[0])).replace("arguments", "parameters")) == tuple(MOVES[:1])


def test_what_is_written_behind_the_first_fault_is_left_out() -> None:
    cut = answered(MOVES)
    assert read(cut[: cut.index("assumption") + 4]) == tuple(MOVES[:2])
    assert read(answered(MOVES[:1]) + ' {"rule": "magic"} ' + answered(MOVES[1:])) == tuple(MOVES[:1])


@pytest.mark.parametrize(
    "text", ["", "intro", "{", '{"rule": 3}', '{"rule": []}', '{"arguments": null}', "{" * 100_000, '{"a":' * 100_000]
)
def test_what_is_no_tactic_is_none(text: str) -> None:
    assert read(text) == ()


@given(st.text())
def test_anything_may_be_written(text: str) -> None:
    read(text)
    read(MARK + "[{" + text)


def test_the_beginning_of_an_answer_is_one_of_the_whole() -> None:
    assert answered(MOVES).startswith(beginnings(MOVES[0])[1])
    assert answered(MOVES[:1]) == beginnings(MOVES[0])[0]


def test_a_form_is_kept_beside_the_model(tmp_path: Path) -> None:
    assert Form.of(tmp_path, {}) == Form()
    Form("lean", reasoning=64).save(tmp_path)
    assert Form.of(tmp_path, {}) == Form("lean", "json", 64)
    assert Form.of(tmp_path, {"style": "coq", "reasoning": "0"}) == Form("coq", "json", 0)
    assert Form.of(tmp_path, {"told": "goal"}).told == "goal"
    for wrong in ("color=red", "style=agda", "reasoning=much", "maxims=all", "answer=tools", "told=all"):
        with pytest.raises(InputError):
            Form.of(tmp_path, dict([wrong.split("=")]))
    (tmp_path / "oasis.json").write_text("[1]")
    with pytest.raises(InputError, match=r"oasis\.json is no form of a model"):
        Form.of(tmp_path, {})


@pytest.mark.parametrize("form", [Form(), Form("lean"), Form(reasoning=32)])
def test_each_answer_that_is_taught_closes_its_goal(form: Form) -> None:
    for theorem, script in proofs(THEOREMS):
        taught = list(answers(theorem, script, form))
        assert len(taught) == len(script)
        for goal, answer in taught:
            state: State = (goal,)
            for move in read(answer):
                state = apply(state, move)
            assert not state
            assert answer.startswith("These apply: ") == bool(form.reasoning)


def test_what_is_no_theorem_is_not_taught() -> None:
    assert [theorem for theorem, _ in proofs([parse("A"), parse("A -> A"), parse("A \\/ ~A")])] == [parse("A -> A")]


def test_a_conversation_calls_the_tool_until_the_lemma_is_proved() -> None:
    for proof in proofs(THEOREMS):
        form = Form(answer="tools")
        question, *turns = conversation(*proof, form)
        assert question["content"] == form.question(initial(proof[0])[0])
        assert read("".join(json.dumps(turn["tool_calls"][0]["function"]) for turn in turns[::2])) == proof[1]
        assert turns[-1]["content"] == "Proved: no goals are left."


def test_a_model_that_is_not_there_is_told_in_a_sentence() -> None:
    if not INSTALLED:
        with pytest.raises(InputError, match=r"Language models need .* pip install .*hf"):
            causal("hf:nowhere")
    else:
        with pytest.raises(InputError, match="there is no folder nowhere; name the folder of a model"):
            causal("hf:nowhere")


def _call(move: Move) -> object:
    return called(move)["tool_calls"][0]["function"]
