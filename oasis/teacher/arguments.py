"""Why a move and not another, as claims that the oracle makes of what each move wants, and that can be checked.

Where only `left`, `right` and `imply4` are left, each keeps a provable goal so exactly if one formula follows from its
hypotheses: the side that is chosen, or of `(C -> D) -> B` the implication `C -> D`. A claim is about this formula: it
is at hand, it can be proved, or it cannot, with a countermodel. Claims can be checked one by one, whoever makes them, a
language model for instance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from oasis.ground.limits import LimitReached
from oasis.teacher.countermodels.countermodel import Countermodel, refute
from oasis.teacher.countermodels.forcing import NotACountermodel, check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.decide import holds
from oasis.teacher.deciding.intuit import Intuit
from tactics.errors import InputError
from tactics.formula import Atom, Formula, atoms
from tactics.goal import Goal
from tactics.parser import parse
from tactics.printer import COQ, Notation, show
from tactics.rules import first_safe, legal_moves, wanted
from tactics.script import parse_move

_CLAIM: Final = re.compile(
    r"^(?:(?P<move>\w+(?: [\w']+)?): )?(?P<formula>\S.*?) (?:"
    r"is at hand, as (?P<hypothesis>\w+)|can(?P<not>not)? be proved(?:: countermodel (?P<model>.+))?)\.$",
    re.MULTILINE,
)
_SAFE: Final = re.compile(r"^(?P<move>\w+(?: [\w']+)?) loses nothing\.$", re.MULTILINE)
_WORLD: Final = re.compile(r"(?P<number>\d+)(?: above (?P<below>[\d ]+))? \{(?P<true>[^}]*)\}")


class Checked(NamedTuple):
    """A claim that was checked.

    Attributes:
        claim: as it was made.
        is_right: whether the oracle agrees; None if that is not known: the claim cannot be read, or is about an atom
            that the goal does not have, or the oracle's limit was reached first.
        formula: that it is about, as it was written; None for a claim that a move loses nothing.
        provable: whether it says that this can be proved; likewise None.
        probability: of the answer that is claimed, in [0.5, 1]; None for a claim that was written.
    """

    claim: str
    is_right: bool | None
    formula: str | None = None
    provable: bool | None = None
    probability: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return self._asdict()


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

    A claim about a move is also that this move wants the formula.
    """
    found = sorted([*_CLAIM.finditer(text), *_SAFE.finditer(text)], key=re.Match.start)
    return [_checked(goal, each, oracle) for each in found]


def answered(goal: Goal, answers: Mapping[Formula, float], oracle: Intuit, notation: Notation = COQ) -> list[Checked]:
    """Return somebody's answers to what can be proved from the hypotheses of a goal, as claims that were checked.

    The first is about the conclusion, the others are about what each move wants. An answer that is as likely as the
    other one is no claim.

    Args:
        goal: with these hypotheses.
        answers: for the conclusion, and for each formula that a legal move wants, the probability of yes, in [0, 1].
        oracle: checks.
        notation: of formulas.

    Raises InputError for formulas too long to write out.
    """
    found = []
    for move, formula in [(None, goal.conclusion), *((move, wanted(goal, move)) for move in legal_moves(goal))]:
        if formula is None or answers[formula] == 0.5:
            continue
        yes, text = answers[formula], show(formula, notation)
        claim = f"{'' if move is None else f'{move}: '}{text} {'can' if yes > 0.5 else 'cannot'} be proved."
        try:
            is_right = _follows(goal, formula, oracle) == (yes > 0.5)
        except LimitReached:
            is_right = None
        found.append(Checked(claim, is_right, text, yes > 0.5, max(yes, 1 - yes)))
    return found


def _checked(goal: Goal, claim: re.Match[str], oracle: Intuit) -> Checked:
    said = claim.groupdict()
    try:
        is_right = _is_right(goal, said, oracle)
    except (InputError, LimitReached):
        is_right = None
    formula = said.get("formula")
    return Checked(claim[0], is_right, formula, None if formula is None else not said["not"])


def _is_right(goal: Goal, said: Mapping[str, str | None], oracle: Intuit) -> bool | None:
    """Whether a claim is right; None if it is about other atoms. Raises LimitReached, and InputError for no formula."""
    move = None if said["move"] is None else parse_move(said["move"])
    if move is not None and move not in legal_moves(goal):
        return False
    wants = None if move is None else wanted(goal, move)
    text = said.get("formula")
    if text is None:
        return wants is None or _follows(goal, wants, oracle) or not holds(goal, oracle)
    formula = parse(text)
    hypotheses = dict(goal.hypotheses)
    known = {atom for each in (*hypotheses.values(), goal.conclusion) for atom in atoms(each)}
    if not known.issuperset(atoms(formula)):
        return None
    if move is not None and wants is not formula:
        return False
    if said["hypothesis"] is not None:
        return hypotheses.get(said["hypothesis"]) is formula
    is_provable = _follows(goal, formula, oracle)
    if said["model"] is None:
        return is_provable == (not said["not"])
    if is_provable or not said["not"]:
        return False
    try:
        check(_read(said["model"]), [*hypotheses.values()], formula)
    except (NotACountermodel, ValueError):
        return False
    return True


def _follows(goal: Goal, formula: Formula, oracle: Intuit) -> bool:
    """Whether a formula follows from the hypotheses of a goal. Raises LimitReached."""
    return holds(Goal(goal.hypotheses, formula, goal.avoid), oracle)


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
