"""What `oasis compare` says of students beside what is measured of them."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from oasis.cli.experiments import Report, measured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oasis.lab.experiment import Experiment
    from oasis.lab.proofs import Proof
    from oasis.lab.students.plan import Plan


def students(kept: Experiment[Plan], found: Mapping[str, list[Proof]]) -> Report:
    """Return what came of students."""
    from oasis.lab.report import FEW, write_rows
    from oasis.lab.students import reported
    from oasis.lab.students.truth import truths

    ((part, plan),) = kept.plans.items()
    trials, known = kept.trials(part), truths(plan)
    same, different = reported.settings(plan)
    exact, few = [reported.table(plan, known)], len(plan.lemmas) <= FEW
    return measured(
        kept,
        found,
        reports={part: reported.report(plan, trials, known)},
        settings=same,
        tables=exact if few else [],
        more=different if few else [*exact, *different],
        content={"truths": {name: [asdict(truth) for truth in each] for name, each in known.items()}},
        files={
            "csv_checkpoints": partial(write_rows, reported.answers(plan, trials)),
            "csv_episodes": partial(write_rows, reported.episodes(plan, trials)),
        },
    )
