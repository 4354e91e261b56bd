"""The shortest proofs of a comparison: which they are, who found them, and what provers say of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from oasis.backends.base import Certificate, Claim
from oasis.backends.native import Native
from oasis.lab.campaign import Campaign
from oasis.lab.plan import Plan
from oasis.lab.proofs import certify, shortest_proofs, table
from oasis.lab.trials import Trial
from oasis.store import Store
from tactics.script import parse_script
from tests.lab.experiments import begin
from tests.lab.made import plan, trial

PLAN = plan("sarsa", "q-learning", lemmas="textbook/and_comm", seeds=3)
SHORT = "intro; destruct_and H; split; assumption; assumption"
WRONG = "intro; split; assumption; assumption"


def trials(sarsa: Sequence[tuple[str, str]]) -> dict[str, Trial]:
    """For each student of sarsa its best script and that of its last exam; those of q-learning have none."""
    best, last = (np.array(texts).reshape(-1, 1) for texts in zip(*sarsa, strict=True))
    return {"sarsa": trial(PLAN)._replace(best=best, script=last), "q-learning": trial(PLAN)}


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign[Plan]]:
    with Store(tmp_path / "oasis.db") as store:
        yield begin(store, PLAN)


class Counting(Native):
    """A prover that counts what it is asked."""

    asked = 0

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        self.asked += len(claims)
        return super().certify(claims)


def test_the_shortest_of_all_episodes_and_exams_is_reported_with_how_many_found_one(campaign: Campaign[Plan]) -> None:
    made = trials([(f"{SHORT}; {SHORT}", SHORT), (SHORT, ""), ("", f"{SHORT}; intro")])
    (proof,) = shortest_proofs(campaign, PLAN.name, made)
    assert (proof.variant, proof.script, proof.finders) == ("sarsa", parse_script(SHORT), 2)
    assert shortest_proofs(campaign, PLAN.name, {"sarsa": trial(PLAN)}) == []
    (row,) = table(PLAN, [proof]).rows
    assert row == ("textbook/and_comm", "sarsa", "5", "2 of 3")


@pytest.mark.parametrize(("script", "accepted"), [(SHORT, True), (WRONG, False)])
def test_what_a_prover_says_is_kept_and_not_asked_again(campaign: Campaign[Plan], script: str, accepted: bool) -> None:
    made = trials([(script, "")] * 3)
    prover = Counting()
    for _ in range(2):
        certify(campaign.store, campaign.number, shortest_proofs(campaign, PLAN.name, made), prover)
    assert prover.asked == 1
    (proof,) = shortest_proofs(Campaign.resume(campaign.store), PLAN.name, made)
    assert [(word.prover, word.accepted, bool(word.reason)) for word in proof.words] == [
        ("native", accepted, not accepted)
    ]
    assert table(PLAN, [proof]).rows[0][-1] == ("native" if accepted else "not native")
