"""Language models as small as can be, with random weights and a vocabulary learned from what they will read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from curricula import resolve
from oasis.neural.causal.demonstrations import answers, conversation, proofs
from oasis.neural.causal.text import Form
from tactics.goal import initial


def small_model(folder: Path) -> Path:
    """Write a model of 2 layers with random weights and Qwen3's chat template into a folder."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    texts = [Form(style).question(initial(lemma.formula)[0]) for style in ("coq", "lean") for lemma in LEMMAS]
    proved = list(proofs(lemma.formula for lemma in LEMMAS))
    texts += [str(conversation(*each, Form(answer="tools"))) for each in proved]
    # So that a quote and the brace behind it are one token, as in the vocabularies of real models.
    texts += [answer for each in proved for _, answer in answers(*each, Form())]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    learn = trainers.BpeTrainer(
        vocab_size=600, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(texts, learn)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = chat_template("qwen3")
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(fast),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        tie_word_embeddings=True,
        eos_token_id=fast.eos_token_id,
        pad_token_id=fast.pad_token_id,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


def changed(folder: Path, other: Path, **settings: Any) -> Path:
    """Copy the folder of a model, with other settings in its config.json; return the copy."""
    shutil.copytree(folder, other)
    config = json.loads((folder / "config.json").read_text()) | settings
    (other / "config.json").write_text(json.dumps(config))
    return other


def chat_template(name: str) -> str:
    """Return a chat template that comes with TRL."""
    import trl

    return (Path(trl.__file__).parent / "chat_templates" / f"{name}.jinja").read_text()


def log_probability(model: Any, tokenizer: Any, before: str, after: str) -> float:
    """Return the log-probability of a text behind another one, both read at once."""
    import torch

    first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (before, after))
    with torch.no_grad():
        logits = model(torch.tensor([first + second])).logits[0].log_softmax(-1)
    return sum(float(logits[len(first) + place - 1, token]) for place, token in enumerate(second))


def learn(model: Any, tokenizer: Any, texts: list[tuple[str, str]]) -> None:
    """Learn what follows on some texts by heart."""
    import torch

    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    model.train()
    left = 1.0
    while left > 0.05:
        optimizer.zero_grad()
        left = 0.0
        for before, after in texts:
            first, second = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (before, after))
            tokens = torch.tensor([first + second])
            labels = torch.where(torch.arange(tokens.shape[1]) < len(first), -100, tokens)
            loss = model(tokens, labels=labels).loss
            loss.backward()
            left = max(left, loss.item())
        optimizer.step()
    model.eval()


LEMMAS = resolve("textbook").lemmas[:12]
