"""How likely language models of different kinds hold texts, and in which tokens they are taught and asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oasis.neural.causal.files import loaded
from oasis.neural.causal.text import MARK, Form, answered
from oasis.neural.causal.tools import called
from tactics.errors import InputError
from tactics.goal import Goal, Move, initial
from tactics.parser import parse
from tests.neural.causal.small import chat_template, log_probability
from tests.neural.modules import language, models, torch, transformers
from tests.thorough import thoroughly

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

TOKENS: dict[str, Any] = {"vocab_size": 600, "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 0}
SMALL: dict[str, Any] = {**TOKENS, "hidden_size": 32, "num_hidden_layers": 2}
ATTENDING: dict[str, Any] = {**SMALL, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 64}
JAMBA: dict[str, Any] = {**ATTENDING, "attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 2}


MODELS: dict[str, dict[str, Any]] = {
    "Lfm2": {**ATTENDING, "layer_types": ["conv", "full_attention"]},
    "Jamba": {**JAMBA, "mamba_d_state": 8, "use_mamba_kernels": False},
    "Mamba": {**SMALL, "state_size": 8},
    "Mamba2": {**SMALL, "state_size": 8, "num_heads": 4, "head_dim": 16, "n_groups": 1},
    "Mpt": {**TOKENS, "d_model": 32, "n_layers": 2, "n_heads": 2, "max_seq_len": 2048},
    "Rwkv": {"vocab_size": 600, "hidden_size": 32, "num_hidden_layers": 2, "attention_hidden_size": 32},
}


def made(kind: str) -> Any:
    """Return a small model of a kind with random weights."""
    return transformers.AutoModelForCausalLM.from_config(getattr(transformers, f"{kind}Config")(**MODELS[kind]))


@pytest.mark.parametrize("kind", [kind for kind in MODELS if kind != "Rwkv"])
def test_what_is_remembered_of_a_text_is_as_good_as_the_text(folder: Path, kind: str) -> None:
    """Also with a state beside attention, or instead of it, and without positions."""
    _, tokenizer = loaded(folder)
    torch.manual_seed(0)
    model = made(kind).eval()
    for weights in model.parameters():
        weights.data += 0.1 * torch.randn_like(weights)
    texts = ["Prove A -> A.", "Prove it", "Prove (A -> B) /\\ A -> B, which is longer"]
    endings = [[" intro", " imply1 H, and then left", "."], [" split and right"], [" left", " right now"]]
    asked = language.LanguageModel(model, tokenizer, texts)
    for text, of_text, found in zip(texts, endings, asked.log_probabilities(texts, endings), strict=True):
        expected = [log_probability(model, tokenizer, text, ending) for ending in of_text]
        assert found == pytest.approx(expected, abs=1e-4)
    assert asked.written(texts, 6) == [asked.written([text], 6)[0] for text in texts]


def test_a_model_that_hands_out_no_memory_is_refused_in_a_sentence(folder: Path) -> None:
    asked = language.LanguageModel(made("Rwkv"), loaded(folder)[1])
    with pytest.raises(InputError, match="of the kind rwkv does not hand out what it remembers"):
        asked.log_probabilities(["Prove"], [[" it", " this"]])


@pytest.mark.parametrize(
    ("template", "begins", "form"),
    [
        (None, 1, Form()),  # as the tokenizer does
        ("llama3_1", 1, Form()),  # the template does
        ("qwen3", 0, Form(answer="tools")),  # it does not, whatever the tokenizer would do
        *thoroughly(("llama3_1", 1, Form(answer="tools")), ("qwen3", 0, Form())),
    ],
)
def test_a_model_is_asked_in_the_tokens_in_which_it_is_taught(
    folder: Path, template: str | None, begins: int, form: Form
) -> None:
    model, tokenizer = loaded(folder)
    tokenizer.bos_token, tokenizer.chat_template = "<|endoftext|>", template and chat_template(template)
    first, last = tokenizer.bos_token_id, tokenizer.eos_token_id
    from tokenizers.processors import TemplateProcessing

    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<|endoftext|> $A <|im_end|>", special_tokens=[("<|endoftext|>", first), ("<|im_end|>", last)]
    )
    goal: Goal = initial(parse("A \\/ B -> A \\/ (B -> B)"))[0]
    asked = [{"role": "user", "content": form.question(goal)}]
    if form.answer == "tools":
        row = language.taught(tokenizer, *models.replied(tokenizer, form, asked, called(Move("intro"))))
    else:
        row = language.taught(tokenizer, models.rendered(tokenizer, form, asked), MARK + answered([Move("intro")]))
    known = row["completion_mask"].index(1)
    tokens, answer = row["input_ids"][:known], row["input_ids"][known:]
    assert tokens[:2].count(first) == begins and tokens.count(first) == begins
    assert answer.count(last) == 1 and answer[-1] == last, "there is one end"
    assert row["completion_mask"] == [0] * known + [1] * len(answer)

    heard: list[list[int]] = []
    policy = models.CausalPolicy(model, tokenizer, form)
    policy._model._opening = []
    model.register_forward_pre_hook(lambda _, __, given: heard.append(given["input_ids"][0].tolist()), with_kwargs=True)
    policy.answers([goal])
    assert heard[0][:known] == tokens
    assert [tokenizer.decode(heard[0][known:])] == ([MARK] if form.answer == "json" else [""])
