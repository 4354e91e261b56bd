"""`oasis prove --search`: a proof found by trying, of one lemma or of every lemma of a curriculum."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from oasis.cli import attempts
from oasis.cli.attempts import Attempt
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.play.policy import Policy
    from oasis.search.cache import GoalCache
    from oasis.search.goals import Goals
    from oasis.search.search import Budget, Event, Search
    from oasis.store import Store
    from tactics.script import Script

CACHES: Final = ("none", "memory", "disk")
"""How long what is found out about goals is known: for one lemma, for this command, or in the database for good."""
_BUDGETS: Final[dict[str, Callable[[str], float]]] = {"expansions": int, "calls": int, "seconds": float, "memory": int}
_STATUSES: Final = ("proved", "refuted", "open")
_COLUMNS: Final = ("expansions", "calls", "seconds")
_STOPPED: Final = "it was stopped"
_SILENT_SECONDS: Final = 5.0
"""Between two lines about a search outside a terminal."""


@dataclass(frozen=True)
class Way:
    """How lemmas are searched.

    Attributes:
        search: its name.
        policy: its name.
        budget: for each lemma.
        seed: of the chance of each search.
        shorter: whether to look for shorter proofs until there is none, or the budget is used up.
        cache: one of `CACHES`.
        db: where runs are, and the cache on disk.
        picture: where to draw what was reached, an .svg file, or - for the terminal; None for no picture.
        experience: whether maxims weigh what the policy proposes.
    """

    search: str
    policy: str
    budget: Budget
    seed: int
    shorter: bool
    cache: str
    db: Path
    picture: str | None
    experience: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` says beside what came of it."""
        how = {"search": self.search, "policy": self.policy, "experience": self.experience}
        return {**how, "seed": self.seed, "cache": self.cache}


@dataclass(frozen=True)
class Found:
    """An attempt, and the search that made it, of which a picture can be drawn."""

    attempt: Attempt
    search: Search


def read_budget(text: str | None, seconds: float | None = None) -> Budget:
    """The budget that was typed: a number of expansions, or `expansions=…,calls=…,seconds=…,memory=…` (MiB).

    Args:
        text: what was typed; None for nothing.
        seconds: if the text says nothing of them.

    Raises InputError.
    """
    from oasis.search.search import MEMORY, Budget
    from tactics.errors import InputError

    given: dict[str, float] = {}
    try:
        for part in () if text is None else text.split(","):
            name, equals, number = part.strip().rpartition("=")
            name = name if equals else "expansions"
            given[name] = _BUDGETS[name](number)
        is_fit = all(0 < amount < inf for amount in given.values())
    except (KeyError, ValueError):
        is_fit = False
    if not is_fit:
        raise InputError(
            "--budget is a number of expansions, or as in expansions=10000,calls=500,seconds=60,memory=2048, "
            f"not {str(text)[:80]!r}."
        )
    expansions, calls, memory = (int(given.get(name, 0)) for name in ("expansions", "calls", "memory"))
    return Budget(expansions or None, calls or None, given.get("seconds", seconds), memory << 20 or MEMORY)


def proposing(name: str, store: Store | None, *, quiet: bool) -> Policy:
    """The policy of a name, as it is asked here: about the goal in focus alone, which is told where it matters."""
    from oasis.lab.policies import is_run, policy_named
    from oasis.play.exam import has_values

    policy = policy_named(name, store)
    if is_run(name) and not quiet and not has_values(policy):
        narrate(
            f"The student of run {name} has values of whole states, and is asked about the goal in focus as if no "
            "other were open: it may prove less here than in its exams."
        )
    return policy


