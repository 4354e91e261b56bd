"""`oasis dagger tune`: weights of R† by optuna, and whether they are worth anything on other lemmas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    EpsilonOption,
    FirstSeedOption,
    GammaOption,
    InitialValueOption,
    JsonOption,
    LearnerOption,
    LevelsOption,
    QuietOption,
    WorkersOption,
    complete_curriculum,
    output_stream,
    read_curriculum,
)
from oasis.cli.campaigns import EngineOption, RayOption
from oasis.cli.dagger_study import StateSpaceOption
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate
from oasis.cli.rewards import read_weights, remark_on_rewards

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curricula.lemma import Lemma
    from oasis.lab.engines import Engine
    from oasis.lab.rewarding.measures import Measures
    from oasis.lab.rewarding.tuning import Tuning

_FRESH: Final = 1_000_000
"""How far the seeds of those who confirm are from those who tune."""


def tune(
    curricula: Annotated[
        list[str],
        typer.Argument(
            metavar="CURRICULUM...",
            help="Lemmas and curricula to be good at (random:count=20, SYJ202, a file); non-theorems are left out.",
            autocompletion=complete_curriculum,
        ),
    ],
    trials: Annotated[int, typer.Option(help="Weights to try in all, with those that the study has.")] = 64,
    seconds: Annotated[float | None, typer.Option(help="Time after which no further trials begin.")] = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Weights to begin with, whose reading and options are kept.")
    ] = "all",
    holdout: Annotated[
        list[str] | None,
        typer.Option(metavar="CURRICULUM", help="Other lemmas to confirm the weights on; can be repeated."),
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE", help="Other weights to confirm beside them; can be repeated."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the weights to a TOML file.")
    ] = None,
    study: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where trials are kept; beside --db if left out.")
    ] = None,
    learner: LearnerOption = "q-learning",
    state_space: StateSpaceOption = "simple",
    epsilon: EpsilonOption = "0.4",
    gamma: GammaOption = 0.9,
    initial_value: InitialValueOption = 0.0,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 200,
    seeds: Annotated[int, typer.Option(help="Students of each trial and lemma.")] = 3,
    confirm_seeds: Annotated[int, typer.Option(help="Students of each kind and lemma that confirm the weights.")] = 30,
    seed: FirstSeedOption = 0,
    levels: LevelsOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = "processes",
    ray_address: RayOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Look for weights of R† with which students prove early and prove much, and confirm them on other lemmas.

    A trial's score is the share of plays that prove in exams, the mean over exams at growing distances, students and
    lemmas. Trials are kept as they are done: Ctrl-C loses one batch, and the same command goes on. Those who confirm
    have seeds of their own.
    """
    from dataclasses import replace

    from oasis.dagger.making import described
    from oasis.lab.engines import engine as engine_named
    from oasis.lab.rewarding.tuning import Task, Tuning, as_toml, confirmed, need_optuna
    from oasis.student.settings import Settings
    from tactics.errors import InputError

    need_optuna()
    for option, number, least in (("trials", trials, 1), ("seeds", seeds, 1), ("confirm-seeds", confirm_seeds, 2)):
        if number < least:
            raise InputError(f"--{option} must be at least {least}, not {number}.")
    if seconds is not None and not seconds > 0:
        raise InputError(f"--seconds must be above 0, not {seconds:g}.")
    if output is not None and (output.is_dir() or not output.resolve().parent.is_dir()):
        raise InputError(f"{output} cannot be written; name a file in a folder that is there.")
    settings = Settings(
        learner=learner,
        state_space=state_space,
        epsilon=epsilon,
        gamma=gamma,
        initial_value=initial_value,
        episodes=episodes,
        seed=seed,
    )
    chosen = engine_named(engine, workers=workers, address=ray_address)
    task = Task(_lemmas(curricula, levels), read_weights(preset), settings, tuple(range(seed, seed + seeds)))
    others = _lemmas(holdout, None) if holdout else task.lemmas
    beside = {name: read_weights(name) for name in also or ()}
    tuning = Tuning(task, study or db.with_suffix(".tuning.db"), seed)
    if not quiet:
        remark_on_rewards([replace(settings, reward=described(task.base))])
    _watch(tuning, chosen, trials, seconds, quiet)
    best, score = tuning.best
    comments = (
        f"Tuned on {', '.join(curricula)}: the best of {tuning.done} trials of {seeds} students a lemma,",
        f"{episodes} episodes of {learner} each, in which {score:.1%} of all plays in exams proved.",
    )
    if output is not None:
        with output_stream(output) as stream:
            stream.write(as_toml(best, comments))
        if not quiet:
            narrate(f"Written to {output}; use it as --reward dagger:{output}.")
    first = seed + _FRESH
    fresh = tuple(range(first, first + confirm_seeds))
    try:
        found = confirmed(others, best, task, fresh, chosen, beside)
    except KeyboardInterrupt:
        raise Stopped("Stopped; the trials are kept, and the same command goes on.", EXIT_INTERRUPTED) from None
    used = {"trained_on": [each.name for each in task.lemmas], "confirmed_on": [each.name for each in others]}
    where = "on lemmas held out" if holdout else "on the same lemmas with other seeds"
    _show(tuning, found, used, f"{where}: {len(others)} lemmas, {confirm_seeds} students", as_json)


