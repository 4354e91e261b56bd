"""Knowledge: counts against counting by hand, distances against scipy's, and JSON that holds only what was fitted."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from scipy.sparse.csgraph import shortest_path

from oasis.dagger.episodes import Episode, played, replayed
from oasis.dagger.knowledge import CLOSING, FORMAT, LARGEST, Knowledge
from oasis.dagger.shapes import Tactic, tactic
from oasis.policy import Uniform
from tactics.errors import InputError
from tactics.formula import Formula, atoms, renamed
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.dagger.damage import damaged
from tests.strategies import PLAIN_NAMES, Walk, formulas, walks

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
    assert SMALL.prerequisites("intro") == {"(a∧a)→(a∧a)", "⊥→a"} and SMALL.prerequisites("imply4") == frozenset()
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


def test_who_saw_no_proof_knows_nothing() -> None:
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


def test_json_and_pickle_give_the_same_knowledge_and_other_content_another_version(
    knowledge: Knowledge,
) -> None:
    read = Knowledge.from_json(json.loads(json.dumps(knowledge.to_json())))
    for other in (read, pickle.loads(pickle.dumps(knowledge))):
        assert other == knowledge and hash(other) == hash(knowledge) and other.version == knowledge.version
    assert read.to_json() == knowledge.to_json()
    assert knowledge.version.startswith(f"{FORMAT}-")
    others = [
        Knowledge(),
        Knowledge.of([SWAP]),
        Knowledge(SMALL.tactics, SMALL.formulas, 3),
        Knowledge({**SMALL.tactics, Tactic("assumption", "a"): 3}, SMALL.formulas, 2),
        Knowledge(SMALL.tactics, {**SMALL.formulas, "p0": 1}, 2),
    ]
    assert len({each.version for each in (SMALL, *others)}) == 6
    assert Knowledge(dict(reversed([*SMALL.tactics.items()])), SMALL.formulas, 2).version == SMALL.version


def test_anything_else_is_refused_in_a_sentence_and_another_format_named() -> None:
    for content in (*damaged(SMALL.to_json()), None, [], "{}", {"version": 1}):
        with pytest.raises(InputError, match=r"^This (is no knowledge|knowledge is of format).* fit it again") as told:
            Knowledge.from_json(content)
        assert "\n" not in str(told.value)
    with pytest.raises(InputError, match="is of format 99, not 1"):
        Knowledge.from_json({**SMALL.to_json(), "version": "99-abc"})


def test_a_tactic_of_every_step_is_an_edge(knowledge: Knowledge) -> None:
    for episode in played(parse("~ ~ (p \\/ ~ p)"), Uniform(), 30):
        if episode.proved:
            assert all(tactic(step.before[0], step.move) in knowledge.tactics for step in episode.steps)
