"""The first difference between two states, in words that a person can check.

From coarse to fine: the number of goals, of hypotheses, the formulas each for itself, the number of atoms, and at last
the one renaming that would have to serve all formulas. That there is a difference at all is not found out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Final, NamedTuple

from state_spaces.mismatch import Item, Mismatch, Step, find_mismatch
from state_spaces.shape import shape
from tactics.formula import Atom, Formula, renamed
from tactics.goal import Goal, Hypothesis
from tactics.printer import Notation, brief

_FEW: Final = 8
"""How many things a sentence lists at most."""


def first_difference(one: Sequence[Goal], other: Sequence[Goal], notation: Notation, *, number: bool) -> str:
    """What tells goals apart that no renaming makes the same; with `number` it says which goal is meant."""
    return next(_differences(one, other, _Words(notation, number)))


def atoms_of(goals: Iterable[Goal]) -> list[Atom]:
    """The atoms of some goals, as they occur."""
    formulas = [formula for goal in goals for formula in (*(each.formula for each in goal.hypotheses), goal.conclusion)]
    return list(dict.fromkeys(atom for formula in formulas for atom in shape(formula).atoms))


def _differences(one: Sequence[Goal], other: Sequence[Goal], words: _Words) -> Iterator[str]:
    """Sentences, the coarsest difference first; each is true only if no coarser one was found."""
    if not one or not other:
        proved, unproved = ("first", "second") if not one else ("second", "first")
        yield f"The {proved} state is proved, the {unproved} is not."
    if len(one) != len(other):
        yield f"The first state has {_counted(len(one), 'goal')}, the second {len(other)}."
    goals = list(enumerate(zip(one, other, strict=True)))
    for place, (here, there) in goals:
        if len(here.hypotheses) != len(there.hypotheses):
            ours, theirs = _counted(len(here.hypotheses), "hypothesis"), len(there.hypotheses) or "none"
            yield words.sentence(place, f"the first state has {ours}, the second {theirs}.")
    for place, (here, there) in goals:
        if shape(here.conclusion).digest != shape(there.conclusion).digest:
            one_formula, other_formula = words.formula(here.conclusion), words.formula(there.conclusion)
            yield words.sentence(
                place, f"no renaming of atoms turns the conclusion {one_formula} into {other_formula}."
            )
    for place, (here, there) in goals:
        yield from _unpaired(here, there, place, words)
    atoms, other_atoms = atoms_of(one), atoms_of(other)
    if len(atoms) != len(other_atoms):
        yield (
            f"The formulas correspond one by one, but the first state has {_counted(len(atoms), 'atom')}"
            f"{words.atoms(atoms)} and the second {len(other_atoms)}{words.atoms(other_atoms)}."
        )
    yield _mismatch(find_mismatch(one, other), other_atoms, words)


class _Words(NamedTuple):
    """What things are called; with `number` goals have one."""

    notation: Notation
    number: bool

    def sentence(self, place: int, text: str) -> str:
        return f"In goal {place + 1} {text}" if self.number else text[0].upper() + text[1:]

    def formula(self, formula: Formula) -> str:
        return brief(formula, self.notation)

    def atom(self, atom: Atom) -> str:
        return self.notation.atom(atom.name)

    def atoms(self, atoms: Sequence[Atom]) -> str:
        return f" ({', '.join(map(self.atom, atoms))})" if 0 < len(atoms) <= _FEW else ""

    def hypotheses(self, hypotheses: Sequence[Hypothesis]) -> str:
        names = [hypothesis.name for hypothesis in hypotheses]
        return f" ({', '.join(names)})" if 0 < len(names) <= _FEW else ""

    def image(self, item: Item) -> str:
        formula = self.formula(item.formula)
        return f"{', '.join(item.hypotheses)} : {formula}" if item.hypotheses else formula

    def item(self, item: Item) -> str:
        place = f" of goal {item.goal + 1}" if self.number else ""
        return f"{self.image(item)}{place}" if item.hypotheses else f"the conclusion {self.image(item)}{place}"


def _unpaired(here: Goal, there: Goal, place: int, words: _Words) -> Iterator[str]:
    """Hypotheses of a shape that is not equally frequent in both goals."""
    ours, theirs = _by_shape(here), _by_shape(there)
    for digest in ours | theirs:
        group, other_group = ours.get(digest, []), theirs.get(digest, [])
        if len(group) != len(other_group):
            formula = words.formula((group or other_group)[0].formula)
            yield words.sentence(
                place,
                f"the first state has {_counted(len(group), 'hypothesis')} equal to {formula} up to renaming"
                f"{words.hypotheses(group)}, the second {len(other_group) or 'none'}{words.hypotheses(other_group)}.",
            )


def _by_shape(goal: Goal) -> dict[bytes, list[Hypothesis]]:
    groups: dict[bytes, list[Hypothesis]] = {}
    for hypothesis in goal.hypotheses:
        groups.setdefault(shape(hypothesis.formula).digest, []).append(hypothesis)
    return groups


def _mismatch(found: Mismatch, other_atoms: Iterable[Atom], words: _Words) -> str:
    """How the renaming comes about, and what it then makes of a formula that is not there."""
    item, often = words.item(found.item), _times(len(found.item.hypotheses))
    if not found.steps:
        return (
            f"The first state says {item} {often}, and the second says no formula equal to it up to renaming {often}: "
            f"there {_alike(found.alike, words)}."
        )
    settled = ", ".join(f"{words.atom(atom)} ↦ {words.atom(name)}" for atom, name in found.renaming.items())
    choices = [step.others for step in found.steps if step.others]
    rest = "" if not choices else "; the other choice fails too" if choices == [1] else "; all other choices fail too"
    return (
        "The formulas correspond one by one, but no single renaming serves all: "
        f"{', '.join(_step(step, words) for step in found.steps)}, so {settled}; then {item} would have to become "
        f"{_image(found, other_atoms, words)}, but there {_alike(found.alike, words)}{rest}."
    )


def _step(step: Step, words: _Words) -> str:
    if step.others:
        return f"let {words.item(step.item)} become {words.image(step.image)}"
    return f"{words.item(step.item)} must become {words.image(step.image)}"


def _image(found: Mismatch, other_atoms: Iterable[Atom], words: _Words) -> str:
    """What a formula would have to become; x, y, … are atoms that nothing says yet."""
    taken = {atom.name for atom in other_atoms}
    letters = (letter for number in count() for each in "xyz" if (letter := f"{each}{number or ''}") not in taken)
    free = {atom: Atom(next(letters)) for atom in shape(found.item.formula).atoms if atom not in found.renaming}
    names = {atom.name: name.name for atom, name in (found.renaming | free).items()}
    text = words.formula(renamed(found.item.formula, names))
    if free:
        kind = "with an atom" if len(free) == 1 else "with different atoms"
        text += f" {kind} {', '.join(map(words.atom, free.values()))}"
        if found.taken:
            text += f" other than {', '.join(map(words.atom, found.taken))}"
    if found.said_otherwise:
        text += f", said {_times(len(found.item.hypotheses))}"
    return text


def _alike(items: Sequence[Item], words: _Words) -> str:
    if len(items) > _FEW:
        return f"are only {len(items)} others"
    return f"{'is' if len(items) == 1 else 'are'} only {', '.join(map(words.image, items))}"


def _counted(number: int, noun: str) -> str:
    """A number and its noun, which is one of this module's."""
    plural = "hypotheses" if noun == "hypothesis" else f"{noun}s"
    return f"{number or 'no'} {noun if number == 1 else plural}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
