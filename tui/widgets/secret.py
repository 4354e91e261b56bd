"""A line for a passphrase."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input


class Secret(Input):
    """Shows an asterisk for each character, which every font has."""

    def __init__(self, placeholder: str, name: str) -> None:
        super().__init__(placeholder=placeholder, password=True, id=name)

    @property
    def _value(self) -> Text:
        return Text("*" * len(self.value), no_wrap=True, overflow="ignore", end="")
