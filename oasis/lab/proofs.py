"""The shortest proofs that were found in an experiment, and what provers say of them, kept with the experiment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Final

from curricula.lemma import Lemma
from oasis.ground.plural import conjunction
from oasis.ground.table import Table
from oasis.lab.measure import Trial, texts
from oasis.lab.plans import Work
from oasis.play.solving import Cost
from oasis.store import Store
from oasis.student.report import words_of
from tactics.claims import Certificate
from tactics.formula import Formula
from tactics.json_form import script_to_json
from tactics.printer import show
from tactics.script import Script, parse_script, show_script

COUNTS: Final = ("episodes", "expansions", "plays", "calls", "forwards", "seconds")
"""What is told of the cost of a proof, as far as it was counted; trials of students count none of it."""


@dataclass(frozen=True)
class Proof:
    """The shortest proof of a lemma that trials of one kind found.

    Attributes:
        lemma: what it proves.
        formula: the lemma in the letters that the trial had.
        variant: name of the kind.
        script: the moves.
        finders: how many of its trials found one as short.
        noun: what the trials are of.
        cost: what the first of these trials took for it, as far as trials count that.
        words: what provers said of it; none if none was asked.
    """

    lemma: Lemma
    formula: Formula
    variant: str
    script: Script
    finders: int
    noun: str
    cost: Cost
    words: tuple[Certificate, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "lemma": self.lemma.name,
            "formula": _text(self.formula),
            "variant": self.variant,
            "length": len(self.script),
            self.noun: self.finders,
            "script": script_to_json(self.script),
            "certificates": [word.kept() for word in self.words],
        }


def shortest_proofs(plan: Work, trials: Mapping[str, Sequence[Trial]]) -> list[Proof]:
    """Return for each lemma and kind the shortest proof, without provers' verdicts; nothing if there is none.

    Args:
        plan: of the trials.
        trials: by kind.
    """
    formulas = {seed: plan.formulas(seed) for seed in plan.seeds}
    scripts_of = {
        variant: [list(zip(*(texts(trial[name]) for name in plan.scripts), strict=True)) for trial in made]
        for variant, made in trials.items()
    }
    proofs = []
    for place, lemma in enumerate(plan.lemmas):
        for variant, made in scripts_of.items():
            found = {seed: _shortest(*each[place]) for seed, each in zip(plan.seeds, made, strict=True)}
            scripts = {seed: script for seed, script in found.items() if script}
            if scripts:
                first = min(scripts, key=lambda seed: len(scripts[seed]))
                best, formula = scripts[first], formulas[first][place]
                finders = sum(len(script) == len(best) for script in scripts.values())
                trial = trials[variant][plan.seeds.index(first)]
                cost = Cost(**{name: trial[name][place].item() for name in COUNTS if name in trial})
                proofs.append(Proof(lemma, formula, variant, best, finders, plan.noun, cost))
    return proofs


def with_words(store: Store, proofs: Iterable[Proof]) -> list[Proof]:
    """Return proofs with those verdicts of provers that are stored."""
    said = cache(lambda formula: words_of(store, _text(formula))[0])
    return [replace(each, words=tuple(said(each.formula).get(show_script(each.script), ()))) for each in proofs]


def table(plan: Work, proofs: Sequence[Proof]) -> Table:
    """Return the proofs as a table; the scripts themselves are in the JSON form."""
    certified = any(proof.words for proof in proofs)
    return Table(
        "Shortest proofs that were found",
        ("lemma", "variant", "moves", plan.noun, *(("certified by",) if certified else ())),
        tuple(
            (
                proof.lemma.name,
                proof.variant,
                str(len(proof.script)),
                f"{proof.finders} of {len(plan.seeds)}",
                *((_said(proof.words),) if certified else ()),
            )
            for proof in proofs
        ),
        words=2,
        note=f"{plan.noun.capitalize()}: how many found a proof as short; scripts: --json.",
    )


def sentence(proofs: Sequence[Proof]) -> str:
    """Say how many different proofs there are, and which provers accept how many of them."""
    words = {(proof.formula, proof.script): proof.words for proof in proofs}
    if not words:
        return "No proof was found."
    accepted: dict[str, int] = {}
    for said in words.values():
        for word in said:
            accepted[word.prover] = accepted.get(word.prover, 0) + word.accepted
    verdicts = [f"{prover} accepts {'all' if n == len(words) else f'{n:,}'}" for prover, n in accepted.items()]
    several = f"{len(words):,} different ones" if len(words) > 1 else "all of them the same"
    return (
        f"The shortest proofs that each kind of {proofs[0].noun} found of each lemma, {several}: "
        f"{conjunction(verdicts) if verdicts else 'none was certified'}; they are in --json, "
        "and oasis export --experiment writes them."
    )


def _shortest(*texts: str) -> Script:
    """The shortest of some scripts; an empty one is none."""
    return min((_parsed(text) for text in texts if text), key=len, default=())


_parsed = lru_cache(maxsize=2**12)(parse_script)
"""Most students end with one of a few scripts."""


def _said(words: Sequence[Certificate]) -> str:
    return ", ".join(word.prover if word.accepted else f"not {word.prover}" for word in words) or "–"


def _text(formula: Formula) -> str:
    return show(formula, quantified=True)
