"""`oasis prove --search`: a proof found by trying, of one lemma or of every lemma of a curriculum."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from oasis.cli.arguments import read_referees
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.narration import narrate

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.backends.base import Certificate
    from oasis.policy import Policy
    from oasis.search.cache import GoalCache
    from oasis.search.goals import Goals
    from oasis.search.search import Budget, Event, Search
    from tactics.script import Script

CACHES: Final = ("none", "memory", "disk")
"""How long what is found out about goals is known: for one lemma, for this command, or in the database for good."""
_BUDGETS: Final[dict[str, Callable[[str], float]]] = {"expansions": int, "calls": int, "seconds": float, "memory": int}
_STATUSES: Final = ("proved", "refuted", "open")
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
    """

    search: str
    policy: str
    budget: Budget
    seed: int
    shorter: bool
    cache: str
    db: Path
    picture: str | None


@dataclass
class Found:
    """What came of the search for a proof of a lemma."""

    lemma: Lemma
    event: Event
    script: Script | None
    reason: str
    certificates: list[Certificate]
    search: Search

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        from dataclasses import asdict

        from tactics.json_form import script_to_json
        from tactics.printer import show

        return {
            "lemma": self.lemma.name,
            "formula": show(self.lemma.formula, quantified=True),
            "status": self.event.status.value,
            "length": None if self.script is None else len(self.script),
            "bound": self.event.bound,
            "script": None if self.script is None else script_to_json(self.script),
            "expansions": self.event.expansions,
            "calls": self.event.calls,
            "seconds": round(self.event.seconds, 3),
            "reason": self.reason,
            "certificates": [asdict(certificate) for certificate in self.certificates],
        }


def read_budget(text: str, seconds: float | None = None) -> Budget:
    """The budget that was typed: a number of expansions, or `expansions=…,calls=…,seconds=…,memory=…` (MiB).

    Args:
        text: what was typed.
        seconds: if the text says nothing of them.

    Raises InputError.
    """
    from oasis.search.search import MEMORY, Budget
    from tactics.errors import InputError

    given: dict[str, float] = {}
    try:
        for part in text.split(",") if text else ():
            name, equals, number = part.strip().rpartition("=")
            name = name if equals else "expansions"
            given[name] = _BUDGETS[name](number)
        is_fit = all(0 < amount < inf for amount in given.values())
    except (KeyError, ValueError):
        is_fit = False
    if not is_fit:
        raise InputError(
            "--budget is a number of expansions, or as in expansions=10000,calls=500,seconds=60,memory=2048, "
            f"not {text[:80]!r}."
        )
    expansions, calls, memory = (int(given.get(name, 0)) for name in ("expansions", "calls", "memory"))
    return Budget(expansions or None, calls or None, given.get("seconds", seconds), memory << 20 or MEMORY)


def prove_by_search(lemmas: tuple[Lemma, ...], way: Way, *, certify: bool, as_json: bool, quiet: bool) -> None:
    """Search for a proof of each lemma, and show what came of it.

    What was found so far is shown even if somebody stops it. Exit code 0 unless a prover rejects a script: 1.
    """
    from oasis.cli.search_picture import check_picture, draw
    from oasis.lab.policies import is_run, policy_named
    from oasis.search.goals import Goals
    from oasis.search.registry import SEARCHES
    from tactics.errors import check_choice

    check_choice("--search", way.search, SEARCHES)
    check_choice("--cache", way.cache, CACHES)
    if way.picture is not None:
        check_picture(way.picture, len(lemmas), as_json=as_json)
    found: list[Found] = []
    stopped = False
    with opened(way.db, needed=is_run(way.policy), create=way.cache == "disk") as store:
        policy, goals, caches = policy_named(way.policy, store), Goals(), _caches(way.cache, store)
        for lemma in lemmas:
            if way.cache == "none":
                goals = Goals()
            try:
                result = _searched(lemma, way, policy, goals, next(caches), quiet=quiet)
            except KeyboardInterrupt:
                stopped = True
                break
            found.append(result)
            stopped = result.reason == _STOPPED
            if stopped:
                break
    if certify:
        certify_scripts(found)
    _show(found, way, as_json=as_json, alone=len(lemmas) == 1, quiet=quiet)
    if way.picture is not None:
        for each in found:
            draw(each.search, each.lemma.name, way.picture)
    if stopped:
        last = f" while searching {found[-1].lemma.name}" if found else ""
        raise Stopped(f"Stopped{last}; {len(lemmas) - len(found)} lemmas were left.", EXIT_INTERRUPTED)
    if not all(certificate.accepted for each in found for certificate in each.certificates):
        from typer import Exit

        raise Exit(EXIT_REJECTED)


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
    return Found(lemma, event, script, reason, [], search)


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


