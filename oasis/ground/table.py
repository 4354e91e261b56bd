"""A table as text, which a command prints, a page shows, a paper takes and a test reads alike."""

from __future__ import annotations

from typing import Final, NamedTuple

_SPECIAL: Final = {
    **{sign: rf"\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "ε": r"$\varepsilon$",
    "γ": r"$\gamma$",
    "α": r"$\alpha$",
    "λ": r"$\lambda$",
}


class Table(NamedTuple):
    """A table: its columns but the first `words` hold numbers; sentences say what is to be seen in it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    note: str = ""
    sentences: tuple[str, ...] = ()


def latex(table: Table) -> str:
    """Return a table for LaTeX, which needs no package."""
    rows = [" & ".join(map(_escaped, row)) + r" \\" for row in (table.header, *table.rows)]
    columns = "l" * table.words + "r" * (len(table.header) - table.words)
    return "\n".join([
        f"% {table.title}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        rows[0],
        r"\hline",
        *rows[1:],
        r"\hline",
        r"\end{tabular}",
        *([f"% {table.note}"] if table.note else []),
        "",
    ])  # fmt: skip


def _escaped(text: str) -> str:
    """Return text with what means something to LaTeX written so that it stands for itself."""
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
