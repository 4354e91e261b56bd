"""Generators: ways in which a new draft comes about, before the policy goes on with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from oasis.ground.splitmix import SplitMix64
from oasis.search.bounds import Countermodels
from oasis.search.evolution.drafts import Draft, between, end, filled, holes, opened, played
from oasis.search.evolution.population import Population
from oasis.search.graph import AndOrGraph
from tactics.formula import FALSE, Atom, Formula, Or, subformulas
from tactics.goal import Goal
from tactics.rules import CAN_LOSE

_CANDIDATES: Final = 16
"""Lemmas that are judged for one that may go in between."""


@dataclass
class Ground:
    """What generators work on.

    Attributes:
        graph: of goals.
        root: the number of the lemma.
        population: of drafts.
        models: judge lemmas before anybody tries to prove them.
        proposed: goals with the lemmas that were proposed for them, none of them twice.
    """

    graph: AndOrGraph
    root: int
    population: Population
    models: Countermodels = field(default_factory=Countermodels)
    proposed: set[tuple[int, Formula]] = field(default_factory=set)


def _anew(ground: Ground, rng: SplitMix64) -> Draft:
    """Begin with the lemma."""
    return Draft(opened(ground.graph.goals, ground.root), "anew", ())


def _continue(ground: Ground, rng: SplitMix64) -> Draft:
    """Go on with a draft as it is."""
    parent = ground.population.select(rng)
    return Draft(parent.lines, "continue", (parent,))


def _mutate(ground: Ground, rng: SplitMix64) -> Draft | None:
    """Make another choice somewhere in a draft; None if there is none that is not known to be in vain."""
    parent, graph = ground.population.select(rng), ground.graph
    others: list[tuple[int, int]] = []
    for place, (goal, move, _) in enumerate(parent.lines):
        edges = graph.goals.edges(goal) if move >= 0 else ()
        if edges and edges[move][0][0] in CAN_LOSE:
            dead = graph.reach(goal).dead
            others += [(place, other) for other in range(len(edges)) if other != move and not dead >> other & 1]
    if not others:
        return None
    place, other = others[rng.below(len(others))]
    part = played(graph.goals, parent.lines[place].goal, other)
    return Draft(filled(graph.goals, parent.lines, place, part), "mutate", (parent,))


def _recombine(ground: Ground, rng: SplitMix64) -> Draft | None:
    """Put what another draft has for a goal, the same up to renaming, into a draft; None if they share none."""
    parent, goals = ground.population.select(rng), ground.graph.goals
    own = {line.goal: place for place, line in enumerate(parent.lines) if place and len(goals.edges(line.goal)) > 1}
    offers = [
        (own[line.goal], donor, start)
        for donor in ground.population.drafts
        for start, line in enumerate(donor.lines)
        if line.goal in own and line.move >= 0 and line != parent.lines[own[line.goal]]
    ]
    if not offers:
        return None
    place, donor, start = offers[rng.below(len(offers))]
    part = donor.lines[start : end(goals, donor.lines, start)]
    return Draft(filled(goals, parent.lines, place, part), "recombine", (parent, donor))


def _decompose(ground: Ground, rng: SplitMix64) -> Draft | None:
    """Put a lemma before an open goal of a draft: one that no model refutes, nor the goal that it helps to prove."""
    parent, goals = ground.population.select(rng), ground.graph.goals
    open_places = holes(parent.lines)
    if not open_places:
        return None
    place = open_places[rng.below(len(open_places))]
    number = parent.lines[place].goal
    goal = goals.goal(number)
    for lemma in _lemmas(goal, rng):
        if (number, lemma) not in ground.proposed:
            ground.proposed.add((number, lemma))
            if not ground.models.refute(Goal(goal.hypotheses, lemma)):
                return Draft(filled(goals, parent.lines, place, between(goals, number, lemma)), "decompose", (parent,))
    return None


def _lemmas(goal: Goal, rng: SplitMix64) -> list[Formula]:
    """Return formulas that may help to prove a goal: atoms, disjunctions, and disjunctions of two parts of it."""
    formulas = [formula for _, formula in goal.hypotheses]
    parts = list(dict.fromkeys(part for each in (*formulas, goal.conclusion) for part in subformulas(each)))
    known = {*formulas, goal.conclusion, FALSE}
    found: list[Formula] = [part for part in parts if isinstance(part, Atom | Or)]
    found += [Or(parts[rng.below(len(parts))], parts[rng.below(len(parts))]) for _ in range(len(found))]
    found = [each for each in found if each not in known]
    return [found.pop(rng.below(len(found))) for _ in range(min(_CANDIDATES, len(found)))]


GENERATORS: Final[Mapping[str, Callable[[Ground, SplitMix64], Draft | None]]] = {
    "continue": _continue,
    "mutate": _mutate,
    "recombine": _recombine,
    "decompose": _decompose,
    "anew": _anew,
}
"""By the names that a person types."""
