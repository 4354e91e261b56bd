"""A table as text, which a command prints, a page shows, a paper takes and a test reads alike."""

from __future__ import annotations

from html import escape
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


def html(table: Table) -> str:
    """Return a table for a page or a notebook, words on the left and numbers on the right."""

    def row(tag: str, cells: tuple[str, ...]) -> str:
        sides = ("left" if place < table.words else "right" for place in range(len(cells)))
        return "".join(
            f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for side, cell in zip(sides, cells, strict=True)
        )

    rows = "".join(f"<tr>{row('td', cells)}</tr>" for cells in table.rows)
    said = "".join(f"<p>{escape(text)}</p>" for text in (*table.sentences, table.note) if text)
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f"<table>{caption}<thead><tr>{row('th', table.header)}</tr></thead><tbody>{rows}</tbody></table>{said}"


def _escaped(text: str) -> str:
    """Return text with what means something to LaTeX written so that it stands for itself."""
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
