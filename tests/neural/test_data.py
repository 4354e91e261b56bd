"""What is learned from: labels, portions of uniform theorems, lemmas as lines, and examples as text; without torch."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice, product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula import propl, resolve
from curricula.propl_lemmas import published
from oasis.neural.encoding.moves import formulas_of, options, unordered
from oasis.neural.encoding.nodes import encoded
from oasis.neural.installed import check_installed
from oasis.neural.labels import Labelled, Oracle, answered, shortest_length
from oasis.neural.training import data, lemmas, writing
from oasis.neural.training.data import Portion, losing, portion, theorems
from oasis.neural.training.lemmas import Looked, look, of_curriculum, of_propl, to_learn
from oasis.neural.training.reserved import SPLITS, hundred, key, reserved_keys, split_of
from oasis.neural.training.settings import DataSettings
from oasis.neural.training.stream import streamed
from oasis.search.ao_star import shortest_length as exactly_shortest
from tactics.errors import LibraryMissing
from tactics.formula import Formula, atoms, renamed
from tactics.json_form import goal_from_json, move_from_json
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import CAN_LOSE, legal_moves, premises
from tests.commands import Oasis, environment
from tests.neural.conftest import INSTALLED
from tests.neural.small import is_provable
from tests.optional import missing
from tests.strategies import formulas
from tests.thorough import examples

SMALL = DataSettings(plays=2)
FEW = DataSettings(theorems=5, plays=2)


def written(oasis: Oasis, *arguments: str) -> list[dict[str, Any]]:
    said = oasis.ran("policy", "data", *arguments, "--workers", "0").stdout
    return [json.loads(line) for line in said.splitlines() if line]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert "is there already" in oasis.refused("policy", "data", "thesis", "-o", str(plain), "--workers", "0")


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


@cache
def learned(settings: DataSettings = FEW, number: int = 3) -> Portion:
    """Return a portion for networks that relate nodes; tests only read it."""
    return portion(settings, number, encoded)


def test_reserved_theorems_are_left_out_of_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Formula] = []

    def noted(goal: tuple[Formula, ...], most: int) -> int | None:
        length = shortest_length(goal, most)
        if length is not None:
            found.append(goal[0])
        return length

    monkeypatch.setattr(data, "shortest_length", noted)
    before = portion(FEW, 0, encoded)
    assert len(found) == FEW.theorems
    keys = frozenset(map(key, found[:1]))
    monkeypatch.setattr(data, "reserved_keys", lambda: keys)
    after = portion(FEW, 0, encoded)
    assert len(found) == 2 * FEW.theorems + 1
    assert not any(np.array_equal(goal.tokens, before.goals[0].tokens) for goal in after.goals[:1])


def test_a_portion_has_both_kinds_of_goals_and_moves() -> None:
    assert 0 < learned().provable.mean() < 1
    for goal, keeps, provable in zip(learned().goals, learned().keeps, learned().provable, strict=True):
        assert len(goal.moves) == len(keeps)
        assert not len(keeps) or (provable and keeps.any() and not keeps.all())


def test_goals_without_a_losing_move_are_learned_from_where_that_is_asked_for() -> None:
    without, between, whole = (
        sum(len(keeps) > 0 and bool(keeps.all()) for keeps in learned(replace(FEW, certain=share)).keeps)
        for share in (0.0, 0.5, 1.0)
    )
    assert without == 0 < between < whole
    for met in data.theorems(replace(FEW, certain=1.0), 3):
        assert unordered((met.theorem,)) in met.labelled  # where every proof begins


def test_portions_take_turns_with_the_size_of_theorems() -> None:
    both = DataSettings(theorems=5, plays=2, connectives=(16, 40))
    few, many = (np.mean([len(goal.tokens) for goal in learned(both, number).goals]) for number in (0, 1))
    assert many > 1.3 * few
    assert learned(both, 0).digest == learned(FEW, 0).digest


def test_lemmas_of_ones_own_take_turns() -> None:
    texts = tuple(f"A{number} -> B \\/ A{number} \\/ C" for number in range(5))
    settings = DataSettings(theorems=2, plays=1, lemmas=texts)
    turns = [show(met.theorem) for number in range(5) for met in data.theorems(settings, number)]
    assert sorted(turns[:5]) == sorted(turns[5:]) == sorted(texts)


@pytest.mark.slow
def test_processes_make_the_portions_that_this_one_makes() -> None:
    here, there = (
        [made.digest for made in islice(streamed(partial(portion, FEW, form=encoded), 1, workers), 4)]
        for workers in (0, 2)
    )
    assert here == there
    assert len(set(here)) == 4


@given(
    formulas(["A", "B", "C"], max_steps=8, max_size=40), st.randoms(use_true_random=False), st.booleans(), st.booleans()
)
def test_labels_are_true_wherever_a_play_leads(formula: Formula, rng: Random, eager: bool, everywhere: bool) -> None:
    oracle = Oracle()
    if not oracle.provable((formula,)):
        return
    met = list(oracle.played((formula,), rng.random, eager, everywhere))
    for labelled in met:
        for move, keeps in zip(labelled.options, labelled.keeps, strict=True):
            assert keeps == all(map(is_provable, move.premises))
        assert any(labelled.keeps)
        if everywhere:
            assert labelled.options == options(labelled.formulas)
        else:
            assert not eager or {move.rule for move in labelled.options} <= CAN_LOSE
    if everywhere:
        assert any(not move.premises for labelled in met for move in labelled.options), "a goal was closed"
        assert eager or met[0].formulas == (formula,)


@pytest.mark.parametrize(("eager", "provable"), product((True, False), (True, False)))
def test_plays_that_somebody_chooses_for_meet_truly_labelled_goals(eager: bool, provable: bool) -> None:
    play = Oracle().play((parse("A -> (B \\/ C) \\/ (B \\/ A)"),), lambda: 0.5, eager)
    labelled: Labelled | None = next(play)
    seen = []
    while labelled is not None:
        seen.append(labelled)
        assert labelled.provable == is_provable(labelled.formulas)
        wanted = [place for place, keeps in enumerate(labelled.keeps) if keeps == provable]
        labelled = answered(play, (wanted or [0])[0])
    assert provable == all(each.provable for each in seen)
    assert losing(seen)


@settings(max_examples=examples(60))
@given(formulas(["A", "B"], max_steps=6, max_size=16))
def test_lengths_are_the_shortest_up_to_the_bound(formula: Formula) -> None:
    exact = exactly_shortest(formula, 10.0)
    for most in (1, 4, 6):
        assert shortest_length((formula,), most) == (exact if exact is not None and exact <= most else None)


def test_examples_come_back_as_they_were() -> None:
    met = theorems(DataSettings(theorems=5, plays=2), 0)
    found = list(chain.from_iterable(data.examples(each.labelled) for each in met))
    assert {example.provable for example in found} == {True, False}
    found += [each._replace(keeps=(True, *[None] * (len(each.keeps) - 1))) for each in found if each.keeps]
    assert writing.read(writing.written(found)) == found
    assert writing.read(writing.written(found[:1]) + writing.written(found[1:])) == found
    assert writing.read("") == []


@pytest.mark.parametrize(
    "line",
    [
        *("{", "[]", "3", "[[], true, []]", '[["A /\\\\"], true, []]', "[[3], true, []]", '[["A"],', '[["A"], true]'),
        *(f'[["A \\\\/ B"], true, {labels}]' for labels in ("[0]", "[0, 0]", "[1, 0, 1]", '[1, 0], {"A": true}')),
    ],
)
def test_other_text_is_refused(line: str) -> None:
    assert writing.read('[["A \\\\/ B"], true, [1, 0]]')
    with pytest.raises((TypeError, ValueError)):
        writing.read(line)


def test_the_libraries_of_networks_are_installed() -> None:
    if not INSTALLED:
        missing("torch or safetensors is not installed: pip install '.[neural]'")
    check_installed()


def test_a_library_that_is_missing_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.neural.installed._LIBRARIES", ("torch_that_nobody_has", "json"))
    sentence = r"need torch_that_nobody_has, not installed here: pip install .*\[neural\]"
    with pytest.raises(LibraryMissing, match=sentence):
        check_installed()


@pytest.mark.slow
def test_training_data_and_the_lookup_of_beliefs_need_no_torch() -> None:
    modules = "oasis.neural.training.lemmas, oasis.dagger.beliefs.belief, oasis.neural.beliefs.provability"
    program = f"import sys; sys.modules['torch'] = None; import {modules}"
    assert subprocess.run([sys.executable, "-c", program], env=environment(), check=False).returncode == 0


@pytest.mark.slow
def test_the_command_says_what_to_install(oasis: Oasis, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'torch' else find(name, *more)\n"
    )
    run = oasis.ran("policy", "sft", env=environment(PYTHONPATH=f"{tmp_path}:{environment()['PYTHONPATH']}"), code=3)
    assert run.stderr.count("\n") == 1 and "[neural]" in run.stderr
