"""A headless Chromium that is told what to do through its DevTools protocol; as much of it as a person does."""

from __future__ import annotations

import asyncio
import base64
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

_KEYS = {"Enter": ("\r", 13), "Tab": ("\t", 9), "Escape": ("", 27), "ArrowDown": ("", 40)}

_NOTE_ADDRESS = """
    window.WebSocket = class extends window.WebSocket {
        constructor(address) { super(address); window.terminalAddress = address; }
    };
"""
"""The terminal's size in characters is in the address that it connects to."""


class Page:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, count(1)

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait until it is done."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            answer = await self._socket.receive_json(timeout=30)
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    async def evaluate(self, expression: str) -> Any:
        """What a JavaScript expression is."""
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    async def type(self, text: str) -> None:
        """Press the keys of a text."""
        for letter in text:
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def press(self, key: str) -> None:
        """Press a key that has a name."""
        text, code = _KEYS[key]
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **shared)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    async def click(self, x: float, y: float) -> None:
        """Click at a place, in pixels."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def wait_for(self, expression: str) -> Any:
        """What a JavaScript expression is when it is true at last."""
        for _ in range(300):
            if value := await self.evaluate(expression):
                return value
            await asyncio.sleep(0.1)
        raise TimeoutError(f"{expression} did not come true")

    async def screenshot(self, path: Path) -> None:
        """A picture of the page."""
        answer = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))


@asynccontextmanager
async def browsing(command: str, folder: Path, url: str) -> AsyncIterator[Page]:
    """A browser with one page, 1000 by 700 pixels."""
    options = [
        "--headless=new",
        "--no-sandbox",
        "--no-first-run",
        "--remote-debugging-port=0",
        "--window-size=1000,700",
    ]
    profile = folder / "profile"
    process = subprocess.Popen(
        [command, *options, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = await _first_line(profile / "DevToolsActivePort")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                target = next(each for each in await answer.json() if each["type"] == "page")
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                await page.call("Page.enable")
                await page.call("Page.addScriptToEvaluateOnNewDocument", source=_NOTE_ADDRESS)
                await page.call("Page.navigate", url=url)
                yield page
    finally:
        process.terminate()
        process.wait()


async def _first_line(path: Path) -> str:
    for _ in range(300):
        if path.exists() and (lines := path.read_text().splitlines()):
            return lines[0]
        await asyncio.sleep(0.1)
    raise TimeoutError(f"{path} did not appear")