def _lemmas(names: list[str], levels: str | None) -> tuple[Lemma, ...]:
    """The theorems of some curricula, each once."""
    from curricula.lemma import Status

    found = [lemma for name in names for lemma in read_curriculum(name, levels).lemmas]
    return tuple({lemma.name: lemma for lemma in found if lemma.status is not Status.NON_THEOREM}.values())


def _watch(tuning: Tuning, engine: Engine, trials: int, seconds: float | None, quiet: bool) -> None:
    """Do trials, saying how each does and which is the best so far."""
    if not quiet and tuning.done:
        narrate(f"{tuning.path} has {tuning.done} trials; going on with it.")
    try:
        for told in tuning.run(engine, trials, seconds):
            if not quiet:
                best = f"best {told.best_score:.3f}: {_said(told.best)}"
                narrate(f"{told.trials} of {trials} trials, {told.score:.3f}: {_said(told.weights)}; {best}")
    except KeyboardInterrupt:
        raise Stopped(
            f"Stopped; {tuning.done} of {trials} trials are kept in {tuning.path}, and the same command goes on.",
            EXIT_INTERRUPTED,
        ) from None


def _said(weights: Mapping[str, float]) -> str:
    return "C" + "".join(f" {name}={weight:g}" for name, weight in weights.items())


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _show(tuning: Tuning, found: Mapping[str, Measures], used: Mapping[str, Any], where: str, as_json: bool) -> None:
    """Say what the best weights are worth, to students and on lemmas that had no part in choosing them."""
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.dagger.making import described
    from oasis.lab.rewarding.ablation import ALL, CORRECT, TERMINATING, Compared
    from oasis.lab.rewarding.contrasts import contrasts, outcomes, to_json
    from oasis.lab.rewarding.verdict import NAMES, compared, tables

    best, score = tuning.best
    ours = [name for name in found if name not in (TERMINATING, CORRECT, ALL)]
    pairs = [Compared(name, other) for other in (ALL, CORRECT, TERMINATING) for name in ours]
    differences = contrasts(found, [*pairs, Compared(ALL, TERMINATING), Compared(CORRECT, TERMINATING)])
    names = {**NAMES, ALL: "the preset"}
    sentences = [
        _sentence(f"{names.get(each.compared.ours, each.compared.ours)} against terminating: {compared(each)}.")
        for each in differences
        if each.compared.theirs == TERMINATING
    ]
    if as_json:
        content: dict[str, Any] = {"name": described(best), "weights": best.to_json(), "score": score}
        numbers = to_json(outcomes(found), differences)
        print_json({**content, "trials": tuning.done, **used, **numbers, "sentences": sentences})
        return
    print_text(f"The best of {tuning.done} trials, score {score:.3f}: {described(best)}")
    print()
    for table in tables(outcomes(found), differences, f"Confirmed {where}; {ALL} is the preset", names):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    print_text(" ".join(sentences))
