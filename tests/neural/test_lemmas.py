"""Lemmas as something to learn from: lines that can be read back and are true, splits, and what is left out."""

from __future__ import annotations

import gzip
import json
import os
import signal
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from curricula import propl, resolve
from curricula.propl_lemmas import published
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.training import lemmas
from oasis.neural.training.data import DataSettings
from oasis.neural.training.lemmas import Looked, look, of_curriculum, of_propl, to_learn
from oasis.neural.training.reserved import SPLITS, hundred, key, reserved_keys, split_of
from tactics.formula import atoms, renamed
from tactics.json_form import goal_from_json, move_from_json
from tactics.parser import parse
from tactics.rules import legal_moves, premises
from tests.commands import Oasis
from tests.neural.small import is_provable

SMALL = DataSettings(plays=2)


def written(oasis: Oasis, *arguments: str) -> list[dict[str, Any]]:
    said = oasis.ran("policy", "data", *arguments, "--workers", "0").stdout
    return [json.loads(line) for line in said.splitlines() if line]


def test_lines_are_read_back_and_say_what_is_true(oasis: Oasis) -> None:
    lines = written(oasis, "propl", "--count", "12")
    assert len({line["lemma"] for line in lines}) == 12
    for line in lines:
        goal = goal_from_json(line["goal"])
        assert line["provable"] and is_provable(goal)
        assert resolve(line["lemma"]).lemmas[0].formula is parse(line["formula"])
        moves = [move_from_json(move) for move in line["moves"]]
        assert {*moves} == {*legal_moves(goal)} and len(moves) == len(legal_moves(goal))
        assert {move["keeps"] for move in line["moves"]} == {True, False}
        for move, told in zip(moves, line["moves"], strict=True):
            left = [goal_from_json(premise) for premise in told["premises"]]
            assert list(map(formulas_of, left)) == list(map(formulas_of, premises(goal, move)))
            assert [premise["provable"] for premise in told["premises"]] == list(map(is_provable, left))
            assert told["keeps"] == all(map(is_provable, left))


def test_splits_are_disjoint_up_to_renaming_and_none_but_test_has_what_is_reserved(oasis: Oasis) -> None:
    counts = {"train": 12, "validation": 6, "test": 6}
    assert {*counts} == {*SPLITS}
    found = [
        {line["formula"] for line in written(oasis, "propl", "--count", str(count), "--split", name)}
        for name, count in counts.items()
    ]
    keys = [{key(parse(text)) for text in texts} for texts in found]
    assert [len(each) for each in keys] == [*counts.values()]
    assert len(set().union(*keys)) == sum(counts.values())
    assert {split_of(each) for each in reserved_keys()} == {"test"}
    assert not set().union(*keys) & reserved_keys()
    shares = [split_of(str(number).encode()) for number in range(4000)]
    assert shares.count("train") / 4000 == pytest.approx(0.8, abs=0.03)
    assert shares.count("validation") / 4000 == pytest.approx(0.1, abs=0.03)


def test_a_theorem_is_in_the_same_split_under_all_names() -> None:
    for entry in published()["propl-train"][:40]:
        formula = propl.formula(entry.number, entry.n)
        names = {atom.name: f"q{place}" for place, atom in enumerate(reversed(atoms(formula)))}
        assert look("one", formula, SMALL).split == look("other", renamed(formula, names), SMALL).split


def test_published_tests_are_never_in_train() -> None:
    hard = resolve("propl-test-hard").lemmas[:10]
    assert {looked.split for looked in of_curriculum(hard, SMALL, 0)} == {"test"}
    assert {looked.reason for looked in to_learn(hard, SMALL, 0)} == {"reserved for tests"}
    watched = look("watched", hundred()[0], SMALL)
    assert watched.split == "test" and watched.key in reserved_keys()


def test_what_is_left_out_is_told_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.lemmas"
    path.write_text("one : A -> A \\/ B\nagain : X -> X \\/ Y\nnone : A \\/ ~A\neasy : A -> A\n")
    found = {looked.lemma: looked.reason for looked in of_curriculum(resolve(str(path)).lemmas, SMALL, 0)}
    assert found == {
        "one": "",
        "again": "the same as another one, up to renaming",
        "none": "no theorem",
        "easy": "no wrong move in 2 plays",
    }
    monkeypatch.setattr(lemmas, "SECONDS", 0.05)
    assert look("SYJ202.8", resolve("SYJ202.8").lemmas[0].formula, SMALL).reason == "not played within 0.05 seconds"


@pytest.mark.thorough
@pytest.mark.slow
def test_processes_find_what_this_one_finds() -> None:
    here, there = (list(islice(of_propl(SMALL, workers), 60)) for workers in (0, 2))
    assert here == there
    thesis = resolve("thesis").lemmas
    assert list(of_curriculum(thesis, SMALL, 0)) == list(of_curriculum(thesis, SMALL, 2))


def test_a_file_is_compressed_if_its_name_says_so_and_none_is_overwritten(oasis: Oasis, tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    for path in (plain, packed):
        assert written(oasis, "thesis", "--plays", "1", "-o", str(path), "-q") == []
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes() != b""
    for arguments, sentence in (
        (["-o", str(plain)], "is there already"),
        (["--count", "3"], "--count is about propl"),
        (["--split", "all"], "--split is one of train, validation, test"),
        (["-o", str(tmp_path / "none" / "a")], "cannot be written"),
    ):
        assert sentence in oasis.refused("policy", "data", "thesis", *arguments, "--workers", "0")


def test_interrupting_leaves_complete_lines_and_says_how_many(
    oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(settings: DataSettings, workers: int) -> Iterator[Looked]:
        for place, looked in enumerate(of_propl(settings, workers)):
            if place == 5:
                os.kill(os.getpid(), signal.SIGINT)
            yield looked

    monkeypatch.setattr(lemmas, "of_propl", interrupted)
    said = oasis.stopped("policy", "data", "propl", "--count", "100000", "-o", "data.jsonl.gz", "--workers", "0")
    lines = gzip.decompress((tmp_path / "data.jsonl.gz").read_bytes()).decode().splitlines()
    assert said == f"Stopped; {len(lines):,} complete lines in data.jsonl.gz."
    assert 1 <= len({json.loads(line)["lemma"] for line in lines}) <= 6, "it ends with the lemma that it is at"
