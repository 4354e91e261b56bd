"""The door for trainers that speak OpenEnv: its messages over web sockets, and the package's own client and checks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import ASGIApp
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from oasis.api import Session, answer
from oasis.api.calls import CALLS, dumps
from oasis.api.episode import ADVICE
from oasis.api.http import configuration
from oasis.api.limits import Limits
from oasis.api.openenv import Door, Environment, application
from oasis.api.web_socket import WebSocketConnection
from tests.api.conftest import Server, listening, started
from tests.api.test_serve import DOORS
from tests.cli.conftest import environment
from tests.optional import missing

TOKEN = "a token that is long enough"
PROOF = ["intro", "destruct_and H", "split", "assumption", "assumption"]


def serving(app: ASGIApp) -> AbstractContextManager[Server]:
    return listening(configuration(app, WebSocketConnection))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def messages() -> st.SearchStrategy[dict[str, Any]]:
    """Messages that are right but for what is in them."""
    arguments = st.dictionaries(st.sampled_from(["state_id", "lemma", "tactics", "id", "rule"]), JSON | st.just("s0"))
    action = st.fixed_dictionaries(
        {"call": st.sampled_from([*CALLS, "none"]) | JSON}, optional={"arguments": arguments}
    )
    reset = st.dictionaries(
        st.sampled_from(["lemma", "without", "seed", "episode_id", "lema"]), JSON | st.just("A -> A")
    )
    return st.fixed_dictionaries({"type": st.sampled_from(["reset", "step", "state"]), "data": action | reset | JSON})


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(application(Door(most=3, seconds=20))) as started:
        yield started


class Client:
    """A web socket, asked and answered in the messages of the protocol."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, message: Any) -> Any:
        text = message if isinstance(message, str | bytes) else json.dumps(message)
        await self.socket.send(text)
        return json.loads(await self.socket.recv())

    async def reset(self, **data: Any) -> Any:
        return await self.send({"type": "reset", "data": data})

    async def step(self, call: str, **arguments: Any) -> Any:
        return await self.send({"type": "step", "data": {"call": call, "arguments": arguments}})


@asynccontextmanager
async def client(server: Server, **settings: Any) -> AsyncIterator[Client]:
    async with connect(f"ws://127.0.0.1:{server.port}/ws", proxy=None, **settings) as socket:
        yield Client(socket)


def observed(told: dict[str, Any]) -> Any:
    """The answer to a call in what an environment says."""
    return json.loads(told["data"]["observation"]["answer"])


def step(environment: Environment, call: str, **arguments: Any) -> Any:
    return environment.answer({"type": "step", "data": {"call": call, "arguments": arguments}})


def test_an_episode_is_paid_when_its_lemma_is_proved() -> None:
    environment = Environment(Limits())
    data = {"lemma": "textbook/and_comm", "episode_id": "mine", "seed": 3}
    told = environment.answer({"type": "reset", "data": data})
    started = answer(Session(), "start", {"lemma": "textbook/and_comm"}).decode()
    assert told == {"type": "observation", "data": {"observation": {"answer": started}, "reward": 0, "done": False}}
    step(environment, "start", lemma="A -> A")
    other = step(environment, "apply", state_id="s1", tactics=["intro", "assumption"])
    assert observed(other)["proved"]
    assert (other["data"]["reward"], other["data"]["done"]) == (0, False)
    told = step(environment, "apply", state_id="s0", tactics=PROOF)
    assert (told["data"]["reward"], told["data"]["done"]) == (1, True)
    again = step(environment, "goals", state_id="s8")
    assert (again["data"]["reward"], again["data"]["done"]) == (0, True)
    state = environment.answer({"type": "state"})
    assert state == {"type": "state", "data": {"episode_id": "mine", "step_count": 4, "proved": True}}
    environment.answer({"type": "reset", "data": {"lemma": "A -> A", "without": list(ADVICE)}})
    assert "is not on offer" in observed(step(environment, "hint", state_id="s0"))["error"]["message"]


