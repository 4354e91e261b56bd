"""`oasis train`: a student practises a curriculum and is examined."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from oasis.cli.arguments import (
    DATABASE,
    CertifyOption,
    DatabaseOption,
    JsonOption,
    QuietOption,
    read_certifiers,
    read_curriculum,
)
from oasis.cli.narration import narrate_left_out
from oasis.cli.options import Given, Usually, command
from oasis.cli.rewards import read_reward
from oasis.cli.training import carry_out, carry_out_side_by_side, certify_proofs, narrate_kept
from oasis.ground.settings import Setting
from oasis.student.settings import OF_TRAIN, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    from oasis.cli import escalated
    from oasis.cli.runs import show_runs
    from oasis.store import Store
    from oasis.student.school import try_out

    asked, above, resume, run = practised.made(), beyond.made(), resumed.made().resume, resumed.made().run
    escalate, student = above.escalate, asked.student
    if "reward" in settings.values or asked.weights is not None:
        settings = settings.but(reward=read_reward(settings.values.get("reward", Settings.reward), asked.weights))
    made = None if resume or student is not None else settings.made()
    referees = read_certifiers(certify)
    if above.budget is not None:
        escalated.read_time(above.budget)  # before a file is made
    chosen = None if resume else _chosen(asked, quiet=quiet)
    examined = None if asked.exam is None or resume else read_curriculum(asked.exam)
    with Store(db, create=made is not None and not asked.experience) as store:
        if chosen is not None:
            if asked.experience:
                from oasis.experience.library import Library

                settings = settings.but(experience=Library(store).prior().text)
            made = settings.made() if student is None else _inherited(store, student, settings.values)
            try_out(made, [lemma.formula for lemma in chosen.lemmas])  # so that no run is left that never played
        if escalate and chosen is not None:
            assert made is not None
            run = escalated.start(
                store,
                chosen,
                made,
                network=above.policy,
                search=settings.values.get("search", ""),
                expansions=settings.values.get("search_budget"),
                budget=above.budget,
                taught_by=student,
            )
        elif resume:
            run = run if run is not None else store.newest_run(unfinished_first=True)
            others = [name for name in (*practised.values, *beyond.values, *settings.values) if name != "escalate"]
            escalate = escalated.is_resumed(store, run, escalate, others)
        if escalate:
            assert run is not None
            escalated.carry_out(store, run, db, quiet)
            certify_proofs(store, run, referees, quiet)
            show_runs(store, [run], as_json)
            narrate_kept(run, run, db, quiet)
            return
        if chosen is None:
            trainings = _resumed(store, run, practised, settings.values)
        else:
            assert made is not None
            trainings = _started(store, chosen, made, examined and _without(examined, chosen), student, asked.seeds)
        if len(trainings) == 1:
            carry_out(trainings[0], db, quiet)
        else:
            carry_out_side_by_side(store, trainings, db, quiet)
        for training in trainings:
            certify_proofs(store, training.run, referees, quiet)
        show_runs(store, [training.run for training in trainings], as_json)
    narrate_kept(trainings[0].run, trainings[-1].run, db, quiet)


def _chosen(asked: Practised, *, quiet: bool) -> Curriculum:
    """What is practised: the lemmas that are asked for, but for those without a proof unless all are wanted.

    Raises InputError if none is left.
    """
    from oasis.escalation.practice import with_proofs
    from tactics.errors import InputError

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


def _started(
    store: Store, chosen: Curriculum, settings: Settings, exam: Curriculum | None, taught_by: int | None, seeds: int
) -> list[Training]:
    """New runs with neighbouring seeds, all of them in the store before the first episode."""
    from dataclasses import replace

    from oasis.escalation.practice import found_by_search, optimum
    from oasis.student.training import Training

    trainings: list[Training] = []
    with store.together():
        for seed in range(settings.seed, settings.seed + seeds):
            cohort = trainings[0].run if trainings else None
            each = replace(settings, seed=seed)
            trainings.append(
                Training.start(
                    store,
                    chosen,
                    each,
                    exam=exam,
                    taught_by=taught_by,
                    cohort=cohort,
                    shortest=optimum,
                    say=_say,
                    teach=found_by_search,
                )
            )
    return trainings


def _without(exam: Curriculum, practised: Curriculum) -> Curriculum | None:
    """The lemmas to be examined on without practice: not those that are practised; None if there are no others."""
    from dataclasses import replace

    known = {lemma.formula for lemma in practised.lemmas}
    both = [lemma.name for lemma in exam.lemmas if lemma.formula in known]
    if both:
        _say(f"Practised, and so examined only as such: {', '.join(both)}")
    others = tuple(lemma for lemma in exam.lemmas if lemma.formula not in known)
    return replace(exam, lemmas=others) if others else None


def _resumed(store: Store, run: int | None, practised: Given[Practised], typed: Mapping[str, Any]) -> list[Training]:
    """The run to go on with, and those that were started with it; what was typed beside --resume must agree."""
    from dataclasses import replace

    from oasis.escalation.practice import found_by_search, optimum
    from oasis.student.training import Training
    from tactics.errors import InputError

    number = run if run is not None else store.newest_run(unfinished_first=True)
    runs = store.cohort(number) if run is None else [run]
    trainings = [Training(store, each, optimum, _say, found_by_search) for each in runs]
    training = next(each for each in trainings if each.run == number)
    given, wanted = practised.values, practised.made()
    if wanted.experience and not training.settings.experience:
        raise InputError(f"Run {number} was begun without --experience; leave it out to go on.")
    for name, value in typed.items():
        asked, kept = getattr(replace(training.settings, **{name: value}), name), getattr(training.settings, name)
        if asked != kept:
            option = "--" + name.replace("_", "-")
            raise InputError(f"Run {number} has {option} {kept}, not {asked}; leave {option} out to go on.")
    kept = len(store.cohort(number))
    if "seeds" in given and wanted.seeds != kept:
        raise InputError(f"Run {number} has --seeds {kept}, not {wanted.seeds}; leave --seeds out to go on.")
    if wanted.exam is not None:
        known = {lemma["name"] for lemma in training.lemmas}
        if not known.issuperset(lemma.name for lemma in read_curriculum(wanted.exam).lemmas):
            raise InputError(f"Run {number} has another exam; leave --exam out to go on.")
    if given.keys() & {"curriculum", "levels"}:
        asked_lemmas = [lemma.name for lemma in _chosen(wanted, quiet=True).lemmas]
        if asked_lemmas != [lemma["name"] for lemma in training.lemmas if not lemma["only_examined"]]:
            raise InputError(f"Run {number} has other lemmas; go on with it by: oasis train --resume")
    return trainings


def _inherited(store: Store, run: int, typed: Mapping[str, Any]) -> Settings:
    """The settings of the student of a run, but for what was typed."""
    from dataclasses import replace

    from oasis.student.training import settings_of

    return replace(settings_of(store.run(run)), **typed)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
