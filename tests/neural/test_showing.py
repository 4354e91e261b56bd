"""Networks as policies of a name: what `oasis policy show` shows of them, the one that comes along, and files."""

from __future__ import annotations

import shutil
from math import prod
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings

from curricula import resolve
from oasis.dagger.beliefs.belief import believed
from oasis.dagger.fit import default_fitted
from oasis.dagger.making import dagger
from oasis.neural.attention_picture import svg
from oasis.neural.beliefs.provability import Provability
from oasis.neural.encoding.moves import formulas_of
from oasis.neural.encoding.sentences import spelled
from oasis.neural.policies import from_anywhere, policy_named
from oasis.neural.showing import shown
from oasis.play.committed import Choosing, committed
from oasis.play.exam import SMALL
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.goal import Goal
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.printer import show as show_formula
from tactics.rules import legal_moves, wanted
from tactics.sequent import parse_state
from tests.commands import Oasis
from tests.neural.modules import policy, torch
from tests.neural.small import TINY, is_provable, small
from tests.strategies import goals
from tests.thorough import examples

pytestmark = pytest.mark.slow
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
    (shares,) = by_network.probabilities([(goal,)])
    assert [choice.move for choice in found.choices] == list(legal_moves(goal))
    assert [choice.probability for choice in found.choices] == shares.tolist()
    for judged in [found.goal, *(each for choice in found.choices for each in choice.leaves)]:
        assert judged.provable == is_provable(judged.goal)
        assert judged.value == by_network.values([judged.goal])[0]
    follows = by_network.follows(goal)
    for choice in found.choices:
        assert choice.keeps == all(each.provable for each in choice.leaves)
        formula = wanted(goal, choice.move)
        assert formula is None or follows[formula] == choice.leaves[0].value
    by_network.forget()
    assert by_network.values([goal]) == before, "looking at a network changes nothing of what it says"


@given(goals())
def test_a_language_model_claims_what_it_chooses_by(goal: Goal) -> None:
    asked = policy.policy_of(small("lm"))
    follows, shares = asked.follows(goal), dict(zip(legal_moves(goal), *asked.probabilities([(goal,)]), strict=True))
    odds = {move: 1 / (1 / follows[each] - 1) for move in shares if (each := wanted(goal, move)) is not None}
    for move in odds:
        assert shares[move] / sum(shares[each] for each in odds) == pytest.approx(odds[move] / sum(odds.values()))


def test_the_question_of_a_decoder_attends_to_what_its_layers_add_there() -> None:
    network: Any = small("decoder")
    (goal,) = parse_state(STATE)
    tokens = spelled(formulas_of(goal)).tokens
    with torch.inference_mode():
        weights = network.attention(tokens)
        assert weights.shape == (2, 2, len(tokens))
        vectors = network.words(torch.from_numpy(tokens.astype(np.int64))[None])
        turns = network.turns(torch.arange(len(tokens))[None])
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


def test_the_command_shows_moves_what_they_leave_and_attention(oasis: Oasis, tmp_path: Path) -> None:
    text = oasis.ran("policy", "show", "tiny", STATE, "--truth", "--svg", "a.svg").stdout
    assert "held provable" in text and "in truth" in text and "imply4 H" in text
    assert "attends to in layer 3 of 3" in text
    assert "layer 1 of 3" in oasis.ran("policy", "show", "tiny", STATE, "--layer", "1").stdout
    picture = ElementTree.fromstring((tmp_path / "a.svg").read_text())
    shades = [float(each.attrib["fill-opacity"]) for each in picture.iter() if "fill-opacity" in each.attrib]
    assert max(shades) == 1 and min(shades) >= 0
    assert "No move applies: stuck." in oasis.ran("policy", "show", "uniform", "|- A").stdout


def test_it_proves_hard_theorems_that_a_uniform_player_loses() -> None:
    formulas = [lemma.formula for lemma in resolve("propl-test-hard").lemmas[:60]]
    for name, choosing, proved in (("tiny", Choosing(judge=True), range(58, 61)), ("uniform", Choosing(), range(31))):
        assert sum(play.proved for play in committed(policy_named(name, None), formulas, choosing)) in proved


def test_a_network_in_a_file_of_any_ending_is_a_policy_and_what_is_none_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("net.txt", "net"):
        shutil.copy(TINY, name)
    assert policy_named("net.txt", None).probabilities([SMALL])
    assert policy_named("judging:./net", None).probabilities([SMALL])
    Path("net.safetensors").mkdir()
    Path("broken.safetensors").write_bytes(TINY.read_bytes()[:5000])
    for name, sentence in (
        *((folder, "is a folder, and no checkpoint; name the file") for folder in ("net.safetensors", "./")),
        ("broken.safetensors", "broken.safetensors is no checkpoint"),
        ("none.safetensors", "There is no file none.safetensors"),
        ("n" * 5_000, "--policy is one of"),
    ):
        with pytest.raises(InputError, match=sentence):
            policy_named(name, None)


def test_the_name_of_a_policy_is_made_to_mean_the_same_in_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    for name in ("tiny", "1", "mine:Own", "judging:tiny"):
        assert from_anywhere(name) == name
    for name in ("net.safetensors", "judging:net.safetensors", "hf:model", "hf:model:style=lean"):
        assert from_anywhere(name) == name.replace("net.", f"{tmp_path}/net.").replace("model", f"{tmp_path}/model")


STATES = (
    *parse_state("H : (A -> B) -> C, H0 : D ⊢ C \\/ (A -> D)"),
    *parse_state("H : A ⊢ B \\/ C"),
    *parse_state("H : A, H0 : B -> C ⊢ (A -> B) \\/ (B -> A)"),
)


def of(name: str) -> list[float]:
    return believed(default_fitted().belief(name), [STATES, STATES[:1], STATES[2:]])


def test_a_state_is_as_likely_as_its_goals_together() -> None:
    goals = policy_named("tiny", None).values(list(STATES))
    assert goals is not None
    assert of("tiny") == pytest.approx([prod(goals), goals[0], goals[2]])
    assert believed(Provability(Exact(), "exact"), [STATES, STATES[:1], STATES[2:]]) == [0, 1, 1]


def test_the_belief_that_comes_along_is_that_of_its_file_and_rewards_are_made_with_it(tmp_path: Path) -> None:
    assert of("tiny") == of(str(TINY))
    named, read = (default_fitted().belief(name) for name in ("tiny", str(TINY)))
    assert named.version == read.version and named.leaks
    reward = dagger(f"dagger:all:belief={TINY}")
    assert reward.context.belief.probabilities([STATES])[0] == pytest.approx(of("tiny")[0])
    with pytest.raises(InputError, match=r"There is no file .*none\.safetensors"):
        default_fitted().belief(str(tmp_path / "none.safetensors"))
