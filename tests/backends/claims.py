"""One lemma and its proof, of which most tests of provers speak."""

from typing import Final

import pytest

from oasis.backends.base import ShownGoal
from tactics.claims import Claim
from tactics.formula import Atom
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import Script, parse_script

SWAP: Final = parse("A /\\ B -> B /\\ A")
PROOF: Final = parse_script("intro; destruct_and H; split; assumption; assumption")
GOOD: Final = Claim(SWAP, PROOF)
AFTER_TWO: Final = (ShownGoal((("H", "A"), ("H0", "B")), "B /\\ A"),)
"""The goals after two moves of the proof."""


def swap(name: str) -> Claim:
    """Return the lemma with an atom of any name, and its proof; the hypothesis is called H0 if the atom is called H."""
    atom, hypothesis = Atom(name), "H0" if name == "H" else "H"
    script: Script = tuple(Move(move.rule, move.hypothesis and hypothesis) for move in PROOF)
    return Claim((atom & Atom("B")) >> (Atom("B") & atom), script)


def provers(*names: str) -> pytest.MarkDecorator:
    """Run a test once for each of some provers: native, coq and lean, unless some are named."""
    kinds = [
        pytest.param(name, marks=() if name == "native" else pytest.mark.slow)
        for name in names or ("native", "coq", "lean")
    ]
    return pytest.mark.parametrize("prover", kinds, indirect=True)
