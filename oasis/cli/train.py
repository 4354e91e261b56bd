"""`oasis train`: a student practises a curriculum and is examined."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from oasis.cli.arguments import (
    DATABASE,
    ActionsOption,
    AlphaOption,
    CertifyOption,
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
    TraceDecayOption,
    complete_curriculum,
    read_certifiers,
    read_curriculum,
    seed_option,
    was_typed,
)
from oasis.cli.rewards import RewardOption, WeightsOption, read_reward
from oasis.cli.training import carry_out, carry_out_side_by_side, certify_proofs, narrate_kept

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.play.policy import Policy
    from oasis.store import Store
    from oasis.student.settings import Settings
    from oasis.student.training import Training
    from tactics.formula import Formula
    from tactics.script import Script

_DEFAULT_CURRICULUM = "thesis"
_OPTIMUM_SECONDS = 2.0
"""For the length of a shortest proof of each lemma."""
_OF_A_NEW_ESCALATION = ("curriculum", "levels", "budget", "policy", "seeds", "exam", "weights")
"""What an escalation that goes on has of its own, beside its settings."""


def train(
    context: typer.Context,
    curriculum: Annotated[
        str,
        typer.Argument(
            metavar="[CURRICULUM]",
            help="A name (thesis, textbook, course, iltp, iltp/SYJ203, random), a lemma, a .p file, a directory, "
            "a text file of lemmas, a comma list of these, or - for standard input.",
            autocompletion=complete_curriculum,
        ),
    ] = _DEFAULT_CURRICULUM,
    learner: LearnerOption = "and-or-q",
    reward: RewardOption = "terminating",
    weights: WeightsOption = None,
    state_space: Annotated[
        str, typer.Option(help="When two states are the same: simple, name or match (see oasis states --help).")
    ] = "simple",
    actions: ActionsOption = "legal",
    forget_errors: ForgetErrorsOption = False,
    episodes: Annotated[int, typer.Option(help="Episodes for each lemma.")] = 20_000,
    epsilon: EpsilonOption = "0.4",
    alpha: AlphaOption = "0.7",
    gamma: GammaOption = 0.9,
    trace_decay: TraceDecayOption = 0.9,
    planning: PlanningOption = 20,
    initial_value: InitialValueOption = 0.0,
    max_steps: MaxStepsOption = 200,
    experience: Annotated[
        bool,
        typer.Option(
            "--experience",
            help="Draw lots among moves of equal value by the odds of the maxims in --db, as they are now.",
        ),
    ] = False,
    search: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Look for a proof of each lemma by this search, with the student's own policy, and show it first; "
            "a lemma without one is not practised.",
        ),
    ] = "",
    search_budget: Annotated[int, typer.Option(help="Expansions of that search for each lemma.")] = 10_000,
    shown: Annotated[int, typer.Option(help="How often the proof that was found is shown.")] = 10,
    escalate: Annotated[
        bool,
        typer.Option(
            "--escalate",
            help="What the student does not learn goes to a search with its policy, and then to a network (--policy).",
        ),
    ] = False,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="With --escalate: for all lemmas together, as in 90s or 30m; else 10 s a lemma, at most 30m.",
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(metavar="NAME", help="With --escalate: the network, as in prove --policy; tiny if left out."),
    ] = "",
    levels: LevelsOption = None,
    seed: Annotated[int, seed_option("Seed of all random choices.")] = 0,
    seeds: Annotated[
        int, typer.Option(help="Students to train, each in a run of its own, with seeds from --seed on.")
    ] = 1,
    exam: Annotated[
        str | None,
        typer.Option(metavar="CURRICULUM", help="Lemmas to be examined on in the end without having practised them."),
    ] = None,
    student: Annotated[
        int | None, typer.Option(metavar="RUN", help="Go on with what the student of a run has learned.")
    ] = None,
    backend: Annotated[
        str, typer.Option(help="Where moves are made: native, or inside coq or lean (much slower).")
    ] = "native",
    certify: CertifyOption = "all",
    db: DatabaseOption = DATABASE,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest unfinished run, with the settings it has.")
    ] = False,
    run: Annotated[int | None, typer.Option(metavar="RUN", help="With --resume: which run.")] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Let a student practise the lemmas of a curriculum, examine it, and show what it learned.

    With --experience maxims decide where its values do not; exams do not follow them, so they show what it learned.
    Everything is kept in the database: `oasis runs` shows it again, and a run that was stopped goes on with --resume.
    """
    from dataclasses import replace

    from oasis.cli import escalated
    from oasis.cli.run_report import show_run
    from oasis.experience.library import Library
    from oasis.lab.trials import try_out
    from oasis.store import Store
    from oasis.student.settings import Settings
    from tactics.errors import InputError, check_choice

    if run is not None and not resume:
        raise InputError("--run goes with --resume: it says which run to go on with.")
    if resume and student is not None:
        raise InputError("--student begins a run and --resume goes on with one; leave one of them out.")
    if seeds < 1:
        raise InputError(f"--seeds is the number of students, at least 1, not {seeds}.")
    given = {name: context.params[name] for name in vars(Settings())} | {"reward": read_reward(reward, weights)}
    typed = {name: value for name, value in given.items() if was_typed(context, name)}
    settings = None if resume or student is not None else Settings(**given | {"experience": ""})
    chosen = None if resume else read_curriculum(curriculum, levels)
    examined = None if exam is None or resume else read_curriculum(exam)
    referees = read_certifiers(certify)
    if search:
        from oasis.search.registry import SEARCHES

        check_choice("--search", search, SEARCHES)
    _check_escalation(context, escalate)
    if budget is not None:
        escalated.read_time(budget)  # before a file is made
    with Store(db, create=settings is not None and not experience) as store:
        if experience and chosen is not None:
            typed["experience"] = Library(store).prior().text
            settings = settings and replace(settings, experience=typed["experience"])
        if chosen is not None and student is not None:
            settings = _inherited(store, student, typed)
        if chosen is not None:
            assert settings is not None
            try_out(settings, [lemma.formula for lemma in chosen.lemmas])  # so that no run is left that never played
        if escalate and chosen is not None:
            assert settings is not None
            expansions = search_budget if was_typed(context, "search_budget") else None
            run = escalated.start(
                store,
                chosen,
                settings,
                network=policy,
                search=search,
                expansions=expansions,
                budget=budget,
                taught_by=student,
            )
        elif resume:
            run = run if run is not None else store.newest_run(unfinished_first=True)
            others = [name for name in _OF_A_NEW_ESCALATION if was_typed(context, name)]
            escalate = escalated.is_resumed(store, run, escalate, [*others, *typed])
        if escalate:
            assert run is not None
            escalated.carry_out(store, run, db, quiet)
            certify_proofs(store, run, referees, quiet)
            show_run(store, run, as_json)
            narrate_kept(run, run, db, quiet)
            return
        if chosen is None:
            trainings = _resumed(context, store, run, typed)
        else:
            assert settings is not None
            trainings = _started(store, chosen, settings, examined and _without(examined, chosen), student, seeds)
        if len(trainings) == 1:
            carry_out(trainings[0], db, quiet)
        else:
            carry_out_side_by_side(store, trainings, db, quiet, _shortest, _found_by_search)
        for training in trainings:
            certify_proofs(store, training.run, referees, quiet)
        _show(store, [training.run for training in trainings], as_json)
    narrate_kept(trainings[0].run, trainings[-1].run, db, quiet)


