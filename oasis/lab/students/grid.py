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


@dataclass(frozen=True)
class Grid:
    """Kinds of students from lists of values. Raises InputError if a single lemma has several orders.

    Attributes:
        name: of the curriculum.
        lemmas: to practise.
        base: what is the same for all kinds, and the maxims of those with experience.
        lists: the values of each setting, by its name (`VARIED`).
        seeds: of the students.
        forget_errors: whether kinds forget errors; if some have `blind` actions and some others, those that do.
    """

    name: str
    lemmas: tuple[Lemma, ...]
    base: Settings
    lists: Mapping[str, Sequence[Any]]
    seeds: tuple[int, ...]
    forget_errors: bool = False
    first: ClassVar[Sequence[Mapping[str, Any]]] = ()

    def __post_init__(self) -> None:
        if len(self.lists.get(ORDER, ())) > 1 and len(self.lemmas) == 1:
            raise InputError("One lemma has no order; name a curriculum, or one --order.")

    def variants(self) -> tuple[Variant, ...]:
        """Return every combination that makes a difference, the first setting changing slowest.

        A learner to which a setting makes none is there once, whatever the values of that setting.

        Raises InputError for settings that do not go together, and for too many combinations.
        """
        number = prod(map(len, self.lists.values()))
        if number > MAX_VARIANTS:
            raise InputError(
                f"These are {number:,} variants; {MAX_VARIANTS} are the most, so leave some out, or let optuna choose "
                "among them as with --choose 50."
            )
        every = (dict(zip(self.lists, chosen, strict=True)) for chosen in product(*self.lists.values()))
        return tuple(dict.fromkeys(map(self.variant, every)))

    def variant(self, chosen: Mapping[str, Any]) -> Variant:
        """Return the students of some values; the others, and what their learner ignores, are first ones of lists."""
        usual = {name: values[0] for name, values in self.lists.items()}
        idle = _idle(chosen.get("learner", usual.get("learner", self.base.learner)))
        settled = {**usual, **{name: value for name, value in chosen.items() if name not in idle}}
        varied = [name for name, values in self.lists.items() if len(values) > 1 and name not in idle]
        name = ", ".join(_say(setting, settled[setting]) for setting in varied)
        order = settled.pop(ORDER, "fixed")
        settled[EXPERIENCE] = self.base.experience if settled.get(EXPERIENCE) == WITH else ""
        if self.forget_errors and (settled.get("actions") == "blind" or "actions" not in varied):
            settled.setdefault("forget_errors", True)
        settings = replace(self.base, **settled)
        return Variant(name or settings.learner, settings, order)

    def by_name(self, kinds: Any) -> tuple[Variant, ...]:
        """Return students of the names that a study gives them, each with settings of its own, all else as lists say.

        Args:
            kinds: settings by name of the kind, as a file holds them.

        Raises InputError for what is no setting or cannot be, and for several values.
        """
        if not isinstance(kinds, Mapping) or not all(isinstance(each, Mapping) for each in kinds.values()):
            raise InputError(
                "variants should hold settings by the names of kinds, as in variants.low = {epsilon = 0.05}."
            )
        found = []
        for name, settings in kinds.items():
            own = {each: [_varied(each, f"variants.{name}").read(value)] for each, value in settings.items()}
            whole = {**self.lists, **own}
            for each, values in whole.items():
                if len(values) > 1:
                    raise InputError(
                        f"variants.{name} needs one {each} of its own, or all of them one: --{each} {values[0]}."
                    )
            forgets = self.forget_errors and ("actions" not in own or whole["actions"][0] == "blind")
            made = replace(self, lists=whole, forget_errors=forgets).variant({})
            found.append(replace(made, name=name))
        return tuple(found)

    @property
    def merged(self) -> dict[str, tuple[str, ...]]:
        """The learners that are there once, each with the settings of several values that make no difference to it."""
        varied = [name for name, values in self.lists.items() if len(values) > 1]
        learners = self.lists.get("learner", [self.base.learner])
        of_each = {each: tuple(name for name in varied if name in _idle(each)) for each in learners}
        return {each: names for each, names in of_each.items() if names}

    def plans(self, variants: Sequence[Variant]) -> dict[str, Plan]:
        """Return one plan: its students practise all lemmas."""
        points = checkpoints(self.base.episodes * len(self.lemmas))
        return {self.name: Plan(self.name, self.lemmas, tuple(variants), self.seeds, points)}

    # What follows is asked if optuna is to choose (`oasis.ground.tuning`).

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


def _idle(name: str) -> tuple[str, ...]:
    """The settings that make no difference to a learner."""
    found = learner(name)
    return found.ignores if found.rewarded else (*found.ignores, "reward")


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


def _varied(name: str, where: str) -> Known:
    """Return a setting that kinds may differ in. Raises InputError if it is none."""
    if name in _NOT_VARIED:
        raise InputError(f"{name} cannot be swept: {_NOT_VARIED[name]}.")
    if name not in VARIED:
        names = ", ".join(each.replace("_", "-") for each in VARIED if each not in _NOT_VARIED)
        raise InputError(f"{where}: there is no setting {name}; there are {names}.")
    return VARIED[name]
