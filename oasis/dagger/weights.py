"""Weights of R†, and what else can be chosen about it: presets that come along, and files of somebody's own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from hashlib import blake2b
from importlib import resources
from json import dumps
from math import isinf
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, Self

from oasis.dagger.term import MOST, Options, Reading, Term
from oasis.ground.names import TERMS
from oasis.ground.settings import Setting, check, from_json
from oasis.rewards import LARGEST
from tactics.errors import InputError, did_you_mean

DEFAULT: Final = "steady"
WHOLE: Final = {Reading.SEED: "seed", Reading.SOUND: "all", Reading.SHAPED: "shaped"}
"""The presets in which all terms have their say, by the reading."""
_FORMER: Final = {"sound": "all"}
"""Presets by former names, which stored rewards have."""
OPTIONS: Final = tuple(each.name for each in fields(Options))
"""What can be told to terms beside their weights."""


@dataclass(frozen=True)
class Weights:
    """All that is chosen about R†; raises InputError for a value out of range.

    Attributes:
        weights: of the terms by their names, or `module:object`; a term that is not named has weight 0, and is not
            computed. That of H is subtracted.
    """

    reading: Annotated[Reading, Setting("How the terms are read.", choices=tuple(Reading), hidden=True)] = Reading.SOUND
    weights: Mapping[str, float] = field(default_factory=dict)
    clip: Annotated[
        float,
        Setting(
            "The most that a step, or an episode's end, pays or costs; as printed, that a whole episode does. Shaped "
            "rewards are not clipped.",
            within=f"(0, {LARGEST:g}]",
            hidden=True,
        ),
    ] = 10.0
    round: Annotated[int, Setting("Episodes for which what is counted stands still.", within="[1, ∞)", hidden=True)] = (
        1000
    )
    knowledge: Annotated[
        str,
        Setting(
            "Whose graph of rules and shapes it is: default, a name that `oasis dagger fit` was given, or its file.",
            hidden=True,
        ),
    ] = "default"
    belief: Annotated[
        str,
        Setting(
            "Who says how likely a state is to be proved: bayes, bayes-online, knn, gnn, even, exact, tiny, a "
            "network's file, or module:object.",
            hidden=True,
        ),
    ] = "bayes"
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        check(self)
        object.__setattr__(self, "reading", Reading(self.reading))
        for name, weight in self.weights.items():
            if name not in TERMS and not all(name.partition(":")):
                choices = f"there are {', '.join(TERMS)}."
                raise InputError(f"There is no term {name!r}; {did_you_mean(name, [*TERMS], choices)}")
            if type(weight) not in (int, float) or not abs(weight) <= MOST:
                raise InputError(f"The weight of {name} is {weight!r:.40}; give a number up to {MOST:,}.")
        chosen = {name: float(self.weights[name]) for name in self.names if self.weights.get(name)}
        object.__setattr__(self, "weights", MappingProxyType(chosen))

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """The weights that a table says, as `to_json` gives it and TOML has it. Raises InputError."""
        for name in ("options", "weights"):
            if not isinstance(content.get(name, {}), Mapping):
                raise InputError(f"{name} is a table; write [{name}] on a line of its own.")
        above, options = [*content], [*content.get("options", {})]
        for place, names, misplaced in (("weights", TERMS, above + options), ("options", OPTIONS, above)):
            for name in misplaced:
                if name in names:
                    raise InputError(f"{name} stands in the wrong place; write it below a line that says [{place}].")
        return from_json(cls, content)

    def to_json(self) -> dict[str, Any]:
        """What `read` takes."""
        return {
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "reading": str(self.reading),
            "weights": dict(self.weights),
            "options": asdict(self.options),
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all terms of ours, and after these of those of somebody's own that have a weight."""
        return *TERMS, *(name for name in self.weights if name not in TERMS)

    @property
    def version(self) -> str:
        """16 hexadecimal digits that stand for all of it."""
        return blake2b(dumps(self.to_json(), sort_keys=True).encode(), digest_size=8).hexdigest()


def presets() -> list[str]:
    """The names of those that come along, the default first."""
    found = (each.name.removesuffix(".toml") for each in _data().iterdir() if each.name.endswith(".toml"))
    return sorted(found, key=lambda name: (name != DEFAULT, name))


def weights_named(name: str) -> Weights:
    """The weights of a preset, or of a file; the default for an empty name. Raises InputError if there are none."""
    preset = _FORMER.get(name, name or DEFAULT)
    if preset in presets():
        return _preset(preset)
    if not is_a_file(name):
        known = ", ".join(presets())
        raise InputError(f"There are no weights {name!r}: no file of that name, and the presets are {known}.")
    try:
        return Weights.read(tomllib.loads(Path(name).read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"{name} cannot be read ({error.strerror}); see who may read it.") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except (ValueError, RecursionError) as error:  # of a number or of brackets without end, too
        raise InputError(f"{name} is no TOML: {error}.") from None


def is_a_file(name: str) -> bool:
    """Return True if there is a file of a name, which may be too long for one."""
    try:
        return Path(name).is_file()
    except OSError:
        return False


def preset_weight(term: Term, reading: Reading) -> float:
    """The weight of a term among all sixteen in a reading."""
    return weights_named(WHOLE[reading]).weights.get(term.name, 0.0)


def term_to_json(term: Term) -> dict[str, Any]:
    """All about a term; a bound that is infinite is null."""
    readings = {}
    for reading in Reading:
        version = term.version(reading)
        least, most = (None if isinf(bound) else bound for bound in (version.least, version.most))
        weight = preset_weight(term, reading)
        readings[str(reading)] = {"formula": version.formula, "least": least, "most": most, "weight": weight}
    return {**{name: getattr(term, name) for name in ("name", "title", "asks", "differs")}, **readings}


@cache
def _preset(name: str) -> Weights:
    return Weights.read(tomllib.loads((_data() / f"{name}.toml").read_text(encoding="utf-8")))


def _data() -> Any:
    return resources.files("oasis.dagger") / "data"
