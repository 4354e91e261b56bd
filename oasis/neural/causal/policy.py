"""A causal language model as a policy: it scores the legal moves as text, or writes what it likes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from oasis.neural.causal.language import TOKENS, LanguageModel
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import SAMPLES, TOOL, called, written_like
from oasis.neural.policy import softmax
from oasis.play.actions import Blind
from oasis.play.choices import Writing
from oasis.play.policy import Floats, equal_shares
from oasis.play.writing import Completion, Draft
from tactics.errors import InputError
from tactics.goal import Goal, Move, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves
from tactics.written import MARK, Style

WRITTEN: Final = 256
"""Tokens of an answer, at most."""

_UNLIKE: Final = (initial(parse("A"))[0], initial(parse("~B"))[0], apply(initial(parse("A -> A")), Move("intro"))[0])
"""Goals that have nothing in common, so that what questions about them have in common is what all begin with."""

_ANOTHER: Final = "name another model, or train this one with `examples/own_model.py --template NAME`"


class CausalPolicy:
    """The policy of a language model, which is also a `oasis.play.policy.Writer`, and an author of whole proofs.

    The probability of a move is that of an answer with this move first, or of the call of the tool, among those of all
    legal moves. With reasoning the model writes its reasons first, the most probable ones.

    Args:
        model: transformers' `AutoModelForCausalLM`, or a peft model of one.
        tokenizer: its tokenizer; its chat template is used if it has one.
        form: how it is asked and answers.
        tokens: that may be in one forward pass.
        advice: what is told beside a goal and the rules: maxims from experience (`oasis.experience.reminder`).
        retrieved: lemmas that are told, too (`oasis.neural.retrieved`).
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        form: Form,
        tokens: int = TOKENS,
        advice: Callable[[Goal], Sequence[str]] = lambda _: (),
        retrieved: Callable[[Goal], Sequence[str]] = lambda _: (),
    ) -> None:
        self._tokenizer, self.form, self._advice, self._retrieved = tokenizer, form, advice, retrieved
        unlike = [rendered(tokenizer, form, [{"role": "user", "content": form.question(goal)}]) for goal in _UNLIKE]
        self._model = LanguageModel(model, tokenizer, unlike, tokens)
        self._calls = self._notation() if form.answer == "tools" else []

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
            return [self._read(text) for text in self.answers(goals)]
        choices = [Blind().actions((goal,)) for goal in goals]
        scores = self._scores(goals, choices)
        return [moves[int(of_goal.argmax())] for moves, of_goal in zip(choices, scores, strict=True)]

    def answers(self, goals: Sequence[Goal]) -> list[str]:
        """What it writes on each goal after the mark, or as calls of the tool, always the most probable token."""
        return self._model.written(self._begun(goals), WRITTEN, self._stop)

    def thoughts(self, goal: Goal) -> str:
        """The reasons that it writes before it answers, always the most probable token; empty if it writes none."""
        if not self.form.reasoning:
            return ""
        return self._model.written([self._prompt(goal)], self.form.reasoning, MARK)[0]

    @property
    def style(self) -> Style:
        """How it writes proofs."""
        return self.form.proof

    def completed(self, drafts: Sequence[Draft], writing: Writing) -> list[Completion]:
        """Go on with proofs (`oasis.play.writing.Author`); nothing is added to one that has grown too long for it.

        Raises InputError for a question that is too long, and for a model that calls tools.
        """
        if self.form.answer == "tools":
            raise InputError("A model that calls tools writes no whole proofs; name it with :answer=json, or script.")
        texts = [self._prompt(draft.goal) + self.form.begun(draft.text) for draft in drafts]
        rooms = [int(min(draft.tokens, self._model.room(text))) for draft, text in zip(drafts, texts, strict=True)]
        found = [Completion("", 0)] * len(drafts)
        asked = [place for place, draft in enumerate(drafts) if rooms[place] > 0 or not draft.text]
        written = self._model.completed(
            [texts[place] for place in asked],
            [max(1, rooms[place]) for place in asked],
            writing,
            [drafts[place].seed for place in asked],
            None if self.form.reasoning else self._stop,
        )
        for place, completion in zip(asked, written, strict=True):
            found[place] = completion
        return found

    @property
    def _stop(self) -> str | None:
        """What ends an answer; None if that is the end of all."""
        if self._calls:
            return None
        return "}}" if self.form.answer == "tools" else self.form.proof.closes.strip() or None

    def reply(self, question: str, tokens: int) -> str:
        """What it writes in at most so many tokens when it is asked something, always the most probable token.

        Raises InputError for a question that is too long for it.
        """
        asked = rendered(self._tokenizer, Form(), [{"role": "user", "content": question}])
        (text,) = self._model.written([asked], tokens)
        return text

    def _scores(self, goals: Sequence[Goal], choices: Sequence[Sequence[Move]]) -> list[Floats]:
        """The log-probability of each of some moves on each goal."""
        both = zip(goals, choices, strict=True)
        endings = [[text for move in moves for text in self._candidates(goal, move)] for goal, moves in both]
        found = zip(self._model.log_probabilities(self._begun(goals), endings), choices, strict=True)
        return [np.logaddexp.reduce(of_goal.reshape(len(moves), -1), axis=1) for of_goal, moves in found]

    def _begun(self, goals: Sequence[Goal]) -> list[str]:
        """The text behind which the answers stand."""
        texts = [self._prompt(goal) for goal in goals]
        if self.form.answer == "tools":
            return texts
        if not self.form.reasoning:
            return [text + MARK for text in texts]
        thoughts = self._model.written(texts, self.form.reasoning, MARK)
        return [
            text + (thought if thought.endswith(MARK) else f"{thought}\n{MARK}")
            for text, thought in zip(texts, thoughts, strict=True)
        ]

    def _prompt(self, goal: Goal) -> str:
        return rendered(self._tokenizer, self.form, [self._asked(goal)])

    def _asked(self, goal: Goal) -> dict[str, Any]:
        """The question about a goal, as chat templates take it."""
        return {"role": "user", "content": self.form.question(goal, self._advice(goal), self._retrieved(goal))}

    def _notation(self) -> list[re.Pattern[str]]:
        """How the chat template writes calls, as the tokenizer reads that back; nothing if it writes JSON.

        Raises InputError if it writes none.
        """
        samples = [replied(self._tokenizer, self.form, [self._asked(_UNLIKE[0])], sample)[1] for sample in SAMPLES]
        if self.form.read(samples[0]):
            return []
        tokens = [self._tokenizer.encode(sample, add_special_tokens=False) for sample in samples]
        return [written_like(text) for text in self._tokenizer.batch_decode(tokens, skip_special_tokens=True)]

    def _read(self, text: str) -> Move | None:
        """The first tactic of an answer."""
        found = [match for each in self._calls if (match := each.search(text))]
        if found:
            text = json.dumps(min(found, key=re.Match.start).groupdict())
        return next(iter(self.form.read(text)), None)

    def _candidates(self, goal: Goal, move: Move) -> tuple[str, ...]:
        """The ways in which an answer begins that makes a move."""
        if self.form.answer != "tools":
            return self.form.beginnings(move)
        return (replied(self._tokenizer, self.form, [self._asked(goal)], called(move))[1],)


