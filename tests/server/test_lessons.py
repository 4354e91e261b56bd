"""Lessons of a class that is served: read by the server, told on its console, and handed to the tabs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import HandedLessons
from oasis.server import lessons as serving
from tests.server.serving import Visitor, pretending, soon
from tests.server.test_real_tabs import RIGHT, fill_in, give, reach


async def test_a_lesson_that_breaks_is_told_on_the_console_and_handed_out_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "EVERY", 0.01)
    lesson, path = tmp_path / "week.toml", tmp_path / "away" / "handed"
    lesson.write_text('lemmas = ["p -> p"]')
    followed = FollowedLessons([lesson])
    lesson.write_text("lemmas = [")
    following = asyncio.create_task(serving.follow(followed, path))
    assert await soon(lambda: "stay as they were (No such file or directory)" in caplog.text, 10)
    assert f"A lesson cannot be read, so it stays as it was: {lesson}" in caplog.text
    path.parent.mkdir()
    assert await soon(path.exists, 10)
    handed = HandedLessons(path)
    assert [each.name for each in handed.lessons] == ["week"] and handed.trouble
    lesson.write_text('title = "Now"\nlemmas = ["p -> p"]')
    assert await soon(lambda: handed.renew() and handed.lessons[0].title == "Now" and not handed.trouble, 10)
    assert "The lessons have changed" in caplog.text
    following.cancel()
    with suppress(asyncio.CancelledError):
        await following


@pytest.mark.some_days
@pytest.mark.slow
async def test_who_comes_when_a_lesson_is_broken_has_it_as_it_was(tmp_path: Path) -> None:
    lesson = tmp_path / "week.toml"
    lesson.write_text('title = "Conjunction"\nlemmas = ["textbook/and_comm"]')
    with pretending(tmp_path, real=True, lesson_files=[str(lesson)]) as server:
        lesson.write_text("lemmas = [")
        assert await soon(lambda: any(str(lesson) in line for line in server.said), 10)
        async with Visitor(server) as ada:
            await ada.knock()
            tab = await ada.tab()
            await fill_in(tab, "ada", RIGHT)
            await reach(tab, "once more")
            await give(tab, RIGHT)
            await tab.wait_for("Close (Esc)")
            await tab.type("\x1b")
            await tab.wait_for("Conjunction")
