"""A headless Chromium that is told what to do through its DevTools protocol; as much of it as a person does."""

import asyncio
import base64
import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, cast

import aiohttp

_KEYS = {"Enter": ("\r", 13), "Tab": ("\t", 9), "Escape": ("", 27)}

_FIND_TERMINAL = """
    Object.defineProperty(Object.prototype, "fitAddon", {
        configurable: true,
        set(addon) {
            window.theTerminal = this.terminal;
            Object.defineProperty(this, "fitAddon", { value: addon, writable: true });
        },
    });
"""
"""The terminal is an attribute of an object that the page keeps to itself, and its `fitAddon` is set after it."""
_SHOWN = """
    Array.from({ length: window.theTerminal?.rows ?? 0 }, (_, row) =>
        window.theTerminal.buffer.active.getLine(row).translateToString(true)).join("\\n")
"""


class Navigated(Exception):
    """The page became another one while it was asked something."""


class Page:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, count(1)

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command to the browser and wait for its answer. Raises Navigated."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        answer: dict[str, Any] = {}
        while answer.get("id") != number:
            answer = await self._socket.receive_json(timeout=30)
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise Navigated(answer["error"]["message"])
        assert "error" not in answer, answer
        return cast("dict[str, Any]", answer["result"])

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression. Raises Navigated."""
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

    async def until_shown(self, *texts: str, without: str = "") -> str:
        """Wait until the terminal shows these texts and another one no more; return what it shows."""
        is_there = f"{json.dumps(texts)}.every(text => shown.includes(text))"
        is_gone = f"!({json.dumps(without)} && shown.includes({json.dumps(without)}))"
        return str(await self.wait_for(f"(shown => {is_there} && {is_gone} && shown)({_SHOWN})", else_tell=_SHOWN))

    async def click_at(self, text: str, within: str = "") -> None:
        """Click at a text, the last one of the line in which another one is, or of the first line that has it."""
        lines = (await self.until_shown(within or text)).splitlines()
        row = next(row for row, line in enumerate(lines) if (within or text) in line)
        column = lines[row].rindex(text) + len(text) // 2
        box = "document.querySelector('.xterm-screen').getBoundingClientRect()"
        left, top, width, height = [await self.evaluate(f"{box}.{side}") for side in ("x", "y", "width", "height")]
        columns, rows = [await self.evaluate(f"window.theTerminal.{size}") for size in ("cols", "rows")]
        await self.click(left + (column + 0.5) / columns * width, top + (row + 0.5) / rows * height)

    async def wait_for(self, expression: str, else_tell: str = "''") -> Any:
        """Wait until a JavaScript expression is true; return its value. If it never is, report another one."""
        for _ in range(600):
            with suppress(Navigated):  # one page follows another
                if value := await self.evaluate(expression):
                    return value
            await asyncio.sleep(0.1)
        raise TimeoutError(f"{expression} did not come true: {await self.evaluate(else_tell)}")

    async def screenshot(self, path: Path) -> None:
        """A picture of the page."""
        answer = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))


@asynccontextmanager
async def browsing(command: str, folder: Path, url: str) -> AsyncIterator[Page]:
    """Open a browser with one page, 1000 by 700 pixels."""
    options = "--headless=new --no-sandbox --no-first-run --remote-debugging-port=0 --window-size=1000,700"
    profile, nowhere = folder / "profile", subprocess.DEVNULL
    call = [command, *options.split(), f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(call, stdout=nowhere, stderr=nowhere)
    try:
        port = await _first_line(profile / "DevToolsActivePort")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json") as answer:
                target = next(each for each in await answer.json() if each["type"] == "page")
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                await page.call("Page.enable")
                await page.call("Page.addScriptToEvaluateOnNewDocument", source=_FIND_TERMINAL)
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
