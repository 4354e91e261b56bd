"""The decoder: what is kept of a goal changes nothing, nor does padding; and what it writes. See also test_network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.actions import Blind
from oasis.committed import Choosing, committed
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.pages import page
from oasis.neural.encoding.sentences import NOTHING, RULE_WORDS, TOKENS, Sentence, sentence, spelled, takes_hypothesis
from tactics.goal import Goal
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.sequent import parse_state
from tests.neural.modules import decoder, loss, policy, torch, transformer
from tests.neural.small import small
from tests.strategies import goals
from tests.thorough import examples

few = settings(max_examples=examples(60))
NEAR = 1e-5
GOAL = parse_state("H : (A -> B) -> C, H0 : A \\/ B, H1 : (B -> A) -> A ⊢ C \\/ (A -> D)")[0]


@cache
def network(dtype: str = "float32") -> decoder.Decoder:
    with torch.inference_mode(False):  # be it asked for where that mode is on
        torch.manual_seed(0)
        return decoder.Decoder(transformer.Shape(16, 2, 2)).to(getattr(torch, dtype))


def encoding(goal: Goal) -> Sentence:
    return sentence(formulas_of(goal), options(formulas_of(goal)))


def text(tokens: Iterable[int], *more: int) -> torch.Tensor:
    return torch.tensor([[*map(int, tokens), *more]])


def scores_without_cache(net: decoder.Decoder, goal: Sentence) -> list[float]:
    """The log-probability of each move, each read as one text with its goal from the beginning."""
    found = []
    for move in goal.moves:
        words = [word for word in move.tolist() if word != NOTHING]
        after = net.log_probabilities(net.read(text(goal.tokens, *words))[0])[0, len(goal.tokens) - 1 : -1]
        found.append(sum(float(after[place, word]) for place, word in enumerate(words)))
    return found


@few
@given(st.lists(goals(), min_size=1, max_size=5), st.sampled_from([("float32", NEAR), ("float64", 1e-12)]))
def test_what_was_kept_gives_the_probabilities_that_reading_everything_again_gives(
    several: list[Goal], how: tuple[str, float]
) -> None:
    dtype, near = how
    encodings = [encoding(goal) for goal in several]
    with torch.inference_mode():
        together = network(dtype).judged(encodings).moves
        apart = [score for each in encodings for score in scores_without_cache(network(dtype), each)]
    torch.testing.assert_close(together, torch.tensor(apart, dtype=together.dtype), atol=near, rtol=0)


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
        vectors, kept = network().read(text(spelling.tokens))
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
    (masked,) = policy.WritingPolicy(network()).probabilities([(goal,)])
    assert len(masked) == len(legal_moves(goal)) and (not len(masked) or masked.sum() == pytest.approx(1))


def test_the_loss_is_of_the_moves_among_all_that_might_be_written() -> None:
    judgement = network().judged([encoding(GOAL)])
    keeps = torch.zeros(len(judgement.moves), dtype=torch.bool)
    keeps[:2] = True
    found = loss.loss(judgement, torch.zeros(len(keeps), dtype=torch.long), keeps, torch.ones(1).bool())
    assert found.policy.item() == pytest.approx(-judgement.moves[:2].exp().sum().log().item(), abs=NEAR)


def test_policies_of_networks_that_write_do() -> None:
    assert isinstance(policy.policy_of(network()), policy.WritingPolicy)
    assert not isinstance(policy.policy_of(small()), policy.WritingPolicy)


@pytest.mark.parametrize("tactics", [False, True])
def test_it_writes_its_likeliest_words_or_the_likeliest_words_of_tactics(tactics: bool) -> None:
    formulas = formulas_of(GOAL)
    spelling = spelled(formulas)

    def likeliest(*begun: int, among: Sequence[int]) -> int:
        likely = network().log_probabilities(network().read(text(spelling.tokens, *begun))[0])[0, -1]
        return max(among if tactics else range(TOKENS), key=lambda word: float(likely[word]))

    with torch.inference_mode():
        first = likeliest(among=[*RULE_WORDS.values()])
        second = likeliest(first, among=[*spelling.slots.values()])
    assert network().written([formulas], tactics=tactics) == [spelling.move(first, second)]
    assert network().written([]) == []


@few
@given(st.lists(goals(), min_size=1, max_size=20))
def test_a_tactic_that_is_written_is_one_of_a_blind_student(asked: list[Goal]) -> None:
    for goal, move in zip(asked, policy.WritingPolicy(network()).written(asked, tactics=True), strict=True):
        assert move in Blind().actions((goal,))


def test_it_plays_by_writing_and_an_illegal_move_loses() -> None:
    lemmas = [parse(text) for text in ("A -> B \\/ A", "A -> A", "A /\\ B -> B")]
    plays = committed(policy.WritingPolicy(network()), lemmas, Choosing(invertible="free", writing="free"))
    assert all(played.is_illegal for played in plays)  # untrained, it writes anything
