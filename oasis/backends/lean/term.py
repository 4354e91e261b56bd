"""Formulas, moves and scripts as Lean text, and what Lean shows of open goals read again.

A move is an application of the theorem in `tactics/dyckhoff.lean` that has the rule's name:
`Dyckhoff.destruct_and H (fun H H0 => …)`. No type is written in a term, so that whether a move fits is for Lean to
find out. Names of hypotheses are those of the calculus; what replaces a hypothesis hides it. Every function here walks
with a stack of its own, so nesting is limited by Lean alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from oasis.backends.base import BackendError
from oasis.backends.lean.process import Message
from oasis.backends.lean.words import RESERVED
from tactics.errors import InputError
from tactics.formula import FALSE, And, Atom, Formula, Implies, Or, atoms, nested
from tactics.goal import Goal, Hypothesis, Move, initial
from tactics.rules import RULES, IllegalMove, premises
from tactics.script import Script

MAX_CHARACTERS: Final = 4_000_000
_IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_']*")
_TOKEN: Final = re.compile(r"\s*(?:([^\W\d][\w']*)|(→)|(\()|(\)))")
_PLACEHOLDER: Final = "don't know how to synthesize placeholder"
_CASE: Final = re.compile(r"^context:\ncase (\w+)\n", re.MULTILINE)

# Letters that no atom has in Lean: an atom with other letters than ASCII's gets another name.
_PRINCIPAL, _REPLACEMENT, _LATER = "η", "θ", "δ"

Names = Mapping[str, str]
"""Atoms that have another name in Lean, ours to Lean's."""


class Proof(NamedTuple):
    """A script as a term, as far as it applies: the move that does not, from 1, or the number of goals left open."""

    term: str
    refused: int | None
    refused_in: Goal | None
    open: int


def formula_text(formula: Formula, names: Names, limit: int | None = None) -> str:
    """A formula in prefix form, with `→` for implication. Raises InputError if it is too long to be written out."""
    limit = MAX_CHARACTERS if limit is None else limit
    pieces: list[str] = []
    length = 0
    pending: list[str | Formula] = [formula]
    while pending:
        node = pending.pop()
        match node:
            case And(left, right) | Or(left, right):
                pending += [*_bracketed(right, True), " ", *_bracketed(left, True), f"{type(node).__name__} "]
            case Implies(left, right):
                pending += [right, " → ", *_bracketed(left, False)]
            case _:
                word = node if isinstance(node, str) else "False"
                if isinstance(node, Atom):
                    word = names.get(node.name, node.name)
                pieces.append(word)
                length += len(word)
                if length > limit:
                    raise InputError(f"In Lean this formula has more than {limit:,} characters; try a smaller one.")
    return "".join(pieces)


def _bracketed(formula: Formula, argument: bool) -> list[str | Formula]:
    """A side of a connective, last piece first; an argument stands in brackets unless it is one word."""
    needs = isinstance(formula, And | Or | Implies) if argument else isinstance(formula, Implies)
    return [")", formula, "("] if needs else [formula]


def statement(formula: Formula, names: Names) -> str:
    """A lemma as the binders of its atoms, a colon and the formula."""
    return f"{_binders(formula, names)}: {formula_text(formula, names)}"


def _binders(formula: Formula, names: Names) -> str:
    variables = [names.get(atom.name, atom.name) for atom in atoms(formula)]
    return f"({' '.join(variables)} : Prop) " if variables else ""


def proof(formula: Formula, script: Script) -> Proof:
    """A script as one term; the goals that it leaves open are holes ?g1, ?g2 and so on."""
    pieces: list[str] = []
    pending: list[str | Goal] = list(initial(formula))
    moves = list(enumerate(script, 1))[::-1]
    holes = 0
    while pending:
        entry = pending.pop()
        if isinstance(entry, str):
            pieces.append(entry)
        elif moves:
            number, move = moves.pop()
            try:
                after = premises(entry, move)
            except IllegalMove:
                return Proof("", number, entry, 0)
            pending += reversed(_applied(entry, move, after))
        else:
            holes += 1
            pieces.append(f"?g{holes}")
    if moves:
        return Proof("".join(pieces), moves[-1][0], None, 0)
    return Proof("".join(pieces), None, None, holes)


