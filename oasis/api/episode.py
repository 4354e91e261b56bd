"""A session with a task: what trainers that send calls are told and paid, by whichever door they come.

A call is one of `oasis.api.calls` and gets its answer, byte for byte. The task is a lemma, and the one thing that pays
is its proof: not a proof of another lemma, and not the same proof twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final, NamedTuple

from oasis.api.calls import CALLS, call, dumps, refusal
from oasis.api.errors import Code, Refused
from oasis.api.kinds import brief
from oasis.api.limits import Limits
from oasis.api.room import Room
from oasis.api.session import Session
from tactics.errors import InputError

ADVICE: Final = ("decide", "hint", "countermodel")
"""The calls in which the teacher says what it knows; who trains an agent may want to leave them out.

Where one of them is left out, the teacher proves nothing either: `prove` takes other solvers then.
"""
AN_ACTION: Final = 'An action is an object such as {"call": "start", "arguments": {"lemma": "A -> A"}}'
"""How a sentence begins that says what an action is."""
_KEYS: Final = {"call", "arguments"}


class Answered(NamedTuple):
    """What comes of a call.

    Attributes:
        text: the answer, as every door sends it.
        reward: 1 for the call that proves the lemma of the task, else 0.
        proved: whether that lemma is proved.
    """

    text: str
    reward: float
    proved: bool


class Episode:
    """One session, and perhaps a lemma that is to be proved in it.

    Args:
        lemma: the task, as `start` takes it; empty for none, and then nothing is paid.
        limits: of the session.
        without: calls that are refused.
        room: that the sessions of a server share; None for as much as there is.

    Attributes:
        begun: the answer to `start` for the lemma, or `{}` without one.
        calls: made since.

    Raises InputError for a lemma that cannot be begun, and for a call that there is not.
    """

    def __init__(
        self,
        lemma: str = "",
        limits: Limits | None = None,
        without: Collection[str] = (),
        room: Room | None = None,
    ) -> None:
        for name in without:
            if not isinstance(name, str) or name not in CALLS:
                raise InputError(f"There is no call {brief(name)} to leave out; there is {', '.join(CALLS)}.")
        self.session, self._without = Session(limits, room), without
        self._task, self.proved, self.calls = "", False, 0
        content = call(self.session, "start", {"lemma": lemma}) if lemma else {}
        if "error" in content:
            raise InputError(content["error"]["message"])
        self._task = content.get("state_id", "")
        self.begun = dumps(content).decode()

    def act(self, action: Any) -> Answered:
        """Make the call that an action is, an object with `call` and `arguments`; anything else is refused in words."""
        if isinstance(action, dict) and action.keys() <= _KEYS:
            return self.answer(action.get("call"), action.get("arguments", {}))
        return self.refuse(Refused(Code.BAD_ARGUMENT, f"{AN_ACTION}, not {brief(action)}."))

    def answer(self, name: Any, arguments: Any) -> Answered:
        """Make a call; whatever its name and its arguments are, there is an answer."""
        if isinstance(name, str) and name in self._without:
            return self.refuse(Refused(Code.UNKNOWN_CALL, f"{name} is not on offer in this episode."))
        if name == "prove" and any(each in self._without for each in ADVICE) and _asks_teacher(arguments):
            message = "prove with the teacher is not on offer in this episode; name another solver and policy."
            return self.refuse(Refused(Code.UNKNOWN_CALL, message))
        return self._answered(call(self.session, name, arguments))

    def refuse(self, error: Refused) -> Answered:
        """Answer what is no call, which counts as one."""
        return self._answered(refusal(error))

    def _answered(self, content: dict[str, Any]) -> Answered:
        self.calls += 1
        before, self.proved = self.proved, self.proved or self._proves(content)
        return Answered(dumps(content).decode(), float(self.proved and not before), self.proved)

    def _proves(self, content: dict[str, Any]) -> bool:
        """Whether an answer is about a state in which nothing of the task's lemma is left to prove."""
        if not self._task or content.get("proved") is not True:
            return False
        return self.session.states.get(content["state_id"]).way[0].id == self._task


def _asks_teacher(arguments: Any) -> bool:
    """Whether the teacher has a say in how `prove` proves: as the solver, as is usual, or as its policy."""
    solver = arguments.get("solver", "teacher") if isinstance(arguments, dict) else ""
    return isinstance(solver, str) and "teacher" in re.split("[:+]", solver)
