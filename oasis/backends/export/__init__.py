"""Proofs as files that stand alone: for Coq, for Lean, as λ-terms, in words, for LaTeX, as a picture."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from oasis.backends.export import coq, fitch, fitch_latex, fitch_svg, lambda_term, latex, lean, prose, svg
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
            fitch.FITCH,
            fitch.FITCH_ASCII,
            fitch_latex.FITCH_LATEX,
            fitch_svg.FITCH_SVG,
            prose.PROSE,
            prose.PROSE_LATEX,
        )
    }
)
"""Every kind of file by its name."""
