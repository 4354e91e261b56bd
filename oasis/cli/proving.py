"""Proving by whichever solver was named: made, watched, certified, shown, and told by the exit code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from oasis.cli.arguments import read_referees
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.narration import narrate, narrator
from tactics.errors import printable

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.escalation.escalation import Climbing
    from oasis.escalation.solvers import Means
    from oasis.play.committed import Choosing
    from oasis.play.policy import Policy
    from oasis.play.solving import Attempt, Budget, Cost, Solver
    from oasis.store import Store

CACHES: Final = ("none", "memory", "disk")
"""How long what is found out about goals is known: for one lemma, for this command, or in the database for good."""
_BUDGETS: Final[dict[str, Callable[[str], float]]] = {"expansions": int, "calls": int, "seconds": float, "memory": int}
_SILENT_SECONDS: Final = 5.0
"""Between two lines about an attempt outside a terminal."""


@dataclass(frozen=True)
class Way:
    """How lemmas are to be proved, as it was typed.

    Attributes:
        name: of the solver.
        kind: how it proves (`oasis.escalation.solvers.kind_of`).
        policy: that it asks; empty for its usual one.
        budget: for each lemma.
        seed: of all chance.
        shortest: whether to look for shorter proofs until there is none, or the budget is used up.
        longest: moves of the longest script that is written down, or is played.
        choosing: how a policy that plays chooses moves; None for who does not play.
        cache: one of `CACHES`; None for who does not search.
        search: of a ladder; empty for its usual one.
        experience: whether maxims weigh what the policy proposes.
        picture: where to draw what a search reached, an .svg file, or - for the terminal; None for no picture.
        db: where runs and maxims are, and the cache on disk.
    """

    name: str
    kind: str
    policy: str
    budget: Budget
    seed: int
    shortest: bool
    longest: int
    choosing: Choosing | None
    cache: str | None
    search: str
    experience: bool
    picture: str | None
    db: Path

    def title(self) -> str:
        """Say who proves, before what came of a single lemma."""
        who = [f"run {self.policy}" if self.policy.isdecimal() else self.policy] if self.policy else []
        return ", ".join([self.name, *who]) + (" with experience" if self.experience else "")

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` says beside what came of it."""
        how = {"solver": self.name, "policy": self.policy or None, "experience": self.experience, "seed": self.seed}
        cache = {} if self.cache is None else {"cache": self.cache}
        return {**how, **cache, **({} if self.choosing is None else self.choosing.to_json())}

    def means(self, store: Store | None, *, quiet: bool) -> Means:
        """Return what the solver is made with."""
        from oasis.escalation.solvers import Means
        from oasis.search.cache import GoalCache

        cache = None if self.cache in (None, "none") else GoalCache(store if self.cache == "disk" else None)
        return Means(
            policy=lambda name: self._proposing(name, store, quiet=quiet),
            seed=self.seed,
            shortest=self.shortest,
            longest=self.longest,
            choosing=self.choosing,
            cache=cache,
            search=self.search,
            say=narrator(quiet=quiet),
        )

    def _proposing(self, name: str, store: Store | None, *, quiet: bool) -> Policy:
        from oasis.lab.policies import experienced
        from oasis.play.committed import EAGER

        policy = proposing(name, store, quiet=quiet)
        return experienced(policy, store, self.choosing or EAGER) if self.experience and store is not None else policy


def read_budget(text: str | None, seconds: float | None = None) -> Budget:
    """Return the budget that was typed: a number of expansions, or `expansions=…,calls=…,seconds=…,memory=…` (MiB).

    Args:
        text: what was typed; None for nothing.
        seconds: if the text says nothing of them.

    Raises InputError.
    """
    from oasis.play.solving import MEMORY, Budget
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
    """Return the policy of a name, as it is asked here: about the goal in focus alone, which is told if it matters."""
    from oasis.lab.policies import is_run, policy_named
    from oasis.play.exam import has_values

    policy = policy_named(name, store)
    if is_run(name) and not quiet and not has_values(policy):
        narrate(
            f"The student of run {name} has values of whole states, and is asked about the goal in focus as if no "
            "other were open: it may prove less here than in its exams."
        )
    return policy


def opened(db: Path, *, needed: bool, create: bool) -> AbstractContextManager[Any]:
    """Return the store, if it is needed at all."""
    from oasis.store import Store

    return Store(db, create=create) if needed or create else nullcontext()


