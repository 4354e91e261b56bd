"""`oasis policy list`: which networks there are."""

from __future__ import annotations

from contextlib import nullcontext

from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption


def list_policies(db: DatabaseOption = DATABASE, as_json: JsonOption = False) -> None:
    """List the network that comes along, and the files that trainings wrote, oldest first.

    The state says whether the training is finished; or that the file is gone, or has been changed since. Hard theorems
    are played free, every move chosen, or eagerly, as the network practised; oasis policy eval plays all alike.
    """
    from oasis.cli.render import print_json, print_table
    from oasis.lab.checkpoints import known
    from oasis.store import Store

    with Store(db, create=False) if db.exists() else nullcontext() as store:
        found = known(store)
    if as_json:
        print_json({"policies": [each.to_json() for each in found]})
        return
    print_table(
        ["policy", "written", "network", "parameters", "training", "seed", "steps", "hard solved", "data", "state"],
        [
            [
                each.policy,
                "comes along" if each.written is None else each.written[:16].replace("T", " "),
                each.network,
                f"{each.parameters:,}",
                each.training,
                str(each.settings.get("seed", "?")),
                f"{each.steps:,}" if each.step == each.steps else f"{each.step:,}/{each.steps:,}",
                "–" if each.solved is None else f"{each.solved:.0%} {each.invertible}",
                each.data[:8] or "–",
                each.state,
            ]
            for each in found
        ],
        numeric={"parameters", "seed", "steps", "hard solved"},
    )
