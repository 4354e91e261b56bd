"""A causal language model that reads and writes many texts at once: the most probable, or sampled ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from inspect import signature
from itertools import chain, takewhile
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from transformers import GenerationConfig, LogitsProcessorList, TopPLogitsWarper
from transformers.cache_utils import CacheLayerMixin, DynamicLayer

from oasis.ground.splitmix import SplitMix64
from oasis.play.choices import Writing
from oasis.play.policy import Floats
from oasis.play.writing import Completion
from tactics.errors import InputError

TOKENS: Final = 8192
"""In one forward pass, padding included."""
TOGETHER: Final = 64
"""Texts that are written side by side."""
_REMEMBERED: Final = 8
"""How many times as many tokens may be remembered while texts are written, as a pass then has one of each text."""
_BY_TOKEN: Final = frozenset({"falcon_mamba", "jamba", "mamba", "zamba"})
"""Kinds of models with layers of the first Mamba, which go on from what they remember with one token at a time: given
more at once they begin from nothing, without an error."""
_LIKELIEST: Final = Writing(temperature=0)


class Reach(NamedTuple):
    """What a model can read.

    Attributes:
        longest: tokens of a text, by its settings, and by its table of positions if it learned one; or infinity.
        words: different tokens.
    """

    longest: float
    words: int

    @classmethod
    def of(cls, model: Any) -> Reach:
        """Return the reach of a model."""
        told = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        learned = [
            part.num_embeddings - getattr(part, "offset", 0)
            for name, part in model.named_modules()
            if isinstance(part, torch.nn.Embedding) and re.search("wpe|pos", name.rpartition(".")[2])
        ]
        return cls(min(filter(None, (told, *learned)), default=inf), model.get_input_embeddings().num_embeddings)

    def check(self, rows: Sequence[Sequence[int]], lengths: Sequence[int] | None = None) -> None:
        """Raise InputError if the model cannot read rows of tokens, or not as many as there will be."""
        longest = max(map(len, rows) if lengths is None else lengths, default=0)
        if longest > self.longest:
            raise InputError(
                f"This language model reads {self.longest:,} tokens at most, and a question and its answer have "
                f"{longest:,}; name a model with a longer context, or leave out large lemmas."
            )
        if max(map(max, filter(None, rows)), default=0) >= self.words:
            raise InputError(
                f"This language model knows {self.words:,} tokens, and its tokenizer has others; name a folder in "
                "which the two belong together."
            )


class LanguageModel:
    """Says how likely texts go on in given ways, and continues them.

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
        self._ends = ends if isinstance(ends, list) else [ends]
        self._model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=tokenizer.pad_token_id)
        self._reach = Reach.of(model)
        inner = model.get_base_model() if hasattr(model, "get_base_model") else model
        asked = signature(inner.forward).parameters
        self._has_positions = "position_ids" in asked
        self._last = {"logits_to_keep": 1} if "logits_to_keep" in asked else {}
        self._by_token = inner.config.model_type in _BY_TOKEN
        self._memory = "cache" if "cache" in asked else "past_key_values"  # as transformers has called it before
        # Without positions a model may count the padding that comes to stand between the opening and the rest.
        begun = [encoded(tokenizer, text) for text in examples] if self._has_positions else []
        alike = zip(*begun, strict=False)
        self._opening = [of_all[0] for of_all in takewhile(lambda of_all: len(set(of_all)) == 1, alike)]
        self._opened: Any = None

    @torch.inference_mode()
    def log_probabilities(self, texts: Sequence[str], endings: Sequence[Sequence[str]]) -> list[Floats]:
        """For each text the log-probabilities of its endings; it is read once, and its endings behind it.

        Raises InputError for what is too long for the model.
        """
        rows = [encoded(self._tokenizer, text) for text in texts]
        ends = [[encoded(self._tokenizer, text, behind=True) for text in of_text] for of_text in endings]
        found = [np.zeros(len(of_text)) for of_text in ends]
        lengths = [len(row) + max(map(len, of_text)) for row, of_text in zip(rows, ends, strict=True)]
        self._reach.check([*rows, *chain(*ends)], lengths)
        sizes = [len(of_text) * (len(row) + max(map(len, of_text))) for row, of_text in zip(rows, ends, strict=True)]
        for places in _batches(sizes, self._tokens):
            padded, kept = self._begun([rows[place] for place in places])
            past = 0 if kept is None else len(self._opening)
            new = {name: part if name == "attention_mask" else part[:, past:] for name, part in padded.items()}
            read = self._model(**new, **self._last, **{self._memory: kept}, use_cache=True)
            pairs = [(at, tokens) for at, place in enumerate(places) for tokens in ends[place]]
            of_row = torch.tensor([at for at, _ in pairs], device=self._model.device)
            memory = self._remembered(read)
            memory.reorder_cache(of_row)
            behind = self._padded([tokens for _, tokens in pairs], left=False)
            behind["attention_mask"] = torch.cat([padded["attention_mask"][of_row], behind["attention_mask"]], 1)
            if "position_ids" in behind:
                behind["position_ids"] += padded["attention_mask"].sum(1)[of_row, None]
            logits = self._logits(behind, memory)
            told = _numbers(torch.cat([read.logits[of_row, -1:], logits[:, :-1]], 1)).log_softmax(-1)
            of_tokens = told.gather(2, behind["input_ids"][:, :, None])[:, :, 0].double()
            scores = (float(each[: len(tokens)].sum()) for each, (_, tokens) in zip(of_tokens, pairs, strict=True))
            for place in places:
                found[place] = np.array([next(scores) for _ in ends[place]])
        return found

    def written(self, texts: Sequence[str], tokens: int, stop: str | None = None) -> list[str]:
        """Return what it writes behind each text as `completed` does, always the most probable token."""
        found = self.completed(texts, [tokens] * len(texts), _LIKELIEST, [0] * len(texts), stop)
        return [each.text for each in found]

    @torch.inference_mode()
    def completed(
        self,
        texts: Sequence[str],
        tokens: Sequence[int],
        writing: Writing,
        seeds: Sequence[int],
        stop: str | None = None,
    ) -> list[Completion]:
        """Return what it writes behind each text; a text that occurs several times is read once.

        Args:
            texts: to be continued.
            tokens: that it writes at most behind each.
            writing: says how tokens are sampled.
            seeds: of each text's random numbers.
            stop: a string that ends what is written, itself included; None for none.

        Raises InputError for what is too long for the model, and for a model that gives no numbers.
        """
        found = [Completion("", 0)] * len(texts)
        rows = [encoded(self._tokenizer, text) for text in texts]
        self._reach.check(rows, [len(row) + most for row, most in zip(rows, tokens, strict=True)])
        ends = {self._tokenizer.pad_token_id, *self._ends}
        lengths = [len(row) + max(tokens) for row in rows]
        for places in _batches(lengths, _REMEMBERED * self._tokens, TOGETHER, self._reach.longest):
            padded, kept = self._read_once([rows[place] for place in places])
            written = self._model.generate(
                **padded,
                **({} if kept is None else {self._memory: kept}),
                do_sample=False,
                logits_processor=_drawing(writing, [seeds[place] for place in places]),
                max_new_tokens=max(tokens[place] for place in places),
                stop_strings=None if stop is None else [stop],
                tokenizer=self._tokenizer,
            )
            new = written[:, padded["input_ids"].shape[1] :].tolist()
            for place, row in zip(places, new, strict=True):
                row = [*takewhile(lambda token: token not in ends, row[: tokens[place]])]
                text = self._tokenizer.decode(row, skip_special_tokens=True)
                before, stopped, _ = text.partition(stop) if stop is not None else (text, "", "")
                found[place] = Completion(before + stopped, len(row))
        return found

    def _read_once(self, rows: list[list[int]]) -> tuple[dict[str, torch.Tensor], Any]:
        """Return rows, padded, and what the model remembers of them but for the last token, if some are the same."""
        once = [list(row) for row in dict.fromkeys(map(tuple, rows))]
        padded, kept = self._begun(once)
        if len(once) < len(rows):
            of_row = torch.tensor([once.index(row) for row in rows], device=self._model.device)
            past = 0 if kept is None else len(self._opening)
            last = padded["input_ids"].shape[1] - 1
            before = {name: part[:, (past if name != "attention_mask" else 0) : last] for name, part in padded.items()}
            if self._has_positions and past < last:
                memory = self._remembered(self._model(**before, **self._last, **{self._memory: kept}, use_cache=True))
                kept = memory if all(type(layer) is DynamicLayer for layer in memory.layers) else kept
            if kept is not None:
                kept.reorder_cache(of_row)
            padded = {name: part[of_row] for name, part in padded.items()}
        return padded, kept

    def _begun(self, rows: list[list[int]]) -> tuple[dict[str, torch.Tensor], Any]:
        """Rows, padded, and what the model remembers of their opening; None if they have none in common with others."""
        size = len(self._opening)
        if not size or any(row[:size] != self._opening or len(row) == size for row in rows):
            return self._padded(rows), None
        if self._opened is None:
            read = self._model(**self._padded([self._opening]), **self._last, use_cache=True)
            self._opened = self._remembered(read)
            # Where a layer sees only so far, or forgets, padding between the opening and the rest would count.
            if any(type(layer) is not DynamicLayer for layer in self._opened.layers):
                self._opening, self._opened = [], None
                return self._padded(rows), None
        kept = deepcopy(self._opened)
        kept.batch_repeat_interleave(len(rows))
        return self._padded(rows, opening=size), kept

    def _logits(self, behind: dict[str, torch.Tensor], memory: Any) -> torch.Tensor:
        """What a model holds for likely after each of the tokens that it reads behind what it remembers."""
        mask, size = behind.pop("attention_mask"), behind["input_ids"].shape[1]
        attends = any(isinstance(layer, CacheLayerMixin) for layer in memory.layers)  # or there is nothing to mask
        step, past = 1 if self._by_token else size, mask.shape[1] - size
        logits = []
        for at in range(0, size, step):
            now = {name: part[:, at : at + step] for name, part in behind.items()}
            seen = {"attention_mask": mask[:, : past + at + step]} if attends else {}
            logits.append(self._model(**now, **seen, **{self._memory: memory}, use_cache=True).logits)
        return torch.cat(logits, 1)

    def _remembered(self, read: Any) -> Any:
        """The memory of a model that has read something. Raises InputError if it hands out none."""
        memory = getattr(read, self._memory, None)
        if memory is None:
            raise InputError(
                f"A language model of the kind {self._model.config.model_type} does not hand out what it remembers of "
                "a text, so answers cannot be compared; name a model of another kind."
            )
        return memory

    def room(self, text: str) -> float:
        """Return how many tokens may be written behind a text; infinity if there is no bound."""
        return self._reach.longest - len(encoded(self._tokenizer, text))

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


