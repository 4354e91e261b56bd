"""Episodes of scripts and plays, the calibration of beliefs on them, the knowledge in them, and fits that are kept."""

import gzip
import json
import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

from curricula import resolve, resolve_lemma
from curricula.library import thesis_lemma
from oasis.dagger.beliefs.belief import Even
from oasis.dagger.beliefs.calibration import examined, parted
from oasis.dagger.episodes import Episode, played, replayed
from oasis.dagger.fit import Fitted, default_fitted, fit
from oasis.dagger.fitting import Corpus, Fitting, check_name, fitted_named, keep, write
from oasis.dagger.knowledge import CLOSING, LARGEST, Knowledge
from oasis.dagger.shapes import Tactic
from oasis.play.actions import ACTION_SPACES
from oasis.play.exam import examine
from oasis.play.policy import Uniform
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tactics.formula import Formula, atoms, renamed
from tactics.parser import parse
from tactics.rules import RULES, legal_moves
from tactics.script import parse_script
from tests.commands import Oasis
from tests.dagger.damage import damaged
from tests.strategies import PLAIN_NAMES, Walk, formulas, walks

LEMMA = parse("p /\\ (q \\/ r) -> p /\\ q \\/ p /\\ r")


@given(walks())
def test_a_script_is_an_episode_move_by_move(walk: Walk) -> None:
    episode = replayed(walk.formula, walk.script)
    assert tuple(step.move for step in episode.steps) == walk.script
    assert [step.before for step in episode.steps] == list(walk.states[:-1])
    assert [step.after for step in episode.steps] == list(walk.states[1:])
    assert episode.proved == (not walk.states[-1])
    assert all(step.moves == 1 for step in episode.steps)
    assert all(step.ended == (not step.after or not legal_moves(step.after[0])) for step in episode.steps)
    assert list(episode.states) == [state for state in walk.states if state]


@pytest.mark.parametrize("name", ACTION_SPACES)
def test_plays_are_those_of_an_exam(name: str) -> None:
    space = ACTION_SPACES[name]
    policy = Uniform(space)
    episodes = played(LEMMA, policy, 40, 5, 400, space)
    exam = examine(policy, LEMMA, plays=40, seed=5, max_steps=400, space=space)
    assert exam.lengths == tuple(len(episode.steps) for episode in episodes if episode.proved)
    assert exam.proved > 0 and len(episodes) == 40


def test_a_play_depends_on_its_seed_alone_and_has_not_ended_where_it_was_cut_short() -> None:
    assert played(LEMMA, Uniform(), 10, 1) == played(LEMMA, Uniform(), 20, 1)[:10]
    assert played(LEMMA, Uniform(), 10, 1) != played(LEMMA, Uniform(), 10, 2)
    for episode in played(LEMMA, Uniform(), 5, max_steps=2):
        assert len(episode.steps) == 2 and not episode.proved and not episode.steps[-1].ended


# Calibration of beliefs on episodes


def test_a_belief_is_asked_about_the_states_of_steps() -> None:
    episodes = played(parse("p -> q \\/ (r \\/ p)"), Uniform(), 40)
    found = examined(Even(), episodes)
    steps = [episode.proved for episode in episodes for _ in episode.steps]
    assert found.states == len(steps) and found.brier == pytest.approx(0.25)
    assert found.ece == pytest.approx(abs(0.5 - np.mean(steps)))


def split(lemmas: list[Formula], share: float, seed: int) -> list[list[Formula]]:
    """Return the lemmas of which episodes are taught, and of which they are held out."""
    parts = parted([Episode(lemma, (), proved=False) for lemma in lemmas], share, seed)
    return [[episode.lemma for episode in part] for part in parts]


@given(st.lists(formulas(PLAIN_NAMES, 4), max_size=12), st.floats(0, 0.99), st.integers(0, 2**31))
def test_a_split_keeps_renamings_of_a_lemma_together(lemmas: list[Formula], share: float, seed: int) -> None:
    names = dict(zip(PLAIN_NAMES, ("z", "y", "x"), strict=True))
    others = [renamed(lemma, names) for lemma in lemmas]
    train, test = split([*lemmas, *others], share, seed)
    assert sorted(each.id for each in [*train, *test]) == sorted(each.id for each in [*lemmas, *others])
    assert not set(train) & set(test)
    assert all((one in test) == (other in test) for one, other in zip(lemmas, others, strict=True))
    assert split([*lemmas, *others], share, seed) == [train, test]
    assert train or not lemmas
    assert split(others, share, seed)[1] == [other for other in others if other in test]


def test_a_split_holds_out_the_share_that_was_asked_for() -> None:
    lemmas = [parse(f"{' -> '.join(['p'] * number)} -> q") for number in range(1, 21)]
    assert [len(split(lemmas, share, 0)[1]) for share in (0, 0.01, 0.25, 0.5, 0.99)] == [0, 1, 5, 10, 19]
    assert split(lemmas, 0.5, 0) != split(lemmas, 0.5, 1)
    assert split(lemmas[:1], 0.5, 0) == [lemmas[:1], []]


