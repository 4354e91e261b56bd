"""A trial of a search: it tries every lemma with one seed, and each lemma knowing nothing of the others.

Nothing that one search found out is of use to another one, not even what the moves of a goal are: so what is counted
and how long it took do not depend on the order of the trials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Final

import numpy as np

from oasis.escalation.solvers import Means, solver_named
from oasis.ground.statistics import Bools
from oasis.lab.measure import Trial
from oasis.neural.policies import policy_named
from oasis.play.exam import MAX_STEPS, played
from oasis.play.policy import Policy, Uniform
from oasis.play.solving import OPEN, PROVED, REFUTED, Attempt, Budget, Cost, Status, solve
from oasis.store import Store
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.script import show_script

ALONE: Final = "alone"
"""The name of no search: the policy plays once, and takes nothing back."""
STATUSES: Final = (OPEN, PROVED, REFUTED)
"""What `status` of a trial counts."""
_LARGEST: Final = 2**62


def attempt(search: str, policy: Policy, formulas: Sequence[Formula], seed: int, budget: Budget) -> Trial:
    """Have a search try every lemma, each as `oasis prove --search` would with this seed; return what it came to.

    Of shape (lemmas,): `status`, what became known of the lemma, by its place in `STATUSES`; `length`, moves of the
    shortest proof that was found, 0 if there is none; `bound`, moves that every proof has at least, as far as the
    search knows; `expansions`, `calls` and `seconds` that were used up in all; and `settled_expansions`,
    `settled_calls` and `settled_seconds` until the status became known, which are all if it did not, and are looked at
    after every 64 expansions in a search that goes on behind its first proof. Of shape (), with a line for each lemma:
    `script`, the shortest proof, empty if there is none or it has more than `LONGEST` moves; and `reason`, what was
    used up, empty if the search came to its end.

    Every proof that is kept has been replayed. Raises NoProof for one that is none.
    """
    tried = [
        _played(policy, formula, seed) if search == ALONE else _solved(search, policy, formula, seed, budget)
        for formula in formulas
    ]
    last, settled = [attempt for attempt, _ in tried], [cost for _, cost in tried]
    counts = ("expansions", "calls", "seconds")
    return {
        **arrays(last, counts),
        "bound": np.array([attempt.bound for attempt in last], np.int64),
        **{f"settled_{name}": np.array([getattr(cost, name) for cost in settled]) for name in counts},
        "reason": np.array("\n".join(attempt.reason for attempt in last)),
    }


def arrays(attempts: Sequence[Attempt], counts: Sequence[str]) -> Trial:
    """Return `status`, `length` and `script` of attempts, as `attempt` does, and what they took, by these counts."""
    scripts = ("" if attempt.script is None else show_script(attempt.script) for attempt in attempts)
    return {
        "status": np.array([STATUSES.index(attempt.status) for attempt in attempts], np.uint8),
        "length": np.array([min(attempt.length or 0, _LARGEST) for attempt in attempts], np.int64),
        **{name: np.array([getattr(attempt.cost, name) for attempt in attempts]) for name in counts},
        "script": np.array("\n".join(scripts)),
    }


def came_to(*statuses: Status) -> Callable[[Trial], Bools]:
    """Take whether one of these became known of each lemma; shape (lemmas,)."""
    places = [STATUSES.index(status) for status in statuses]
    return lambda trial: np.isin(trial["status"], places)


def check_search(name: str) -> None:
    """Raises InputError for a name of no solver."""
    if name != ALONE:
        solver_named(name, Means(policy=lambda _: Uniform()), "--search")


def episodes(store: Store, run: int) -> int:
    """How many episodes the student of a run has practised."""
    return sum(lemma["practised"] for lemma in store.lemmas(run))


# A student is large, and the trials of one variant come one after the other.
@lru_cache(maxsize=1)
def practised(run: int, db: str, planned: int) -> Policy:
    """The policy of the student of a run in a file. Raises InputError if it has practised more since, StoreError."""
    store = Store(Path(db), create=False)  # stays open as long as the policy is asked
    now = episodes(store, run)
    if now != planned:
        raise InputError(
            f"The student of run {run} has practised {now:,} episodes now, and {planned:,} when this experiment was "
            "begun; begin a new one."
        )
    return policy_named(str(run), store)


def _solved(name: str, policy: Policy, formula: Formula, seed: int, budget: Budget) -> tuple[Attempt, Cost]:
    """What a solver came to, and what it had taken when the lemma was settled, or in all if it was not."""
    settled: list[Cost] = []

    def watch(_: int, attempt: Attempt) -> None:
        if attempt.status is not OPEN and not settled:
            settled.append(attempt.cost)

    attempt = solve(formula, solver_named(name, Means(policy=lambda _: policy, seed=seed)), budget, watch)
    if attempt.is_stopped:
        raise KeyboardInterrupt
    return attempt, settled[0] if settled else attempt.cost


def _played(policy: Policy, formula: Formula, seed: int) -> tuple[Attempt, Cost]:
    """One play of the policy; its expansions are its moves."""
    began = monotonic()
    ((script, proved),) = played(policy, formula, plays=1, seed=seed)
    moves = len(script)
    cost = Cost(expansions=moves, calls=moves, seconds=monotonic() - began)
    if proved:
        return Attempt(lemma=formula, by=ALONE, status=PROVED, script=script, cost=cost), cost
    reason = f"{MAX_STEPS} moves were not enough" if moves == MAX_STEPS else "no move was left"
    return Attempt(lemma=formula, by=ALONE, cost=cost, reason=reason), cost
