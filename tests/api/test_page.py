"""The OpenAPI page tells the truth: schemathesis sends what the page allows and what it does not."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig

from oasis.api import Limits
from oasis.api.calls import CALLS, HEADER
from oasis.api.sessions import Sessions
from tests.api.conftest import Server, running
from tests.thorough import examples

_REFUSED = [400, 404, 409, 413, 422]
_CONFIG = {
    "checks": {
        "negative_data_rejection": {"expected-statuses": [*_REFUSED, 405]},
        # An id may be no state's, and a text no formula; what the page says of their types is another matter.
        "positive_data_acceptance": {"expected-statuses": ["2xx", 404, 409, 422]},
    }
}
_SESSION = re.compile(r"[A-Za-z0-9_-]{32}")


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    with running(Sessions(Limits(seconds=2), most=1_000)) as server:
        yield server


@pytest.fixture(scope="module")
def session(own: Server) -> str:
    """A session that has a proof in `s5`, and a lemma without one in `s6`."""
    begun = own.begin()
    own.call(begun, "start", {"lemma": "textbook/and_comm"})
    own.call(begun, "simplify", {"state_id": "s0"})
    own.call(begun, "start", {"lemma": "A \\/ ~A"})
    return begun


@pytest.fixture(scope="module")
def page(own: Server) -> Any:
    return schemathesis.openapi.from_url(
        f"http://127.0.0.1:{own.port}/openapi.json", config=SchemathesisConfig.from_dict(_CONFIG)
    )


_PAGE = schemathesis.pytest.from_fixture("page")


@pytest.mark.slow
@_PAGE.parametrize()
@settings(max_examples=examples(24), suppress_health_check=list(HealthCheck), deadline=None)
def test_what_the_page_says_is_so(case: Any, session: str) -> None:
    """Ids of the right form are made those of a session and of states that there are, so that calls are answered."""
    if case.path != "/session" and _SESSION.fullmatch(str(case.headers.get(HEADER, ""))):
        case.headers[HEADER] = session
    if isinstance(case.body, dict) and isinstance(told := case.body.get("state_id"), str) and len(told) <= 200:
        case.body["state_id"] = f"s{len(told) % 8}"
    case.call_and_validate()


@pytest.mark.slow
def test_what_the_page_shows_is_answered(own: Server, session: str) -> None:
    for name, asked in CALLS.items():
        fields = asked.arguments
        required = {each: kind.example or "coq" for each, kind in fields.kinds.items() if each not in fields.defaults}
        if name in ("certify", "export"):
            required["state_id"] = "s5"
        reply = own.call(session, name, required)
        assert (name, reply.status) == (name, 200)