def _applied(goal: Goal, move: Move, after: tuple[Goal, ...]) -> list[str | Goal]:
    """A move as pieces of a term, with its premises where their proofs belong."""
    rule = RULES[move.rule]
    parts: list[str | Goal] = [_head(move, next(iter(givens(goal, move))))]
    for premise, left in zip(rule.premises, after, strict=True):
        names = [move.hypothesis] if premise.replacement is not None else []
        names += [goal.fresh_name()] if premise.addition is not None else []
        parts += [f" (fun {' '.join(map(str, names))} => " if names else " (", left, ")"]
    return parts


def _head(move: Move, given: str | None) -> str:
    return " ".join(word for word in (f"Dyckhoff.{move.rule}", move.hypothesis, given) if word is not None)


def givens(goal: Goal, move: Move) -> list[str | None]:
    """What may stand for the hypothesis that a rule wants beside its own: the first that fits, else every one.

    None where the rule wants no other.
    """
    if RULES[move.rule].given is None:
        return [None]
    wanted: Formula | None = FALSE if move.rule == "contradiction" else goal.conclusion
    if move.rule == "imply1":
        principal = next((formula for name, formula in goal.hypotheses if name == move.hypothesis), None)
        wanted = principal.left if isinstance(principal, Implies) else None
    fitting = [name for name, formula in goal.hypotheses if formula is wanted]
    # Of hypotheses that say the same, one is enough.
    different = {formula: name for name, formula in reversed(goal.hypotheses)}
    return [*fitting[:1]] or [*reversed(different.values())]


def is_askable(move: Move) -> bool:
    """Whether a move can be put into a term at all: its rule exists, and what it names is a name where it wants one."""
    rule = RULES.get(move.rule)
    if rule is None or rule.takes_hypothesis != (move.hypothesis is not None):
        return False
    return move.hypothesis is None or (
        _IDENTIFIER.fullmatch(move.hypothesis) is not None and move.hypothesis not in RESERVED
    )


def questions(formula: Formula, goal: Goal, move: Move, names: Names) -> list[str]:
    """Nameless theorems, a line each, of which Lean takes one up to its holes exactly if a move applies to a goal.

    The holes ?g1 and ?g2 then are the premises, with names and order of the calculus. There is one theorem for each
    hypothesis that might be what the rule wants beside its own. The move must be askable.
    """
    rule = RULES[move.rule]
    places = [place for place, hypothesis in enumerate(goal.hypotheses) if hypothesis.name == move.hypothesis]
    called = {name: name for name, _ in goal.hypotheses}
    later: list[str] = []
    if places:
        # The principal hypothesis goes away. Where another takes its place, those after it are introduced once more.
        called[goal.hypotheses[places[0]].name] = _PRINCIPAL
        if any(premise.in_place for premise in rule.premises):
            later = [name for name, _ in goal.hypotheses[places[0] + 1 :]]
            called |= {name: f"{_LATER}{number}" for number, name in enumerate(later)}
    context = _context(goal, called, names)
    asked = f"{_binders(formula, names)}{context}: {formula_text(goal.conclusion, names)}"
    branches = []
    for number, premise in enumerate(rule.premises, 1):
        hole = f"?g{number}"
        added = [goal.fresh_name()] if premise.addition is not None else []
        if premise.replacement is None:
            branches.append(f" (fun {added[0]} => {hole})" if added else f" {hole}")
            continue
        clear = f"clear% {_PRINCIPAL}; " if places else ""
        again = [(called[name], name) for name in later]
        if later and not premise.in_place:
            again.append((_REPLACEMENT, str(move.hypothesis)))
        first = _REPLACEMENT if later and not premise.in_place else move.hypothesis
        moved = "".join(f"Dyckhoff.move_last {old} (fun {name} => clear% {old}; " for old, name in again)
        branches.append(f" (fun {' '.join([str(first), *added])} => {clear}{moved}{hole}{')' * len(again)})")
    principal = move.hypothesis and called.get(move.hypothesis, names.get(move.hypothesis, move.hypothesis))
    heads = [_head(Move(move.rule, principal), given and called[given]) for given in givens(goal, move)]
    return [f"example {asked} := {head}{''.join(branches)}" for head in heads]


