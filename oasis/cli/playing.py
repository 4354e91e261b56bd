"""`oasis prove --policy` without a search: a policy plays a lemma or a curriculum by committed choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from oasis.cli import attempts
from oasis.cli.attempts import Attempt
from oasis.cli.searching import opened, proposing

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.play.committed import Choosing, Committed
    from oasis.play.policy import Policy

_COLUMNS: Final = ("calls", "trials", "seconds")


@dataclass(frozen=True)
class Way:
    """How lemmas are played.

    Attributes:
        policy: its name.
        choosing: how a move is chosen.
        seed: of the lots.
        max_moves: moves after which a lemma is given up.
        db: where runs and maxims are.
        experience: whether maxims are followed.
    """

    policy: str
    choosing: Choosing
    seed: int
    max_moves: int
    db: Path
    experience: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` says beside what came of it."""
        how = {**self.choosing.to_json(), "experience": self.experience, "seed": self.seed}
        return {"search": "committed", "policy": self.policy, **how}


def prove_by_play(lemmas: tuple[Lemma, ...], way: Way, *, certify: bool, as_json: bool, quiet: bool) -> None:
    """Let a policy play each lemma once, and show what came of it.

    What was played so far is shown even if somebody stops it. Exit code 0 unless a prover rejects a script: 1.
    """
    from oasis.cli.progress import watch_count
    from oasis.lab.policies import experienced, is_run, needs_store

    found: list[Attempt] = []
    stopped = False
    with opened(way.db, needed=way.experience or needs_store(way.policy), create=False) as store:
        policy = proposing(way.policy, store, quiet=quiet)
        if way.experience:
            policy = experienced(policy, store, way.choosing)
        try:
            watch_count(_playing(lemmas, way, policy, found), len(lemmas), "lemmas", quiet=quiet or len(lemmas) == 1)
        except KeyboardInterrupt:
            stopped = True
    if certify:
        attempts.certify(found, quiet=quiet)
    summary = f"{sum(each.script is not None for each in found):,} of {len(found):,} proved"
    who = f"run {way.policy}" if is_run(way.policy) else way.policy
    with_maxims = " with experience" if way.experience else ""
    title, alone = f"committed choice, {who}{with_maxims}", len(lemmas) == 1
    attempts.show(
        found, way.to_json(), _COLUMNS, title=title, summary=summary, as_json=as_json, alone=alone, quiet=quiet
    )
    attempts.end(found, len(lemmas), stopped=stopped)


def _playing(lemmas: tuple[Lemma, ...], way: Way, policy: Policy, found: list[Attempt]) -> Iterator[int]:
    """Play one lemma after the other, so that each has a time of its own; gives how many are done."""
    from oasis.play.committed import committed

    formulas = (lemma.formula for lemma in lemmas)
    plays = committed(policy, formulas, way.choosing, seed=way.seed, max_moves=way.max_moves, together=1)
    began = monotonic()
    for lemma, played in zip(lemmas, plays, strict=True):
        found.append(_attempt(lemma, played, monotonic() - began))
        yield len(found)
        began = monotonic()


def _attempt(lemma: Lemma, played: Committed, seconds: float) -> Attempt:
    """What came of the play of a lemma; every move that was made counts as an expansion."""
    moves, reason = len(played.script), ""
    if not played.proved:
        reason = (
            f"{moves:,} moves were not enough"
            if played.is_cut
            else f"what was written after {moves:,} moves is no legal move"
            if played.is_illegal
            else f"no move applies after {moves:,} moves"
        )
    came = f"proved in {moves:,} moves" if played.proved else f"not proved: {reason}"
    tried = f", {played.trials:,} trial moves" if played.trials else ""
    return Attempt(
        lemma,
        "proved" if played.proved else "open",
        played.script if played.proved else None,
        1,
        {"expansions": moves, "calls": played.calls, "trials": played.trials, "seconds": seconds},
        reason,
        f"{came}; asked about {played.calls:,} goals{tried}, {seconds:.2f} s",
    )
