"""Answers and options of commands, texts of screens and public names of Python, as files that a person can read.

After a change that is meant, `scripts/golden` writes these files anew; the difference is committed with the change.
"""

import os
from collections.abc import Mapping
from difflib import unified_diff
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from tests.commands import Oasis
from tests.golden.stories import stories
from tests.golden.surface import options, surface
from tests.optional import missing
from tests.tui import conftest as screens
from tests.tui import test_snapshots
from tests.tui.rooms import NARROW, opened, shown

HERE: Final = Path(__file__).parent
RENEWS: Final = os.environ.get("OASIS_GOLDEN") == "renew"
STORIES: Final = {story.name: story for story in stories()}
SCREENS: Final = (
    "sign-in",
    "learn",
    "prove",
    "typing",
    "refused",
    "lost",
    "proved",
    "countermodel",
    "moment-none",
    "hint",
    "help",
    "export",
    "students",
    "page",
    "data",
)
"""Scenes of `tests.tui.test_snapshots` in which nobody works in another process."""

_failures_are_seen = screens._failures_are_seen
_passphrases_are_cheap = screens._passphrases_are_cheap
_style_sheets_are_parsed_once = screens._style_sheets_are_parsed_once
_frames_are_drawn_when_somebody_looks = screens._frames_are_drawn_when_somebody_looks
_idleness_is_seen_soon = screens._idleness_is_seen_soon
_nothing_changes = test_snapshots._nothing_changes


def check(answers: Mapping[str, str]) -> None:
    """Compare answers with the files of their names, or write these."""
    differences = []
    for name, answer in answers.items():
        path = HERE / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if RENEWS and answer != before:
            path.parent.mkdir(exist_ok=True)
            path.write_text(answer, encoding="utf-8")
        elif answer != before:
            old, new = before.splitlines(keepends=True), answer.splitlines(keepends=True)
            differences.append("".join(unified_diff(old, new, f"tests/golden/{name}", "now")))
    if differences:
        pytest.fail("\n".join([*differences, "If this was meant: scripts/golden"]), pytrace=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", STORIES)
def test_commands_answer_as_they_did(name: str, tmp_path: Path, oasis: Oasis) -> None:
    story = STORIES[name]
    if story.needs is not None and find_spec(story.needs) is None:
        missing(f"{story.needs} is not installed")
    check({f"commands/{file}": answer for file, answer in story.answers(tmp_path, oasis).items()})


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
async def test_screens_read_as_they_did(name: str, tmp_path: Path) -> None:
    scene = test_snapshots.SCENES[name]
    app = scene.open(tmp_path)
    async with opened(app, NARROW) as pilot:
        await scene.play(pilot)
        check({f"screens/{name}.txt": shown(app) + "\n"})


def test_python_and_commands_offer_what_they_did() -> None:
    check({"python.txt": surface(), "options.txt": options()})


def test_every_file_is_the_answer_of_one_command_or_screen() -> None:
    names = [name for story in STORIES.values() for name in story.commands]
    assert len(names) == len({*names}), "two commands have one name"
    expected = {*(f"commands/{name}" for name in names), *(f"screens/{name}.txt" for name in SCREENS)}
    kept = {path.relative_to(HERE).as_posix(): path for path in HERE.glob("[cs]*s/*.*")}
    for name in kept.keys() - expected if RENEWS else ():
        kept.pop(name).unlink()
    assert kept.keys() - expected == set(), "scripts/golden takes them away"


def test_typed_input_belongs_to_a_command() -> None:
    for story in STORIES.values():
        assert story.typed.keys() <= story.commands.keys(), story.name
