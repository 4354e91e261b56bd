r"""Fitch derivations for LaTeX, drawn with rules of its own: no package is needed, and a page may end after any line.

Whatever the size of a proof, it fits the page: a long subformula is called φ with a number and defined in front, and
the deeper the boxes are, the closer their bars stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oasis.backends.export.base import Export, Proof, Text, entries
from oasis.backends.export.fitch import Derivation
from oasis.backends.export.tex import SUGARED_SIGNS, begin_section, definitions

_LONGEST_FORMULA: Final = 34
"""In letters."""
_FARTHEST: Final = 120.0
_WIDEST_STEP: Final = 10.0
"""How far the innermost bar may be from the first, and two bars from each other, in points."""
_PREAMBLE: Final = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=15mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\parskip}{2ex}
\newdimen\fitchstep
% As many bars as there are boxes around a line.
\newcommand{\fitchbars}[1]{{\count255=#1 \loop\ifnum\count255>0
  \vrule height 10.5pt depth 4.5pt width .4pt\kern\fitchstep\advance\count255 by -1 \repeat}}
% The number of a line, the number of its bars, its formula, its rule.
\newcommand{\fitchline}[4]{\hbox to\linewidth{%
  \hbox to 22pt{\hss\footnotesize#1}\kern 8pt\fitchbars{#2}\hbox{\vrule height 10.5pt depth 4.5pt width 0pt$#3$}\hfil
  \hbox to 130pt{\footnotesize#4\hss}}}
% The same with a stroke below an assumption.
\newcommand{\fitchassume}[4]{\setbox0=\hbox{$#3$}\fitchline{#1}{#2}{%
  \rlap{\kern-\fitchstep\vrule height -4.1pt depth 4.5pt width \dimexpr\wd0+\fitchstep+6pt\relax}\box0}{#4}}
\newcommand{\fitchgap}[1]{\hbox{\kern 30pt%
  {\count255=#1 \loop\ifnum\count255>0 \vrule height 6pt width .4pt\kern\fitchstep\advance\count255 by -1 \repeat}%
  \vrule height 6pt width 0pt}}
\begin{document}
The lines beside a bar hold while its first line, above the stroke, is assumed. I introduces a connective and E
eliminates it; $\to$I 2--5 is by the box of the lines 2 to 5, R repeats. $\neg A$ is $A \to \bot$, and
$A \leftrightarrow B$ is $(A \to B) \land (B \to A)$.
"""
_RULES: Final = str.maketrans(
    {"∧": r"$\land$", "∨": r"$\lor$", "→": r"$\to$", "¬": r"$\neg$", "⊥": r"$\bot$"}
    | {"₁": "$_1$", "₂": "$_2$", "–": "--"}
)


def _write(proofs: Sequence[Proof]) -> str:
    """A document with a section for each lemma."""
    text = Text()
    text.add(_PREAMBLE)
    for entry, proof in zip(entries(proofs), proofs, strict=True):
        text.subject = entry.title
        found = Derivation.of(proof.name, entry.formula, proof.script, SUGARED_SIGNS, _LONGEST_FORMULA)
        begin_section(entry, text)
        text.line(f"${found.statement}$" + r"\par")
        text.add(definitions(found.definitions))
        deepest = max(row.depth for row, _ in found.lines)
        step = min(_WIDEST_STEP, _FARTHEST / max(1, deepest))
        text.line(rf"{{\medskip\fitchstep={step:.2f}pt \offinterlineskip")
        for row, said in found.lines:
            if row.follows_box:
                text.line(rf"\fitchgap{{{row.depth - 1}}}")
            command = r"\fitchassume" if row.opens else r"\fitchline"
            text.line(f"{command}{{{row.number}}}{{{row.depth}}}{{{said}}}{{{row.reason.translate(_RULES)}}}")
        text.line("}")
    text.line(r"\end{document}")
    return str(text)


FITCH_LATEX: Final = Export(".tex", _write)