def prove_all(lemmas: Sequence[Lemma], way: Way, *, certify: bool, as_json: bool, quiet: bool) -> None:
    """Try to prove each lemma, and show what came of it.

    What was found so far is shown even if somebody stops it. Exit code 0 unless a prover rejects a script: 1.
    """
    from oasis.cli.progress import remark_on_compiling
    from oasis.cli.search_picture import check_picture, draw
    from oasis.play.solving import solve_all
    from tactics.errors import check_choice

    check_choice("--cache", way.cache, (*CACHES, None))
    if way.picture is not None:
        check_picture(way.picture, len(lemmas), as_json=as_json)
    needed = way.experience
    if way.policy:
        from oasis.lab.policies import needs_store, policy_named

        needed |= needs_store(way.policy)
        if not way.db.exists():
            policy_named(way.policy, None)  # what is wrong with it is said before a file is made
    with opened(way.db, needed=needed, create=way.cache == "disk" and not way.experience) as store:
        solver = _made(way, way.means(store, quiet=quiet))
        climb = _climbing(solver, way)
        if climb is not None and not quiet:
            remark_on_compiling([climb.settings])
        with _watching([lemma.name for lemma in lemmas], solver, quiet=quiet) as watch:
            attempts = solve_all([lemma.formula for lemma in lemmas], solver, way.budget, watch)
    is_stopped = len(attempts) < len(lemmas) or any(attempt.is_stopped for attempt in attempts.values())
    if certify:
        try:
            attempts = _certified(attempts, quiet=quiet)
        except KeyboardInterrupt:  # what was found is shown still
            is_stopped = True
            narrate("Not certified: it was stopped.")
    came = [(lemmas[place], attempt) for place, attempt in attempts.items()]
    _show(came, solver, way, alone=len(lemmas) == 1, as_json=as_json, quiet=quiet)
    if way.picture is not None:
        from oasis.search.solving import Searching

        assert isinstance(solver, Searching)
        draw(solver.last, lemmas[0].name, way.picture)
    left = len(lemmas) - sum(not attempt.is_stopped for attempt in attempts.values())
    if is_stopped:
        raise Stopped(f"Stopped; {left} {'lemma was' if left == 1 else 'lemmas were'} left.", EXIT_INTERRUPTED)
    if not all(certificate.accepted for _, attempt in came for certificate in attempt.certificates):
        from typer import Exit

        raise Exit(EXIT_REJECTED)


def _made(way: Way, means: Means) -> Solver:
    """Make the solver; a search of one's own has a name that is no solver's."""
    from oasis.escalation.solvers import searching, solver_named

    if way.kind == "searching":
        return searching(way.name, way.policy, means)
    return solver_named(f"{way.name}:{way.policy}" if way.policy else way.name, means)


def _climbing(solver: Solver, way: Way) -> Climbing | None:
    """Return the solver as a ladder; None if it is none."""
    if way.kind != "climbing":
        return None
    from oasis.escalation.escalation import Climbing

    assert isinstance(solver, Climbing)
    return solver


@contextmanager
def _watching(names: Sequence[str], solver: Solver, *, quiet: bool) -> Iterator[Callable[[int, Attempt], None]]:
    """Give what tells how far a solver is: a line that changes in a terminal, a line now and then elsewhere."""
    from rich.console import Console

    line = Console(stderr=True).status("")
    in_terminal = sys.stderr.isatty() and not quiet
    said, done = monotonic(), set[int]()

    def watch(place: int, attempt: Attempt) -> None:
        nonlocal said
        how_many = f"{len(done):,} of {len(names):,} settled; " if len(names) > 1 else ""
        if attempt.status.value != "open":
            done.add(place)
        if quiet or (not in_terminal and monotonic() - said <= _SILENT_SECONDS):
            return
        stage = f", {attempt.by}" if attempt.by != solver.name else ""
        best = "" if attempt.length is None else f", a proof of {attempt.length:,} moves (at least {attempt.bound:,})"
        words = f"{how_many}{names[place]}{stage}: {said_cost(attempt.cost, solver.counts)}{best}"
        said = monotonic()
        if in_terminal:
            line.start()
            line.update(printable(words))
        else:
            narrate(words)

    try:
        yield watch
    finally:
        line.stop()


def _certified(attempts: Mapping[int, Attempt], *, quiet: bool) -> dict[int, Attempt]:
    """Return the attempts with what the provers that are here say of all scripts."""
    from oasis.backends.certifying import certificates

    claims = [attempt.claim for attempt in attempts.values() if attempt.claim is not None]
    said = certificates(claims, read_referees(None) if claims else (), narrator(quiet=quiet))
    return {
        place: attempt if attempt.claim is None else attempt.certified(said[attempt.claim])
        for place, attempt in attempts.items()
    }