class Scripted(Protocol):
    """What became of a lemma, for which there may be a script."""

    lemma: Lemma
    certificates: list[Certificate]

    @property
    def script(self) -> Script | None:
        """The proof that was found, if one was."""
        ...


def certify_scripts(found: Sequence[Scripted]) -> None:
    """Ask the provers that are here about all scripts at once."""
    from oasis.backends.base import Claim
    from oasis.backends.registry import backend

    claims = {n: Claim(each.lemma.formula, each.script) for n, each in enumerate(found) if each.script is not None}
    for name in read_referees(None) if claims else ():
        with backend(name) as prover:
            for n, certificate in zip(claims, prover.certify(list(claims.values())), strict=True):
                found[n].certificates.append(certificate)


def _show(found: list[Found], way: Way, *, as_json: bool, alone: bool, quiet: bool) -> None:
    from oasis.cli.render import about, clipped, print_certificates, print_json, print_table
    from oasis.lab.policies import is_run
    from tactics.printer import show
    from tactics.script import show_script

    if as_json:
        how = {"search": way.search, "policy": way.policy, "seed": way.seed, "cache": way.cache}
        print_json(
            {**found[0].to_json(), **how} if alone and found else {**how, "lemmas": [each.to_json() for each in found]}
        )
    elif alone and found:
        (each,) = found
        if not quiet:
            narrate(about(each.lemma.name, show(each.lemma.formula)))
            who = f"run {way.policy}" if is_run(way.policy) else way.policy
            narrate(f"{way.search}, {who}: {_outcome(each)}")
        if each.script is not None:
            print(show_script(each.script))
        print_certificates(each.certificates)
    else:
        header = ["lemma", "status", "moves", "expansions", "calls", "seconds", "certified by"]
        rows = [
            [
                clipped(each.lemma.name),
                each.event.status.value,
                "–" if each.script is None else f"{len(each.script):,}",
                f"{each.event.expansions:,}",
                f"{each.event.calls:,}",
                f"{each.event.seconds:.2f}",
                ", ".join(c.prover if c.accepted else f"not {c.prover}" for c in each.certificates) or "–",
            ]
            for each in found
        ]
        print_table(header, rows, numeric=header[2:6])
        counts = {status: sum(each.event.status.value == status for each in found) for status in _STATUSES}
        print(", ".join(f"{count:,} {status}" for status, count in counts.items() if count) or "nothing was searched")


def _outcome(found: Found) -> str:
    event = found.event
    spent = f"{event.expansions:,} expansions, {event.calls:,} calls, {event.seconds:.2f} s"
    if found.script is not None:
        least = "" if event.bound <= 1 else f", and every proof has at least {event.bound}"
        if event.bound == len(found.script):
            least = ", and no proof is shorter"
        known = "" if event.expansions else ", known from the goal cache"
        return f"proved in {len(found.script)} moves{known}{least}; {spent}"
    if event.status.value == "refuted":
        return f"refuted: it has no proof, and oasis countermodel shows why; {spent}"
    least = "" if event.bound <= 1 else f", and every proof has at least {event.bound} moves"
    return f"open: {found.reason}{least}; {spent}"
