"""What searches are compared on: which searches with which policies, on which lemmas, within which budget.

What one of them does is elsewhere (`oasis.lab.searches.trial`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Final

from oasis.escalation.solvers import parted
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import Prior
from oasis.ground.plural import conjunction
from oasis.lab.measure import Trial
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.lab.searches.trial import ALONE, attempt, check_search, episodes, practised
from oasis.neural.policies import is_run, policy_named
from oasis.play.solving import Budget
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.training import settings_of
from tactics.errors import InputError

A_SECOND: Final = 20_000
"""Expansions that a second is worth where the budget is one of time."""


EXPANSIONS: Final = "at equal expansions"
TIME: Final = "at equal time"
SECONDS: Final = 1.0
"""For each lemma where the time is equal, unless a budget says otherwise."""


@dataclass(frozen=True)
class Searcher:
    """A search with a policy.

    Attributes:
        name: what a legend says; unique in its plan.
        search: one of `SEARCHES`, or `alone` for a policy that plays once and takes nothing back.
        policy: as `oasis.neural.policies.policy_named` takes it.
        experience: odds that weigh what the policy proposes (`oasis.experience.prior.Prior.text`); empty for none.
    """

    name: str
    search: str
    policy: str
    experience: str = ""

    def __post_init__(self) -> None:
        check_search(self.search)
        Prior.read(self.experience)

    @property
    def proposer(self) -> str:
        """What a table calls the policy."""
        name = f"run {self.policy}" if is_run(self.policy) else self.policy
        return f"{name} with experience" if self.experience else name


@dataclass(frozen=True)
class Run:
    """A trained student whose policy is followed.

    Attributes:
        number: of the run.
        db: the file that it is in.
        settings: of the student.
        episodes: that it has practised; with more of them its policy is another one.
    """

    number: int
    db: str
    settings: Settings
    episodes: int


@dataclass(frozen=True)
class SearchPlan(Work):
    """Every search on the same lemmas, with the same seeds; raises InputError if they do not fit together.

    Attributes:
        lemmas: every search begins each of them knowing nothing.
        seeds: of the searches' chance.
        budget: for each lemma; at least one of expansions, calls and seconds.
        runs: the trained students among the policies.
        staged: whether each search is only held against its policy alone.
    """

    noun: ClassVar[str] = "searches"
    unit: ClassVar[str] = "expansions or so"
    scripts: ClassVar[tuple[str, ...]] = ("script",)
    variants: tuple[Searcher, ...]
    budget: Budget
    runs: tuple[Run, ...] = field(default=())
    staged: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.budget.expansions is self.budget.calls is self.budget.seconds is None:
            raise InputError("A search needs a budget, as in --budget expansions=10000.")
        known = {str(run.number) for run in self.runs}
        for each in self.variants:
            if is_run(each.policy) and each.policy not in known:
                raise InputError(f"--policy {each.policy} is the number of a run that the plan says nothing of.")

    @property
    def effort(self) -> int:
        """Expansions in one trial at most, or about so many where calls or seconds are counted."""
        limits = [self.budget.expansions, self.budget.calls, self.budget.seconds and self.budget.seconds * A_SECOND]
        return max(1, int(min(limit for limit in limits if limit is not None) * len(self.lemmas)))

    @property
    def pairs(self) -> list[tuple[str, str]] | None:
        """Which variants are held against which; None for all."""
        alone = {each.proposer: each.name for each in self.variants if each.search == ALONE}
        others = (each for each in self.variants if each.search != ALONE)
        return [(each.name, alone[each.proposer]) for each in others] if self.staged else None

    @property
    def within(self) -> str:
        """The budget in words."""
        limits = [
            "" if self.budget.expansions is None else f"{self.budget.expansions:,} expansions",
            "" if self.budget.calls is None else f"{self.budget.calls:,} calls",
            "" if self.budget.seconds is None else f"{self.budget.seconds:g} s",
        ]
        return f"at most {conjunction(filter(None, limits))} for each lemma"

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Of the trained students."""
        return tuple(run.settings for run in self.runs)

    def attempt(self, variant: int, seed: int) -> Trial:
        """Have a search, named by its place, try every lemma with a seed."""
        chosen = self.variants[variant]
        policy = self._policy(chosen.policy)
        if chosen.experience:
            policy = ExperiencedPolicy(policy, Prior.read(chosen.experience))
        return attempt(chosen.search, policy, self.formulas(seed), seed, self.budget)

    def report(self, trials: Mapping[str, Sequence[Trial]]) -> Report:
        """Return what trials come to, by the names of variants."""
        from oasis.lab.searches.measures import report

        return report(self, trials)

    def _policy(self, name: str) -> Any:
        """A policy that knows nothing yet but what it has learned for good."""
        if not is_run(name):
            return policy_named(name, None)
        (run,) = (run for run in self.runs if run.number == int(name))
        return practised(run.number, run.db, run.episodes)


