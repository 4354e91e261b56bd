"""What the tests of the agent share: lemmas, settings that go together, what an agent remembers and answers."""

from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.classroom.partner.agent import Agent
from oasis.classroom.partner.beside import Beside
from oasis.classroom.partner.messages import Report, Request
from oasis.classroom.partner.switches import SWITCHES
from oasis.play.policy import Uniform
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from tactics.goal import Goal
from tactics.parser import parse
from tactics.script import parse_script

AND_COMM = parse("A /\\ B -> B /\\ A")
AND_COMM_PROOF = "intro; destruct_and H; split; assumption; assumption"
PROOF = parse_script(AND_COMM_PROOF)
DUMMETT = parse("(p -> q) \\/ (q -> p)")
"""Of which neither table nor search has a proof."""
SYJ203_2 = resolve_lemma("SYJ203.2").formula
CLAIMING = "tests.classroom.partner.agents:Claiming"


class Claiming(Uniform):
    """Claims of every goal what is so and what is not."""

    def thoughts(self, goal: Goal) -> str:
        return "I think.\nTrue can be proved.\nFalse can be proved."


@st.composite
def switched_settings(draw: st.DrawFn) -> Settings:
    """Settings that the switches can lead to."""
    values = {name: draw(st.sampled_from(switch.values)) for name, switch in SWITCHES.items()}
    if values["learner"] == "and-or-q" and values["actions"] == "simplify":
        values["actions"] = "legal"
    return Settings(**values, seed=draw(st.integers(0, 5)), max_steps=30, planning=3)


def remembered(agent: Agent | PlainStudent) -> tuple[list[float], list[int], int, int]:
    """Return values, visits, the number of states, and the state of chance: what all that follows depends on."""
    student = agent._student if isinstance(agent, Agent) else agent
    return student.memory.values, student.memory.visits, student.states, student.rng.state


def answer(beside: Beside, request: Request) -> Report:
    """Send a request; return the first report after the agent has heard it."""
    number = beside.ask(request)
    while True:
        report = beside.receive()
        assert report is not None
        if report.answered >= number:
            return report