def rendered(tokenizer: Any, form: Form, messages: list[dict[str, Any]]) -> str:
    """A conversation as the model reads it, up to where it is its turn to write; without a template, the first message.

    Args:
        tokenizer: its chat template is used if it has one.
        form: says whether tools are offered.
        messages: as chat templates take them.

    Raises InputError if the chat template takes no such messages.
    """
    if not tokenizer.chat_template:
        return f"{messages[0]['content']}\n"
    tools = [TOOL] if form.answer == "tools" else None
    try:
        text: str = tokenizer.apply_chat_template(
            messages,
            tools=tools,
            tokenize=False,
            add_generation_prompt=messages[-1]["role"] != "assistant",
            enable_thinking=False,
        )
    except Exception as error:  # whatever a template makes of messages that it was not written for
        raise InputError(f"The chat template of this language model fails ({error}); {_ANOTHER}.") from error
    return text


def replied(tokenizer: Any, form: Form, before: list[dict[str, Any]], call: dict[str, Any]) -> tuple[str, str]:
    """A conversation as the model reads it, and what it writes to call the tool next.

    Raises InputError if the chat template does not write calls of tools.
    """
    asked = rendered(tokenizer, form, before)
    whole = rendered(tokenizer, form, [*before, call])
    text = whole.removeprefix(asked)
    if not whole.startswith(asked) or call["tool_calls"][0]["function"]["arguments"]["rule"] not in text:
        raise InputError(f"The chat template of this language model writes no calls of tools; {_ANOTHER}.")
    return asked, text
