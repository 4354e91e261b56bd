"""The calls as tools of the Model Context Protocol."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError, types
from mcp.client import Client

from oasis.api import Limits, resources
from oasis.api.calls import CALLS
from oasis.api.kinds import Page
from oasis.api.mcp import server
from oasis.api.sessions import Sessions
from tactics.rules import CAN_LOSE, RULES
from tests.api.conftest import Server, speaking, started
from tests.commands import environment


def _text(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


async def test_every_call_is_a_tool_with_its_schema() -> None:
    async with Client(server()) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools.keys() == {*CALLS, "new_session"}
    for name, call in CALLS.items():
        schema = call.arguments.schema(page := Page(Limits()))
        if name == "apply":
            schema["properties"]["graph"]["default"] = False
        assert (tools[name].description, tools[name].input_schema) == (call.told, schema)
        assert tools[name].output_schema == call.answer.schema(page)
    changing = {name for name, tool in tools.items() if not (tool.annotations and tool.annotations.read_only_hint)}
    assert changing == {"start", "apply", "simplify", "new_session"}


async def test_an_answer_comes_as_json_too_which_the_client_checks_and_without_the_graph_unless_it_is_asked_for() -> (
    None
):
    async with Client(server()) as client:
        await client.list_tools()
        await client.call_tool("start", {"lemma": "A -> A"})
        for more, graph in ({}, False), ({"graph": True}, True):
            result = await client.call_tool("apply", {"state_id": "s0", "tactics": ["intro"], **more})
            assert result.structured_content == json.loads(_text(result))
            assert (result.structured_content["proof_graph"] is not None) is graph


async def test_a_session_is_begun_anew() -> None:
    async with Client(server(Limits(states=1))) as client:
        await client.call_tool("start", {"lemma": "A -> A"})
        full = await client.call_tool("start", {"lemma": "B -> B"})
        assert full.is_error and "too_many_states" in _text(full)
        await client.call_tool("new_session", {})
        assert not (await client.call_tool("start", {"lemma": "B -> B"})).is_error


@pytest.mark.slow
def test_what_is_no_message_does_not_end_it_and_ctrl_c_does() -> None:
    with started("mcp") as process:
        assert process.stdin is not None and process.stdout is not None
        wrong = ["", "{", "[" * 100_000, "null", '{"jsonrpc": "2.0", "id": 1, "params": 3}', "x" * 10**6]
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


async def test_rules_and_curricula_can_be_read() -> None:
    async with Client(server()) as client:
        listed = [each.uri for each in (await client.list_resources()).resources]
        (template,) = (await client.list_resource_templates()).resource_templates
        assert {*listed, template.uri_template} == resources.ABOUT.keys()
        rules, curricula, lemmas = [
            await _read(client, uri) for uri in (*listed, template.uri_template.format(name="textbook"))
        ]
        assert [rule["rule"] for rule in rules] == [*RULES]
        assert {rule["rule"] for rule in rules if rule["may_lose_the_proof"]} == CAN_LOSE
        (textbook,) = [each for each in curricula if each["name"] == "textbook"]
        assert textbook["lemmas"] == len(lemmas)
        for lemma in lemmas[:3]:
            assert not (await client.call_tool("start", {"lemma": lemma["name"]})).is_error
        with pytest.raises(MCPError, match="There is nothing at"):
            await client.read_resource("oasis://curricula/none")


async def _read(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents)
    return json.loads(content.text)


@pytest.mark.slow
async def test_over_http_clients_have_sessions_of_their_own() -> None:
    sessions = Sessions(most=2)
    with speaking(sessions) as address:
        async with Client(address) as one, Client(address) as other:
            assert "session is missing" in _text(await one.call_tool("start", {"lemma": "A -> A"}))
            mine, theirs = [json.loads(_text(await each.call_tool("new_session", {}))) for each in (one, other)]
            assert "busy" in _text(await other.call_tool("new_session", {}))
            own = {"session": mine["session"]}
            assert not (await one.call_tool("start", {"lemma": "A -> A", **own})).is_error
            asked = {"state_id": "s0", "session": theirs["session"]}
            assert "unknown_state" in _text(await other.call_tool("goals", asked))
            assert json.loads(_text(await one.call_tool("end_session", own))) == {"ended": True}
            assert "unknown_session" in _text(await one.call_tool("goals", {"state_id": "s0", **own}))
            tools = {tool.name: tool for tool in (await one.list_tools()).tools}
            assert all("session" in tools[name].input_schema["required"] for name in (*CALLS, "end_session"))


@pytest.mark.slow
def test_over_http_only_those_come_in_who_may() -> None:
    with speaking(token="a token of sixteen") as address:
        port = int(address.partition("//")[2].partition("/")[0].rpartition(":")[2])
        at = Server(port)
        assert at.send("POST", "/mcp", b"{}").content["error"]["code"] == "forbidden"
        token = {"Authorization": "Bearer a token of sixteen"}
        assert at.send("POST", "/elsewhere", b"{}", token).content["error"]["code"] == "unknown_call"
        foreign = {**token, "Origin": "https://elsewhere.example"}
        assert at.send("POST", "/mcp", b"{}", foreign).content["error"]["code"] == "forbidden"
        assert at.send("POST", "/mcp", b"[" * 100_000, token).status == 400
        for method in ("GET", "DELETE"):
            assert at.send(method, "/mcp", None, token | {"Accept": "text/event-stream"}).status == 405


@pytest.mark.slow
def test_an_agent_proves_ten_textbook_lemmas() -> None:
    agent = Path(__file__).parents[2] / "examples" / "mcp_agent.py"
    done = subprocess.run([sys.executable, agent], capture_output=True, text=True, timeout=120, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("10 of 10 proved")
    assert len([line for line in lines if line.endswith("accepted")]) == 10
