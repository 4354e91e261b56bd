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
from oasis.store import Store
from oasis.student.report import Word
from tactics.json_form import script_to_json
from tactics.printer import show
from tactics.script import Script, parse_script, show_script


@dataclass(frozen=True)
class Proof:
    """The shortest proof of a lemma that students of one kind found, in their episodes or in their last exams.

    Attributes:
        lemma: what it proves.
        variant: name of the kind of students.
        script: the moves.
        students: how many of them found one as short.
        words: what provers said of it; none if none was asked.
    """

    lemma: Lemma
    variant: str
    script: Script
    students: int
    words: tuple[Word, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "lemma": self.lemma.name,
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
    found = []
    for place, lemma in enumerate(campaign.plans[part].lemmas):
        for variant, trial in trials.items():
            scripts = [_shortest(*texts) for texts in zip(trial.best[:, place], trial.script[:, place], strict=True)]
            known = [script for script in scripts if script]
            if known:
                best = min(known, key=len)
                said = words.get((_text(lemma), show_script(best)), ())
                students = sum(len(script) == len(best) for script in known)
                found.append(Proof(lemma, variant, best, students, tuple(said)))
    return found


def certify(store: Store, experiment: int, proofs: Sequence[Proof], prover: Backend) -> None:
    """Ask a prover about the proofs that it has not judged yet, in bulk, and store what it says.

    Raises BackendError if the prover is missing or fails.
    """
    asked = {
        (proof.lemma.formula, proof.script): proof
        for proof in proofs
        if prover.name not in {word.prover for word in proof.words}
    }
    answers = prover.certify([Claim(*claim) for claim in asked]) if asked else []
    store.add_verdicts(
        experiment,
        [
            (_text(proof.lemma), show_script(proof.script), prover.name, answer.version, answer.accepted, answer.reason)
            for proof, answer in zip(asked.values(), answers, strict=True)
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


def _shortest(*texts: str) -> Script:
    """The shortest of some scripts; an empty one is none."""
    return min((parse_script(str(text)) for text in texts if text), key=len, default=())


def _said(words: Sequence[Word]) -> str:
    return ", ".join(word.prover if word.accepted else f"not {word.prover}" for word in words) or "–"


def _text(lemma: Lemma) -> str:
    return show(lemma.formula, quantified=True)
