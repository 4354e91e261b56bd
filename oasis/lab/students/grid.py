"""Variants from what a person types: lists and sweeps of settings, every combination of their values one variant.

A variant is named by what sets it apart from the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import product
from math import prod
from typing import Any, ClassVar, Final

from curricula.lemma import Lemma
from oasis.ground.settings import Known, known
from oasis.lab.students.circumstances import WITH, Circumstances
from oasis.lab.students.plan import Plan, Variant, checkpoints
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
    check_order(lists, lemmas)
    number = prod(map(len, lists.values()))
    if number > MAX_VARIANTS:
        raise InputError(
            f"These are {number:,} variants; {MAX_VARIANTS} are the most, so leave some out, or let optuna choose "
            "among them as with --choose 50."
        )
    every = (dict(zip(lists, chosen, strict=True)) for chosen in product(*lists.values()))
    return tuple(dict.fromkeys(variant(base, lists, chosen, forget_errors=forget_errors) for chosen in every))


def check_order(lists: Mapping[str, Sequence[Any]], lemmas: int) -> None:
    """Raises InputError if a single lemma is to be practised in several orders."""
    if len(lists.get(ORDER, ())) > 1 and lemmas == 1:
        raise InputError("One lemma has no order; name a curriculum, or one --order.")


def variant(
    base: Settings, lists: Mapping[str, Sequence[Any]], chosen: Mapping[str, Any], *, forget_errors: bool = False
) -> Variant:
    """Return the students of one value of each list; what makes no difference to their learner has the first value."""
    idle = _idle(chosen.get("learner", base.learner))
    settled = {name: values[0] if name in idle else chosen[name] for name, values in lists.items()}
    varied = [name for name, values in lists.items() if len(values) > 1 and name not in idle]
    return _variant(base, settled, varied, forget_errors)


@dataclass(frozen=True)
class Grid:
    """All combinations of values, among which optuna is to choose (`oasis.ground.tuning.Tuning`).

    Attributes:
        name: of the curriculum.
        lemmas: to practise, one after the other.
        base: what is the same for all variants.
        lists: the values of each setting, by its name.
        seeds: of the students of every trial.
        forget_errors: as in `variants`.
    """

    name: str
    lemmas: tuple[Lemma, ...]
    base: Settings
    lists: Mapping[str, Sequence[Any]]
    seeds: tuple[int, ...]
    forget_errors: bool = False
    first: ClassVar[Sequence[Mapping[str, Any]]] = ()

    @property
    def study(self) -> str:
        """A name that no other grid has."""
        return f"grid {sha256(json.dumps(self.to_json()).encode()).hexdigest()[:16]}"

    @property
    def choices(self) -> dict[str, Sequence[Any]]:
        """The lists of several values. Raises InputError if there is none."""
        found = {name: values for name, values in self.lists.items() if len(values) > 1}
        if not found:
            raise InputError("There is nothing to choose among; give settings several values, as with --sweep.")
        return found

    def variant(self, chosen: Mapping[str, Any]) -> Variant:
        """Return the students of one combination."""
        whole = {name: chosen.get(name, values[0]) for name, values in self.lists.items()}
        return variant(self.base, self.lists, whole, forget_errors=self.forget_errors)

    def plans(self, variants: Sequence[Variant]) -> dict[str, Plan]:
        """Return one plan: its students practise all lemmas."""
        points = checkpoints(self.base.episodes * len(self.lemmas))
        return {self.name: Plan(self.name, self.lemmas, tuple(variants), self.seeds, points)}

    def said(self, chosen: Mapping[str, Any]) -> str:
        """Return the name of a combination."""
        return self.variant(chosen).name

    def to_json(self) -> dict[str, Any]:
        """Return what a study must be about to be gone on with."""
        return {
            "lemmas": {lemma.name: lemma.formula.digest.hex() for lemma in self.lemmas},
            "lists": {name: list(values) for name, values in self.lists.items()},
            "base": asdict(self.base),
            "seeds": list(self.seeds),
            "forget_errors": self.forget_errors,
        }


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
        setting = _varied(name, f"--sweep {text}")
        if name in found:
            raise InputError(f"--sweep {text}: {name} is swept already; write all its values in one.")
        found[name] = setting.read_list(values)
    return found


def by_name(
    base: Settings, lists: Mapping[str, Sequence[Any]], kinds: Any, *, forget_errors: bool = False
) -> tuple[Variant, ...]:
    """Students of the names that a study gives them, each with settings of its own, all else as the lists say.

    Args:
        base: as in `variants`.
        lists: the same, one value of each setting that a kind does not have of its own.
        kinds: settings by name of the kind, as a file holds them.
        forget_errors: whether those with blind actions forget errors.

    Raises InputError for what is no setting or cannot be, and for several values.
    """
    if not isinstance(kinds, Mapping) or not all(isinstance(each, Mapping) for each in kinds.values()):
        raise InputError("variants should hold settings by the names of kinds, as in variants.low = {epsilon = 0.05}.")
    found = []
    for name, settings in kinds.items():
        own = {each: [_varied(each, f"variants.{name}").read(value)] for each, value in settings.items()}
        whole = {**lists, **own}
        for each, values in whole.items():
            if len(values) > 1:
                raise InputError(
                    f"variants.{name} needs one {each} of its own, or all of them one: --{each} {values[0]}."
                )
        forgets = forget_errors and ("actions" not in own or whole["actions"][0] == "blind")
        chosen = {each: values[0] for each, values in whole.items()}
        found.append(replace(variant(base, whole, chosen, forget_errors=forgets), name=name))
    return tuple(found)


def _varied(name: str, where: str) -> Known:
    """Return a setting that kinds may differ in. Raises InputError if it is none."""
    if name in _NOT_VARIED:
        raise InputError(f"{name} cannot be swept: {_NOT_VARIED[name]}.")
    if name not in VARIED:
        names = ", ".join(each.replace("_", "-") for each in VARIED if each not in _NOT_VARIED)
        raise InputError(f"{where}: there is no setting {name}; there are {names}.")
    return VARIED[name]
