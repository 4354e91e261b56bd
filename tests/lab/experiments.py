"""Experiments that are kept, begun and done at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from oasis.lab.campaign import Campaign
from oasis.lab.engines import Serial
from oasis.lab.plan import Plan
from oasis.lab.trials import Trial
from oasis.store import Store


def begin(store: Store, *plans: Plan) -> Campaign[Plan]:
    """A new experiment of `oasis compare` with these plans, by their names."""
    return Campaign.start(store, {plan.name: plan for plan in plans}, name=plans[0].name)


def done(plans: Mapping[str, Plan]) -> dict[str, dict[str, Trial]]:
    """All trials of some plans, by part and variant."""
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        campaign = Campaign.start(store, plans, name="a test")
        for _ in campaign.run(Serial()):
            pass
        return {part: campaign.trials(part) for part in plans}
