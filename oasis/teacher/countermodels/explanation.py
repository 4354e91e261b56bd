"""Why a countermodel refutes what it refutes, in words: from the root down along Kripke's clauses to the atoms.

Each sentence takes a formula and a world, and gives as its reason what the clause for the outermost connective asks
for; compound reasons get sentences of their own. Where that would become long, the last sentence says what is missing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from oasis.ground.plural import conjunction
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.shrinking import members
from oasis.teacher.deciding.clauses import parts, uncurried
from tactics.formula import FALSE, TRUTH, And, Atom, Formula, Implies, Or, atoms
from tactics.printer import COQ, Notation, brief, show

MAX_STEPS = 12
_MOST_LISTED = 4


class Claim(NamedTuple):
    """That a formula is true at a world, or that it is not."""

    world: int
    formula: Formula
    true: bool

    @property
    def is_plain(self) -> bool:
        """Whether the drawing shows it at once."""
        return isinstance(self.formula, Atom) or self.formula in (FALSE, TRUTH)


class Step(NamedTuple):
    """A claim, the claims that it follows from, and that it does, in words."""

    claim: Claim
    reasons: tuple[Claim, ...]
    sentence: str


@dataclass(frozen=True)
class Explanation:
    """Why, sentence by sentence.

    Attributes:
        opening: what the model shows, a sentence.
        steps: why, outer formulas before their parts.
        left_out: how many claims that ask for a reason have no step.
        is_smallest: whether it is certain that no countermodel has fewer worlds.
        called: what a world is called in the sentences.
    """

    opening: str
    steps: tuple[Step, ...]
    left_out: int
    is_smallest: bool
    called: str = "world"

    @property
    def sentences(self) -> list[str]:
        """All of it."""
        closing = []
        if self.left_out:
            what = "One of these claims is" if self.left_out == 1 else f"{self.left_out} of these claims are"
            closing = [f"{what} not taken apart further, to keep this short."]
        if not self.is_smallest:
            closing.append(f"Whether a model with fewer {self.called}s would do as well is not known.")
        return [self.opening, *(step.sentence for step in self.steps), *closing]


def explain(
    countermodel: Countermodel, notation: Notation = COQ, max_steps: int = MAX_STEPS, *, called: str = "world"
) -> Explanation:
    """Why the root forces the hypotheses and not the conclusion, in at most so many steps.

    Args:
        countermodel: which one.
        notation: of formulas.
        max_steps: how many sentences there are at most.
        called: what a world is called, for readers to whom that word means something else.
    """
    explainer = _Explainer(countermodel, notation, called)
    whole = [
        Claim(0, countermodel.conclusion, False),
        *(Claim(0, formula, True) for formula in countermodel.hypotheses),
    ]
    steps: dict[Claim, Step] = {}
    pending = deque(whole)
    while pending and len(steps) < max_steps:
        claim = pending.popleft()
        if claim not in steps and not claim.is_plain:
            steps[claim] = explainer.step(claim)
            pending += steps[claim].reasons
    named = {claim for claim in whole if not claim.is_plain}
    named |= {reason for step in steps.values() for reason in step.reasons if not reason.is_plain}
    ordered, left_out = tuple(_depth_first(whole, steps)), len(named - set(steps))
    return Explanation(_opening(countermodel, called), ordered, left_out, countermodel.is_smallest, called)


def to_json(countermodel: Countermodel, notation: Notation = COQ) -> dict[str, Any]:
    """Return its worlds, whether there is none with fewer, and why it is one in words."""
    words = list(explain(countermodel, notation).sentences)
    return {"worlds": countermodel.worlds_to_json(), "is_smallest": countermodel.is_smallest, "words": words}


def case(countermodel: Countermodel, notation: Notation = COQ) -> str:
    """A countermodel of one world in a sentence: which atoms hold and which do not; empty if there are more worlds."""
    if len(countermodel.model.above) > 1:
        return ""
    known = [*countermodel.hypotheses, countermodel.conclusion]
    named = sorted({atom for formula in known for atom in atoms(formula)}, key=lambda atom: atom.name)
    said = [
        f"{show(atom, notation)} {'holds' if countermodel.forcing.forces(0, atom) else 'does not'}"
        for atom in sorted(named, key=lambda atom: not countermodel.forcing.forces(0, atom))
    ]
    if said and not any(countermodel.forcing.forces(0, atom) for atom in named):
        said[0] += " hold"
    return f"A case: {', '.join(said)}." if said else ""


def _opening(countermodel: Countermodel, called: str) -> str:
    lowest = f"{called} 0, the {'root' if called == 'world' else 'lowest'}"
    if not countermodel.hypotheses:
        return f"A theorem is true at all {called}s of all models; this formula is not true at {lowest}."
    return (
        f"What follows from hypotheses is true wherever they are; at {lowest}, they are true and the conclusion is not."
    )


def _depth_first(claims: Sequence[Claim], steps: dict[Claim, Step]) -> list[Step]:
    """The steps, each soon after the one that needs it first."""
    ordered: dict[Claim, Step] = {}
    pending = list(reversed(claims))
    while pending:
        claim = pending.pop()
        if claim in steps and claim not in ordered:
            ordered[claim] = steps[claim]
            pending += reversed(steps[claim].reasons)
    return list(ordered.values())


class _Explainer:
    """Reasons for claims about one model."""

    def __init__(self, countermodel: Countermodel, notation: Notation, called: str) -> None:
        self._model: Kripke = countermodel.model
        self._forcing = countermodel.forcing
        self._notation, self._called = notation, called

    def step(self, claim: Claim) -> Step:
        """The reasons for a claim that is right, and the sentence."""
        world, formula, true = claim
        match formula:
            case And() if true:
                conjuncts = parts(formula, And)
                reasons = [Claim(world, each, True) for each in conjuncts]
                because = f"{self._all(conjuncts)} {_is(conjuncts)}"
            case And():
                conjunct = self._simplest(world, parts(formula, And), False)
                reasons = [Claim(world, conjunct, False)]
                because = f"{self._text(conjunct)} is not"
            case Or() if true:
                disjunct = self._simplest(world, parts(formula, Or), True)
                reasons = [Claim(world, disjunct, True)]
                because = f"{self._text(disjunct)} is"
            case Or():
                disjuncts = parts(formula, Or)
                reasons = [Claim(world, each, False) for each in disjuncts]
                because = self._none(disjuncts)
            case Implies(left, right) if true:
                reasons, because = self._implied(world, left, right)
            case _:
                reasons, because = self._not_implied(world, formula)
        sentence = (
            f"At {self._called} {world}, {self._text(formula)} is {'' if true else 'not '}true, because {because}."
        )
        return Step(claim, tuple(reasons), sentence)

    def _implied(self, world: int, left: Formula, right: Formula) -> tuple[list[Claim], str]:
        """Why every world from here on lacks the left side or has the right one."""
        from_here = self._model.above[world]
        with_left = from_here & self._forcing.worlds(left)
        if self._forcing.forces(world, right):
            stays = "" if from_here == 1 << world else " and stays so above"
            return [Claim(world, right, True)], f"{self._text(right)} is{stays}"
        lacking = [Claim(other, left, False) for other in self._highest(from_here & ~with_left)]
        if not with_left:
            here_alone = from_here == 1 << world
            nowhere = f"and no {self._called} lies above" if here_alone else f"nor at any {self._called} above"
            return lacking, f"{self._text(left)} is not, {nowhere}"
        lowest = self._lowest(with_left)
        where = f"{self._called}{'s' if len(lowest) > 1 else ''} {conjunction(list(map(str, lowest)))}"
        onwards = " and above" if any(self._model.above[other] != 1 << other for other in lowest) else ""
        because = f"{self._text(left)} becomes true only at {where}{onwards}, and {self._text(right)} is true there too"
        return [*lacking, *(Claim(other, right, True) for other in lowest)], because

    def _not_implied(self, world: int, formula: Formula) -> tuple[list[Claim], str]:
        """A world from here on, as high as possible, where the antecedents are true and the rest is not."""
        antecedents, last = uncurried(formula)
        against = self._model.above[world] & ~self._forcing.worlds(last)
        for antecedent in antecedents:
            against &= self._forcing.worlds(antecedent)
        other = self._highest(against)[0]
        reasons = [Claim(other, each, True) for each in antecedents]
        because = f"{self._all(antecedents)} {_is(antecedents)}"
        if other != world:
            because = f"at {self._called} {other}, which lies above, {because} true"
        if last is not FALSE:
            reasons.append(Claim(other, last, False))
            because += f" and {self._text(last)} is not"
        return reasons, because

    def _simplest(self, world: int, formulas: Sequence[Formula], true: bool) -> Formula:
        """The smallest of some formulas that is true at a world, or is not."""
        return min((each for each in formulas if self._forcing.forces(world, each) == true), key=lambda each: each.size)

    def _highest(self, worlds: int) -> list[int]:
        """Of these worlds, those with none of them above; those with fewest worlds above first."""
        highest = [world for world in members(worlds) if self._model.above[world] & worlds == 1 << world]
        return sorted(highest, key=lambda world: self._model.above[world].bit_count())

    def _lowest(self, worlds: int) -> list[int]:
        """Of these worlds, those that lie above none of them."""
        beyond = 0
        for world in members(worlds):
            beyond |= self._model.above[world] & ~(1 << world)
        return list(members(worlds & ~beyond))

    def _text(self, formula: Formula) -> str:
        return brief(formula, self._notation)

    def _all(self, formulas: Sequence[Formula]) -> str:
        return conjunction(self._texts(formulas))

    def _none(self, formulas: Sequence[Formula]) -> str:
        texts = self._texts(formulas)
        if len(texts) == 1:
            return f"{texts[0]} is not"
        return f"neither {texts[0]} nor {texts[1]} is" if len(texts) == 2 else f"none of {conjunction(texts)} is"

    def _texts(self, formulas: Sequence[Formula]) -> list[str]:
        """The formulas as text, of many only the first ones and how many more there are."""
        if len(formulas) <= _MOST_LISTED:
            return [self._text(each) for each in formulas]
        shown = [self._text(each) for each in formulas[: _MOST_LISTED - 1]]
        return [*shown, f"{len(formulas) - len(shown)} others"]


def _is(formulas: Sequence[Formula]) -> str:
    return "is" if len(formulas) == 1 else "are"
