"""Calls of the tool as language models write them, in the notation of each one's chat template."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oasis.neural.causal.files import loaded
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import called
from tactics.errors import InputError
from tactics.goal import Goal, Move, initial
from tactics.parser import parse
from tests.neural.causal.small import chat_template, learn
from tests.neural.modules import models
from tests.thorough import thoroughly

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

FORM = Form(answer="tools")
GOAL: Goal = initial(parse("A \\/ B -> B \\/ A"))[0]


@pytest.fixture
def read(folder: Path) -> tuple[Any, Any]:
    model, tokenizer = loaded(folder)
    tokenizer.bos_token = "<|endoftext|>"
    return model, tokenizer


@pytest.mark.parametrize(
    ("template", "said"),
    [
        *((each, "writes no calls of tools") for each in ("llama3", "phi3_5", "deepseek_r1_distill", None)),
        *((each, "language model fails") for each in ("deepseekv3", "smolvlm")),
    ],
)
def test_a_template_that_writes_no_calls_is_refused_in_a_sentence(
    read: tuple[Any, Any], template: str | None, said: str
) -> None:
    model, tokenizer = read
    tokenizer.chat_template = template and chat_template(template)
    with pytest.raises(InputError, match=f"{said}.* --template NAME"):
        models.CausalPolicy(model, tokenizer, FORM)


TEMPLATES = (
    *("gemma4", "glm4moe", "gptoss", "lfm2_2_5", "llama3_1", "muse_glimmer"),
    *("nemotron_3_nano", "qwen3", "qwen3_5_nothink"),
)


@pytest.mark.parametrize("is_special", [False, True])
@pytest.mark.parametrize("template", TEMPLATES)
def test_calls_are_read_in_the_notation_of_the_template(
    read: tuple[Any, Any], template: str, is_special: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, tokenizer = read
    tokenizer.chat_template = chat_template(template)
    if is_special:  # then these signs are left out of what is written
        tokenizer.add_special_tokens({"additional_special_tokens": ['<|"|>', "<tool_call>", "<|tool_call_start|>"]})
    policy = models.CausalPolicy(model, tokenizer, FORM)
    asked = [{"role": "user", "content": FORM.question(GOAL)}]

    def written(*said: str) -> Move | None:
        shown = tokenizer.decode(tokenizer.encode("".join(said)), skip_special_tokens=True)
        monkeypatch.setattr(policy._model, "written", lambda *_: [shown])
        return policy.written([GOAL])[0]

    def call(move: Move, *, brief: bool = False) -> str:
        return models.replied(tokenizer, FORM, asked, called(move, brief=brief))[1]

    first, second = Move("imply1", "H0"), Move("intro")
    assert written(call(first), call(second)) == first
    assert written("I think:", call(second), call(first)) == second
    assert written(call(second, brief=True), call(first)) == second
    assert written(call(first).replace("imply1", "magic")) is None
    assert written("apply imply1 H0") is None
    assert written("") is None


@pytest.mark.parametrize("template", ["gemma4", *thoroughly("qwen3_5_nothink")])
def test_a_call_that_was_learned_by_heart_is_written_and_read(read: tuple[Any, Any], template: str) -> None:
    model, tokenizer = read
    tokenizer.chat_template = chat_template(template)
    asked, call = models.replied(
        tokenizer, FORM, [{"role": "user", "content": FORM.question(GOAL)}], called(Move("intro"))
    )
    learn(model, tokenizer, [(asked, call)])
    assert models.CausalPolicy(model, tokenizer, FORM).written([GOAL]) == [Move("intro")]
