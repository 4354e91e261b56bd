"""What was proved, by whom and at what cost: proofs of runs, of experiments and of a class, as attempts in one list.

Each of these keeps what it needs to go on: sums over episodes, arrays of trials, the events of a person's work. What
they have in common is read here, and nowhere kept twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from curricula import resolve_lemma
from oasis.backends import export
from oasis.ground.plural import conjunction
from oasis.lab.experiment import Experiment
from oasis.lab.plans import Work
from oasis.lab.proofs import COUNTS, shortest_proofs, with_words
from oasis.play.solving import PROVED, Attempt, Cost, NoProof
from oasis.store import Store
from oasis.student.report import report
from tactics.errors import InputError
from tactics.parser import parse
from tactics.printer import show
from tactics.script import Script, parse_script

if TYPE_CHECKING:
    from oasis.escalation.climb import Record


@dataclass(frozen=True)
class Proved:
    """A proof that is kept.

    Attributes:
        name: of the lemma.
        where: what it was found in, as in `run 3`, `experiment 1`, or the name of a lesson.
        at: when that was begun, or when a person was done.
        attempt: who proved it, the script, and what that took; of a person's proof the length alone.
    """

    name: str
    where: str
    at: str
    attempt: Attempt

    @property
    def proof(self) -> export.Proof:
        """The lemma and its script, to be written into files; the script must be known."""
        assert self.attempt.script is not None
        return export.Proof(self.name, self.attempt.lemma, self.attempt.script)

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        formula = show(self.attempt.lemma, quantified=True)
        words = {"certificates": [word.kept() for word in self.attempt.certificates]}
        told = self.attempt.to_json(COUNTS) | words
        return {"name": self.name, "formula": formula, "where": self.where, "at": self.at, **told}


def everything(store: Store, say: Callable[[str], object] = lambda sentence: None) -> Iterator[Proved]:
    """Yield the proofs of all runs, then of all experiments, then of the class, oldest first.

    Args:
        store: where they are.
        say: is told, in a sentence, of an experiment that has nothing to show.
    """
    for run in store.runs():
        yield from of_run(store, run["id"])
    for experiment in store.experiments():
        try:
            yield from of_experiment(store, experiment["id"])
        except InputError as error:
            say(str(error))
    yield from of_class(store)


def of_run(store: Store, run: int) -> Iterator[Proved]:
    """Yield the shortest proof of each lemma of a run that has one. Raises StoreError if there is no such run."""
    found = report(store, run)
    records: dict[int, Record] = {}
    if store.escalation(run) is not None:
        from oasis.escalation.run import kept_escalation

        records = dict(enumerate(kept_escalation(store, run).records))
    for place, lemma in enumerate(found.lemmas):
        if lemma.best is not None:
            record = records.get(place)
            practice = Cost(episodes=lemma.episodes, expansions=lemma.steps, seconds=lemma.seconds)
            student = found.settings["search" if lemma.best == lemma.shown else "learner"]
            attempt = _attempt(
                store,
                lemma=parse(lemma.formula),
                by=student if record is None else record.stage,
                script=lemma.best,
                bound=lemma.optimum or 1,
                cost=practice if record is None else record.cost,
                certificates=tuple(lemma.words_on(lemma.best)),
            )
            yield Proved(lemma.name, f"run {run}", found.started, attempt)


def of_experiment(store: Store, number: int) -> Iterator[Proved]:
    """Yield the shortest proof that each kind of an experiment found of each lemma, as far as trials are done.

    Raises InputError if nothing is done.
    """
    kept: Experiment[Work] = Experiment(store, number)
    done, began = kept if kept.finished else kept.so_far(), store.experiment(number)["started"]
    for part, plan in done.plans.items():
        for proof in with_words(store, shortest_proofs(plan, done.trials(part))):
            attempt = _attempt(
                store,
                lemma=proof.formula,
                by=proof.variant,
                script=proof.script,
                cost=proof.cost,
                certificates=proof.words,
            )
            yield Proved(proof.lemma.name, f"experiment {number}", began, attempt)


def of_class(store: Store) -> Iterator[Proved]:
    """Yield what people proved, each attempt once."""
    names = {student.id: student.name for student in store.students()}
    for _, student, _, kept in store.attempts():
        if kept.outcome == PROVED.value:
            formula, cost = parse(kept.formula), Cost(seconds=kept.seconds)
            attempt = _attempt(store, lemma=formula, by=names[student], length=kept.moves, cost=cost)
            yield Proved(kept.name, kept.place, kept.done or kept.changed, attempt)


def experiment_proofs(db: Path, experiment: int, lemma: str | None = None) -> list[export.Proof]:
    """Return what `of_experiment` gives, each proof named by its lemma and by who found it.

    Args:
        db: where the experiment is kept.
        experiment: its number.
        lemma: the one to take, by its name in the experiment or its formula; None for all.

    Raises InputError if there is no proof, no such lemma, or nothing done.
    """
    with Store(db, create=False) as store:
        plans = Experiment[Work](store, experiment).plans.values()
        lemmas = dict.fromkeys(each for plan in plans for each in plan.lemmas)
        spelled = {each.name: (each.name, show(each.formula, quantified=True), show(each.formula)) for each in lemmas}
        wanted = [name for name, spellings in spelled.items() if lemma is None or lemma in spellings]
        if not wanted:
            raise InputError(f"Experiment {experiment} is not about {lemma}, but about {_names(spelled)}.")
        found = [each for each in of_experiment(store, experiment) if each.name in wanted]
    if not found:
        raise InputError(f"Experiment {experiment} has no proof of {_names(wanted)}.")
    return [each.proof._replace(name=f"{each.name}, {each.attempt.by}") for each in found]


def run_proofs(db: Path, run: int) -> list[export.Proof]:
    """Return the shortest proof of every lemma of a run that has one. Raises InputError if none has."""
    with Store(db, create=False) as store:
        proofs = [each.proof for each in of_run(store, run)]
    if not proofs:
        raise no_proof(run)
    return proofs


def no_proof(run: int) -> InputError:
    """The error for a run of which proofs are needed and that has none."""
    return InputError(f"Run {run} has no proof; train for more episodes, or on easier lemmas.")


def lemma_proof(db: Path, text: str, script: Script | None, *, stdin: Callable[[], str] | None = None) -> export.Proof:
    """Return a lemma with the script typed, or else with a shortest one of its runs, or else of its experiments.

    Raises InputError if there is none.
    """
    lemma = resolve_lemma(text, stdin=stdin)
    if script is None and db.exists():
        with Store(db, create=False) as store:
            if (known := store.best_proof(show(lemma.formula, quantified=True))) is not None:
                script = parse_script(known)
            else:  # which takes longer
                others = (each.attempt for each in everything(store) if each.attempt.lemma is lemma.formula)
                script = min((each.script for each in others if each.script), key=len, default=None)
    if script is None:
        raise InputError(f"No proof of {lemma.name} is in {db}; give one with --script, or train on it first.")
    return export.Proof(lemma.name, lemma.formula, script)


def _attempt(store: Store, **told: Any) -> Attempt:
    """Return an attempt that proved a lemma. Raises StoreError if what is stored is no proof."""
    try:
        return Attempt(status=PROVED, **told)
    except NoProof as error:
        raise store.damaged(str(error).removesuffix(".")) from error


def _names(lemmas: Iterable[str]) -> str:
    return shorten(conjunction(lemmas), 200, placeholder=" …")
