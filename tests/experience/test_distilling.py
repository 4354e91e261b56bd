"""Distilling: contrasts are counted within lemmas, a model may be asked, and only what helps elsewhere is kept."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.experience.asking import MOST, Advice, asked, question, read
from oasis.experience.contrast import Contrast, Rollouts, contrasted
from oasis.experience.distilling import Distilling, Examiner
from oasis.experience.library import Library
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim, believed
from oasis.experience.proposals import Proposal, additions, repairs
from oasis.experience.reminder import Reminder
from oasis.experience.scope import ANY, LEFT_SIDE, RIGHT_SIDE, Scope
from oasis.play.exam import Play
from oasis.play.policy import Uniform
from oasis.store import Store
from tactics.goal import Goal, Hypothesis, initial
from tactics.parser import parse
from tactics.rules import RULES
from tactics.script import parse_script

OR = Scope("or", "or", "destruct_or")
SPECIAL = OR._replace(conclusion="or(atom,atom)")
LEFT, RIGHT = Scope(ANY, LEFT_SIDE, "left"), Scope(ANY, RIGHT_SIDE, "right")
COMMUTES = parse("p \\/ q -> q \\/ p")
GOOD = Play(parse_script("intro; destruct_or H; right; assumption; left; assumption"), True)
BAD = Play(parse_script("intro; left; destruct_or H"), False)
LEMMAS = (
    "p -> p \\/ q",
    "p -> q \\/ p",
    "p /\\ q -> p \\/ r",
    "p /\\ q -> r \\/ q",
    "~p -> ~p \\/ q",
    "~p -> q \\/ ~p",
)
OTHERS = ("q -> p \\/ q", "q -> q \\/ p", "(p -> q) -> (p -> q) \\/ r")
"""The wrong one of `left` and `right` loses in all of them."""


def maxim(number: int, scope: Scope = OR, helped: float = 9, hindered: float = 0, content: str = "Say it.") -> Maxim:
    category = PREFER if helped >= hindered else AVOID
    return Maxim(number, content, category, scope, "p", "t", "t", "me", Evidence(helped, hindered))


def borne(helped: float, hindered: float, lemmas: int = 3) -> Contrast:
    return Contrast(Evidence(helped, hindered), {str(each): 1.0 for each in range(lemmas)})


def suggested(maxims: dict[int, Maxim], contrasts: dict[Scope, Contrast]) -> list[Proposal]:
    """Return the proposed repairs, without those that only test a maxim."""
    return [each for each in repairs(maxims, contrasts) if each.reason != "put to the test"]


def test_pairs_are_counted_within_a_lemma_where_one_made_the_move_and_another_did_not() -> None:
    found = contrasted([Rollouts("a", COMMUTES, [GOOD, GOOD, BAD, BAD])])
    assert found[OR].evidence == Evidence(1, 0)  # 2 · 2 / 4
    assert found[Scope("or", "or", "left")].evidence == Evidence(0, 1)
    assert found[OR].source == "a" and found[OR].lemmas == {"a": 1}
    assert Scope(ANY, ANY, "intro") not in found  # which everybody made: there was nothing else
    hard = Play(parse_script("intro; destruct_or H; assumption"), False)
    assert contrasted([Rollouts("easy", COMMUTES, [GOOD]), Rollouts("hard", parse("p \\/ q -> p"), [hard])]) == {}


def test_what_is_sure_is_proposed_once_and_of_equally_sure_ones_the_general_one() -> None:
    contrasts = {SPECIAL: borne(20, 0), OR: borne(20, 0), Scope(ANY, ANY, "left"): borne(2, 1)}
    contrasts[Scope("or", ANY, "right")] = borne(30, 0, lemmas=1)
    (proposal,) = additions({}, contrasts, most=9)
    assert proposal.maxim is not None and proposal.maxim.scope == OR and proposal.maxim.category == PREFER
    assert proposal.maxim.content == "Where the goal is a disjunction and a hypothesis is one too, take it apart first."
    assert additions({1: maxim(1, helped=20)}, contrasts, most=9) == []
    assert additions({}, contrasts, most=0) == []


def test_what_is_redundant_contradicts_or_is_not_borne_out_is_found() -> None:
    same, special = maxim(2, helped=8), maxim(3, SPECIAL)
    against = maxim(4, helped=0, hindered=30)
    (merge,) = suggested({1: maxim(1), 4: against}, {})
    assert (merge.operation, merge.gone, merge.reason) == ("merge", (4,), "maxims 1, 4 contradict each other")
    assert merge.maxim is not None and (merge.maxim.category, merge.maxim.evidence) == (AVOID, Evidence(9, 30))
    assert merge.maxim.content.endswith("do not take it apart yet.")
    (merge,) = suggested({1: maxim(1), 2: same}, {})
    assert merge.reason == "maxims 1, 2 say the same" and not merge.must_improve
    (delete,) = suggested({1: maxim(1), 3: special}, {})
    assert (delete.operation, delete.gone) == ("delete", (3,))
    assert suggested({3: special, 4: against}, {}) == []  # an exception
    contrasts = {OR: borne(0, 9)}
    (delete,) = suggested({1: maxim(1)}, contrasts)
    assert (delete.operation, delete.gone) == ("delete", (1,))
    assert suggested({1: maxim(1)}, {OR: borne(0, 9, lemmas=1)}) == []
    (modify,) = suggested({1: maxim(1)}, {OR: borne(90, 1)})
    assert modify.operation == "modify" and modify.must_improve
    assert modify.applied({1: maxim(1)})[1].evidence == Evidence(90, 1)
    assert suggested({1: maxim(1)}, {OR: borne(9, 0)}) == []


class Lemma:
    def __init__(self, text: str) -> None:
        self.name, self.formula = text, parse(text)


def examiner() -> Examiner:
    return Examiner(Uniform(), [parse(text) for text in OTHERS], range(5), 10, 100)


def distilled(
    library: Library, *, most: int = 3, plays: int = 40, lemmas: Sequence[str] = LEMMAS, answer: str | None = None
) -> Distilling:
    """Distil, and ask a model too if its answer is given; return the result."""
    adviser = None if answer is None else lambda *told: asked(lambda _: answer, *told)
    distilling = Distilling(library, Uniform(), [Lemma(text) for text in lemmas], examiner(), adviser)
    list(distilling.play(plays=plays, seed=0, most=most, max_steps=100))
    assert list(distilling.judge("a test")) == [*range(1, distilling.proposals + 1)]
    return distilling


def put(library: Library, category: str, scope: Scope, helped: float, hindered: float) -> int:
    """Add a maxim by hand."""
    return library.add("Say.", category, scope, Evidence(helped, hindered), source="p", by="me", reason="r")


def test_what_helps_on_other_lemmas_is_added_with_a_reason_and_the_same_seed_distils_the_same(
    library: Library, tmp_path: Path
) -> None:
    before = examiner().scores([]).mean()
    distilling = distilled(library)
    accepted = [verdict for verdict in distilling.verdicts if verdict.accepted]
    assert accepted and all(verdict.low > 0 for verdict in accepted)
    assert len(library.maxims()) == len(accepted)
    assert examiner().scores(library.maxims().values()).mean() > before + 0.1
    assert all("held-out score" in entry.reason and entry.by == "a test" for entry in library.history())
    with Store(tmp_path / "other.db") as store:
        assert distilled(Library(store)).verdicts == distilling.verdicts


def test_a_wrong_maxim_is_deleted_and_a_right_one_of_its_scope_may_come(library: Library) -> None:
    put(library, AVOID, LEFT, 0, 50)
    harmed, untaught = examiner().scores(library.maxims().values()).mean(), examiner().scores([]).mean()
    assert harmed < untaught
    distilled(library)
    assert 1 not in library.maxims()
    (deleted,) = [entry for entry in library.history() if entry.operation == "delete"]
    assert deleted.reason.startswith("rollouts do not bear it out: ")


def test_a_wrong_maxim_of_which_rollouts_say_nothing_is_put_to_the_test(library: Library) -> None:
    put(library, AVOID, Scope("or", ANY, "left"), 0, 999)
    right = put(library, PREFER, Scope("implies", ANY, "intro"), 9, 0)  # beside which there is nothing else to do
    distilling = distilled(library, most=0, plays=2, lemmas=())
    assert [verdict.proposal.reason for verdict in distilling.verdicts] == ["put to the test"] * 2
    assert [verdict.accepted for verdict in distilling.verdicts] == [True, False]
    assert right in library.maxims()


def test_what_is_merged_becomes_one_maxim_with_the_evidence_of_both(library: Library) -> None:
    put(library, PREFER, LEFT, 30, 1)
    put(library, PREFER, LEFT, 20, 2)
    assert distilled(library, most=0).verdicts[0].accepted
    (left,) = library.maxims().values()
    assert (left.id, left.evidence) == (1, Evidence(50, 3))
    assert [entry.operation for entry in library.history()] == ["add", "add", "modify", "delete"]


def test_a_deletion_that_would_do_harm_is_not_done(library: Library) -> None:
    put(library, PREFER, LEFT, 50, 0)
    distilling = distilled(library, most=0)
    assert not any(verdict.accepted for verdict in distilling.verdicts)
    distilling._proposals = [Proposal("delete", None, (1,), "for a try", False)]
    list(distilling.judge("a test"))
    assert not distilling.verdicts[-1].accepted and distilling.verdicts[-1].gain < 0
    assert [*library.maxims()] == [1]


# Asking a language model, which is scripted

ROLLOUTS = [Rollouts("commutes", COMMUTES, [GOOD, BAD, BAD]), Rollouts("easy", parse("p -> p"), [GOOD])]
CONTRASTS = {OR: Contrast(Evidence(9, 0), {"commutes": 5.0, "other": 4.0})}
THERE = {1: maxim(1, content="Take it apart."), 4: maxim(4, LEFT, 0, 3, "Not left.")}


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
    assert (modify.maxim.id, modify.maxim.evidence, modify.maxim.source) == (1, Evidence(9, 0), "p")
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


def test_an_answer_without_operations_proposes_nothing() -> None:
    unfinished = '{"operations": [{"action": "add"'
    for text in ("", "I would add.", '{"operations": 3}', unfinished, "{" * 200_000, '{"a":' * 100_000, "[]"):
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


def test_what_a_model_proposes_is_accepted_only_if_it_helps_on_other_lemmas(library: Library) -> None:
    answer = said(add(LEFT, content="Good."), add(Scope(ANY, ANY, "intro"), content="Idle."))
    distilling = distilled(library, most=0, plays=20, answer=answer)
    assert [each.accepted for each in distilling.verdicts] == [True, False]
    (maxim,) = library.maxims().values()
    assert maxim.content == "Good." and maxim.modified_by == "a test"
    assert library.history()[-1].reason.startswith("a language model: seen; held-out score")


def test_what_another_proposal_has_deleted_is_not_touched_again(library: Library) -> None:
    number, other = (put(library, PREFER, Scope("false", each, "destruct_or"), 8, 0) for each in ("or", ANY))
    distilling = distilled(library, most=0, plays=20, answer=said({"action": "delete", "id": number, "reason": "r"}))
    assert list(library.maxims()) == [other]  # the special one is redundant
    assert [each.accepted for each in distilling.verdicts if number in each.proposal.gone] == [True, False]


def test_one_is_reminded_of_maxims_that_are_about_the_goal_the_strongest_first() -> None:
    goal = Goal((Hypothesis("H", parse("p \\/ q")), Hypothesis("H0", parse("q"))), parse("q \\/ p"))
    there = [maxim(7, Scope("or", ANY, "right"), 1, content="Last."), *THERE.values()]
    assert Reminder(there, 9)(goal) == ["Take it apart.", "Not left.", "Last."]
    assert Reminder(there, 1)(goal) == ["Take it apart."]
    assert Reminder(there, 9)(initial(parse("p -> p"))[0]) == []
