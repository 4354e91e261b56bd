"""What training proofs teach: which rules were used on formulas of which shape, and which formulas occur how often.

Rules and shapes are the nodes of a bipartite graph, with an edge where a rule was used on a formula of that shape. It
is counted once and then stands still. Who played the proofs, and what is made of the graph, is not known here.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self

from oasis.dagger.kept import Kept
from oasis.dagger.shapes import Tactic
from oasis.dagger.shapes import shape as shape_of
from state_spaces.shape import shape as without_names
from tactics.formula import Formula, renamed, subformulas
from tactics.goal import Goal, Move, principal
from tactics.parser import parse
from tactics.printer import UNICODE, show
from tactics.rules import RULES

if TYPE_CHECKING:
    from oasis.dagger.episodes import Episode

LARGEST: Final = 60
"""Nodes of the largest formulas in the corpus, written out as trees; what is larger hardly occurs twice."""
CLOSING: Final = ("assumption", "contradiction")
"""The rules that close a goal."""


@dataclass(frozen=True, eq=False)
class Knowledge(Kept):
    """The graph of rules and shapes, and a corpus of formulas.

    Attributes:
        tactics: how often each tactic was used in the proofs; its keys are the edges of the graph.
        formulas: in how many lemmas a formula occurs, by its text with p0, p1, … for its atoms as they occur. Those of
            a lemma are the formulas in the goals that its proofs worked on, with their subformulas; of more than
            `LARGEST` nodes none.
        proofs: how many there were.
    """

    called = "knowledge"

    tactics: Mapping[Tactic, int] = field(default_factory=dict)
    formulas: Mapping[str, int] = field(default_factory=dict)
    proofs: int = 0

    def __post_init__(self) -> None:
        for name in ("tactics", "formulas"):  # as they were at this moment, in an order of their own
            object.__setattr__(self, name, MappingProxyType(dict(sorted(getattr(self, name).items()))))

    def __reduce__(self) -> tuple[object, ...]:
        return Knowledge, (dict(self.tactics), dict(self.formulas), self.proofs)

    @classmethod
    def of(cls, episodes: Iterable[Episode]) -> Self:
        """What the episodes that end in a proof teach; the others say nothing."""
        tactics: Counter[Tactic] = Counter()
        occurring: dict[Formula, set[Formula]] = {}
        proofs = 0
        for episode in episodes:
            if episode.proved:
                proofs += 1
                tactics.update(_edge(step.before[0], step.move) for step in episode.steps)
                found = occurring.setdefault(episode.lemma, set())
                for step in episode.steps:
                    goal = step.before[0]
                    for formula in (goal.conclusion, *(formula for _, formula in goal.hypotheses)):
                        if formula not in found:
                            found.update(subformulas(formula))
        corpus = Counter(text for found in occurring.values() for text in {*map(_text, filter(_is_small, found))})
        return cls(tactics, corpus, proofs)

    def degree(self, rule: str) -> int:
        """On how many shapes a rule was used."""
        return len(self._beside.get(rule, ()))

    def centrality(self, rule: str) -> float:
        """The degree of a rule as a share of the largest one, in [0, 1]; 0 where nothing is known."""
        return self._centralities.get(rule, 0.0)

    @cached_property
    def mean_centrality(self) -> float:
        """The mean centrality of a step of the proofs, in [0, 1]; so what exceeds it does not pay for length."""
        uses = sum(self.tactics.values())
        return sum(number * self.centrality(rule) for (rule, _), number in self.tactics.items()) / uses if uses else 0.0

    def hops(self, shape: str) -> int | None:
        """Edges from a shape to the nearest rule that closes a goal, at least 1; None if there is no path."""
        return min((hops for rule in CLOSING if (hops := self.hops_from_rule(rule, shape)) is not None), default=None)

    def hops_from_rule(self, rule: str, shape: str) -> int | None:
        """Edges from a rule to a shape, an odd number; None if there is no path."""
        return self._distances.get(rule, {}).get(shape)

    def frequency(self, formula: Formula) -> int:
        """In how many lemmas of the corpus a formula occurs, whatever its atoms are called."""
        return self._frequencies.get(without_names(formula).digest, 0) if _is_small(formula) else 0

    @cached_property
    def highest_frequency(self) -> int:
        """That of the most frequent formula; 0 where nothing is known."""
        return max(self.formulas.values(), default=0)

    def summary(self, top: int) -> dict[str, Any]:
        """Return what stands out in it, as JSON.

        It has the version as `knowledge`, `proofs`, `mean_centrality`, for each of the `rules` its `uses`, `degree` and
        `centrality`, the `tactics` and `formulas` that are most frequent, `top` of each, and as `distances` how many
        `shapes` are how many `hops` from a rule that closes a goal (null for those without a path).
        """
        tactics = sorted(self.tactics.items(), key=lambda each: -each[1])
        formulas = sorted(self.formulas.items(), key=lambda each: -each[1])
        uses: Counter[str] = Counter()
        for (rule, _), number in tactics:
            uses[rule] += number
        hops = Counter(map(self.hops, {shape for _, shape in self.tactics}))
        return {
            "knowledge": self.version,
            "proofs": self.proofs,
            "mean_centrality": self.mean_centrality,
            "rules": [
                {"rule": rule, "uses": uses[rule], "degree": self.degree(rule), "centrality": self.centrality(rule)}
                for rule in RULES
            ],
            "tactics": [{"rule": rule, "shape": shape, "uses": number} for (rule, shape), number in tactics[:top]],
            "formulas": [{"formula": formula, "lemmas": number} for formula, number in formulas[:top]],
            "distances": [
                {"hops": distance, "shapes": hops[distance]}
                for distance in sorted(hops, key=lambda each: (each is None, each or 0))
            ],
        }

    @classmethod
    def _made(cls, fields: Any) -> Self:
        tactics = {Tactic(rule, shape): number for rule, shape, number in fields["tactics"]}
        return cls(tactics, fields["formulas"], fields["proofs"])

    def _content(self) -> dict[str, Any]:
        return {
            "proofs": self.proofs,
            "tactics": [[*each, number] for each, number in self.tactics.items()],
            "formulas": dict(self.formulas),
        }

    @cached_property
    def _centralities(self) -> dict[str, float]:
        most = max(map(self.degree, RULES))
        return {rule: self.degree(rule) / most for rule in RULES} if most else {}

    @cached_property
    def _beside(self) -> dict[str, set[str]]:
        """Return the neighbours of each rule and of each shape."""
        beside: dict[str, set[str]] = {}
        for rule, shape in self.tactics:
            beside.setdefault(rule, set()).add(shape)
            beside.setdefault(shape, set()).add(rule)
        return beside

    @cached_property
    def _distances(self) -> dict[str, dict[str, int]]:
        """Return the number of edges from each rule to all that can be reached from it."""
        return {rule: self._walked(rule) for rule in RULES}

    def _walked(self, start: str) -> dict[str, int]:
        """Walk breadth-first, and count edges."""
        walked, pending = {start: 0}, deque([start])
        while pending:
            here = pending.popleft()
            for node in self._beside.get(here, set()) - walked.keys():
                walked[node] = walked[here] + 1
                pending.append(node)
        return walked

    @cached_property
    def _frequencies(self) -> dict[bytes, int]:
        """The frequencies by what is left of a formula without names."""
        return {without_names(parse(text)).digest: number for text, number in self.formulas.items()}


def _edge(goal: Goal, move: Move) -> Tactic:
    """The rule of a move and the shape of its principal formula.

    For `contradiction` it is that of the conclusion, without which hardly a shape leads to a rule that closes a goal.
    """
    return Tactic(move.rule, shape_of(principal(goal, move)))


def _is_small(formula: Formula) -> bool:
    return formula.size <= LARGEST


def _text(formula: Formula) -> str:
    """A formula with p0, p1, … for its atoms as they occur."""
    names = {atom.name: f"p{number}" for number, atom in enumerate(without_names(formula).atoms)}
    return show(renamed(formula, names), UNICODE, sugar=False)
