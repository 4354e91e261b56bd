"""`oasis prove --policy` without a search: a policy plays a lemma or a curriculum by committed choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_REJECTED, Stopped
from oasis.cli.narration import narrate
from oasis.cli.searching import certify_scripts, opened

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.backends.base import Certificate
    from oasis.committed import Choosing, Committed
    from oasis.policy import Policy
    from tactics.script import Script


@dataclass(frozen=True)
class Way:
    """How lemmas are played.

    Attributes:
        policy: its name.
        choosing: how a move is chosen.
        seed: of the lots.
        max_moves: moves after which a lemma is given up.
        db: where runs are.
    """

    policy: str
    choosing: Choosing
    seed: int
    max_moves: int
    db: Path

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` says beside what came of it."""
        return {"search": "committed", "policy": self.policy, **self.choosing.to_json(), "seed": self.seed}


@dataclass
class Played:
    """What came of the play of a lemma."""

    lemma: Lemma
    played: Committed
    seconds: float
    certificates: list[Certificate] = field(default_factory=list)

    @property
    def script(self) -> Script | None:
        """The proof, if it is one."""
        return self.played.script if self.played.proved else None

    @property
    def reason(self) -> str:
        """Why there is no proof; nothing if there is one."""
        moves = len(self.played.script)
        if self.played.proved:
            return ""
        return f"{moves:,} moves were not enough" if self.played.is_cut else f"no move applies after {moves:,} moves"

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints: that of a search, and the trials."""
        from dataclasses import asdict

        from tactics.json_form import script_to_json
        from tactics.printer import show

        return {
            "lemma": self.lemma.name,
            "formula": show(self.lemma.formula, quantified=True),
            "status": "proved" if self.played.proved else "open",
            "length": None if self.script is None else len(self.script),
            "bound": 1,
            "script": None if self.script is None else script_to_json(self.script),
            "expansions": len(self.played.script),
            "calls": self.played.calls,
            "trials": self.played.trials,
            "seconds": round(self.seconds, 3),
            "reason": self.reason,
            "certificates": [asdict(certificate) for certificate in self.certificates],
        }


def prove_by_play(lemmas: tuple[Lemma, ...], way: Way, *, certify: bool, as_json: bool, quiet: bool) -> None:
    """Let a policy play each lemma once, and show what came of it.

    What was played so far is shown even if somebody stops it. Exit code 0 unless a prover rejects a script: 1.
    """
    from oasis.cli.progress import watch_count
    from oasis.lab.policies import is_run, policy_named

    found: list[Played] = []
    stopped = False
    with opened(way.db, needed=is_run(way.policy), create=False) as store:
        policy = policy_named(way.policy, store)
        try:
            watch_count(_playing(lemmas, way, policy, found), len(lemmas), "lemmas", quiet=quiet or len(lemmas) == 1)
        except KeyboardInterrupt:
            stopped = True
    if certify:
        certify_scripts(found)
    _show(found, way, as_json=as_json, alone=len(lemmas) == 1, quiet=quiet)
    if stopped:
        raise Stopped(f"Stopped; {len(lemmas) - len(found)} lemmas were left.", EXIT_INTERRUPTED)
    if not all(certificate.accepted for each in found for certificate in each.certificates):
        from typer import Exit

        raise Exit(EXIT_REJECTED)


def _playing(lemmas: tuple[Lemma, ...], way: Way, policy: Policy, found: list[Played]) -> Iterator[int]:
    """Play one lemma after the other, so that each has a time of its own; gives how many are done."""
    from oasis.committed import committed

    formulas = (lemma.formula for lemma in lemmas)
    plays = committed(policy, formulas, way.choosing, seed=way.seed, max_moves=way.max_moves, together=1)
    began = monotonic()
    for lemma, played in zip(lemmas, plays, strict=True):
        found.append(Played(lemma, played, monotonic() - began))
        yield len(found)
        began = monotonic()


def _show(found: list[Played], way: Way, *, as_json: bool, alone: bool, quiet: bool) -> None:
    from oasis.cli.render import about, clipped, print_certificates, print_json, print_table
    from oasis.lab.policies import is_run
    from tactics.printer import show
    from tactics.script import show_script

    if as_json:
        how = way.to_json()
        print_json(
            {**found[0].to_json(), **how} if alone and found else {**how, "lemmas": [each.to_json() for each in found]}
        )
    elif alone and found:
        (each,) = found
        if not quiet:
            narrate(about(each.lemma.name, show(each.lemma.formula)))
            who = f"run {way.policy}" if is_run(way.policy) else way.policy
            narrate(f"committed choice, {who}: {_outcome(each)}")
        if each.script is not None:
            print(show_script(each.script))
        print_certificates(each.certificates)
    else:
        header = ["lemma", "status", "moves", "calls", "trials", "seconds", "certified by"]
        rows = [
            [
                clipped(each.lemma.name),
                "proved" if each.played.proved else "open",
                "–" if each.script is None else f"{len(each.script):,}",
                f"{each.played.calls:,}",
                f"{each.played.trials:,}",
                f"{each.seconds:.2f}",
                ", ".join(c.prover if c.accepted else f"not {c.prover}" for c in each.certificates) or "–",
            ]
            for each in found
        ]
        print_table(header, rows, numeric=header[2:6])
        proved = sum(each.played.proved for each in found)
        print(f"{proved:,} of {len(found):,} proved")


def _outcome(each: Played) -> str:
    played = each.played
    came = f"proved in {len(played.script):,} moves" if played.proved else f"not proved: {each.reason}"
    tried = f", {played.trials:,} trial moves" if played.trials else ""
    return f"{came}; asked about {played.calls:,} goals{tried}, {each.seconds:.2f} s"
