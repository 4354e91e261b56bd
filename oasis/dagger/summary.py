"""Knowledge in a few numbers, as JSON can hold them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from oasis.dagger.knowledge import Knowledge
from tactics.rules import RULES


def summary(knowledge: Knowledge, top: int) -> dict[str, Any]:
    """What stands out in it.

    Gives its version as `knowledge`, `proofs`, `mean_centrality`, for each of the `rules` its `uses`, `degree` and
    `centrality`, the `tactics` and `formulas` that are most frequent, `top` of each, and as `distances` how many
    `shapes` are how many `hops` from a rule that closes a goal (null for those without a path).
    """
    tactics = sorted(knowledge.tactics.items(), key=lambda each: -each[1])
    formulas = sorted(knowledge.formulas.items(), key=lambda each: -each[1])
    uses: Counter[str] = Counter()
    for (rule, _), number in tactics:
        uses[rule] += number
    hops = Counter(map(knowledge.hops, {shape for _, shape in knowledge.tactics}))
    return {
        "knowledge": knowledge.version,
        "proofs": knowledge.proofs,
        "mean_centrality": knowledge.mean_centrality,
        "rules": [
            {
                "rule": rule,
                "uses": uses[rule],
                "degree": knowledge.degree(rule),
                "centrality": knowledge.centrality(rule),
            }
            for rule in RULES
        ],
        "tactics": [{"rule": rule, "shape": shape, "uses": number} for (rule, shape), number in tactics[:top]],
        "formulas": [{"formula": formula, "lemmas": number} for formula, number in formulas[:top]],
        "distances": [
            {"hops": distance, "shapes": hops[distance]}
            for distance in sorted(hops, key=lambda each: (each is None, each or 0))
        ],
    }