def _check_escalation(context: typer.Context, escalate: bool) -> None:
    """Raise InputError for options that do not go with an escalation, or with nothing else."""
    from tactics.errors import InputError

    unfit = ("seeds", "exam", "backend") if escalate else ("budget", "policy")
    for name in unfit:
        if was_typed(context, name):
            raise InputError(f"--{name} {'does not go' if escalate else 'goes'} with --escalate.")


def _started(
    store: Store, chosen: Curriculum, settings: Settings, exam: Curriculum | None, taught_by: int | None, seeds: int
) -> list[Training]:
    """New runs with neighbouring seeds, all of them in the store before the first episode."""
    from dataclasses import replace

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
                    shortest=_shortest,
                    say=_say,
                    teach=_found_by_search,
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


def _resumed(context: typer.Context, store: Store, run: int | None, typed: dict[str, Any]) -> list[Training]:
    """The run to go on with, and those that were started with it; what was typed beside --resume must agree."""
    from dataclasses import replace

    from oasis.student.training import Training
    from tactics.errors import InputError

    number = run if run is not None else store.newest_run(unfinished_first=True)
    runs = store.cohort(number) if run is None else [run]
    trainings = [Training(store, each, _shortest, _say, _found_by_search) for each in runs]
    training = next(each for each in trainings if each.run == number)
    if typed.pop("experience", False) and not training.settings.experience:
        raise InputError(f"Run {number} was begun without --experience; leave it out to go on.")
    for name, value in typed.items():
        asked, kept = getattr(replace(training.settings, **{name: value}), name), getattr(training.settings, name)
        if asked != kept:
            option = "--" + name.replace("_", "-")
            raise InputError(f"Run {number} has {option} {kept}, not {asked}; leave {option} out to go on.")
    asked, kept = context.params["seeds"], len(store.cohort(number))
    if was_typed(context, "seeds") and asked != kept:
        raise InputError(f"Run {number} has --seeds {kept}, not {asked}; leave --seeds out to go on.")
    if was_typed(context, "exam"):
        known = {lemma["name"] for lemma in training.lemmas}
        if not known.issuperset(lemma.name for lemma in read_curriculum(context.params["exam"]).lemmas):
            raise InputError(f"Run {number} has another exam; leave --exam out to go on.")
    if was_typed(context, "curriculum") or was_typed(context, "levels"):
        asked_lemmas = [
            lemma.name for lemma in read_curriculum(context.params["curriculum"], context.params["levels"]).lemmas
        ]
        if asked_lemmas != [lemma["name"] for lemma in training.lemmas if not lemma["only_examined"]]:
            raise InputError(f"Run {number} has other lemmas; go on with it by: oasis train --resume")
    return trainings


