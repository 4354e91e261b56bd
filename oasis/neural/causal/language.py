"""A causal language model that reads and writes many texts at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from inspect import signature
from itertools import takewhile
from typing import Any, Final

import numpy as np
import torch
from transformers import GenerationConfig
from transformers.cache_utils import DynamicLayer

from oasis.policy import Floats
from tactics.errors import InputError

TOKENS: Final = 8192
"""In one forward pass, padding included."""
TOGETHER: Final = 64
"""Texts that are written side by side."""


class LanguageModel:
    """Says how likely texts go on in given ways, and goes on with them, always by the most probable token.

    What all texts begin with, such as the rules of a game, is read once and kept.

    Args:
        model: transformers' `AutoModelForCausalLM`, or a peft model of one.
        tokenizer: its tokenizer.
        examples: texts as they will come, from which it is seen what all begin with.
        tokens: that may be in one forward pass.
    """

    def __init__(self, model: Any, tokenizer: Any, examples: Sequence[str] = (), tokens: int = TOKENS) -> None:
        self._model, self._tokenizer, self._tokens = model.eval(), tokenizer, tokens
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        # What a model's folder says of sampling and repetition is not asked: the likeliest token is.
        ends = model.generation_config.eos_token_id or tokenizer.eos_token_id
        self._model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=tokenizer.pad_token_id)
        self._longest = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        inner = model.get_base_model() if hasattr(model, "get_base_model") else model
        asked = signature(inner.forward).parameters
        self._has_positions = "position_ids" in asked
        self._last = {"logits_to_keep": 1} if "logits_to_keep" in asked else {}
        self._memory = "cache" if "cache" in asked else "past_key_values"  # as transformers has called it before
        # Without positions a model may count the padding that comes to stand between the opening and the rest.
        alike = zip(*map(self._encoded, examples if self._has_positions else ()), strict=False)
        self._opening = [of_all[0] for of_all in takewhile(lambda of_all: len(set(of_all)) == 1, alike)]
        self._opened: Any = None

    @torch.inference_mode()
    def log_probabilities(self, texts: Sequence[str], endings: Sequence[Sequence[str]]) -> list[Floats]:
        """For each text the log-probabilities of its endings; it is read once, and its endings behind it.

        Raises InputError for what is too long for the model.
        """
        rows = [self._encoded(text) for text in texts]
        ends = [[self._encoded(text) for text in of_text] for of_text in endings]
        found = [np.zeros(len(of_text)) for of_text in ends]
        self._check([len(row) + max(map(len, of_text)) for row, of_text in zip(rows, ends, strict=True)])
        sizes = [len(of_text) * (len(row) + max(map(len, of_text))) for row, of_text in zip(rows, ends, strict=True)]
        for places in _batches(sizes, self._tokens):
            padded, kept = self._begun([rows[place] for place in places])
            past = 0 if kept is None else len(self._opening)
            new = {name: part if name == "attention_mask" else part[:, past:] for name, part in padded.items()}
            read = self._model(**new, **self._last, **{self._memory: kept}, use_cache=True)
            pairs = [(at, tokens) for at, place in enumerate(places) for tokens in ends[place]]
            of_row = torch.tensor([at for at, _ in pairs], device=self._model.device)
            memory = getattr(read, self._memory)
            memory.reorder_cache(of_row)
            behind = self._padded([tokens for _, tokens in pairs], left=False)
            behind["attention_mask"] = torch.cat([padded["attention_mask"][of_row], behind["attention_mask"]], 1)
            if "position_ids" in behind:
                behind["position_ids"] += padded["attention_mask"].sum(1)[of_row, None]
            logits = self._model(**behind, **{self._memory: memory}).logits
            told = torch.cat([read.logits[of_row, -1:], logits[:, :-1]], 1).float().log_softmax(-1)
            of_tokens = told.gather(2, behind["input_ids"][:, :, None])[:, :, 0].double()
            scores = (float(each[: len(tokens)].sum()) for each, (_, tokens) in zip(of_tokens, pairs, strict=True))
            for place in places:
                found[place] = np.array([next(scores) for _ in ends[place]])
        return found

    @torch.inference_mode()
    def written(self, texts: Sequence[str], tokens: int, stop: str | None = None) -> list[str]:
        """What it writes behind each text, so many tokens at most; up to and with a string that ends it, if given.

        Raises InputError for what is too long for the model.
        """
        found = [""] * len(texts)
        rows = [self._encoded(text) for text in texts]
        self._check([len(row) + tokens for row in rows])
        for places in _batches([len(row) + tokens for row in rows], self._tokens, TOGETHER):
            padded, kept = self._begun([rows[place] for place in places])
            written = self._model.generate(
                **padded,
                **({} if kept is None else {self._memory: kept}),
                do_sample=False,
                max_new_tokens=tokens,
                stop_strings=None if stop is None else [stop],
                tokenizer=self._tokenizer,
            )
            new = written[:, padded["input_ids"].shape[1] :]
            for place, text in zip(places, self._tokenizer.batch_decode(new, skip_special_tokens=True), strict=True):
                before, stopped, _ = text.partition(stop) if stop is not None else (text, "", "")
                found[place] = before + stopped
        return found

    def _begun(self, rows: list[list[int]]) -> tuple[dict[str, torch.Tensor], Any]:
        """Rows, padded, and what the model remembers of their opening; None if they have none in common with others."""
        size = len(self._opening)
        if not size or any(row[:size] != self._opening or len(row) == size for row in rows):
            return self._padded(rows), None
        if self._opened is None:
            read = self._model(**self._padded([self._opening]), **self._last, use_cache=True)
            self._opened = getattr(read, self._memory)
            # Where a layer sees only so far, or forgets, padding between the opening and the rest would count.
            if any(type(layer) is not DynamicLayer for layer in self._opened.layers):
                self._opening, self._opened = [], None
                return self._padded(rows), None
        kept = deepcopy(self._opened)
        kept.batch_repeat_interleave(len(rows))
        return self._padded(rows, opening=size), kept

    def _check(self, lengths: Sequence[int]) -> None:
        """Raises InputError if the model cannot read so many tokens."""
        if self._longest is not None and max(lengths, default=0) > self._longest:
            raise InputError(
                f"This language model reads {self._longest:,} tokens at most, and a question and its answer have "
                f"{max(lengths):,}; name a model with a longer context, or leave out large lemmas."
            )

    def _encoded(self, text: str) -> list[int]:
        tokens: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return tokens

    def _padded(self, rows: Sequence[list[int]], *, left: bool = True, opening: int = 0) -> dict[str, torch.Tensor]:
        """Rows of tokens, padded on the right, or on the left behind an opening, to equal lengths."""
        longest = max(map(len, rows))

        def even(row: list[int], padding: int) -> list[int]:
            missing = [padding] * (longest - len(row))
            return row[:opening] + missing + row[opening:] if left else row + missing

        named = {
            "input_ids": [even(row, self._tokenizer.pad_token_id) for row in rows],
            "attention_mask": [even([1] * len(row), 0) for row in rows],
        }
        if self._has_positions:
            named["position_ids"] = [even([*range(len(row))], 0) for row in rows]
        return {name: torch.tensor(content, device=self._model.device) for name, content in named.items()}


def _batches(lengths: Sequence[int], tokens: int, most: int | None = None) -> Iterator[list[int]]:
    """Places of what is nearly equally long, so many together that they fit, at least one."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and ((len(batch) + 1) * lengths[place] > tokens or len(batch) == most):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
