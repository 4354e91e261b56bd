"""Proofs as files that stand alone: for Coq, for Lean, as λ-terms, for LaTeX, as a picture."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from oasis.backends.export import coq, lambda_term, latex, lean, svg
from oasis.backends.export.base import Export, Proof

__all__ = ["EXPORTS", "Export", "Proof"]

EXPORTS: Final = MappingProxyType(
    {
        export.name: export
        for export in (
            coq.WITH_RULES,
            coq.STANDARD,
            lean.WITH_RULES,
            lean.STANDARD,
            lambda_term.TERM,
            latex.LATEX,
            svg.SVG,
        )
    }
)
"""Every kind of file by its name."""
