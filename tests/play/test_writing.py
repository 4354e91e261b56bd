"""Whole proofs: what is written is cut at the first fault and gone on with; nothing counts that was not replayed."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.play.choices import Writing
from oasis.play.committed import Choosing, committed
from oasis.play.policy import FIRST, Floats, Uniform
from oasis.play.writing import Author, Completion, Draft, Proof, Scribe, author_of, cut, written
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Move, initial
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.script import replay
from tactics.written import STYLES, Style, pieces
from tests.strategies import Walk, walks

LEMMA = parse("p /\\ q -> q /\\ p")
PROOF = "intro. destruct_and H. split. assumption. assumption."


class Told:
    """Writes given texts, one after the other, whatever it is asked; keeps what it was asked."""

    def __init__(self, *texts: str, style: str = "coq") -> None:
        self.style: Style = STYLES[style]
        self.texts, self.asked = [*texts], list[Draft]()

    def completed(self, drafts: Sequence[Draft], writing: Writing) -> list[Completion]:
        self.asked += drafts
        return [Completion(text, len(text.split())) for text in (self.texts.pop(0) for _ in drafts)]


def begun(lemma: Formula = LEMMA, seed: int = 0) -> Proof:
    return Proof(initial(lemma)[0], initial(lemma), seed)


def finished(author: Author, proof: Proof, **how: Any) -> Proof:
    spent = [*written(author, [proof], Writing(**how))]
    assert [sum(each) for each in zip(*spent, strict=True)][1:] == [proof.calls, proof.tokens]
    return proof


@pytest.mark.parametrize("style", STYLES)
@given(walk=walks(), data=st.data())
def test_a_text_is_cut_at_the_first_fault_and_gone_on_with(style: str, walk: Walk, data: st.DataObject) -> None:
    place, how = data.draw(st.integers(0, len(walk.script))), STYLES[style]
    told = Told(
        how.text(["I see", *walk.script[:place], "So", Move("imply1", "nothing"), Move("intro")]),
        how.text([*walk.script[place:]]).removeprefix(how.opens),
        style=style,
    )
    proof = finished(told, begun(walk.formula), resumes=1)
    assert proof.script == walk.script
    assert (tuple(proof.states), proof.state) == (walk.states[1:], walk.states[-1])
    assert "".join(piece.text for piece in proof.pieces) == proof.text
    assert tuple(piece.move for piece in pieces(proof.text, how)) == walk.script
    assert len(told.asked) == 2 - (place == len(walk.script) and proof.calls == 1)
    for draft in told.asked[1:]:
        assert draft.state == walk.states[place]
        assert draft.text.count("tactic state: ") == 1 and "nothing" not in draft.text
        assert draft.tokens < told.asked[0].tokens


@pytest.mark.parametrize(
    ("texts", "how", "moves"),
    [
        ([PROOF], {}, 5),
        ([PROOF + " left. magic."], {}, 5),
        (["intro. left. split."], {}, 1),
        (["intro. auto.", "magic"], {"resumes": 1}, 1),
        (["intro.", "destruct_and H. split.", "assumption. assumption."], {"resumes": 2}, 5),
        (["intro.", "destruct_and H.", "split."], {"resumes": 9, "tokens": 4}, 3),
        (["intro.", ""], {"resumes": 9, "temperature": 0}, 1),
        (["", PROOF], {"resumes": 9}, 5),
    ],
)
def test_writing_ends_with_a_proof_or_when_it_must(texts: list[str], how: dict[str, Any], moves: int) -> None:
    proof = finished(told := Told(*texts), begun(), **how)
    assert (len(proof.script), proof.is_proved, told.texts) == (moves, moves == 5, [])
    assert replay(LEMMA, proof.script)[-1] == proof.state


def test_a_stuck_proof_is_not_continued() -> None:
    proof = finished(Told("left. split."), begun(parse("p \\/ q")), resumes=3)
    assert (proof.calls, len(proof.script), proof.is_stuck) == (1, 1, True)


@pytest.mark.parametrize(
    ("author", "said"),
    [
        (lambda drafts: [], "The policy Told has to give a Completion for each of 1 proofs, "),
        (lambda drafts: 1 / 0, "The policy Told fails with ZeroDivisionError"),
        (lambda drafts: ["intro."], r"not \['intro\.'\]"),
        (lambda drafts: [("intro.", 1)], "a text and a number"),
        (lambda drafts: [Completion("intro.", -5)], r"not \[Completion"),
    ],
)
def test_an_author_of_wrong_completions_is_refused(author: Callable[[Sequence[Draft]], Any], said: str) -> None:
    told: Any = Told()
    told.completed = lambda drafts, writing: author(drafts)
    with pytest.raises(InputError, match=said):
        finished(told, begun())
    told.style = "coq"
    with pytest.raises(InputError, match="has to have a style"):
        finished(told, begun())


def test_only_the_most_probable_that_together_have_top_p_are_drawn() -> None:
    shares = np.array([0.1, 0.5, 0.3, 0.1, 0.0])
    assert cut(shares, Writing(top_p=1)) == pytest.approx(shares / 0.5)
    assert (cut(shares, Writing(top_p=0.8)) > 0).tolist() == [False, True, True, False, False]
    assert (cut(shares, Writing(top_p=0.81)) > 0).tolist() == [True, True, True, False, False]
    assert (cut(shares, Writing(temperature=0)) > 0).tolist() == [False, True, False, False, False]
    assert cut(shares, Writing(temperature=0.5, top_p=1)) == pytest.approx(np.square(shares) * 4)


def test_a_policy_writes_what_it_plays_and_each_play_is_its_own() -> None:
    lemma = parse("(p -> q \\/ r) -> (p -> q) \\/ (p -> r) \\/ (p -> q \\/ r)")
    author, told = author_of(Uniform()), Told()
    assert author_of(told) is told
    together = [begun(lemma, seed) for seed in range(64)]
    [*written(author, together, Writing(top_p=1))]
    alone = [finished(author, begun(lemma, seed), top_p=1) for seed in range(64)]
    assert [proof.script for proof in together] == [proof.script for proof in alone]
    assert 5 < sum(proof.is_proved for proof in together) < 60
    assert all(proof.is_proved or proof.is_stuck for proof in together)
    (play,) = committed(FIRST, [LEMMA], Choosing(invertible="free"))
    assert finished(author_of(FIRST), begun()).script == play.script
    assert len(finished(author, begun(lemma), tokens=2).script) == 2


class Speller(Uniform):
    """Writes one of all legal moves, of those of another goal, or what is no move."""

    def worded(self, goals: Sequence[Goal], pick: Callable[[int, Floats], int]) -> list[Move | None]:
        words = [[*legal_moves(goal), Move("imply1", "nothing"), None] for goal in goals]
        chances = [np.array([1.0] * (len(of_goal) - 2) + [0.2, 0.1]) for of_goal in words]
        return [of_goal[pick(number, chances[number])] for number, of_goal in enumerate(words)]


def test_who_writes_freely_goes_on_until_a_move_does_not_apply() -> None:
    author = author_of(Speller())
    assert not isinstance(author, Scribe)
    proofs = [begun(seed=seed) for seed in range(200)]
    assert sum(spent.tokens for spent in written(author, proofs, Writing(top_p=1))) == sum(
        each.tokens for each in proofs
    )
    fates = Counter("proved" if proof.is_proved else "stuck" if proof.is_stuck else "at a fault" for proof in proofs)
    assert fates["at a fault"] > 20 < fates["proved"]
    for proof in proofs:
        assert proof.states == [*replay(LEMMA, proof.script)][1:]
        words = sum(1 + (move.hypothesis is not None) for move in proof.script)
        assert proof.tokens - words in ({0} if proof.is_proved else {1, 2})
    short = [begun(seed=seed) for seed in range(200)]
    assert [*written(author, short, Writing(top_p=1, tokens=1))] and {each.tokens for each in short} == {1}
    author.policy.worded = lambda _, pick: [pick(0, np.full(2, np.nan))]  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="has to give probabilities of words"):
        finished(author, begun())
