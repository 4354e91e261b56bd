"""The companion: what it was shown it keeps, put right it learns, and looks only where somebody has pointed."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from curricula.course import course
from curricula.resolve import resolve_lemma
from oasis.classroom.partner.companion import PENALTY, Choice, Companion, Corrected, Lesson, Shown, Struck, fitted
from oasis.classroom.partner.looks import LOOKS, telling, within_reach
from oasis.classroom.partner.raised import Raised
from oasis.play.exam import examine
from oasis.play.policy import Floats
from oasis.student.settings import Settings
from oasis.teacher.exact.values import shortest_script
from tactics.errors import InputError
from tactics.goal import Goal, Move, initial
from tactics.parser import parse
from tactics.printer import UNICODE
from tactics.rules import legal_moves
from tactics.script import parse_script, replay
from tests.state_spaces.variants import disguised, made, randoms

LEFT, RIGHT = Move("left"), Move("right")
SIDE = parse("p -> q \\/ p")


def goal(lemma: str, script: str = "intro") -> Goal:
    """Return the goal in focus after some moves."""
    return replay(parse(lemma), parse_script(script))[-1][0]


def shown(text: str) -> Shown:
    """Return the shortest proof of a lemma as a lesson."""
    proof = shortest_script(lemma := parse(text))
    assert proof is not None
    return Shown(lemma, proof)


def share(companion: Companion, where: Goal, move: Move) -> float:
    """Return how likely a move is."""
    (shares,) = companion.probabilities([(where,)])
    return float(shares[legal_moves(where).index(move)])


def test_a_fresh_one_plays_by_chance_and_judges_nothing() -> None:
    fresh, state = Companion(), initial(parse("p /\\ q -> r \\/ s"))
    assert fresh.weights == {} and fresh.values(state) is None and fresh.probabilities([()])[0].size == 0
    where = goal("p /\\ q -> r \\/ s")
    assert fresh.probabilities([(where,)])[0] == pytest.approx(1 / len(legal_moves(where)))


@given(state=made(), seed=randoms)
def test_letters_names_and_the_order_of_hypotheses_do_not_matter(state: tuple[Goal, ...], seed: Random) -> None:
    taught = Companion([shown("p -> q \\/ p"), shown("p /\\ q -> q /\\ p"), shown("((p -> q) -> p) -> (p -> q) -> q")])
    taught.learn(Corrected(goal("r -> s \\/ r"), LEFT, RIGHT, "the side lies here"))
    twin = disguised(state[:1], seed)
    for move in legal_moves(state[0]) if state else ():
        alike = Move(move.rule, move.hypothesis and twin.hypotheses[0][move.hypothesis])
        assert share(taught, state[0], move) == pytest.approx(share(taught, twin.state[0], alike))


def test_what_was_shown_is_kept_whatever_its_letters_are() -> None:
    lemmas = [resolve_lemma(name).formula for world in course()[:3] for name in world.lemmas]
    lessons = [Shown(lemma, proof) for lemma in lemmas if (proof := shortest_script(lemma))]
    taught = Companion(lessons)
    kept = [examine(taught, each.lemma, plays=20).share for each in lessons]
    assert np.mean(kept) > 0.9 and min(kept) > 0.5
    assert share(taught, goal("s -> r \\/ s"), RIGHT) == share(taught, goal("p -> q \\/ p"), RIGHT)


def test_sides_are_one_habit_and_a_look_carries_over_where_habits_cannot() -> None:
    shown_only = Companion([shown("p -> q \\/ p")])
    other = goal("a -> b -> a \\/ c", "intro; intro")
    assert share(shown_only, other, LEFT) == share(shown_only, other, RIGHT)
    told = Companion([*shown_only.lessons, Corrected(goal("r -> s -> t \\/ s", "intro; intro"), LEFT, RIGHT)])
    assert share(told, other, LEFT) == share(told, other, RIGHT)
    looking = Companion(
        [*shown_only.lessons, Corrected(goal("r -> s -> t \\/ s", "intro; intro"), LEFT, RIGHT, "the side lies here")]
    )
    assert share(looking, other, LEFT) > 2 * share(looking, other, RIGHT)
    looking.learn(Struck("the side lies here"))
    assert not looking.looks and share(looking, other, LEFT) == share(looking, other, RIGHT)


def test_who_is_put_right_makes_the_move_that_was_told_and_not_the_one_that_lost() -> None:
    where = goal("p -> q -> p \\/ r", "intro; intro")
    taught = Companion([shown("p -> p")])
    taught.learn(Corrected(where, RIGHT, LEFT))
    assert taught.remembers(where) and share(taught, where, LEFT) > 0.9 > 0.1 > share(taught, where, RIGHT)
    taught.learn(Corrected(where, LEFT, RIGHT))
    assert share(taught, where, RIGHT) > 0.9
    taught.learn(shown("p -> q -> p \\/ r"))
    assert share(taught, where, LEFT) > 0.9  # a proof says more than what was told


@given(order=st.permutations(range(4)))
def test_habits_and_looks_do_not_depend_on_the_order_of_lessons(order: list[int]) -> None:
    lessons: list[Lesson] = [
        shown("p -> q \\/ p"),
        shown("p /\\ q -> p"),
        Corrected(goal("r -> s \\/ r"), LEFT, RIGHT, "the side lies here"),
        Corrected(goal("r -> s -> r \\/ t", "intro; intro"), RIGHT, LEFT, "the side can be had"),
    ]
    assert Companion([lessons[n] for n in order]).weights == pytest.approx(Companion(lessons).weights, abs=1e-9)


@pytest.mark.parametrize(
    ("lesson", "sentence"),
    [
        (Shown(SIDE, parse_script("intro")), "Only a whole proof can be shown"),
        (Corrected(goal("p -> q \\/ p"), LEFT, Move("split")), "split is no move of this goal"),
        (Corrected(goal("p -> q \\/ p"), LEFT, RIGHT, "the weather"), "the weather is nothing to look at"),
        (Struck("the weather"), "the weather is nothing to look at"),
    ],
)
def test_what_is_no_lesson_is_refused_and_changes_nothing(lesson: Shown | Corrected | Struck, sentence: str) -> None:
    taught = Companion([shown("p -> q \\/ p")])
    before = taught.weights
    with pytest.raises(InputError, match=sentence):
        taught.learn(lesson)
    assert taught.weights == before and taught.looks == set() and len(taught.lessons) == 1


IMPLY4 = [Move("imply4", name) for name in ("H", "H0", "H1")]
TELLING = [
    ("p -> q \\/ p", "intro", RIGHT, LEFT, "lies here; can be had; other side can be had"),
    ("(p -> q) -> p -> q \\/ r", "intro; intro", LEFT, RIGHT, "can be had; other side can be had"),
    (
        "p \\/ q -> r \\/ p",
        "intro",
        Move("destruct_or", "H"),
        LEFT,
        "lies here; can be had; other side can be had; an or",
    ),
    ("((p -> p) -> q) -> ((r -> s) -> t) -> q", "intro; intro", *IMPLY4[:2], "nowhere; left part; to be shown; needed"),
    ("q -> ((p -> q) -> r) -> ((p -> s) -> r) -> r", "intro; intro; intro", *IMPLY4[1:], "right part lies here"),
    ("((p -> q) -> r) -> ((s -> q) -> t) -> (r -> u) -> u", "intro; intro; intro", *IMPLY4[:2], "what is needed"),
]
"""Of each: a lemma, moves, a right move and a wrong one, and words of the looks that tell them apart."""


@pytest.mark.parametrize(("lemma", "script", "right", "wrong", "words"), TELLING)
def test_looks_tell_a_right_move_from_a_wrong_one(
    lemma: str, script: str, right: Move, wrong: Move, words: str
) -> None:
    found = telling(goal(lemma, script), right, wrong)
    assert len(found) == words.count(";") + 1 and set(found) <= {*LOOKS}
    assert all(word in look for word, look in zip(words.split("; "), found, strict=True))


def test_what_is_within_reach() -> None:
    def reach(wanted: str, *lying: str) -> bool:
        return within_reach(map(parse, lying), parse(wanted))

    assert reach("r", "p /\\ q", "p -> q -> r") and reach("s \\/ (p /\\ q)", "q /\\ p") and reach("s", "False")
    assert not reach("p", "p \\/ q") and not reach("q", "p -> q") and not reach("p -> q", "q")


OFFERS = st.dictionaries(st.sampled_from("abc"), st.sampled_from([-1.0, 1.0]))
CHOICES = st.tuples(st.lists(OFFERS, min_size=1, max_size=4), st.integers(0, 3), st.sampled_from([1.0, 2.0]))


@given(drawn=st.lists(CHOICES, min_size=1, max_size=5))
def test_weights_are_those_of_a_penalised_conditional_logit(
    drawn: list[tuple[list[dict[str, float]], int, float]],
) -> None:
    choices = [Choice(offers, place % len(offers), counts) for offers, place, counts in drawn]
    names = sorted({name for each in choices for of in each.offers for name in of})
    found = fitted(choices)
    assert sorted(found) == names

    def loss(weights: Floats) -> float:
        of = dict(zip(names, weights, strict=True))
        scores = [[sum(of[name] * x for name, x in offer.items()) for offer in each.offers] for each in choices]
        likely = sum(
            each.counts * (row[each.place] - np.log(np.exp(row).sum()))
            for each, row in zip(choices, scores, strict=True)
        )
        return float(PENALTY / 2 * weights @ weights - likely)

    if names:
        least = minimize(loss, np.zeros(len(names)))
        assert loss(np.array([found[name] for name in names])) <= least.fun + 1e-6


def test_as_a_partner_it_plays_by_its_bars_says_why_and_learns_from_proofs_alone() -> None:
    lesson = Corrected(goal("r -> s -> t \\/ s", "intro; intro"), LEFT, RIGHT, "the side lies here")
    partner = Raised(parse("a -> b -> a \\/ c"), Settings(), lessons=[shown("p -> q \\/ p"), lesson])
    after = replay(partner.formula, parse_script("intro; intro"))[-1]
    (voice,) = partner.opinion(after).voices
    assert voice.columns[0].head == "takes" and sum(voice.columns[0].figures) == pytest.approx(1)  # type: ignore[arg-type]
    assert voice.choice == LEFT and not voice.is_sure and "never shown" in voice.sentence
    assert partner.opinion(after) == partner.opinion(after)
    why = partner.why(after, UNICODE)
    assert why.move is not None
    ends = set()
    for _ in range(30):
        assert partner.episode()
        ends.add(bool(partner.state))
    assert ends == {True, False} and partner.knows.exam.proved < 20  # type: ignore[union-attr]
    proof = shortest_script(partner.formula)
    assert proof is not None and "remembers" in partner.follow(proof)
    assert partner.opinion(after).voices[0].is_sure and partner.exam().share > 0.5  # type: ignore[union-attr]
    assert "shown it" in " ".join(partner.why(after, UNICODE).sentences)
    assert "nothing to switch" in partner.change(learner="sarsa")
