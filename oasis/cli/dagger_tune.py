"""`oasis dagger tune`: weights of R† by optuna, and whether they are worth anything on other lemmas."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from oasis.cli.arguments import Output, read_theorems
from oasis.cli.dagger_study import OF_STUDENTS
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Carrying, Levels, print_tables
from oasis.cli.narration import narrate_all
from oasis.cli.options import Given, Usually, Without, command
from oasis.cli.render import print_json, print_text
from oasis.ground.files import output_stream
from oasis.ground.plural import counted
from oasis.ground.settings import Setting, of_lemmas
from oasis.student.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from oasis.ground.tuning import Scoring, Tuning
    from oasis.lab.report import Report

_FRESH: Final = 1_000_000
"""How far the seeds of those who confirm are from those who tune."""


@dataclass(frozen=True, kw_only=True)
class Looking(Levels):
    """Where weights are looked for, and how they are confirmed."""

    curricula: Annotated[
        tuple[str, ...],
        of_lemmas(
            "Lemmas and curricula to be good at (random:count=20, SYJ202, a file); non-theorems are left out.",
            "CURRICULUM...",
        ),
    ]
    trials: Annotated[int, Setting("Weights to try in all, with those that the study has.", within="[1, ∞)")] = 64
    seconds: Annotated[float | None, Setting("Time after which no further trials begin.", within="(0, ∞)")] = None
    preset: Annotated[
        str, Setting("Weights to begin with, whose reading and options are kept.", metavar="NAME|FILE")
    ] = "all"
    holdout: Annotated[
        tuple[str, ...], Setting("Other lemmas to confirm the weights on; can be repeated.", metavar="CURRICULUM")
    ] = ()
    also: Annotated[
        tuple[str, ...], Setting("Other weights to confirm beside them; can be repeated.", metavar="NAME|FILE")
    ] = ()
    output: Annotated[
        Path | None, Setting("Write the weights to a TOML file.", names=("--output", "-o"), metavar="FILE")
    ] = None
    study: Annotated[Path | None, Setting("Where trials are kept; beside --db if left out.", metavar="FILE")] = None
    seeds: Annotated[int, Setting("Students of each trial and lemma.", within="[1, ∞)")] = 10
    confirm_seeds: Annotated[
        int, Setting("Students of each kind and lemma that confirm the weights.", within="[2, ∞)")
    ] = 30


@command
def tune(
    *,
    looking: Given[Looking],
    students: Annotated[Given[Settings], OF_STUDENTS, Usually(episodes=200)],
    carrying: Annotated[Given[Carrying], Without("resume", "so_far", "experiment", "pilot")],
    output: Output,
) -> None:
    """Look for weights of R† with which students know lemmas early, and confirm them on other lemmas.

    A trial's score is the chance that the greedy policy proves, the mean over checkpoints at growing distances,
    students and lemmas. Trials are kept as they are done: Ctrl-C loses one batch, and the same command goes on. Those
    who confirm have seeds of their own.
    """
    from dataclasses import replace

    from oasis.dagger.making import described, weights_of
    from oasis.ground.pictures import check_place
    from oasis.ground.tuning import Tuning, need_optuna
    from oasis.lab.ablation import FEWEST
    from oasis.lab.tuning import Weighing, as_toml, confirmed, scores
    from oasis.student.student import on_rewards

    need_optuna()
    asked, settings, engine = looking.made(), students.made(), carrying.made().at()
    if asked.output is not None:
        check_place(asked.output)
    theorems = tuple(read_theorems(asked.curricula, asked.levels))
    task = Weighing(
        theorems, weights_of(asked.preset), settings, tuple(range(settings.seed, settings.seed + asked.seeds))
    )
    others = tuple(read_theorems(asked.holdout)) or task.lemmas
    beside = {name: weights_of(name) for name in asked.also}
    tuning = Tuning(task, asked.study or output.db.with_suffix(".tuning.db"), settings.seed)
    if not output.quiet:
        narrate_all(on_rewards([replace(settings, reward=described(task.base))]))
    watch(tuning, scores(task, engine), asked.trials, asked.seconds, output.say)
    weights, score = tuning.ranked[0]
    best = task.named(weights)
    comments = (
        f"Tuned on {', '.join(asked.curricula)}: the highest score of {tuning.done} trials, {score:.1%} as the mean",
        f"chance to prove of {asked.seeds} students a lemma, {settings.episodes} episodes of {settings.learner} each.",
    )
    if asked.output is not None:
        with output_stream(asked.output) as stream:
            stream.write(as_toml(best, comments))
        output.say(f"Written to {asked.output}; use it as --reward dagger:{asked.output}.")
    first = settings.seed + _FRESH
    try:
        found = confirmed(others, best, task, tuple(range(first, first + asked.confirm_seeds)), engine, beside)
    except KeyboardInterrupt:
        raise Stopped("Stopped; the trials are kept, and the same command goes on.", EXIT_INTERRUPTED) from None
    used = {"trained_on": [each.name for each in task.lemmas], "confirmed_on": [each.name for each in others]}
    where = "on lemmas held out" if asked.holdout else "on the same lemmas with other seeds"
    told = {"name": described(best), "weights": best.to_json(), "score": score, "trials": tuning.done, **used}
    where += f": {counted(len(others), 'lemma')}, {counted(asked.confirm_seeds, 'student')}"
    few = f"{counted(asked.seeds, 'student')} a lemma cannot say which of the weights tried are best; take --seeds"
    _show(told, found, where, [f"{few} {FEWEST} or more."] if asked.seeds < FEWEST else [], output.as_json)


def watch(tuning: Tuning, scores: Scoring, trials: int, seconds: float | None, say: Callable[[str], None]) -> None:
    """Do trials, saying how each does and which is the best so far."""
    if tuning.done:
        say(f"{tuning.path} has {tuning.done} trials; going on with it.")
    try:
        for told in tuning.run(scores, trials, seconds):
            say(told.sentence(trials))
    except KeyboardInterrupt:
        raise Stopped(
            f"Stopped; {tuning.done} of {trials} trials are kept in {tuning.path}, and the same command goes on.",
            EXIT_INTERRUPTED,
        ) from None


def _show(told: Mapping[str, Any], found: Report, where: str, remarks: Sequence[str], as_json: bool) -> None:
    """Say what the weights of the highest score are worth to students, and on lemmas that had no part in the choice."""
    sentences = [*remarks, *found.sentences()]
    if as_json:
        print_json({**told, **found.to_json(), "sentences": sentences})
        return
    print_text("The highest score of {trials} trials, {score:.3f}: {name}".format(**told))
    print_text(f"Confirmed {where}; R† is the preset.")
    print()
    print_tables(found.tables(), sentences)
