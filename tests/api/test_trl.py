"""The door for TRL: a tool that proves in a session, and a trainer whose model learns by what it is paid."""

from pathlib import Path
from typing import Any

import pytest

from oasis.api.trl import ProofTools
from oasis.neural.causal.demonstrations import conversation, proofs
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import TOOL, called
from oasis.rewards import Rounds, StandardQed
from oasis.rewards.named import reward
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import replay
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
def test_a_step_of_a_trainer_changes_the_weights_by_what_the_tool_pays(tmp_path: Path) -> None:
    if not INSTALLED:
        missing("transformers, peft or trl is not installed: pip install '.[hf]'")
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    from oasis.neural.causal.policy import rendered
    from tests.neural.causal.small import small_model

    folder, form = small_model(tmp_path / "model"), Form(answer="tools")
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="float32")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    # A model with random weights calls nothing, and all its conversations are paid alike: it is taught how to call.
    row = {"prompt": [{"role": "user", "content": "Prove\n"}], "formula": "A -> A"}
    asked = [{"role": "user", "content": "Prove\n" + ProofTools().reset("A -> A")}]
    before, after = (rendered(tokenizer, form, each) for each in (asked, [*asked, called(Move("intro"))]))
    tokens = torch.tensor([tokenizer(after)["input_ids"]])
    labels = tokens.clone()
    labels[:, : len(tokenizer(before)["input_ids"])] = -100
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(80):
        model(input_ids=tokens, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    settings = GRPOConfig(
        output_dir=str(tmp_path / "steps"),
        max_steps=1,
        per_device_train_batch_size=8,
        num_generations=8,
        max_completion_length=128,
        learning_rate=0.01,
        scale_rewards="none",
        chat_template_kwargs={"enable_thinking": False},
        use_cpu=True,
        seed=0,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
    )
    trainer = GRPOTrainer(
        model,
        args=settings,
        train_dataset=Dataset.from_list([row] * 8),
        processing_class=tokenizer,
        environment_factory=lambda: ProofTools(StandardQed()),
    )
    weights = {name: each.detach().clone() for name, each in model.named_parameters()}
    trainer.train()
    told = trainer.state.log_history[0]
    assert told["reward_std"] > 0
    assert told["tools/call_frequency"] > 0
    assert any(not torch.equal(weights[name], each) for name, each in trainer.model.named_parameters())
