"""Every door gives the same bytes: a recorded script of 200 calls is played through each.

A door is a function of a call's name and its arguments that gives the bytes of the answer; it is opened as a context,
in which it has one session of its own that is new.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import fields
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any, Final

import gymnasium
import jsonschema
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import types
from mcp.client import Client
from websockets.sync.client import connect

from oasis.api import Limits, Session, answer, call, openenv
from oasis.api.answers import Proved, Refusal
from oasis.api.calls import CALLS
from oasis.api.gym.session import written
from oasis.api.http import configuration
from oasis.api.kinds import Kind, Page, kind_of
from oasis.api.mcp import server
from oasis.api.sessions import Sessions
from oasis.api.web_socket import WebSocketConnection
from oasis.ground.names import EXPORTS
from oasis.play.solving import Cost
from tests.api.conftest import WRONG, listening, running, speaking

Door = Callable[[str, dict[str, Any]], bytes]
Recorded = list[tuple[str, dict[str, Any], bytes]]
LENGTH: Final = 200
LIMITS: Final = Limits(seconds=60.0)
"""No answer of the script takes long, but a busy machine may take its time."""
_LEMMAS: Final = (
    "textbook/and_comm", "SYJ203.2", "A \\/ ~A", "é /\\ λ -> λ /\\ é", "textbook/or_comm", "((A -> B) -> A) -> A",
    "thesis/43", "~~(A \\/ ~A)", "(A /\\ B -> C) <-> (A -> B -> C)", "False -> A", "textbook/exchange",
)  # fmt: skip


def script(seed: int = 20) -> list[tuple[str, dict[str, Any]]]:
    """Return calls with arguments: right and wrong ones, about lemmas that are proved, lost, or have no proof."""
    random, session, asked = Random(seed), Session(LIMITS), list[tuple[str, dict[str, Any]]]()

    def ask(name: str, **arguments: Any) -> dict[str, Any]:
        asked.append((name, arguments))
        return call(session, name, arguments)

    wrong = cycle(WRONG)
    for lemma in cycle(_LEMMAS):
        state = ask("start", lemma=lemma)
        here = {"state_id": state["state_id"]}
        for name in random.sample(("decide", "countermodel", "hint", "proof_graph", "prove", "probabilities"), 2):
            ask(name, **here)
        while not state["proved"] and (moves := ask("goals", **here)["moves"]):
            place = random.choice(["conclusion", *(each["name"] for each in state["goals"][0]["hypotheses"])])
            ask("node", id=f"{here['state_id']}.0.{place}{random.choice(('', '.l', '.rl'))}")
            ask("premise", **here, rule=random.choice(("left", "imply4")), hypothesis=random.choice(("", "H", "H0")))
            ask("try_all", **here, alternatives=[[random.choice(moves), "left"], ["assumption"], [], ["split"] * 2])
            advised = ask("hint", **here, level=random.choice((1, 4, 4, 4))).get("move") or random.choice(moves)
            if random.random() < 0.2:
                state = ask("simplify", **here)
            else:
                then = random.choice(("intro", "assumption", "imply1 H", "imply1 H9"))
                state = ask("apply", **here, tactics=[advised, then], graph=random.random() < 0.5)
            here = {"state_id": state["state_id"]}
        ask("certify", **here)
        ask("export", **here, to=random.choice([*EXPORTS]))
        ask("premise", **here, rule="split")
        for name, arguments, _ in islice(wrong, 7):
            ask(name, **arguments)
        if len(asked) >= LENGTH:
            return asked[:LENGTH]
    raise AssertionError


@contextmanager
def _http() -> Iterator[Door]:
    with running(Sessions(LIMITS)) as server:
        session = server.begin()
        yield lambda name, arguments: server.call(session, name, arguments).body


@contextmanager
def _mcp(server: Any) -> Iterator[Door]:
    def asked(name: str, arguments: dict[str, Any]) -> bytes:
        told = {"graph": True, **arguments} if name == "apply" else arguments  # models are not told it unless they ask
        (content,) = portal.call(client.call_tool, name, told).content
        assert isinstance(content, types.TextContent)
        return content.text.encode()

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield asked


@contextmanager
def _mcp_over_http() -> Iterator[Door]:
    with speaking(Sessions(LIMITS)) as address, _mcp(address) as asked:
        session = json.loads(asked("new_session", {}))["session"]
        yield lambda name, arguments: asked(name, {**arguments, "session": session})


@contextmanager
def _openenv() -> Iterator[Door]:
    def asked(name: str, arguments: dict[str, Any]) -> bytes:
        socket.send(json.dumps({"type": "step", "data": {"call": name, "arguments": arguments}}))
        told: str = json.loads(socket.recv())["data"]["observation"]["answer"]
        return told.encode()

    door = openenv.application(openenv.Door(LIMITS))
    with (
        listening(configuration(door, WebSocketConnection)) as server,
        connect(f"ws://127.0.0.1:{server.port}/ws", proxy=None) as socket,
    ):
        yield asked


def _gymnasium() -> AbstractContextManager[Door]:
    environment = gymnasium.make("oasis/Session-v0", lemma="", max_steps=LENGTH + 1, limits=LIMITS)
    environment.reset()
    return nullcontext(lambda name, arguments: environment.step(written(name, arguments))[0].encode())


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    """The calls, and what Python answers to them."""
    session = Session(LIMITS)
    return [(name, arguments, answer(session, name, arguments)) for name, arguments in script()]


@pytest.mark.parametrize(
    "door",
    [
        *(pytest.param(each, marks=pytest.mark.slow) for each in (_http, _mcp_over_http, _openenv)),
        *(_gymnasium, lambda: _mcp(server(LIMITS))),
    ],
    ids=["HTTP", "MCP over HTTP", "OpenEnv", "Gymnasium", "MCP"],
)
def test_each_door_gives_the_same_bytes(door: Callable[[], AbstractContextManager[Door]], recorded: Recorded) -> None:
    with door() as asked:
        for place, (name, arguments, expected) in enumerate(recorded):
            assert asked(name, arguments) == expected, (place, name, arguments)


def test_answers_are_of_their_types_and_have_nothing_besides(recorded: Recorded) -> None:
    for name, _, told in recorded:
        content = json.loads(told)
        jsonschema.validate(content, _closed(kind_of(Refusal) if content.keys() == {"error"} else CALLS[name].answer))
    costs = {each.name for each in fields(Cost)} - {"seconds", "joules", "gpu_seconds"}
    proved = kind_of(Proved).schema(Page(LIMITS))
    assert proved["properties"].keys() - proved["required"] == costs


@cache
def _closed(answer: Kind) -> Any:
    """The schema of an answer, in which objects have no fields but those that are told."""

    def closed(schema: Any) -> Any:
        if isinstance(schema, list):
            return [closed(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        more = {"additionalProperties": False} if "properties" in schema else {}
        return {name: closed(each) for name, each in schema.items()} | more

    return closed(answer.schema(Page(LIMITS)))


def test_the_script_asks_everything_and_is_refused_in_many_ways(recorded: Recorded) -> None:
    answers = [json.loads(each) for _, _, each in recorded]
    assert len(recorded) == LENGTH
    assert {name for name, _, _ in recorded} == CALLS.keys()
    codes = Counter(each["error"]["code"] for each in answers if each.get("error"))
    assert codes.keys() == {
        "bad_argument", "bad_lemma", "bad_tactic", "illegal_move", "not_proved", "proved", "too_large", "unknown_node",
        "unknown_state",
    }  # fmt: skip
    assert sum(codes.values()) < LENGTH / 2 and any("certificate" in each for each in answers)
