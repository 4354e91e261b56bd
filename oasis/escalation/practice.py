"""Practice with the help of those who know and those who search: they say which lemmas have a proof, and show one.

What a student learns is its own; these only choose what it practises, show it a proof, and say how short one can be.
Who knows and who searches are imported when they are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import groupby, islice, product
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from curricula.lemma import Curriculum, Lemma, Status
from oasis.ground.settings import Boards
from oasis.play.policy import Policy
from oasis.store import Store
from oasis.student.report import episodes
from oasis.student.settings import Settings
from oasis.student.training import Say, Training, Unprovable
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.script import Script

if TYPE_CHECKING:
    from oasis.play.solving import Solver
    from oasis.student.cohort import Cohort

_DECIDED_SECONDS: Final = 1.0
"""For whether a lemma has a proof, where its source says nothing; one that is not decided by then is practised."""
_OPTIMUM_SECONDS: Final = 1.0
"""For the length of a shortest proof. Of the 89 lemmas of ILTP for which 2 s are enough, all need less."""
_POINTS: Final = 200
"""Of a curve of a lemma."""


def begin(
    store: Store,
    curriculum: Curriculum,
    settings: Iterable[Settings],
    *,
    exam: Curriculum | None = None,
    taught_by: int | None = None,
    say: Say = lambda sentence: None,
) -> list[Training]:
    """Store a new run for a student of each of these settings, all before the first episode, and return them.

    Args:
        store: where they are kept.
        curriculum: what is practised.
        settings: of the students.
        exam: lemmas to be examined on without practice; those that are practised are left out, which is said.
        taught_by: a run whose student goes on learning here.
        say: is told of what does not go as usual.

    Raises InputError if the student of `taught_by` cannot go on with these settings, or there is no such solver.
    """
    settings = [*settings]
    for each in settings:
        if each.search:
            with _finder(store.path, each, None):
                pass
    exam = exam and _without(exam, curriculum, say)
    trainings: list[Training] = []
    with store.together():
        for each in settings:
            trainings.append(
                Training.start(
                    store,
                    curriculum,
                    each,
                    exam=exam,
                    taught_by=taught_by,
                    cohort=trainings[0].run if trainings else None,
                    shortest=optimum,
                    say=say,
                    teach=partial(found_by_search, store.path),
                )
            )
    return trainings


def _without(exam: Curriculum, practised: Curriculum, say: Say) -> Curriculum | None:
    """Return the lemmas to be examined on without practice; None if all are practised."""
    known = {lemma.formula for lemma in practised.lemmas}
    if both := [lemma.name for lemma in exam.lemmas if lemma.formula in known]:
        say(f"Practised, and so examined only as such: {', '.join(both)}")
    others = tuple(lemma for lemma in exam.lemmas if lemma.formula not in known)
    return replace(exam, lemmas=others) if others else None


def go_on(store: Store, run: int, say: Say) -> Training:
    """Return a run of a store, to be gone on with."""
    return Training(store, run, optimum, say, partial(found_by_search, store.path))


def side_by_side(store: Store, runs: Sequence[int]) -> Cohort:
    """Return the students of some runs, to be trained in processes of their own."""
    from oasis.student.cohort import Cohort

    return Cohort(store, runs, optimum, partial(found_by_search, store.path))


def with_proofs(curriculum: Curriculum) -> tuple[Curriculum, list[str]]:
    """Return a curriculum without the lemmas that have no proof, and the names of these.

    Raises InputError if no lemma is left.
    """
    aside = [*dict.fromkeys(lemma.name for lemma in curriculum.lemmas if _has_no_proof(lemma))]
    kept = tuple(lemma for lemma in curriculum.lemmas if lemma.name not in aside)
    if not kept:
        none = f"{aside[0]} has no proof" if len(aside) == 1 else f"No lemma of {curriculum.name} has a proof"
        raise InputError(f"{none}, as oasis countermodel shows; practise it all the same with --all.")
    return replace(curriculum, lemmas=kept), aside


def _has_no_proof(lemma: Lemma) -> bool:
    if lemma.status is not None:
        return lemma.status is Status.NON_THEOREM
    from oasis.teacher.deciding.decide import Verdict, decide

    return decide(lemma.formula, seconds=_DECIDED_SECONDS).verdict is Verdict.NON_THEOREM


def optimum(formula: Formula) -> int | None:
    """Return the number of moves in a shortest proof; None if that does not turn up soon."""
    from oasis.search.ao_star import shortest_length

    return shortest_length(formula, _OPTIMUM_SECONDS)


def found_by_search(db: Path, settings: Settings, formula: Formula, policy: Policy) -> Script | None:
    """Return a proof that a solver finds, to be shown to a student whose policy this is; None if it finds none.

    Raises Unprovable if there is none.
    """
    if not settings.search:
        return None
    from oasis.play.solving import REFUTED, Budget, solve

    with _finder(db, settings, policy if settings.actions == "legal" else None) as finder:
        found = solve(formula, finder, Budget(settings.search_budget))
    if found.status is REFUTED:
        raise Unprovable(f"{settings.search} has found that it has no proof")
    return found.script


@contextmanager
def _finder(db: Path, settings: Settings, policy: Policy | None) -> Iterator[Solver]:
    """Give who looks for proofs to be shown, and asks a policy unless another one is named. Raises InputError."""
    from oasis.escalation.solvers import Means, parted, solver_named
    from oasis.neural.policies import needs_store, policy_named

    _, named = parted(settings.search)
    with Store(db, create=False) if named and needs_store(named) else nullcontext() as store:
        means = Means(policy=lambda name: policy_named(name, store), usual=policy, seed=settings.seed)
        yield solver_named(settings.search, means, "--search")


def write_curves(store: Store, runs: Sequence[int], boards: Boards) -> None:
    """Write how each lemma went so far to boards: the share of episodes that proved it, and their steps.

    A point is the mean of as many episodes as leave at most 200 points. Of several runs each has a folder of its own,
    `run N`.
    """
    for run in runs:
        practised = {row["name"]: row["practised"] for row in store.lemmas(run)}
        with boards.opened(*([f"run {run}"] if len(runs) > 1 else [])) as opened:
            for lemma, rows in groupby(episodes(store, run), itemgetter("lemma")):
                while point := [*islice(rows, ceil(practised[lemma] / _POINTS))]:
                    for board, number in product(opened, ("proved", "steps")):
                        mean = sum(row[number] for row in point) / len(point)
                        board.add(f"{number}/{lemma}", mean, point[-1]["episode"])
