"""`oasis train`: a student practises a curriculum and is examined, until the end or until somebody stops it."""

from __future__ import annotations

import signal
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import (
    CertifyOption,
    Output,
    naming,
    read_certifiers,
    read_curriculum,
)
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_SIGNAL, EXIT_USAGE, Stopped
from oasis.cli.narration import narrate, narrate_all, tell_left_out
from oasis.cli.options import Given, Usually, command
from oasis.cli.progress import watch, watch_count
from oasis.ground.plural import counted
from oasis.ground.settings import Boards, Setting
from oasis.ground.signals import interrupts_wait
from oasis.play.solving import Ladders
from oasis.student.settings import OF_TRAIN, Practised, Settings
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from curricula import Curriculum
    from oasis.store import Store
    from oasis.student.cohort import Cohort
    from oasis.student.training import Training


@dataclass(frozen=True)
class Escalated(Ladders):
    """What becomes of lemmas that the student does not learn."""

    escalate: Annotated[
        bool,
        Setting("What the student does not learn goes to a search with its policy, and then to a network (--policy)."),
    ] = False
    budget: Annotated[
        str | None,
        Setting(
            "With --escalate: for all lemmas together, as in 90s or 30m; else 10 s a lemma, at most 30m.",
            metavar="TIME",
            only_with="escalate",
        ),
    ] = None
    policy: Annotated[
        str,
        Setting(
            "With --escalate: the network, as in prove --policy; tiny if left out.",
            metavar="NAME",
            only_with="escalate",
        ),
    ] = ""


@dataclass(frozen=True)
class Resumed:
    """Which run is gone on with."""

    resume: Annotated[bool, Setting("Go on with the newest unfinished run, with the settings it has.")] = False
    run: Annotated[int | None, Setting("With --resume: which run.", metavar="RUN", only_with="resume")] = None


@command
def train(
    *,
    practised: Given[Practised],
    settings: Annotated[Given[Settings], Usually(**OF_TRAIN)],
    beyond: Given[Escalated],
    resumed: Given[Resumed],
    curves: Given[Boards],
    certify: CertifyOption = "all",
    output: Output,
) -> None:
    """Let a student practise the lemmas of a curriculum, examine it, and show what it learned.

    With --experience maxims decide where its values do not; exams do not follow them, so they show what it learned.
    Everything is kept in the database: `oasis runs` shows it again, and a run that was stopped goes on with --resume.
    """
    from oasis.cli.run_report import show_runs
    from oasis.store import Store

    asked, above, taken_up, boards = practised.made(), beyond.made(), resumed.made(), curves.made()
    if asked.weights is not None:
        from oasis.dagger.making import weighed

        settings = settings.but(reward=weighed(settings.values.get("reward", Settings.reward), asked.weights))
    made = None if taken_up.resume or asked.student is not None else settings.made()
    referees = read_certifiers(certify)
    if above.budget is not None:
        from oasis.escalation.climb import read_time

        read_time(above.budget)  # before a file is made
    chosen = None if taken_up.resume else _chosen(asked, output.say)
    examined = None if asked.exam is None or taken_up.resume else read_curriculum(asked.exam)
    with Store(output.db, create=made is not None and not asked.experience) as store:
        if chosen is None:
            at_work = _resumed(store, taken_up.run, practised, settings, beyond)
        else:
            at_work = _begun(store, made, asked, above, settings, chosen, examined)
        runs = [at_work] if isinstance(at_work, int) else [training.run for training in at_work]
        try:
            if isinstance(at_work, int):
                from oasis.cli.escalated import carry_out as climb

                climb(store, at_work, output)
            else:
                carry_out(store, at_work, output)
        finally:
            if boards.folders():
                from oasis.escalation.practice import write_curves

                write_curves(store, runs, boards)
        if referees:
            from oasis.student.certify import certify_run

            for run in runs:
                certify_run(store, run, referees, output.say)
        show_runs(store, runs, output.as_json)
    if not output.quiet:
        first, *others = runs
        kept, again = (f"runs {first} to {others[-1]}", "the first") if others else (f"run {first}", "it")
        print(file=sys.stderr)
        narrate(f"Kept as {kept} in {output.db}; see {again} again with: oasis runs show {first}{naming(output.db)}")


def _chosen(asked: Practised, say: Callable[[str], None] = lambda _: None) -> Curriculum:
    """Return the lemmas that are asked for, but for those without a proof unless all are wanted.

    Raises InputError if none is left.
    """
    from oasis.escalation.practice import with_proofs

    curriculum = read_curriculum(asked.curriculum, asked.levels)
    if asked.everything:
        return curriculum
    kept, aside = with_proofs(curriculum)
    tell_left_out({"without a proof (--all practises them, too)": aside} if aside else {}, say)
    return kept


