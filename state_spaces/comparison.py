"""Two states side by side: in which spaces they are the same, by which renaming, or what tells them apart.

This is for people who ask; a learner compares keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from state_spaces.canonical import label
from state_spaces.difference import atoms_of, first_difference
from state_spaces.simple import Simple
from tactics.formula import Formula
from tactics.goal import Goal, State, sequent
from tactics.printer import COQ, Notation


@dataclass(frozen=True)
class Bijection:
    """What becomes what when one state is renamed into another.

    Attributes:
        atoms: the names of the second state's atoms by those of the first's.
        hypotheses: the same for hypotheses, goal by goal; those that say the same are paired in their order.
    """

    atoms: dict[str, str]
    hypotheses: tuple[dict[str, str], ...]


@dataclass(frozen=True)
class Comparison:
    """How two states compare.

    Attributes:
        simple: whether they read the same.
        name: whether one bijection of atoms makes all their goals equal.
        match: whether one makes their focused goals equal.
        bijection: one for all goals if they are the same in Name, for the focused goals if only in Match, else None.
        difference: the first difference in the coarsest of Match and Name that tells them apart, in words; None exactly
            if they are the same in Name.
    """

    simple: bool
    name: bool
    match: bool
    bijection: Bijection | None
    difference: str | None

    def to_json(self) -> dict[str, Any]:
        """An object with these attributes."""
        return asdict(self)

    def paragraphs(self) -> list[str]:
        """What becomes what, a line each, and what tells the states apart, as far as they are known."""
        said = [] if self.difference is None else [self.difference]
        if self.bijection is None:
            return said
        hypotheses, alone = self.bijection.hypotheses, "" if self.name else " of goal 1"
        lines = [f"Atoms{alone}: {_arrows(self.bijection.atoms)}"]
        for number, names in enumerate(hypotheses, 1):
            of = f" of goal {number}" if len(hypotheses) > 1 else alone
            lines.append(f"Hypotheses{of}: {_arrows(names)}")
        return ["\n".join(lines), *said]


def _arrows(names: Mapping[str, str]) -> str:
    return ", ".join(f"{one} ↦ {other}" for one, other in names.items()) or "none"


def compare(one: State, other: State, notation: Notation = COQ) -> Comparison:
    """How two states compare, formulas written in `notation`. Raises TooSymmetric if a state gets no key."""
    simple = Simple().view(one).key == Simple().view(other).key
    several = len(one) > 1 or len(other) > 1
    by_name, by_match = _bijection(one, other), _bijection(one[:1], other[:1])
    if by_name is not None:
        return Comparison(simple, True, True, by_name, None)
    if by_match is not None:
        difference = first_difference(one, other, notation, number=several)
    else:
        difference = first_difference(one[:1], other[:1], notation, number=several)
    return Comparison(simple, False, by_match is not None, by_match, difference)


def _bijection(one: State, other: State) -> Bijection | None:
    """A bijection that makes all goals equal, if there is one; that which renames no atom, if it does."""
    ours, theirs = label(one), label(other)
    if ours.key != theirs.key:
        return None
    if list(map(sequent, one)) == list(map(sequent, other)):
        theirs = ours
    image = dict(zip(ours.formulas, theirs.formulas, strict=True))
    renaming = dict(zip(ours.atoms, theirs.atoms, strict=True))
    return Bijection(
        {atom.name: renaming[atom].name for atom in atoms_of(one)},
        tuple(_paired(here, there, image) for here, there in zip(one, other, strict=True)),
    )


def _paired(here: Goal, there: Goal, image: dict[Formula, Formula]) -> dict[str, str]:
    """The hypotheses of one goal with those of another that say their image."""
    names: dict[Formula, list[str]] = {}
    for name, formula in reversed(there.hypotheses):
        names.setdefault(formula, []).append(name)
    return {name: names[image[formula]].pop() for name, formula in here.hypotheses}