# Knowledge

SWAP = replayed(parse("p /\\ q -> q /\\ p"), parse_script("intro; destruct_and H; split; assumption; assumption"))
ABSURD = replayed(parse("False -> p"), parse_script("intro; contradiction"))
SMALL = Knowledge.of([SWAP, ABSURD])


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    lemmas = ["(p -> q) /\\ p -> q \\/ r", "~ ~ (p \\/ ~ p)", "p /\\ (q \\/ r) -> p /\\ q \\/ p /\\ r"]
    return Knowledge.of(episode for lemma in lemmas for episode in played(parse(lemma), Uniform(), 30))


def test_tactics_are_counted_as_proofs_use_them() -> None:
    assert SMALL.tactics == {
        Tactic("intro", "(a∧a)→(a∧a)"): 1,
        Tactic("destruct_and", "a∧a"): 1,
        Tactic("split", "a∧a"): 1,
        Tactic("assumption", "a"): 2,
        Tactic("intro", "⊥→a"): 1,
        Tactic("contradiction", "a"): 1,
    }
    assert SMALL.proofs == 2


def test_formulas_are_counted_once_a_lemma_whatever_their_atoms_are_called() -> None:
    assert SMALL.formulas == {"p0": 2, "p0 ∧ p1": 1, "p0 ∧ p1 → p1 ∧ p0": 1, "⊥": 1, "⊥ → p0": 1}
    assert Knowledge.of([SWAP, SWAP, ABSURD]).formulas == SMALL.formulas
    assert SMALL.frequency(parse("b /\\ a")) == 1 and SMALL.frequency(parse("a")) == SMALL.highest_frequency == 2
    assert SMALL.frequency(parse("a /\\ a")) == 0


def test_centrality_is_the_share_of_shapes_and_a_step_is_as_central_as_the_mean(knowledge: Knowledge) -> None:
    assert SMALL.degree("intro") == 2 and SMALL.degree("assumption") == 1 and SMALL.degree("imply4") == 0
    assert SMALL.centrality("intro") == 1 and SMALL.centrality("split") == 0.5
    # Seven steps: two intros, and five of rules that were used on one shape.
    assert SMALL.mean_centrality == pytest.approx((2 * 1 + 5 * 0.5) / 7)
    surplus = [
        number * (knowledge.centrality(rule) - knowledge.mean_centrality)
        for (rule, _), number in knowledge.tactics.items()
    ]
    assert sum(surplus) == pytest.approx(0)


def test_hops_are_the_distances_in_the_graph_and_there_is_no_path_to_what_was_never_seen(knowledge: Knowledge) -> None:
    nodes = [*RULES, *{shape for _, shape in knowledge.tactics}]
    edges = np.zeros((len(nodes), len(nodes)))
    for rule, shape in knowledge.tactics:
        edges[nodes.index(rule), nodes.index(shape)] = 1
    distances = shortest_path(edges, directed=False, unweighted=True)
    for shape in nodes[len(RULES) :]:
        between = {rule: distances[nodes.index(rule), nodes.index(shape)] for rule in RULES}
        found = {rule: knowledge.hops_from_rule(rule, shape) for rule in RULES}
        assert {rule: np.inf if hops is None else hops for rule, hops in found.items()} == between
        nearest = min(between[rule] for rule in CLOSING)
        assert knowledge.hops(shape) == (None if np.isinf(nearest) else nearest)
    assert SMALL.hops("a→a") is None and SMALL.hops_from_rule("intro", "a→a") is None
    assert SMALL.hops_from_rule("imply4", "a") is None and SMALL.hops_from_rule("no rule", "a") is None
    assert SMALL.hops("a") == 1 and SMALL.hops("a∧a") is None  # no closing rule was used on what has an edge to it


def test_without_proofs_there_is_no_knowledge() -> None:
    stuck = replayed(parse("p \\/ ~ p"), parse_script("left"))
    nothing = Knowledge.of([stuck])
    assert nothing == Knowledge() and nothing.version == Knowledge().version
    assert nothing.highest_frequency == nothing.mean_centrality == nothing.centrality("intro") == 0
    assert nothing.hops("a") is None and nothing.frequency(parse("p")) == 0


@given(walks(PLAIN_NAMES))
def test_names_do_not_matter(walk: Walk) -> None:
    other = renamed(walk.formula, {atom.name: f"x{5 - number}" for number, atom in enumerate(atoms(walk.formula))})
    known = [
        Knowledge.of([Episode(lemma, replayed(lemma, walk.script).steps, proved=True)])
        for lemma in (walk.formula, other)
    ]
    assert known[0] == known[1]


