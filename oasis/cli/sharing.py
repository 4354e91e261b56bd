"""`oasis sharing`: what it buys a student that two states count as the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from oasis.cli.arguments import DATABASE, CertifyOption, DatabaseOption, JsonOption, QuietOption, read_lemma
from oasis.cli.campaigns import Carrying, Files, Report, Seeds, carry_out
from oasis.cli.options import Given, Only, Usually, Without, command
from oasis.cli.rewards import Weighing, read_reward
from oasis.ground.settings import Setting
from oasis.student.settings import Settings

if TYPE_CHECKING:
    from oasis.ground.table import Table
    from oasis.lab.experiment import Experiment
    from oasis.lab.proofs import Proof
    from oasis.lab.sharing.findings import Finding
    from oasis.lab.statistics import Interval
    from oasis.lab.students.plan import Plan

_MERGED = ("text (Simple)", "unordered", "Name", "focus, unordered", "Match")


@dataclass(frozen=True)
class Copied:
    """What is renamed, and how often."""

    lemma: Annotated[
        str,
        Setting(
            "The lemma to rename, by name (SYJ203.3, thesis/43), as text, a file, or - for standard input.",
            metavar="[LEMMA]",
            complete="curricula:complete",
            positional=True,
        ),
    ] = "SYJ203.4"
    copies: Annotated[int, Setting("Renamed copies, one episode each.")] = 75


@command
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
    carrying: Annotated[Given[Carrying], Without("so_far", "pilot")],
    files: Annotated[Given[Files], Only("plot", "csv")],
    certify: CertifyOption = "all",
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Compare the state spaces: renamed copies of a lemma, the lemma itself, and others where sharing pays or not.

    The same students work in each space, with one memory for all lemmas of an experiment. Averages come with 95 %
    intervals. What is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """

    def planned() -> tuple[str, Mapping[str, Plan]]:
        from oasis.lab.sharing.experiments import plans

        numbers, asked = seeds.made().numbers(), copied.made()
        reward = read_reward(students.values.get("reward", Settings.reward), weighing.made().weights)
        settings = students.but(reward=reward).made(seed=numbers[0])
        found = read_lemma(asked.lemma)
        return found.name, plans(found, settings, copies=asked.copies, students=len(numbers))

    carry_out(
        "sharing",
        planned,
        _report,
        settled=[copied, students, weighing, seeds],
        carrying=carrying,
        files=files,
        db=db,
        certify=certify,
        as_json=as_json,
        quiet=quiet,
    )


def _report(kept: Experiment[Plan], proofs: Mapping[str, list[Proof]]) -> Report:
    """Return what came of all experiments."""
    from random import Random

    from oasis.cli.render import write_csv
    from oasis.ground.table import Table
    from oasis.lab.plots.sharing import save_plot
    from oasis.lab.proofs import sentence
    from oasis.lab.sharing.experiments import Sharing
    from oasis.lab.sharing.findings import findings
    from state_spaces.merging import EPISODES, distinct, met_at_random

    done = Sharing(kept.plans, {part: kept.side_by_side(part) for part in kept.plans})
    found, settings = findings(done), done.settings
    met = distinct(met_at_random([done.lemma.formula], EPISODES, Random(settings.seed)))
    every = [proof for part in proofs.values() for proof in part]
    title = f"What a random player meets in {EPISODES:,} episodes of {done.lemma.name}"
    merging = Table(title, _MERGED, (tuple(f"{count:,}" for count in met),), sentences=tuple(met.sentences()))
    return Report(
        {
            **done.to_json(),
            "experiments": [each.to_json() for each in found.values()],
            "merging": {"episodes": EPISODES, **met._asdict(), "sentences": met.sentences()},
            "proofs": [proof.to_json() for proof in every],
        },
        (*map(_table, found.values()), merging),
        [sentence(every)],
        {
            "plot": lambda path: save_plot(path, done, found),
            "csv": partial(write_csv, list(done.rows())),
        },
        f"Averages of {len(done.seeds)} students in each space with 95 % intervals ({settings.learner}, "
        f"{settings.reward}, {settings.actions}, ε {settings.epsilon}): states in memory at the end, episodes that "
        "ended in a proof, the first of these (the median), and steps an episode.",
        "",
    )


def _table(found: Finding) -> Table:
    """Return a row for each space; averages stand with their intervals."""
    from oasis.ground.table import Table
    from oasis.lab.words import with_interval

    parts = found.experiment.parts
    header = ("space", "states", "proofs", *(parts or ("first proof", "steps")))
    rows = []
    for summary in found.summaries:
        shares = [f"{share.value:.0%}" for share in summary.parts]
        others = shares if parts else [with_interval(summary.first, ",g"), _interval(summary.steps)]
        rows.append((summary.space.capitalize(), _interval(summary.states), _interval(summary.proofs), *others))
    return Table(found.experiment.title, header, tuple(rows), sentences=found.sentences)


def _interval(interval: Interval) -> str:
    digits = 0 if interval.value >= 100 else 1
    return f"{interval.value:,.{digits}f} ({interval.low:,.{digits}f}–{interval.high:,.{digits}f})"
