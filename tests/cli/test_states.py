"""`oasis states` and `oasis same`: what they print, and what they say when something is wrong or cut short."""

import signal
import subprocess
from itertools import islice
from math import inf
from pathlib import Path
from subprocess import PIPE

import pytest

from oasis.cli import progress, states
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from state_spaces import STATE_SPACES
from state_spaces.reachable import Census
from tactics.sequent import parse_state
from tests.commands import START, Oasis, environment

pytestmark = pytest.mark.slow


def _rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.splitlines() if line.split() and "─" not in line]


def test_a_search_that_is_given_up_says_so(oasis: Oasis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_SILENT_SECONDS", inf)
    answer = oasis.ran("states", "SYJ203.3", "--limit", "1000", "--state-space", "simple")
    assert "at least 1,000" in answer.stdout
    assert answer.stderr == "The search was given up after 1,000 (--limit); there may be more.\n"
    listing = oasis("states", "SYJ203.3", "--list", "--limit", "1")
    assert listing.stderr == "The search was given up after 1 (--limit); there may be more.\n"
    content = oasis.json("states", "SYJ203.3", "--list", "--limit", "1")
    assert (content["state_space"], content["complete"]) == ("simple", False)
    assert content["states"] == listing.stdout.splitlines() and len(content["states"]) == 1


@pytest.mark.parametrize(
    ("space", "number", "notation"), [("simple", 9, "coq"), ("name", 9, "tptp"), ("match", 7, "unicode")]
)
def test_listed_states_are_read_back_and_all_differ(oasis: Oasis, space: str, number: int, notation: str) -> None:
    lines = oasis("states", "textbook/and_comm", "--list", "--state-space", space, "--format", notation).stdout
    read = [parse_state(line) for line in lines.splitlines()]
    assert len({STATE_SPACES[space]().view(state).key for state in read}) == len(read) == number
    assert read[0] == parse_state("|- p /\\ q -> q /\\ p")
    assert read[-1] == ()


def test_what_was_counted_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def count_a_little(census: Census) -> None:
        assert len(list(islice(census.count_goals(), 10))) == 10
        raise KeyboardInterrupt

    monkeypatch.setattr(progress, "watch_census", count_a_little)
    with pytest.raises(Stopped, match="there may be more") as stopped:
        states.states("SYJ203.2", state_space="simple")
    assert stopped.value.exit_code == EXIT_INTERRUPTED
    assert _rows(capsys.readouterr().out)[1:] == [["simple", "at", "least", "10", "–"]]


def test_ctrl_c_ends_a_list_with_one_sentence(tmp_path: Path) -> None:
    command = [*START, "states", "SYJ203.9", "--list"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=PIPE, stderr=PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("|- ")
    process.send_signal(signal.SIGINT)
    _, narration = process.communicate(timeout=60)
    assert process.returncode == EXIT_INTERRUPTED
    assert narration == "oasis: Stopped; there may be more than was counted so far.\n"


def test_a_long_count_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "_SILENT_SECONDS", 0)
    states.states("SYJ203.3", state_space="simple")
    captured = capsys.readouterr()
    assert "simple: 257 goals so far\n" in captured.err
    assert "simple: 12,801 states so far\n" in captured.err
    assert "so far" not in captured.out


def said_of(*verdicts: str) -> list[str]:
    return [f"{space:8}{verdict}" for space, verdict in zip(STATE_SPACES, verdicts, strict=True)]


@pytest.mark.parametrize(
    ("one", "other", "verdicts", "why"),
    [
        (
            "h : A, k : A -> B |- B; B |- A",
            "u : P -> Q, v : P |- Q; w : Q |- P",
            ("different", "the same", "the same"),
            ["Atoms: A ↦ P, B ↦ Q", "Hypotheses of goal 1: h ↦ v, k ↦ u", "Hypotheses of goal 2: H ↦ w"],
        ),
        (
            "h : A |- B; |- A",
            "u : P |- Q; |- P /\\ Q",
            ("different", "different", "the same"),
            [
                "Atoms of goal 1: A ↦ P, B ↦ Q",
                "Hypotheses of goal 1: h ↦ u",
                "",
                "In goal 2 no renaming of atoms turns the conclusion A into P /\\ Q.",
            ],
        ),
        ("proved", "proved", ("the same", "the same", "the same"), ["Atoms: none"]),
    ],
)
def test_the_same_states_are_shown_with_what_becomes_what(
    oasis: Oasis, one: str, other: str, verdicts: tuple[str, ...], why: list[str]
) -> None:
    assert oasis.ran("same", one, other).stdout.splitlines() == [*said_of(*verdicts), "", *why]


def test_states_come_from_files_and_standard_input(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "state.txt").write_text("h : A,\nk : A -> B\n|- B\n", encoding="utf-8")
    told = oasis.json("same", "state.txt", "-", typed="P -> Q, P ⊢ Q\n")
    assert told["bijection"] == {"atoms": {"A": "P", "B": "Q"}, "hypotheses": [{"h": "H0", "k": "H"}]}
