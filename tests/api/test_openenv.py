"""The door for trainers that speak OpenEnv: its messages over web sockets, and the package's own client and checks."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import ASGIApp
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from oasis.api import Session, answer, guard, wire
from oasis.api.calls import CALLS, dumps
from oasis.api.episode import ADVICE
from oasis.api.errors import Code, Refused
from oasis.api.http import configuration
from oasis.api.limits import Limits
from oasis.api.listening import may_open
from oasis.api.openenv import Door, Environment, application
from oasis.api.web_socket import WebSocketConnection
from oasis.api.working import MOST_WAITING, Workers
from tests.api.conftest import AND_COMM, ANYTHING, Server, listening, serving
from tests.api.test_serve import DOORS
from tests.commands import environment
from tests.optional import missing

TOKEN = "a token that is long enough"


def listening_at(app: ASGIApp) -> AbstractContextManager[Server]:
    return listening(configuration(app, WebSocketConnection))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with listening_at(application(Door(most=3, seconds=20))) as started:
        yield started


@contextmanager
def opened(server: Server, user: str = "", **settings: Any) -> Iterator[ClientConnection]:
    with connect(f"ws://{user}127.0.0.1:{server.port}/ws", proxy=None, **settings) as socket:
        yield socket


def said(socket: ClientConnection, message: Any) -> Any:
    """Send a message over a web socket; return the answer."""
    socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
    return json.loads(socket.recv(timeout=30))


def observed(told: dict[str, Any]) -> Any:
    """Return the answer to a call that an observation holds."""
    return json.loads(told["data"]["observation"]["answer"])


def step(environment: Environment, call: str, **arguments: Any) -> Any:
    return environment.answer({"type": "step", "data": {"call": call, "arguments": arguments}})


def test_an_episode_is_paid_when_its_lemma_is_proved() -> None:
    environment = Environment(Limits())
    task = {"lemma": "textbook/and_comm", "episode_id": "mine", "seed": 3}
    told = environment.answer({"type": "reset", "data": task})
    started = answer(Session(), "start", {"lemma": "textbook/and_comm"}).decode()
    assert told == {"type": "observation", "data": {"observation": {"answer": started}, "reward": 0, "done": False}}
    for name, arguments, paid in (
        ("goals", {"state_id": "s0"}, (0, False)),
        ("apply", {"state_id": "s0", "tactics": AND_COMM}, (1, True)),
        ("goals", {"state_id": "s5"}, (0, True)),
    ):
        told = step(environment, name, **arguments)
        assert (told["data"]["reward"], told["data"]["done"]) == paid
    state = environment.answer({"type": "state"})
    assert state == {"type": "state", "data": {"episode_id": "mine", "step_count": 3, "proved": True}}


def test_calls_can_be_left_out_and_limits_are_those_of_every_session() -> None:
    environment = Environment(Limits(states=1))
    environment.answer({"type": "reset", "data": {"lemma": "A -> A", "without": list(ADVICE)}})
    assert "is not on offer" in observed(step(environment, "hint", state_id="s0"))["error"]["message"]
    for told in ({}, {"solver": "teacher"}, {"solver": "best-first:teacher"}):
        answer = observed(step(environment, "prove", state_id="s0", **told))
        assert "with the teacher is not on offer" in answer["error"]["message"]
    assert observed(step(environment, "prove", state_id="s0", solver="best-first:first"))["status"] == "proved"
    told = step(environment, "apply", state_id="s0", tactics=["intro"])
    assert observed(told)["error"]["code"] == "too_many_states"


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        ([], "UNKNOWN_TYPE", "reset, step, state or close, not null"),
        ({"type": "mcp"}, "UNKNOWN_TYPE", "not 'mcp'"),
        ({"type": "reset", "data": 3}, "VALIDATION_ERROR", "are an object, not 3"),
        ({"type": "reset", "data": {"lema": "A"}}, "VALIDATION_ERROR", "no argument 'lema' here; there is lemma,"),
        ({"type": "reset", "data": {"lemma": 3}}, "VALIDATION_ERROR", "lemma is a text, not 3"),
        ({"type": "reset", "data": {"lemma": "nonsense"}}, "VALIDATION_ERROR", "no lemma called 'nonsense'"),
        (
            {"type": "reset", "data": {"without": [["hint"]]}},
            "VALIDATION_ERROR",
            "call 1 of without is one of start, apply,",
        ),
    ],
)
def test_what_is_no_message_is_told_in_words(message: Any, code: str, words: str) -> None:
    told = Environment(Limits()).answer(message)
    assert (told["type"], told["data"]["code"]) == ("error", code)
    assert words in told["data"]["message"]


ARGUMENTS = st.dictionaries(st.sampled_from(["state_id", "lemma", "tactics", "id", "rule"]), ANYTHING | st.just("s0"))
CALLED = {"call": st.sampled_from([*CALLS, "none"]) | ANYTHING}
ACTIONS = st.fixed_dictionaries(CALLED, optional={"arguments": ARGUMENTS})
RESETS = st.dictionaries(st.sampled_from(["lemma", "without", "seed", "episode_id", "lema"]), ANYTHING | st.just("A"))
KINDS = st.sampled_from(["reset", "step", "state"])
MESSAGES = st.fixed_dictionaries({"type": KINDS, "data": ACTIONS | RESETS | ANYTHING})


@given(st.lists(ANYTHING | MESSAGES, max_size=5))
def test_whatever_is_sent_is_answered(sent: list[Any]) -> None:
    environment = Environment(Limits())
    for message in sent:
        told = json.loads(dumps(environment.answer(message)))
        assert told["type"] in ("observation", "state", "error")
        assert "internal" not in told["data"].get("observation", {}).get("answer", "")


@pytest.mark.slow
def test_what_is_no_json_ends_nothing_and_a_message_that_is_too_large_does(server: Server) -> None:
    with opened(server) as socket:
        for message, words in (("{", "no JSON"), (b"\xff", "no JSON"), ("[" * 100_000, "nested too deeply")):
            told = said(socket, message)
            assert (told["type"], told["data"]["code"]) == ("error", "INVALID_JSON")
            assert words in told["data"]["message"]
        assert said(socket, {"type": "reset"})["type"] == "observation"
        assert socket.response is not None and "Sec-WebSocket-Extensions" not in socket.response.headers, "it unpacks"
        with pytest.raises(ConnectionClosed):
            said(socket, "x" * (1 << 20 | 1))


@pytest.mark.slow
def test_environments_end_by_number_and_give_their_places_back() -> None:
    door = Door(most=2)
    with listening_at(application(door)) as server:
        with opened(server), opened(server), opened(server) as third:
            told = json.loads(third.recv(timeout=30))
            assert told["data"] == {"code": "CAPACITY_REACHED", "message": "2 environments are open; come later."}
            with pytest.raises(ConnectionClosed):
                third.recv(timeout=30)
        for _ in range(1_000):  # as closing takes a moment
            if not door._open:
                break
            sleep(0.01)
        with opened(server) as socket:
            assert said(socket, {"type": "reset"})["type"] == "observation"


@pytest.mark.slow
def test_environments_take_no_places_of_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_AT_ONCE", 1)
    monkeypatch.setattr(wire, "MOST_CONNECTIONS", 1)
    with listening(configuration(application(), WebSocketConnection, sockets=3)) as server, ExitStack() as stack:
        for socket in [stack.enter_context(opened(server)) for _ in range(3)]:
            assert said(socket, {"type": "reset"})["type"] == "observation"
        assert server.send("GET", "/health").status == 200


def test_a_server_may_have_as_many_connections_as_it_is_to_have() -> None:
    resource = pytest.importorskip("resource")
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (usual[0] - 2, usual[1]))
        for files, now in ((usual[0] - 3, usual[0] - 2), (usual[0] - 1, usual[0] - 1)):
            may_open(files)
            assert resource.getrlimit(resource.RLIMIT_NOFILE) == (now, usual[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)


@pytest.mark.slow
def test_who_is_to_come_again_is_told_when(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(*_: Any, **__: Any) -> None:
        raise Refused(Code.BUSY, "Come again later.")

    monkeypatch.setattr(Workers, "run", run)
    refused = server.send("POST", "/reset", b"{}")
    assert (refused.status, refused.headers["retry-after"], refused.content["error"]["code"]) == (503, "1", "busy")


@pytest.mark.slow
def test_environments_end_by_time() -> None:
    with listening_at(application(Door(seconds=0.05))) as server, opened(server) as socket:
        told = json.loads(socket.recv(timeout=30))
        assert told["data"] == {"code": "SESSION_ERROR", "message": "Nothing came for 0.05 seconds."}


@pytest.mark.slow
def test_provers_that_take_long_hold_nobody_up_who_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    over, begun = threading.Event(), threading.Semaphore(0)

    def certify(session: Session, state_id: str, prover: str) -> dict[str, Any]:
        begun.release()
        return {"waited": over.wait(60)}

    monkeypatch.setattr(Session, "certify", certify)
    goals = {"call": "goals", "arguments": {"state_id": "s0"}}
    certify_it = {"call": "certify", "arguments": {"state_id": "s0", "prover": "coq"}}
    with listening_at(application()) as server, ExitStack() as stack:
        *asking, other = [stack.enter_context(opened(server)) for _ in range(MOST_WAITING + 4)]
        for socket in asking:
            socket.send(json.dumps({"type": "step", "data": certify_it}))
        assert begun.acquire(timeout=30) and begun.acquire(timeout=30)
        assert observed(said(other, {"type": "step", "data": goals}))["error"]["code"] == "unknown_state"
        over.set()
        assert [observed(json.loads(socket.recv(timeout=30))) for socket in asking] == [{"waited": True}] * len(asking)


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
        ("/reset", b"{", 400), ("/reset", b'{"lemma": "nonsense"}', 422), ("/stop", b"{}", 404), ("/health", b"", 405),
    ):  # fmt: skip
        refused = server.send("POST", path, body)
        assert (refused.status, list(refused.content)) == (status, ["error"])
    assert server.send("POST", "/mcp", b"{}").content["error"]["code"] == -32601
    assert server.send("GET", "/openapi.json").content["paths"].keys() >= {"/reset", "/step", "/state"}


@pytest.mark.slow
def test_web_sockets_come_in_only_past_the_guard(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused, opened(server, origin="http://elsewhere.example"):
        pass
    assert refused.value.response.status_code == 403
    with listening_at(application(token=TOKEN)) as guarded:
        for wrong in ("", "oasis:wrong@"):
            with pytest.raises(InvalidStatus) as refused, opened(guarded, wrong):
                pass
            assert json.loads(refused.value.response.body)["error"]["code"] == "forbidden"
        right: dict[str, Any] = {"additional_headers": {"Authorization": f"Bearer {TOKEN}"}}
        for user, settings in (("", right), (f"oasis:{TOKEN.replace(' ', '%20')}@", {})):
            with opened(guarded, user, **settings) as socket:
                assert said(socket, {"type": "reset"})["type"] == "observation"
        assert guarded.send("GET", "/state", headers={"Authorization": "Basic ?"}).status == 403


@pytest.mark.slow
def test_the_packages_own_client_plays_an_episode_and_its_own_check_finds_nothing() -> None:
    if not find_spec("openenv"):
        missing("openenv-core is not installed: pip install '.[openenv]'")
    (program,) = (each for each in re.findall(r"```python\n(.*?)```", DOORS, re.DOTALL) if "openenv" in each)
    check = """
