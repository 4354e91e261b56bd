"""The door for TRL: proving by calls of a tool, in which a language model acts while it is trained.

A `GRPOTrainer` is given `environment_factory=ProofTools`, and rows whose `formula` is the lemma; it makes one of these
for each conversation. Moves are made in a session, as through every door, here or on a server, and paid by any reward
of the house.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from curricula import Lemma
from oasis.api.errors import Refused
from oasis.api.limits import Limits
from oasis.api.states import read_lemma
from oasis.api.stepping import InSession
from oasis.neural.causal.text import Form
from oasis.neural.causal.tools import told
from oasis.play.actions import LEGAL, Blind
from oasis.rewards import Outcome, Reward, Rounds, Terminating, paid_at_end
from oasis.student.calculus import Calculus
from oasis.student.environment import ProofEnvironment
from tactics.errors import InputError
from tactics.goal import Move, State

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
        reward: pays; None for the thesis's `terminating`. One that depends on history is to learn of all conversations
            of a training, so its environments share `Rounds` of it.
        style: how goals are shown.
        max_steps: calls after which an episode is over.
        server: the address of an `oasis serve --openenv`, on which moves are made then, in an environment of its own;
            None to make them here.
    """

    def __init__(
        self,
        reward: Reward | Rounds | None = None,
        style: str = "coq",
        max_steps: int = MAX_STEPS,
        server: str | None = None,
    ) -> None:
        self._rounds = reward if isinstance(reward, Rounds) else Rounds(reward or Terminating())
        self._form = Form(style, "tools")
        self._max_steps = max_steps
        self._begun: Callable[[Lemma], Calculus] = InSession
        if server is not None:
            from oasis.api.openenv_client import OnServer  # which takes seconds to import

            self._begun = OnServer(server)
        self._proof: ProofEnvironment | None = None
        self._paid, self._ended = 0.0, False

    def reset(self, formula: str, **_: object) -> str:
        """Begin an episode.

        Args:
            formula: to be proved, in any notation that the parser reads, or the name of a lemma.

        Returns what the goal shows. Raises InputError if it is neither, or if the server does not begin it.
        """
        if not isinstance(formula, str):
            raise InputError(f"formula is the lemma as text, not {formula!r}.")
        try:
            lemma = read_lemma(formula, Limits().level)
        except Refused as error:
            raise InputError(str(error)) from None
        if self._proof is not None and not self._ended and self._proof.path:
            self._end(self._proof)
        self._rounds.renew()  # here, since a trainer compares conversations that are under way together
        self._lemma = lemma.formula
        self._proof = ProofEnvironment(self._begun(lemma), _Calls(), self._rounds.reward, self._max_steps)
        self._paid, self._ended = 0.0, False
        return self._form.shown(self._proof.state[0])

    def apply(self, rule: str, hypothesis: str = "") -> str:
        """Apply a tactic to the first goal.

        Args:
            rule: The name of the tactic, such as imply1.
            hypothesis: The name of the hypothesis that it takes; empty if it takes none.

        Returns:
            The goals that are left.
        """
        proof, move = self._proof, Move(str(rule), str(hypothesis) if hypothesis else None)
        if proof is None or self._ended:
            return "There is nothing to prove any more."
        before = proof.state
        self._rounds.turn_to(self._lemma)
        after, reward, terminated, truncated, _ = proof.step(move)
        self._paid += reward
        if terminated or truncated:
            self._end(proof)
        return told(self._form, before, move, after)

    def get_reward(self) -> float:
        """What was paid in the episode, which is over then: given up, if neither proved nor stuck."""
        proof = self._proof
        if proof is not None and not self._ended:
            self._rounds.turn_to(self._lemma)
            if self._rounds.reward.pays_at_end:
                outcome = Outcome(False, True, proof.steps, tuple(proof.script), proof.path)
                self._paid += paid_at_end(self._rounds.reward, outcome)
            self._end(proof)
        return self._paid

    def _end(self, proof: ProofEnvironment) -> None:
        self._ended = True
        self._rounds.count(proof.path)

    @property
    def proved(self) -> bool:
        """Whether the lemma is proved."""
        return self._proof is not None and self._proof.proved
