"""What each stage adds: the policy alone, the policy played again and again, and each search with it.

The stages are compared at equal expansions and at equal time, for what looks at its moves longer has fewer of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from oasis.ground.table import Table
from oasis.lab.comparison.tables import percent, points
from oasis.lab.searching.plan import Searcher, SearchPlan, searchers
from oasis.lab.searching.summary import may_be_theorems, proved, units
from oasis.lab.searching.trials import ALONE, Outcomes
from oasis.lab.statistics import Interval, difference, share_interval
from oasis.play.solving import Budget
from tactics.errors import InputError

EXPANSIONS: Final = "at equal expansions"
TIME: Final = "at equal time"
SECONDS: Final = 1.0
"""For each lemma where the time is equal, unless a budget says otherwise."""


@dataclass(frozen=True)
class Stage:
    """What was proved with one policy at one stage.

    Attributes:
        variant: the search and its policy.
        share: by part of the experiment pass@1.
        gain: by part how much more that is than the policy proves alone; none for the policy alone.
    """

    variant: Searcher
    share: Mapping[str, Interval]
    gain: Mapping[str, Interval]

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "search": self.variant.search,
            "policy": self.variant.policy,
            "experience": self.variant.experience,
            **{part: share.to_json() for part, share in self.share.items()},
            "gain": {part: gain.to_json() for part, gain in self.gain.items()},
        }


def staged(searches: str, policies: str, priors: Sequence[str] = ("",)) -> tuple[Searcher, ...]:
    """Every stage with every policy of a comma list, and every prior: alone, sampling, and the searches of a list."""
    names = [name.strip() for name in searches.split(",")]
    first = [name for name in (ALONE, "sampling") if name not in names]
    return searchers(",".join([*first, *names]), policies, priors)


def plans(plan: SearchPlan) -> dict[str, SearchPlan]:
    """A plan once with its budget of expansions and once with its budget of time."""
    budget = plan.budget
    if budget.expansions is None or budget.calls is not None:
        raise InputError("Stages are compared at equal expansions and at equal time: --budget expansions=N,seconds=S.")
    seconds = SECONDS if budget.seconds is None else budget.seconds
    return {
        EXPANSIONS: replace(plan, budget=Budget(expansions=budget.expansions, memory=budget.memory)),
        TIME: replace(plan, budget=Budget(seconds=seconds, memory=budget.memory)),
    }


def stages(plans: Mapping[str, SearchPlan], trials: Mapping[str, Mapping[str, Outcomes]]) -> list[Stage]:
    """What each stage comes to; all gains are a family. Raises InputError if all lemmas are known to be no theorems.

    Args:
        plans: by name of the part, all with the same variants, lemmas and seeds.
        trials: by part and variant.
    """
    plan = next(iter(plans.values()))
    theorems = may_be_theorems(plan)
    if not theorems.any():
        raise InputError("No lemma of these is a theorem, so there are no proofs to compare.")
    samples = {
        part: {name: units(proved(trial)[:, theorems]) for name, trial in found.items()}
        for part, found in trials.items()
    }
    alone = {variant.proposer: variant.name for variant in plan.variants if variant.search == ALONE}
    family = len(plans) * (len(plan.variants) - len(alone))
    return [
        Stage(
            variant,
            {part: share_interval(sample[variant.name]) for part, sample in samples.items()},
            {
                part: difference(sample[variant.name], sample[alone[variant.proposer]], span=1, family=family)
                for part, sample in samples.items()
                if variant.search != ALONE
            },
        )
        for policy in dict.fromkeys(variant.proposer for variant in plan.variants)
        for variant in plan.variants
        if variant.proposer == policy
    ]


def table(plans: Mapping[str, SearchPlan], found: Sequence[Stage]) -> Table:
    """The stages as a table, policy by policy."""
    return Table(
        "Stages: theorems that are proved, and in percentage points how many more than alone",
        ("policy", "stage", *(column for plan in plans.values() for column in (_within(plan.budget), "more"))),
        tuple((stage.variant.proposer, _said(stage.variant.search), *_cells(stage)) for stage in found),
        words=2,
        note="The intervals of all differences hold together in 95 % of experiments.",
    )


def _cells(stage: Stage) -> Iterator[str]:
    for part, share in stage.share.items():
        yield percent(share)
        yield points(stage.gain[part]) if part in stage.gain else ""


def _said(search: str) -> str:
    return "alone, one play" if search == ALONE else f"+ {search}"


def _within(budget: Budget) -> str:
    return f"{budget.expansions:,} expansions" if budget.expansions is not None else f"{budget.seconds:g} s"
