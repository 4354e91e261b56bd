"""The tool by which a language model proves, and what it says; who makes the moves is not known here."""

from __future__ import annotations

import re
from typing import Any, Final

from oasis.neural.causal.text import Form
from oasis.play.actions import LEGAL
from tactics.goal import Move, State
from tactics.rules import RULES

NAME: Final = "apply"
"""The tool's name, by which `oasis.api.trl.ProofTools` has its method."""
TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": NAME,
        "description": "Apply a tactic to the first goal.",
        "parameters": {
            "type": "object",
            "properties": {
                "rule": {"type": "string", "description": "The name of the tactic, such as imply1."},
                "hypothesis": {
                    "type": "string",
                    "description": "The name of the hypothesis that it takes; empty if it takes none.",
                },
            },
            "required": ["rule"],
        },
        "return": {"type": "string", "description": "The goals that are left."},
    },
}
"""The tool as chat templates describe it."""


def called(move: Move, *, brief: bool = False) -> dict[str, Any]:
    """A move as the message of a model that calls the tool for it, as chat templates take it.

    Args:
        move: what is called for.
        brief: whether nothing is said of the hypothesis where there is none.
    """
    arguments = {"rule": move.rule, "hypothesis": move.hypothesis or ""}
    if brief and move.hypothesis is None:
        del arguments["hypothesis"]
    call = {"name": NAME, "arguments": arguments}
    return {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": call}]}


_RULE, _HYPOTHESIS = "imply4", "HYPOTHESIS"
SAMPLES: Final = (called(Move(_RULE, _HYPOTHESIS)), called(Move(_RULE), brief=True))
"""Calls from which it is seen how a chat template writes calls, with a hypothesis and without."""


def written_like(sample: str) -> re.Pattern[str]:
    """The pattern of all calls that a chat template writes like one of `SAMPLES`, in whatever notation it does.

    It has the groups `rule` and, if the sample has one, `hypothesis`. It begins with the tool's name and ends with the
    sign that follows the last argument; white space may be any.
    """
    found = [*re.finditer(f"{_RULE}|{_HYPOTHESIS}", sample)]
    begin, end = max(sample.rfind(NAME, 0, found[0].start()), 0), found[-1].end()
    sign = sample[end:].lstrip()[:1]
    pattern = re.sub(r"(\\\s)+", r"\\s*", re.escape(f"{sample[begin:end]} {sign}"))
    return re.compile(pattern.replace(_RULE, r"(?P<rule>\w+)").replace(_HYPOTHESIS, r"(?P<hypothesis>\w*)"))


def told(form: Form, before: State, move: Move, after: State) -> str:
    """What the tool says when a move was called for in a state and led to another, or to the same if it does not apply.

    Raises InputError for formulas too long to write out.
    """
    if not after:
        return "Proved: no goals are left."
    said = "" if after != before else f"{move} does not apply here.\n"
    if move.rule not in RULES:
        said = f"{move.rule} is no tactic; they are {', '.join(RULES)}.\n"
    number = "1 goal is" if len(after) == 1 else f"{len(after)} goals are"
    lost = "" if LEGAL.actions(after) else "\nNo tactic applies to it, so this is lost."
    return f"{said}{number} left:\n{form.shown(after[0])}{lost}"
