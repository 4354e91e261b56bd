"""Variants from what a person types: lists and sweeps of settings, every combination of their values one variant.

A variant is named by what sets it apart from the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Final

from oasis.ground.settings import known
from oasis.lab.students.circumstances import WITH, Circumstances
from oasis.lab.students.plan import Variant
from oasis.student.learners import learner
from oasis.student.settings import Settings
from tactics.errors import InputError

MAX_VARIANTS: Final = 500
ORDER: Final = "order"
EXPERIENCE: Final = "experience"
VARIED: Final = {**known(Settings), **known(Circumstances)}
"""Settings of which a comparison may have several values, but for those that are `_NOT_VARIED`."""
_NOT_VARIED: Final = {
    "seed": "every variant has the same seeds; see --seeds and --seed",
    "episodes": "all variants have the same number of episodes; see --episodes",
    "backend": "students are compared in the embedded calculus",
}
_SAYS_ENOUGH: Final = ("learner", "reward", "state_space", "actions", ORDER)
"""Names of settings whose values say by themselves what they are."""
_SYMBOLS: Final = {"epsilon": "ε", "alpha": "α", "gamma": "γ", "trace_decay": "λ", "initial_value": "Q₀"}


def variants(
    base: Settings,
    lists: Mapping[str, Sequence[Any]],
    *,
    forget_errors: bool = False,
    lemmas: int = 1,
) -> tuple[Variant, ...]:
    """Every combination that makes a difference, the first setting changing slowest.

    A learner to which a setting makes none is there once, whatever the values of that setting.

    Args:
        base: what is the same for all variants, and the maxims of those with experience.
        lists: the values of each setting, by its name (`VARIED`).
        forget_errors: whether variants forget errors; where some have `blind` actions and some others, those that do.
        lemmas: how many there are to practise.

    Raises InputError for settings that do not go together, and for too many variants.
    """
    varied = [name for name, values in lists.items() if len(values) > 1]
    if ORDER in varied and lemmas == 1:
        raise InputError("One lemma has no order; name a curriculum, or one --order.")
    number = prod(map(len, lists.values()))
    if number > MAX_VARIANTS:
        raise InputError(f"These are {number:,} variants; {MAX_VARIANTS} are the most, so leave some out.")
    everything = (dict(zip(lists, chosen, strict=True)) for chosen in product(*lists.values()))
    return tuple(
        _variant(base, chosen, [name for name in varied if name not in idle], forget_errors)
        for chosen in everything
        for idle in [_idle(chosen.get("learner", base.learner))]
        if all(chosen[name] == values[0] for name, values in lists.items() if name in idle)
    )


def merged(base: Settings, lists: Mapping[str, Sequence[Any]]) -> dict[str, tuple[str, ...]]:
    """The learners that are there once, each with those settings of several values that make no difference to it."""
    varied = [name for name, values in lists.items() if len(values) > 1]
    learners = lists.get("learner", [base.learner])
    of_each = {each: tuple(name for name in varied if name in _idle(each)) for each in learners}
    return {each: names for each, names in of_each.items() if names}


def _idle(name: str) -> tuple[str, ...]:
    """The settings that make no difference to a learner."""
    found = learner(name)
    return found.ignores if found.rewarded else (*found.ignores, "reward")


def _variant(base: Settings, chosen: dict[str, Any], varied: Sequence[str], forget_errors: bool) -> Variant:
    name = ", ".join(_say(setting, chosen[setting]) for setting in varied)
    order = chosen.pop(ORDER, "fixed")
    chosen[EXPERIENCE] = base.experience if chosen.get(EXPERIENCE) == WITH else ""
    if forget_errors and (chosen.get("actions") == "blind" or "actions" not in varied):
        chosen.setdefault("forget_errors", True)
    settings = replace(base, **chosen)
    return Variant(name or settings.learner, settings, order)


def _say(setting: str, value: Any) -> str:
    """What a legend says of a setting."""
    if setting == "forget_errors":
        return "forgetting errors" if value else "not forgetting"
    if setting == EXPERIENCE:
        return f"{value} experience"
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    if setting in _SAYS_ENOUGH:
        return shown
    return f"{_SYMBOLS.get(setting, setting.replace('_', ' '))} {shown}"


def swept(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values of settings that are varied by `--sweep`, each text as `name=list`. Raises InputError."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        name = name.strip().lstrip("-").replace("-", "_")
        if not equals or not name:
            raise InputError(
                f"--sweep {text} should be NAME=VALUES, as in epsilon=0.1:0.5:0.1 or reward=terminating,standard."
            )
        if name not in VARIED:
            names = ", ".join(each.replace("_", "-") for each in VARIED if each not in _NOT_VARIED)
            raise InputError(f"--sweep {text}: there is no setting {name}; there are {names}.")
        if name in _NOT_VARIED:
            raise InputError(f"{name} cannot be swept: {_NOT_VARIED[name]}.")
        if name in found:
            raise InputError(f"--sweep {text}: {name} is swept already; write all its values in one.")
        found[name] = VARIED[name].read_list(values)
    return found