def prove_by_search(lemmas: tuple[Lemma, ...], way: Way, *, certify: bool, as_json: bool, quiet: bool) -> None:
    """Search for a proof of each lemma, and show what came of it.

    What was found so far is shown even if somebody stops it. Exit code 0 unless a prover rejects a script: 1.
    """
    from oasis.cli.search_picture import check_picture, draw
    from oasis.lab.policies import experienced, is_run, needs_store, policy_named
    from oasis.search.goals import Goals
    from oasis.search.registry import SEARCHES
    from tactics.errors import check_choice

    check_choice("--search", way.search, SEARCHES)
    check_choice("--cache", way.cache, CACHES)
    if way.picture is not None:
        check_picture(way.picture, len(lemmas), as_json=as_json)
    if not way.db.exists():
        policy_named(way.policy, None)  # what is wrong with it is said before a file is made
    found: list[Found] = []
    stopped = False
    create = way.cache == "disk" and not way.experience
    with opened(way.db, needed=way.experience or needs_store(way.policy), create=create) as store:
        policy, goals, caches = proposing(way.policy, store, quiet=quiet), Goals(), _caches(way.cache, store)
        if way.experience:
            policy = experienced(policy, store)
        for lemma in lemmas:
            if way.cache == "none":
                goals = Goals()
            try:
                result = _searched(lemma, way, policy, goals, next(caches), quiet=quiet)
            except KeyboardInterrupt:
                stopped = True
                break
            found.append(result)
            stopped = result.attempt.reason == _STOPPED
            if stopped:
                break
    made = [each.attempt for each in found]
    if certify:
        attempts.certify(made, quiet=quiet)
    counts = {status: sum(each.status == status for each in made) for status in _STATUSES}
    summary = ", ".join(f"{count:,} {status}" for status, count in counts.items() if count) or "nothing was searched"
    who = f"run {way.policy}" if is_run(way.policy) else way.policy
    with_maxims = " with experience" if way.experience else ""
    title, alone = f"{way.search}, {who}{with_maxims}", len(lemmas) == 1
    attempts.show(
        made,
        way.to_json(),
        _COLUMNS,
        title=title,
        summary=summary,
        as_json=as_json,
        alone=alone,
        quiet=quiet,
        remarks=attempts.left_open(made),
    )
    if way.picture is not None:
        for each in found:
            draw(each.search, each.attempt.lemma.name, way.picture)
    last = f" while searching {made[-1].lemma.name}" if made else ""
    attempts.end(made, len(lemmas), stopped=stopped, last=last)


@contextmanager
def opened(db: Path, *, needed: bool, create: bool) -> Iterator[Any]:
    """The store, if it is needed at all."""
    from oasis.store import Store

    if needed or create:
        with Store(db, create=create) as store:
            yield store
    else:
        yield None


def _caches(kind: str, store: Any) -> Iterator[GoalCache]:
    """The goal cache of each lemma."""
    from oasis.search.cache import GoalCache

    cache = GoalCache(store if kind == "disk" else None)
    while True:
        yield cache
        if kind == "none":
            cache = GoalCache()


def _searched(lemma: Lemma, way: Way, policy: Policy, goals: Goals, cache: GoalCache, *, quiet: bool) -> Found:
    """Search for a proof of a lemma, and then for shorter ones if they are wanted; what is found is never lost."""
    from dataclasses import replace

    from oasis.search.ao_star import AOStar
    from oasis.search.graph import PROVED, REFUTED
    from oasis.search.registry import SEARCHES
    from tactics.goal import initial

    goal = initial(lemma.formula)[0]
    search = SEARCHES[way.search](goal, policy, cache=cache, seed=way.seed, goals=goals)
    reason = _followed(search, way.budget, lemma.name, quiet=quiet)
    event, script = search.event(), search.script()
    if way.shorter and event.status is PROVED and reason != _STOPPED:
        shorter = AOStar(goal, policy, cache=cache, seed=way.seed, goals=goals)
        reason = _followed(shorter, _left(way.budget, event), lemma.name, quiet=quiet)
        if shorter.length is not None and (script is None or shorter.length <= len(script)):
            search, script = shorter, shorter.script()
        spent = shorter.event()
        event = replace(
            event,
            length=None if script is None else len(script),
            bound=spent.bound,
            expansions=event.expansions + spent.expansions,
            calls=event.calls + spent.calls,
            seconds=event.seconds + spent.seconds,
        )
    if event.status is REFUTED:
        _check_refuted(lemma)
    if script is not None:
        _check_proved(lemma, script)
    return Found(_attempt(lemma, event, script, reason), search)


