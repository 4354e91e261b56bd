"""Carrying out runs of training: how far they are, what stops them, who certifies their proofs, where they are kept."""

from __future__ import annotations

import signal
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from oasis.cli.arguments import DATABASE
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_SIGNAL, EXIT_USAGE, Stopped
from oasis.cli.interrupts import interrupts_wait
from oasis.cli.narration import narrate, narrator
from oasis.cli.rewards import remark_on_rewards
from oasis.ground.plural import counted

if TYPE_CHECKING:
    from oasis.store import Store
    from oasis.student.cohort import Cohort
    from oasis.student.training import Training


def narrate_kept(first: int, last: int, db: Path, quiet: bool) -> None:
    """Say under which numbers runs are kept."""
    if not quiet:
        kept, again = (f"run {first}", "it") if first == last else (f"runs {first} to {last}", "the first")
        print(file=sys.stderr)
        narrate(f"Kept as {kept} in {db}; see {again} again with: oasis runs show {first}{naming(db)}")


def carry_out(training: Training, db: Path, quiet: bool) -> None:
    """Train to the end, or until somebody or a prover stops it."""
    from oasis.backends.base import BackendError, BackendMissing
    from oasis.cli.progress import watch

    if not quiet:
        _remark(training)
    kept = f"run {training.run} is kept in {db} and goes on with: oasis train --resume{naming(db)}"
    try:
        with _stopping_gently(training):
            watch(training, quiet=quiet)
    except BackendMissing:
        raise
    except BackendError as error:
        raise Stopped(f"{error} What was learned so far is not lost: {kept}", EXIT_USAGE) from None
    except KeyboardInterrupt:
        raise Stopped(f"Stopped at once, and what was not stored yet is lost; {kept}", EXIT_INTERRUPTED) from None
    if not training.finished:
        raise Stopped(f"Stopped; {kept}", EXIT_SIGNAL + training.stop_requested)


def carry_out_side_by_side(store: Store, trainings: list[Training], db: Path, quiet: bool) -> None:
    """Train several students to the end, or until somebody stops them."""
    from oasis.cli.progress import remark_on_compiling, watch_count
    from oasis.escalation.practice import found_by_search, optimum
    from oasis.student.cohort import Cohort

    cohort = Cohort(store, [training.run for training in trainings], optimum, found_by_search)
    if not quiet:
        first = trainings[0]
        seeds = f"{first.settings.seed} to {trainings[-1].settings.seed}"
        narrate(f"{len(trainings)} students of {first.settings.learner}, seeds {seeds}")
        remark_on_compiling([first.settings])
        remark_on_rewards([first.settings])
    with _stopping_gently(cohort):
        watch_count(cohort, cohort.total, "lemmas", quiet=quiet)
    if not cohort.finished:
        raise Stopped(
            f"Stopped; the runs are kept in {db} and go on with: oasis train --resume{naming(db)}",
            EXIT_SIGNAL + cohort.stop_requested,
        )


def naming(db: Path) -> str:
    """How to name the database in a command, if it has to be named."""
    from shlex import quote

    return "" if db == DATABASE else f" --db {quote(str(db))}"


def certify_proofs(store: Store, run: int, names: tuple[str, ...], quiet: bool) -> None:
    """Have the proofs certified; a prover that fails now costs a remark and not the run."""
    from oasis.student.certify import certify_run

    certify_run(store, run, names, narrator(quiet=quiet))


def _remark(training: Training) -> None:
    """Say what is going to be done, and why it takes longer than usual."""
    from oasis.cli.progress import remark_on_compiling
    from oasis.student.school import why_plain

    settings = training.settings
    if training.finished:
        narrate(f"Run {training.run} is finished already.")
        return
    if settings.learner == "dyna-q" and training.is_plain and any(lemma["practised"] for lemma in training.lemmas):
        narrate("The values are kept; what dyna-q remembers for planning is gathered anew.")
    lemmas = counted(len(training.lemmas), "lemma")
    narrate(
        f"Run {training.run}: {training.curriculum} ({lemmas}), {settings.learner}, {settings.reward}, "
        f"{settings.state_space}, {settings.actions}, {settings.episodes:,} episodes each, seed {settings.seed}"
        f"{', with experience' if settings.experience else ''}"
    )
    if training.is_plain and why_plain(settings) is None:
        narrate("It goes on in plain Python, as it was begun, a hundred times slower than compiled.")
    else:
        remark_on_compiling([settings])
    remark_on_rewards([settings])


def _stopping_gently(at_work: Training | Cohort) -> AbstractContextManager[None]:
    """Ctrl-C and a polite kill end the work after the current block; a second Ctrl-C ends it at once."""

    def stop(number: int) -> None:
        at_work.stop_requested = number
        narrate("Stopping after this block of episodes; Ctrl-C again stops at once.")

    return interrupts_wait(stop, signal.SIGTERM)
