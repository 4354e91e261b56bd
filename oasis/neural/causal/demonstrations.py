"""Demonstrations for fine-tuning a language model: the teacher's proofs, goal by goal, whole, or as tool calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from oasis.ground.limits import Limit
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import NAME, called, told
from oasis.play.writing import shown
from oasis.teacher.arguments import argued
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.proofs import prove
from tactics.formula import Formula
from tactics.goal import Goal, Move
from tactics.rules import first_safe, legal_moves
from tactics.script import Script, replay
from tactics.written import MARK


def proofs(theorems: Iterable[Formula], seconds: float = 10.0) -> Iterator[tuple[Formula, Script]]:
    """A proof of each lemma that has one of at most so many moves as `prove` writes. Raises LimitReached."""
    for theorem in theorems:
        found = prove(theorem, Limit(seconds))
        if not isinstance(found, Kripke) and found.script is not None:
            yield theorem, found.script


def answers(theorem: Formula, script: Script, form: Form) -> Iterator[tuple[Goal, str]]:
    """The goals of a proof as they come into focus, each with the answer that closes it, reasons before it or not."""
    states, oracle = replay(theorem, script), Intuit()
    for place, state in enumerate(states[:-1]):
        end = next(at for at in range(place + 1, len(states)) if len(states[at]) < len(state))
        thoughts = argued(state[0], oracle, form.proof.notation) if form.reasoning else ""
        yield state[0], f"{thoughts}{MARK}{form.answered(script[place:end])}"


def completions(theorem: Formula, script: Script, form: Form) -> Iterator[tuple[str, str]]:
    """Yield for each state of a proof the text behind the question up to there, and how it goes on.

    A comment shows the state that has been reached, as it does where a proof is cut and continued. Reasons stand before
    the proof, and within it as comments before each choice between moves that can lose.
    """
    states, oracle, style = replay(theorem, script), Intuit(), form.proof
    parts: list[list[Move | str]] = []
    for (goal, *_), move in zip(states, script, strict=False):
        is_argued = form.reasoning and parts and first_safe(legal_moves(goal)) is None
        parts.append([argued(goal, oracle, style.notation).rstrip()] * bool(is_argued) + [move])
    thoughts = argued(states[0][0], oracle, style.notation) if form.reasoning else ""
    for place, state in enumerate(states[:-1]):
        before, after = ([part for of_move in some for part in of_move] for some in (parts[:place], parts[place:]))
        now = [shown(state, style)] if place else []
        whole = f"{thoughts}{MARK}{form.answered([*before, *now, *after])}"
        begun = form.begun(f"{thoughts}{MARK} {style.resumed('', *before, *now)}" if place else "")
        yield begun, whole.removeprefix(begun)


def conversation(theorem: Formula, script: Script, form: Form) -> list[dict[str, Any]]:
    """A proof as a conversation in which tools are called, in the messages of chat templates."""
    states = replay(theorem, script)
    messages: list[dict[str, Any]] = [{"role": "user", "content": form.question(states[0][0])}]
    for before, move, after in zip(states, script, states[1:], strict=False):
        messages += [called(move), {"role": "tool", "name": NAME, "content": told(form, before, move, after)}]
    return messages
