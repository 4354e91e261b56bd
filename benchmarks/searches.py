"""Every search with a policy that knows nothing and with one that was trained: `python -m benchmarks.searches`.

Prints tables in Markdown: what is solved of SYJ201 to SYJ212, the textbook and random theorems at equal expansions, and
what each stage adds on SYJ201 to SYJ206 at equal expansions and at equal time; in the end the teacher on the same
lemmas. Everything but the time is the same every time. An experiment that was stopped goes on with the same `--db`.

The trained policy is that of a table of values (and-or-q, in the space Name). It practised small random theorems, none
of which is one of the lemmas up to names; goals that searches meet below a lemma may be among what it has seen.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from benchmarks import markdown
from curricula import parse_levels, resolve
from curricula.generator import RandomSettings, random_lemmas
from curricula.lemma import Curriculum, Lemma
from curricula.settings import MAX_COUNT
from oasis.escalation.proving import Teaching
from oasis.ground.names import SEARCHES
from oasis.ground.table import Table
from oasis.lab.engines import engine
from oasis.lab.experiment import Experiment
from oasis.lab.measure import Trial
from oasis.lab.report import Report
from oasis.lab.searches.plan import TIME, SearchPlan, runs, searchers
from oasis.lab.searches.trial import ALONE, STATUSES, practised
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget, solve
from oasis.search.best_first import BestFirst
from oasis.search.goals import Goals
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.training import Training
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.goal import initial

SIZES: Final = (32, 64, 128)
THEOREMS: Final = "SYJ201–SYJ206, levels 1–4"
PRACTISED: Final = (4, 8, 12, 16)
"""Connectives of the theorems that the student practises."""


def lemmas(number: int) -> dict[str, tuple[Lemma, ...]]:
    """What is searched, by parts; so many random theorems of each size: the first that the teacher finds to be some."""
    parts = {
        THEOREMS: _families(range(201, 207)),
        "SYJ207–SYJ212, levels 1–4, no theorems": _families(range(207, 213)),
        "textbook": resolve("textbook").lemmas,
    }
    for size in SIZES:
        drawn = random_lemmas(RandomSettings(size=size, atoms=5, count=MAX_COUNT, seed=size))
        theorems = (lemma for lemma in drawn if decide(lemma.formula).verdict is Verdict.THEOREM)
        parts[f"random theorems of {size} connectives"] = tuple(islice(theorems, number))
    return parts


def practice(number: int, searched: dict[str, tuple[Lemma, ...]]) -> Curriculum:
    """Small random theorems, so many of each size, of which none is a lemma that is searched, up to names."""
    goals = Goals()

    def key(lemma: Lemma) -> int:
        return goals.add(initial(lemma.formula)[0])

    seen = {key(lemma) for part in searched.values() for lemma in part}
    chosen: dict[int, Lemma] = {}
    for size in PRACTISED:
        for lemma in random_lemmas(RandomSettings(size=size, atoms=5, kind="theorem", count=number, seed=1000 + size)):
            if (place := key(lemma)) not in seen:
                chosen.setdefault(place, lemma)
    sizes = ", ".join(map(str, PRACTISED))
    return Curriculum("practice", f"random theorems of {sizes} connectives", tuple(chosen.values()))


def plans(db: Path, arguments: argparse.Namespace) -> dict[str, SearchPlan]:
    """What is to be done, by parts; trains the student first."""
    searched = lemmas(arguments.lemmas)
    taught = practice(arguments.practice, searched)
    settings = Settings(learner="and-or-q", state_space="name", episodes=arguments.episodes)
    with Store(db) as store:
        training = Training.start(store, taught, settings)
        for _ in training:
            pass
        met = sum(lemma["met"] for lemma in store.lemmas(training.run))
    print(
        f"{len(taught.lemmas)} {taught.description} practised, {arguments.episodes} episodes each: {met:,} goals met.",
        file=sys.stderr,
    )
    variants = searchers(",".join([ALONE, *(arguments.search or SEARCHES)]), f"uniform,{training.run}")
    trained, seeds = runs(variants, db), tuple(range(arguments.seeds))
    budget = Budget(expansions=arguments.expansions)
    made = {part: SearchPlan(part, found, variants, seeds, budget, trained) for part, found in searched.items()}
    made[TIME] = SearchPlan(TIME, searched[THEOREMS], variants, seeds, Budget(seconds=arguments.seconds), trained)
    return made


def check(plan: SearchPlan, trials: dict[str, list[Trial]]) -> None:
    """Raise AssertionError if a search proved what is no theorem, or refuted one."""
    for name, made in trials.items():
        for place, lemma in enumerate(plan.lemmas):
            truth = solve(lemma.formula, Teaching()).status
            wrong = {STATUSES[trial["status"][place]] for trial in made} - {OPEN, truth}
            assert not wrong, f"{name}: {lemma.name} is {truth}, and not {wrong}"


def oracle(parts: dict[str, tuple[Lemma, ...]]) -> Table:
    """What the teacher, who knows the truth, takes for all lemmas."""
    rows = []
    for part, found in parts.items():
        began, proved, refuted = perf_counter(), 0, 0
        for lemma in found:
            given = solve(lemma.formula, Teaching())
            proved += given.status is PROVED
            refuted += given.status is REFUTED
        milliseconds = 1000 * (perf_counter() - began) / len(found)
        rows.append((part, str(len(found)), str(proved), str(refuted), f"{milliseconds:.1f}"))
    return Table("The teacher", ("lemmas", "of them", "proved", "refuted", "ms each"), tuple(rows))


def overview(reports: dict[str, Report]) -> Table:
    """Of every search and part the share that is solved, and the mean effort, in which never is the whole budget."""

    def in_short(found: Report, name: str) -> str:
        effort, solved = found.compared
        return "; ".join(measure.text(float(found.number(measure, name).value)) for measure in (solved, effort))

    names = next(iter(reports.values())).names
    rows = tuple((name, *(in_short(found, name) for found in reports.values())) for name in names)
    return Table("Solved; expansions, or time", ("search", *reports), rows)


def knowledge(plans: dict[str, SearchPlan]) -> Table:
    """Of how many goals that a search asks about the student prefers some moves; of the others it knows nothing."""
    rows = []
    for part, plan in plans.items():
        (run,) = plan.runs
        policy, asked, preferred = practised(run.number, run.db, run.episodes), 0, 0
        for lemma in plan.lemmas:
            search = BestFirst(initial(lemma.formula)[0])
            for _ in search.run(plan.budget):
                pass
            states = [(search.graph.goals.goal(number),) for number in search.graph.nodes]
            choices = [shares for shares in policy.probabilities(states) if len(shares) > 1]
            asked += len(choices)
            preferred += sum(shares.max() > shares.min() for shares in choices)
        rows.append((part, f"{asked:,}", f"{preferred / asked:.1%}"))
    header = ("lemmas", "goals with a choice that best-first reaches", "where the student prefers moves")
    return Table("What the student knows of them", header, tuple(rows))


def show(table: Table) -> None:
    """Print a table."""
    print(f"\n{table.title}\n\n{markdown.table(table.header, table.rows)}")


@contextmanager
def kept(arguments: argparse.Namespace) -> Iterator[Experiment[Any]]:
    """The experiment, begun or gone on with."""
    with TemporaryDirectory() as folder:
        db = arguments.db or Path(folder) / "oasis.db"
        made = {} if db.exists() else plans(db, arguments)
        with Store(db) as store:
            command = "searches"
            yield (
                Experiment.start(store, made, command=command, name=command)
                if made
                else Experiment.resume(store, command=command)
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", nargs="*", help="names; all of them")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--expansions", type=int, default=1_000, help="for each lemma")
    parser.add_argument("--seconds", type=float, default=0.2, help="for each lemma where time is equal")
    parser.add_argument("--lemmas", type=int, default=40, help="random theorems of each size")
    parser.add_argument("--practice", type=int, default=200, help="theorems of each size that the student practises")
    parser.add_argument("--episodes", type=int, default=200, help="of practice for each")
    parser.add_argument("--db", type=Path, help="where to keep the experiment")
    arguments = parser.parse_args()
    began = perf_counter()
    with kept(arguments) as experiment:
        for progress in experiment.run(engine("processes")):
            print(f"{progress.done} of {experiment.total}: {progress.part}, {progress.variant}", file=sys.stderr)
        reports = {}
        for part, plan in experiment.plans.items():
            trials = experiment.trials(part)
            check(plan, trials)
            reports[part] = plan.report(trials)
            print(f"\n{part}")
            for table in reports[part].tables():
                show(table)
            print("\n" + "\n".join(f"- {sentence}" for sentence in reports[part].sentences()))
        show(overview(reports))
        untimed = {part: plan for part, plan in experiment.plans.items() if part != TIME}
        show(knowledge(untimed))
        show(oracle({part: plan.lemmas for part, plan in untimed.items()}))
    print(f"{perf_counter() - began:.0f} s", file=sys.stderr)


def _families(numbers: range) -> tuple[Lemma, ...]:
    levels = parse_levels("1-4")
    return tuple(lemma for number in numbers for lemma in resolve(f"SYJ{number}", levels=levels).lemmas)


if __name__ == "__main__":
    main()
