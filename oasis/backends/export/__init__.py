"""Proofs as files that stand alone: for Coq, for Lean, as λ-terms, in words, for LaTeX, as a picture."""

from oasis.backends.export.base import Export, Proof
from oasis.ground.names import EXPORTS

__all__ = ["EXPORTS", "Export", "Proof"]
