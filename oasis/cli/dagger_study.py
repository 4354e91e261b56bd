"""`oasis dagger audit`, `ablate` and `tune`: R† put to the test."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    DATABASE,
    DatabaseOption,
    EpsilonOption,
    FirstSeedOption,
    GammaOption,
    HtmlOption,
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
from oasis.cli.campaigns import EngineOption, ExperimentOption, RayOption, ResumeOption, campaign, run
from oasis.cli.narration import narrate
from oasis.cli.rewards import read_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from curricula.lemma import Lemma
    from oasis.dagger.term import Reading
    from oasis.lab.campaign import Campaign
    from oasis.lab.plan import Plan
    from oasis.lab.rewarding.audit import Finding
    from oasis.lab.rewarding.measures import Measures

WeightsOption = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE", help="Weights: all, elegant, correct, seed, sparse, tuned, a TOML file; with :P=0.3."
    ),
]
StateSpaceOption = Annotated[str, typer.Option(help="When two states are the same: simple, name or match.")]

_AUDITED = ("SYJ203.1", "SYJ203.2", "SYJ203.3", "SYJ203.4", "textbook")
"""What is audited unless somebody names something else."""


def audit(
    curricula: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CURRICULUM...]",
            help="Lemmas and curricula; SYJ203.1 to 4 and textbook if left out.",
            autocompletion=complete_curriculum,
        ),
    ] = None,
    reading: Annotated[str, typer.Option(help="How the terms are read: sound, seed, or both.")] = "both",
    gamma: GammaOption = 0.9,
    levels: LevelsOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """See exactly which terms of R† change what is best, and what they pay for that they should not.

    Each term is added to C alone. In every state that a lemma leads to the moves of the best episodes are computed, and
    set against those of shortest proofs.
    """
    from oasis.cli.progress import watch_count
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.dagger.term import Reading
    from oasis.lab.rewarding.audit_tables import DEFINITIONS, merged, sentences, tables
    from tactics.errors import InputError, check_choice

    check_choice("--reading", reading, (*Reading, "both"))
    if not 0 < gamma <= 1:
        raise InputError(f"--gamma must lie above 0 and up to 1, not {gamma:g}.")
    readings = [each for each in Reading if reading in (each, "both")]
    found = [lemma for name in curricula or _AUDITED for lemma in read_curriculum(name, levels).lemmas]
    lemmas = list({lemma.name: lemma for lemma in found}.values())
    findings: list[Finding] = []
    left_out: dict[str, str] = {}
    watch_count(_audited(lemmas, readings, gamma, findings, left_out), len(lemmas), "lemmas", quiet=quiet)
    for name, reason in left_out.items():
        narrate(f"{name} is left out: {reason}.")
    if not findings:
        raise InputError("None of these lemmas could be looked at whole; name smaller ones.")
    together = merged(findings)
    said = sentences(together)
    if as_json:
        content: dict[str, Any] = {"gamma": gamma, "lemmas": [each.name for each in lemmas], "left_out": left_out}
        print_json(
            {
                **content,
                "findings": [each.to_json() for each in together],
                "sentences": said,
                "definitions": DEFINITIONS,
            }
        )
        return
    for table in tables(together, gamma):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    for name, meaning in DEFINITIONS.items():
        print_text(f"{name}: {meaning}.")
    print()
    for sentence in said:
        print_text(sentence, "  · ")


_OF_A_NEW_ONE = (
    *("curriculum", "weights", "alone", "dropped", "learner", "state_space", "epsilon", "gamma", "initial_value"),
    *("episodes", "seeds", "seed", "levels"),
)
"""What an ablation that is resumed has already."""


def ablate(
    context: typer.Context,
    curriculum: Annotated[
        str | None,
        typer.Argument(
            metavar="LEMMA|CURRICULUM",
            help="A lemma, a curriculum (textbook, SYJ203, random:count=20), a file, or -; non-theorems are left out.",
            autocompletion=complete_curriculum,
        ),
    ] = None,
    weights: WeightsOption = "all",
    alone: Annotated[bool, typer.Option("--alone", help="Only each term beside C alone.")] = False,
    dropped: Annotated[bool, typer.Option("--dropped", help="Only all of R† without each term.")] = False,
    learner: LearnerOption = "q-learning",
    state_space: StateSpaceOption = "name",
    epsilon: EpsilonOption = "0.4",
    gamma: GammaOption = 0.9,
    initial_value: InitialValueOption = 0.0,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 500,
    seeds: Annotated[int, typer.Option(help="Students of each kind, each with a seed of its own.")] = 30,
    seed: FirstSeedOption = 0,
    levels: LevelsOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = "processes",
    ray_address: RayOption = None,
    db: DatabaseOption = DATABASE,
    resume: ResumeOption = False,
    experiment: ExperimentOption = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a line for each student and lemma.")] = None,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """See what each term of R† does: students are paid by all of it, by all but one term, and by C and one term.

    Each lemma has students of its own. Told are the episodes until they are reliable and what they prove in the end,
    against the same seeds of other rewards. What is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """
    from oasis.lab.engines import engine as engine_named
    from oasis.lab.rewarding.ablation import plans, variants
    from oasis.student.settings import Settings
    from tactics.errors import InputError

    def planned() -> tuple[str, dict[str, Plan]]:
        if curriculum is None:
            raise InputError("Name a lemma or a curriculum, as in: oasis dagger ablate textbook")
        if seeds < 2:
            raise InputError(f"--seeds must be at least 2, not {seeds}: one student alone has no interval.")
        settings = Settings(
            learner=learner,
            state_space=state_space,
            epsilon=epsilon,
            gamma=gamma,
            initial_value=initial_value,
            episodes=episodes,
            seed=seed,
        )
        both = alone == dropped
        kinds = variants(read_weights(weights), settings, dropped=dropped or both, alone=alone or both)
        found = read_curriculum(curriculum, levels)
        made = plans(found.lemmas, kinds, tuple(range(seed, seed + seeds)))
        if len(made) < len(found.lemmas) and not quiet:
            narrate(f"{len(found.lemmas) - len(made)} of {len(found.lemmas)} lemmas are no theorems, and left out.")
        return found.name, made

    if html is not None:
        from oasis.lab.report.page import check_page

        check_page(html)
    chosen = engine_named(engine, workers=workers, address=ray_address)
    with campaign(
        context, planned, db, settled=_OF_A_NEW_ONE, resume=resume, experiment=experiment, quiet=quiet
    ) as kept:
        run(kept, chosen, quiet=quiet)
        _report(kept, as_json, csv, html)


def _report(kept: Campaign[Plan], as_json: bool, csv: Path | None, html: Path | None) -> None:
    """Show what came of an ablation."""
    from oasis.cli.render import print_json, print_section, print_text
    from oasis.lab.rewarding.ablation import comparisons
    from oasis.lab.rewarding.contrasts import contrasts, outcomes, to_json
    from oasis.lab.rewarding.measures import all_measured, shortest
    from oasis.lab.rewarding.verdict import paragraph, tables

    known = shortest(kept.plans)
    found = all_measured(kept.plans, {part: kept.trials(part) for part in kept.plans}, known)
    plan = next(iter(kept.plans.values()))
    compared, all_outcomes = contrasts(found, comparisons(list(found))), outcomes(found)
    if csv is not None:
        _write_csv(csv, kept.plans, found, known)
    if html is not None:
        from shlex import join

        from oasis.lab.report.ablation import page
        from oasis.lab.report.page import write

        title, command = f"What the terms of R† do on {kept.name}", join(["oasis", *sys.argv[1:]])
        write(html, page(kept.plans, all_outcomes, compared, title, command, kept.made_by))
    sentences = paragraph(compared)
    if as_json:
        content = {**kept.to_json(), "name": kept.name, "lemmas": list(kept.plans), "seeds": list(plan.seeds)}
        rewards = {variant.name: variant.settings.reward for variant in plan.variants}
        print_json(
            {**content, "episodes": plan.episodes, "rewards": rewards, **to_json(all_outcomes, compared)}
            | {"sentences": sentences}
        )
        return
    title = f"{kept.name}: {len(kept.plans)} lemmas, {plan.episodes:,} episodes each, {len(plan.seeds)} students"
    for table in tables(all_outcomes, compared, title):
        print_section(table.title, table.header, table.rows, words=table.words, note=table.note)
    print_text(" ".join(sentences))


def _write_csv(
    path: Path, plans: Mapping[str, Plan], found: Mapping[str, Measures], known: Mapping[str, int | None]
) -> None:
    """Write a line for each reward, lemma and seed; nothing in a field where there is no such number."""
    import csv
    from math import isfinite

    with output_stream(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("reward", "lemma", "seed", "reliable_from", "plays", "length_ratio", "shortest"))
        for variant, measures in found.items():
            for place, (part, plan) in enumerate(plans.items()):
                columns = (each[:, place].tolist() for each in (measures.episodes, measures.plays, measures.length))
                for seed, *numbers in zip(plan.seeds, *columns, strict=True):
                    shown = [f"{number:g}" if isfinite(number) else "" for number in numbers]
                    writer.writerow((variant, part, seed, *shown, known[part] or ""))


def _audited(
    lemmas: list[Lemma], readings: list[Reading], gamma: float, findings: list[Finding], left_out: dict[str, str]
) -> Iterator[int]:
    """Audit lemma by lemma, and give the number of those that are done after each."""
    from oasis.ground.limits import LimitReached
    from oasis.lab.rewarding.audit import audited
    from oasis.lab.rewarding.states import StateGraph

    for number, lemma in enumerate(lemmas, 1):
        try:
            graph = StateGraph(lemma.formula)
        except LimitReached as reached:
            left_out[lemma.name] = str(reached)
        else:
            for reading in readings:
                findings += audited(lemma, graph, reading, gamma)
        yield number
