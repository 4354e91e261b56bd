"""What searches are compared on: which searches with which policies, on which lemmas, within which budget.

What is measured of them is the effort until a lemma is settled, how many are settled, and what else that took. A unit
is a lemma, as a seed changes little; of a single lemma it is a seed. What one search does is elsewhere
(`oasis.lab.searches.trial`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from re import compile as compile_pattern
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from curricula.lemma import Status
from oasis.escalation.solvers import parted
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import Prior
from oasis.ground.passes import passes, tries
from oasis.ground.plural import conjunction, listed, named
from oasis.ground.statistics import SHARE, Bools, Floats, Interval, Statistic
from oasis.lab.measure import Family, Measure, Trial, texts, yes_or_no
from oasis.lab.plans import Work
from oasis.lab.report import Report
from oasis.lab.searches.trial import ALONE, attempt, came_to, check_search, episodes, practised
from oasis.neural.policies import is_run, policy_named
from oasis.play.solving import PROVED, REFUTED, Budget
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.training import settings_of
from oasis.teacher.exact.values import shortest_proof
from tactics.errors import InputError

EXPANSIONS: Final = "at equal expansions"
TIME: Final = "at equal time"
SECONDS: Final = 1.0
"""For each lemma where the time is equal, unless a budget says otherwise."""
_LOOKED_FOR, _GOALS = 1.0, 30_000
"""Seconds and goals for the shortest proof of a lemma, which is only there to compare with."""
_POINTS: Final = 60
"""Of a curve."""
_USED_UP: Final = compile_pattern(r" (expansions|calls|seconds?) (was|were) not enough$")
"""What a search says that the budget ended."""
_AFTER: Final = compile_pattern(r" after [\d,]+ moves?$")
"""What differs between lemmas that a search gave up for one reason."""


class _Limit(NamedTuple):
    """What a budget may limit.

    Attributes:
        name: as a measure.
        says: how much, in words.
        scale: of the measure.
        unit: of the measure.
        least: of a curve.
        worth: about as many expansions take as long.
    """

    name: str
    says: str
    scale: float = 1.0
    unit: str = ""
    least: float = 1.0
    worth: int = 1


_LIMITS: Final = {
    "expansions": _Limit("expansions", "{:,} expansions"),
    "calls": _Limit("calls", "{:,} calls"),
    "seconds": _Limit("time", "{:g} s", 1000.0, "ms", 1e-3, 20_000),
}
"""By the names of the arrays that count them."""


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
        if not self.limits:
            raise InputError("A search needs a budget, as in --budget expansions=10000.")
        known = {str(run.number) for run in self.runs}
        for each in self.variants:
            if is_run(each.policy) and each.policy not in known:
                raise InputError(f"--policy {each.policy} is the number of a run that the plan says nothing of.")

    @property
    def effort(self) -> int:
        """Expansions in one trial at most, or about so many where calls or seconds are counted."""
        return max(1, int(min(_LIMITS[name].worth * most for name, most in self.limits.items()) * len(self.lemmas)))

    @property
    def limits(self) -> dict[str, float]:
        """What the budget limits, by the names of the arrays that count it."""
        return {name: most for name in _LIMITS if (most := getattr(self.budget, name)) is not None}

    @property
    def pairs(self) -> list[tuple[str, str]] | None:
        """Which variants are held against which; None for all."""
        alone = {each.proposer: each.name for each in self.variants if each.search == ALONE}
        others = (each for each in self.variants if each.search != ALONE)
        return [(each.name, alone[each.proposer]) for each in others] if self.staged else None

    @property
    def within(self) -> str:
        """The budget in words."""
        limits = (_LIMITS[name].says.format(most) for name, most in self.limits.items())
        return f"at most {conjunction(limits)} for each lemma"

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
        beside: dict[str, Any] = {
            "shortest": np.array([shortest_proof(each, _LOOKED_FOR, _GOALS) for each in self.lemmas], np.float64),
            "tries": np.array(tries(len(self.seeds))),
        }
        for count, limit in _LIMITS.items():
            most = max(float(trial[count].max()) for each in trials.values() for trial in each)
            least = min(limit.least, most or limit.least)
            beside[f"points of {count}"] = limit.scale * np.geomspace(least, max(most, 2 * least), _POINTS)
        whole = {
            variant.name: [
                {**trial, **beside, "broken off": _is_open_for_a_reason(trial) & (variant.search != ALONE)}
                for trial in trials[variant.name]
            ]
            for variant in self.variants
        }
        names = [lemma.name for lemma in self.lemmas]
        return Report(_family(self), whole, names, [*_remarks(self, trials)], self.pairs)

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


def _remarks(plan: SearchPlan, trials: Mapping[str, Sequence[Trial]]) -> Iterator[str]:
    """Say what a search may use up, which stopped before the budget was used up and why, and what nobody settled."""
    yield f"A search has {plan.within}."
    for variant in plan.variants:
        reasons = np.stack([np.where(_settled(each), "", texts(each["reason"])) for each in trials[variant.name]])
        told, which = np.unique(reasons, return_inverse=True)
        reasons = np.array([_AFTER.sub("", str(each)) for each in told])[which].reshape(reasons.shape)
        early = {str(each) for each in reasons.ravel() if each and not _USED_UP.search(each)}
        for reason in sorted(early if variant.search != ALONE else ()):  # who only plays has no budget
            names = [lemma.name for place, lemma in enumerate(plan.lemmas) if reason in reasons[:, place]]
            yield f"{named(variant.name)} stops before the budget is used up, as {reason}: {listed(names)}."
    some = np.any([_settled(trial) for each in trials.values() for trial in each], axis=0)
    if left := [lemma.name for lemma, is_settled in zip(plan.lemmas, some, strict=True) if not is_settled]:
        yield f"Solved by nobody: {listed(left)}."


def _family(plan: SearchPlan) -> Family:
    effort = _effort(plan)
    return Family(
        "searches",
        effort.unit or effort.name,
        (
            effort,
            yes_or_no(
                "solved", "share of lemmas that are proved, or refuted by trying everything", _settled, tested=True
            ),
            yes_or_no("proved", "share of lemmas that are proved", _proved),
            yes_or_no("refuted", "share of lemmas that are refuted", came_to(REFUTED)),
            Measure(
                "moves",
                "moves of the proof that was found, by those of a shortest one, where both are known",
                _length,
                better="less",
                least=1,
                digits=2,
                unit="×",
            ),
            yes_or_no("shortest", "share of these proofs that are shortest ones", _is_shortest),
            _total("calls", "states about which the policy was asked"),
            _total("seconds", "wall time, which depends on the machine and on what else it did"),
            _within("expansions"),
            _within("seconds"),
            *_passes(plan),
        ),
        across="lemmas" if len(plan.lemmas) > 1 else "seeds",
    )


_settled, _proved = came_to(PROVED, REFUTED), came_to(PROVED)


def _is_open_for_a_reason(trial: Trial) -> Bools:
    return np.asarray(~_settled(trial) & (texts(trial["reason"]) != ""))


def _length(trial: Trial) -> Floats:
    return np.where(_proved(trial), trial["length"] / trial["shortest"], np.nan)


def _is_shortest(trial: Trial) -> Floats:
    length = _length(trial)
    return np.where(np.isnan(length), np.nan, length == 1)


def _effort(plan: SearchPlan) -> Measure:
    """What the budget limits, until a lemma is settled; all of the budget if it never is."""
    count, most = next(iter(plan.limits.items()))
    limit = _LIMITS[count]
    return Measure(
        limit.name,
        f"{limit.name} until the lemma is settled, and all of the budget if it never is",
        lambda trial: np.where(_settled(trial), np.minimum(trial[f"settled_{count}"], most), most),
        better="less",
        tested=True,
        headline=True,
        by_lemma=True,
        least=0,
        most=most,
        scale=limit.scale,
        unit=limit.unit,
        never=lambda trial: ~_settled(trial),
    )


def _total(count: str, says: str) -> Measure:
    limit = _LIMITS[count]
    name = f"{limit.name} in all"
    return Measure(name, says, lambda trial: trial[count], "less", least=0, scale=limit.scale, unit=limit.unit)


def _within(count: str) -> Measure:
    """The curve of what is solved within so much, up to where a search was broken off that might still solve it."""
    limit, points = _LIMITS[count], f"points of {count}"

    def solved(trial: Trial) -> Floats:
        x = trial[points][:, None] / limit.scale
        within = _settled(trial) & (trial[f"settled_{count}"] <= x)
        return np.where(trial["broken off"] & (trial[count] < x), np.nan, within)

    return yes_or_no(
        f"solved within {limit.name}",
        "share of lemmas that are solved by then",
        solved,
        x=points,
        axis=limit.unit or limit.name,
    )


def _passes(plan: SearchPlan) -> Iterator[Measure]:
    """pass@k of the lemmas that may be theorems, if there are any."""
    theorems = np.array([lemma.status != Status.NON_THEOREM for lemma in plan.lemmas])
    seeds, ks = len(plan.seeds), np.array(tries(len(plan.seeds)))

    def proved(trial: Trial) -> Bools:
        return np.broadcast_to(_proved(trial)[theorems], (len(ks), theorems.sum()))

    def of(sample: Floats, least: float, most: float) -> Interval:
        """From the shares of seeds that proved a lemma, or from whether each seed proved the only one."""
        if len(plan.lemmas) > 1:
            return SHARE.of(passes(np.rint(seeds * sample[:, 0]), seeds, ks), least, most)
        once = SHARE.of(sample, least, most)
        (value,) = passes(sample[:, :1].sum(axis=0), seeds, ks)
        # With few tries the estimate may lie beyond the bounds, which have a bias of their own.
        low, high = (np.where(np.isfinite(at), 1 - (1 - at) ** ks, at) for at in (once.low, once.high))
        return Interval(value, np.minimum(value, low), np.maximum(value, high))

    if theorems.any():
        yield yes_or_no(
            "pass@k",
            "how likely at least one of k searches with seeds of their own proves a lemma that may be a theorem: of n "
            "seeds, c of which did, 1 - C(n - c, k) / C(n, k) (Chen et al. 2021)",
            proved,
            statistic=Statistic("mean without bias", of, SHARE.says),
            x="tries",
            axis="searches",
            by_point=True,
        )
