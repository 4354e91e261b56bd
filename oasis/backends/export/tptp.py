"""A lemma as a problem in TPTP's format, as the ILTP library has them, for provers that read it; no proof goes along.

`curricula.tptp` reads the same formula back. A prover that is to read it may want atoms with plainer names; they are
the caller's concern, as is whether the lemma is true.
"""

from __future__ import annotations

import re
from typing import Final

from oasis.backends.export.base import MAX_CHARACTERS
from tactics.errors import InputError, printable
from tactics.formula import Formula
from tactics.printer import TPTP, show

NAME: Final = "tptp"
"""The word by which a person asks for this format."""
_LONGEST: Final = min(MAX_CHARACTERS, 4 * 10**6)
"""Characters of a formula; readers of problems, ours among them, take no longer ones."""


def problem(formula: Formula, name: str = "", status: str = "") -> str:
    """The text of a file that states a lemma as a conjecture without axioms.

    Args:
        formula: of the lemma.
        name: of the lemma, in the header if it is one word; else the name of the file is to be its name.
        status: `Theorem` or `Non-Theorem` in intuitionistic logic; empty if that is not known.

    Raises InputError for a formula too long to be written out.
    """
    try:
        text = show(formula, TPTP, limit=_LONGEST)
    except InputError:
        raise InputError(
            f"{printable(name) or 'This lemma'}: written out for TPTP it has more than {_LONGEST:,} characters; "
            "take a smaller one."
        ) from None
    header = [f"% File     : {name}"] if re.fullmatch(r"\S+", name) and printable(name) == name else []
    header += [f"% Status (intuit.) : {status}"] if status else []
    return "\n".join([*header, f"fof(lemma, conjecture, ( {text} )).", ""])
