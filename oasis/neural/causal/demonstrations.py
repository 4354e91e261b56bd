"""What a language model is taught before it is rewarded: the teacher's proofs, goal by goal or as calls of a tool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from oasis.ground.limits import Limit
from oasis.neural.causal.text import MARK, Form, answered, reasons
from oasis.neural.causal.tools import NAME, called, told
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.proofs import prove
from tactics.formula import Formula
from tactics.goal import Goal
from tactics.script import Script, replay


def proofs(theorems: Iterable[Formula], seconds: float = 10.0) -> Iterator[tuple[Formula, Script]]:
    """A proof of each lemma that has one of at most so many moves as `prove` writes. Raises LimitReached."""
    for theorem in theorems:
        found = prove(theorem, Limit(seconds))
        if not isinstance(found, Kripke) and found.script is not None:
            yield theorem, found.script


def answers(theorem: Formula, script: Script, form: Form) -> Iterator[tuple[Goal, str]]:
    """The goals of a proof as they come into focus, each with the answer that closes it, reasons before it or not."""
    states = replay(theorem, script)
    for place, state in enumerate(states[:-1]):
        end = next(at for at in range(place + 1, len(states)) if len(states[at]) < len(state))
        thoughts = reasons(state[0]) if form.reasoning else ""
        yield state[0], f"{thoughts}{MARK}{answered(script[place:end])}"


def conversation(theorem: Formula, script: Script, form: Form) -> list[dict[str, Any]]:
    """A proof as a conversation in which tools are called, in the messages of chat templates."""
    states = replay(theorem, script)
    messages: list[dict[str, Any]] = [{"role": "user", "content": form.question(states[0][0])}]
    for before, move, after in zip(states, script, states[1:], strict=False):
        messages += [called(move), {"role": "tool", "name": NAME, "content": told(form, before, move, after)}]
    return messages
