"""States as text on one line, read and written: `h : A, k : A -> B |- B; |- A -> C`.

Goals are separated by `;`, hypotheses by `,`, and their names may be left out. Formulas are `tactics.parser`'s, in any
of its notations, without quantifiers: a state's atoms are fixed. The proved state reads `proved`. Scripts and the
layout of a prover's screen are not this module's concern.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from tactics.formula import NAMING, Formula, atoms, is_name
from tactics.goal import Goal, Hypothesis, State, fresh_name, names_to_avoid
from tactics.parser import read_tokens
from tactics.printer import COQ, Notation, show
from tactics.tokens import FormulaSyntaxError, Token, tokenize

PROVED: Final = "proved"


def show_state(state: State, notation: Notation = COQ, *, sugar: bool = True) -> str:
    """The line that `parse_state` reads back. Raises InputError for formulas too long to write out."""
    return "; ".join(show_goal(goal, notation, sugar=sugar) for goal in state) or PROVED


def show_goal(goal: Goal, notation: Notation = COQ, *, sugar: bool = True) -> str:
    """A goal as it stands in a state's line. Raises InputError for formulas too long to write out."""
    named = [f"{name} : {show(formula, notation, sugar=sugar)}" for name, formula in goal.hypotheses]
    return f"{', '.join(named)} {notation.turnstile} {show(goal.conclusion, notation, sugar=sugar)}".lstrip()


def parse_state(text: str, say: Callable[[str], object] | None = None) -> State:
    """The state that `text` denotes; a hypothesis without a name gets the first of H, H0, H1, … that is free.

    Args:
        text: goals as in `A, k : A -> B |- B; |- A`.
        say: takes a sentence for each thing in the text that others read otherwise.

    Raises FormulaSyntaxError, which points at the place.
    """
    tokens = tokenize(text)
    if [token.text for token in tokens[:-1]] == [PROVED]:
        return ()
    for token in tokens:
        if token.kind == "forall":
            message = "a state has no quantifiers: its atoms are introduced already; leave them out"
            raise FormulaSyntaxError(message, text, token.position)
    remarks: dict[str, None] = {}
    rows = [_row(text, parts, remarks) for parts in _goals(tokens)]
    names = {atom.name for row in rows for formula in row.formulas for atom in atoms(formula)}
    avoid = names_to_avoid(names)
    if say is not None:
        for remark in remarks:
            say(remark)
    return tuple(Goal(_named(text, row, names, avoid), row.conclusion, avoid) for row in rows)


class _Part(NamedTuple):
    """The tokens of a hypothesis or a conclusion, the last an `end`, and the kind of the sign that stands there."""

    tokens: list[Token]
    end: str


class _Row(NamedTuple):
    """A goal as it was written."""

    hypotheses: list[tuple[Token | None, Formula]]
    conclusion: Formula

    @property
    def formulas(self) -> Iterator[Formula]:
        yield from (formula for _, formula in self.hypotheses)
        yield self.conclusion


def _goals(tokens: Iterable[Token]) -> Iterator[list[_Part]]:
    """The parts of each goal; a comma inside brackets separates nothing."""
    parts: list[_Part] = []
    inside: list[Token] = []
    depth = 0
    for token in tokens:
        if token.kind in ("turnstile", "semicolon", "end") or (token.kind == "comma" and not depth):
            parts.append(_Part([*inside, Token("end", token.text, token.position)], token.kind))
            inside = []
            if token.kind in ("semicolon", "end"):
                yield parts
                parts = []
        else:
            depth += (token.kind == "open") - (token.kind == "close")
            inside.append(token)


def sequent_parts(text: str, tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens of each hypothesis of a sequent, without its name, and of its conclusion, each with an `end`.

    Raises FormulaSyntaxError.
    """
    goals = list(_goals(tokens))
    if len(goals) > 1:
        end = goals[0][-1].tokens[-1]
        raise FormulaSyntaxError("one sequent is expected here; write , between its hypotheses", text, end.position)
    hypotheses, conclusion = _sides(text, goals[0])
    named = [_split(text, tokens) for tokens in hypotheses]
    parts = [*(tokens for _, tokens in named), conclusion]
    used = {token.text for part in parts for token in part[:-1]}
    for name, _ in named:
        if name is not None and name.text in used:
            message = f"{name.text} names a hypothesis and stands in a formula, too; rename one of the two"
            raise FormulaSyntaxError(message, text, name.position)
    return parts


def _row(text: str, parts: list[_Part], remarks: dict[str, None]) -> _Row:
    """A goal from its parts, which must be hypotheses, a turnstile and a conclusion; adds how they were read."""

    def formula(tokens: list[Token]) -> Formula:
        reading = read_tokens(text, tokens)
        remarks.update(dict.fromkeys(reading.remarks))
        return reading.formula

    hypotheses, conclusion = _sides(text, parts)
    named = [_split(text, tokens) for tokens in hypotheses]
    return _Row([(name, formula(tokens)) for name, tokens in named], formula(conclusion))


def _sides(text: str, parts: list[_Part]) -> tuple[list[list[Token]], list[Token]]:
    """Return the tokens of each hypothesis of a goal, and of its conclusion."""
    ends = [part.end for part in parts]
    if "turnstile" not in ends:
        end = parts[-1].tokens[-1]
        if len(parts) == 1 and end is parts[0].tokens[0]:
            message = f"a goal is expected here, not {end.text}: write A, A -> B |- B, or {PROVED} for no goals at all"
        else:
            message = "this goal has no |-; write its hypotheses, |-, and its conclusion, as in A, A -> B |- B"
        raise FormulaSyntaxError(message, text, end.position)
    if ends.index("turnstile") < len(parts) - 2:
        extra = parts[ends.index("turnstile") + 1].tokens[-1]
        raise FormulaSyntaxError(
            f"a goal ends with its one conclusion, so {extra.text} cannot follow; write ; before the next goal",
            text,
            extra.position,
        )
    *hypotheses, conclusion = (part.tokens for part in parts)
    if len(hypotheses[0]) == 1 and len(hypotheses) == 1:
        hypotheses = []
    return hypotheses, conclusion


def _split(text: str, tokens: list[Token]) -> tuple[Token | None, list[Token]]:
    """Return the token of a hypothesis's name, if it has one, and those of its formula."""
    if len(tokens) < 2 or tokens[1].kind != "colon":
        return None, tokens
    name = tokens[0]
    if not is_name(name.text):
        raise FormulaSyntaxError(f"{name.text!r} cannot name a hypothesis: {NAMING}", text, name.position)
    return name, tokens[2:]


def _named(text: str, row: _Row, atom_names: set[str], avoid: frozenset[str]) -> tuple[Hypothesis, ...]:
    """The hypotheses of a goal, each with a name of its own."""
    taken = set(avoid)
    for name, _ in row.hypotheses:
        if name is None:
            continue
        if name.text in atom_names:
            message = f"{name.text} is an atom of this state, so no hypothesis can be called that; rename it"
            raise FormulaSyntaxError(message, text, name.position)
        if name.text in taken:
            message = f"two hypotheses of this goal are called {name.text}; rename one"
            raise FormulaSyntaxError(message, text, name.position)
        taken.add(name.text)
    hypotheses: list[Hypothesis] = []
    for name, formula in row.hypotheses:
        given = fresh_name(taken) if name is None else name.text
        taken.add(given)
        hypotheses.append(Hypothesis(given, formula))
    return tuple(hypotheses)
