"""What the application does otherwise when it runs for a tab of a browser: it tells who signs in, and types no size.

A tab in which nobody signs in is closed after a while.
"""

from __future__ import annotations

from typing import Any, Literal, cast

from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.events import Resize
from textual.message import Message


class ServedDriver(WebDriver):
    """Textual's driver for browsers, with a size that the server alone tells.

    A terminal may also type its size (`ESC [ 48 ; rows ; columns ; … t`), of which the server would know nothing.
    """

    def process_message(self, message: Message) -> None:
        """Hand on what was typed, unless it is a size."""
        if not isinstance(message, Resize):
            super().process_message(message)


def tell_server(app: App[Any], what: Literal["signed_in", "signed_out"]) -> None:
    """Tell the server, if there is one."""
    if app.is_web:
        cast(WebDriver, app._driver).write_meta({"type": what})
