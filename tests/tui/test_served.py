"""What the application takes of what is typed in a tab of a browser."""

from __future__ import annotations

import importlib
from typing import Any
from unittest.mock import Mock

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key, Resize

from oasis.server.nursery import DRIVER

TYPED = {
    "at once": ["\x1b[48;20000;20000;0;0t"],
    "in pieces": ["\x1b[48;20000", ";20000;0;0t"],
    "in a paste": ["\x1b[200~\x1b[48;20000;20000;0;0t\x1b[201~"],
}


@pytest.mark.parametrize("pieces", TYPED.values(), ids=TYPED)
async def test_a_size_that_is_typed_is_no_size(pieces: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textual.drivers.web_driver.InputReader", Mock())  # there is no pipe to read from
    taken: list[Any] = []
    module, _, name = DRIVER.partition(":")
    driver = getattr(importlib.import_module(module), name)(Mock())
    driver.send_message = taken.append
    parser = XTermParser()
    events = [event for piece in [*pieces, "a"] for event in parser.feed(piece)]
    assert any(isinstance(event, Resize) for event in events)
    for event in events:
        driver.process_message(event)
    assert [event.key for event in taken if isinstance(event, Key)] == ["a"]
    assert not any(isinstance(event, Resize) for event in taken)