def _begun(
    store: Store,
    made: Settings | None,
    asked: Practised,
    above: Escalated,
    settings: Given[Settings],
    chosen: Curriculum,
    examined: Curriculum | None,
) -> int | list[Training]:
    """Return new runs, which are stored: that of an escalation by its number.

    A student that goes on has the settings that it had, but for those that were typed. Raises InputError if a learner
    or a reward of somebody's own fails when it is tried out.
    """
    from oasis.student.student import try_out

    if made is None:
        from oasis.student.training import settings_of

        assert asked.student is not None
        made = replace(settings_of(store.run(asked.student)), **settings.values)
    if asked.experience:
        from oasis.experience.library import Library

        made = replace(made, experience=Library(store).prior().text)
    try_out(made, [lemma.formula for lemma in chosen.lemmas])  # so that no run is left that never played
    if above.escalate:
        from oasis.escalation.run import begin as begin_to_climb

        return begin_to_climb(
            store,
            chosen,
            made,
            network=above.policy,
            language=above.language,
            search=settings.values.get("search", ""),
            expansions=settings.values.get("search_budget"),
            budget=above.budget,
            taught_by=asked.student,
        )
    from oasis.escalation.practice import begin

    students = [made, *(replace(made, seed=made.seed + n) for n in range(1, asked.seeds))]
    return begin(store, chosen, students, exam=examined, taught_by=asked.student, say=narrate)


def _resumed(
    store: Store,
    number: int | None,
    practised: Given[Practised],
    settings: Given[Settings],
    beyond: Given[Escalated],
) -> int | list[Training]:
    """Return the run of a number, or the newest unfinished one and those that were started with it.

    An escalation is given by its number. Raises InputError if what was typed does not agree with what a run has.
    """
    from oasis.escalation.practice import go_on

    run = store.newest_run(unfinished_first=True) if number is None else number
    wanted = practised.made()
    if store.escalation(run) is not None:
        typed = [each.option(name) for each in (practised, beyond, settings) for name in each.values]
        for option in typed:
            if option != "--escalate":
                name = option if option.startswith("-") else option.upper()
                raise InputError(f"Run {run} is an escalation with settings of its own; leave {name} out to go on.")
        return run
    if beyond.made().escalate:
        raise InputError(f"Run {run} is no escalation; leave --escalate out to go on, or --resume to begin one.")
    cohort = store.cohort(run)
    trainings = {each: go_on(store, each, narrate) for each in (cohort if number is None else [run])}
    kept, lemmas = trainings[run].settings, trainings[run].lemmas
    if wanted.experience and not kept.experience:
        raise InputError(f"Run {run} was begun without --experience; leave it out to go on.")
    changed = replace(kept, **settings.values)
    both = [(settings.option(name), getattr(kept, name), getattr(changed, name)) for name in settings.values]
    if "seeds" in practised.values:
        both.append(("--seeds", len(cohort), wanted.seeds))
    for option, has, asked in both:
        if has != asked:
            raise InputError(f"Run {run} has {option} {has}, not {asked}; leave {option} out to go on.")
    if wanted.exam is not None:
        known = {lemma["name"] for lemma in lemmas}
        if not known.issuperset(lemma.name for lemma in read_curriculum(wanted.exam).lemmas):
            raise InputError(f"Run {run} has another exam; leave --exam out to go on.")
    if practised.values.keys() & {"curriculum", "levels"}:
        names = [lemma.name for lemma in _chosen(wanted).lemmas]
        if names != [lemma["name"] for lemma in lemmas if not lemma["only_examined"]]:
            raise InputError(f"Run {run} has other lemmas; go on with it by: oasis train --resume")
    return [*trainings.values()]


def carry_out(store: Store, trainings: Sequence[Training], output: Output) -> None:
    """Train students to the end, several side by side, or until somebody or a prover stops it."""
    from oasis.escalation.practice import side_by_side

    first, *others = trainings
    it, goes = ("the runs are", "go") if others else (f"run {first.run} is", "goes")
    kept = f"{it} kept in {output.db} and {goes} on with: oasis train --resume{naming(output.db)}"
    if not output.quiet:
        _remark(trainings)
    cohort = side_by_side(store, [each.run for each in trainings]) if others else None
    at_work = cohort or first
    try:
        with _stopping_gently(at_work):
            if cohort is None:
                watch(first, quiet=output.quiet)
            else:
                watch_count(cohort, cohort.total, "lemmas", quiet=output.quiet)
    except KeyboardInterrupt:
        raise Stopped(f"Stopped at once, and what was not stored yet is lost; {kept}", EXIT_INTERRUPTED) from None
    except Exception as error:
        from oasis.backends.base import BackendError, BackendMissing

        if not isinstance(error, BackendError) or isinstance(error, BackendMissing):
            raise
        raise Stopped(f"{error} What was learned so far is not lost: {kept}", EXIT_USAGE) from None
    if not at_work.finished:
        raise Stopped(f"Stopped; {kept}", EXIT_SIGNAL + at_work.stop_requested)


def _remark(trainings: Sequence[Training]) -> None:
    """Say what is going to be done, and why it takes longer than usual."""
    from oasis.student.student import on_compiling, on_rewards, why_plain

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
        narrate_all(on_compiling([settings]))
    if settings.reward != type(settings).reward:
        narrate_all(on_rewards([settings]))


def _stopping_gently(at_work: Training | Cohort) -> AbstractContextManager[None]:
    """Ctrl-C and a polite kill end the work after the current block; a second Ctrl-C ends it at once."""

    def stop(number: int) -> None:
        at_work.stop_requested = number
        narrate("Stopping after this block of episodes; Ctrl-C again stops at once.")

    return interrupts_wait(stop, signal.SIGTERM)
