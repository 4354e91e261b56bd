"""A client of the door for OpenEnv, for who has the package `openenv-core`: `pip install '.[openenv]'`.

    async with ProofClient("http://127.0.0.1:8765") as environment:
        await environment.reset(lemma="textbook/and_comm")
        result = await environment.step(Call(call="apply", arguments={"state_id": "s0", "tactics": ["intro"]}))
        print(result.observation.answer, result.reward, result.done)

A server that wants a token is given it in the address: `http://oasis:TOKEN@HOST:PORT`. The package's own
`GenericEnvClient` does as well; its actions and observations are dictionaries.
"""

from __future__ import annotations

from typing import Any

from tactics.errors import install_command

try:
    from openenv.core.client_types import StepResult
    from openenv.core.env_client import EnvClient
    from openenv.core.env_server.types import Action, Observation, State
    from pydantic import Field
except ModuleNotFoundError as error:
    if error.name != "openenv":
        raise
    raise ModuleNotFoundError(
        f"oasis.api.openenv_client needs openenv-core, which is not installed: {install_command('openenv')}",
        name="openenv",
    ) from None


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

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
