"""A lesson that changes while a class works: it is read again, and a broken one changes nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oasis.classroom.lessons.following import FollowedLessons, read_lessons
from oasis.classroom.lessons.handing import HandedLessons, hand_out
from tactics.errors import InputError

ONE, TWO = 'lemmas = ["textbook/and_comm"]', 'lemmas = ["textbook/and_comm", "textbook/or_comm"]'


def names(followed: FollowedLessons) -> list[str]:
    """The exercises of the lesson."""
    return [exercise.name for lesson in followed.lessons for exercise, _ in lesson.exercises]


def test_a_changed_lesson_is_read_again_once(tmp_path: Path) -> None:
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    followed = FollowedLessons([path])
    assert not followed.renew()
    path.write_text(TWO)
    assert followed.renew() and not followed.renew()
    assert names(followed) == ["textbook/and_comm", "textbook/or_comm"]


def test_a_file_that_says_the_same_is_no_change(tmp_path: Path) -> None:
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    followed = FollowedLessons([path])
    path.write_text(f"# a remark\n{ONE}")
    assert not followed.renew()
    os.utime(path, (1, 1))
    assert not followed.renew()


def test_a_broken_or_missing_lesson_stays_as_it_was_and_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    followed = FollowedLessons([path])
    path.write_text("lemmas = [")
    assert followed.renew() and not followed.renew()
    assert followed.trouble.startswith(f"A lesson cannot be read, so it stays as it was: {path}")
    assert names(followed) == ["textbook/and_comm"]
    path.unlink()
    assert followed.renew() and not followed.renew()
    path.write_text(TWO)
    assert followed.renew()
    assert (followed.trouble, len(names(followed))) == ("", 2)


def test_a_lesson_that_was_never_read_is_none_with_a_sentence(tmp_path: Path) -> None:
    followed = FollowedLessons([tmp_path / "week.toml"])
    assert followed.lessons == () and "There is no file" in followed.trouble
    assert FollowedLessons([]).lessons == () and not FollowedLessons([]).renew()


def test_several_lessons_are_followed_and_no_two_of_one_name(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text(ONE)
    two.write_text(f'name = "one"\n{TWO}')
    with pytest.raises(InputError, match="Two lessons are called one; give one of them another name"):
        read_lessons([one, two])
    followed = FollowedLessons([one, two])
    assert (len(followed.lessons), "Two lessons are called one" in followed.trouble) == (1, True)
    two.write_text(TWO)
    assert followed.renew()
    assert ([lesson.name for lesson in followed.lessons], followed.trouble) == (["one", "two"], "")
    assert followed.lessons == read_lessons([one, two])


def test_who_comes_when_a_lesson_is_broken_is_handed_it_as_it_was(tmp_path: Path) -> None:
    path, by_way_of = tmp_path / "week.toml", tmp_path / "handed"
    path.write_text(ONE)
    followed = FollowedLessons([path])
    hand_out(followed, by_way_of)
    before = HandedLessons(by_way_of)
    assert before.lessons == followed.lessons and not before.renew()
    path.write_text("lemmas = [")
    assert followed.renew()
    hand_out(followed, by_way_of)
    after = HandedLessons(by_way_of)
    assert after.lessons == before.lessons != () and after.trouble == followed.trouble != ""
    assert before.renew() and before.trouble == after.trouble
    assert not before.renew()
