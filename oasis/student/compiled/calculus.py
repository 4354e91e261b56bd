"""The calculus on integers: goals as lists of numbered hypotheses, and what their actions leave.

What the rules do to a formula is data that Python fills in once for each formula (`tactics.rules.inferences`); what
follows for goals is worked out here. Numbers start at 1 and 0 says "not known yet", so arrays of zeros are an empty
calculus and cost no memory until they are used.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled.jit import inner, outer
from oasis.student.compiled.table import Ints, clear, first_slot, has_room, mixed, next_slot, put

Records = NDArray[Any]  # of a structured type

# Action spaces.
LEGAL: Final = 0
BLIND: Final = 1
SIMPLIFY: Final = 2

# What an action is beside the number of an inference, and what it leaves beside the number of a goal.
DOES_NOT_APPLY: Final = -1
WHOLE_STATE: Final = -2
NOTHING: Final = -1

# Columns of `inferences`: the rule, what must be among the hypotheses, the number of premises, and for each of up to
# two premises what replaces the hypothesis, whether in its place, what is added, and the conclusion; 0 for none.
RULE: Final = 0
GIVEN: Final = 1
PREMISES: Final = 2
FIRST_PREMISE: Final = 3
REPLACEMENT: Final = 0
IN_PLACE: Final = 1
ADDITION: Final = 2
CONCLUSION: Final = 3
PREMISE_COLUMNS: Final = 4
COLUMNS: Final = FIRST_PREMISE + 2 * PREMISE_COLUMNS

# Places in `counts`: the next number of each; the formula that Python is asked for, and in which role (0 the
# conclusion, 1 a hypothesis); whether an array is full.
FORMULAS: Final = 0
INFERENCES: Final = 1
GOALS: Final = 2
HYPOTHESES: Final = 3
ACTIONS: Final = 4
ASKED_FORMULA: Final = 5
ASKED_ROLE: Final = 6
FULL: Final = 7


FORMULA: Final = np.dtype([("first_inference", "i4"), ("inferences", "i4")])
"""What the rules do to a formula in one role: a range of inferences, not known while it starts at 0."""
HYPOTHESIS: Final = np.dtype([("name", "i4"), ("formula", "i4")])
GOAL: Final = np.dtype(
    [
        ("avoid", "i4"),  # the set of names that no hypothesis may have; those that are left are counted from 0
        ("conclusion", "i4"),
        ("first_hypothesis", "i4"),
        ("hypotheses", "i4"),
        ("first_action", "i4"),  # 0 while they are not worked out
        ("actions", "i4"),
        ("key", "i4"),  # where keys are those of goals; 0 while there is none
    ]
)
ACTION: Final = np.dtype(
    [
        ("inference", "i4"),  # or DOES_NOT_APPLY, or WHOLE_STATE for what does not end with the goal
        ("place", "i4"),  # of its hypothesis among those of the goal
        ("left", "i4"),  # the goal that it leaves, or NOTHING; 0 while this is not worked out
        ("also_left", "i4"),  # the second goal that it leaves; 0 for none
        ("slot", "i4"),  # where Python gives keys to goals: its place among the pairs of the key
        ("odds", "f8"),  # where a prior gives odds to moves: those of this one, above 0; else 0
    ],
    align=True,
)
RULE_TRAITS: Final = np.dtype([("takes_hypothesis", "?"), ("is_invertible", "?")])


class Calculus(NamedTuple):
    """Formulas with what the rules do to them, and goals with their actions; every array is indexed by number.

    Attributes:
        action_space: LEGAL, BLIND or SIMPLIFY.
        has_prior: whether actions have odds.
        rules: RULE_TRAITS.
        formulas: FORMULA, by role and formula.
        inferences: integers; see the constants for the columns.
        goals: GOAL.
        hypotheses: HYPOTHESIS.
        actions: ACTION.
        table: goals by what they are.
        counts: see the constants.
    """

    action_space: int
    has_prior: bool
    rules: Records
    formulas: Records
    inferences: Ints
    goals: Records
    hypotheses: Records
    actions: Records
    table: Ints
    counts: NDArray[np.int64]


@inner
def intern(calculus: Calculus, avoid: int, conclusion: int, hypotheses: int) -> int:
    """The number of the goal whose hypotheses are the next so many in the arrays; 0 if there is no room for it."""
    counts, table = calculus.counts, calculus.table
    start = counts[HYPOTHESES]
    if not has_room(table, counts[GOALS]):
        _index(calculus)
    slot = first_slot(table, _hashed(calculus, avoid, conclusion, start, hypotheses))
    while table[slot]:
        goal = table[slot]
        if _equal(calculus, goal, avoid, conclusion, hypotheses):
            return int(goal)
        slot = next_slot(table, slot)
    goal = counts[GOALS]
    if goal == calculus.goals.size:
        counts[FULL] = 1
        return 0
    counts[GOALS] += 1
    counts[HYPOTHESES] += hypotheses
    table[slot] = goal
    calculus.goals[goal].avoid, calculus.goals[goal].conclusion = avoid, conclusion
    calculus.goals[goal].first_hypothesis, calculus.goals[goal].hypotheses = start, hypotheses
    return int(goal)


@inner
def _hashed(calculus: Calculus, avoid: int, conclusion: int, start: int, hypotheses: int) -> int:
    """What a goal is, as a number that looks random."""
    bits = mixed(avoid, conclusion)
    for place in range(start, start + hypotheses):
        bits = mixed(bits, mixed(calculus.hypotheses[place].name, calculus.hypotheses[place].formula))
    return int(bits)


@inner
def _index(calculus: Calculus) -> None:
    """Put all goals into the table anew, with as many slots as they need."""
    clear(calculus.table, calculus.counts[GOALS])
    for goal in range(1, calculus.counts[GOALS]):
        fields = calculus.goals[goal]
        bits = _hashed(calculus, fields.avoid, fields.conclusion, fields.first_hypothesis, fields.hypotheses)
        put(calculus.table, bits, goal)


@outer
def index_goals(calculus: Calculus) -> None:
    """Put all goals into the table, for Python."""
    _index(calculus)


@inner
def _equal(calculus: Calculus, goal: int, avoid: int, conclusion: int, hypotheses: int) -> bool:
    """Whether a goal is the one whose hypotheses are the next in the arrays."""
    if (
        calculus.goals[goal].conclusion != conclusion
        or calculus.goals[goal].hypotheses != hypotheses
        or calculus.goals[goal].avoid != avoid
    ):
        return False
    first, start = calculus.goals[goal].first_hypothesis, calculus.counts[HYPOTHESES]
    for place in range(hypotheses):
        if (
            calculus.hypotheses[first + place].formula != calculus.hypotheses[start + place].formula
            or calculus.hypotheses[first + place].name != calculus.hypotheses[start + place].name
        ):
            return False
    return True


@inner
def premise(calculus: Calculus, goal: int, action: int, number: int) -> int:
    """The goal that an action leaves as its first (0) or second (1); 0 if there is no room for it."""
    first, hypotheses = calculus.goals[goal].first_hypothesis, calculus.goals[goal].hypotheses
    row, column = calculus.actions[action].inference, FIRST_PREMISE + number * PREMISE_COLUMNS
    replacement = calculus.inferences[row, column + REPLACEMENT]
    in_place = calculus.inferences[row, column + IN_PLACE]
    addition = calculus.inferences[row, column + ADDITION]
    conclusion = calculus.inferences[row, column + CONCLUSION]
    start = calculus.counts[HYPOTHESES]
    if start + hypotheses + 1 > calculus.hypotheses.size:
        calculus.counts[FULL] = 1
        return 0
    end, principal = start, first + calculus.actions[action].place
    for place in range(first, first + hypotheses):
        is_replaced = place == principal and replacement != 0
        if not is_replaced or in_place:
            formula = replacement if is_replaced else calculus.hypotheses[place].formula
            _write(calculus, end, calculus.hypotheses[place].name, formula)
            end += 1
    if replacement and not in_place:
        _write(calculus, end, calculus.hypotheses[principal].name, replacement)
        end += 1
    if addition:
        _write(calculus, end, _fresh_name(calculus, first, hypotheses), addition)
        end += 1
    if conclusion == 0:
        conclusion = calculus.goals[goal].conclusion
    return intern(calculus, calculus.goals[goal].avoid, conclusion, end - start)


@inner
def _write(calculus: Calculus, place: int, name: int, formula: int) -> None:
    calculus.hypotheses[place].name, calculus.hypotheses[place].formula = name, formula


@inner
def _fresh_name(calculus: Calculus, first: int, hypotheses: int) -> int:
    """The first name that no hypothesis has."""
    for name in range(hypotheses):
        is_free = True
        for place in range(first, first + hypotheses):
            if calculus.hypotheses[place].name == name:
                is_free = False
                break
        if is_free:
            return name
    return int(hypotheses)


@inner
def is_given(calculus: Calculus, goal: int, inference: int) -> bool:
    """Whether a goal has among its hypotheses what an inference asks for."""
    given = calculus.inferences[inference, GIVEN]
    if given == 0:
        return True
    first = calculus.goals[goal].first_hypothesis
    for place in range(first, first + calculus.goals[goal].hypotheses):
        if calculus.hypotheses[place].formula == given:
            return True
    return False


@inner
def expand(calculus: Calculus, goal: int) -> bool:
    """Work out the actions of a goal; False if Python has to be asked about a formula first, or there is no room."""
    if calculus.goals[goal].first_action:
        return True
    first, hypotheses = calculus.goals[goal].first_hypothesis, calculus.goals[goal].hypotheses
    if not _is_known(calculus, calculus.goals[goal].conclusion, 0):
        return False
    most = calculus.rules.size * (hypotheses + 1) + 1
    for place in range(first, first + hypotheses):
        if not _is_known(calculus, calculus.hypotheses[place].formula, 1):
            return False
    if calculus.counts[ACTIONS] + most > calculus.actions.size:
        calculus.counts[FULL] = 1
        return False
    start = calculus.counts[ACTIONS]
    if calculus.action_space == BLIND:
        for rule in range(calculus.rules.size):
            if calculus.rules[rule].takes_hypothesis:
                for place in range(hypotheses):
                    _offer(calculus, _blind(calculus, goal, calculus.hypotheses[first + place].formula, 1, rule), place)
            else:
                _offer(calculus, _blind(calculus, goal, calculus.goals[goal].conclusion, 0, rule), 0)
    else:
        simplifies = calculus.action_space == SIMPLIFY
        if simplifies and _can_be_simplified(calculus, goal):
            _offer(calculus, WHOLE_STATE, 0)
        _offer_legal(calculus, goal, calculus.goals[goal].conclusion, 0, 0, simplifies)
        for place in range(hypotheses):
            _offer_legal(calculus, goal, calculus.hypotheses[first + place].formula, 1, place, simplifies)
    calculus.goals[goal].first_action, calculus.goals[goal].actions = start, calculus.counts[ACTIONS] - start
    return True


@inner
def _is_known(calculus: Calculus, formula: int, role: int) -> bool:
    calculus.counts[ASKED_FORMULA], calculus.counts[ASKED_ROLE] = formula, role
    return bool(calculus.formulas[role, formula].first_inference)


@inner
def _offer(calculus: Calculus, inference: int, place: int) -> None:
    action = calculus.counts[ACTIONS]
    calculus.actions[action].inference, calculus.actions[action].place = inference, place
    calculus.counts[ACTIONS] += 1


@inner
def _offer_legal(calculus: Calculus, goal: int, formula: int, role: int, place: int, simplifies: bool) -> None:
    """Offer what applies to a formula, without what `simplify` does if that is offered."""
    first = calculus.formulas[role, formula].first_inference
    for inference in range(first, first + calculus.formulas[role, formula].inferences):
        is_covered = simplifies and calculus.rules[calculus.inferences[inference, RULE]].is_invertible
        if not is_covered and is_given(calculus, goal, inference):
            _offer(calculus, inference, place)


@inner
def _blind(calculus: Calculus, goal: int, formula: int, role: int, rule: int) -> int:
    """What a rule does to a formula, whether it applies or not."""
    first = calculus.formulas[role, formula].first_inference
    for inference in range(first, first + calculus.formulas[role, formula].inferences):
        if calculus.inferences[inference, RULE] == rule and is_given(calculus, goal, inference):
            return inference
    return DOES_NOT_APPLY


@inner
def _can_be_simplified(calculus: Calculus, goal: int) -> bool:
    formula = calculus.goals[goal].conclusion
    first = calculus.formulas[0, formula].first_inference
    for inference in range(first, first + calculus.formulas[0, formula].inferences):
        is_covered = calculus.rules[calculus.inferences[inference, RULE]].is_invertible
        if is_covered and is_given(calculus, goal, inference):
            return True
    return False


@inner
def resolve(calculus: Calculus, goal: int, action: int) -> bool:
    """Work out what an action leaves that applies; False if there is no room for it."""
    if calculus.actions[action].left == 0:
        premises = calculus.inferences[calculus.actions[action].inference, PREMISES]
        left, also_left = NOTHING, 0
        if premises > 0:
            left = premise(calculus, goal, action, 0)
        if premises > 1:
            also_left = premise(calculus, goal, action, 1)
        if calculus.counts[FULL]:
            return False
        calculus.actions[action].left, calculus.actions[action].also_left = left, also_left
    return True


@outer
def intern_from_python(calculus: Calculus, avoid: int, conclusion: int, hypotheses: int) -> int:
    """`intern`, for Python."""
    return intern(calculus, avoid, conclusion, hypotheses)
