"""The decoder: what is kept of a goal changes nothing, nor do names, order, company or padding; and what it writes."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.actions import Blind
from oasis.committed import Choosing, committed
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.pages import page
from oasis.neural.encoding.sentences import NOTHING, RULE_WORDS, TOKENS, Sentence, sentence, spelled, takes_hypothesis
from oasis.neural.networks.decoder import Decoder
from oasis.neural.networks.presets import PRESETS, from_json, made, to_json
from oasis.neural.networks.transformer import Shape
from oasis.neural.policy import WritingPolicy, policy_of
from oasis.neural.training.loss import loss
from state_spaces.name import Name
from tactics.goal import Goal, State
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.sequent import parse_state
from tests.state_spaces.variants import disguised, randoms, state_of, states
from tests.strategies import goals
from tests.thorough import examples

few = settings(max_examples=examples(60))
NEAR = 1e-5
GOAL = parse_state("H : (A -> B) -> C, H0 : A \\/ B, H1 : (B -> A) -> A ⊢ C \\/ (A -> D)")[0]


@cache
@torch.inference_mode(False)  # be it asked for where that mode is on
def network(dtype: torch.dtype = torch.float32) -> Decoder:
    torch.manual_seed(0)
    return Decoder(Shape(16, 2, 2)).to(dtype)


def encoding(goal: Goal) -> Sentence:
    return sentence(formulas_of(goal), options(formulas_of(goal)))


def scores_without_cache(net: Decoder, goal: Sentence) -> list[float]:
    """The log-probability of each move, each read as one text with its goal from the beginning."""
    found = []
    for move in goal.moves:
        words = [word for word in move.tolist() if word != NOTHING]
        text = torch.tensor([[*goal.tokens.tolist(), *words]])
        after = net.log_probabilities(net.read(text)[0])[0, len(goal.tokens) - 1 : -1]
        found.append(sum(float(after[place, word]) for place, word in enumerate(words)))
    return found


@few
@given(st.lists(goals(), min_size=1, max_size=5), st.sampled_from([(torch.float32, NEAR), (torch.float64, 1e-12)]))
def test_what_was_kept_gives_the_probabilities_that_reading_everything_again_gives(
    several: list[Goal], how: tuple[torch.dtype, float]
) -> None:
    dtype, near = how
    encodings = [encoding(goal) for goal in several]
    with torch.inference_mode():
        together = network(dtype).judged(encodings).moves
        apart = [score for each in encodings for score in scores_without_cache(network(dtype), each)]
    torch.testing.assert_close(together, torch.tensor(apart, dtype=dtype), atol=near, rtol=0)


def test_a_goal_is_read_once_however_many_moves_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[torch.Size] = []
    words = network().words.forward

    def counted(tokens: torch.Tensor) -> torch.Tensor:
        read.append(tokens.shape)
        return words(tokens)

    monkeypatch.setattr(network().words, "forward", counted)
    found = encoding(GOAL)
    network().judged([found])
    assert len(found.moves) > 4
    assert read == [(1, len(found.tokens)), (1, 2)]  # the goal, and the words destruct_or and imply4


@few
@given(states(), randoms)
def test_what_it_says_of_a_goal_in_disguise_corresponds_by_the_slots_of_its_moves(state: State, rng: Random) -> None:
    policy = WritingPolicy(network())
    for given_goal in state[:1]:
        (goal,) = state_of([(formulas_of(given_goal)[1:], given_goal.conclusion)])  # each hypothesis once
        (other,) = disguised((goal,), rng).state
        assert policy.values([goal]) == pytest.approx(policy.values([other]), abs=NEAR)
        one, two = (by_slot(policy, each) for each in (goal, other))
        assert [slot for slot, _ in one] == [slot for slot, _ in two]
        assert [share for _, share in one] == pytest.approx([share for _, share in two], abs=NEAR)


def by_slot(policy: WritingPolicy, goal: Goal) -> list[tuple[object, float]]:
    """The probability of each move of a goal by its slot; those of one slot, as a symmetry exchanges them, in order."""
    view = Name().view((goal,))
    (shares,) = policy.probabilities([(goal,)])
    found = [(view.slot(move), share) for move, share in zip(legal_moves(goal), shares.tolist(), strict=True)]
    return sorted(found, key=lambda each: (str(each[0]), each[1]))


@few
@given(st.lists(goals(), min_size=1, max_size=20))
def test_a_goal_is_judged_alone_as_in_a_batch(asked: list[Goal]) -> None:
    together, alone = WritingPolicy(network()), WritingPolicy(network(), nodes=1)
    assert together.values(asked) == pytest.approx(alone.values(asked), abs=NEAR)
    of_states = [(goal,) for goal in asked]
    for one, other in zip(together.probabilities(of_states), alone.probabilities(of_states), strict=True):
        assert one == pytest.approx(other, abs=NEAR)
    assert together.written(asked) == [WritingPolicy(network()).written([goal])[0] for goal in asked]


def test_a_batch_of_256_says_what_256_batches_say() -> None:
    one, many = network().judged([encoding(GOAL)]), network().judged([encoding(GOAL)] * 256)
    torch.testing.assert_close(many.moves.view(256, -1), one.moves.expand(256, -1), atol=NEAR, rtol=0)
    torch.testing.assert_close(many.provable, one.provable.expand(256), atol=NEAR, rtol=0)


def test_rows_that_are_all_padding_give_no_nan_and_change_no_other() -> None:
    found = page([encoding(GOAL)] * 2)
    found.tokens[1], found.lengths[1] = NOTHING, 0
    judgement = network()(*map(torch.from_numpy, found))
    alone = network().judged([encoding(GOAL)])
    torch.testing.assert_close(judgement.moves[: len(alone.moves)], alone.moves, atol=NEAR, rtol=0)
    assert torch.isfinite(judgement.moves).all() and torch.isfinite(judgement.provable).all()
    (judgement.moves.sum() + judgement.provable.sum()).backward()
    for parameter in network().parameters():
        assert parameter.grad is not None and torch.isfinite(parameter.grad).all()


@few
@given(goals())
def test_the_moves_and_everything_else_that_can_be_written_have_probability_one(goal: Goal) -> None:
    formulas = formulas_of(goal)
    spelling = spelled(formulas)
    with torch.inference_mode():
        vectors, kept = network().read(torch.from_numpy(spelling.tokens.astype(np.int64))[None])
        first = network().log_probabilities(vectors[0, -1]).exp()
        on_hypotheses = torch.tensor([word for rule, word in RULE_WORDS.items() if takes_hypothesis(rule)])
        after = network().write(on_hypotheses[None], torch.tensor([len(spelling.tokens)]), kept)
        second = network().log_probabilities(after[0]).exp()
        written = {(word, NOTHING): float(first[word]) for word in range(TOKENS) if word not in on_hypotheses}
        for word, shares in zip(on_hypotheses.tolist(), second, strict=True):
            written |= {(word, other): float(first[word] * shares[other]) for other in range(TOKENS)}
        assert sum(written.values()) == pytest.approx(1, abs=NEAR)
        asked = spelling.asking(options(formulas))
        shares = network().judged([asked]).moves.exp().tolist()
    assert shares == pytest.approx([written[tuple(move)] for move in asked.moves.tolist()], abs=NEAR)
    (masked,) = WritingPolicy(network()).probabilities([(goal,)])
    assert len(masked) == len(legal_moves(goal)) and (not len(masked) or masked.sum() == pytest.approx(1))


def test_the_loss_is_of_the_moves_among_all_that_might_be_written() -> None:
    judgement = network().judged([encoding(GOAL)])
    keeps = torch.zeros(len(judgement.moves), dtype=torch.bool)
    keeps[:2] = True
    found = loss(judgement, torch.zeros(len(keeps), dtype=torch.long), keeps, torch.ones(1).bool())
    assert found.policy.item() == pytest.approx(-judgement.moves[:2].exp().sum().log().item(), abs=NEAR)


def test_policies_of_networks_that_write_do() -> None:
    assert isinstance(policy_of(network()), WritingPolicy)
    assert not isinstance(policy_of(made("relational", "tiny", 0)), WritingPolicy)


def test_it_writes_its_likeliest_words() -> None:
    spelling = spelled(formulas_of(GOAL))
    with torch.inference_mode():
        first = int(network().log_probabilities(network().read(text(spelling.tokens))[0])[0, -1].argmax())
        second = int(network().log_probabilities(network().read(text(spelling.tokens, first))[0])[0, -1].argmax())
    assert network().written([formulas_of(GOAL)]) == [spelling.move(first, second)]
    assert network().written([]) == []


def test_written_tactics_are_the_likeliest_words_of_tactics() -> None:
    spelling = spelled(formulas_of(GOAL))
    with torch.inference_mode():
        likely = network().log_probabilities(network().read(text(spelling.tokens))[0])[0, -1]
        first = max(RULE_WORDS.values(), key=lambda word: float(likely[word]))
        likely = network().log_probabilities(network().read(text(spelling.tokens, first))[0])[0, -1]
        second = max(spelling.slots.values(), key=lambda word: float(likely[word]))
    assert network().written([formulas_of(GOAL)], tactics=True) == [spelling.move(first, second)]


@few
@given(st.lists(goals(), min_size=1, max_size=20))
def test_a_tactic_that_is_written_is_one_of_a_blind_student(asked: list[Goal]) -> None:
    for goal, move in zip(asked, WritingPolicy(network()).written(asked, tactics=True), strict=True):
        assert move in Blind().actions((goal,))


def text(tokens: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], *more: int) -> torch.Tensor:
    return torch.tensor([[*tokens.tolist(), *more]])


def test_it_plays_by_writing_and_an_illegal_move_loses() -> None:
    lemmas = [parse(text) for text in ("A -> B \\/ A", "A -> A", "A /\\ B -> B")]
    plays = list(committed(WritingPolicy(network()), lemmas, Choosing(invertible="free", writing="free")))
    assert all(played.is_illegal for played in plays)  # untrained, it writes anything


@pytest.mark.parametrize(("preset", "millions"), [("tiny", 0.16), ("small", 1.0), ("base", 10.0), ("large", 25.6)])
def test_presets_have_the_size_that_is_told(preset: str, millions: float) -> None:
    with torch.device("meta"):
        module = from_json({"kind": "decoder", **PRESETS["decoder"][preset]}).module
    assert sum(parameter.numel() for parameter in module.parameters()) / 1e6 == pytest.approx(millions, rel=0.05)


def test_it_is_built_again_from_what_it_tells_of_itself() -> None:
    assert to_json(from_json(to_json(network()))) == to_json(network()) == {"kind": "decoder", **vars(Shape(16, 2, 2))}


@pytest.mark.parametrize("numbers", [(0, 1, 1), (10, 1, 3), (2**20, 1, 1), (8, 2.0, 2), (8, True, 2), (6, 1, 2)])
def test_a_shape_that_cannot_be_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"network|even"):
        from_json({"kind": "decoder", **dict(zip(("width", "layers", "heads"), numbers, strict=True))})