from openenv.cli._validation import validate_running_environment

report = validate_running_environment("http://127.0.0.1:8765")
assert report["passed"] and not report["summary"]["failed_criteria"], report

from oasis.api.openenv_client import wait_for
from oasis.api.trl import ProofTools
from tactics.errors import InputError

there, here = ([ProofTools(server=server) for _ in range(64)] for server in ("http://127.0.0.1:8765", None))
for number, pair in enumerate(zip(there, here)):
    shown, expected = (tools.reset(f"A{number} -> A{number} /\\\\ B -> A{number}") for tools in pair)
    assert shown == expected
for rule in ("intro", "magic", "split", "intro", "assumption", "left"):
    for pair in zip(there, here):
        said, expected = (tools.apply(rule) for tools in pair)
        assert (said, pair[0]._proof.state) == (expected, pair[1]._proof.state)
assert all(tools.proved and tools.get_reward() == 1 for tools in there)
assert all(wait_for(tools._begun.client.state()).proved for tools in there)
try:
    ProofTools(server="http://127.0.0.1:8765").reset("A -> A")
except InputError as error:
    assert "64 environments are open" in str(error)
else:
    raise AssertionError("more environments than --sessions are open")
wait_for(there[0]._begun.client._ws.close())
assert there[0].reset("A -> A") == here[0].reset("A -> A"), "it comes again"
del there, pair
while True:  # as leaving takes a moment
    try:
        ProofTools(server="http://127.0.0.1:8765").reset("A -> A")
        break
    except InputError as error:
        assert "environments are open" in str(error)
"""
    with serving("--openenv", "--sessions", "64") as (process, server):
        command = [sys.executable, "-c", (program + check).replace("8765", str(server.port))]
        done = subprocess.run(command, env={**os.environ, **environment()}, capture_output=True, text=True, check=False)
        process.terminate()
    assert (done.returncode, done.stdout) == (0, "1.0 True 1\n"), done.stderr
