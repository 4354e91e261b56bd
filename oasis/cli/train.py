"""`oasis train`: a student practises a curriculum and is examined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import (
    DATABASE,
    CertifyOption,
    DatabaseOption,
    JsonOption,
    QuietOption,
    read_certifiers,
    read_curriculum,
)
from oasis.cli.narration import narrate, narrate_left_out
from oasis.cli.options import Given, Usually, command
from oasis.cli.training import carry_out, certify_proofs, narrate_kept
from oasis.ground.settings import Setting
from oasis.student.settings import OF_TRAIN, Settings
from tactics.errors import InputError

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.store import Store
    from oasis.student.training import Training


@dataclass(frozen=True)
class Practised:
    """What is practised, by how many students."""

    curriculum: Annotated[
        str,
        Setting(
            "A name (thesis, textbook, course, iltp, iltp/SYJ203, random), a lemma, a .p file, a directory, a text "
            "file of lemmas, a comma list of these, or - for standard input.",
            metavar="[CURRICULUM]",
            complete="curricula:complete",
            positional=True,
        ),
    ] = "thesis"
    levels: Annotated[
        str | None,
        Setting("Levels of families, as in 1-3 or 1,4; 1-3,none takes lemmas without a level, too."),
    ] = None
    everything: Annotated[
        bool, Setting("Practise lemmas that have no proof, too; they are set aside otherwise.", names=("--all",))
    ] = False
    seeds: Annotated[
        int,
        Setting(
            "Students to train, each in a run of its own, with seeds from --seed on.",
            within="[1, ∞)",
            not_with="escalate",
        ),
    ] = 1
    exam: Annotated[
        str | None,
        Setting(
            "Lemmas to be examined on in the end without having practised them.",
            metavar="CURRICULUM",
            complete="curricula:complete",
            not_with="escalate",
        ),
    ] = None
    weights: Annotated[
        str | None,
        Setting(
            "With --reward dagger: weights of its terms, elegant, all, correct, seed, sparse, tuned, or a .toml file.",
            metavar="FILE|PRESET",
        ),
    ] = None
    experience: Annotated[
        bool, Setting("Draw lots among moves of equal value by the odds of the maxims in --db, as they are now.")
    ] = False
    student: Annotated[
        int | None, Setting("Go on with what the student of a run has learned.", metavar="RUN", not_with="resume")
    ] = None


@dataclass(frozen=True)
class Escalated:
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
    certify: CertifyOption = "all",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a student practise the lemmas of a curriculum, examine it, and show what it learned.

    With --experience maxims decide where its values do not; exams do not follow them, so they show what it learned.
    Everything is kept in the database: `oasis runs` shows it again, and a run that was stopped goes on with --resume.
    """
    from oasis.cli.run_report import show_runs
    from oasis.store import Store

    asked, above, taken_up = practised.made(), beyond.made(), resumed.made()
    settings = _with_reward(settings, asked.weights)
    made = None if taken_up.resume or asked.student is not None else settings.made()
    referees = read_certifiers(certify)
    if above.budget is not None:
        from oasis.cli.escalated import read_time

        read_time(above.budget)  # before a file is made
    chosen = None if taken_up.resume else _chosen(asked, quiet=quiet)
    examined = None if asked.exam is None or taken_up.resume else read_curriculum(asked.exam)
    with Store(db, create=made is not None and not asked.experience) as store:
        trainings: list[Training] = []
        if chosen is None:
            run = store.newest_run(unfinished_first=True) if taken_up.run is None else taken_up.run
            typed = [each.option(name) for each in (practised, beyond, settings) for name in each.values]
            if not _is_escalation(store, run, above.escalate, typed):
                trainings = _resumed(store, run, practised, settings, alone=taken_up.run is not None)
        else:
            made = _settings(store, asked, settings, chosen)
            if above.escalate:
                from oasis.cli.escalated import start

                run = start(
                    store,
                    chosen,
                    made,
                    network=above.policy,
                    search=settings.values.get("search", ""),
                    expansions=settings.values.get("search_budget"),
                    budget=above.budget,
                    taught_by=asked.student,
                )
            else:
                from oasis.escalation.practice import begin

                students = [made, *(replace(made, seed=made.seed + n) for n in range(1, asked.seeds))]
                exam = examined and _without(examined, chosen)
                trainings = begin(store, chosen, students, exam=exam, taught_by=asked.student, say=narrate)
        if trainings:
            carry_out(store, trainings, db, quiet)
        else:
            from oasis.cli import escalated

            escalated.carry_out(store, run, db, quiet)
        runs = [training.run for training in trainings] or [run]
        certify_proofs(store, runs, referees, quiet)
        show_runs(store, runs, as_json)
    narrate_kept(runs, db, quiet)


