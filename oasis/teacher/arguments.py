"""Why a move and not another, as claims that the oracle makes of what each move wants, and that can be checked.

Where only `left`, `right` and `imply4` are left, each keeps a provable goal so exactly if one formula follows from its
hypotheses: the side that is chosen, or of `(C -> D) -> B` the implication `C -> D`. A claim is about this formula: it
is at hand, it can be proved, or it cannot, with a countermodel. Claims can be checked one by one, whoever makes them, a
language model for instance.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from oasis.teacher.countermodels.countermodel import Countermodel, refute
from oasis.teacher.countermodels.forcing import NotACountermodel, check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.errors import InputError
from tactics.formula import Atom
from tactics.goal import Goal
from tactics.parser import parse
from tactics.printer import COQ, Notation, show
from tactics.rules import first_safe, legal_moves, wanted
from tactics.script import parse_move

_CLAIM: Final = re.compile(
    r"^(?:(?P<move>\w+(?: \w+)?): )?(?P<formula>\S.*?) (?:"
    r"is at hand, as (?P<hypothesis>\w+)|can(?P<not>not)? be proved(?:: countermodel (?P<model>.+))?)\.$",
    re.MULTILINE,
)
_SAFE: Final = re.compile(r"^(?P<move>\w+(?: \w+)?) loses nothing\.$", re.MULTILINE)
_WORLD: Final = re.compile(r"(?P<number>\d+)(?: above (?P<below>[\d ]+))? \{(?P<true>[^}]*)\}")


class Checked(NamedTuple):
    """A claim as it was made, and whether it is right."""

    claim: str
    is_right: bool


def argued(goal: Goal, oracle: Intuit, notation: Notation = COQ) -> str:
    """Say in a line for each legal move what speaks for it or against it, or only name one that cannot lose.

    Raises InputError for formulas too long to write out, and LimitReached.
    """
    moves = legal_moves(goal)
    if (safe := first_safe(moves)) is not None:
        return f"{safe} loses nothing.\n"
    formulas = [formula for _, formula in goal.hypotheses]
    lines = []
    for move in moves:
        formula = wanted(goal, move)
        assert formula is not None
        name = next((name for name, each in goal.hypotheses if each is formula), None)
        if name is not None:
            said = f"is at hand, as {name}"
        elif (countermodel := refute(formulas, formula, oracle)) is None:
            said = "can be proved"
        else:
            said = f"cannot be proved: countermodel {_shown(countermodel)}"
        lines.append(f"{move}: {show(formula, notation)} {said}.\n")
    return "".join(lines)


def checked(goal: Goal, text: str, oracle: Intuit) -> list[Checked]:
    """Return the claims of a text about a goal, whoever wrote it; what is no claim is passed over.

    A claim about a move is also that this move wants the formula. Raises LimitReached.
    """
    found = [*_CLAIM.finditer(text), *_SAFE.finditer(text)]
    return [Checked(each[0], _is_right(goal, each, oracle)) for each in sorted(found, key=re.Match.start)]


def _is_right(goal: Goal, claim: re.Match[str], oracle: Intuit) -> bool:
    said = claim.groupdict()
    try:
        move = None if said["move"] is None else parse_move(said["move"])
        if "formula" not in said:
            return move is not None and move in legal_moves(goal) and wanted(goal, move) is None
        formula = parse(said["formula"])
    except InputError:
        return False
    if move is not None and (move not in legal_moves(goal) or wanted(goal, move) is not formula):
        return False
    hypotheses = dict(goal.hypotheses)
    if said["hypothesis"] is not None:
        return hypotheses.get(said["hypothesis"]) is formula
    is_provable = isinstance(oracle.decide([*hypotheses.values()], formula), Proved)
    if said["model"] is None or is_provable or not said["not"]:
        return is_provable == (not said["not"]) and said["model"] is None
    try:
        check(_read(said["model"]), [*hypotheses.values()], formula)
    except (NotACountermodel, ValueError):
        return False
    return True


def _shown(countermodel: Countermodel) -> str:
    """Write a countermodel in a line: for each world its number, those below it, and the atoms that are true there."""
    above = countermodel.model.above
    worlds = sorted(range(len(above)), key=lambda world: -above[world].bit_count())  # the lower ones first
    lines = []
    for number, world in enumerate(worlds):
        below = " ".join(str(lower) for lower in range(number) if above[worlds[lower]] >> world & 1)
        lines.append(f"{number}{below and f' above {below}'} {{{' '.join(countermodel.true_at(world))}}}")
    return ", ".join(lines)


def _read(text: str) -> Kripke:
    """Read what `_shown` writes. Raises ValueError for worlds that are not numbered from 0 on."""
    worlds = [each.groupdict() for each in _WORLD.finditer(text)]
    if [int(each["number"]) for each in worlds] != [*range(len(worlds))]:
        raise ValueError(text)
    above = [1 << world for world in range(len(worlds))]
    for world, each in enumerate(worlds):
        for lower in map(int, (each["below"] or "").split()):
            if lower >= world:
                raise ValueError(text)
            above[lower] |= 1 << world
    return Kripke(tuple(frozenset(map(Atom, each["true"].split())) for each in worlds), tuple(above))
