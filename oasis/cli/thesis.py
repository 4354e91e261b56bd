"""`oasis thesis`: chapter 7 of the thesis, done again as one study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from oasis.cli.experiments import Begun, Report, Wanted, experiment, measured
from oasis.cli.options import Given, Without
from oasis.ground.settings import Setting

if TYPE_CHECKING:
    from oasis.cli.experiments import Certifying
    from oasis.lab.experiment import Experiment
    from oasis.lab.students.plan import Plan


@dataclass(frozen=True)
class Conditions:
    """What is done again, and how much of it."""

    figure: Annotated[
        tuple[str, ...],
        Setting("7.1 to 7.5, learners, gamma, alpha or simplify; can be repeated. All if not given.", metavar="NUMBER"),
    ] = ()
    share: Annotated[float, Setting("Share of the students to take, above 0 and up to 1; for a quick look.")] = 1.0
    episodes: Annotated[int, Setting("Episodes in the longer parts.")] = 5000


@experiment("thesis", files=[Without("csv_episodes", "csv_checkpoints")])
def thesis(*, conditions: Given[Conditions]) -> Wanted:
    """Do chapter 7 of the thesis again, and answer what it saw: as there, with legal moves, and for 5,000 episodes.

    Each thing that a figure saw is a claim, settled before anything is done: it is reproduced, the opposite, not by
    more than what matters, or undecided, and then it is said how many students it takes. So is what chapter 8 leaves
    open. What is done is kept: --so-far shows it, and --resume goes on. The numbers are the same every time, on any
    engine.
    """

    def planned() -> Begun:
        from oasis.lab.thesis import figures, plans, study

        asked = conditions.made()
        chosen = figures(asked.figure, share=asked.share, episodes=asked.episodes)
        return Begun("Figures " + ", ".join(each.number for each in chosen), plans(chosen), study(chosen))

    return Wanted(planned, _report)


def _report(kept: Experiment[Plan], certify: Certifying) -> Report:
    from oasis.lab.thesis import CONDITIONS, figures_of, name, tables

    found = [*figures_of(kept)]
    shown = [table for figure, reports in found for table in tables(figure, reports)]
    told = measured(
        kept,
        certify,
        reports={name(figure, part): report for figure, reports in found for part, report in reports.items()},
        settings=vars(CONDITIONS),
        tables=shown,
        content={
            "figures": [
                {
                    "figure": figure.number,
                    "title": figure.title,
                    "conditions": figure.conditions,
                    "because": figure.because,
                }
                for figure, _ in found
            ]
        },
    )
    return told._replace(tables=shown, sentences=told.sentences[-1:])  # what was claimed says enough of each part
