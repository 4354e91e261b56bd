"""What a person prefers: read from their file, kept in it, and told in words when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactics.errors import InputError
from tui.preferences import Preferences, keep_theme, preferences_file, read_preferences


def test_theme_ascii_and_keys_are_read_and_colours_of_the_terminal_are_the_usual_ones_now(tmp_path: Path) -> None:
    path = tmp_path / "classroom.toml"
    assert read_preferences(path) == Preferences()
    path.write_text('theme = "nord"\nascii = true\n[keys]\nundo = "ctrl+z"\n')
    assert read_preferences(path) == Preferences("nord", True, {"undo": "ctrl+z"})
    path.write_text('theme = "ansi-dark"\nascii = true\n')
    assert read_preferences(path) == Preferences(None, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("theme = ", "cannot be read as preferences"),
        ('theme = "nrod"', "theme is one of"),
        ("ascii = 3", "ascii is one of True, False, not 3"),
        ("colour = 1", "A preference is one of theme, ascii, keys, not 'colour'"),
        ('[keys]\nundoo = "z"', "'undoo' is no command that could have a key; did you mean undo?"),
        ("[keys]\nundo = 3", "The key of undo must be text"),
        ("keys = 3", "keys must be a table"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_with_its_name(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "classroom.toml"
    path.write_text(text)
    with pytest.raises(InputError) as told:
        read_preferences(path)
    assert str(path) in str(told.value)
    assert said in str(told.value)


@pytest.mark.parametrize(
    "before",
    [
        None,
        "",
        '[keys]\nundo = "z"\n',
        'ascii = true\ntheme = "nord"\n[keys]\nredo = "y"\n',
        '# mine\nascii = true\n\n[keys]\ntheme = "t"\n',
        'ascii = true\nkeys.theme = "t"\n',
    ],
)
def test_a_theme_is_kept_and_everything_else_stays(tmp_path: Path, before: str | None) -> None:
    path = tmp_path / "new" / "classroom.toml"
    if before is not None:
        path.parent.mkdir()
        path.write_text(before)
    old = read_preferences(path)
    keep_theme(path, "gruvbox")
    keep_theme(path, "dracula")
    assert read_preferences(path) == Preferences("dracula", old.ascii_only, old.keys)
    kept = {line for line in (before or "").splitlines() if line != 'theme = "nord"'}
    assert kept <= set(path.read_text().splitlines())


def test_a_theme_that_cannot_be_kept_is_told_and_a_damaged_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "classroom.toml"
    path.write_text("[keys\n")
    for damaged in (path, path / "classroom.toml"):
        with pytest.raises(InputError, match="so the theme is not kept"):
            keep_theme(damaged, "nord")
    assert path.read_text() == "[keys\n"


def test_the_file_is_in_the_folder_of_the_user_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OASIS_PREFERENCES", raising=False)
    assert preferences_file().name == "classroom.toml"
    monkeypatch.setenv("OASIS_PREFERENCES", str(tmp_path / "mine.toml"))
    assert preferences_file() == tmp_path / "mine.toml"