def _show(
    came: Sequence[tuple[Lemma, Attempt]], solver: Solver, way: Way, *, alone: bool, as_json: bool, quiet: bool
) -> None:
    """Show what came of lemmas: as JSON, as a script if a single lemma was asked for, and otherwise as a table."""
    from oasis.cli.render import about, print_certificates, print_json, print_table, print_text
    from tactics.printer import show
    from tactics.script import show_script

    climbing = _climbing(solver, way)
    climb = None if climbing is None else climbing.escalation
    if as_json:
        lemmas = [to_json(lemma, attempt, solver.counts) for lemma, attempt in came]
        how = way.to_json()
        if climb is not None:
            from oasis.escalation.report import climb_to_json, pace_to_json

            lemmas = [{**each, **climb_to_json(record)} for each, record in zip(lemmas, climb.records, strict=True)]
            how |= pace_to_json(climb.climb.pace)
        print_json({**lemmas[0], **how} if alone and lemmas else {**how, "lemmas": lemmas})
    elif alone and came:
        ((lemma, attempt),) = came
        outcome = f"{way.title()}: {said_outcome(attempt, solver)}"
        if not quiet:
            narrate(about(lemma.name, show(lemma.formula)))
        if attempt.script is None:
            print_text(outcome)
        else:
            if not quiet:
                narrate(outcome)
            print(show_script(attempt.script))
        print_certificates(attempt.certificates)
    else:
        by = ["by"] if any(attempt.by != solver.name for _, attempt in came) else []
        numeric = ["moves", *solver.counts]
        rows = [_cells(lemma, attempt, solver, with_by=bool(by)) for lemma, attempt in came]
        print_table(["lemma", "status", *by, *numeric, "certified by"], rows, numeric=numeric)
        counts = Counter(attempt.status.value for _, attempt in came)
        summary = ", ".join(
            f"{counts[status]:,} {status}" for status in ("proved", "refuted", "open") if counts[status]
        )
        if climb is not None:
            from oasis.cli.climbing import said_pace

            summary += f" {said_pace(climb.climb.pace)}"
        print(summary)
        for sentence in _left_open(came):
            print_text(sentence)


def to_json(lemma: Lemma, attempt: Attempt, counts: Sequence[str]) -> dict[str, Any]:
    """Return the form in which `--json` prints an attempt at a lemma, of its cost what is counted."""
    from tactics.json_form import script_to_json
    from tactics.printer import show

    return {
        "lemma": lemma.name,
        "formula": show(lemma.formula, quantified=True),
        **lemma.reading,
        "status": attempt.status.value,
        "length": attempt.length,
        "bound": attempt.bound,
        "script": None if attempt.script is None else script_to_json(attempt.script),
        **{name: round(getattr(attempt.cost, name), 3) for name in counts},
        "by": attempt.by,
        "reason": attempt.reason,
        "certificates": [asdict(certificate) for certificate in attempt.certificates],
    }


def _cells(lemma: Lemma, attempt: Attempt, solver: Solver, *, with_by: bool) -> list[str]:
    """A row of the table: name, status, moves, what was spent, and who certified it."""
    from oasis.cli.render import clipped

    spent = {name: getattr(attempt.cost, name) for name in solver.counts}
    return [
        clipped(lemma.name),
        attempt.status.value,
        *([attempt.by if attempt.by != solver.name else "–"] if with_by else []),
        "–" if attempt.length is None else f"{attempt.length:,}",
        *(f"{amount:.2f}" if name == "seconds" else f"{amount:,}" for name, amount in spent.items()),
        ", ".join(each.prover if each.accepted else f"not {each.prover}" for each in attempt.certificates) or "–",
    ]


def _left_open(came: Sequence[tuple[Lemma, Attempt]]) -> Iterator[str]:
    """Say of the lemmas that are open why they are, each reason once."""
    from oasis.lab.words import listed

    names: dict[str, list[str]] = {}
    for lemma, attempt in came:
        if attempt.status.value == "open" and attempt.reason:
            names.setdefault(attempt.reason, []).append(lemma.name)
    for reason, of_lemmas in names.items():
        yield f"Open, as {reason}: {listed(of_lemmas)}."


def said_outcome(attempt: Attempt, solver: Solver) -> str:
    """Say what came of a lemma and what it took."""
    spent = said_cost(attempt.cost, solver.counts)
    if attempt.status.value == "refuted":
        return f"not a theorem: it has no proof, and oasis countermodel shows why; {spent}"
    least = "" if attempt.bound <= 1 else f", and every proof has at least {attempt.bound:,}"
    if attempt.status.value == "open":
        more = "; try a larger --seconds" if "second" in attempt.reason else ""
        return f"open: {attempt.reason}{more}{f'{least} moves' if least else ''}; {spent}"
    by = "" if attempt.by == solver.name else f" by {attempt.by}"
    known = ", known from the goal cache" if "expansions" in solver.counts and not _worked(attempt.cost) else ""
    unwritten = "" if attempt.script is not None else ", more than --max-proof lets be written down"
    if attempt.is_shortest:
        least = ", and no proof is shorter"
    reason = f" ({attempt.reason})" if attempt.reason else ""
    return f"proved in {attempt.length:,} moves{by}{known}{unwritten}{least}{reason}; {spent}"


def _worked(cost: Cost) -> bool:
    """Whether anything was done but looking up."""
    return any((cost.episodes, cost.expansions, cost.plays))


def said_cost(cost: Cost, counts: Sequence[str]) -> str:
    """Say what something took, of the fields of a cost that are named: nothing of the counts that are 0."""
    words = [f"{getattr(cost, name):,} {name}" for name in counts if name != "seconds" and getattr(cost, name)]
    return ", ".join([*words, f"{cost.seconds:.2f} s"])
