"""The door for language models: the calls as tools of the Model Context Protocol, over standard input and output.

What may be asked and what comes back is `oasis.api.calls`' concern: a tool's arguments are a call's, and its text is
the answer's bytes. Whoever starts the process has its one session to themselves.
"""

from __future__ import annotations

from typing import Any, Final

import anyio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from oasis.api.calls import CALLS, call, dumps
from oasis.api.limits import Limits
from oasis.api.session import Session
from oasis.version import version

NEW: Final = "new_session"
"""The tool that no call is: it begins the session anew."""
_ABOUT: Final = (
    "Prove lemmas of intuitionistic propositional logic with Dyckhoff's twelve tactics. Call start with a lemma, apply "
    "tactics to the state that its answer names, and go on from the state_id of each answer until proved is true. An "
    "answer is a JSON object; one that says only error tells what to do otherwise."
)


class Tools:
    """One session, as tools.

    Args:
        limits: of the session.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.session = Session(self.limits)
        self._one_at_a_time = anyio.Lock()

    def listed(self) -> list[types.Tool]:
        """A tool for each call, and one that begins anew."""
        anew = types.Tool(
            name=NEW,
            description="Begin anew, with no states and room for more.",
            input_schema={"type": "object", "properties": {}, "additionalProperties": False},
        )
        calls = CALLS.values()
        tools = [types.Tool(name=c.name, description=c.about, input_schema=c.schema(self.limits)) for c in calls]
        return [*tools, anew]

    async def call(self, name: str, arguments: Any) -> types.CallToolResult:
        """The answer to a call, as text; an error that the model sees if it is refused."""
        async with self._one_at_a_time:
            if name == NEW and not arguments:
                self.session = Session(self.limits)
                content: dict[str, Any] = {"begun": True}
            else:
                content = await anyio.to_thread.run_sync(call, self.session, name, arguments)
        text = types.TextContent(type="text", text=dumps(content).decode())
        return types.CallToolResult(content=[text], is_error=content.keys() == {"error"})


def server(limits: Limits | None = None) -> Server[dict[str, Any]]:
    """A server with one session."""
    tools = Tools(limits)

    async def list_tools(
        context: ServerRequestContext[dict[str, Any]], given: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools.listed())

    async def call_tool(
        context: ServerRequestContext[dict[str, Any]], given: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return await tools.call(given.name, given.arguments or {})

    return Server("oasis", version=version(), instructions=_ABOUT, on_list_tools=list_tools, on_call_tool=call_tool)


def serve() -> None:
    """Answer on standard input and output until the input ends."""

    async def answer() -> None:
        made = server()
        async with stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    anyio.run(answer)
