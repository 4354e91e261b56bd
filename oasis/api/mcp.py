"""The door for language models: the calls as tools of the Model Context Protocol, over pipes or over HTTP.

What may be asked and what comes back is `oasis.api.calls`' concern: a tool's arguments are a call's, and its text is
the answer's bytes. Whoever starts the process has its one session to themselves. Over HTTP, where a server does not
remember who asked before, each call names the session that `new_session` has given.
"""

from __future__ import annotations

import os
import signal
from functools import cached_property
from typing import Any, Final

import anyio
from mcp import MCPError, types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from oasis.api import resources
from oasis.api.answers import Anew, Begun, Ended
from oasis.api.calls import CALLS, dumps, refusal
from oasis.api.errors import Code, Refused
from oasis.api.kinds import Page, kind_of
from oasis.api.limits import Limits
from oasis.api.session import Session
from oasis.api.sessions import Held, Sessions
from oasis.api.working import Workers
from oasis.backends.processes import kill_all
from oasis.ground.version import version

NEW: Final = "new_session"
"""The tool that no call is: it begins a session."""
END: Final = "end_session"
"""Another one, over HTTP: it ends one."""
_ABOUT: Final = (
    "Prove lemmas of intuitionistic propositional logic with Dyckhoff's twelve tactics. Call start with a lemma, apply "
    "tactics to the state that its answer names, and go on from the state_id of each answer until proved is true. An "
    "answer is a JSON object; one that says only error tells what to do otherwise. hint with level 4 names a move, "
    f"simplify makes those that cannot be wrong; {resources.RULES_URI} is what the rules are."
)
_SESSIONS: Final = f"Begin with {NEW}, and send the session that it gives with every call."
_SESSION: Final = {"type": "string", "description": f"What {NEW} has given."}


_DEFAULTS: Final[dict[str, dict[str, Any]]] = {"apply": {"graph": False}}
"""Where models are told less than other programs, since they read all of it."""


class Tools:
    """The calls as tools.

    Args:
        limits: of a session.
        sessions: where the sessions of several clients are kept; None for one client, who has one.
        workers: who work out the answers; threads if None.
    """

    def __init__(
        self, limits: Limits | None = None, sessions: Sessions | None = None, workers: Workers | None = None
    ) -> None:
        self.limits = sessions.limits if sessions else limits or Limits()
        self._sessions, self._own, self._workers = sessions, self._unused(), workers or Workers()

    @cached_property
    def listed(self) -> list[types.Tool]:
        """A tool for each call, and those that begin and end a session."""
        page = Page(self.limits)
        begin = types.Tool(
            name=NEW,
            description="Begin a session with no states and room for more. Its answer names it."
            if self._sessions
            else "Begin anew, with no states and room for more.",
            input_schema={"type": "object", "properties": {}, "additionalProperties": False},
            output_schema=kind_of(Begun if self._sessions else Anew).schema(page),
            annotations=_annotated(changes=True, again=False),
        )
        end = types.Tool(
            name=END,
            description="End a session.",
            input_schema=self._with_session({"type": "object"}),
            output_schema=kind_of(Ended).schema(page),
            annotations=_annotated(changes=True, again=False),
        )
        tools = [
            types.Tool(
                name=name,
                description=call.told,
                input_schema=self._with_session(call.with_defaults(_DEFAULTS.get(name, {})).schema(page)),
                output_schema=call.answer.schema(page),
                annotations=_annotated(changes=call.makes_states, again=True),
            )
            for name, call in CALLS.items()
        ]
        return [*tools, begin, *([end] if self._sessions else [])]

    async def call(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        """The answer to a call, as text and as JSON; an error that the model sees if it is refused."""
        try:
            content = await self._answered(name, _DEFAULTS.get(name, {}) | arguments)
        except Refused as error:
            content = refusal(error)
        text = types.TextContent(type="text", text=dumps(content).decode())
        is_error = content.keys() == {"error"}
        return types.CallToolResult(content=[text], structured_content=None if is_error else content, is_error=is_error)

    async def _answered(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == NEW and not arguments:
            return self._begun()
        held = self._own
        if self._sessions:
            arguments = dict(arguments)
            session = arguments.pop("session", None)
            if not isinstance(session, str):
                raise Refused(Code.BAD_ARGUMENT, f"The argument session is missing. {_SESSIONS}")
            if name == END and not arguments:
                self._sessions.close(session)
                return {"ended": True}
            held = self._sessions.get(session)
        return await self._workers.answer(held, name, arguments, lambda content: content)

    def _begun(self) -> dict[str, Any]:
        if self._sessions:
            return {"session": self._sessions.open(), "seconds": self._sessions.seconds}
        self._own = self._unused()
        return {"begun": True}

    def _unused(self) -> Held:
        return Held(Session(self.limits), 0.0)

    def _with_session(self, schema: dict[str, Any]) -> dict[str, Any]:
        if not self._sessions:
            return schema
        return {
            **schema,
            "properties": {"session": _SESSION, **schema.get("properties", {})},
            "required": ["session", *schema.get("required", ())],
        }


def _annotated(*, changes: bool, again: bool) -> types.ToolAnnotations:
    """What clients may think of a tool: whether it changes anything, and whether it does so again if called again."""
    return types.ToolAnnotations(
        read_only_hint=not changes, destructive_hint=False, idempotent_hint=again, open_world_hint=False
    )


_Context = ServerRequestContext[dict[str, Any]]


def server(
    limits: Limits | None = None, sessions: Sessions | None = None, workers: Workers | None = None
) -> Server[dict[str, Any]]:
    """A server with one session, or with as many as are begun if it is told where they are kept; see `Tools`."""
    tools = Tools(limits, sessions, workers)

    async def list_tools(context: _Context, given: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools.listed)

    async def call_tool(context: _Context, given: types.CallToolRequestParams) -> types.CallToolResult:
        return await tools.call(given.name, given.arguments or {})

    async def list_resources(
        context: _Context, given: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        listed = [
            types.Resource(uri=uri, name=uri.rpartition("/")[2], description=about, mime_type="application/json")
            for uri, about in resources.ABOUT.items()
            if "{" not in uri
        ]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(
        context: _Context, given: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        listed = [
            types.ResourceTemplate(uri_template=uri, name="lemmas", description=about, mime_type="application/json")
            for uri, about in resources.ABOUT.items()
            if "{" in uri
        ]
        return types.ListResourceTemplatesResult(resource_templates=listed)

    async def read_resource(context: _Context, given: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            content = await anyio.to_thread.run_sync(resources.read, given.uri)
        except Refused as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        text = types.TextResourceContents(uri=given.uri, text=dumps(content).decode(), mime_type="application/json")
        return types.ReadResourceResult(contents=[text])

    return Server(
        "oasis",
        version=version(),
        instructions=f"{_ABOUT} {_SESSIONS}" if sessions else _ABOUT,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def serve() -> None:
    """Answer on standard input and output until the input ends, or with Ctrl-C, as there is nothing to be kept."""
    signal.signal(signal.SIGINT, _leave)  # whoever reads standard input cannot be interrupted otherwise

    async def answer() -> None:
        made = server()
        async with stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    anyio.run(answer)


def _leave(number: int, _: object) -> None:
    kill_all()
    os._exit(0)
