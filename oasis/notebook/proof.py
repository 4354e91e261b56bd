"""Proofs as a notebook has them: moves that show themselves as a script, a tree, or a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from oasis.backends import export
from oasis.ground.names import EXPORTS
from tactics.formula import Formula
from tactics.goal import Move
from tactics.script import show_script


class File(str):
    """The text of a file; printed as it stands, and drawn in a notebook if it is a picture.

    Attributes:
        suffix: of the file's name, with its dot.
    """

    __slots__ = ("suffix",)
    suffix: str

    def __new__(cls, text: str, suffix: str) -> Self:
        """The text of a file of some kind."""
        self = super().__new__(cls, text)
        self.suffix = suffix
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return File, (str(self), self.suffix)

    def __repr__(self) -> str:
        return f"<a picture of {len(self):,} characters of SVG>" if self.suffix == ".svg" else str(self)

    def _repr_svg_(self) -> str | None:
        return str(self) if self.suffix == ".svg" else None

    def save(self, path: str | Path) -> Path:
        """Write the file; returns its place, with the suffix if the name has none."""
        place = Path(path)
        place = place if place.suffix else place.with_suffix(self.suffix)
        place.write_text(self, encoding="utf-8")
        return place


class Proof(tuple[Move, ...]):
    """A proof of a lemma: its moves, shown as a script, and in a notebook as a tree.

    Attributes:
        name: of the lemma.
        formula: the lemma.
    """

    name: str
    formula: Formula

    def __new__(cls, name: str, formula: Formula, script: Iterable[Move]) -> Self:
        """The moves as a proof of a lemma; whether they are one shows when they are exported."""
        self = super().__new__(cls, script)
        self.name, self.formula = name, formula
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Proof, (self.name, self.formula, tuple(self))

    def __repr__(self) -> str:
        """The text that `tactics.script.parse_script` reads."""
        return show_script(self)

    def _repr_svg_(self) -> str:
        return str(self.tree)

    def export(self, to: str) -> File:
        """The proof as a file (`oasis export --to`). Raises InputError if there is no such kind, or it is no proof."""
        kind: export.Export = EXPORTS.find(to)
        return File(kind.write([export.Proof(self.name, self.formula, tuple(self))]), kind.suffix)

    @property
    def tree(self) -> File:
        """A picture of its derivation in the sequent calculus."""
        return self.export("svg")

    @property
    def fitch(self) -> File:
        """A picture of its Fitch derivation."""
        return self.export("fitch-svg")
