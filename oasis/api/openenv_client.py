"""A client of the door for OpenEnv, for who has the package `openenv-core`: `pip install '.[openenv]'`.

    async with ProofClient("http://127.0.0.1:8765") as environment:
        await environment.reset(lemma="textbook/and_comm")
        result = await environment.step(Call(call="apply", arguments={"state_id": "s0", "tactics": ["intro"]}))
        print(result.observation.answer, result.reward, result.done)

A server that wants a token is given it in the address: `http://oasis:TOKEN@HOST:PORT`. The package's own
`GenericEnvClient` does as well; its actions and observations are dictionaries. What trains by calls that wait for their
answers makes its moves through `OnServer`, as `oasis.api.trl.ProofTools` does.
"""

from __future__ import annotations

import asyncio
import json
import threading
import weakref
from collections.abc import Coroutine
from functools import cache
from typing import Any, Final, Self, TypeVar

from curricula import Lemma
from oasis.api.episode import ADVICE
from oasis.api.errors import Code
from tactics.errors import InputError, install_command
from tactics.goal import Move, State
from tactics.json_form import move_to_json, state_from_json
from tactics.printer import show

try:
    from openenv.core.client_types import StepResult
    from openenv.core.env_client import EnvClient
    from openenv.core.env_server.types import Action, Observation
    from openenv.core.env_server.types import State as EpisodeState
    from pydantic import Field
    from websockets.exceptions import ConnectionClosed
except ModuleNotFoundError as error:
    if error.name != "openenv":
        raise
    raise ModuleNotFoundError(
        f"oasis.api.openenv_client needs openenv-core, which is not installed: {install_command('openenv')}",
        name="openenv",
    ) from None

_NO_MOVE: Final = (Code.BAD_TACTIC, Code.BAD_ARGUMENT)
"""The codes of tactics that do not apply because they are none."""
_Told = TypeVar("_Told")


class Call(Action):  # type: ignore[misc]
    """A call with its arguments, as docs/doors.md lists them."""

    call: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Answer(Observation):  # type: ignore[misc]
    """The answer to a call, JSON as text: the same bytes as through every other door."""

    answer: str


class ProofClient(EnvClient):  # type: ignore[misc]
    """Episodes on a server that `oasis serve --openenv` has started."""

    def _step_payload(self, action: Call) -> dict[str, Any]:
        return {"call": action.call, "arguments": action.arguments}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        paid = {"reward": payload["reward"], "done": payload["done"]}
        return StepResult(observation=Answer(**payload["observation"], **paid), **paid)

    def _parse_state(self, payload: dict[str, Any]) -> EpisodeState:
        return EpisodeState(**payload)


class OnServer:
    """Lemmas as an environment of a server steps through them, one after the other (`oasis.student.calculus.Calculus`).

    It has a web socket, which is opened when the first lemma is begun, and anew if it was closed meanwhile; it is left
    when nobody holds this any more. All of a process wait for their answers in one thread. The teacher's advice is not
    on offer.

    Args:
        address: of the server, such as `http://127.0.0.1:8765`.
    """

    def __init__(self, address: str) -> None:
        self._address, self.client = address, ProofClient(address)
        weakref.finalize(self, _leave, self.client).atexit = False  # then the connection ends anyway

    def __call__(self, lemma: Lemma) -> Self:
        """Begin with another lemma next."""
        self._lemma = show(lemma.formula)
        return self

    def begin(self) -> State:
        """Back to the lemma, in a new episode. Raises InputError if the server does not begin it."""
        try:
            try:
                return self._reset()
            except ConnectionClosed:  # the server was started anew, or has waited for as long as it does
                wait_for(self.client.disconnect())
                return self._reset()
        except (ConnectionClosed, OSError, RuntimeError) as error:
            raise InputError(
                f"{self._address} does not begin this proof ({error}); start `oasis serve --openenv` there, with a "
                "place (--sessions) for each of your environments."
            ) from None

    def attempt(self, state: State, move: Move) -> State | None:
        """The state after a move on the present one, or None if it does not apply.

        Raises InputError for a state that the server has no room for, or if it does not answer.
        """
        arguments = {"state_id": self._at, "tactics": [move_to_json(move)], "graph": False}
        try:
            answer = json.loads(wait_for(self.client.step(Call(call="apply", arguments=arguments))).observation.answer)
        except (ConnectionClosed, OSError, RuntimeError) as error:
            raise InputError(f"{self._address} does not answer ({error}); this episode is lost.") from None
        if "goals" in answer:
            return self._told(answer) if answer["valid"] else None
        if answer["error"]["code"] in _NO_MOVE:
            return None
        raise InputError(answer["error"]["message"])

    def _reset(self) -> State:
        told = wait_for(self.client.reset(lemma=self._lemma, without=[*ADVICE]))
        return self._told(json.loads(told.observation.answer))

    def _told(self, answer: dict[str, Any]) -> State:
        self._at = answer["state_id"]
        return state_from_json(answer)


def wait_for(asked: Coroutine[Any, Any, _Told]) -> _Told:
    """What an environment of `OnServer` is told by its client, of which nothing else is asked meanwhile."""
    return asyncio.run_coroutine_threadsafe(asked, _loop()).result()


def _leave(client: ProofClient) -> None:
    asyncio.run_coroutine_threadsafe(client.close(), _loop())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop in which all environments of this process wait, in a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="oasis: environments on a server", daemon=True).start()
    return loop
