"""`oasis dagger explain` and `oasis dagger terms`, and R† wherever a reward is named; all in this process."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from typer.main import get_command
from typer.testing import CliRunner, Result

from oasis.cli.main import _told, app
from oasis.dagger import sentences
from oasis.dagger.fitting import fitted_named
from oasis.dagger.making import _fitted, dagger
from oasis.dagger.weights import NAMES, presets
from oasis.store import Store
from oasis.student.settings import Settings
from tactics.errors import InputError, LibraryMissing

LEMMA, PROOF = "A /\\ B -> B /\\ A", "intro; destruct_and H; split; assumption; assumption"
FEW = ("--learner", "q-learning", "--episodes", "5", "--certify", "none")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _fitted.cache_clear()  # every test has an oasis.db of its own


def oasis(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def answer(*arguments: str) -> Any:
    done = oasis(*arguments, "--json")
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout)


def refused(*arguments: str) -> str:
    """The sentence with which something is refused."""
    error = oasis(*arguments).exception
    assert isinstance(error, Exception)
    sentence, exit_code = _told(error)
    assert exit_code == 2 and "\n" not in sentence, sentence
    return sentence


def fitted(name: str, lemma: str, db: str = "oasis.db") -> None:
    assert oasis("dagger", "fit", lemma, "--plays", "2", "--test-share", "0", "--name", name, "--db", db).exit_code == 0


def written(command: Any) -> Iterator[str]:
    """All that the help of a command and of those below it says."""
    yield from (each.help for each in (command, *command.params) if getattr(each, "help", None))
    for below in getattr(command, "commands", {}).values():
        yield from written(below)


def test_help_is_shown_as_it_is_written() -> None:
    texts = [*written(get_command(app))]
    assert any("dagger:seed:P=0.3" in text for text in texts)
    named = [text for text in texts if "sparse" in text]
    assert len(named) >= 3 and all(preset in text for text in named for preset in presets())
    assert [Text.from_markup(text).plain for text in texts] == texts  # which makes :sound: a picture of a loudspeaker


def test_a_script_is_explained_step_by_step() -> None:
    done = oasis("dagger", "explain", LEMMA, PROOF)
    assert done.exit_code == 0 and done.stderr == ""
    for words in (
        "R† in its sound reading (dagger:sound): γ 0.9, belief bayes, knowledge default.",
        "3. split  →  2 goals: H : A, H0 : B ⊢ B",
        "opens 1 goal: 2 open",
        "The whole script",
        "A proof in 5 steps.",
        "comes on top of the last step: C_beta -0.1000.",
        "set against itself, as no proof was",
        "The value of E, H and G is a mean over the states after the steps; paid are the differences",
    ):
        assert words in done.stdout
    shortened, whole = done.stdout, oasis("dagger", "explain", LEMMA, PROOF, "--all").stdout
    assert shortened.count("A_gamma") == 1 and whole.count("A_gamma") == 6


def test_weights_readings_and_options_are_chosen(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("[weights]\nC = 2\n[options]\ndepth = 2")
    assert answer("dagger", "explain", LEMMA, PROOF, "--weights", "my.toml")["total"] == 2
    seed = answer("dagger", "explain", LEMMA, PROOF, "--reading", "seed", "--gamma", "1")
    assert (seed["reading"], seed["episode"]["P"], seed["weights"]["G"]) == ("seed", 0.5, 1)
    changed = answer("dagger", "explain", LEMMA, PROOF, "--weights", "dagger:sound:P=0.3", "--reading", "seed")
    assert (changed["reading"], changed["weights"]["P"]) == ("seed", 0.3)
    exact = oasis("dagger", "explain", LEMMA, PROOF, "--belief", "exact", "--json")
    assert json.loads(exact.stdout)["leaks"] and "knows the truth" in exact.stderr


def test_an_attempt_that_is_no_proof_is_explained_and_no_attempt_refused() -> None:
    assert "Stuck after 2 steps: no rule applies" in oasis("dagger", "explain", "A -> B \\/ A", "intro; left").stdout
    assert "A dead end can pay more than 0" in oasis("dagger", "explain", "A -> B \\/ A", "intro; left").stdout
    assert "stops after 1 step with 1 goal open" in oasis("dagger", "explain", "A -> A", "intro").stdout
    assert refused("dagger", "explain", "A -> A", "split").startswith("Step 1: split: ")
    assert "split is not" not in refused("dagger", "explain", "A -> A", "jump")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--reading", "red"), "--reading is one of seed, sound"),
        (("--weights", "heavy"), "There are no weights 'heavy'"),
        (("--weights", "dagger:sound:PP=1"), "There is no 'PP'; did you mean P?"),
        (("--weights", "sound:PP=1"), "There is no 'PP'; did you mean P?"),
        (("--belief", "nobody"), "belief is one of knn"),
        (("--belief", ""), "belief is a name, not ''"),
        (("--knowledge", "none"), "There is no database to find none in"),
        (("--gamma", "2"), "--gamma must lie between 0 and 1"),
        (("--plot", "here.jpg"), "here.jpg should end in"),
        (("--student", "1", "--gamma", "1"), "leave --gamma out"),
        (("--student", "1"), "There is no database oasis.db yet"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_a_sentence(options: tuple[str, ...], says: str) -> None:
    assert says in refused("dagger", "explain", LEMMA, PROOF, *options)


@pytest.mark.slow
def test_a_picture_is_drawn(tmp_path: Path) -> None:
    for script, name in ((PROOF, "one.svg"), ("", "empty.png")):
        assert oasis("dagger", "explain", LEMMA, script, "--plot", name).exit_code == 0
    assert b"<svg" in (tmp_path / "one.svg").read_bytes() and (tmp_path / "empty.png").stat().st_size > 1000


def test_the_sixteen_terms_are_shown() -> None:
    content = answer("dagger", "terms")
    assert [term["name"] for term in content["terms"]] == [*NAMES]
    progress = content["terms"][1]
    assert progress["seed"]["formula"] == "(n − n′) / max(1, n), at least −1"
    assert (progress["sound"]["least"], progress["sound"]["weight"]) == (None, 0.1)
    for reading in ("seed", "sound"):
        shown = oasis("dagger", "terms", "--reading", reading).stdout
        assert all(name in shown for name in NAMES) and f"R† in its {reading} reading" in shown


@pytest.mark.slow
def test_weights_are_recorded_so_that_no_file_is_needed(tmp_path: Path) -> None:
    weights = tmp_path / "my.toml"
    weights.write_text("[weights]\nC = 1\nR_alpha = 0.5")
    recorded = "dagger:correct:R_alpha=0.5"
    for options in (("dagger", "--weights", "my.toml"), ("dagger:my.toml",)):
        run = answer("train", "SYJ203.1", "--reward", *options, *FEW)
        assert run["settings"]["reward"] == recorded
    weights.unlink()
    assert answer("runs", "show", "1")["settings"]["reward"] == recorded
    assert answer("train", "SYJ203.1", "--student", "1", *FEW)["settings"]["reward"] == recorded
    said = answer("dagger", "explain", "A -> A", "intro", "--student", "1")
    assert (said["reward"], said["gamma"]) == (recorded, 0.9)
    assert "goes with" not in refused("train", "--resume", "--run", "1", "--reward", "dagger:seed")


@pytest.mark.slow
def test_what_does_not_go_together_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[weights]\nP = 'much'")
    for command in ("train", "compare", "sharing"):
        assert "--weights says all about --reward dagger" in refused(command, "SYJ203.1", "--weights", "seed")
        assert "bad.toml: The weight of P is a number" in refused(
            command, "SYJ203.1", "--reward", "dagger", "--weights", "bad.toml"
        )
    assert "There is no database to find mine in" in refused("train", "A", "--reward", "dagger:sound:knowledge=mine")
    assert oasis("train", "SYJ203.1", *FEW).exit_code == 0
    assert "is paid by terminating; choose a run with --reward dagger." in refused(
        "dagger", "explain", "A", "", "--student", "1"
    )
    assert "Nothing fitted is called mine in oasis.db" in refused(
        "train", "A", "--reward", "dagger:sound:knowledge=mine"
    )


def test_a_reward_that_leaks_and_a_clip_that_bites_are_remarked_on() -> None:
    done = oasis("train", "SYJ203.1", "--reward", "dagger:seed:clip=0.5:belief=exact", *FEW)
    assert "knows which goals are provable: what is learned from it was told, not found." in done.stderr
    assert "The clip of R†, ±0.5, bit " in done.stderr


@pytest.mark.slow
def test_a_run_does_not_go_on_with_other_knowledge_or_without_it(tmp_path: Path) -> None:
    fitted("mine", "A -> A", "one.db")
    fitted("mine", "B \\/ A -> A \\/ B", "two.db")
    reward = "dagger:sound:knowledge=mine"
    assert oasis("train", "SYJ203.1", "--reward", reward, *FEW, "--db", "one.db").exit_code == 0
    with Store(tmp_path / "one.db") as one, Store(tmp_path / "two.db") as two:
        other, version = (two.fitted("mine")[each] for each in ("content", "version"))
        assert one.fitted("mine")["content"] != other
    with sqlite3.connect("one.db") as db:
        db.execute("UPDATE fitted SET content = ?, version = ?", (other, version))
    _fitted.cache_clear()  # as in a process of its own
    goes_on = ("train", "SYJ203.1", "--student", "1", "--db", "one.db", "--certify", "none")
    assert "The weights or the knowledge of the reward R† are not those" in refused(*goes_on)
    with sqlite3.connect("one.db") as db:
        db.execute("UPDATE fitted SET content = ?", (other[:100],))
    _fitted.cache_clear()
    assert refused(*goes_on).startswith("mine in one.db: This is no fit as oasis dagger fit gives it")
    with sqlite3.connect("one.db") as db:
        db.execute("DELETE FROM fitted")
    _fitted.cache_clear()
    assert "Nothing fitted is called mine in one.db" in refused(*goes_on)
    assert answer("runs", "show", "1", "--db", "one.db")["settings"]["reward"] == reward


@pytest.mark.slow
def test_a_student_in_plain_python_does_not_go_on_with_other_knowledge_either(tmp_path: Path) -> None:
    fitted("mine", "A -> A")
    fitted("other", "B \\/ A -> A \\/ B")
    plain = ("--learner", "tests.student.plugins:HALFWAY", "--episodes", "5", "--certify", "none")
    assert oasis("train", "SYJ203.1", "--reward", "dagger:correct:K_c=0.1:knowledge=mine", *plain).exit_code == 0
    goes_on = ("train", "SYJ203.1", "--student", "1", "--certify", "none")
    assert oasis(*goes_on).exit_code == 0
    with sqlite3.connect("oasis.db") as db:
        db.execute("UPDATE lemmas SET finished = 0 WHERE run = 1")
        db.execute("UPDATE runs SET finished = NULL WHERE id = 1")
    resumes = ("train", "--resume", "--run", "1", "--certify", "none")
    assert oasis(*resumes).exit_code == 0
    with sqlite3.connect("oasis.db") as db:
        db.execute("UPDATE lemmas SET finished = 0 WHERE run = 1")
        db.execute("UPDATE runs SET finished = NULL WHERE id = 1")
        db.execute(
            "UPDATE fitted SET (content, version) = (SELECT content, version FROM fitted WHERE name = 'other') "
            "WHERE name = 'mine'"
        )
    _fitted.cache_clear()
    for command in (goes_on, resumes):
        assert "The weights or the knowledge of the reward R† are not those" in refused(*command)
    with sqlite3.connect("oasis.db") as db:
        db.execute("UPDATE snapshots SET content = 'nothing'")
    assert "is damaged in the database" in refused(*resumes)


@pytest.mark.slow
def test_rewards_are_compared_and_workers_find_what_was_fitted() -> None:
    fitted("mine", "A -> A", "one.db")
    rewards = ("--reward", "terminating,dagger:sound:knowledge=mine", "--db", "one.db", "--workers", "2")
    found = answer("compare", "SYJ203.1", *rewards, *FEW, "--seeds", "2")
    assert [each["name"] for each in found["variants"]] == ["terminating", "dagger:sound:knowledge=mine"]


def test_a_file_of_knowledge_is_recorded_with_its_version_and_no_other_is_taken_for_it(tmp_path: Path) -> None:
    file, name = tmp_path / "k.json", "dagger:correct:G=0.1:knowledge=./k.json"
    for lemma in ("A -> A", "B \\/ A -> A \\/ B"):
        knowledge = ("--plays", "2", "--test-share", "0", "-o", "k.json")
        assert oasis("dagger", "fit", lemma, *knowledge).exit_code == 0
        version = fitted_named("./k.json", None)[0].version
        settings = Settings(reward=name)
        assert settings.reward == f"{name}@{version}" and Settings(reward=settings.reward) == settings
        if lemma == "A -> A":
            first = settings.reward
            assert oasis("train", "A -> A", "--reward", name, *FEW).exit_code == 0
            os.utime(file, ns=(1, 1))  # however soon it is written again
    with pytest.raises(InputError, match=rf"^\./k\.json is {version} by now, and not 1-\w+, which this goes on with"):
        Settings(reward=first)
    for student in ((), ("--reward", name)):
        said = refused("train", "A -> A", "--student", "1", *student, "--certify", "none")
        assert said.startswith(f"./k.json is {version} by now"), said
    file.unlink()
    assert "./k.json cannot be read" in refused("train", "A -> A", "--reward", first)


def test_it_is_said_that_a_learner_compared_asks_for_no_reward() -> None:
    few = ("--episodes", "2", "--seeds", "2", "--engine", "serial", "--certify", "none")
    done = oasis("compare", "A -> A", "--learner", "and-or-q", "--reward", "terminating,dagger:sound,dagger:seed", *few)
    assert done.exit_code == 0
    assert "and-or-q is there once, whatever is given for reward." in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("dagger", "explain", LEMMA, PROOF, "--weights"),
        ("train", "A -> A", *FEW, "--reward"),
    ],
)
def test_without_the_language_model_it_is_said_what_to_install(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "find_spec", lambda name: None)
    sentences._model.cache_clear()
    error = oasis(*command, "dagger:correct:A_gamma=1:embedding=sentence").exception
    assert isinstance(error, Exception)
    said, exit_code = _told(error)
    assert said.startswith("Sentence embeddings need a language model, which is not installed: pip install ")
    assert exit_code == 3 and "\n" not in said
    with pytest.raises(LibraryMissing, match="Sentence embeddings need"):  # before anything is practised
        dagger("dagger:correct:embedding=sentence")


def test_every_term_of_every_step_is_logged(tmp_path: Path) -> None:
    done = oasis("dagger", "log", LEMMA, "--episodes", "2", "--weights", "correct:P=0.1")
    assert done.exit_code == 0, done.exception
    header, *lines = done.stdout.splitlines()
    assert set(NAMES) < set(header.split(","))
    assert sum(",end," in line for line in lines) == 2
    assert oasis("dagger", "log", LEMMA, "--episodes", "2", "--weights", "correct:P=0.1", "-o", "t.csv").exit_code == 0
    assert (tmp_path / "t.csv").read_text() == done.stdout
    assert "There are no weights" in refused("dagger", "log", LEMMA, "--weights", "loud")
