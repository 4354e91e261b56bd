"""From a sheet of exercises to a lesson: which of them have a proof, what is said of the others, and the lesson's file.

What a text states is `curricula.sheet`'s concern, and what a lesson may say `oasis.classroom.lessons.lesson`'s.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from curricula import Lemma
from curricula.files import lemma_line
from curricula.sheet import Refused, Sheet
from oasis.classroom.lessons.checking import Verdict
from oasis.ground.limits import Limit, LimitReached
from oasis.ground.plural import counted
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.decide import MEMORY, SECONDS
from oasis.teacher.proofs import prove
from tactics.errors import printable
from tactics.parser import FormulaSyntaxError
from tactics.printer import Notation, show
from tactics.reading import read


@dataclass
class Draft:
    """What a lesson can be made of.

    Attributes:
        sheet: what was read.
        exercises: the lemmas that have a proof, and those of which that was not found out in time.
        unknown: the latter alone.
        without_proof: the lemmas that have none, and why.
    """

    sheet: Sheet
    exercises: list[Lemma] = field(default_factory=list)
    unknown: list[Lemma] = field(default_factory=list)
    without_proof: list[tuple[Lemma, Countermodel]] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """What came of the sheet, as in "24 exercises read; 3 have no proof; 4 are not propositional."."""
        ambiguous, passed_over = len(self.sheet.ambiguous), len(self.sheet.passed_over)
        counts = [
            (len(self.without_proof), "has no proof", "have no proof"),
            (len(self.unknown), "may have one: it was not found out in time", "may have one: not found out in time"),
            (ambiguous, "can be read in two ways: which did you mean?", "can be read in two ways: which did you mean?"),
            (passed_over, "is not propositional", "are not propositional"),
            (len(self.sheet.unreadable), "cannot be read", "cannot be read"),
        ]
        said = [f"{number:,} {one if number == 1 else more}" for number, one, more in counts if number]
        text = "; ".join([f"{counted(len(self.sheet.lemmas), 'exercise')} read", *said])
        return text if text.endswith("?") else f"{text}."

    @property
    def details(self) -> list[str]:
        """What there is to say of each statement that is no exercise, and of how others were read; some have lines."""
        sheet, remarks = self.sheet, dict[str, list[str]]()
        for lemma in sheet.lemmas:
            for remark in lemma.remarks:
                remarks.setdefault(remark, []).append(lemma.name)
        if self.unknown:
            remarks["Whether it has a proof was not found out in time."] = [lemma.name for lemma in self.unknown]
        return [
            *("\n  ".join([f"{_place(each)}: which did you mean?", *each.readings]) for each in sheet.ambiguous),
            *(str(sheet.error(refused)) for refused in sheet.unreadable),
            *(f"{_place(refused)}: not propositional ({refused.message})" for refused in sheet.passed_over),
            *(f"Remark on {', '.join(names)}: {remark}" for remark, names in remarks.items()),
        ]

    def to_json(self, notation: Notation) -> dict[str, Any]:
        """What came of each statement, with countermodels as their worlds."""
        countermodels = {lemma.name: countermodel.worlds_to_json() for lemma, countermodel in self.without_proof}
        verdicts = {lemma.name: Verdict.PROVABLE for lemma in self.exercises}
        verdicts |= dict.fromkeys(countermodels, Verdict.NO_PROOF)
        verdicts |= {lemma.name: Verdict.UNKNOWN for lemma in self.unknown}
        return {
            "sheet": self.sheet.source,
            "answer": self.sentence,
            "exercises": [
                {
                    "name": lemma.name,
                    "formula": show(lemma.formula, notation, quantified=True),
                    **lemma.reading,
                    "source": lemma.source,
                    "remarks": lemma.remarks,
                    "verdict": verdicts[lemma.name],
                    "countermodel": countermodels.get(lemma.name),
                }
                for lemma in self.sheet.lemmas
            ],
            "ambiguous": [each.to_json() for each in self.sheet.ambiguous],
            "not_propositional": [each.to_json() for each in self.sheet.passed_over],
            "unreadable": [each.to_json() for each in self.sheet.unreadable],
        }

    def toml(self, title: str) -> str:
        """The lesson as the text of its file; what has no proof is in it as a remark."""
        lines = [
            f"# A lesson made from {printable(PurePath(self.sheet.source).name)}. Lines that begin with # are remarks;",
            "# oasis lesson check FILE says what is wrong, and oasis lesson new FILE shows all that a lesson may say.",
            f"title = {toml_text(title)}",
            "",
            "lemmas = [",
        ]
        names = _names(self.sheet.lemmas)
        lines += [f"  {lemma_toml(names[lemma.name], lemma)}," for lemma in self.exercises]
        lines.append("]")
        if self.without_proof:
            lines += ["", "# These have no proof. Strike the # of those that students are to recognise as such."]
        for lemma, _ in self.without_proof:
            lines += ["# [[exercise]]", f"# lemma = {lemma_toml(names[lemma.name], lemma)}", "# theorem = false", "#"]
        return "\n".join(lines).rstrip("\n#") + "\n"


def drafting(sheet: Sheet, seconds: float = SECONDS) -> Iterator[Draft]:
    """The draft of a sheet as it grows, lemma by lemma; there is at least one.

    Args:
        sheet: what was read.
        seconds: how long each lemma may take.
    """
    draft = Draft(sheet)
    yield draft
    for lemma in sheet.lemmas:
        limit = Limit(seconds, MEMORY)
        try:
            found = prove(lemma.formula, limit)
            if isinstance(found, Kripke):
                draft.without_proof.append((lemma, Countermodel.shrunk(found, (), lemma.formula, limit)))
            else:
                draft.exercises.append(lemma)
        except LimitReached:
            draft.unknown.append(lemma)
            draft.exercises.append(lemma)
        yield draft


def _place(refused: Refused) -> str:
    """Where a statement stands, and its name if that is not made of the place."""
    return f"Line {refused.line}" + (f", {refused.name}" if not refused.name.endswith(f":{refused.line}") else "")


def _names(lemmas: tuple[Lemma, ...]) -> dict[str, str]:
    """What the lemmas of a sheet are called in a lesson, where a name has no colon: `sheet-3` for `sheet:3`."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for lemma in lemmas:
        name = stem = re.sub(r"[^\w.+'-]+", "-", lemma.name)
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        names[lemma.name] = name
    return names


def lemma_toml(name: str, lemma: Lemma) -> str:
    """Return a lemma under a name as a lesson gives it, a text in TOML."""
    return toml_text(lemma_line(name, _text(lemma)))


def _text(lemma: Lemma) -> str:
    """The formula as text, with its atoms quantified if they would else be read as something else."""
    text = show(lemma.formula)
    try:
        is_same = read(text).formula is lemma.formula
    except FormulaSyntaxError:
        is_same = False
    return text if is_same else show(lemma.formula, quantified=True)


def toml_text(text: str) -> str:
    """A text in TOML: as it stands in single quotes, if it can."""
    return f"'{text}'" if "'" not in text and text.isprintable() else json.dumps(text, ensure_ascii=False)
