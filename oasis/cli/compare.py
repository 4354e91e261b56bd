"""`oasis compare`: which learner, search or ladder is better, on the same lemmas, with as many seeds as it takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from oasis.cli import experiments
from oasis.cli.experiments import Begun, How, Lemmas, Wanted, Weighing, experiment
from oasis.cli.narration import narrate
from oasis.cli.options import Beside, Given, InFiles, Lists, Only, Usually
from oasis.ground.names import POLICIES, SOLVERS
from oasis.ground.settings import Setting
from oasis.lab.students.circumstances import WITH, Circumstances
from oasis.play.solving import Ladders
from oasis.student.settings import Settings
from tactics.errors import InputError

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.lab.ladders import ClimbPlan
    from oasis.lab.searches.plan import SearchPlan
    from oasis.lab.students.grid import Grid
    from oasis.lab.students.plan import Plan, Variant

_TIME = "60s"
"""Processor time of ladders for all lemmas together, unless another one is given."""
_BEST: Final = 5
"""Combinations that are compared of those that optuna tried."""
_TRIED: Final = 3
"""Students that try each combination."""
_FRESH: Final = 1_000_000
"""How far their seeds are from those of students that are compared."""
_OF_STUDENTS = Beside(not_with="search ladder")
_OF_STUDENTS_ALONE = ("csv_episodes", "csv_checkpoints", "tensorboard", "wandb_offline")
_LISTS = Only(
    *("learner", "reward", "state_space", "actions", "epsilon", "alpha", "gamma", "trace_decay", "planning"),
    *("initial_value", "max_steps"),
)


@dataclass(frozen=True)
class Sweeps:
    """Any other setting of students of which there are several values."""

    sweep: Annotated[
        tuple[str, ...],
        Setting("Vary a setting, as in epsilon=0.1:0.5:0.1; can be repeated.", metavar="NAME=VALUES"),
    ] = ()
    choose: Annotated[
        int | None,
        Setting("Let optuna try so many of all combinations, and compare the best.", within="[2, ∞)", metavar="NUMBER"),
    ] = None


@dataclass(frozen=True)
class Settled:
    """What is settled before anybody looks; it stands in a study alone (`--study`)."""

    headline: Annotated[object, Setting("The measure that the verdict is about.", hidden=True)] = ""
    variants: Annotated[
        object,
        Setting(
            "Kinds by name, each with settings of its own, as in variants.low = {epsilon = 0.05}.",
            hidden=True,
            not_with="search ladder sweep choose",
        ),
    ] = None
    claims: Annotated[
        object, Setting("What is claimed: says, measure, less and than, or alike = [ONE, OTHER]; margin.", hidden=True)
    ] = ()


@dataclass(frozen=True)
class Others(Ladders):
    """What is compared instead of students."""

    search: Annotated[
        str | None,
        Setting(
            f"Compare solvers and not students: {SOLVERS.told}; a comma list, or all searches as all.",
            metavar="NAMES",
            not_with="ladder",
        ),
    ] = None
    ladder: Annotated[
        str | None,
        Setting(
            "Compare ladders: table, search, network, language, with a plus between them, or escalate; a comma list.",
            metavar="NAMES",
        ),
    ] = None
    policy: Annotated[
        str,
        Setting(
            f"With --search: {POLICIES.told}; a comma list. With --ladder: the network.",
            metavar="NAMES",
            only_with="search ladder",
        ),
    ] = "uniform"
    budget: Annotated[
        str,
        Setting(
            "With --search, for each lemma: expansions, calls, seconds of the clock, memory. With --ladder: "
            "processor time for all lemmas together, as 5m.",
            metavar="NAME=N,…|TIME",
            only_with="search ladder",
        ),
    ] = "expansions=10000"
    stages: Annotated[
        bool,
        Setting("With --search: what the policy alone, playing it often, and each search prove.", only_with="search"),
    ] = False


@dataclass(frozen=True)
class Seeds(experiments.Seeds):
    """With how many seeds each kind is tried."""

    seeds: Annotated[
        int | None, Setting("Students (30), searches (10) or climbs (3) of each kind, each with a seed of its own.")
    ] = None


class Asked(NamedTuple):
    """What was asked for, with the lemmas and the seeds that these words mean."""

    lemmas: Curriculum
    seeds: tuple[int, ...]
    students: Given[Settings]
    more: Given[Settings]
    circumstances: Given[Circumstances]
    weights: str | None
    sweeps: Sweeps
    others: Given[Others]
    kinds: Any
    how: How


class Kind(NamedTuple):
    """What can be compared: with how many seeds, which files it has none of, and how it is planned and reported."""

    seeds: int
    lacks: tuple[str, ...]
    plans: Callable[[Asked], Mapping[str, Any]]
    report: str
    tested: Callable[[], Collection[str]] = tuple


@experiment("compare")
def compare(
    *,
    lemmas: Given[Lemmas],
    students: Annotated[
        Given[Settings], Lists(), _LISTS, Usually(learner="epsilon-soft,sarsa,q-learning"), _OF_STUDENTS
    ],
    circumstances: Annotated[Given[Circumstances], Lists()],
    sweeps: Annotated[Given[Sweeps], _OF_STUDENTS],
    weighing: Annotated[Given[Weighing], _OF_STUDENTS],
    more: Annotated[Given[Settings], Only("forget_errors", "episodes"), Usually(episodes=500), _OF_STUDENTS],
    others: Given[Others],
    seeds: Given[Seeds],
    settled: Annotated[Given[Settled], InFiles()],
    how: How,
) -> Wanted:
    """Compare kinds of students on the same lemmas: when they know them, what they lack, and who is told apart.

    Every combination of what the lists name is a kind of student; with --search every search with every policy; with
    --ladder what is proved by a table, a search, a network, or one after the other, in the same time. What is done is
    kept: Ctrl-C loses nothing, --so-far shows what there is, and --resume goes on. The same seeds give the same numbers
    on any engine and with any number of workers, but for what depends on time.
    """
    asked = others.made()
    noun = "climbs" if asked.ladder is not None else "searches" if asked.search is not None else "students"

    def check(noun: str) -> None:
        for name in how.files.values:
            if name in KINDS[noun].lacks:
                raise InputError(f"There is no {how.files.option(name)} of {noun}; take --csv or --json.")

    def planned() -> Begun:
        from oasis.lab.study import Study

        check(noun)
        chosen = lemmas.made().read("compare SYJ203.3")
        numbers = seeds.made(seeds=KINDS[noun].seeds).numbers("search" if noun == "searches" else noun[:-1])
        weights, sweep, told = weighing.made().weights, sweeps.made(), settled.made()
        made = KINDS[noun].plans(
            Asked(chosen, numbers, students, more, circumstances, weights, sweep, others, told.variants, how)
        )
        study = Study.from_json(vars(told))
        kinds = dict.fromkeys(variant.name for plan in made.values() for variant in plan.variants)
        study.check(kinds, KINDS[noun].tested())
        return Begun(chosen.name, made, study)

    return Wanted(
        planned,
        lambda kept: KINDS[kept.noun].report,
        lambda kept: check(kept.noun),
    )


def _students(asked: Asked) -> dict[str, Plan]:
    from oasis.dagger.making import weighed
    from oasis.escalation.ladder import ESCALATE, LADDERS
    from oasis.lab.students.grid import EXPERIENCE, Grid, swept

    lists = asked.students.lists() | asked.circumstances.lists()
    learners = ",".join(lists["learner"])
    if {ESCALATE, *LADDERS} & {*learners.replace("+", ",").split(",")}:
        raise InputError(f"What is asked for are ladders, and no learners; write --ladder {learners}.")
    lists["reward"] = weighed(",".join(lists["reward"]), asked.weights).split(",")
    lists |= swept(asked.sweeps.sweep)
    experience = _prior(asked) if WITH in lists[EXPERIENCE] else ""
    more = asked.more.made(actions="blind")  # what goes with other actions is seen kind by kind
    base = Settings(episodes=more.episodes, seed=asked.seeds[0], experience=experience)
    grid = Grid(asked.lemmas.name, asked.lemmas.lemmas, base, lists, asked.seeds, more.forget_errors)
    if asked.kinds is not None:
        made = grid.by_name(asked.kinds)
    else:
        made = grid.variants() if asked.sweeps.choose is None else _best(grid, asked)
    for learner, idle in grid.merged.items():
        asked.how.output.say(f"{learner} is compared once: {' and '.join(idle).replace('_', ' ')} cannot change it.")
    return grid.plans(made)


def _best(grid: Grid, asked: Asked) -> tuple[Variant, ...]:
    """Let optuna try some combinations of a grid, by students with other seeds, and return the best of them."""
    from oasis.cli.dagger_tune import watch
    from oasis.ground.tuning import Tuning
    from oasis.lab.tuning import scores

    first, output = asked.seeds[0] + _FRESH, asked.how.output
    fresh = replace(grid, seeds=tuple(range(first, first + _TRIED)))
    tuning = Tuning(fresh, output.db.with_suffix(".tuning.db"), asked.seeds[0])
    watch(tuning, scores(fresh, asked.how.carrying.made().at()), asked.sweeps.choose or 0, None, output.say)
    best = tuple(grid.variant(chosen) for chosen, _ in tuning.ranked[:_BEST])
    output.say(f"The {len(best)} best of {tuning.done} trials are compared, by students with other seeds.")
    return best


def _searches(asked: Asked) -> dict[str, SearchPlan]:
    from oasis.ground.names import SEARCHES
    from oasis.lab.searches.plan import SearchPlan, at_equal_effort, runs, searchers, staged
    from oasis.play.solving import Budget

    chosen = asked.others.made()
    priors = [_prior(asked) if each == WITH else "" for each in asked.circumstances.lists()["experience"]]
    named = ",".join(SEARCHES) if chosen.search == "all" else chosen.search or ""
    variants = (staged if chosen.stages else searchers)(named, chosen.policy, priors)
    budget, name = Budget.read(chosen.budget), asked.lemmas.name
    plan = SearchPlan(name, asked.lemmas.lemmas, variants, asked.seeds, budget, runs(variants, asked.how.output.db))
    return at_equal_effort(plan) if chosen.stages else {name: plan}


def _ladders(asked: Asked) -> dict[str, ClimbPlan]:
    from oasis.escalation.climb import read_time
    from oasis.escalation.solvers import NETWORK
    from oasis.lab.ladders import ClimbPlan, climbers

    typed, name = asked.others.values, asked.lemmas.name
    variants = climbers(typed["ladder"], typed.get("policy", NETWORK), language=typed.get("language", ""))
    for option, who in (("policy", "network"), ("language", "language")):
        if option in typed and not any(getattr(each.ladder, who) for each in variants):
            raise InputError(f"--{option} is for the stage {who}, and {typed['ladder']} has none; leave it out.")
    time = read_time(typed.get("budget", _TIME))
    return {name: ClimbPlan(name, asked.lemmas.lemmas, variants, asked.seeds, time)}


def _prior(asked: Asked) -> str:
    """What the maxims of a file say, and a remark if they were learned from lemmas that they are tried on."""
    from oasis.experience.library import Library
    from oasis.ground.plural import conjunction
    from oasis.store import Store

    with Store(asked.how.output.db, create=False) as store:
        library = Library(store)
        prior, sources = library.prior(), {maxim.source for maxim in library.maxims().values()}
    if known := [lemma.name for lemma in asked.lemmas.lemmas if lemma.name in sources]:
        narrate(
            f"Maxims were learned from {conjunction(known)}: what they are worth there says nothing of other lemmas."
        )
    return prior.text


def _tested() -> list[str]:
    from oasis.lab.students.measures import STUDENTS

    return [measure.name for measure in STUDENTS.measures if measure.tested]


KINDS = {
    "students": Kind(30, (), _students, "oasis.lab.students.reported:told", _tested),
    "searches": Kind(10, _OF_STUDENTS_ALONE, _searches, "oasis.lab.findings:findings"),
    "climbs": Kind(3, _OF_STUDENTS_ALONE, _ladders, "oasis.lab.findings:findings"),
}
"""By what the trials of an experiment are."""
