"""Carrying out runs of training: how far they are, what stops them, who certifies their proofs, where they are kept."""

from __future__ import annotations

import signal
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from oasis.cli.arguments import naming
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_SIGNAL, EXIT_USAGE, Stopped
from oasis.cli.narration import narrate, narrator
from oasis.ground.plural import counted
from oasis.ground.signals import interrupts_wait

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from oasis.store import Store
    from oasis.student.cohort import Cohort
    from oasis.student.training import Training


def narrate_kept(runs: Sequence[int], db: Path, quiet: bool) -> None:
    """Say under which numbers runs are kept."""
    if not quiet:
        first, *others = runs
        kept, again = (f"runs {first} to {others[-1]}", "the first") if others else (f"run {first}", "it")
        print(file=sys.stderr)
        narrate(f"Kept as {kept} in {db}; see {again} again with: oasis runs show {first}{naming(db)}")


def carry_out(store: Store, trainings: Sequence[Training], db: Path, quiet: bool) -> None:
    """Train students to the end, several side by side, or until somebody or a prover stops it."""
    from oasis.cli.progress import watch, watch_count
    from oasis.escalation.practice import side_by_side

    first, *others = trainings
    it, goes = ("the runs are", "go") if others else (f"run {first.run} is", "goes")
    kept = f"{it} kept in {db} and {goes} on with: oasis train --resume{naming(db)}"
    if not quiet:
        _remark(trainings)
    cohort = side_by_side(store, [each.run for each in trainings]) if others else None
    at_work = cohort or first
    try:
        with _stopping_gently(at_work):
            if cohort is None:
                watch(first, quiet=quiet)
            else:
                watch_count(cohort, cohort.total, "lemmas", quiet=quiet)
    except KeyboardInterrupt:
        raise Stopped(f"Stopped at once, and what was not stored yet is lost; {kept}", EXIT_INTERRUPTED) from None
    except Exception as error:
        from oasis.backends.base import BackendError, BackendMissing

        if not isinstance(error, BackendError) or isinstance(error, BackendMissing):
            raise
        raise Stopped(f"{error} What was learned so far is not lost: {kept}", EXIT_USAGE) from None
    if not at_work.finished:
        raise Stopped(f"Stopped; {kept}", EXIT_SIGNAL + at_work.stop_requested)


def certify_proofs(store: Store, runs: Sequence[int], names: Sequence[str], quiet: bool) -> None:
    """Have the proofs of runs certified; a prover that fails now costs a remark and not the runs."""
    if not names:
        return
    from oasis.student.certify import certify_run

    for run in runs:
        certify_run(store, run, names, narrator(quiet=quiet))


def _remark(trainings: Sequence[Training]) -> None:
    """Say what is going to be done, and why it takes longer than usual."""
    from oasis.cli.progress import remark_on_compiling
    from oasis.student.school import why_plain

    training, *others = trainings
    settings = training.settings
    if others:
        seeds = f"{settings.seed} to {others[-1].settings.seed}"
        narrate(f"{len(trainings)} students of {settings.learner}, seeds {seeds}")
    elif training.finished:
        narrate(f"Run {training.run} is finished already.")
        return
    else:
        if settings.learner == "dyna-q" and training.is_plain and any(lemma["practised"] for lemma in training.lemmas):
            narrate("The values are kept; what dyna-q remembers for planning is gathered anew.")
        lemmas = counted(len(training.lemmas), "lemma")
        narrate(
            f"Run {training.run}: {training.curriculum} ({lemmas}), {settings.learner}, {settings.reward}, "
            f"{settings.state_space}, {settings.actions}, {settings.episodes:,} episodes each, seed {settings.seed}"
            f"{', with experience' if settings.experience else ''}"
        )
    if not others and training.is_plain and why_plain(settings) is None:
        narrate("It goes on in plain Python, as it was begun, a hundred times slower than compiled.")
    else:
        remark_on_compiling([settings])
    if settings.reward != type(settings).reward:
        from oasis.cli.rewards import remark_on_rewards

        remark_on_rewards([settings])


def _stopping_gently(at_work: Training | Cohort) -> AbstractContextManager[None]:
    """Ctrl-C and a polite kill end the work after the current block; a second Ctrl-C ends it at once."""

    def stop(number: int) -> None:
        at_work.stop_requested = number
        narrate("Stopping after this block of episodes; Ctrl-C again stops at once.")

    return interrupts_wait(stop, signal.SIGTERM)
