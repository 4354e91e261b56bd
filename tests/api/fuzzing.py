"""Calls that nobody should send, many at once, and what has to be true of every answer."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from random import Random
from typing import Any, Final
from urllib.parse import quote

from oasis.api.calls import CALLS, HEADER
from oasis.api.errors import Code
from oasis.api.guard import STATUS
from oasis.api.http import ROUTES
from oasis.ground.names import EXPORTS
from tactics.rules import RULES

_LEMMAS: Final = (
    "textbook/and_comm", "SYJ203.2", "SYJ201.1", "A \\/ ~A", "((A -> B) -> A) -> A", "~~(A \\/ ~A)", "SYJ202.1",
    "A <-> (B <-> (A <-> (B <-> (A <-> B))))", "\u00e9 /\\ \u03bb -> \u03bb", "A -> " * 200 + "A", "~" * 300 + "A",
)  # fmt: skip
_HUGE: Final = (
    lambda: {"state_id": "s0", "tactics": ["intro"] * 100_000},
    lambda: {"state_id": "s0", "tactics": ["x" * 1_000_000]},
    lambda: {"state_id": "s0", "alternatives": [["intro"] * 1_000] * 90},
    lambda: {"state_id": "s" * 1_000_000},
    lambda: {"lemma": "A" * 1_000_000},
    lambda: {"lemma": "A -> " * 200_000 + "A"},
    lambda: {"lemma": "(" * 1_000_000},
    lambda: {"lemma": "~" * 19_000 + "A"},
    lambda: {"lemma": "SYJ202.99999"},
)
_BODIES: Final = (
    b"", b"{", b"null", b"[" * 100_000, b'{"a":' * 50_000 + b"1" + b"}" * 50_000, b"\xff\xfe", b"9" * 10_000,
    b'{"state_id": NaN}', b'{"state_id": "\\ud800"}', b'{"state_id": "s0", "state_id": 1}', b"\x00" * 1_000,
    b" " * 2_000_000,
)  # fmt: skip
_EACH_SESSION: Final = 200


@dataclass
class Found:
    """How many calls were answered and refused, by codes, and sentences that say what should not have been."""

    calls: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def fuzz(port: int, calls: int, clients: int, seed: int) -> Found:
    """Send so many calls to a server, from several clients at once, each with one session after the other."""
    found = Found()
    with ThreadPoolExecutor(clients) as pool:
        for each in pool.map(lambda number: _one(port, calls // clients, Random(f"{seed}/{number}")), range(clients)):
            found.calls += each.calls
            found.codes += each.codes
            found.wrong += each.wrong
    return found


def _one(port: int, calls: int, random: Random) -> Found:
    found, session = Found(), ""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    for number in range(calls):
        if number % _EACH_SESSION == 0:
            _sent(connection, "DELETE", "/session", None, session or "x" * 32)
            session = json.loads(_sent(connection, "POST", "/session", None, "")[1])["session"]
            for lemma in random.sample(_LEMMAS, 3):
                _sent(connection, "POST", "/start", json.dumps({"lemma": lemma}).encode(), session)
                _sent(connection, "POST", "/simplify", b'{"state_id":"s0"}', session)
        method, path, body = _call(random)
        status, answer = _sent(connection, method, path, body, session if random.random() < 0.98 else "x" * 32)
        found.calls += 1
        if wrong := _wrong(status, answer, found.codes):
            found.wrong.append(f"{method} {path[:80]} {(body or b'')[:200]!r}: {wrong}")
    _sent(connection, "DELETE", "/session", None, session)
    connection.close()
    return found


def _wrong(status: int, answer: bytes, codes: Counter[str]) -> str:
    """Return what is wrong with an answer, empty for nothing."""
    try:
        content = json.loads(answer)
    except ValueError:
        return f"{status} with no JSON: {answer[:100]!r}"
    if status in (200, 201):
        return "" if content.keys() != {"error"} else f"{status} with an error"
    code, message = content["error"]["code"], content["error"]["message"]
    codes[code] += 1
    if code == Code.INTERNAL or status != STATUS.get(code, 422):
        return f"{status} {code}: {message}"
    return "" if message.endswith(".") and len(message) < 1_000 else f"{status} with no sentence: {message[:200]}"


def _sent(connection: HTTPConnection, method: str, path: str, body: bytes | None, session: str) -> tuple[int, bytes]:
    """Send a call; return the status and the answer. If the server ended the connection, the next request opens it."""
    try:
        connection.request(method, path, body, {HEADER: session} if session else {})
        reply = connection.getresponse()
        return reply.status, reply.read()
    except ConnectionError:  # the body is so large that the server refused before it was sent
        connection.close()
        return 413, json.dumps({"error": {"code": "too_large", "message": "Refused while it was sent."}}).encode()


def _call(random: Random) -> tuple[str, str, bytes | None]:
    """Draw a call, right or wrong: its method, path and body."""
    name = random.choice(sorted(CALLS))
    method, path = ROUTES[name]
    if method == "GET":
        places = _state(random), random.choice("019"), random.choice(("conclusion", "H", "x")), random.choice("lrx")
        place = ".".join(places)
        return method, path.format(id=quote(random.choice((place, place, str(_anything(random)))), safe="")), None
    chance = random.random()
    if chance < 0.02:
        return method, path, random.choice(_BODIES)
    if chance < 0.04:
        huge = random.choice(_HUGE)()
        asked = next(each for each in CALLS.values() if huge.keys() <= each.arguments.kinds.keys())
        return *ROUTES[asked.name], json.dumps(huge).encode()
    arguments = {each: _argument(each, random) for each in CALLS[name].arguments.kinds if random.random() < 0.95}
    if chance < 0.15:
        arguments[random.choice([*arguments, "other"])] = _anything(random)
    return method, path, json.dumps(_anything(random) if chance > 0.98 else arguments).encode()


def _state(random: Random) -> str:
    return f"s{random.randrange(random.choice((1, 4, 8, 30, 60)))}"


def _argument(name: str, random: Random) -> Any:
    of_kind: dict[str, Callable[[], Any]] = {
        "state_id": lambda: _state(random),
        "lemma": lambda: random.choice(_LEMMAS),
        "tactics": lambda: [_tactic(random) for _ in range(random.choice((0, 1, 1, 3, 8, 30)))],
        "alternatives": lambda: [
            [_tactic(random) for _ in range(random.randrange(4))] for _ in range(random.choice((0, 2, 20, 21)))
        ],
        "rule": lambda: random.choice([*RULES, "apply", "cut", ""]),
        "hypothesis": lambda: random.choice(("", "H", "H0", "conclusion", "\0")),
        "level": lambda: random.randrange(6),
        "policy": lambda: random.choice(("uniform", "look", "shape", "teacher", "json:loads")),
        "prover": lambda: random.choice(("native", "native", "oracle")),
        "solver": lambda: random.choice(("teacher", "best-first:first", "oracle", "json:loads")),
        "to": lambda: random.choice([*EXPORTS, "word"]),
    }
    return of_kind.get(name, lambda: random.choice((True, False, "true")))()


def _tactic(random: Random) -> Any:
    rule, hypothesis = random.choice([*RULES]), random.choice(("H", "H0", "H1", "H2"))
    return random.choice(
        (rule, f"{rule} {hypothesis}", {"rule": rule, "hypothesis": hypothesis}, {"rule": rule}, f"{rule}; {rule}", "")
    )


def _anything(random: Random, depth: int = 4) -> Any:
    """Draw some JSON."""
    kinds: list[Any] = [None, True, -1, 10**400, 1e308, "", "s0", "\u00e9\0\ud7ff", "x" * 300, _state(random)]
    if depth and random.random() < 0.4:
        inner = [_anything(random, depth - 1) for _ in range(random.randrange(4))]
        return inner if random.random() < 0.5 else {str(each)[:20]: each for each in inner}
    return random.choice(kinds)
