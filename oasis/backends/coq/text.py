"""What is sent to Coq and how its answers are read: text alone, whoever carries it.

Nothing but our own print of a formula, the names of the twelve rules and identifiers gets into a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from oasis.backends.base import ShownGoal
from oasis.backends.coq.protocol import PrintedGoal
from oasis.backends.names import named_back
from tactics.formula import Formula, atoms, renamed
from tactics.goal import Move
from tactics.printer import show
from tactics.rules import RULES, IllegalMove
from tactics.script import Script

THEOREM: Final = "oasis_claim"
"""The name of every theorem in its document."""

_WORDS: Final = (
    "as at by cofix else end exists exists2 False fix for forall fun if IF in let match Prop return Set SProp then "
    "True Type using where with "
    "Axiom CoFixpoint Definition Fixpoint Hypothesis Parameter Theorem Variable"
)
RESERVED: Final = frozenset(_WORDS.split())
"""Words that cannot name an atom."""

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")
_MAX_CHARACTERS: Final = 1_000_000
_LONGEST_AT_ONCE: Final = 300


def statement(formula: Formula, names: Mapping[str, str]) -> str:
    """The sentence that states a formula, its atoms quantified. Raises InputError if it is too long to be sent."""
    text = show(renamed(formula, names), sugar=False, quantified=True, limit=_MAX_CHARACTERS)
    return f"Theorem {THEOREM} : {text}."


def sentence(move: Move) -> str:
    """The tactic of a move, without a full stop. Raises IllegalMove for what could be no move of any goal."""
    rule = RULES.get(move.rule)
    if rule is None:
        raise IllegalMove(f"{move.rule} is not a rule; the rules are {', '.join(RULES)}.")
    if not rule.takes_hypothesis:
        if move.hypothesis is not None:
            raise IllegalMove(f"{rule.name} takes no hypothesis; leave out {move.hypothesis}.")
        return f"d_{rule.name}"
    if move.hypothesis is None:
        raise IllegalMove(f"{rule.name} needs a hypothesis, as in {rule.name} H.")
    if not _IDENTIFIER.fullmatch(move.hypothesis) or move.hypothesis in RESERVED:
        raise IllegalMove(f"{rule.name}: {move.hypothesis!r} cannot be the name of a hypothesis.")
    return f"d_{rule.name} {move.hypothesis}"


def at_once(script: Script) -> str | None:
    """A script as one tactic, each goal's moves in a branch of their own; None if it is too long, or no whole proof.

    One sentence is executed faster than many. It is accepted by Coq only if the moves one by one are.
    """
    if not script or len(script) > _LONGEST_AT_ONCE:
        return None
    pieces: list[str] = []
    # What is to be written between goals still open, the next one last.
    pending = [""]
    for move in script:
        if not pending:
            return None
        pieces.append(pending.pop())
        try:
            pieces.append(sentence(move))
        except IllegalMove:
            return None
        premises = len(RULES[move.rule].premises)
        if premises == 0:
            while pending and pending[-1] == "]":
                pieces.append(pending.pop())
        elif premises == 1:
            pending.append("; ")
        else:
            pieces.append("; [ ")
            pending += ["]", " | ", ""]
    return None if pending else "".join(pieces)


def shown(goals: Sequence[PrintedGoal], formula: Formula, names: Mapping[str, str]) -> tuple[ShownGoal, ...]:
    """Read printed goals: without the atoms among the hypotheses, one name a hypothesis, with our names for atoms."""
    own = {names.get(atom.name, atom.name) for atom in atoms(formula)}
    return tuple(
        ShownGoal(
            tuple(
                (name, named_back(text, names))
                for name, text in chain.from_iterable(map(_named, goal.hypotheses))
                if name not in own
            ),
            named_back(goal.conclusion, names),
        )
        for goal in goals
    )


def _named(line: str) -> Iterator[tuple[str, str]]:
    together, _, text = line.partition(" : ")
    for name in together.split(", "):
        yield name, text


def reason(move: Move, said: str, names: Mapping[str, str]) -> str:
    """The reason for which Coq refused a move, without its own wrapping."""
    plain = named_back(re.sub(r"^Tactic failure: |\(level \d+\)", "", said).strip(), names).removesuffix(".")
    if plain == "No such goal":
        return f"{move}: nothing is left to prove; leave this move out."
    if found := re.fullmatch(r"No such hypothesis: (\S+)", plain):
        return f"{move.rule}: no hypothesis is called {found[1]}."
    return f"{plain}." if plain.startswith(f"{move.rule}:") else f"{move.rule}: {plain}."