def test_limits_are_those_of_every_session() -> None:
    environment = Environment(Limits(states=1))
    environment.answer({"type": "reset", "data": {"lemma": "A -> A"}})
    told = step(environment, "apply", state_id="s0", tactics=["intro"])
    assert observed(told)["error"]["code"] == "too_many_states"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        ("{", "INVALID_JSON", "no JSON"),
        (b"\xff", "INVALID_JSON", "no JSON"),
        ("[" * 100_000, "INVALID_JSON", "nested too deeply"),
        ([], "UNKNOWN_TYPE", "reset, step, state or close, not null"),
        ({"type": "mcp"}, "UNKNOWN_TYPE", "not 'mcp'"),
        ({"type": "reset", "data": 3}, "VALIDATION_ERROR", "is an object, not 3"),
        ({"type": "reset", "data": {"lema": "A"}}, "VALIDATION_ERROR", "no argument 'lema'; it has lemma,"),
        ({"type": "reset", "data": {"lemma": 3}}, "VALIDATION_ERROR", "lemma is a text, not 3"),
        ({"type": "reset", "data": {"lemma": "nonsense"}}, "VALIDATION_ERROR", "no lemma called 'nonsense'"),
        ({"type": "reset", "data": {"without": ["help"]}}, "VALIDATION_ERROR", "no call 'help' to leave out"),
        ({"type": "reset", "data": {"without": [["hint"]]}}, "VALIDATION_ERROR", "to leave out"),
    ],
)
async def test_what_is_no_message_is_told_in_words_and_ends_nothing(
    server: Server, message: Any, code: str, words: str
) -> None:
    async with client(server) as environment:
        told = await environment.send(message)
        assert (told["type"], told["data"]["code"]) == ("error", code)
        assert words in told["data"]["message"]
        assert (await environment.reset())["type"] == "observation"


@given(st.lists(st.one_of(JSON, messages()), max_size=5))
def test_whatever_is_sent_is_answered(sent: list[Any]) -> None:
    environment = Environment(Limits())
    for message in sent:
        told = json.loads(dumps(environment.answer(message)))
        assert told["type"] in ("observation", "state", "error")
        assert "internal" not in told["data"].get("observation", {}).get("answer", "")


@pytest.mark.slow
async def test_a_message_that_is_too_large_ends_the_web_socket(server: Server) -> None:
    async with client(server) as environment:
        with pytest.raises(ConnectionClosed):
            await environment.send("x" * (1 << 20 | 1))


@pytest.mark.slow
async def test_environments_end_by_number_and_give_their_places_back(server: Server) -> None:
    async with client(server), client(server), client(server), client(server) as fourth:
        told = json.loads(await fourth.socket.recv())
        assert told["data"] == {"code": "CAPACITY_REACHED", "message": "3 environments are open; come later."}
        with pytest.raises(ConnectionClosed):
            await fourth.socket.recv()
    for _ in range(100):
        async with client(server) as environment:
            told = await environment.reset()
        if told["type"] == "observation":
            return
        await asyncio.sleep(0.05)
    pytest.fail("the places were not given back")


@pytest.mark.slow
async def test_environments_end_by_time() -> None:
    with serving(application(Door(seconds=0.05))) as server:
        async with client(server) as environment:
            told = json.loads(await environment.socket.recv())
            assert told["data"] == {"code": "SESSION_ERROR", "message": "Nothing came for 0.05 seconds."}


@pytest.mark.slow
async def test_provers_that_take_long_hold_nobody_up_who_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    over, begun = threading.Event(), threading.Semaphore(0)

    def certify(session: Session, state_id: str, prover: str) -> dict[str, Any]:
        begun.release()
        over.wait(60)
        return {}

    monkeypatch.setattr(Session, "certify", certify)
    with serving(application()) as server:
        async with AsyncExitStack() as stack:
            *asking, other = [await stack.enter_async_context(client(server)) for _ in range(7)]
            asked = [asyncio.ensure_future(each.step("certify", state_id="s0", prover="coq")) for each in asking]
            for _ in range(2):
                assert await asyncio.to_thread(begun.acquire, timeout=30)
            told = await asyncio.wait_for(other.step("goals", state_id="s0"), 30)
            assert "unknown_state" in told["data"]["observation"]["answer"]
            over.set()
            assert len(await asyncio.gather(*asked)) == 6


