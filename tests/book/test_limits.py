"""The limits that the pages of servers tell are those of the program."""

from __future__ import annotations

from oasis.api import guard, sessions, wire
from oasis.api.limits import Limits as Session
from oasis.server import code, power
from oasis.server.limits import LARGEST_MESSAGE, LARGEST_SIDE, Limits
from tests.book.pages import DOCS


def _page(name: str) -> str:
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


def test_the_doors_page_tells_the_limits_of_sessions_and_of_the_server() -> None:
    page, limits = _page("doors.md"), Session()
    assert (
        f"A session may have {limits.states:,} states, a call {limits.tactics:,} tactics, {limits.alternatives} "
        f"alternatives, texts of {limits.characters:,} characters and {limits.seconds:g} seconds, a state "
        f"{limits.size:,} nodes of formulas, and a body {guard.MOST_BYTES >> 20} MiB."
    ) in page
    assert (
        f"The server holds {wire.MOST_CONNECTIONS} connections and {guard.MOST_AT_ONCE} requests. Whoever does not end "
        f"the head of a request, or a body, within {wire.SECONDS:g} seconds, or does not take an answer within "
        f"{wire.READING_SECONDS:g}, is cut off; so is who sends a head of more than {wire.MOST_HEADER_BYTES >> 10} KiB "
        f"or more than {wire.MOST_WAITING} requests before one is answered."
    ) in page
    assert guard.SECONDS == wire.SECONDS
    assert f"it ends an hour after its last call, and {sessions.MOST} may be open" in page
    assert (sessions.SECONDS, sessions.UNBEGUN_SECONDS) == (3600, 60)
    assert "A session in which no lemma was started ends after a minute." in page


def test_the_serving_page_tells_how_much_a_visitor_can_use() -> None:
    page, limits = _page("serving.md"), Limits()
    for row in (
        f"| tabs in all | {limits.tabs} |",
        f"| tabs from one address | {limits.tabs_per_address};",
        f"| {limits.megabytes:,} MB; {limits.megabytes_before} MB until somebody has signed in |",
        f"| columns and rows | {LARGEST_SIDE} |",
        f"| a message from the page | {LARGEST_MESSAGE >> 10} kB |",
        f"| {limits.keys_at_once:,.0f} at once, and {limits.keys:g} a second;",
        f"| time to sign in | {limits.to_sign_in / 60:g} minutes |",
        f"| connections | {limits.connections:,} in all, {limits.connections_per_address} from one address |",
        f"| time for a request, and for reading its answer | {limits.to_ask:g} seconds |",
        f"| {limits.bytes_at_once / 2**20:g} MB at once, and {limits.bytes / 2**10:g} kB a second |",
        f"It has at least {code.SHORTEST_CODE} characters.",
        f"closes everything within {limits.to_quit + limits.to_end:g} seconds",
        f"the last {power.EVERY:g} seconds may be lost",
    ):
        assert row in page
    assert limits.to_ask == limits.to_read
