"""Language models write whole proofs: tokens are drawn as they are likely, each text by chance of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oasis.neural.causal.files import loaded
from oasis.neural.causal.text import Form
from oasis.play.choices import Writing
from oasis.play.writing import Author, Completion, Draft, Proof, cut, written
from tactics.errors import InputError
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import parse_script
from tests.neural.causal.small import learn
from tests.neural.modules import language, models, torch, transformers

# What transformers and peft warn of is theirs.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

LEMMA = parse("A /\\ B -> B /\\ A")
GOAL = initial(LEMMA)[0]
TEXTS = ["Prove A -> A.", "Prove it", "Prove it", "Prove (A -> B) /\\ A -> B, which is longer"]
MOST, SEEDS = [6, 5, 6, 6], [3, 5, 7, 7]


def drafts(number: int, text: str = "", tokens: int = 12) -> list[Draft]:
    return [Draft(GOAL, text, (GOAL,), seed, tokens) for seed in range(number)]


@pytest.mark.parametrize(("temperature", "top_p"), [(1, 1), (0.5, 0.8), (2.0, 0.95), (1e-320, 1.0)])
def test_tokens_are_drawn_as_often_as_they_are_likely(temperature: float, top_p: float) -> None:
    scores, number = 2 * torch.randn(30, generator=torch.Generator().manual_seed(0)), 20_000
    writing = Writing(temperature, top_p)
    drawn = scores.repeat(number, 1)
    for process in language._drawing(writing, range(number)):
        drawn = process(None, drawn)
    assert ((drawn == 0).sum(1) == 1).all() and ((drawn == 0) | drawn.isinf()).all()
    expected = cut(scores.double().softmax(-1).numpy(), writing)
    expected /= expected.sum()
    found = (drawn == 0).double().mean(0).numpy()
    assert (np.abs(found - expected) <= 4 * np.sqrt(expected * (1 - expected) / number)).all()
    assert (found[expected == 0] == 0).all()


def test_what_is_written_depends_on_its_text_and_its_seed_alone(folder: Path) -> None:
    asked = language.LanguageModel(*loaded(folder), TEXTS)
    each = [([text], [most], Writing(), [seed]) for text, most, seed in zip(TEXTS, MOST, SEEDS, strict=True)]
    together = asked.completed(TEXTS, MOST, Writing(), SEEDS)
    assert together == [asked.completed(*one)[0] for one in each] and together[1] != together[2]
    assert all(0 < found.tokens <= most for found, most in zip(together, MOST, strict=True))
    likeliest = asked.written(TEXTS, 6)
    assert [each.text for each in asked.completed(TEXTS, [6] * 4, Writing(top_p=1e-9), [0] * 4)] == likeliest
    assert [each.text for each in asked.completed(TEXTS, [6] * 4, Writing(temperature=0), range(4))] == likeliest


def test_a_question_is_read_once_however_many_answers_are_sampled(folder: Path) -> None:
    model, tokenizer = loaded(folder)
    read: list[tuple[int, ...]] = []
    model.register_forward_hook(lambda _, __, given, out: read.append(given["input_ids"].shape), with_kwargs=True)
    policy = models.CausalPolicy(model, tokenizer, Form("lean", "script"))
    assert isinstance(policy, Author)
    found = policy.completed(drafts(8), Writing())
    assert len({each.text for each in found}) > 4
    assert all(texts == 1 for texts, tokens in read if tokens > 1)
    assert sum(tokens for _, tokens in read if tokens > 1) < 1.1 * len(tokenizer.encode(policy._prompt(GOAL)))


@pytest.mark.parametrize("form", [Form(answer="script"), Form("lean", "payload"), Form("coq", "json", reasoning=9)])
def test_a_proof_that_was_learned_by_heart_is_written_whole(folder: Path, form: Form) -> None:
    model, tokenizer = loaded(folder)
    script = parse_script("intro; destruct_and H; split; assumption; assumption")
    policy = models.CausalPolicy(model, tokenizer, form)
    begun, whole = policy._prompt(GOAL) + form.begun(), form.answered([*script])
    learn(model, tokenizer, [(begun, ("Well.\nAnswer:" if form.reasoning else "") + whole + tokenizer.eos_token)])
    (spent,) = written(policy, [proof := Proof(GOAL, (GOAL,), 0)], Writing(temperature=0, tokens=200))
    assert proof.script == script and proof.is_proved
    assert 10 < spent.tokens == proof.tokens < 200


def test_a_text_without_room_is_not_continued(folder: Path) -> None:
    _, tokenizer = loaded(folder)
    model = small_gpt(len(tokenizer.encode(Form(told="goal").question(GOAL))) + 40)
    policy = models.CausalPolicy(model, tokenizer, Form(answer="script", told="goal"))
    short, long = policy.completed([*drafts(1, tokens=2000), *drafts(1, "intro. " * 99)], Writing())
    assert 0 < short.tokens < 40 and long == Completion("", 0)
    with pytest.raises(InputError, match="leave out large lemmas"):
        models.CausalPolicy(model, tokenizer, Form(answer="script")).completed(drafts(1), Writing())


def small_gpt(positions: int, words: int = 600) -> Any:
    """A model that learned positions."""
    sizes = {"n_embd": 32, "n_layer": 1, "n_head": 2, "bos_token_id": 0, "eos_token_id": 2}
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=words, n_positions=positions, **sizes))


@pytest.mark.parametrize(
    ("fault", "said"),
    [("nan", "gives no probabilities: it says NaN"), ("positions", "reads 32 tokens"), ("words", "knows 100 tokens")],
)
def test_a_model_that_cannot_read_or_write_is_refused_in_a_sentence(folder: Path, fault: str, said: str) -> None:
    model = small_gpt(512, 100 if fault == "words" else 600)
    if fault == "nan":
        model.transformer.ln_f.weight.data[:] = torch.nan
    if fault == "positions":
        model.transformer.wpe = torch.nn.Embedding(32, 32)  # fewer than its settings tell
    asked = language.LanguageModel(model, loaded(folder)[1])
    for ask in (lambda: asked.written(TEXTS, 40), lambda: asked.log_probabilities(TEXTS[:1], [[" intro" * 40, " H"]])):
        with pytest.raises(InputError, match=said):
            ask()


def test_a_model_that_calls_tools_writes_no_whole_proofs(folder: Path) -> None:
    policy = models.CausalPolicy(*loaded(folder), Form(answer="tools"))
    with pytest.raises(InputError, match="calls tools writes no whole proofs; name it with"):
        policy.completed(drafts(1), Writing())
