"""Fitting: what is kept and written is what was fitted, and `oasis dagger` says so to a person."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from curricula import resolve, resolve_lemma
from curricula.library import thesis_lemma
from oasis.dagger.episodes import played, replayed
from oasis.dagger.fit import Fitted, default_fitted, default_knowledge, fit
from oasis.dagger.fitting import Corpus, Fitting, check_name, corpus, fitted_named, keep, write
from oasis.policy import Uniform
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tactics.formula import atoms
from tactics.parser import parse
from tactics.script import parse_script
from tests.commands import Oasis
from tests.dagger.damage import damaged

TEXTS = ("p -> p", "p /\\ q -> q", "p -> q \\/ p", "p -> q \\/ (r \\/ p)", "p \\/ q -> q \\/ p")
LEMMAS = [parse(text) for text in TEXTS]


@cache
def small() -> Fitted:
    return fit(episode for lemma in LEMMAS for episode in played(lemma, Uniform(), 5))


def report_of(lemmas: Corpus, **settings: object) -> Fitting:
    fitting = Fitting(lemmas, Uniform(), **settings)  # type: ignore[arg-type]
    assert list(fitting.play()) == list(range(1, len(lemmas.lemmas) + 1))
    return fitting


# The fit.


def test_a_fit_survives_json_and_bytes_and_the_order_of_the_episodes_does_not_matter() -> None:
    episodes = [episode for lemma in LEMMAS for episode in played(lemma, Uniform(), 5)]
    assert fit(reversed(episodes)) == small() and fit(episodes[1:]) != small()
    for other in (
        Fitted.from_bytes(small().to_bytes()),
        Fitted.from_bytes(json.dumps(small().to_json()).encode()),
        Fitted.from_json(small().to_json()),
    ):
        assert other == small() and other.to_bytes() == small().to_bytes()


def test_other_content_is_refused_in_a_sentence() -> None:
    packed = small().to_bytes()
    for content in (b"", b"{", packed[:-20], packed[:5], b"\x1f\x8bx", gzip.compress(b"[" * 100_000), b"\xff\xfe"):
        with pytest.raises(InputError, match=r"^This is no fit .*; fit it again with oasis dagger fit\.$"):
            Fitted.from_bytes(content)
    for changed in damaged(small().to_json(), deepest=1):
        with pytest.raises(InputError, match=r"^This .*; fit it again with oasis dagger fit\.$"):
            Fitted.from_json(changed)
    other = fit(played(LEMMAS[0], Uniform(), 3)).to_json()
    with pytest.raises(InputError, match=r"^This is no fit"):
        Fitted.from_json({**small().to_json(), "knn": other["knn"]})


def test_the_packaged_one_is_small_and_knows_its_own_lemmas_and_none_of_the_thesis() -> None:
    assert len(files("oasis.dagger").joinpath("data", "fitted.json.gz").read_bytes()) <= 150_000
    assert default_fitted() is default_fitted()
    assert all(default_knowledge().prerequisites(rule) for rule in ("intro", "imply1", "imply2", "imply3", "imply4"))
    lemmas = [thesis_lemma(str(number)).formula for number in range(41, 47)]
    lemmas += [lemma.formula for lemma in resolve("textbook").lemmas if len(atoms(lemma.formula)) > 2]
    assert not any(default_knowledge().frequency(lemma) for lemma in lemmas)
    lemma = resolve_lemma("random:size=6,atoms=3,kind=theorem,count=200,seed=2020/7").formula
    proofs = [episode for episode in played(lemma, Uniform(), 20, 2020) if episode.proved]
    assert proofs and default_knowledge().frequency(lemma)
    assert default_fitted().version == default_fitted().version
    shapes = {(step.move.rule, default_knowledge().prerequisites(step.move.rule)) for step in proofs[0].steps}
    assert all(met for _, met in shapes)


# From lemmas to what is kept.


def test_what_is_held_out_is_not_fitted_to() -> None:
    corpus_ = Corpus(tuple(LEMMAS), ((LEMMAS[0], parse_script("intro; assumption")),))
    report = report_of(corpus_, plays=6, test_share=0.4).report()
    assert (report.lemmas, report.test_lemmas) == (3, 2)
    assert report.episodes in (18, 19)
    known = report.fitted.knowledge
    assert sum(map(bool, map(known.frequency, LEMMAS))) == 3
    assert report.calibrations["knn"].states == report.calibrations["bayes"].states > 0
    everything = report_of(corpus_, plays=6, test_share=0.0).report()
    assert (everything.test_lemmas, everything.episodes) == (0, 31)
    nothing = dict.fromkeys(("ece", "brier", "log_loss", "base", "accuracy", "auc"))
    assert everything.to_json()["calibration"]["knn"] == {"states": 0, "bins": [], **nothing}


@pytest.mark.parametrize("settings", [{"plays": 0}, {"max_steps": 0}, {"test_share": 1.0}, {"test_share": -0.1}])
def test_settings_out_of_range_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"^--"):
        report_of(Corpus(tuple(LEMMAS)), **settings)


def test_names_count_on_and_what_is_kept_comes_back(tmp_path: Path) -> None:
    report = report_of(Corpus(tuple(LEMMAS)), plays=3).report()
    with Store(tmp_path / "oasis.db") as store:
        names = [keep(store, report, {"seed": 0}, name) for name in (None, "fit3", None, None)]
        assert names == ["fit1", "fit3", "fit2", "fit4"]
        found, row = fitted_named("fit3", store)
        assert found == report.fitted and row["origin"]["episodes"] == report.episodes
        with pytest.raises(InputError, match="give another --name"):
            check_name("fit3", store)
        with pytest.raises(StoreError, match="fit3 already"):
            keep(store, report, {}, "fit3")
        store.add_fitted("mine", version=small().version, origin={}, content=default_fitted().to_bytes())
        with pytest.raises(StoreError, match=f"kept as mine is {default_fitted().version}, not {small().version}"):
            fitted_named("mine", store)


def test_a_file_is_whole_and_read_again(tmp_path: Path) -> None:
    for name in ("a.json", "a.json.gz"):
        write(small(), tmp_path / name)
        assert fitted_named(str(tmp_path / name), None)[0] == small()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.json", "a.json.gz"]
    with pytest.raises(InputError, match="cannot be written"):
        write(small(), tmp_path / "nowhere" / "a.json")
    with pytest.raises(InputError, match="cannot be read"):
        fitted_named(str(tmp_path / "b.json"), None)
    (tmp_path / "c.json").write_text("{}")
    with pytest.raises(InputError, match=r"c\.json: This is no fit"):
        fitted_named(str(tmp_path / "c.json"), None)


def test_sources_without_a_database_are_no_runs() -> None:
    assert corpus(["p -> p", "p -> p"], None).lemmas == (LEMMAS[0],)
    with pytest.raises(InputError, match="3 is the number of a run"):
        corpus(["3"], None)


def test_other_beliefs_are_held_against_the_same_plays() -> None:
    report = report_of(Corpus(tuple(LEMMAS)), plays=6, test_share=0.4, beliefs=("exact", "even")).report()
    assert [*report.calibrations] == ["knn", "bayes", "exact", "even"]
    assert len({each.states for each in report.calibrations.values()}) == 1
    assert report.calibrations["even"].brier == pytest.approx(0.25)
    with pytest.raises(InputError, match="--belief is one of knn"):
        report_of(Corpus(tuple(LEMMAS)), beliefs=("evn",))


# The command.


@pytest.mark.slow
def test_runs_give_their_lemmas_proofs_and_policy(oasis: Oasis, tmp_path: Path) -> None:
    oasis.ran("train", "p -> q \\/ (r \\/ p)", "--episodes", "50", "-q")
    few = ("--plays", "5", "--json", "--quiet")
    done = oasis.ran("dagger", "fit", "1", "--policy", "1", "-o", "a.json.gz", *few)
    report = json.loads(done.stdout)
    assert done.stderr == ""
    assert (report["lemmas"], report["episodes"], report["name"]) == (1, 6, None)
    fitted, _ = fitted_named(str(tmp_path / "a.json.gz"), None)
    best = replayed(LEMMAS[3], parse_script("intro; right; right; assumption"))
    assert fitted.knowledge.proofs >= 1 and fitted.belief("knn").probabilities([best.steps[0].before])[0] > 0.5
    assert oasis.json("dagger", "list") == {"fitted": []}
    assert oasis.json("dagger", "show", "./a.json.gz")["version"] == report["version"]
    with closing(sqlite3.connect(tmp_path / "oasis.db")) as connection:
        connection.execute("UPDATE lemmas SET best = 'split'")
        connection.commit()
    assert "is damaged" in oasis.refused("dagger", "fit", "1")


def test_ctrl_c_keeps_nothing_half_done(oasis: Oasis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "oasis.db"):
        pass

    def interrupted(_: Fitting) -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    monkeypatch.setattr(Fitting, "play", interrupted)
    assert oasis.stopped("dagger", "fit", "SYJ202", "--levels", "1-2") == "Interrupted, so nothing is kept."
    with Store(tmp_path / "oasis.db") as store:
        assert store.fitted_list() == []
