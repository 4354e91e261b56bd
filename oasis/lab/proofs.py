"""The shortest proofs that students of a comparison found, and what provers say of them, kept with the experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from curricula.lemma import Lemma
from oasis.backends.base import Backend, Claim
from oasis.lab.campaign import Campaign
from oasis.lab.comparison.tables import Table
from oasis.lab.plan import Plan, Trial
from oasis.lab.words import conjunction
from oasis.store import Store
from oasis.student.report import Word
from tactics.formula import Formula
from tactics.json_form import script_to_json
from tactics.printer import show
from tactics.script import Script, parse_script, show_script


@dataclass(frozen=True)
class Proof:
    """The shortest proof of a lemma that students of one kind found, in their episodes or in their last exams.

    Attributes:
        lemma: what it proves.
        formula: the lemma in the letters that the student had.
        variant: name of the kind of students.
        script: the moves.
        students: how many of them found one as short.
        words: what provers said of it; none if none was asked.
    """

    lemma: Lemma
    formula: Formula
    variant: str
    script: Script
    students: int
    words: tuple[Word, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "lemma": self.lemma.name,
            "formula": _text(self.formula),
            "variant": self.variant,
            "length": len(self.script),
            "students": self.students,
            "script": script_to_json(self.script),
            "certificates": [asdict(word) for word in self.words],
        }


def shortest_proofs(campaign: Campaign, part: str, trials: Mapping[str, Trial]) -> list[Proof]:
    """Return for each lemma and kind of students the shortest proof; nothing where there is none.

    Args:
        campaign: the experiment, for what provers said.
        part: name of the plan, whose students all have the same lemmas.
        trials: of the plan, by variant.
    """
    words: dict[tuple[str, str], list[Word]] = {}
    for row in campaign.store.verdicts(campaign.number):
        word = Word(row["prover"], row["version"], bool(row["accepted"]), row["reason"])
        words.setdefault((row["formula"], row["script"]), []).append(word)
    plan = campaign.plans[part]
    formulas = {seed: plan.formulas(seed) for seed in plan.seeds}
    found = []
    for place, lemma in enumerate(plan.lemmas):
        for variant, trial in trials.items():
            texts = zip(trial.best[:, place], trial.script[:, place], strict=True)
            scripts = {seed: _shortest(*both) for seed, both in zip(plan.seeds, texts, strict=True) if any(both)}
            if scripts:
                first = min(scripts, key=lambda seed: len(scripts[seed]))
                best, formula = scripts[first], formulas[first][place]
                students = sum(len(script) == len(best) for script in scripts.values())
                said = words.get((_text(formula), show_script(best)), ())
                found.append(Proof(lemma, formula, variant, best, students, tuple(said)))
    return found


def certify(store: Store, experiment: int, proofs: Sequence[Proof], prover: Backend) -> None:
    """Ask a prover about the proofs that it has not judged yet, in bulk, and store what it says.

    Raises BackendError if the prover is missing or fails.
    """
    unjudged = (proof for proof in proofs if prover.name not in {word.prover for word in proof.words})
    asked = list(dict.fromkeys((proof.formula, proof.script) for proof in unjudged))
    answers = prover.certify([Claim(*claim) for claim in asked]) if asked else []
    verdicts = zip(asked, answers, strict=True)
    store.add_verdicts(
        experiment,
        [
            (_text(formula), show_script(script), prover.name, answer.version, answer.accepted, answer.reason)
            for (formula, script), answer in verdicts
        ],
    )


def table(plan: Plan, proofs: Sequence[Proof]) -> Table:
    """Return the proofs as a table; the scripts themselves are in the JSON form."""
    certified = any(proof.words for proof in proofs)
    return Table(
        "Shortest proofs that were found",
        ("lemma", "variant", "moves", "students", *(("certified by",) if certified else ())),
        tuple(
            (
                proof.lemma.name,
                proof.variant,
                str(len(proof.script)),
                f"{proof.students} of {len(plan.seeds)}",
                *((_said(proof.words),) if certified else ()),
            )
            for proof in proofs
        ),
        words=2,
        note="Students: how many found a proof as short, in their episodes or in their last exams; scripts: --json.",
    )


def sentence(proofs: Sequence[Proof]) -> str:
    """Say how many different proofs there are, and which provers accept how many of them."""
    words = {(proof.formula, proof.script): proof.words for proof in proofs}
    if not words:
        return "No student found a proof."
    accepted: dict[str, int] = {}
    for said in words.values():
        for word in said:
            accepted[word.prover] = accepted.get(word.prover, 0) + word.accepted
    verdicts = [f"{prover} accepts {'all' if n == len(words) else f'{n:,}'}" for prover, n in accepted.items()]
    return (
        f"The shortest proofs that each kind of students found of each lemma, {len(words):,} different ones: "
        f"{conjunction(verdicts) if verdicts else 'none was certified'}; they are in --json."
    )


def _shortest(*texts: str) -> Script:
    """The shortest of some scripts; an empty one is none."""
    return min((parse_script(str(text)) for text in texts if text), key=len, default=())


def _said(words: Sequence[Word]) -> str:
    return ", ".join(word.prover if word.accepted else f"not {word.prover}" for word in words) or "–"


def _text(formula: Formula) -> str:
    return show(formula, quantified=True)