def _with_reward(settings: Given[Settings], weights: str | None) -> Given[Settings]:
    """Return the settings with the reward of the weights that were named."""
    if weights is None:
        return settings
    from oasis.cli.rewards import read_reward

    return settings.but(reward=read_reward(settings.values.get("reward", Settings.reward), weights))


def _chosen(asked: Practised, *, quiet: bool) -> Curriculum:
    """Return the lemmas that are asked for, but for those without a proof unless all are wanted.

    Raises InputError if none is left.
    """
    from oasis.escalation.practice import with_proofs

    curriculum = read_curriculum(asked.curriculum, asked.levels)
    if asked.everything:
        return curriculum
    kept, aside = with_proofs(curriculum)
    if not kept.lemmas:
        none = f"{aside[0]} has no proof" if len(aside) == 1 else f"No lemma of {curriculum.name} has a proof"
        raise InputError(f"{none}, as oasis countermodel shows; practise it all the same with --all.")
    if aside and not quiet:
        narrate_left_out({"without a proof (--all practises them, too)": aside})
    return kept


def _without(exam: Curriculum, practised: Curriculum) -> Curriculum | None:
    """Return the lemmas to be examined on without practice; None if all are practised."""
    known = {lemma.formula for lemma in practised.lemmas}
    both = [lemma.name for lemma in exam.lemmas if lemma.formula in known]
    if both:
        narrate(f"Practised, and so examined only as such: {', '.join(both)}")
    others = tuple(lemma for lemma in exam.lemmas if lemma.formula not in known)
    return replace(exam, lemmas=others) if others else None


def _settings(store: Store, asked: Practised, settings: Given[Settings], chosen: Curriculum) -> Settings:
    """Return the settings of the students, in which a learner or a reward of somebody's own was tried out."""
    from oasis.student.school import try_out

    if asked.experience:
        from oasis.experience.library import Library

        settings = settings.but(experience=Library(store).prior().text)
    if asked.student is None:
        made = settings.made()
    else:
        from oasis.student.training import settings_of

        made = replace(settings_of(store.run(asked.student)), **settings.values)
    try_out(made, [lemma.formula for lemma in chosen.lemmas])  # so that no run is left that never played
    return made


def _is_escalation(store: Store, run: int, escalate: bool, typed: list[str]) -> bool:
    """Return True for a run to go on with that is an escalation. Raises InputError if that is not what was asked for.

    Args:
        store: where it is.
        run: its number.
        escalate: whether an escalation was asked for.
        typed: the options that were typed, of which an escalation that goes on takes none but --escalate.
    """
    if store.escalation(run) is None:
        if escalate:
            raise InputError(f"Run {run} is no escalation; leave --escalate out to go on, or --resume to begin one.")
        return False
    for option in typed:
        if option != "--escalate":
            name = option if option.startswith("-") else option.upper()
            raise InputError(f"Run {run} is an escalation with settings of its own; leave {name} out to go on.")
    return True


def _resumed(
    store: Store, run: int, practised: Given[Practised], settings: Given[Settings], *, alone: bool
) -> list[Training]:
    """Return the run to go on with, and unless alone those that were started with it.

    Raises InputError if what was typed beside --resume does not agree with what it has.
    """
    from oasis.escalation.practice import go_on

    cohort = store.cohort(run)
    trainings = {each: go_on(store, each, narrate) for each in ([run] if alone else cohort)}
    training, wanted = trainings[run], practised.made()
    kept = training.settings
    if wanted.experience and not kept.experience:
        raise InputError(f"Run {run} was begun without --experience; leave it out to go on.")
    typed = replace(kept, **settings.values)
    both = [(settings.option(name), getattr(kept, name), getattr(typed, name)) for name in settings.values]
    if "seeds" in practised.values:
        both.append(("--seeds", len(cohort), wanted.seeds))
    for option, has, asked in both:
        if has != asked:
            raise InputError(f"Run {run} has {option} {has}, not {asked}; leave {option} out to go on.")
    lemmas = training.lemmas
    if wanted.exam is not None:
        known = {lemma["name"] for lemma in lemmas}
        if not known.issuperset(lemma.name for lemma in read_curriculum(wanted.exam).lemmas):
            raise InputError(f"Run {run} has another exam; leave --exam out to go on.")
    if practised.values.keys() & {"curriculum", "levels"}:
        names = [lemma.name for lemma in _chosen(wanted, quiet=True).lemmas]
        if names != [lemma["name"] for lemma in lemmas if not lemma["only_examined"]]:
            raise InputError(f"Run {run} has other lemmas; go on with it by: oasis train --resume")
    return [*trainings.values()]
