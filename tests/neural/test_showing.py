"""`oasis policy show`: what a policy says of a goal, beside the truth, and what a network attends to."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings

from oasis.lab.attention_picture import svg
from oasis.lab.policies import policy_named
from oasis.lab.showing import shown
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.encoding.sentences import spelled
from oasis.policy import Uniform
from tactics.goal import Goal
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.printer import show as show_formula
from tactics.rules import legal_moves
from tactics.sequent import parse_state
from tests.commands import Oasis
from tests.neural.modules import policy, torch
from tests.neural.small import is_provable, small
from tests.strategies import goals
from tests.thorough import examples

STATE = "H : (A -> B) -> C, H0 : A \\/ True |- C \\/ (A -> D)"


@pytest.fixture(scope="module")
def by_network() -> policy.NetworkPolicy:
    return policy.NetworkPolicy(small())


@settings(max_examples=examples(60))
@given(goals())
def test_probabilities_values_and_truth_are_those_of_the_policy_and_of_another_engine(goal: Goal) -> None:
    by_network = policy.NetworkPolicy(small())
    before = by_network.values([goal])
    found = shown(by_network, goal, truth=True)
    by_network.forget()
    assert by_network.values([goal]) == before, "looking at a network changes nothing of what it says"
    (shares,) = by_network.probabilities([(goal,)])
    assert [choice.move for choice in found.choices] == list(legal_moves(goal))
    assert [choice.probability for choice in found.choices] == shares.tolist()
    for judged in [found.goal, *(each for choice in found.choices for each in choice.leaves)]:
        assert judged.provable == is_provable(judged.goal)
        assert judged.value == by_network.values([judged.goal])[0]
    for choice in found.choices:
        assert choice.keeps == all(each.provable for each in choice.leaves)


def test_attention_is_a_distribution_over_the_subformulas(by_network: policy.NetworkPolicy) -> None:
    (goal,) = parse_state(STATE)
    attention = by_network.attention(goal, goal.conclusion)
    assert attention is not None
    assert set(map(show_formula, attention.nodes)) == {
        *("A", "B", "C", "D", "True", "A -> B", "(A -> B) -> C", "A \\/ True", "A -> D", "C \\/ (A -> D)")
    }
    assert attention.weights.shape == (2, 10)
    assert attention.weights.sum(1) == pytest.approx([1, 1], abs=1e-5)


def test_the_question_of_a_decoder_attends_to_what_its_layers_add_there() -> None:
    network: Any = small("decoder")
    (goal,) = parse_state(STATE)
    tokens = spelled(formulas_of(goal)).tokens
    with torch.inference_mode():
        weights = network.attention(tokens)
        assert weights.shape == (2, 2, len(tokens))
        vectors = network.words(torch.from_numpy(tokens.astype(np.int64))[None])
        turns = network._turns(torch.arange(len(tokens))[None])
        for layer, of_layer in zip(network.layers, weights, strict=True):
            seen = of_layer[None, :, None] @ layer.asked(vectors)[2]
            by_hand = layer.added(vectors[:, -1:], seen)
            vectors = layer(vectors, turns)[0]
            torch.testing.assert_close(by_hand, vectors[:, -1:])
    attention = policy.WritingPolicy(network).attention(goal, goal.conclusion)
    assert attention is not None and attention.is_last_word
    conclusion = next(place for place, node in enumerate(attention.nodes) if node is goal.conclusion)
    assert attention.weights[:, conclusion] == pytest.approx(weights.mean(1)[:, 0].tolist())  # its sign comes first
    assert (attention.weights.sum(1) < 1).all()
    look = shown(policy.WritingPolicy(network), goal, truth=False).look
    assert look is not None and "the question" in look.subject and "the question" in svg(look, "a decoder")


def test_each_symbol_stands_for_the_subformula_whose_sign_it_is(by_network: policy.NetworkPolicy) -> None:
    (goal,) = parse_state(STATE)
    look = shown(by_network, goal, truth=False).look
    assert look is not None
    ElementTree.fromstring(svg(look, "a <network>"))
    signs = {"∧": "And", "∨": "Or", "→": "Implies"}
    for line in look.lines:
        for start, end, place in line.symbols:
            symbol, node = line.text[start:end], parse(look.nodes[place])
            if look.nodes[place] == "⊤":
                assert symbol in ("⊥", "→")
            else:
                assert signs.get(symbol, symbol) in (type(node).__name__, show_formula(node, UNICODE))
        assert len("".join(line.text.replace("(", "").replace(")", "").split())) == sum(
            end - start for start, end, _ in line.symbols
        )


def test_policies_without_attention_or_values_show_what_they_have() -> None:
    (goal,) = parse_state("A |- A \\/ B")
    found = shown(Uniform(), goal, truth=False)
    assert found.look is None and found.goal.value is None and found.choices[0].keeps is None
    exact = shown(policy_named("teacher", None), goal, truth=True)
    assert {str(choice.move): (choice.probability > 0, choice.keeps) for choice in exact.choices} == {
        "left": (True, True),
        "right": (False, False),
    }


def test_the_command_shows_moves_what_they_leave_and_attention(oasis: Oasis, tmp_path: Path) -> None:
    text = oasis.ran("policy", "show", "tiny", STATE, "--truth", "--svg", "a.svg").stdout
    assert "held provable" in text and "in truth" in text and "imply4 H" in text
    assert "attends to in layer 3 of 3" in text
    assert "layer 1 of 3" in oasis.ran("policy", "show", "tiny", STATE, "--layer", "1").stdout
    picture = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    shades = [float(each.attrib["fill-opacity"]) for each in picture.iter() if "fill-opacity" in each.attrib]
    assert max(shades) == 1 and min(shades) >= 0
    assert oasis.json("policy", "show", "uniform", "A -> A")["attention"] is None
    assert "No move applies: stuck." in oasis.ran("policy", "show", "uniform", "|- A").stdout


def test_what_does_not_fit_is_refused_in_a_sentence(oasis: Oasis) -> None:
    for who, arguments, sentence in (
        ("tiny", ["--svg", "a.png"], "--svg writes an .svg file"),
        ("uniform", ["--svg", "a.svg"], "uniform does not tell what it attends to"),
        ("tiny", ["--layer", "9"], "tiny has layers 1 to 3"),
        ("tiny", ["--after", "intro; assumption"], "No goal is left there"),
        ("tiny", ["--after", "split"], "split: "),
        ("nobody", [], "--policy is one of"),
    ):
        assert sentence in oasis.refused("policy", "show", who, "A -> A", *arguments)