def _context(goal: Goal, called: Mapping[str, str], names: Names) -> str:
    """The hypotheses of a goal as binders. Raises InputError if they are too long to be written out."""
    binders: list[str] = []
    length = 0
    for name, formula in goal.hypotheses:
        binders.append(f"({called[name]} : {formula_text(formula, names)}) ")
        length += len(binders[-1])
        if length > MAX_CHARACTERS:
            raise InputError(f"In Lean this goal has more than {MAX_CHARACTERS:,} characters; try a smaller lemma.")
    return "".join(binders)


def open_goals(messages: Sequence[Message], ours: Mapping[str, Formula], avoid: frozenset[str]) -> dict[str, Goal]:
    """The goals that Lean shows for the holes of a theorem, by the hole's name."""
    found = {}
    for message in messages:
        case = _CASE.search(message.text)
        if message.text.startswith(_PLACEHOLDER) and case is not None:
            hypotheses, conclusion = shown_goal(message.text[case.end() :])
            named = tuple(Hypothesis(name, shown_formula(said, ours)) for name, said in hypotheses)
            found[case[1]] = Goal(named, shown_formula(conclusion, ours), avoid)
    return found


def refusals(messages: Sequence[Message]) -> list[str]:
    """What Lean objects to in a theorem, holes aside."""
    return [
        message.text
        for message in messages
        if message.severity != "information" and not message.text.startswith((_PLACEHOLDER, "internal exception"))
    ]


def shown_goal(text: str) -> tuple[list[tuple[str, str]], str]:
    """Hypotheses by name and conclusion from lines such as `case left`, `H H0 : A` and `⊢ B`. Raises BackendError.

    A line that begins with a space goes on with the one before.
    """
    hypotheses: list[tuple[str, str]] = []
    for line in re.sub(r"\n\s+", " ", text).splitlines():
        if line.startswith("⊢"):
            return hypotheses, line[1:]
        names, colon, shown = line.partition(" : ")
        if colon and shown != "Prop":
            hypotheses += [(name, shown) for name in names.split()]
    raise BackendError("Lean showed a goal without a conclusion; use another version of Lean.")


def shown_formula(text: str, ours: Mapping[str, Formula]) -> Formula:
    """The formula that Lean shows in prefix form, its words looked up in `ours`. Raises BackendError."""
    levels: list[list[Formula | type[And] | type[Or]]] = [[]]
    antecedents: list[list[Formula]] = [[]]
    try:
        for word, arrow, opened, closed in _tokens(text):
            if opened:
                levels.append([])
                antecedents.append([])
            elif arrow:
                antecedents[-1].append(_one(levels[-1]))
                levels[-1] = []
            elif closed:
                whole = nested(Implies, [*antecedents.pop(), _one(levels.pop())])
                levels[-1].append(whole)
            else:
                levels[-1].append(And if word == "And" else Or if word == "Or" else ours[word])
        (level,), (before,) = levels, antecedents
        return nested(Implies, [*before, _one(level)])
    except (ValueError, KeyError, IndexError, TypeError):
        raise BackendError(f"Lean showed {text[:80]!r}, which is no formula; use another version of Lean.") from None


def _tokens(text: str) -> Iterator[tuple[str, str, str, str]]:
    text = text.strip()
    place = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            raise ValueError(text)
        place = token.end()
        word, arrow, opened, closed = token.groups("")
        yield word, arrow, opened, closed


def _one(level: list[Formula | type[And] | type[Or]]) -> Formula:
    """The formula that stands between arrows and brackets: one alone, or a connective with two arguments."""
    match level:
        case [Formula() as formula]:
            return formula
        case [type() as connective, Formula() as left, Formula() as right]:
            return (And if connective is And else Or)(left, right)
        case _:
            raise ValueError(level)
