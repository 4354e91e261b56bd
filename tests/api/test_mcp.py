"""The calls as tools of the Model Context Protocol."""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

import pytest
from mcp import StdioServerParameters, stdio_client, types
from mcp.client import Client

from oasis.api import Limits, Session, answer
from oasis.api.calls import CALLS
from oasis.api.mcp import server
from tests.api.conftest import started
from tests.cli.conftest import environment

_PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("start", {"lemma": "textbook/and_comm"}),
    ("apply", {"state_id": "s0", "tactics": ["intro", {"rule": "destruct_and", "hypothesis": "H"}, "left"]}),
    ("node", {"id": "s1.0.H.l"}),
    ("hint", {"state_id": "s2", "level": 4}),
    ("simplify", {"state_id": "s2"}),
    ("certify", {"state_id": "s5"}),
    ("goals", {"state_id": "s9"}),
    ("goals", {"state_id": 9}),
    ("nothing", {}),
]


def _text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


async def _played(client: Client) -> None:
    session = Session()
    for name, arguments in _PLAYED:
        result = await client.call_tool(name, arguments)
        assert _text(result) == answer(session, name, arguments).decode()
        assert result.is_error is (json.loads(_text(result)).keys() == {"error"})


async def test_every_call_is_a_tool_with_its_schema() -> None:
    async with Client(server()) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools.keys() == {*CALLS, "new_session"}
    for name, call in CALLS.items():
        assert (tools[name].description, tools[name].input_schema) == (call.about, call.schema(Limits()))


async def test_answers_do_not_depend_on_this_door_either() -> None:
    async with Client(server()) as client:
        await _played(client)


async def test_a_session_is_begun_anew() -> None:
    async with Client(server(Limits(states=1))) as client:
        await client.call_tool("start", {"lemma": "A -> A"})
        full = await client.call_tool("start", {"lemma": "B -> B"})
        assert "too_many_states" in _text(full)
        await client.call_tool("new_session", {})
        assert not (await client.call_tool("start", {"lemma": "B -> B"})).is_error


@pytest.mark.slow
async def test_the_command_speaks_over_standard_input_and_output() -> None:
    command = StdioServerParameters(command=sys.executable, args=["-m", "oasis", "mcp"], env=environment())
    async with Client(stdio_client(command)) as client:
        await _played(client)


@pytest.mark.slow
def test_what_is_no_message_does_not_end_it_and_ctrl_c_does() -> None:
    with started("mcp") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        wrong = [
            "",
            "{",
            "[" * 100_000,
            "null",
            '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 3}',
            "x" * 10**6,
        ]
        process.stdin.write("\n".join(wrong) + "\n")
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        asked = {"jsonrpc": "2.0", "id": "mine", "method": "initialize", "params": about}
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        while (said := json.loads(process.stdout.readline())).get("id") != "mine":
            pass
        assert said["result"]["serverInfo"]["name"] == "oasis"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert "Traceback" not in process.communicate()[1]


@pytest.mark.slow
def test_without_the_library_a_sentence_says_how_to_get_it() -> None:
    with started("mcp", before="sys.modules['mcp'] = None") as process:
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 3
    assert said.startswith("oasis: oasis mcp needs the library mcp, which is not installed: pip install ")
