"""One seam for whatever proves: a solver tries lemmas within a budget, and an attempt says what came of each.

A search, a policy that plays, the teacher and a ladder of solvers are all solvers, so one command, one table and one
record serve for all of them. A solver yields how far it is, so whoever asks can show it, and can stop asking.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol, Self, TypeAlias

from oasis.ground.plural import counted
from oasis.ground.settings import Setting
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.printer import brief
from tactics.script import Script, ScriptError, replay

if TYPE_CHECKING:
    from tactics.claims import Certificate, Claim

MEMORY: Final = 4 << 30
"""Bytes that the process may occupy unless told otherwise."""
LONGEST: Final = 10_000
"""Moves of the longest script that is played, or written down, unless somebody says otherwise."""
STOPPED: Final = "it was stopped"
"""The reason of an attempt that somebody broke off."""
_DIGITS: Final = 4
_TYPED: Final[Mapping[str, Callable[[str], float]]] = {"expansions": int, "calls": int, "seconds": float, "memory": int}


@dataclass(frozen=True)
class Ladders:
    """Whom ladders ask at their end."""

    language: Annotated[
        str,
        Setting(
            "Who writes whole proofs at the end of a ladder, where all others are silent, as in hf:FOLDER.",
            metavar="NAME",
            only_with="escalate ladder solver",
        ),
    ] = ""


class Status(Enum):
    """What is known of a lemma, or of a goal."""

    OPEN = "open"
    PROVED = "proved"
    REFUTED = "refuted"


OPEN: Final = Status.OPEN
PROVED: Final = Status.PROVED
REFUTED: Final = Status.REFUTED


@dataclass(frozen=True)
class Budget:
    """What a solver may use up for a lemma; None where there is no limit.

    Attributes:
        expansions: goals, or states, whose moves are looked at.
        calls: states about which the policy is asked.
        seconds: of wall time.
        memory: bytes that the process may occupy.
    """

    expansions: int | None = None
    calls: int | None = None
    seconds: float | None = None
    memory: int | None = MEMORY

    @classmethod
    def read(cls, text: str | None, seconds: float | None = None) -> Self:
        """Return the budget that was typed: a number of expansions, or `expansions=…,calls=…,seconds=…,memory=…` (MiB).

        Args:
            text: what was typed; None for nothing.
            seconds: if the text says nothing of them.

        Raises InputError.
        """
        given: dict[str, float] = {}
        try:
            for part in () if text is None else text.split(","):
                name, equals, number = part.strip().rpartition("=")
                name = name if equals else "expansions"
                given[name] = _TYPED[name](number)
            is_fit = all(0 < amount < inf for amount in given.values())
        except (KeyError, ValueError):
            is_fit = False
        if not is_fit:
            raise InputError(
                "--budget is a number of expansions, or as in expansions=10000,calls=500,seconds=60,memory=2048, "
                f"not {str(text)[:80]!r}."
            )
        expansions, calls, memory = (int(given.get(name, 0)) for name in ("expansions", "calls", "memory"))
        return cls(expansions or None, calls or None, given.get("seconds", seconds), memory << 20 or MEMORY)

    def without(self, spent: Cost) -> Budget:
        """Return what is left of it, at least next to nothing."""
        return replace(
            self,
            expansions=self.expansions and max(1, self.expansions - spent.expansions),
            calls=self.calls and max(1, self.calls - spent.calls),
            seconds=self.seconds and max(0.001, self.seconds - spent.seconds),
        )


@dataclass(frozen=True)
class Cost:
    """What something took.

    Attributes:
        episodes: of the student.
        expansions: goals, or states, whose moves a search looked at; of a play its moves.
        plays: each from the beginning.
        calls: goals about which a policy was asked.
        forwards: goals that went through a network.
        seconds: by the clock that the budget is counted by.
        joules: of the whole machine meanwhile; None where its meters cannot be read.
        gpu_seconds: of forward passes on a GPU; None where there is none.
        trials: moves that were tried to judge what they leave.
        tokens: that were written of proofs.
    """

    episodes: int = 0
    expansions: int = 0
    plays: int = 0
    calls: int = 0
    forwards: int = 0
    seconds: float = 0.0
    joules: float | None = None
    gpu_seconds: float | None = None
    trials: int = 0
    tokens: int = 0

    def __add__(self, other: Cost) -> Cost:
        sums: dict[str, Any] = {
            each.name: _sum(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)
        }
        return Cost(**sums)

    def to_json(self) -> dict[str, Any]:
        """Return all of it by name; null for what is not known."""
        return {name: round(each, _DIGITS) if isinstance(each, float) else each for name, each in asdict(self).items()}

    def said(self, counts: Sequence[str]) -> str:
        """Say what it took, of the fields that are named: nothing of the counts that are 0."""
        spent = ((name.removesuffix("s"), getattr(self, name)) for name in counts if name != "seconds")
        return ", ".join([*(counted(number, noun) for noun, number in spent if number), f"{self.seconds:.2f} s"])

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """Return what `to_json` wrote."""
        return cls(**stored)


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else one + other


class NoProof(AssertionError):
    """A script that is said to prove a lemma and does not."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What came of trying to prove a lemma. Raises NoProof for a script that does not prove it.

    Attributes:
        lemma: that was tried.
        by: the name of the solver that settled it, or tried last; of a ladder, of its rung.
        status: what is known of the lemma; refuted only with a countermodel, or after an exhausted search.
        script: the shortest proof that was found; None if none was, or if it is too long to be written down.
        length: its moves, also of one that is too long; None if there is none.
        bound: moves that every proof has at least, as far as that is known; 1 is always true.
        cost: of all that was done.
        reason: why it ended before it was over; empty if it did not.
        certificates: what provers say of the script.
    """

    lemma: Formula
    by: str
    status: Status = OPEN
    script: Script | None = None
    length: int | None = None
    bound: int = 1
    cost: Cost = field(default_factory=Cost)
    reason: str = ""
    certificates: tuple[Certificate, ...] = ()

    def __post_init__(self) -> None:
        if self.script is None:
            return
        if not is_proof(self.lemma, self.script):
            raise NoProof(f"{self.by} claims to prove {brief(self.lemma)} with a script that does not.")
        object.__setattr__(self, "length", len(self.script))

    @property
    def claim(self) -> Claim | None:
        """What provers can be asked about; None if there is no script."""
        from tactics.claims import Claim

        return None if self.script is None else Claim(self.lemma, self.script)

    def certified(self, certificates: Mapping[Claim, tuple[Certificate, ...]]) -> Attempt:
        """Return the attempt with what provers say of its script, if they say something; it is not replayed again."""
        same = copy(self)
        object.__setattr__(same, "certificates", () if self.claim is None else certificates.get(self.claim, ()))
        return same

    @property
    def certified_by(self) -> str:
        """The provers that were asked of its script, and which of them did not accept it."""
        return ", ".join(each.prover if each.accepted else f"not {each.prover}" for each in self.certificates) or "–"

    @property
    def is_stopped(self) -> bool:
        """Whether somebody broke it off."""
        return self.reason == STOPPED

    @property
    def is_shortest(self) -> bool:
        """Whether no proof is shorter, as far as is known."""
        return self.length is not None and self.length == self.bound

    def said(self, solver: Solver) -> str:
        """Say what came of the lemma and what it took, of what a solver counts."""
        spent = self.cost.said(solver.counts)
        if self.status is REFUTED:
            return f"not a theorem: it has no proof, and oasis countermodel shows why; {spent}"
        least = "" if self.bound <= 1 else f", and every proof has at least {self.bound:,}"
        if self.status is OPEN:
            more = "; try a larger --seconds" if "second" in self.reason else ""
            return f"open: {self.reason}{more}{f'{least} moves' if least else ''}; {spent}"
        by = "" if self.by == solver.name else f" by {self.by}"
        has_worked = any((self.cost.episodes, self.cost.expansions, self.cost.plays))
        known = "" if has_worked or "expansions" not in solver.counts else ", known from the goal cache"
        unwritten = "" if self.script is not None else ", more than --max-proof lets be written down"
        if self.is_shortest:
            least = ", and no proof is shorter"
        reason = f" ({self.reason})" if self.reason else ""
        return f"proved in {self.length:,} moves{by}{known}{unwritten}{least}{reason}; {spent}"

    def to_json(self, counts: Sequence[str]) -> dict[str, Any]:
        """Return the form that `--json` prints, of its cost the fields that are named."""
        from tactics.json_form import script_to_json

        return {
            "status": self.status.value,
            "length": self.length,
            "bound": self.bound,
            "script": None if self.script is None else script_to_json(self.script),
            **{name: round(getattr(self.cost, name), 3) for name in counts},
            "by": self.by,
            "reason": self.reason,
            "certificates": [asdict(certificate) for certificate in self.certificates],
        }


Step: TypeAlias = tuple[int, Attempt]
"""The place of a lemma, and how far the attempt at it is."""


class Solver(Protocol):
    """Tries to prove lemmas, and yields how far it is with each."""

    @property
    def name(self) -> str:
        """What a person types."""
        ...

    @property
    def counts(self) -> Sequence[str]:
        """The fields of `Cost` that tell what it does, in the order to show them."""
        ...

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        """Yield how far it is with which lemma, and last of each lemma what came of it; the budget is for each.

        Whoever stops asking stops it. A KeyboardInterrupt ends it, and what it has of that lemma is yielded last, for
        the reason `STOPPED`.
        """
        ...


class OneByOne:
    """A solver that tries one lemma after the other; who inherits says how one is tried."""

    def trying(self, lemmas: Sequence[Formula], budget: Budget) -> Generator[Step, None, None]:
        """Yield how far it is with which lemma, as `Solver` says."""
        for position, lemma in enumerate(lemmas):
            attempts = self.trying_one(lemma, budget)
            for attempt in attempts:
                try:
                    yield position, attempt
                except KeyboardInterrupt as stopped:  # whoever tries has the last word
                    yield position, attempts.throw(stopped)
                    return
                if attempt.is_stopped:
                    return

    def trying_one(self, lemma: Formula, budget: Budget) -> Generator[Attempt, None, None]:
        """Yield how far it is with a lemma, and last what came of it; at least once."""
        raise NotImplementedError


Watch: TypeAlias = Callable[[int, Attempt], object]
"""Is told how far a solver is with which lemma, by its place."""


def solve(lemma: Formula, solver: Solver, budget: Budget | None = None, watch: Watch = lambda *_: None) -> Attempt:
    """Try a lemma, and return what came of it."""
    return solve_all([lemma], solver, budget, watch).get(0) or Attempt(lemma=lemma, by=solver.name, reason=STOPPED)


def solve_all(
    lemmas: Sequence[Formula], solver: Solver, budget: Budget | None = None, watch: Watch = lambda *_: None
) -> dict[int, Attempt]:
    """Try lemmas, and return by their places what came of each; Ctrl-C ends it and loses nothing that was found.

    Args:
        lemmas: to be proved.
        solver: tries them.
        budget: for each lemma; None for no limit but that of memory.
        watch: is told how far it is; a KeyboardInterrupt that it raises is as one in the solver.

    Returns:
        In the order of the lemmas, and of fewer than there are if somebody stopped it.
    """
    trying = solver.trying(lemmas, budget or Budget())
    came: dict[int, Attempt] = {}
    under_way: dict[int, Attempt] = {}
    try:
        for place, attempt in trying:
            under_way = {place: attempt}
            came |= under_way
            watch(place, attempt)
    except KeyboardInterrupt:
        with suppress(KeyboardInterrupt):
            under_way |= _last_words(trying)
        for place, attempt in under_way.items():
            is_open = attempt.status is OPEN and not attempt.reason
            came[place] = replace(attempt, reason=STOPPED) if is_open else attempt
    return dict(sorted(came.items()))


def _last_words(trying: Generator[Step, None, None]) -> Iterator[Step]:
    """Stop a solver, and yield what it has to say of each lemma then, once."""
    said: set[int] = set()
    with suppress(StopIteration):
        place, attempt = trying.throw(KeyboardInterrupt())
        while place not in said:
            said.add(place)
            yield place, attempt
            place, attempt = next(trying)


def is_proof(lemma: Formula, script: Script) -> bool:
    """Whether a script applies to a lemma and leaves nothing to prove."""
    try:
        return not replay(lemma, script)[-1]
    except ScriptError:
        return False
