"""`oasis play` as a person at a pipe uses it."""

from __future__ import annotations

import pytest

from tests.commands import Oasis

pytestmark = pytest.mark.slow


def test_a_lemma_that_is_proved_ends_with_exit_code_0(oasis: Oasis) -> None:
    answer = oasis("play", "A -> B -> A", typed="intro\nintro\nmoves\nassumption\n")
    assert answer.returncode == 0
    assert answer.stderr == ""
    assert "Proved in 3 moves." in answer.stdout.splitlines()
    assert "\x1b" not in answer.stdout
    assert ">" not in answer.stdout.replace("->", "")


def test_who_leaves_or_reaches_the_end_of_the_input_has_not_proved_it(oasis: Oasis) -> None:
    for typed in ("intro\nquit\nintro\n", "intro\n", ""):
        answer = oasis("play", "textbook/and_comm", typed=typed)
        assert answer.returncode == 1
        assert answer.stderr == "oasis: The lemma is not proved.\n"


def test_errors_are_answers_and_end_nothing(oasis: Oasis) -> None:
    answer = oasis("play", "A -> A", "--format", "unicode", typed="split\nintro\nassumption\n")
    assert answer.returncode == 0
    assert "split: the conclusion is not of the form A /\\ B." in answer.stdout
    assert "  to prove: A → A" in answer.stdout
