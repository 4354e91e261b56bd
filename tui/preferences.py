"""What a person prefers: theme, ASCII and keys, from a small TOML file of their own."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import tomlkit
from platformdirs import user_config_path
from textual.theme import BUILTIN_THEMES

from tactics.errors import InputError, check_choice
from tui.colours import OFFERED
from tui.commands import check_keys


@dataclass(frozen=True)
class Preferences:
    """What is in the file; what is not there is left open.

    Attributes:
        theme: the name of a theme that is offered; none for one that is not offered any more.
        ascii_only: whether nothing but ASCII is drawn.
        keys: other keys, by the name of the command.
    """

    theme: str | None = None
    ascii_only: bool = False
    keys: Mapping[str, str] = field(default_factory=dict)


def preferences_file() -> Path:
    """Where the file is, or would be: OASIS_PREFERENCES, else in the configuration folder of the user."""
    named = os.environ.get("OASIS_PREFERENCES")
    return Path(named) if named else user_config_path("oasis") / "classroom.toml"


def read_preferences(path: Path) -> Preferences:
    """What a file says; nothing if there is none. Raises InputError with the file and what is wrong in it."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read as preferences: {error}; mend or delete it.") from None
    try:
        return _checked(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _checked(content: dict[str, object]) -> Preferences:
    for key in content:
        check_choice("A preference", key, ("theme", "ascii", "keys"))
    theme, ascii_only, keys = content.get("theme"), content.get("ascii", False), content.get("keys", {})
    if theme is not None:
        check_choice("theme", theme, BUILTIN_THEMES)
    check_choice("ascii", ascii_only, (True, False))
    if not isinstance(keys, dict):
        raise InputError('keys must be a table, as in [keys] and under it undo = "ctrl+z".')
    check_keys(keys)
    return Preferences(str(theme) if theme in OFFERED else None, bool(ascii_only), keys)


def keep_theme(path: Path, theme: str) -> None:
    """Write the theme into the file and leave everything else in it as it is. Raises InputError."""
    try:
        content = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else "")
        content["theme"] = theme
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tomlkit.dumps(content), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}), so the theme is not kept.") from None
    except ValueError as error:
        raise InputError(f"{path} cannot be read as preferences ({error}), so the theme is not kept.") from None
