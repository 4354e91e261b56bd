"""What a language model reads and writes: a goal as Coq or Lean shows it; tactics as JSON, or as calls of a tool."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tactics.errors import InputError, check_choice
from tactics.goal import Goal, Move
from tactics.json_form import move_from_json, move_to_json
from tactics.printer import COQ, UNICODE, show
from tactics.rules import RULES, Rule, legal_moves
from tactics.script import Script

STYLES: Final = ("coq", "lean")
"""As which prover a goal is written."""
ANSWERS: Final = ("json", "tools")
"""A list of tactics as JSON, or calls of the tool of `oasis.neural.causal.tools`."""
TOLD: Final = ("rules", "goal")
"""What is told: what the tactics do and how to answer, and then the goal; or the goal alone."""
MARK: Final = "Answer:"
"""What stands before a list of tactics."""
FILE: Final = "oasis.json"
"""The file in a model's folder that says in which form it was trained."""

_NOTATIONS: Final = {"coq": COQ, "lean": UNICODE}


@dataclass(frozen=True)
class Form:
    """How a model is asked, and how it answers.

    Attributes:
        style: `coq` or `lean`.
        answer: `json` or `tools`.
        reasoning: tokens at most that it may write before it answers; 0 for an answer at once.
        maxims: from experience that it is told at most with each goal, those that say most; 0 for none.
        told: `rules`, or `goal` for a model that was trained and needs no rules any more; its questions are a fourth
            as long.

    Raises InputError for what cannot be.
    """

    style: str = "coq"
    answer: str = "json"
    reasoning: int = 0
    maxims: int = 0
    told: str = "rules"

    def __post_init__(self) -> None:
        check_choice("style", self.style, STYLES)
        check_choice("answer", self.answer, ANSWERS)
        check_choice("told", self.told, TOLD)
        for name, what in (("reasoning", "tokens"), ("maxims", "maxims")):
            if type(value := getattr(self, name)) is not int or value < 0:
                raise InputError(f"{name} is {value!r}; give a number of {what} from 0 on.")
        if self.reasoning and self.answer == "tools":
            raise InputError("A model that calls tools is not asked for reasons; leave out reasoning or answer=tools.")

    @classmethod
    def of(cls, folder: Path, given: Mapping[str, str]) -> Form:
        """The form that a model's folder tells, or else the usual one, but for what is given as text."""
        fields: dict[str, Any] = {}
        if (file := folder / FILE).exists():
            try:
                fields = dict(json.loads(file.read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError) as error:
                raise InputError(f"{file} is no form of a model ({error}); delete it, or write it again.") from None
        for name in (*fields, *given):
            check_choice("a setting of a language model", name, cls.__match_args__)
        changed = {name: int(text) if text.isdecimal() else text for name, text in given.items()}
        return cls(**{**fields, **changed})

    def save(self, folder: Path) -> None:
        """Write the form into a model's folder."""
        (folder / FILE).write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")

    @property
    def instructions(self) -> str:
        """What is asked of the model before it is shown a goal."""
        if self.told == "goal":
            return "Prove this.\n\n"
        notation = _NOTATIONS[self.style]
        rules = "\n".join(f"- {_described(rule, notation)}" for rule in RULES.values())
        how = _CALL if self.answer == "tools" else (_REASON if self.reasoning else "") + _LIST
        return f"Prove this in intuitionistic propositional logic with the tactics\n{rules}\n{how}\n\n"

    def shown(self, goal: Goal) -> str:
        """A goal, with its hypotheses line by line. Raises InputError for formulas too long to write out."""
        notation = _NOTATIONS[self.style]
        lines = [f"{name} : {show(formula, notation)}" for name, formula in goal.hypotheses]
        conclusion = show(goal.conclusion, notation)
        return "\n".join([*lines, *([f"{'=' * 28}", conclusion] if self.style == "coq" else [f"⊢ {conclusion}"])])

    def question(self, goal: Goal, maxims: Sequence[str] = ()) -> str:
        """All that a model is told: the rules, which are known, or not; maxims, which are guesses; and the goal."""
        guessed = "".join(f"- {maxim}\n" for maxim in maxims)
        return self.instructions + (f"{_MAXIMS}\n{guessed}\n" if guessed else "") + self.shown(goal)


def answered(moves: Sequence[Move]) -> str:
    """A list of tactics as an answer, the mark not included."""
    return " " + json.dumps([move_to_json(move) for move in moves])


def beginnings(move: Move) -> tuple[str, str]:
    """How an answer begins that makes a move first: where it is the only one, and where others follow.

    Nothing shorter says it: a quote or a brace may be one token with what comes after it.
    """
    alone = answered([move])
    return alone, alone.removesuffix("]") + ","


def reasons(goal: Goal) -> str:
    """What a model can say before it answers: which tactics apply."""
    return f"These apply: {', '.join(map(str, legal_moves(goal))) or 'none'}.\n"


def read(text: str) -> Script:
    """The tactics of an answer: those of the first list behind the last mark, up to what is no tactic.

    Whatever else is written is left out, and so is an answer without one: then no tactic is read. A call of a tool
    counts as the tactic that it names.
    """
    return tuple(_moves(text.rpartition(MARK)[2]))


def _moves(text: str) -> Iterator[Move]:
    decoder, place = json.JSONDecoder(), 0
    while (place := text.find("{", place)) >= 0:
        try:
            content, place = decoder.raw_decode(text, place)
            arguments = content.get("arguments", content.get("parameters", content))  # as Llama calls tools
            yield move_from_json({**arguments, "hypothesis": arguments.get("hypothesis") or None})
        except (ValueError, TypeError, AttributeError, RecursionError):
            return


def _described(rule: Rule, notation: Any) -> str:
    """A rule in a line: what it is called, where it applies, and what it leaves."""
    principal = show(rule.pattern, notation)
    where = f"on a hypothesis {principal}" if rule.takes_hypothesis else f"on the conclusion {principal}"
    given = f", where {show(rule.given, notation)} is a hypothesis" if rule.given is not None else ""
    left = [
        " and ".join(
            [
                *(f"the hypothesis {show(formula, notation)}" for formula in premise.added),
                *([f"the conclusion {show(premise.conclusion, notation)}"] if premise.conclusion is not None else []),
            ]
        )
        for premise in rule.premises
    ]
    leaves = "; a second goal with ".join(left) if left else "nothing"
    return f"{rule.name}: {where}{given}; leaves {leaves}"


_LIST: Final = (
    f'Write "{MARK}" and a JSON list of tactics such as{answered([Move("imply1", "H"), Move("assumption")])}.'
)
_MAXIMS: Final = "What earlier attempts suggest for a goal like this; it is no rule, and may be wrong:"
_REASON: Final = "First say which tactics apply. Then write your answer. "
_CALL: Final = "Call the tool apply until no goal is left."
