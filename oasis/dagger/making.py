"""R† by a name: a preset or a file of weights, with changes, and the knowledge and belief that they ask for."""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import nullcontext
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from oasis.dagger.fit import Fitted
from oasis.dagger.fitting import fitted_named, is_file
from oasis.dagger.reward import RewardDagger
from oasis.dagger.sentences import need_sentences
from oasis.dagger.term import Context
from oasis.dagger.weights import DEFAULT, OPTIONS, Weights, is_a_file, presets, weights_named
from oasis.ground.names import TERMS
from oasis.store import Store
from tactics.errors import InputError, did_you_mean

PREFIX: Final = "dagger"
_OTHERS: Final = [each.name for each in fields(Weights) if each.name not in ("weights", "options")]
_VERSION: Final = re.compile(r"(.+)@(\d+-[0-9a-f]{16})")
_CHANGE: Final = re.compile(r"(?:[^:=]+:)?[^:=]+=[^:]*|[^:]+")
"""`P=0.3`, or `mine:TERM=0.3`, or what is neither."""
_DATABASE: Final = "OASIS_DB"
"""The environment's variable that names the database; processes that are started inherit it."""


def described(weights: Weights) -> str:
    """A name for weights that says them all, as `weights_of` reads it: `dagger:all:P=0.3`."""
    wanted, bases = _flat(weights.to_json()), {name: _flat(weights_named(name).to_json()) for name in presets()}
    changes = {
        name: [(at, value) for at, value in wanted.items() if value != base.get(at)] for name, base in bases.items()
    }
    base = min(bases, key=lambda name: (len(changes[name]), name != DEFAULT))
    return ":".join([PREFIX, base, *(f"{at}={_text(value)}" for at, value in changes[base])])


def weighed(rewards: str, weights: str | None) -> str:
    """Return a reward, or a comma list of them, with what `--weights` says of R†. Raises InputError if none is R†."""
    if weights is None:
        return rewards
    each = [name.strip() for name in rewards.split(",")]
    if PREFIX not in each:
        raise InputError(f"--weights says all about --reward {PREFIX}, and does not go with --reward {rewards}.")
    return ",".join(described(weights_of(weights)) if name == PREFIX else name for name in each)


def weights_of(name: str) -> Weights:
    """Return the weights that a name stands for.

    Args:
        name: `dagger`, or `all`, `dagger:all`, with any preset or file; after more colons, changes of a term's weight,
            `P=0.3`, also of a term of your own, `mine:TERM=0.3`, of an option, or of another field of `Weights`.

    Raises InputError if there are none of that name, or if a change changes nothing.
    """
    rest = "" if name == PREFIX else name.removeprefix(f"{PREFIX}:")
    base, _, rest = (rest, "", "") if is_a_file(rest) else rest.partition(":")
    content: dict[str, Any] = weights_named(base).to_json()
    for change in _CHANGE.findall(rest):
        at, is_change, text = change.partition("=")
        if not is_change:
            raise InputError(f"{name}: {change!r} changes nothing; write NAME=VALUE, as in P=0.3 or belief=knn.")
        is_term = at in TERMS or ":" in at
        if not is_term and at not in (known := [*TERMS, *OPTIONS, *_OTHERS]):
            nearest = did_you_mean(at, known, f"what can be changed is {', '.join(known)}.")
            raise InputError(f"{name}: There is no {at!r}; {nearest}")
        table = content["weights"] if is_term else content["options"] if at in OPTIONS else content
        table[at] = _value(text)
    try:
        return Weights.read(content)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def settled(weights: Weights) -> Weights:
    """The weights with the version of what is in their file of knowledge now, if that is a file; raises InputError."""
    if not is_file(weights.knowledge):
        return weights
    path, _ = _pinned(weights.knowledge)
    return replace(weights, knowledge=f"{path}@{_knowing(weights.knowledge).version}")


def dagger(name: str = PREFIX, gamma: float = 1.0) -> RewardDagger:
    """The reward R† of a name; raises InputError as `weights_of` does, or if what it needs to know is not there."""
    weights = weights_of(name)
    reward = made(weights, gamma)
    reward.recorded = described(settled(weights))
    return reward


def made(weights: Weights, gamma: float) -> RewardDagger:
    """The reward R† of some weights, with the knowledge that they name and the belief.

    Raises InputError where these are not there, and LibraryMissing without the language model that the weights ask for.
    """
    if weights.options.embedding == "sentence":
        need_sentences()
    fitted = _knowing(weights.knowledge)
    belief = fitted.belief(weights.belief, "belief")
    return RewardDagger(weights, Context(fitted.knowledge, belief, gamma, weights.options))


def _knowing(name: str) -> Fitted:
    """What was fitted under a name, or is in a file; after an @ its version, which it must have."""
    path, version = _pinned(name)
    written = Path(path).stat().st_mtime_ns if is_file(path) and Path(path).exists() else 0
    fitted = _fitted(path, os.environ.get(_DATABASE, "oasis.db"), written)
    if version and fitted.version != version:
        raise InputError(
            f"{path} is {fitted.version} by now, and not {version}, which this goes on with; put that back."
        )
    return fitted


def _pinned(name: str) -> tuple[str, str]:
    """A name, and the version that it says, or nothing."""
    found = _VERSION.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


@lru_cache(maxsize=8)
def _fitted(name: str, database: str, written: int) -> Fitted:
    with Store(Path(database), create=False) if Path(database).exists() else nullcontext() as store:
        return fitted_named(name, store)[0]


def _flat(content: dict[str, Any]) -> dict[str, Any]:
    weights = dict.fromkeys(TERMS, 0.0) | content["weights"]
    rest = {name: value for name, value in content.items() if name not in ("weights", "options")}
    return {**weights, **content["options"], **rest}


def _text(value: Any) -> str:
    return quote(value, safe="/@") if isinstance(value, str) else json.dumps(value)  # a colon in it would end it


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return unquote(text)
