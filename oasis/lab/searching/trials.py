"""A trial of a search: it tries every lemma with one seed, and each lemma knowing nothing of the others.

Nothing that one search found out is of use to another one, not even what the moves of a goal are: so what is counted
and how long it took do not depend on the order of the trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.escalation.ladder import Ladder
from oasis.escalation.solvers import Means, kind_of, solver_named
from oasis.ground.names import SEARCHES, SOLVERS
from oasis.neural.policies import policy_named
from oasis.play.actions import LEGAL
from oasis.play.exam import MAX_STEPS, proposed, stream
from oasis.play.policy import Policy, draw
from oasis.play.solving import LONGEST, OPEN, PROVED, REFUTED, Budget, solve
from oasis.search.search import Event
from oasis.store import Store
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.rules import apply, legal_moves
from tactics.script import Script, replay, show_script

ALONE: Final = "alone"
"""The name of no search: the policy plays once, and takes nothing back."""
STATUSES: Final = (OPEN, PROVED, REFUTED)
"""What `Outcomes.status` counts."""
_LARGEST: Final = 2**62


class Outcomes(NamedTuple):
    """What one search came to on every lemma: a variant with one seed. Shapes are (lemmas,), of texts ().

    Attributes:
        status: what became known of the lemma, by its place in `STATUSES`.
        length: moves of the shortest proof that was found, 0 if there is none.
        bound: moves that every proof has at least, as far as the search knows.
        settled_expansions: used up when the status became known, or all of them if it did not; looked at after every 64
            in a search that goes on behind its first proof.
        settled_calls: the same for questions to the policy.
        settled_seconds: the same for wall time.
        expansions: used up in all.
        calls: used up in all.
        seconds: used up in all.
        script: the shortest proofs, one a line; empty lines where there is none or it has more than `LONGEST`
            moves.
        reason: what was used up, one a line; empty lines where the search came to its end.
    """

    status: NDArray[np.uint8]
    length: NDArray[np.int64]
    bound: NDArray[np.int64]
    settled_expansions: NDArray[np.int64]
    settled_calls: NDArray[np.int64]
    settled_seconds: NDArray[np.float64]
    expansions: NDArray[np.int64]
    calls: NDArray[np.int64]
    seconds: NDArray[np.float64]
    script: NDArray[np.str_]
    reason: NDArray[np.str_]

    @property
    def scripts(self) -> tuple[NDArray[Any], ...]:
        """The scripts, each by itself; shape (..., lemmas)."""
        return (lines(self.script),)

    @property
    def settled(self) -> NDArray[np.bool_]:
        """Whether the lemma was proved or refuted."""
        return self.status > 0


class _Tried(NamedTuple):
    """What came of one lemma: the event in which it was settled, the last one, the proof, and what was used up."""

    settled: Event
    last: Event
    script: Script | None
    reason: str


def attempt(search: str, policy: Policy, formulas: Sequence[Formula], seed: int, budget: Budget) -> Outcomes:
    """Have a search try every lemma, each as `oasis prove --search` would with this seed.

    Every proof that is kept has been replayed. Raises ScriptError for one that is none.
    """
    tried = []
    for formula in formulas:
        (goal,) = initial(formula)
        if search == ALONE:
            one = _played(policy, goal, seed)
        elif _is_search(search):
            one = _searched(search, policy, goal, seed, budget)
        else:
            one = _solved(search, policy, formula, seed, budget)
        if one.script is not None and replay(formula, one.script)[-1]:
            raise AssertionError(f"{search} proved {formula} with a script that leaves goals open")
        tried.append(one)
    settled, last = [one.settled for one in tried], [one.last for one in tried]
    return Outcomes(
        np.array([STATUSES.index(event.status) for event in last], np.uint8),
        np.array([min(event.length or 0, _LARGEST) for event in last], np.int64),
        np.array([event.bound for event in last], np.int64),
        *_spent(settled),
        *_spent(last),
        np.array("\n".join("" if one.script is None else show_script(one.script) for one in tried)),
        np.array("\n".join(one.reason for one in tried)),
    )


def lines(texts: NDArray[np.str_]) -> NDArray[Any]:
    """The lines of texts that have equally many; a last axis more."""
    split = [str(text).split("\n") for text in texts.ravel()]
    return np.array(split, object).reshape(*texts.shape, -1)


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


# A student is large, and the trials of one variant come one after the other.
@lru_cache(maxsize=1)
def practised(run: int, db: str, episodes: int) -> Policy:
    """The policy of the student of a run in a file. Raises InputError if it has practised more since, StoreError."""
    store = Store(Path(db), create=False)  # stays open as long as the policy is asked
    now = sum(lemma["practised"] for lemma in store.lemmas(run))
    if now != episodes:
        raise InputError(
            f"The student of run {run} has practised {now:,} episodes now, and {episodes:,} when this experiment was "
            "begun; begin a new one."
        )
    return policy_named(str(run), store)


def _spent(events: Sequence[Event]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Expansions, calls and seconds."""
    return (
        np.array([event.expansions for event in events], np.int64),
        np.array([event.calls for event in events], np.int64),
        np.array([event.seconds for event in events], np.float64),
    )


def _solved(name: str, policy: Policy, formula: Formula, seed: int, budget: Budget) -> _Tried:
    """What a solver came to that is no search: the teacher, a policy that plays, a ladder, or one's own."""
    attempt = solve(formula, solver_named(name, Means(policy=lambda _: policy, seed=seed)), budget)
    cost = attempt.cost
    event = Event(attempt.status, attempt.length, attempt.bound, cost.expansions, cost.calls, cost.seconds, 0)
    return _Tried(event, event, attempt.script, attempt.reason)


def _searched(name: str, policy: Policy, goal: Goal, seed: int, budget: Budget) -> _Tried:
    search = SEARCHES.find(name)(goal, policy, seed=seed)
    settled = None
    for event in search.run(budget):
        if settled is None and event.status is not OPEN:
            settled = event
    script = search.script() if event.length is not None and event.length <= LONGEST else None
    return _Tried(settled or event, event, script, search.reason)


def _played(policy: Policy, goal: Goal, seed: int) -> _Tried:
    """One play of the policy; its expansions are its moves."""
    began, rng = monotonic(), stream(seed, 0)
    state: State = (goal,)
    script: Script = ()
    reason = ""
    while state and not reason:
        chosen = draw(proposed(policy, (state,), LEGAL)[state], rng)
        if chosen is None:
            reason = "no move was left"
        elif len(script) == MAX_STEPS:
            reason = f"{MAX_STEPS} moves were not enough"
        else:
            move = legal_moves(state[0])[chosen]
            script, state = (*script, move), apply(state, move)
    moves = len(script)
    status, length = (OPEN, None) if state else (PROVED, moves)
    event = Event(status, length, 1, moves, moves, monotonic() - began, moves)
    return _Tried(event, event, None if state else script, reason)
