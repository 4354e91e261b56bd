"""What is asked in the place for a student's own work: what to bring back, another passphrase."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from platformdirs import user_downloads_path
from textual.app import ComposeResult

from tactics.errors import InputError
from tui.screens.form import Form
from tui.widgets.line import Line, Pad, Secret


class BringBack(Form):
    """A file that was taken along, by its name or pasted.

    Args:
        bring: what is done with its text. Raises InputError or StoreError.
        has_files: whether the files here are this person's.
    """

    def __init__(self, bring: Callable[[str], Awaitable[None]], *, has_files: bool) -> None:
        if has_files:
            about = "Name the file and press Enter, or paste what is in it below, Tab to the button and Enter."
        else:
            about = (
                "Open the file that you took along in an editor, copy all of it, and paste it here; then Tab, Enter."
            )
        super().__init__("Bring your work back", about, "Bring it back")
        self._bring, self._has_files = bring, has_files

    def compose_lines(self) -> ComposeResult:
        """A name, where that says anything, and room for a text."""
        if self._has_files:
            yield Line(placeholder="The name of the file", id="file")
        yield Pad("pasted")

    async def fill_in(self) -> None:
        """Read it."""
        pasted = self.query_one(Pad).text
        file = self.query_one("#file", Line).value.strip() if self._has_files else ""
        if not pasted.strip() and not file:
            raise InputError(
                "There is nothing here yet; " + ("name a file or paste it." if self._has_files else "paste it.")
            )
        await self._bring(pasted if pasted.strip() else _content(Path(file).expanduser()))


class ChangePassphrase(Form):
    """The passphrase until now, if there is one, and the next one twice.

    Args:
        change: what is done with the next and the old one. Raises InputError or StoreError.
        has_one: whether there is one until now.
    """

    def __init__(self, change: Callable[[str, str | None], Awaitable[None]], *, has_one: bool) -> None:
        about = (
            "With it you come in from elsewhere, and nobody else does."
            if not has_one
            else "Type the one until now first."
        )
        super().__init__("Your passphrase", about, "Use it from now on")
        self._change, self._has_one = change, has_one

    def compose_lines(self) -> ComposeResult:
        """Two or three lines that nobody can read."""
        if self._has_one:
            yield Secret("Your passphrase until now", "old")
        yield Secret("Your passphrase from now on", "new")
        yield Secret("The same once more", "once-more")

    async def fill_in(self) -> None:
        """Change it."""
        if self._value("new") != self._value("once-more"):
            raise InputError("The two are not the same; type them again.")
        await self._change(self._value("new"), self._value("old") if self._has_one else None)

    def _value(self, line: str) -> str:
        return self.query_one(f"#{line}", Line).value


def _content(path: Path) -> str:
    """The text of a file, which may be among the downloads. Raises InputError."""
    downloaded = user_downloads_path() / path
    path = path if path.exists() or not downloaded.exists() else downloaded
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not text in UTF-8; name the file that you took along.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); name another file.") from None
