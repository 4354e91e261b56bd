"""The door for TRL: a tool that proves in a session, and a trainer whose model learns by what it is paid."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from oasis.api.trl import ProofTools
from oasis.neural.causal.demonstrations import conversation, proofs
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import TOOL
from oasis.rewards import Rounds, StandardQed
from oasis.rewards.named import reward
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.printer import show
from tactics.script import replay
from tests.api.conftest import serving
from tests.neural.causal.conftest import INSTALLED
from tests.optional import missing


def test_tools_are_paid_as_a_student_is() -> None:
    tools = ProofTools(StandardQed())
    assert tools.reset("A /\\ B -> B /\\ A", color="ignored") == f"{'=' * 28}\nA /\\ B -> B /\\ A"
    assert tools.apply("split") == f"split does not apply here.\n1 goal is left:\n{'=' * 28}\nA /\\ B -> B /\\ A"
    assert tools.apply("magic").startswith("magic is no tactic; they are intro, ")  # and a step
    for rule, hypothesis in (("intro", ""), ("destruct_and", "H"), ("split", "")):
        tools.apply(rule, hypothesis)
        assert not tools.proved
    assert tools.apply("assumption").startswith("1 goal is left")
    assert tools.apply("assumption") == "Proved: no goals are left."
    assert tools.proved
    pay, before = StandardQed(), tools.get_reward()
    assert tools.apply("intro") == "There is nothing to prove any more."
    assert tools.get_reward() == before
    states = replay(parse("A /\\ B -> B /\\ A"), PROOF)
    steps = [pay.step(*each, not each[2]) for each in zip(states, PROOF, states[1:], strict=False)]
    error = pay.step(states[0], Move("split"), states[0], False)
    assert before == pytest.approx(sum(steps) + 2 * error)


PROOF = [Move("intro"), Move("destruct_and", "H"), Move("split"), Move("assumption"), Move("assumption")]


def test_an_episode_of_tools_is_over_when_no_tactic_applies_or_its_calls_are_used_up() -> None:
    tools = ProofTools(max_steps=3)
    tools.reset("A -> A")
    for _ in range(3):
        tools.apply("split")
    assert tools.apply("intro") == "There is nothing to prove any more."
    assert ProofTools().apply("intro") == "There is nothing to prove any more."
    tools.reset("A -> A")
    for _ in range(3):
        tools.apply("magic")
    assert tools.apply("intro") == "There is nothing to prove any more."
    tools.reset("A \\/ ~A")
    assert tools.apply("left").endswith("\nA\nNo tactic applies to it, so this is lost.")
    assert tools.apply("right") == "There is nothing to prove any more."
    assert (tools.get_reward(), tools.proved) == (-1.0, False)


def test_a_reward_that_depends_on_history_learns_of_all_conversations() -> None:
    shared, paid = Rounds(reward("dagger:all:round=4")), []
    for _ in range(4):
        one, other = ProofTools(shared), ProofTools(shared)
        one.reset("A /\\ B -> B /\\ A")
        other.reset("A -> A")
        for move in PROOF:
            one.apply(move.rule, move.hypothesis or "")
            other.apply("intro")
        paid.append((one.get_reward(), other.get_reward()))
        assert other.get_reward() == paid[-1][1], "an episode is over once"
    assert paid[0] == paid[1] != paid[2] == paid[3], "what is paid stands still for a round of four"


def test_a_lemma_may_be_named_and_what_is_none_is_refused_in_a_sentence() -> None:
    assert ProofTools(style="lean").reset("thesis/41").endswith("⊢ (p1 ∨ (p1 → f) → f) → f")
    for wrong in ("nonsense", "A /\\", "SYJ203.21"):
        with pytest.raises(InputError):
            ProofTools().reset(wrong)


def test_what_is_no_text_is_answered_in_words() -> None:
    tools = ProofTools()
    with pytest.raises(InputError, match="formula is the lemma as text, not 5"):
        tools.reset(5)  # type: ignore[arg-type]
    tools.reset("A -> A")
    for call in ((5,), (None,), ({"a": 1},), ("intro", 5)):
        assert tools.apply(*call).endswith("A -> A")


def test_a_conversation_that_is_taught_is_what_the_tool_says() -> None:
    form, lemma = Form(answer="tools"), parse("A /\\ B -> B /\\ A")
    ((theorem, script),) = proofs([lemma])
    tools, messages = ProofTools(), conversation(theorem, script, form)
    assert messages[0]["content"] == form.instructions + tools.reset("A /\\ B -> B /\\ A")
    said = [tools.apply(**turn["tool_calls"][0]["function"]["arguments"]) for turn in messages[1::2]]
    assert [turn["content"] for turn in messages[2::2]] == said


@pytest.mark.slow
def test_models_are_told_of_the_tool_that_trl_makes_of_it() -> None:
    if not INSTALLED:
        missing("transformers, peft or trl is not installed: pip install '.[hf]'")
    from transformers.utils import get_json_schema

    assert get_json_schema(ProofTools().apply) == TOOL


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("number", [64, 256])
def test_a_trainer_learns_from_many_environments_of_a_server_at_once(tmp_path: Path, number: int) -> None:
    if not INSTALLED or not find_spec("openenv"):
        missing("transformers, peft, trl or openenv-core is not installed: pip install '.[hf,openenv]'")
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    from oasis.api.openenv_client import Call, wait_for
    from oasis.neural.causal.policy import replied
    from tests.neural.causal.small import chat_template, learn, small_model

    folder, form, lemmas = small_model(tmp_path / "model"), Form(answer="tools"), [f"{x} -> {x}" for x in "ABCDEFGH"]
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = chat_template("qwen3_instruct_2507")  # which shows a model what it will be shown again
    # A model with random weights calls nothing, and all its conversations are paid alike: it is taught how to call.
    _, *calls = conversation(parse(lemmas[0]), (Move("intro"), Move("assumption")), form)
    turns = [{"role": "user", "content": "Prove\n" + ProofTools().reset(lemmas[0])}, *calls]
    learn(model, tokenizer, [replied(tokenizer, form, turns[:at], turns[at]) for at in (1, 3)])

    settings = GRPOConfig(
        output_dir=str(tmp_path / "steps"),
        max_steps=1,
        per_device_train_batch_size=number,
        num_generations=number // len(lemmas),
        max_completion_length=128,
        temperature=0.7,
        learning_rate=0.01,
        scale_rewards="none",
        gradient_checkpointing=False,
        use_cpu=True,
        seed=0,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
    )
    with serving("--openenv", "--sessions", str(number)) as (_, server):
        address = f"http://127.0.0.1:{server.port}"
        trainer = GRPOTrainer(
            model,
            args=settings,
            train_dataset=Dataset.from_list(
                [{"prompt": [{"role": "user", "content": "Prove\n"}], "formula": lemma} for lemma in lemmas]
            ),
            processing_class=tokenizer,
            environment_factory=lambda: ProofTools(server=address),
        )
        weights = {name: each.detach().clone() for name, each in model.named_parameters()}
        trainer.train()
        played: list[Any] = trainer.environments
        with pytest.raises(InputError, match=f"{number} environments are open"):
            ProofTools(server=address).reset("A -> A")
        clients = [each._begun.client for each in played]
        states = [wait_for(client.state()) for client in clients]
        first = Call(call="goals", arguments={"state_id": "s0"})
        begun = [json.loads(wait_for(client.step(first)).observation.answer)["goals"] for client in clients]
    told, paid = trainer.state.log_history[0], [each.get_reward() for each in played]
    assert len({*map(id, clients)}) == number
    assert [each.step_count for each in states] == [each._proof.steps for each in played]
    assert [float(each.proved) for each in states] == paid
    assert told["reward"] == pytest.approx(sum(paid) / number) and told["reward_std"] > 0
    assert {goal["conclusion"] for (goal,) in begun} == {*lemmas}
    assert [goal["conclusion"] for (goal,) in begun] == [show(each._lemma) for each in played]
    assert any(not torch.equal(weights[name], each) for name, each in trainer.model.named_parameters())
