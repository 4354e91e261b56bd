"""What can be chosen about the terms of R† beside their weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tactics.errors import InputError

_LEAST: Final = 1e-9
MOST: Final = 1e6
"""The most that a number may be."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What terms can be told beside their weights; raises InputError for a value out of range.

    Attributes:
        depth: k of E, the depth from which on a formula is not elegant, at least 1.
        prior: α of the counters, above 0: uses that every tactic is taken to have had.
        hops: at which distances in the graph of knowledge are capped, at least 1.
        signed: whether surprise at a worse state is a loss (sound reading).
        compression: what C_β packs: `graph`, or `ast`.
        embedding: what A_γ measures: `subformulas`, or `sentence`.
    """

    depth: int = 4
    prior: float = 1.0
    hops: int = 6
    signed: bool = True
    compression: str = "graph"
    embedding: str = "subformulas"

    def __post_init__(self) -> None:
        for name in ("depth", "hops"):
            if type(value := getattr(self, name)) is not int or not 1 <= value <= MOST:
                raise InputError(f"{name} is a whole number from 1 to {MOST:g}, not {shown(value)}.")
        if type(self.prior) not in (int, float) or not _LEAST <= self.prior <= MOST:
            raise InputError(f"prior is a number from {_LEAST:g} to {MOST:g}, not {shown(self.prior)}.")
        if type(self.signed) is not bool:
            raise InputError(f"signed is true or false, not {self.signed!r}.")
        for name, known in (("compression", ("graph", "ast")), ("embedding", ("subformulas", "sentence"))):
            if getattr(self, name) not in known:
                raise InputError(f"{name} is one of {', '.join(known)}, not {getattr(self, name)!r}.")


def shown(value: object) -> str:
    """What somebody wrote, or its beginning."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