def _inherited(store: Store, run: int, typed: dict[str, Any]) -> Settings:
    """The settings of the student of a run, but for what was typed."""
    from dataclasses import replace

    from oasis.student.training import settings_of

    return replace(settings_of(store.run(run)), **typed)


def _shortest(formula: Formula) -> int | None:
    from oasis.escalation.proving import shortest_length

    return shortest_length(formula, _OPTIMUM_SECONDS)


def _found_by_search(settings: Settings, formula: Formula, policy: Policy) -> Script | None:
    """A proof that a search finds with the policy of a student, to be shown to it; Unprovable if there is none."""
    if not settings.search:
        return None
    from oasis.play.policy import Uniform
    from oasis.search.graph import REFUTED
    from oasis.search.registry import SEARCHES
    from oasis.search.search import Budget
    from oasis.student.training import Unprovable
    from tactics.goal import initial

    proposed = policy if settings.actions == "legal" else Uniform()
    search = SEARCHES[settings.search](initial(formula)[0], proposed, seed=settings.seed)
    for _ in search.run(Budget(settings.search_budget)):
        pass
    if search.status is REFUTED:
        raise Unprovable(f"{settings.search} has tried everything, and it has no proof")
    return search.script()


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _show(store: Store, runs: list[int], as_json: bool) -> None:
    from oasis.cli.render import print_json
    from oasis.cli.run_report import print_cohort, print_report
    from oasis.student.report import report

    reports = [report(store, run) for run in runs]
    if as_json:
        print_json(reports[0].to_json() if len(reports) == 1 else {"runs": [each.to_json() for each in reports]})
    elif len(reports) == 1:
        print_report(reports[0])
    else:
        print_cohort(reports)
