"""`oasis prove --search`: proofs of a lemma or a curriculum, found by trying; budgets, caches, Ctrl-C, bad input."""

import sqlite3
from io import StringIO
from pathlib import Path
from shutil import copyfile

import pytest
from rich.console import Console

from curricula.resolve import resolve_lemma
from oasis.cli.proving import _with_table
from oasis.play.solving import Budget
from oasis.search.best_first import BestFirst
from oasis.search.evolution.evolution import Evolution
from tactics.goal import initial
from tests.commands import Oasis, interrupted

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BEST_FIRST = ("--search", "best-first")


def test_a_curriculum_gets_a_table_and_what_one_lemma_taught_serves_the_next(oasis: Oasis) -> None:
    assert oasis.ran("prove", "thesis", "--levels", "1-3", *BEST_FIRST).stdout.rstrip().endswith("3 proved")
    both = {
        cache: oasis.json("prove", "SYJ203.3", *BEST_FIRST, "--cache", cache)["expansions"]
        for cache in ("disk", "none")
    }
    again = oasis.json("prove", "SYJ203.3", *BEST_FIRST, "--cache", "disk")
    assert (both["disk"], again["expansions"]) == (both["none"], 0)
    assert again["length"] == len(again["script"])


def test_a_policy_of_ones_own_is_named_by_module_and_object(oasis: Oasis, tmp_path: Path) -> None:
    copyfile(ROOT / "examples" / "own_policy.py", tmp_path / "own_policy.py")
    expansions = {}
    for policy in ("uniform", "own_policy:Cautious"):
        for search in ("best-first", "evolution"):  # which asks for values, too
            found = oasis.json("prove", "SYJ203.4", "--search", search, "--policy", policy)
            assert found["status"] == "proved"
            expansions[search, policy] = found["expansions"]
    assert expansions["best-first", "own_policy:Cautious"] < expansions["best-first", "uniform"] / 3


def test_a_student_proposes_what_it_has_learned(oasis: Oasis) -> None:
    oasis.ran("train", "SYJ203.3", "--episodes", "3000", "--quiet", "--certify", "none")
    run, nobody = (oasis.json("prove", "SYJ203.3", *BEST_FIRST, "--policy", policy) for policy in ("1", "uniform"))
    assert run["status"] == "proved"
    assert run["expansions"] < nobody["expansions"]


def test_plays_of_blind_actions_are_cut_at_the_first_error_and_resumed(oasis: Oasis) -> None:
    """By a policy that errs, and by a student that learned with such actions; what does not fit is refused."""
    rmaxts, blind = ("prove", "thesis/41", "--search", "rmaxts", "--seconds", "600"), ("--actions", "blind")
    costs = {actions: oasis.json(*rmaxts, "--actions", actions)["expansions"] for actions in ("legal", "blind")}
    assert costs["blind"] > costs["legal"]  # what fails is a decision, too
    oasis.ran("train", "thesis/41", *blind, "--forget-errors", "--quiet", "--certify", "none")
    learned = oasis.json(*rmaxts, *blind, "--policy", "1", "--workers", "2")
    assert (learned["status"], learned["workers"], learned["actions"]) == ("proved", 2, "blind")
    refused = {
        (*rmaxts, "--policy", "1"): "learned with --actions blind",
        (*rmaxts, *blind, "--policy", "first"): "--policy first is over legal moves",
        (*rmaxts, *blind, "--policy", "written:uniform"): "whole proofs may try anything",
        ("prove", "thesis/42", *BEST_FIRST, "--workers", "2"): "--workers goes with --search rmaxts or evolution",
        ("prove", "thesis/42", *BEST_FIRST, "--offspring", "2"): "--offspring goes with --search evolution",
    }
    for command, why in refused.items():
        assert why in oasis.refused(*command)


def test_an_evolution_has_settings_a_picture_of_its_drafts_and_a_table(oasis: Oasis) -> None:
    numbers = ("--generator", "continue", "--generator", "recombine", "--offspring", "2", "--prover", "best-first")
    found = oasis.json("prove", "SYJ201.1", "--search", "evolution", *numbers)
    assert (found["status"], found["generators"]) == ("proved", ["continue", "recombine"])
    drawn = oasis.ran("prove", "SYJ201.1", "--search", "evolution", *numbers, "--draw", "-").stdout
    assert "lemma: 0: Elo 1200" in drawn
    console = Console(width=80, file=StringIO(), record=True)
    (goal,) = initial(resolve_lemma("SYJ201.1").formula)
    for search in (Evolution(goal), BestFirst(goal), None):
        list(search.run(Budget(expansions=1)) if search else [])
        console.print(_with_table("one step", search))
    shown = console.export_text().splitlines()
    assert [line.split() for line in shown[:3]] == [
        ["one", "step"],
        ["draft", "Elo", "chosen", "open", "goals", "made", "by", "of"],
        ["0", "1200", "1", "1", "lemma"],
    ]
    assert shown[3:] == ["one step"] * 2


def test_a_cache_that_something_else_changed_is_refused_in_words(oasis: Oasis, tmp_path: Path) -> None:
    kept = (*BEST_FIRST, "--cache", "disk")
    oasis.ran("prove", "p -> p", *kept)
    with sqlite3.connect(tmp_path / "oasis.db") as database:
        database.execute("UPDATE goals SET rule = 'split'")
    assert "something else changed it" in oasis.refused("prove", "p -> p", *kept)
    with sqlite3.connect(tmp_path / "oasis.db") as database:
        database.execute("UPDATE goals SET rule = NULL, moves = NULL, place = NULL")
    assert "refutes a theorem" in oasis.refused("prove", "p -> p", *kept)


def test_shorter_proofs_are_looked_for_within_one_budget_and_lose_nothing(oasis: Oasis) -> None:
    shorter = oasis.json("prove", "SYJ203.4", *BEST_FIRST, "--shorter")
    assert (shorter["length"], shorter["bound"]) == (22, 22)
    plain = oasis.json("prove", "SYJ202.2", *BEST_FIRST)
    budget = str(plain["expansions"] + 5)
    cut = oasis.json("prove", "SYJ202.2", *BEST_FIRST, "--shorter", "--budget", budget)
    assert cut["status"] == "proved"
    assert cut["length"] == len(cut["script"]) <= plain["length"]
    assert cut["expansions"] <= plain["expansions"] + 5


def test_what_was_reached_can_be_drawn(oasis: Oasis, tmp_path: Path) -> None:
    oasis.ran("prove", "SYJ203.2", *BEST_FIRST, "--draw", "search.svg")
    assert "<title>SYJ203.2</title>" in (tmp_path / "search.svg").read_text()


def test_ctrl_c_gives_what_was_found_so_far(tmp_path: Path) -> None:
    command = ["prove", "iltp/SYJ203", "--levels", "1,2,12", *BEST_FIRST, "--seconds", "100"]
    stopped = interrupted(command, tmp_path, r"SYJ203\.12")
    assert "2 proved, 1 open" in stopped.stdout
    assert "Stopped; 1 lemma was left." in stopped.stderr
