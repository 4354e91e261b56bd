"""What the process has imported, and read of compiled learners, from which partners and examiners are forked."""

from oasis.classroom.partner import escalating, exact, worker
from oasis.classroom.partner.agent import Agent
from oasis.classroom.register import examining
from oasis.neural import policies
from oasis.student.settings import Settings
from tactics.parser import parse

__all__ = ["escalating", "exact", "examining", "policies", "worker"]

for _learner in ("q-learning", "sarsa"):
    Agent(parse("p \\/ q -> q \\/ p"), Settings(learner=_learner)).practise(5)
