"""`oasis train`: a student practises a curriculum."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from oasis.cli.arguments import (
    DATABASE,
    ActionsOption,
    AlphaOption,
    DatabaseOption,
    EpsilonOption,
    ForgetErrorsOption,
    GammaOption,
    InitialValueOption,
    JsonOption,
    LearnerOption,
    LevelsOption,
    MaxStepsOption,
    PlanningOption,
    QuietOption,
    RewardOption,
    TraceDecayOption,
    complete_curriculum,
    read_stdin,
    was_typed,
)
from oasis.cli.exits import EXIT_SIGNAL, EXIT_USAGE, Stopped

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.store import Store
    from oasis.student.training import Training

_DEFAULT_CURRICULUM = "thesis"


def train(
    context: typer.Context,
    curriculum: Annotated[
        str,
        typer.Argument(
            metavar="[CURRICULUM]",
            help="A name (thesis, textbook, course, iltp, iltp/SYJ203, random), a lemma, a .p file, a directory, "
            "a text file of lemmas, or - for standard input.",
            autocompletion=complete_curriculum,
        ),
    ] = _DEFAULT_CURRICULUM,
    learner: LearnerOption = "q-learning",
    reward: RewardOption = "terminating",
    state_space: Annotated[
        str, typer.Option(help="When two states are the same: simple, name or match (see oasis states --help).")
    ] = "simple",
    actions: ActionsOption = "legal",
    forget_errors: ForgetErrorsOption = False,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 5000,
    epsilon: EpsilonOption = "0.4",
    alpha: AlphaOption = "0.7",
    gamma: GammaOption = 0.9,
    trace_decay: TraceDecayOption = 0.9,
    planning: PlanningOption = 20,
    initial_value: InitialValueOption = 0.0,
    max_steps: MaxStepsOption = 200,
    levels: LevelsOption = None,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = 0,
    backend: Annotated[
        str, typer.Option(help="Where moves are made: native, or inside coq or lean (much slower).")
    ] = "native",
    certify: Annotated[
        str,
        typer.Option(
            envvar="OASIS_CERTIFY",
            help="Who certifies the proofs: all that are installed, none, or names as in coq,lean.",
        ),
    ] = "all",
    db: DatabaseOption = DATABASE,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest unfinished run, with the settings it has.")
    ] = False,
    run: Annotated[int | None, typer.Option(metavar="RUN", help="With --resume: which run.")] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a student practise the lemmas of a curriculum, and show what it learned.

    Everything is kept in the database: `oasis runs` shows it again, and a run that was stopped goes on with --resume.
    """
    from oasis.backends.base import BackendError, BackendMissing
    from oasis.cli.progress import watch
    from oasis.cli.render import print_json, print_report
    from oasis.store import Store
    from oasis.student.report import report
    from oasis.student.settings import Settings
    from oasis.student.training import Training
    from tactics.errors import InputError

    settings = Settings(
        learner=learner,
        reward=reward,
        state_space=state_space,
        actions=actions,
        forget_errors=forget_errors,
        episodes=episodes,
        epsilon=epsilon,
        alpha=alpha,
        gamma=gamma,
        trace_decay=trace_decay,
        planning=planning,
        initial_value=initial_value,
        max_steps=max_steps,
        seed=seed,
        backend=backend,
    )
    if run is not None and not resume:
        raise InputError("--run goes with --resume: it says which run to go on with.")
    chosen = None if resume else _chosen(curriculum, levels)
    referees = _referees(certify)
    with Store(db, create=not resume) as store:
        training = Training.start(store, chosen, settings) if chosen else _resumed(context, store, run)
        if not quiet:
            _remark(training)
        kept = f"run {training.run} is kept in {db} and goes on with: oasis train --resume"
        try:
            with _stopping_gently(training):
                watch(training, quiet=quiet)
        except BackendMissing:
            raise
        except BackendError as error:
            raise Stopped(f"{error} What was learned so far is not lost: {kept}", EXIT_USAGE) from None
        if not training.finished:
            raise Stopped(f"Stopped; {kept}", EXIT_SIGNAL + training.stop_requested)
        _certify(store, training.run, referees, quiet)
        found = report(store, training.run)
    if as_json:
        print_json(found.to_json())
    else:
        print_report(found)
    if not quiet:
        print(f"\nKept as run {found.run} in {db}; see it again with: oasis runs show {found.run}", file=sys.stderr)


def _resumed(context: typer.Context, store: Store, run: int | None) -> Training:
    """The run to go on with; whatever was typed beside --resume must agree with it."""
    from dataclasses import replace

    from oasis.student.training import Training
    from tactics.errors import InputError

    training = Training(store, run if run is not None else store.newest_run(unfinished_first=True))
    for name, kept in vars(training.settings).items():
        if not was_typed(context, name):
            continue
        asked = getattr(replace(training.settings, **{name: context.params[name]}), name)
        if asked != kept:
            option = "--" + name.replace("_", "-")
            raise InputError(f"Run {training.run} has {option} {kept}, not {asked}; leave {option} out to go on.")
    if was_typed(context, "curriculum") or was_typed(context, "levels"):
        asked_lemmas = [lemma.name for lemma in _chosen(context.params["curriculum"], context.params["levels"]).lemmas]
        if asked_lemmas != [lemma["name"] for lemma in training.lemmas]:
            raise InputError(f"Run {training.run} has other lemmas; go on with it by: oasis train --resume")
    return training


def _chosen(curriculum: str, levels: str | None) -> Curriculum:
    from curricula import parse_levels, resolve

    return resolve(curriculum, levels=parse_levels(levels) if levels else None, stdin=read_stdin)


def _referees(text: str) -> tuple[str, ...]:
    """The provers to ask in the end; one that is named must be there before the training begins."""
    from oasis.backends.registry import backend, installed, parse_names

    if text in ("all", "none"):
        return installed() if text == "all" else ()
    names = parse_names(text)
    for name in names:
        with backend(name) as prover:
            prover.version()
    return names


def _certify(store: Store, run: int, names: tuple[str, ...], quiet: bool) -> None:
    """Have the proofs certified; a prover that fails now costs a remark and not the run."""
    from oasis.backends.base import BackendError
    from oasis.backends.registry import backend
    from oasis.student.certify import certify_run

    for name in names:
        with backend(name) as prover:
            try:
                certify_run(store, run, [prover])
            except BackendError as error:
                if not quiet:
                    print(f"Not certified by {name}: {error}", file=sys.stderr)


def _remark(training: Training) -> None:
    settings = training.settings
    if training.finished:
        print(f"Run {training.run} is finished already.", file=sys.stderr)
        return
    if settings.learner == "dyna-q" and any(lemma["episodes"] for lemma in training.lemmas):
        print("The values are kept; what dyna-q remembers for planning is gathered anew.", file=sys.stderr)
    lemmas = "1 lemma" if len(training.lemmas) == 1 else f"{len(training.lemmas)} lemmas"
    print(
        f"Run {training.run}: {training.curriculum} ({lemmas}), {settings.learner}, {settings.reward}, "
        f"{settings.state_space}, {settings.actions}, {settings.episodes:,} episodes each, seed {settings.seed}",
        file=sys.stderr,
    )


@contextmanager
def _stopping_gently(training: Training) -> Iterator[None]:
    """Ctrl-C and a polite kill end the training after the current episode; a second Ctrl-C ends it at once."""

    def request(number: int, _: object) -> None:
        training.stop_requested = number
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, request) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
