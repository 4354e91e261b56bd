"""A causal language model as a policy: it scores the legal moves as text, or writes what it likes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from typing import Any, Final

import numpy as np
import torch
from transformers import GenerationConfig

from oasis.actions import Blind
from oasis.neural.causal.text import MARK, Form, answered, read
from oasis.neural.causal.tools import TOOL, called
from oasis.neural.policy import softmax
from oasis.policy import Floats, equal_shares
from tactics.errors import InputError
from tactics.goal import Goal, Move, State
from tactics.rules import legal_moves

TOKENS: Final = 8192
"""In one forward pass, padding included."""
WRITTEN: Final = 256
"""Tokens of an answer, at most."""
TOGETHER: Final = 64
"""Answers that are written side by side."""


class CausalPolicy:
    """The policy of a language model, which is also a `oasis.policy.Writer`.

    The probability of a move is that of the beginning of an answer with this move first, or of the call of the tool,
    among those of all legal moves. With reasoning the model writes its reasons first, the most probable ones.

    Args:
        model: transformers' `AutoModelForCausalLM`, or a peft model of one.
        tokenizer: its tokenizer; its chat template is used if it has one.
        form: how it is asked and answers.
        tokens: that may be in one forward pass.
        advice: what is told beside a goal and the rules: maxims from experience (`oasis.experience.reminder`).
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        form: Form,
        tokens: int = TOKENS,
        advice: Callable[[Goal], Sequence[str]] = lambda _: (),
    ) -> None:
        self._model, self._tokenizer, self.form, self._tokens = model.eval(), tokenizer, form, tokens
        self._advice = advice
        self._tokenizer.padding_side = "left"
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        # What a model's folder says of sampling and repetition is not asked: the likeliest token is.
        ends = model.generation_config.eos_token_id or tokenizer.eos_token_id
        self._model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=tokenizer.pad_token_id)
        self._longest = getattr(model.config.get_text_config(), "max_position_embeddings", None)
        inner = model.get_base_model() if hasattr(model, "get_base_model") else model
        self._has_positions = "position_ids" in signature(inner.forward).parameters

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """The softmax of the log-probabilities of the legal moves of each focused goal; it does not see the others."""
        goals = list(dict.fromkeys(state[0] for state in states if state))
        asked = [goal for goal in goals if len(legal_moves(goal)) > 1]
        shares = {goal: equal_shares(len(legal_moves(goal))) for goal in goals}
        scores = self._scores(asked, [legal_moves(goal) for goal in asked])
        shares |= {goal: softmax(of_goal) for goal, of_goal in zip(asked, scores, strict=True)}
        return [shares[state[0]] if state else equal_shares(0) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """None: it is not asked how likely goals are to be provable."""
        return None

    def written(self, goals: Sequence[Goal], *, tactics: bool = False) -> list[Move | None]:
        """The first tactic of what it writes on each goal, or the likeliest tactic; None if it writes none."""
        if not tactics:
            return [next(iter(read(text)), None) for text in self.answers(goals)]
        choices = [Blind().actions((goal,)) for goal in goals]
        scores = self._scores(goals, choices)
        return [moves[int(of_goal.argmax())] for moves, of_goal in zip(choices, scores, strict=True)]

    def answers(self, goals: Sequence[Goal]) -> list[str]:
        """What it writes on each goal after the mark, or as calls of the tool, always the most probable token."""
        stop = "]" if self.form.answer == "json" else "}}"
        return self._generated(self._begun(goals), WRITTEN, stop)

    def reply(self, question: str, tokens: int) -> str:
        """What it writes in at most so many tokens when it is asked something, always the most probable token.

        Raises InputError for a question that is too long for it.
        """
        (text,) = self._generated([rendered(self._tokenizer, Form(), [{"role": "user", "content": question}])], tokens)
        return text

    def _scores(self, goals: Sequence[Goal], choices: Sequence[Sequence[Move]]) -> list[Floats]:
        """The log-probability of each of some moves on each goal."""
        both = zip(goals, choices, strict=True)
        endings = [[self._candidate(goal, move) for move in moves] for goal, moves in both]
        return self._log_probabilities(self._begun(goals), endings)

    def _begun(self, goals: Sequence[Goal]) -> list[str]:
        """The text behind which the answers stand."""
        texts = [self._prompt(goal) for goal in goals]
        if self.form.answer == "tools":
            return texts
        if not self.form.reasoning:
            return [text + MARK for text in texts]
        thoughts = self._generated(texts, self.form.reasoning, MARK)
        return [
            text + (thought if thought.endswith(MARK) else f"{thought}\n{MARK}")
            for text, thought in zip(texts, thoughts, strict=True)
        ]

    def _prompt(self, goal: Goal) -> str:
        return rendered(self._tokenizer, self.form, [self._asked(goal)])

    def _asked(self, goal: Goal) -> dict[str, Any]:
        """The question about a goal, as chat templates take it."""
        return {"role": "user", "content": self.form.question(goal, self._advice(goal))}

    def _candidate(self, goal: Goal, move: Move) -> str:
        """How an answer begins that makes a move."""
        if self.form.answer == "json":
            return answered([move], whole=False)
        messages = [self._asked(goal), called(move)]
        return rendered(self._tokenizer, self.form, messages).removeprefix(self._prompt(goal))

    @torch.inference_mode()
    def _log_probabilities(self, texts: Sequence[str], endings: Sequence[Sequence[str]]) -> list[Floats]:
        """For each text the log-probabilities of its endings; it is read once, and its endings behind it."""
        rows = [self._encoded(text) for text in texts]
        ends = [[self._encoded(text) for text in of_text] for of_text in endings]
        found = [np.zeros(len(of_text)) for of_text in ends]
        self._check([len(row) + max(map(len, of_text)) for row, of_text in zip(rows, ends, strict=True)])
        sizes = [len(of_text) * (len(row) + max(map(len, of_text))) for row, of_text in zip(rows, ends, strict=True)]
        for places in _batches(sizes, self._tokens):
            padded = self._padded([rows[place] for place in places])
            read = self._model(**padded, use_cache=True)
            pairs = [(at, tokens) for at, place in enumerate(places) for tokens in ends[place]]
            of_row = torch.tensor([at for at, _ in pairs], device=self._model.device)
            read.past_key_values.batch_select_indices(of_row)
            behind = self._padded([tokens for _, tokens in pairs], left=False)
            behind["attention_mask"] = torch.cat([padded["attention_mask"][of_row], behind["attention_mask"]], 1)
            if "position_ids" in behind:
                behind["position_ids"] += padded["attention_mask"].sum(1)[of_row, None]
            logits = self._model(**behind, past_key_values=read.past_key_values).logits
            told = torch.cat([read.logits[of_row, -1:], logits[:, :-1]], 1).float().log_softmax(-1)
            of_tokens = told.gather(2, behind["input_ids"][:, :, None])[:, :, 0].double()
            scores = (float(each[: len(tokens)].sum()) for each, (_, tokens) in zip(of_tokens, pairs, strict=True))
            for place in places:
                found[place] = np.array([next(scores) for _ in ends[place]])
        return found

    @torch.inference_mode()
    def _generated(self, texts: Sequence[str], tokens: int, stop: str | None = None) -> list[str]:
        """What the model writes behind each text, up to and with a string that ends it, if there is one."""
        found = [""] * len(texts)
        rows = [self._encoded(text) for text in texts]
        self._check([len(row) + tokens for row in rows])
        for places in _batches([len(row) + tokens for row in rows], self._tokens, TOGETHER):
            padded = self._padded([rows[place] for place in places])
            written = self._model.generate(
                **padded,
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

    def _padded(self, rows: Sequence[list[int]], *, left: bool = True) -> dict[str, torch.Tensor]:
        """Rows of tokens, padded on the left or on the right to equal lengths."""
        longest = max(map(len, rows))

        def even(row: list[int], padding: int) -> list[int]:
            missing = [padding] * (longest - len(row))
            return missing + row if left else row + missing

        named = {
            "input_ids": [even(row, self._tokenizer.pad_token_id) for row in rows],
            "attention_mask": [even([1] * len(row), 0) for row in rows],
        }
        if self._has_positions:
            named["position_ids"] = [even([*range(len(row))], 0) for row in rows]
        return {name: torch.tensor(content, device=self._model.device) for name, content in named.items()}


def rendered(tokenizer: Any, form: Form, messages: list[dict[str, Any]]) -> str:
    """A conversation as the model reads it, up to where it is its turn to write; without a template, the first message.

    Args:
        tokenizer: its chat template is used if it has one.
        form: says whether tools are offered.
        messages: as chat templates take them.
    """
    if not tokenizer.chat_template:
        return f"{messages[0]['content']}\n"
    tools = [TOOL] if form.answer == "tools" else None
    text: str = tokenizer.apply_chat_template(
        messages,
        tools=tools,
        tokenize=False,
        add_generation_prompt=messages[-1]["role"] != "assistant",
        enable_thinking=False,
    )
    return text


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
