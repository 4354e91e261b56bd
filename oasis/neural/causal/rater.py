"""A language model as a rater of drafts: it compares any two of them, or writes an order of all.

It is asked once about each pair or match that it has not seen; an answer that cannot be read leaves drafts tied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Final, Protocol, runtime_checkable

from oasis.neural.causal.files import causal
from oasis.play.policy import Policy
from oasis.search.evolution.raters import places
from tactics.errors import InputError
from tactics.goal import State
from tactics.printer import UNICODE
from tactics.sequent import show_state

_TOKENS: Final = 32
"""Of an answer, at most."""
_ABOUT: Final = (
    "Drafts of a proof in intuitionistic propositional logic are given by the goals that each leaves open. "
    "A draft is promising if all of these can be proved, and soon."
)


@runtime_checkable
class Replying(Protocol):
    """Somebody who can be asked a question in words."""

    def reply(self, question: str, tokens: int) -> str:
        """Return what is answered, in at most so many tokens."""
        ...


class Asking:
    """What both kinds have in common: who is asked, and what was answered before.

    Args:
        who: the policy of the search, or the name of a language model.

    Raises InputError if it cannot be asked in words.
    """

    def __init__(self, who: Policy | str) -> None:
        model = causal(who, "--rater") if isinstance(who, str) else who
        if not isinstance(model, Replying):
            raise InputError("This rater asks a language model; name one, as in --rater pairs:hf:FOLDER.")
        self._model = model
        self._answers: dict[str, str] = {}

    def reply(self, drafts: Sequence[State], names: Sequence[str], question: str) -> str:
        """Return what is answered to a question about drafts that have names."""
        shown = [f"{name}:\n{show_state(state, UNICODE)}" for name, state in zip(names, drafts, strict=True)]
        asked = "\n\n".join([_ABOUT, *shown, question])
        if asked not in self._answers:
            self._answers[asked] = self._model.reply(asked, _TOKENS)
        return self._answers[asked]


class Pairs(Asking):
    """Better is what is preferred more often, of any two drafts, whichever of them is named first."""

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """Places by how many comparisons were won. Raises InputError for goals too long to be asked about."""
        won = [0] * len(drafts)
        for one, other in permutations(range(len(drafts)), 2):
            answer = self.reply((drafts[one], drafts[other]), "AB", "Which is more promising? Answer A or B.")
            said = re.search(r"\b[AB]\b", answer)
            if said is not None:
                won[one if said[0] == "A" else other] += 1
        return places([-number for number in won])


class Order(Asking):
    """Better is what comes first in the order that is written; what is not named comes last."""

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """Places in the order. Raises InputError for goals too long to be asked about."""
        names = [str(number) for number in range(1, len(drafts) + 1)]
        answer = self.reply(drafts, names, "Write the numbers of all drafts, the most promising first.")
        written = [each for each in dict.fromkeys(re.findall(r"\d+", answer)) if each in names]
        return places([written.index(name) if name in written else len(names) for name in names])
