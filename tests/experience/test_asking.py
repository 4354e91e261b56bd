"""What a language model is asked about maxims, and that nothing of its answer does harm; the models are scripted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.exam import Play
from oasis.experience.asking import MOST, Advice, asked, question, read
from oasis.experience.contrast import Contrast, Rollouts
from oasis.experience.distilling import Distilling
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim, believed
from oasis.experience.reminder import Reminder
from oasis.experience.scope import ANY, LEFT_SIDE, RIGHT_SIDE, Scope
from oasis.policy import Uniform
from tactics.goal import Goal, Hypothesis, initial
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script
from tests.experience.test_distilling import LEMMAS, Lemma, examiner, sure

OR = Scope("or", "or", "destruct_or")
LEFT, RIGHT = Scope(ANY, LEFT_SIDE, "left"), Scope(ANY, RIGHT_SIDE, "right")
SPECIAL = OR._replace(conclusion="or(atom,atom)")
COMMUTES = parse("p \\/ q -> q \\/ p")
GOOD = Play(parse_script("intro; destruct_or H; right; assumption; left; assumption"), True)
BAD = Play(parse_script("intro; left; destruct_or H"), False)
ROLLOUTS = [Rollouts("commutes", COMMUTES, [GOOD, BAD, BAD]), Rollouts("easy", parse("p -> p"), [GOOD])]
CONTRASTS = {OR: Contrast(Evidence(9, 0), {"commutes": 5.0, "other": 4.0})}
THERE = {
    1: Maxim(1, "Take it apart.", PREFER, OR, "commutes", "t", "t", "me", Evidence(9, 0)),
    4: Maxim(4, "Not left.", AVOID, LEFT, "commutes", "t", "t", "me", Evidence(0, 3)),
}


def said(*operations: Any) -> str:
    return json.dumps({"operations": operations})


def add(where: Scope = RIGHT, category: str = PREFER, **more: Any) -> dict[str, Any]:
    told = {"action": "add", "content": "Say it.", "category": category, "scope": where._asdict(), "reason": "seen"}
    return {**told, **more}


def answered(*operations: Any) -> Advice:
    return read(said(*operations), THERE, CONTRASTS, "easy")


def test_the_question_has_maxims_attempts_counts_and_rules_is_the_same_each_time_and_bounded() -> None:
    asked_for = question(THERE, ROLLOUTS, CONTRASTS)
    assert asked_for == question(THERE, ROLLOUTS, CONTRASTS)
    assert "- 1: Take it apart. (prefer" in asked_for and "- 4: Not left. (avoid" in asked_for
    assert "ended in a proof: intro; destruct_or H" in asked_for and "did not: intro; left" in asked_for
    assert "9.0 pairs for it, 0.0 against" in asked_for and "at most 32 words" in asked_for
    assert all(f"- {rule}: " in asked_for for rule in RULES)
    assert "easy: " not in asked_for  # all its plays went alike
    assert "None yet." in question({}, [], {})
    many = {number: replace(THERE[1], id=number) for number in range(1, 1000)}
    long = Play(GOOD.script * 1000, True)
    lemmas = [Rollouts(str(number), COMMUTES, [long, BAD]) for number in range(500)]
    kinds = ("and", "or", "implies", "atom", "false")
    scopes = [Scope(f"or({one},{other})", ANY, rule) for one in kinds for other in kinds for rule in RULES]
    assert len(question(many, lemmas, dict.fromkeys(scopes, CONTRASTS[OR]))) < 20_000


def test_what_is_answered_rightly_becomes_proposals_with_the_evidence_that_there_is() -> None:
    told = said(add(), add(SPECIAL, AVOID), {"action": "delete", "id": 4, "reason": "r"})
    advice = read(f"Let me think. {{}} ```json\n{told}``` So.", THERE, CONTRASTS, "easy")
    assert advice.refused == ()
    one, other, gone = advice.proposals
    assert one.maxim is not None and one.maxim.evidence == believed(PREFER) == Evidence(3, 0)
    assert one.maxim.source == "easy" and one.must_improve and one.reason == "a language model: seen"
    assert other.maxim is not None and other.maxim.evidence == Evidence(0, 3)
    assert gone.gone == (4,) and not gone.must_improve
    (modify,) = answered({"action": "modify", "id": "1", "content": "Take\nthis  apart.", "reason": "r"}).proposals
    assert modify.maxim is not None and modify.maxim.content == "Take this apart."
    assert (modify.maxim.id, modify.maxim.evidence, modify.maxim.source) == (1, Evidence(9, 0), "commutes")
    (fresh,) = read(said(add(OR)), {}, CONTRASTS, "easy").proposals
    assert fresh.maxim is not None and fresh.maxim.evidence == Evidence(9, 0) and fresh.maxim.source == "commutes"


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ("add", "The action is one of"),
        ({"action": "rename"}, "The action is one of"),
        (add(reason=""), "The reason is missing."),
        (add(content="word " * 33), "at most 32 words, and this one has 33"),
        (add(content=None), "The content is missing."),
        (add(category="love"), "The category is one of prefer, avoid"),
        (add(scope="everywhere"), "The scope is"),
        (add(scope={"conclusion": "xor", "hypothesis": ANY, "rule": "left"}), "The conclusion is 'xor'"),
        (add(scope={"conclusion": [], "hypothesis": {}, "rule": 1}), "The conclusion is []"),
        (add(scope={**RIGHT._asdict(), "rule": "magic"}), "The rule is one of"),
        (add(OR), "Maxim 1 is about that already."),
        (add(SPECIAL, id=1, evidence=[1e9, 0]), None),  # which is not believed, and differs from the general one
        ({"action": "modify", "id": 1, "reason": "r"}, "Maxim 1 would be what it is."),
        ({"action": "modify", "id": 2, "content": "x", "reason": "r"}, "There is no maxim 2."),
        ({"action": "delete", "id": True, "reason": "r"}, "There is no maxim True."),
        ({"action": "delete", "id": "G1-001", "reason": "r"}, "There is no maxim G1-001."),
        ({"action": "delete", "id": [1], "reason": "r"}, "There is no maxim [1]."),
    ],
)
def test_what_is_answered_wrongly_is_refused_with_a_sentence_and_costs_the_rest_nothing(
    operation: Any, why: str | None
) -> None:
    advice = answered(operation, add(RIGHT))
    assert any(each.maxim is not None and each.maxim.scope == RIGHT for each in advice.proposals)
    assert len(advice.proposals) == (1 if why else 2)
    if why:
        assert len(advice.refused) == 1 and why in advice.refused[0] and "\n" not in advice.refused[0]
    assert all(each.maxim is None or each.maxim.evidence.odds < 20 for each in advice.proposals)


def test_an_answer_that_contradicts_itself_or_a_maxim_is_seen() -> None:
    advice = answered(add(), add(category=AVOID), add())
    assert [each.operation for each in advice.proposals] == ["add"]
    assert advice.refused == ("The answer contradicts itself about right.", "The answer says the same of right twice.")
    (modify,) = answered(add(OR, AVOID)).proposals
    assert modify.operation == "modify" and "it contradicts maxim 1" in modify.reason and modify.must_improve
    assert modify.maxim is not None and (modify.maxim.id, modify.maxim.category) == (1, AVOID)
    advice = answered({"action": "delete", "id": 1, "reason": "r"}, {"action": "delete", "id": 1, "reason": "r"})
    assert len(advice.proposals) == 1 and advice.refused == ("There is an operation on maxim 1 already.",)


def test_of_too_many_operations_the_first_are_looked_at() -> None:
    advice = answered(*[add(RIGHT, content=f"Say {number}.") for number in range(MOST + 5)])
    assert len(advice.proposals) == 1 and advice.refused[-1].startswith(f"There are {MOST + 5} operations")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would add a maxim.",
        '{"operations": 3}',
        '{"operations": [{"action": "add"',
        "{" * 200_000,
        '{"a":' * 100_000,
        "[]",
    ],
)
def test_an_answer_without_operations_proposes_nothing(text: str) -> None:
    advice = read(text, THERE, CONTRASTS, "easy")
    assert advice.proposals == () and len(advice.refused) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(
        JSON
        | st.fixed_dictionaries(
            {"action": st.sampled_from(["add", "modify", "delete"])},
            optional=dict.fromkeys(("content", "category", "scope", "reason"), JSON) | {"id": st.integers(0, 5)},
        ),
        max_size=4,
    )
)
def test_whatever_is_answered_can_be_put_to_the_test(operations: list[Any]) -> None:
    advice = answered(*operations)
    assert len(advice.proposals) + len(advice.refused) == len(operations)
    for proposal in advice.proposals:
        assert proposal.about <= THERE.keys()
        proposal.applied(THERE)


# Put to the test.


def judged(library: Library, answer: str) -> Distilling:
    """What comes of distilling where nothing is worked out and a model answers so."""

    def adviser(*told: Any) -> Advice:
        return asked(lambda _: answer, *told)

    distilling = Distilling(library, Uniform(), [Lemma(text) for text in LEMMAS], examiner(), sure, adviser)
    list(distilling.play(plays=20, seed=0, most=0, max_steps=100))
    list(distilling.judge("a test"))
    return distilling


def test_what_a_model_proposes_is_accepted_only_if_it_helps_on_other_lemmas(library: Library) -> None:
    distilling = judged(library, said(add(LEFT, content="Good."), add(Scope(ANY, ANY, "intro"), content="Idle.")))
    assert [each.accepted for each in distilling.verdicts] == [True, False]
    (maxim,) = library.maxims().values()
    assert maxim.content == "Good." and maxim.modified_by == "a test"
    assert library.history()[-1].reason.startswith("a language model: seen; held-out score")


@pytest.mark.parametrize(
    "answer", ["", "no idea", said(add(LEFT, AVOID)), said({"action": "delete", "id": 9, "reason": "r"}), "{" * 999]
)
def test_what_is_wrong_or_malformed_leaves_the_library_as_it_was(library: Library, answer: str) -> None:
    before = library.add("Keep me.", PREFER, RIGHT, Evidence(8, 0), source=LEMMAS[1], by="me", reason="r")
    judged(library, answer)
    assert library.maxims()[before].content == "Keep me." and len(library.maxims()) == 1


def test_what_another_proposal_has_deleted_is_not_touched_again(library: Library) -> None:
    number = library.add(
        "Idle.", PREFER, Scope("false", "or", "destruct_or"), Evidence(8, 0), source="p", by="me", reason="r"
    )
    other = library.add(
        "Same.", PREFER, Scope("false", ANY, "destruct_or"), Evidence(8, 0), source="p", by="me", reason="r"
    )
    distilling = judged(library, said({"action": "delete", "id": number, "reason": "r"}))
    assert list(library.maxims()) == [other]  # the special one is redundant
    assert [each.accepted for each in distilling.verdicts if number in each.proposal.gone] == [True, False]


# In words beside a goal.


def test_one_is_reminded_of_maxims_that_are_about_the_goal_the_strongest_first() -> None:
    goal = Goal((Hypothesis("H", parse("p \\/ q")), Hypothesis("H0", parse("q"))), parse("q \\/ p"))
    there = {
        **THERE,
        7: replace(THERE[1], id=7, content="Last.", scope=Scope("or", ANY, "right"), evidence=Evidence(1, 0)),
    }
    assert Reminder(there.values(), 9)(goal) == ["Take it apart.", "Not left.", "Last."]
    assert Reminder(there.values(), 1)(goal) == ["Take it apart."]
    assert Reminder(there.values(), 9)(initial(parse("p -> p"))[0]) == []
