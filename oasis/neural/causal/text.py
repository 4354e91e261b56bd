"""What a language model reads and writes: a goal as Coq or Lean shows it; a proof as a script, JSON, or calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from tactics.errors import InputError, check_choice
from tactics.goal import Goal, Move
from tactics.printer import show
from tactics.rules import RULES, Rule
from tactics.script import Script
from tactics.written import MARK, STYLES, Style, pieces

SHOWN: Final = ("coq", "lean")
"""As which prover a goal is written."""
ANSWERS: Final = ("json", "payload", "script", "tools")
"""A list of tactics as JSON, of moves or of texts; a script in the style of the prover; or calls of the tool of
`oasis.neural.causal.tools`."""
TOLD: Final = ("rules", "goal")
"""What is told: what the tactics do and how to answer, and then the goal; or the goal alone."""
FILE: Final = "oasis.json"
"""The file in a model's folder that says in which form it was trained."""


@dataclass(frozen=True)
class Form:
    """How a model is asked, and how it answers.

    Attributes:
        style: `coq` or `lean`.
        answer: one of `ANSWERS`.
        reasoning: tokens at most that it may write before it answers; 0 for an answer at once.
        maxims: from experience that it is told at most with each goal, those that say most; 0 for none.
        remarks: `yes` to be told what their authors say beside maxims, too.
        lemmas: that were proved before and that it is told at most with each goal, the most similar; 0 for none.
        told: `rules`, or `goal` for a model that was trained and needs no rules any more; its questions are a fourth
            as long.

    Raises InputError for what cannot be.
    """

    style: str = "coq"
    answer: str = "json"
    reasoning: int = 0
    maxims: int = 0
    remarks: str = "no"
    lemmas: int = 0
    told: str = "rules"

    def __post_init__(self) -> None:
        check_choice("style", self.style, SHOWN)
        check_choice("answer", self.answer, ANSWERS)
        check_choice("told", self.told, TOLD)
        check_choice("remarks", self.remarks, ("no", "yes"))
        for name, what in (("reasoning", "tokens"), ("maxims", "maxims"), ("lemmas", "lemmas")):
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
    def proof(self) -> Style:
        """How a proof is written in an answer, with formulas as the prover shows them."""
        style = STYLES[self.style]
        return replace(STYLES[self.answer], notation=style.notation) if self.answer in STYLES else style

    @property
    def instructions(self) -> str:
        """What is asked of the model before it is shown a goal."""
        if self.told == "goal":
            return f"Prove this{', and say why' if self.reasoning else ''}.\n\n"
        notation = self.proof.notation
        rules = "\n".join(f"- {_described(rule, notation)}" for rule in RULES.values())
        example = self.answered([Move("imply1", "H"), Move("assumption")])
        how = f'{_REASON if self.reasoning else ""}Write "{MARK}" and the tactics, as in{example}'
        how = _CALL if self.answer == "tools" else how.rstrip()
        return f"Prove this in intuitionistic propositional logic with the tactics\n{rules}\n{how}\n\n"

    def shown(self, goal: Goal) -> str:
        """A goal, with its hypotheses line by line. Raises InputError for formulas too long to write out."""
        notation = self.proof.notation
        lines = [f"{name} : {show(formula, notation)}" for name, formula in goal.hypotheses]
        conclusion = show(goal.conclusion, notation)
        return "\n".join([*lines, *([f"{'=' * 28}", conclusion] if self.style == "coq" else [f"⊢ {conclusion}"])])

    def question(self, goal: Goal, maxims: Sequence[str] = (), lemmas: Sequence[str] = ()) -> str:
        """All that a model is told, each in a block of its own, if at all.

        These are the rules and lemmas, which are known; maxims, which are guesses; and the goal.
        """
        blocks = ((_LEMMAS, lemmas), (_MAXIMS, maxims))
        told = ["\n".join([head, *(f"- {each}" for each in lines)]) + "\n\n" for head, lines in blocks if lines]
        return "".join([self.instructions, *told, self.shown(goal)])

    def answered(self, parts: Sequence[Move | str]) -> str:
        """Return tactics, and comments between them, as an answer without the mark."""
        return f" {self.proof.text(parts)}"

    def beginnings(self, move: Move) -> tuple[str, ...]:
        """Return how an answer begins that makes a move first: if it is the only one, and if others follow.

        Nothing shorter will do: a quote or a brace may be one token with what comes after it, and one hypothesis's name
        may begin like another's.
        """
        alone = self.answered([move])
        return tuple(dict.fromkeys((alone, alone.removesuffix(self.proof.closes) + self.proof.between.rstrip(" "))))

    def begun(self, text: str = "") -> str:
        """Return what stands behind the question when the model is to continue a text; nothing if it reasons first."""
        if not text:
            return "" if self.reasoning else MARK
        return text if MARK in text else f"{MARK} {text.lstrip()}"

    def read(self, text: str) -> Script:
        """Return the tactics of an answer up to what is no tactic (`tactics.written.pieces`)."""
        return tuple(piece.move for piece in pieces(text, self.proof))


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


_LEMMAS: Final = "What was proved before, with its proof:"
_MAXIMS: Final = "What earlier attempts suggest for a goal like this; it is no rule, and may be wrong:"
_REASON: Final = "First say what each tactic needs, and whether that can be proved. "
_CALL: Final = "Call the tool apply until no goal is left."
