"""What is told of a reinforcement while it goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Practice:
    """What became of an update.

    Attributes:
        step: steps of the optimizer that have been made.
        lemmas: that were drawn and played.
        plays: of these.
        proved: share of the plays that ended in a proof.
        mixed: lemmas with plays that are told apart, from which it learned.
        dropped: the other ones, which say nothing.
        forwards: goals that went through the network to choose moves.
        surrogate: what was made larger, a choice.
        entropy: of the policy where it learned, in nats a choice.
        divergence: from the network that it went on from, in nats a choice; 0 if that has no weight.
        value: the critic's loss a choice; 0 if there is none.
        clipped: share of the choices that the clip kept from being learned from.
        plays_per_second: by the clock, what was learned from them included.
        solved: share of the fixed hundred hard theorems that the best network so far proves, which the file holds; None
            where it was not written.
        ordinary, hard, large, iltp: shares of the sets that the network proves (`exams.examined`); None where it was
            not examined.
        is_best: whether it is the best one so far.
    """

    step: int
    lemmas: int
    plays: int
    proved: float
    mixed: int
    dropped: int
    forwards: int
    surrogate: float
    entropy: float
    divergence: float
    value: float
    clipped: float
    plays_per_second: float
    solved: float | None = None
    ordinary: float | None = None
    hard: float | None = None
    large: float | None = None
    iltp: float | None = None
    is_best: bool = False

    @property
    def news(self) -> str:
        """How plays end, what was learned from, and the speed."""
        return (
            f"proved {self.proved:.1%} of plays, mixed {self.mixed} of {self.lemmas} lemmas, entropy "
            f"{self.entropy:.3f}, {self.plays_per_second:,.0f} plays/s{self._examined}"
        )

    @property
    def outcome(self) -> str:
        """What was proved at the end."""
        return f"proved {self.proved:.1%} of the last plays"

    @property
    def _examined(self) -> str:
        sets = {name: getattr(self, name) for name in ("ordinary", "hard", "large", "iltp")}
        said = ", ".join(f"{name} {share:.1%}" for name, share in sets.items() if share is not None)
        return f"; examined: {said}{' (the best so far)' * self.is_best}" if said else ""
