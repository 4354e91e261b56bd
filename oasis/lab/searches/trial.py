"""A trial of a search: it tries every lemma with one seed, and each lemma knowing nothing of the others.

Nothing that one search found out is of use to another one, not even what the moves of a goal are: so what is counted
and how long it took do not depend on the order of the trials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from oasis.escalation.ladder import Ladder
from oasis.escalation.solvers import Means, kind_of, solver_named
from oasis.ground.names import SEARCHES, SOLVERS
from oasis.lab.measure import Trial
from oasis.lab.statistics import Bools
from oasis.neural.policies import policy_named
from oasis.play.exam import MAX_STEPS, played
from oasis.play.policy import Policy
from oasis.play.solving import LONGEST, OPEN, PROVED, REFUTED, Budget, Status, solve
from oasis.search.search import Event
from oasis.store import Store
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import initial
from tactics.script import Script, replay, show_script

ALONE: Final = "alone"
"""The name of no search: the policy plays once, and takes nothing back."""
STATUSES: Final = (OPEN, PROVED, REFUTED)
"""What `status` of a trial counts."""
_LARGEST: Final = 2**62


class _Tried(NamedTuple):
    """What came of one lemma: the event in which it was settled, the last one, the proof, and what was used up."""

    settled: Event
    last: Event
    script: Script | None
    reason: str


def attempt(search: str, policy: Policy, formulas: Sequence[Formula], seed: int, budget: Budget) -> Trial:
    """Have a search try every lemma, each as `oasis prove --search` would with this seed; return what it came to.

    Of shape (lemmas,): `status`, what became known of the lemma, by its place in `STATUSES`; `length`, moves of the
    shortest proof that was found, 0 if there is none; `bound`, moves that every proof has at least, as far as the
    search knows; `expansions`, `calls` and `seconds` that were used up in all; and `settled_expansions`,
    `settled_calls` and `settled_seconds` until the status became known, which are all if it did not, and are looked at
    after every 64 expansions in a search that goes on behind its first proof. Of shape (), with a line for each lemma:
    `script`, the shortest proof, empty if there is none or it has more than `LONGEST` moves; and `reason`, what was
    used up, empty if the search came to its end.

    Every proof that is kept has been replayed. Raises ScriptError for one that is none.
    """
    tried = []
    for formula in formulas:
        if search == ALONE:
            one = _played(policy, formula, seed)
        elif _is_search(search):
            one = _searched(search, policy, formula, seed, budget)
        else:
            one = _solved(search, policy, formula, seed, budget)
        if one.script is not None and replay(formula, one.script)[-1]:
            raise AssertionError(f"{search} proved {formula} with a script that leaves goals open")
        tried.append(one)
    last = [one.last for one in tried]
    counts = {"expansions": np.int64, "calls": np.int64, "seconds": np.float64}
    return {
        "status": np.array([STATUSES.index(event.status) for event in last], np.uint8),
        "length": np.array([min(event.length or 0, _LARGEST) for event in last], np.int64),
        "bound": np.array([event.bound for event in last], np.int64),
        **{f"settled_{name}": np.array([getattr(one.settled, name) for one in tried], counts[name]) for name in counts},
        **{name: np.array([getattr(event, name) for event in last], counts[name]) for name in counts},
        "script": np.array("\n".join("" if one.script is None else show_script(one.script) for one in tried)),
        "reason": np.array("\n".join(one.reason for one in tried)),
    }


def came_to(*statuses: Status) -> Callable[[Trial], Bools]:
    """Take whether one of these became known of each lemma; shape (lemmas,)."""
    places = [STATUSES.index(status) for status in statuses]
    return lambda trial: np.isin(trial["status"], places)


def check_search(name: str) -> None:
    """Raises InputError for a name of no search."""
    if kind_of(name) == "climbing":
        Ladder.named(name)
    elif name != ALONE and not kind_of(name):
        (SEARCHES if _is_search(name) else SOLVERS).find(name, "--search")


def _is_search(name: str) -> bool:
    """Whether a name is that of a search; a solver of another kind is asked as a whole. Raises InputError for none."""
    if kind := kind_of(name):
        return kind == "searching"
    return not hasattr(SOLVERS.looked_up(name, "--search"), "trying")


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


def _solved(name: str, policy: Policy, formula: Formula, seed: int, budget: Budget) -> _Tried:
    """What a solver came to that is no search: the teacher, a policy that plays, a ladder, or one's own."""
    attempt = solve(formula, solver_named(name, Means(policy=lambda _: policy, seed=seed)), budget)
    cost = attempt.cost
    event = Event(attempt.status, attempt.length, attempt.bound, cost.expansions, cost.calls, cost.seconds, 0)
    return _Tried(event, event, attempt.script, attempt.reason)


def _searched(name: str, policy: Policy, formula: Formula, seed: int, budget: Budget) -> _Tried:
    (goal,) = initial(formula)
    search = SEARCHES.find(name)(goal, policy, seed=seed)
    settled = None
    for event in search.run(budget):
        if settled is None and event.status is not OPEN:
            settled = event
    script = search.script() if event.length is not None and event.length <= LONGEST else None
    return _Tried(settled or event, event, script, search.reason)


def _played(policy: Policy, formula: Formula, seed: int) -> _Tried:
    """One play of the policy; its expansions are its moves."""
    began = monotonic()
    ((script, proved),) = played(policy, formula, plays=1, seed=seed)
    moves = len(script)
    status, length = (PROVED, moves) if proved else (OPEN, None)
    event = Event(status, length, 1, moves, moves, monotonic() - began, moves)
    reason = f"{MAX_STEPS} moves were not enough" if moves == MAX_STEPS else "no move was left"
    return _Tried(event, event, script if proved else None, "" if proved else reason)
