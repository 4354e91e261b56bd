"""Many lemmas that one solver tries: whoever stops it, or fails, loses nothing that was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curricula.lemma import Lemma
from oasis.ground.plural import listed
from oasis.play.solving import OPEN, Attempt, Budget, Solver, Watch, solve_all

if TYPE_CHECKING:
    from oasis.escalation.escalation import Climbing


@dataclass(frozen=True)
class Came:
    """What came of lemmas.

    Attributes:
        lemmas: all that were to be proved.
        attempts: at those that were tried, by their places and in their order.
        solver: tried them.
        is_stopped: whether somebody stopped it, or the provers that were asked.
        failure: what ended it before all lemmas were tried; None if nothing did.
    """

    lemmas: Sequence[Lemma]
    attempts: Mapping[int, Attempt]
    solver: Solver
    is_stopped: bool
    failure: Exception | None = None

    @property
    def pairs(self) -> list[tuple[Lemma, Attempt]]:
        """The lemmas that were tried, each with its attempt."""
        return [(self.lemmas[place], attempt) for place, attempt in self.attempts.items()]

    @property
    def is_accepted(self) -> bool:
        """Whether no prover rejected a script."""
        return all(each.accepted for attempt in self.attempts.values() for each in attempt.certificates)

    @property
    def left(self) -> int:
        """How many lemmas nobody was done with."""
        return len(self.lemmas) - sum(not attempt.is_stopped for attempt in self.attempts.values())

    def left_open(self) -> Iterator[str]:
        """Say of the lemmas that are open why they are, each reason once."""
        names: dict[str, list[str]] = {}
        for lemma, attempt in self.pairs:
            if attempt.status is OPEN and attempt.reason:
                names.setdefault(attempt.reason, []).append(lemma.name)
        for reason, of_lemmas in names.items():
            yield f"Open, as {reason}: {listed(of_lemmas)}."

    def certified(self, referees: Callable[[], Sequence[str]], say: Callable[[str], object]) -> Came:
        """Return the same with what provers say of the scripts.

        Args:
            referees: names the provers, and is asked if there is a script.
            say: is told, in a sentence, of a prover that fails, and that nothing is certified if somebody stops it.
        """
        from oasis.backends.certifying import certificates

        claims = [attempt.claim for attempt in self.attempts.values() if attempt.claim is not None]
        try:
            said = certificates(claims, referees() if claims else (), say)
        except KeyboardInterrupt:
            say("Not certified: it was stopped.")
            return replace(self, is_stopped=True)
        return replace(self, attempts={place: each.certified(said) for place, each in self.attempts.items()})

    @property
    def climbing(self) -> Climbing | None:
        """The solver if it is a ladder; none is imported for one that is not."""
        if not hasattr(self.solver, "escalation"):
            return None
        from oasis.escalation.escalation import Climbing

        return self.solver if isinstance(self.solver, Climbing) else None


def prove_all(lemmas: Sequence[Lemma], solver: Solver, budget: Budget, watch: Watch = lambda *_: None) -> Came:
    """Try to prove lemmas, within a budget for each, and tell somebody how far it is.

    Raises what the solver fails with before it has found a proof.
    """
    so_far: dict[int, Attempt] = {}
    failure: Exception | None = None

    def seen(place: int, attempt: Attempt) -> None:
        so_far[place] = attempt
        watch(place, attempt)

    try:
        attempts = solve_all([lemma.formula for lemma in lemmas], solver, budget, seen)
    except Exception as error:
        attempts = {place: attempt for place, attempt in so_far.items() if attempt.script is not None}
        if not attempts:
            raise
        failure = error
    is_stopped = len(attempts) < len(lemmas) or any(attempt.is_stopped for attempt in attempts.values())
    return Came(lemmas, attempts, solver, is_stopped, failure)