@given(formulas())
def test_every_small_formula_of_a_proof_is_found_again(formula: Formula) -> None:
    lemma = formula >> formula
    known = Knowledge.of([replayed(lemma, parse_script("intro; assumption"))])
    assert known.frequency(formula) == (formula.size <= LARGEST)


def test_formulas_that_are_huge_when_written_out_are_left_out() -> None:
    formula = parse("p")
    for _ in range(5000):
        formula = formula & formula
    known = Knowledge.of([replayed(formula >> formula, parse_script("intro; assumption"))])
    assert known.highest_frequency == 1 and len(known.formulas) == 5 and known.frequency(formula) == 0


def test_other_content_has_another_version_and_its_order_does_not_matter() -> None:
    others = [
        Knowledge(SMALL.tactics, SMALL.formulas, 3),
        Knowledge({**SMALL.tactics, Tactic("assumption", "a"): 3}, SMALL.formulas, 2),
        Knowledge(SMALL.tactics, {**SMALL.formulas, "p0": 1}, 2),
    ]
    assert len({each.version for each in (SMALL, *others)}) == len({SMALL, *others}) == 4
    assert Knowledge(dict(reversed([*SMALL.tactics.items()])), SMALL.formulas, 2) == SMALL
    assert pickle.loads(pickle.dumps(SMALL)) == SMALL
    with pytest.raises(TypeError, match="does not support item assignment"):
        SMALL.formulas["p0"] = 1  # type: ignore[index]


# Fits

TEXTS = ("p -> p", "p /\\ q -> q", "p -> q \\/ p", "p -> q \\/ (r \\/ p)", "p \\/ q -> q \\/ p")
LEMMAS = [parse(text) for text in TEXTS]


@cache
def small() -> Fitted:
    return fit(episode for lemma in LEMMAS for episode in played(lemma, Uniform(), 5))


def report_of(lemmas: Corpus, **settings: object) -> Fitting:
    fitting = Fitting(lemmas, Uniform(), **settings)  # type: ignore[arg-type]
    assert list(fitting.play()) == list(range(1, len(lemmas.lemmas) + 1))
    return fitting


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
    knowledge = default_fitted().knowledge
    assert all(knowledge.degree(rule) for rule in ("intro", "imply1", "imply2", "imply3", "imply4"))
    lemmas = [thesis_lemma(str(number)).formula for number in range(41, 47)]
    lemmas += [lemma.formula for lemma in resolve("textbook").lemmas if len(atoms(lemma.formula)) > 2]
    assert not any(knowledge.frequency(lemma) for lemma in lemmas)
    lemma = resolve_lemma("random:size=6,atoms=3,kind=theorem,count=200,seed=2020/7").formula
    assert knowledge.frequency(lemma)


# Fitting to lemmas, and what is kept


def test_what_is_held_out_is_not_fitted_to() -> None:
    corpus_ = Corpus(tuple(LEMMAS), (replayed(LEMMAS[0], parse_script("intro; assumption")),))
    report = report_of(corpus_, plays=6, test_share=0.4).report()
    assert (report.lemmas, report.test_lemmas) == (3, 2)
    assert report.episodes in (18, 19)
    assert sum(map(bool, map(report.fitted.knowledge.frequency, LEMMAS))) == 3
    assert report.calibrations["knn"].states == report.calibrations["bayes"].states > 0
    everything = report_of(corpus_, plays=6, test_share=0.0).report()
    assert (everything.test_lemmas, everything.episodes) == (0, 31)
    nothing = dict.fromkeys(("ece", "brier", "log_loss", "base", "accuracy", "auc"))
    assert everything.to_json()["calibration"]["knn"] == {"states": 0, "bins": [], **nothing}


def test_names_count_on_and_what_is_kept_comes_back(store: Store) -> None:
    report = report_of(Corpus(tuple(LEMMAS)), plays=3).report()
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


def test_other_beliefs_are_held_against_the_same_plays() -> None:
    report = report_of(Corpus(tuple(LEMMAS)), plays=6, test_share=0.4, beliefs=("exact", "even")).report()
    assert [*report.calibrations] == ["knn", "bayes", "exact", "even"]
    assert len({each.states for each in report.calibrations.values()}) == 1
    assert report.calibrations["even"].brier == pytest.approx(0.25)
    with pytest.raises(InputError, match="--belief is one of knn"):
        report_of(Corpus(tuple(LEMMAS)), beliefs=("evn",))


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


def test_ctrl_c_keeps_nothing_half_done(oasis: Oasis, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Fitting) -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    monkeypatch.setattr(Fitting, "play", interrupted)
    assert oasis.stopped("dagger", "fit", "SYJ202", "--levels", "1-2") == "Interrupted, so nothing is kept."
    assert store.fitted_list() == []