@pytest.mark.slow
def test_over_http_every_request_finds_a_new_environment(server: Server) -> None:
    told = server.send("POST", "/reset", b'{"lemma": "A -> A"}').content
    assert json.loads(told["observation"]["answer"])["state_id"] == "s0"
    action = {"action": {"call": "start", "arguments": {"lemma": "A -> A"}}}
    for _ in range(2):
        told = server.send("POST", "/step", json.dumps(action).encode()).content
        assert json.loads(told["observation"]["answer"])["state_id"] == "s0"
    assert server.send("GET", "/state").content["step_count"] == 0
    for path, body, status in (
        ("/reset", b"{", 400), ("/reset", b'{"lemma": "nonsense"}', 422), ("/stop", b"{}", 404), ("/health", b"", 404),
    ):  # fmt: skip
        refused = server.send("POST", path, body)
        assert (refused.status, list(refused.content)) == (status, ["error"])
    assert server.send("POST", "/mcp", b"{}").content["error"]["code"] == -32601
    assert server.send("GET", "/health").content == {"status": "healthy"}


@pytest.mark.slow
def test_the_schema_has_every_call(server: Server) -> None:
    told = server.send("GET", "/schema").content
    assert told["action"]["oneOf"][0]["properties"]["call"] == {"const": "start"}
    assert told["observation"]["required"] == ["answer"]
    assert server.send("GET", "/openapi.json").content["paths"].keys() >= {"/reset", "/step", "/state"}


@pytest.mark.slow
async def test_web_sockets_come_in_only_past_the_guard(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with client(server, origin="http://elsewhere.example"):
            pass
    assert refused.value.response.status_code == 403
    with serving(application(token=TOKEN)) as guarded:
        with pytest.raises(InvalidStatus) as refused:
            async with client(guarded):
                pass
        assert json.loads(refused.value.response.body)["error"]["code"] == "forbidden"
        async with client(guarded, additional_headers={"Authorization": f"Bearer {TOKEN}"}) as environment:
            assert (await environment.reset())["type"] == "observation"
        for password, opened in ((TOKEN.replace(" ", "%20"), True), ("wrong", False)):
            address = f"ws://oasis:{password}@127.0.0.1:{guarded.port}/ws"
            try:
                async with connect(address, proxy=None):
                    assert opened
            except InvalidStatus:
                assert not opened
        assert guarded.send("GET", "/state", headers={"Authorization": "Basic ?"}).status == 403


@pytest.mark.slow
def test_the_command_serves_it() -> None:
    with started("serve", "--openenv", "--port", "0") as process:
        assert process.stderr is not None
        address = process.stderr.readline().split("http://")[1].split()[0]
        program = (
            "import sys\nfrom websockets.sync.client import connect\n"
            "with connect(sys.argv[1], proxy=None) as socket:\n"
            '    socket.send(\'{"type": "reset"}\')\n    print(socket.recv())\n'
        )
        said = subprocess.run([sys.executable, "-c", program, f"ws://{address}/ws"], capture_output=True, text=True)
        process.terminate()
    assert json.loads(said.stdout)["data"]["observation"] == {"answer": "{}"}


@pytest.mark.slow
def test_the_packages_own_client_plays_an_episode_and_its_own_check_finds_nothing(server: Server) -> None:
    if not find_spec("openenv"):
        missing("openenv-core is not installed: pip install '.[openenv]'")
    (program,) = (each for each in re.findall(r"```python\n(.*?)```", DOORS, re.DOTALL) if "openenv" in each)
    check = """
from openenv.cli._validation import validate_running_environment

report = validate_running_environment("http://127.0.0.1:8765")
assert report["passed"] and not report["summary"]["failed_criteria"], report
"""
    done = subprocess.run(
        [sys.executable, "-c", (program + check).replace("8765", str(server.port))],
        env={**os.environ, **environment()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "1.0 True 1\n"), done.stderr