def searchers(searches: str, policies: str, priors: Sequence[str] = ("",)) -> tuple[Searcher, ...]:
    """Every search of a comma list with every policy of another and every prior, named by what sets them apart.

    A search that names its policy, as in `best-first:tiny`, asks that one alone.

    Raises InputError.
    """
    names, proposers = _listed("--search", searches), _listed("--policy", policies)
    chosen = [(search, policy, own) for search, own in map(parted, names) for policy in ([own] if own else proposers)]
    for typed in names:
        check_search(typed)
    for policy in dict.fromkeys(policy for _, policy, _ in chosen):
        if not is_run(policy):
            policy_named(policy, None)  # which says if there is none
    several = [len(each) > 1 for each in (names, proposers, priors)]

    def name(each: Searcher, own: str) -> str:
        if several[1] and not own:
            return f"{each.search} ({each.proposer})" if several[0] else each.proposer
        helped = f" with{'' if each.experience else 'out'} experience" if several[2] else ""
        return each.search + (f":{own}" if own else "") + helped

    made = [(Searcher("", search, policy, prior), own) for (search, policy, own), prior in product(chosen, priors)]
    return tuple(replace(each, name=name(each, own)) for each, own in made)


def staged(searches: str, policies: str, priors: Sequence[str] = ("",)) -> tuple[Searcher, ...]:
    """Return what shows what searches add to policies: each alone, played again and again, and the searches of a list.

    Raises InputError.
    """
    names = _listed("--search", searches)
    for _, policy in map(parted, names):
        if policy:
            raise InputError(f"With --stages each search asks every --policy; leave :{policy} out of --search.")
    first = [name for name in (ALONE, "sampling") if name not in names]
    return searchers(",".join([*first, *names]), policies, priors)


def at_equal_effort(plan: SearchPlan) -> dict[str, SearchPlan]:
    """Return a plan once with its budget of expansions and once with one of time, searches held against policies alone.

    What looks at its moves longer has fewer of them. Raises InputError for a budget of anything else.
    """
    budget = plan.budget
    if budget.expansions is None or budget.calls is not None:
        raise InputError("Stages are compared at equal expansions and at equal time: --budget expansions=N,seconds=S.")
    budgets = {
        EXPANSIONS: Budget(expansions=budget.expansions, memory=budget.memory),
        TIME: Budget(seconds=SECONDS if budget.seconds is None else budget.seconds, memory=budget.memory),
    }
    return {part: replace(plan, budget=each, staged=True) for part, each in budgets.items()}


def runs(variants: Sequence[Searcher], db: Path) -> tuple[Run, ...]:
    """The trained students whose policies are followed, as they are in a file now. Raises InputError and StoreError."""
    numbers = dict.fromkeys(int(each.policy) for each in variants if is_run(each.policy))
    if not numbers:
        return ()
    with Store(db, create=False) as store:
        for number in numbers:
            policy_named(str(number), store)  # which says if it cannot be asked
        file = str(db.resolve())
        return tuple(Run(each, file, settings_of(store.run(each)), episodes(store, each)) for each in numbers)


def _listed(option: str, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise InputError(f"{option} {text} should be names with commas between them.")
    return names
