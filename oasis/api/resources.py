"""What a language model may read beside its tools: the twelve rules, the curricula, and the lemmas of one."""

from __future__ import annotations

from typing import Any, Final

from curricula import Curriculum, catalogue, resolve
from oasis.api.errors import Code, Refused
from oasis.api.kinds import brief
from tactics.printer import show
from tactics.rules import CAN_LOSE, RULES, SPEAKING, Rule

RULES_URI: Final = "oasis://rules"
CURRICULA_URI: Final = "oasis://curricula"
LEMMAS_URI: Final = "oasis://curricula/{name}"
ABOUT: Final = {
    RULES_URI: "The twelve rules: what each takes, what it needs, and which may lose a proof.",
    CURRICULA_URI: "The curricula: their names, what they are, and how many lemmas they have.",
    LEMMAS_URI: "The lemmas of a curriculum: their names, and whether each is a theorem, as far as that is known.",
}
"""What each address leads to; `{name}` stands for a curriculum's name."""


def read(uri: str) -> Any:
    """The content at an address, as JSON. Raises Refused if there is none."""
    if uri == RULES_URI:
        return [_rule(rule) for rule in RULES.values()]
    entries = catalogue()
    if uri == CURRICULA_URI:
        return [entry._asdict() for entry in entries]
    name = uri.removeprefix(f"{CURRICULA_URI}/")
    if name not in {entry.name for entry in entries}:
        raise Refused(
            Code.UNKNOWN_CALL,
            f"There is nothing at {brief(uri)}; there is {', '.join(ABOUT)} with a name from the list.",
        )
    return _lemmas(resolve(name))


def _lemmas(curriculum: Curriculum) -> list[dict[str, Any]]:
    return [{"name": lemma.name, "status": lemma.status} for lemma in curriculum.lemmas]


def _rule(rule: Rule) -> dict[str, Any]:
    where = "hypothesis" if rule.takes_hypothesis else "conclusion"
    leaves = [
        {
            "new_hypotheses": [show(formula) for formula in premise.added],
            "conclusion": "as before" if premise.conclusion is None else show(premise.conclusion),
        }
        for premise in rule.premises
    ]
    return {
        "rule": rule.name,
        "also_called": SPEAKING.get(rule.name),
        "example": f"{rule.name} H" if rule.takes_hypothesis else rule.name,
        "applies_to": where,
        "of_the_form": show(rule.pattern, sugar=False),
        "needs_hypothesis": None if rule.given is None else show(rule.given, sugar=False),
        "leaves_goals": leaves,
        "may_lose_the_proof": rule.name in CAN_LOSE,
    }
