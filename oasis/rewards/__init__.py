"""What a reward is, what it pays, and the thesis's three."""

from oasis.ground.names import REWARDS
from oasis.rewards.paying import LARGEST, Pay, asked, finished, paid, paid_at_end, paid_row, paid_rows, state_of
from oasis.rewards.rounds import Rounds
from oasis.rewards.rows import RowReward
from oasis.rewards.seam import Dependence, Outcome, Reward, Transition, Uses, closing
from oasis.rewards.thesis import Standard, StandardQed, Terminating

__all__ = [
    "LARGEST",
    "REWARDS",
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
    "closing",
    "finished",
    "paid",
    "paid_at_end",
    "paid_row",
    "paid_rows",
    "state_of",
]
