"""The embedded calculus behind the interface of provers."""

import pytest

from oasis.backends.base import Claim, ShownGoal
from oasis.backends.native import Native
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.script import parse_script

SWAP = parse("A /\\ B -> B /\\ A")


def test_a_lemma_is_stepped_through_and_back() -> None:
    with Native() as prover:
        prover.start(SWAP)
        prover.apply(Move("intro"))
        prover.apply(Move("destruct_and", "H"))
        assert prover.goals() == (ShownGoal((("H", "A"), ("H0", "B")), "B /\\ A"),)
        with pytest.raises(IllegalMove, match="left: the conclusion"):
            prover.apply(Move("left"))
        assert len(prover.goals()) == 1
        prover.back_to(1)
        assert prover.goals() == (ShownGoal((("H", "A /\\ B"),), "B /\\ A"),)
        prover.back_to(0)
        assert prover.goals()[0].conclusion == "A /\\ B -> B /\\ A"


@pytest.mark.parametrize(
    ("script", "accepted", "step", "reason"),
    [
        ("intro; destruct_and H; split; assumption; assumption", True, None, ""),
        ("intro; destruct_and H; split; assumption", False, None, "The script ends with 1 goal open."),
        ("intro; left", False, 2, "Step 2: left: the conclusion is not of the form A \\/ B."),
        ("intro; destruct_and H; split; assumption; assumption; intro", False, 6, "Step 6: intro: nothing is left"),
        ("", False, None, "The script ends with 1 goal open."),
    ],
)
def test_a_script_is_certified_only_if_it_proves_the_lemma(
    script: str, accepted: bool, step: int | None, reason: str
) -> None:
    (certificate,) = Native().certify([Claim(SWAP, parse_script(script))])
    assert (certificate.accepted, certificate.step) == (accepted, step)
    assert certificate.reason.startswith(reason)
