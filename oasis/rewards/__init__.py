"""What a reward is, what it pays, and the thesis's three."""

from oasis.ground.names import REWARDS
from oasis.rewards.named import Standard, StandardQed, Terminating
from oasis.rewards.paying import (
    LARGEST,
    Pay,
    Rounds,
    asked,
    finished,
    paid,
    paid_at_end,
    paid_row,
    paid_rows,
    state_of,
)
from oasis.rewards.seam import USES, Dependence, Outcome, Reward, RowReward, Transition, Uses, closed, closing

__all__ = [
    "LARGEST",
    "REWARDS",
    "USES",
    "Dependence",
    "Outcome",
    "Pay",
    "Reward",
    "Rounds",
    "RowReward",
    "Standard",
    "StandardQed",
    "Terminating",
    "Transition",
    "Uses",
    "asked",
    "closed",
    "closing",
    "finished",
    "paid",
    "paid_at_end",
    "paid_row",
    "paid_rows",
    "state_of",
]
