"""Rewards on the command line: their names, as in `--reward dagger:all:P=0.3`, and remarks on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from oasis.cli.narration import narrate
from oasis.student.settings import WEIGHTS
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oasis.student.settings import Settings


@dataclass(frozen=True)
class Weighing:
    """How the terms of R† are weighed."""

    weights: Annotated[str | None, WEIGHTS] = None


def read_reward(names: str, weights: str | None) -> str:
    """The reward, or the comma list of them, with what --weights says of R†. Raises InputError."""
    if weights is None:
        return names
    from oasis.dagger.making import PREFIX, described, read_weights

    each = [name.strip() for name in names.split(",")]
    if PREFIX not in each:
        raise InputError(f"--weights says all about --reward {PREFIX}, and does not go with --reward {names}.")
    return ",".join(described(read_weights(weights)) if name == PREFIX else name for name in each)


def remark_on_rewards(students: Iterable[Settings]) -> None:
    """Say which rewards that were asked for make no difference to a learner, and which give the solution away."""
    from oasis.rewards.named import reward
    from oasis.student.learners import learner

    ignored: dict[str, list[str]] = {}
    asked: list[str] = []
    for each in students:
        is_ignored = each.reward != type(each).reward and not learner(each.learner).rewarded
        (ignored.setdefault(each.learner, []) if is_ignored else asked).append(each.reward)
    for name, rewards in ignored.items():
        names = [*dict.fromkeys(rewards)]
        which = f"--reward {','.join(names)}" if len(names) <= 3 else f"which of {len(names)} rewards it has"
        narrate(f"{name} asks for no reward, so {which} changes nothing; choose another --learner, such as q-learning.")
    for name in dict.fromkeys(asked):
        if reward(name).leaks:
            narrate(f"The reward {name} knows which goals are provable: what is learned from it was told, not found.")
