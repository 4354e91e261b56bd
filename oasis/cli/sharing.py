"""`oasis sharing`: what it buys a student that two states count as the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import read_lemma
from oasis.cli.experiments import Begun, Report, Seeds, Wanted, experiment, measured
from oasis.cli.options import Given, Only, Usually, Without
from oasis.cli.rewards import Weighing, read_reward
from oasis.ground.settings import Setting, of_lemmas
from oasis.student.settings import Settings

if TYPE_CHECKING:
    from oasis.cli.experiments import Certifying
    from oasis.lab.experiment import Experiment
    from oasis.lab.students.plan import Plan

_MERGED = ("text (Simple)", "unordered", "Name", "focus, unordered", "Match")


@dataclass(frozen=True)
class Copied:
    """What is renamed, and how often."""

    lemma: Annotated[
        str,
        of_lemmas(
            "The lemma to rename, by name (SYJ203.3, thesis/43), as text, a file, or - for standard input.", "[LEMMA]"
        ),
    ] = "SYJ203.4"
    copies: Annotated[int, Setting("Renamed copies, one episode each.")] = 75


@experiment("sharing", carrying=[Without("so_far")], files=[Without("csv_checkpoints")])
def sharing(
    *,
    copied: Given[Copied],
    students: Annotated[
        Given[Settings],
        Only("learner", "reward", "actions", "forget_errors", "epsilon", "alpha", "gamma", "max_steps"),
        Usually(learner="epsilon-soft"),
    ],
    weighing: Given[Weighing],
    seeds: Annotated[Given[Seeds], Usually(seeds=75)],
) -> Wanted:
    """Compare the state spaces: renamed copies of a lemma, the lemma itself, and others where sharing pays or not.

    The same students work in each space, with one memory for all lemmas of an experiment. Averages come with 95 %
    intervals. What is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """

    def planned() -> Begun:
        from oasis.lab.sharing import plans

        numbers, asked = seeds.made().numbers(), copied.made()
        reward = read_reward(students.values.get("reward", Settings.reward), weighing.made().weights)
        settings = students.but(reward=reward).made(seed=numbers[0])
        found = read_lemma(asked.lemma)
        return Begun(found.name, plans(found, settings, copies=asked.copies, students=len(numbers)))

    return Wanted(planned, _report)


def _report(kept: Experiment[Plan], certify: Certifying) -> Report:
    """Return what came of all parts, and which states a random player would tell apart."""
    from random import Random

    from oasis.ground.table import Table
    from oasis.lab.report import write_rows
    from oasis.lab.sharing import reports
    from oasis.lab.students.reported import episodes, settings
    from state_spaces.merging import EPISODES, distinct, met_at_random

    trials = {part: kept.trials(part) for part in kept.plans}
    plan = kept.plans["same"]
    (lemma,) = plan.lemmas
    met = distinct(met_at_random([lemma.formula], EPISODES, Random(plan.seeds[0])))
    title = f"What a random player meets in {EPISODES:,} episodes of {lemma.name}"
    merging = Table(title, _MERGED, (tuple(f"{count:,}" for count in met),), sentences=tuple(met.sentences()))
    titles = tuple((part, each.name) for part, each in kept.plans.items())
    parts = Table("The parts", ("part", "what is practised"), titles, words=2)
    rows = ({"part": part, **row} for part, each in kept.plans.items() for row in episodes(each, trials[part]))
    return measured(
        kept,
        certify,
        reports=reports(kept.plans, trials),
        settings=settings(plan)[0],
        tables=(parts, merging),
        content={"merging": {"episodes": EPISODES, **met._asdict(), "sentences": met.sentences()}},
        files={"csv_episodes": partial(write_rows, rows)},
    )
