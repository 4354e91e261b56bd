"""Variants from what a person types: comma lists and sweeps of settings, every combination of them one variant.

`q-learning,sarsa` is a list, `0.1:0.5:0.1` counts from the first number to the second, both included. A variant is
named by what sets it apart from the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any, Final

from oasis.lab.plan import Variant
from oasis.student.learners import learner
from oasis.student.settings import Settings
from tactics.errors import InputError, check_choice

MAX_VARIANTS: Final = 500
CHECKPOINTS: Final = 50
"""How often the greedy policy is asked in a trial, if there are as many episodes."""
ORDER: Final = "order"
EXPERIENCE: Final = "experience"
WITH: Final = "with"
WITHOUT: Final = "without"
_TYPES: Final[dict[str, Any]] = {field.name: type(field.default) for field in fields(Settings)}
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
    lists: Mapping[str, str],
    sweeps: Sequence[str] = (),
    *,
    forget_errors: bool = False,
    lemmas: int = 1,
) -> tuple[Variant, ...]:
    """Every combination that makes a difference, the first setting changing slowest.

    A learner to which a setting makes none is there once, whatever the values of that setting.

    Args:
        base: what is the same for all variants, and the maxims of those with experience.
        lists: by name of a setting, or `order`, a list or a range as typed.
        sweeps: more of these, each as `name=list`; one wins over a list of that name.
        forget_errors: whether variants forget errors; where some have `blind` actions and some others, those that do.
        lemmas: how many there are to practise.

    Raises InputError for what is no setting, no value of it, or the same variant twice.
    """
    choices = _choices(lists, sweeps)
    varied = [name for name, values in choices.items() if len(values) > 1]
    if ORDER in varied and lemmas == 1:
        raise InputError("One lemma has no order; name a curriculum, or one --order.")
    number = 1
    for values in choices.values():
        number *= len(values)
    if number > MAX_VARIANTS:
        raise InputError(f"These are {number:,} variants; {MAX_VARIANTS} are the most, so leave some out.")
    everything = (dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values()))
    return tuple(
        _variant(base, chosen, [name for name in varied if name not in idle], forget_errors)
        for chosen in everything
        for idle in [_idle(chosen.get("learner", base.learner))]
        if all(chosen[name] == values[0] for name, values in choices.items() if name in idle)
    )


def merged(base: Settings, lists: Mapping[str, str], sweeps: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """The learners that are there once, each with those settings of several values that make no difference to it."""
    choices = _choices(lists, sweeps)
    varied = [name for name, values in choices.items() if len(values) > 1]
    learners: list[str] = choices.get("learner", [base.learner])
    of_each = {each: tuple(name for name in varied if name in _idle(each)) for each in learners}
    return {each: names for each, names in of_each.items() if names}


def checkpoints(episodes: int) -> tuple[int, ...]:
    """After which episodes of a trial the greedy policy is asked: `CHECKPOINTS` at even distances, or all of them."""
    number = min(CHECKPOINTS, episodes)
    return tuple((place * episodes + number // 2) // number for place in range(1, number + 1))


def _choices(lists: Mapping[str, str], sweeps: Sequence[str]) -> dict[str, list[Any]]:
    """The values of each setting that is varied. Raises InputError as `variants` does."""
    swept = [_sweep(text) for text in sweeps]
    for place, (name, _) in enumerate(swept):
        if name in dict(swept[:place]):
            raise InputError(f"--sweep {sweeps[place]}: {name} is swept already; write all its values in one.")
    return {name: _values(name, text) for name, text in {**lists, **dict(swept)}.items()}


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


def _sweep(text: str) -> tuple[str, str]:
    """The name and the values in `epsilon=0.1:0.5:0.1`."""
    name, equals, values = text.partition("=")
    name = name.strip().lstrip("-").replace("-", "_")
    if not equals or not name:
        raise InputError(
            f"--sweep {text} should be NAME=VALUES, as in epsilon=0.1:0.5:0.1 or reward=terminating,standard."
        )
    if name != ORDER and name not in _TYPES:
        known = ", ".join(each.replace("_", "-") for each in (*_TYPES, ORDER) if each not in _NOT_VARIED)
        raise InputError(f"--sweep {text}: there is no setting {name}; there are {known}.")
    return name, values


def _values(name: str, text: str) -> list[Any]:
    """The values in a list or a range, as the setting has them."""
    if name in _NOT_VARIED:
        raise InputError(f"{name} cannot be swept: {_NOT_VARIED[name]}.")
    option = "--" + name.replace("_", "-")
    texts = [part.strip() for part in text.split(",")]
    if ":" in text and _TYPES.get(name, str) is not str:  # else it is module:object, or dagger:all
        texts = list(_range(option, text))
    values = [_value(name, option, part) for part in texts]
    for place, value in enumerate(values):
        if value in values[:place]:
            raise InputError(f"{option} {text} names {value} twice; leave one out.")
    return values


def _range(option: str, text: str) -> Iterable[str]:
    """The numbers from start to stop in steps, in decimals, so that 0.1 three times is 0.3."""
    try:
        start, stop, step = map(Decimal, text.split(":"))
        steps = (stop - start) / step
        if not steps.is_finite():
            raise InvalidOperation
    except (ValueError, ArithmeticError):
        raise InputError(f"{option} {text} should be START:STOP:STEP, three numbers as in 0.1:0.5:0.1.") from None
    if steps < 0:
        raise InputError(f"{option} {text} leads away from {stop}; give the step the other sign.")
    if steps >= MAX_VARIANTS:
        raise InputError(f"{option} {text} has more than {MAX_VARIANTS} values; make the step larger.")
    return (str(start + place * step) for place in range(int(steps) + 1))


def _value(name: str, option: str, text: str) -> Any:
    """One value of the type that the setting has; schedules stay text, which `Settings` checks."""
    kind = _TYPES.get(name, str)
    if not text:
        raise InputError(f"{option} has an empty value; write values with one comma between two.")
    if name == EXPERIENCE:
        check_choice(option, text, (WITH, WITHOUT))
    if kind is bool:
        if text not in ("yes", "no"):
            raise InputError(f"{option} is yes or no, not {text!r}.")
        return text == "yes"
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError:
        if name in ("epsilon", "alpha"):
            return text
        raise InputError(f"{option} should be a {'whole ' if kind is int else ''}number, not {text!r}.") from None
