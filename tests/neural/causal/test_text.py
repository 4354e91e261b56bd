"""What a language model reads and writes, and the proofs that it learns from; without any library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curricula import resolve
from oasis.neural.causal.demonstrations import answers, completions, conversation, proofs
from oasis.neural.causal.files import causal
from oasis.neural.causal.text import SHOWN, Form
from oasis.neural.causal.tools import called
from oasis.play.choices import Writing
from oasis.play.writing import Completion, Proof
from oasis.teacher.arguments import checked
from oasis.teacher.deciding.intuit import Intuit
from tactics.errors import InputError
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import RULES, apply
from tactics.script import replay
from tactics.written import MARK, pieces
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
    coq, lean = (Form(style).question(states[-1][0]) for style in SHOWN)
    assert coq.endswith(f"\nH : A -> B\nH0 : A\n{'=' * 28}\nB")
    assert lean.endswith("\nH : A → B\nH0 : A\n⊢ B")
    assert all(f"- {rule}: " in question for rule in RULES for question in (coq, lean))
    assert "imply4: on a hypothesis (C → D) → B; leaves the hypothesis D → B and the conclusion C → D" in lean


def test_a_trained_model_is_told_the_goal_alone_if_it_was_trained_so() -> None:
    (goal,) = initial(parse("A -> A"))
    form = Form(told="goal")
    assert form.question(goal, ["Go left."]).startswith("Prove this.\n\nWhat earlier attempts suggest")
    assert form.question(goal) == f"Prove this.\n\n{form.shown(goal)}"
    assert Form(told="goal", reasoning=8).question(goal) == f"Prove this, and say why.\n\n{form.shown(goal)}"


def test_maxims_stand_in_a_block_of_their_own_between_the_rules_and_the_goal() -> None:
    form, (goal,) = Form(), initial(parse("A -> B -> A"))
    assert form.question(goal, ["Go left.", "Go right."]) == (
        f"{form.instructions}What earlier attempts suggest for a goal like this; it is no rule, and may be wrong:\n"
        f"- Go left.\n- Go right.\n\n{form.shown(goal)}"
    )
    assert form.question(goal, []) == form.question(goal)


@pytest.mark.parametrize("answer", ["json", "payload", "script"])
@pytest.mark.parametrize("style", SHOWN)
def test_no_answer_begins_as_that_of_another_move(style: str, answer: str) -> None:
    form = Form(style, answer)
    moves = [*map(Move, RULES), *(Move("imply1", name) for name in ("H", "H0", "H01"))]
    begun = [form.beginnings(move) for move in moves]
    assert form.answered(MOVES).startswith(form.beginnings(MOVES[0])[-1])
    assert form.answered(MOVES[:1]) == form.beginnings(MOVES[0])[0]
    assert form.answered(MOVES) in form.instructions.replace(form.answered(MOVES[1:]).rstrip(), form.answered(MOVES))
    every = [text for each in begun for text in each]
    assert not any(one != other and one.startswith(other) for one in every for other in every)


def test_a_form_is_kept_beside_the_model(tmp_path: Path) -> None:
    assert Form.of(tmp_path, {}) == Form()
    Form("lean", reasoning=64).save(tmp_path)
    assert Form.of(tmp_path, {}) == Form("lean", "json", 64)
    assert Form.of(tmp_path, {"style": "coq", "reasoning": "0"}) == Form("coq", "json", 0)
    assert Form.of(tmp_path, {"told": "goal"}).told == "goal"
    numbers = ("reasoning=much", "maxims=all", "lemmas=-1")
    for wrong in ("color=red", "style=agda", *numbers, "remarks=some", "answer=tools", "told=all"):
        with pytest.raises(InputError):
            Form.of(tmp_path, dict([wrong.split("=")]))
    (tmp_path / "oasis.json").write_text("[1]")
    with pytest.raises(InputError, match=r"oasis\.json is no form of a model"):
        Form.of(tmp_path, {})


@pytest.mark.parametrize("form", [Form(), Form("lean", "script"), Form("coq", "payload", reasoning=32)])
def test_each_answer_that_is_taught_closes_its_goal(form: Form) -> None:
    for theorem, script in proofs(THEOREMS):
        taught, oracle = list(answers(theorem, script, form)), Intuit()
        assert len(taught) == len(script)
        for goal, answer in taught:
            state: State = (goal,)
            for move in form.read(answer):
                state = apply(state, move)
            assert not state
            claims = checked(goal, answer, oracle)
            assert bool(claims) == bool(form.reasoning) and all(each.is_right for each in claims)


@pytest.mark.parametrize("reasoning", [0, 32])
@pytest.mark.parametrize(
    ("style", "answer"), [("coq", "script"), ("lean", "script"), ("lean", "json"), ("coq", "payload")]
)
def test_a_whole_proof_is_taught_from_each_of_its_states_on(style: str, answer: str, reasoning: int) -> None:
    """Just as a model is asked that has written a part of it."""
    form = Form(style, answer, reasoning)
    for theorem, script in proofs(THEOREMS):
        states, rows = replay(theorem, script), [*completions(theorem, script, form)]
        assert rows[0][0] == ("" if reasoning else MARK) and len(rows) == len(script)
        read = pieces(rows[0][1], form.proof)
        for place, (begun, rest) in enumerate(rows):
            assert form.read(begun + rest) == script
            proof = Proof(states[0][0], states[0], 0)
            written = "".join(piece.text for piece in read[:place])
            proof.take(proof.draft(form.proof, Writing()), Completion(written, 1), form.proof)
            assert place == 0 or form.begun(proof.draft(form.proof, Writing()).text) == begun


def test_what_is_no_theorem_is_not_taught() -> None:
    assert [theorem for theorem, _ in proofs([parse("A"), parse("A -> A"), parse("A \\/ ~A")])] == [parse("A -> A")]


def test_a_conversation_calls_the_tool_until_the_lemma_is_proved() -> None:
    for proof in proofs(THEOREMS):
        form = Form(answer="tools")
        question, *turns = conversation(*proof, form)
        assert question["content"] == form.question(initial(proof[0])[0])
        assert form.read("".join(json.dumps(turn["tool_calls"][0]["function"]) for turn in turns[::2])) == proof[1]
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
