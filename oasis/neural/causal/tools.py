"""Proving one lemma by calls of tools: what a language model acts in when TRL trains it (`environment_factory`)."""

from __future__ import annotations

from typing import Any, Final

from oasis.actions import LEGAL, Blind
from oasis.neural.causal.text import Form
from oasis.rewards import Outcome, Reward, Terminating, paid_at_end
from oasis.student.calculus import Embedded
from oasis.student.environment import ProofEnvironment
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.rules import RULES

MAX_STEPS: Final = 100
"""Calls after which an episode is over, those that do not apply among them."""


class _Calls(Blind):
    """Any tactic may be called as long as one applies."""

    def actions(self, state: State) -> tuple[Move, ...]:
        """Those of a blind student, and none where no move is legal."""
        return super().actions(state) if LEGAL.actions(state) else ()


class ProofTools:
    """An environment as TRL's `GRPOTrainer` wants one: its public methods but `reset` and `get_reward` are the tools.

    Args:
        reward: pays; None for the thesis's `terminating`.
        style: how goals are shown.
        max_steps: calls after which an episode is over.
    """

    def __init__(self, reward: Reward | None = None, style: str = "coq", max_steps: int = MAX_STEPS) -> None:
        self._reward: Reward = Terminating() if reward is None else reward
        self._form = Form(style, "tools")
        self._max_steps = max_steps
        self._proof: ProofEnvironment | None = None
        self._paid, self._ended = 0.0, False

    def reset(self, formula: str, **_: object) -> str:
        """Begin an episode.

        Args:
            formula: to be proved, in any notation that the parser reads.

        Returns what the goal shows. Raises InputError if it is no formula.
        """
        lemma = parse(formula)
        self._reward.begin(lemma)
        self._proof = ProofEnvironment(Embedded(lemma), _Calls(), self._reward, self._max_steps)
        self._paid, self._ended = 0.0, False
        return self._form.shown(initial(lemma)[0])

    def apply(self, rule: str, hypothesis: str = "") -> str:
        """Apply a tactic to the first goal.

        Args:
            rule: The name of the tactic, such as imply1.
            hypothesis: The name of the hypothesis that it takes; empty if it takes none.

        Returns:
            The goals that are left.
        """
        proof, move = self._proof, Move(rule, hypothesis or None)
        if proof is None or self._ended:
            return "There is nothing to prove any more."
        before = proof.state
        _, reward, terminated, truncated, _ = proof.step(move)
        self._paid += reward
        self._ended = terminated or truncated
        if proof.proved:
            return "Proved: no goals are left."
        said = "" if proof.state != before else f"{move} does not apply here.\n"
        if rule not in RULES:
            said = f"{rule} is no tactic; they are {', '.join(RULES)}.\n"
        number = "1 goal is" if len(proof.state) == 1 else f"{len(proof.state)} goals are"
        lost = "\nNo tactic applies to it, so this is lost." if terminated else ""
        return f"{said}{number} left:\n{self._form.shown(proof.state[0])}{lost}"

    def get_reward(self) -> float:
        """What was paid in the episode, which is over then: given up, if neither proved nor stuck."""
        proof = self._proof
        if proof is not None and not self._ended:
            self._ended = True
            if self._reward.pays_at_end:
                outcome = Outcome(False, True, proof.steps, tuple(proof.script), proof.path)
                self._paid += paid_at_end(self._reward, outcome)
        return self._paid

    @property
    def proved(self) -> bool:
        """Whether the lemma is proved."""
        return self._proof is not None and self._proof.proved


def called(move: Move) -> dict[str, Any]:
    """A move as the message of a model that calls the tool for it, as chat templates take it."""
    arguments = {"rule": move.rule, "hypothesis": move.hypothesis or ""}
    call = {"type": "function", "function": {"name": ProofTools.apply.__name__, "arguments": arguments}}
    return {"role": "assistant", "content": "", "tool_calls": [call]}