class _Drawn:
    """Samples one of the tokens that may come next, with random numbers of its own for each text."""

    def __init__(self, seeds: Sequence[int]) -> None:
        self._chances = [SplitMix64(seed) for seed in seeds]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return 0 for the sampled token, and minus infinity for all others; shape (texts, tokens)."""
        sums = scores.double().softmax(-1).cumsum(-1)
        numbers = torch.tensor([[chance.random()] for chance in self._chances], device=sums.device) * sums[:, -1:]
        token = torch.searchsorted(sums, numbers, right=True).clamp(max=sums.shape[1] - 1)
        return torch.full_like(scores, -inf).scatter(1, token, 0.0)


def _drawing(writing: Writing, seeds: Sequence[int]) -> LogitsProcessorList:
    """Return how tokens are sampled; NaN is refused."""
    processors: list[Any] = [lambda _, scores: _numbers(scores)]
    if writing.temperature:
        # The highest becomes 0, so that divided by any temperature, however small, it stays a number.
        processors.append(lambda _, scores: (scores - scores.amax(-1, keepdim=True)).double() / writing.temperature)
        processors += [TopPLogitsWarper(writing.top_p)] if writing.top_p < 1 else []
        processors.append(_Drawn(seeds))
    return LogitsProcessorList(processors)


def _numbers(scores: torch.Tensor) -> torch.Tensor:
    """Return the scores in 32 bits. Raises InputError for NaN."""
    if scores.isnan().any():
        raise InputError(
            "This language model gives no probabilities: it says NaN; its weights are broken, so name another folder, "
            "or train it anew with a smaller learning rate."
        )
    return scores.float()


def encoded(tokenizer: Any, text: str, *, behind: bool = False) -> list[int]:
    """The tokens of a text, with the one before them by which the tokenizer begins all texts (BOS), if it does.

    It is left out where the text stands behind another one, and where the tokenizer has a chat template, which writes
    its own.
    """
    begins = [] if behind or tokenizer.chat_template else tokenizer.encode("")[:1]
    tokens: list[int] = tokenizer.encode(text, add_special_tokens=False)
    return [each for each in begins if each == tokenizer.bos_token_id] + tokens


def taught(tokenizer: Any, asked: str, answer: str) -> dict[str, list[int]]:
    """A row for TRL's `SFTTrainer` that teaches an answer and its end, in the tokens in which a model is asked.

    As text TRL would begin it as the tokenizer does, also where the chat template has begun it already.
    """
    end = tokenizer.eos_token
    before = encoded(tokenizer, asked)
    tokens = encoded(tokenizer, asked + answer.rstrip().removesuffix(end) + end)
    known = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(before, tokens, strict=False)))
    return {"input_ids": tokens, "completion_mask": [0] * known + [1] * (len(tokens) - known)}


def _batches(lengths: Sequence[int], tokens: int, most: int | None = None, longest: float = inf) -> Iterator[list[int]]:
    """Places of what is nearly equally long, so many together that they fit, at least one; none beside a longer one."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        length = lengths[place]
        if batch and ((len(batch) + 1) * length > tokens or len(batch) == most or length > longest):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
