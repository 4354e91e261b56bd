"""Renames atoms whose names a prover reserves or cannot read, and puts our names back into its answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from tactics.formula import Formula, atoms

_WORD = re.compile(r"[^\W\d][\w']*")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_']*")
LONGEST = 60
"""Length in characters from which on a name is replaced, as some provers abbreviate long ones."""


def safe_names(formula: Formula, reserved: Collection[str]) -> dict[str, str]:
    """Give each atom that a prover cannot know by its own name another one.

    Replaced are reserved words, names with other letters than ASCII's, `_` alone, and very long ones. The new names are
    p1, p2, …, none of which occurs in the formula.
    """
    names = [atom.name for atom in atoms(formula)]
    taken = {*names, *reserved}
    fresh = (name for number in range(1, len(taken) + len(names) + 2) if (name := f"p{number}") not in taken)
    return {
        name: next(fresh)
        for name in names
        if name in reserved or name == "_" or len(name) > LONGEST or not _PLAIN.fullmatch(name)
    }


def named_back(text: str, names: Mapping[str, str]) -> str:
    """Replace the names in a prover's text by ours."""
    ours = {theirs: name for name, theirs in names.items()}
    return _WORD.sub(lambda word: ours.get(word[0], word[0]), text) if ours else text
