"""An agent that proves textbook lemmas through the tools of `oasis mcp`, with the reference client of the mcp package.

It knows nothing of the calculus and takes no hints: it makes the moves that cannot be wrong, tries each other move that
the answer lists, and goes back where none leads to a proof. With an address it goes to a server over HTTP.

    pip install 'oasis-student[api]'
    python examples/mcp_agent.py                              # starts `oasis mcp` by itself
    oasis mcp --http & python examples/mcp_agent.py http://127.0.0.1:8766/mcp
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import StdioServerParameters, stdio_client, types
from mcp.client import Client

LEMMAS = (
    "and_comm", "or_comm", "contraposition", "disjunctive_syllogism", "self_distribution", "triple_negation",
    "weak_peirce", "de_morgan_or_not", "double_negation_excluded_middle", "or_elim",
)  # fmt: skip


class Agent:
    """A client with a session of its own."""

    def __init__(self, client: Client) -> None:
        self._client, self._session = client, dict[str, str]()
        self.calls = 0

    async def begin(self) -> None:
        """Begin a session, and name it from now on if the server wants that."""
        begun = await self.ask("new_session")
        self._session = {"session": begun["session"]} if "session" in begun else {}

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers."""
        self.calls += 1
        (content,) = (await self._client.call_tool(tool, {**self._session, **arguments})).content
        assert isinstance(content, types.TextContent)
        answer: dict[str, Any] = json.loads(content.text)
        return answer

    async def prove(self, state_id: str) -> str | None:
        """The id of a state without open goals that is reached from another one, None if there is none."""
        state = await self.ask("simplify", state_id=state_id)
        if state["proved"]:
            return str(state["state_id"])
        for move in (await self.ask("goals", state_id=state["state_id"]))["moves"]:
            after = await self.ask("apply", state_id=state["state_id"], tactics=[move], graph=False)
            if found := await self.prove(after["state_id"]):
                return found
        return None


async def main(address: str | None = None) -> int:
    """Prove the lemmas, print a line for each, and give how many a judge accepted."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "oasis", "mcp"])
    accepted = 0
    async with Client(address or stdio_client(command)) as client:
        agent = Agent(client)
        await agent.begin()
        for lemma in LEMMAS:
            state = await agent.ask("start", lemma=f"textbook/{lemma}")
            proof = await agent.prove(state["state_id"])
            if proof is None:
                print(f"{lemma}: no proof")
                continue
            certificate = (await agent.ask("certify", state_id=proof))["certificate"]
            script = (await agent.ask("proof_graph", state_id=proof))["script"]
            accepted += certificate["accepted"]
            print(f"{lemma}: {len(script)} moves, {'accepted' if certificate['accepted'] else 'refused'}")
        print(f"{accepted} of {len(LEMMAS)} proved, with {agent.calls} calls")
    return accepted


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:2])) != len(LEMMAS))