def _attempt(lemma: Lemma, event: Event, script: Script | None, reason: str) -> Attempt:
    spent = {"expansions": event.expansions, "calls": event.calls, "seconds": event.seconds}
    outcome = _outcome(event, script, reason)
    return Attempt(lemma, event.status.value, script, event.bound, spent, reason, outcome)


def _left(budget: Budget, spent: Event) -> Budget:
    """What is left of a budget, at least next to nothing."""
    from dataclasses import replace

    return replace(
        budget,
        expansions=budget.expansions and max(1, budget.expansions - spent.expansions),
        calls=budget.calls and max(1, budget.calls - spent.calls),
        seconds=budget.seconds and max(0.001, budget.seconds - spent.seconds),
    )


def _check_proved(lemma: Lemma, script: Script) -> None:
    """Make the moves of a proof; a cache that something else changed may hold wrong ones."""
    from oasis.search.cache import CacheError
    from tactics.script import ScriptError, replay

    try:
        is_proof = not replay(lemma.formula, script)[-1]
    except ScriptError:
        is_proof = False
    if not is_proof:
        raise CacheError("The goal cache holds a proof that is none: something else changed it; take another --db.")


def _check_refuted(lemma: Lemma) -> None:
    """Ask who decides by other means; only a cache that something else changed can be wrong."""
    from oasis.search.cache import CacheError
    from oasis.teacher.deciding.decide import Verdict, decide

    if decide(lemma.formula).verdict is Verdict.THEOREM:
        raise CacheError("The goal cache refutes a theorem: something else changed it; use another --db, or none.")


def _followed(search: Search, budget: Budget, name: str, *, quiet: bool) -> str:
    """Run a search, saying how far it is; gives why it ended before it was over, nothing if it did not."""
    from rich.console import Console

    from oasis.store import StoreError

    in_terminal = sys.stderr.isatty() and not quiet
    status = Console(stderr=True).status("")
    said = monotonic()
    try:
        for event in search.run(budget):
            if in_terminal:
                status.start()
                status.update(f"{name}: {_progress(event)}")
            elif not quiet and monotonic() - said > _SILENT_SECONDS:
                said = monotonic()
                narrate(f"{name}: {_progress(event)}")
    except KeyboardInterrupt:
        return _STOPPED
    except StoreError as error:
        narrate(f"What was found out about goals is not kept. {error}")
        return "what was found out could not be kept"
    finally:
        status.stop()
    return search.reason


def _progress(event: Event) -> str:
    best = "" if event.length is None else f", a proof of {event.length} moves (at least {event.bound})"
    return f"{event.expansions:,} expansions, {event.goals:,} goals reached, {event.seconds:.1f} s{best}"


def _outcome(event: Event, script: Script | None, reason: str) -> str:
    spent = f"{event.expansions:,} expansions, {event.calls:,} calls, {event.seconds:.2f} s"
    if script is not None:
        least = "" if event.bound <= 1 else f", and every proof has at least {event.bound}"
        if event.bound == len(script):
            least = ", and no proof is shorter"
        known = "" if event.expansions else ", known from the goal cache"
        return f"proved in {len(script)} moves{known}{least}; {spent}"
    if event.status.value == "refuted":
        return f"refuted: it has no proof, and oasis countermodel shows why; {spent}"
    least = "" if event.bound <= 1 else f", and every proof has at least {event.bound} moves"
    return f"open: {reason}{least}; {spent}"
