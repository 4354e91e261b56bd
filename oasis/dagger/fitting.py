"""Fitting from start to end: which lemmas, the plays, the fit, how well it is calibrated, and where it is kept."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from curricula import Levels, resolve
from oasis.dagger.beliefs.calibration import HELD_OUT, examined, parted
from oasis.dagger.episodes import PLAYS, Episode, played, replayed
from oasis.dagger.fit import DEFAULT, NO_NETWORK, Fitted, Outlook, default_fitted, fit
from oasis.ground.files import check_place, writing
from oasis.play.calibration import Calibration
from oasis.play.exam import MAX_STEPS
from oasis.play.policy import Policy
from oasis.store import Row, Store
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.script import parse_script

ENDINGS: Final = (".json", ".json.gz")
"""Of files that keep a fit."""
_NAME: Final = re.compile(r"\w[\w.-]{0,59}")


@dataclass(frozen=True)
class Corpus:
    """What is fitted to.

    Attributes:
        lemmas: each once.
        proofs: of some of them, as students found them.
    """

    lemmas: tuple[Formula, ...]
    proofs: tuple[Episode, ...] = ()


def corpus(
    sources: Sequence[str],
    store: Store | None,
    levels: Levels | None = None,
    stdin: Callable[[], str] | None = None,
) -> Corpus:
    """The lemmas of curricula and of runs, and the best proofs of the runs.

    Args:
        sources: names of curricula, files or lemmas, and numbers of runs.
        store: where the runs are.
        levels: of the families that are named.
        stdin: reads standard input.

    Raises InputError for a source that is none, and StoreError for a run that is not there or cannot be read.
    """
    lemmas: list[Formula] = []
    proofs: list[Episode] = []
    for source in sources:
        if not source.isdecimal():
            lemmas += [lemma.formula for lemma in resolve(source, levels=levels, stdin=stdin).lemmas]
            continue
        if store is None:
            raise InputError(f"{source} is the number of a run, and there is no database; name one with --db.")
        store.run(int(source))
        for row in store.lemmas(int(source)):
            try:
                best = replayed(parse(row["formula"]), parse_script(row["best"] or ""))
            except (InputError, TypeError) as error:
                raise store.damaged(f"the lemma {row['name']} of run {row['run']}: {error}") from None
            lemmas.append(best.lemma)
            proofs += [best] if best.steps else []
    return Corpus(tuple(dict.fromkeys(lemmas)), tuple(proofs))


@dataclass(frozen=True)
class Report:
    """What came of fitting.

    Attributes:
        fitted: the fit.
        lemmas: how many it was fitted to.
        test_lemmas: how many were held out.
        episodes: how many it was fitted to.
        proved: how many of them ended in a proof.
        calibrations: of its beliefs, by their names, on the lemmas that were held out.
    """

    fitted: Fitted
    lemmas: int
    test_lemmas: int
    episodes: int
    proved: int
    calibrations: dict[str, Calibration]

    def to_json(self) -> dict[str, Any]:
        """The counts and the calibrations."""
        return {
            "version": self.fitted.version,
            **{name: getattr(self, name) for name in ("lemmas", "test_lemmas", "episodes", "proved")},
            "tactics": len(self.fitted.knowledge.tactics),
            "formulas": len(self.fitted.knowledge.formulas),
            "calibration": {name: each.to_json() for name, each in self.calibrations.items()},
        }


@dataclass
class Fitting:
    """A policy plays every lemma; then it is fitted to the plays, and to proofs that there were before.

    Lemmas that are held out, by lot, are played to see how well the beliefs are calibrated, and not fitted to.

    Attributes:
        corpus: what is fitted to.
        policy: who plays, over legal moves.
        plays: of each lemma, at least 1.
        seed: of the plays, and of the lot.
        test_share: of the lemmas that are held out, in [0, 1).
        max_steps: after which a play is cut short, at least 1.
        beliefs: names of others whose calibration is told beside those of the ones that are fitted.
        trained: trains a graph network (`fit`); None for no network.

    Raises InputError for a belief that there is not.
    """

    corpus: Corpus
    policy: Policy
    plays: int = PLAYS
    seed: int = 0
    test_share: float = HELD_OUT
    max_steps: int = MAX_STEPS
    beliefs: Sequence[str] = ()
    trained: Callable[[Sequence[Episode]], Outlook] | None = None

    def __post_init__(self) -> None:
        own = ("gnn", "knn", "bayes")[self.trained is None :]
        for name in self.beliefs:
            if name == "gnn" and name not in own:
                raise InputError(NO_NETWORK)
            if name not in own:
                default_fitted().belief(name)  # which says if there is none
        self.beliefs = tuple(dict.fromkeys((*own, *self.beliefs)))
        self._episodes: list[Episode] = []

    def play(self) -> Iterator[int]:
        """Play every lemma, and give the number of those that are done after each."""
        for number, lemma in enumerate(self.corpus.lemmas, 1):
            self._episodes += played(lemma, self.policy, self.plays, self.seed, self.max_steps)
            yield number

    def report(self) -> Report:
        """Fit to what was played."""
        episodes, held_out = parted(self._episodes, self.test_share, self.seed)
        lemmas, test_lemmas = ({episode.lemma for episode in each} for each in (episodes, held_out))
        episodes += [proof for proof in self.corpus.proofs if proof.lemma in lemmas]
        fitted = fit(episodes, self.trained)
        calibrations = {name: examined(fitted.belief(name), held_out) for name in self.beliefs}
        proved = sum(episode.proved for episode in episodes)
        return Report(fitted, len(lemmas), len(test_lemmas), len(episodes), proved, calibrations)


def check_name(name: str, store: Store | None) -> None:
    """Raise InputError unless something new can be stored under a name; None is a store that is still to be made."""
    if not _NAME.fullmatch(name) or name == DEFAULT:
        raise InputError(f"--name {name!r} cannot be a name; use letters, digits, _, - and ., and not {DEFAULT!r}.")
    if store is not None and name in {row["name"] for row in store.fitted_list()}:
        raise InputError(f"{store.path} has something fitted called {name} already; give another --name.")


def keep(store: Store, report: Report, origin: dict[str, Any], name: str | None) -> str:
    """Store a fit with what it was made from, and give its name: fit1, fit2, … if None is given. Raises StoreError."""
    with store.together():
        if name is None:
            taken = {row["name"] for row in store.fitted_list()}
            name = next(each for number in range(1, len(taken) + 2) if (each := f"fit{number}") not in taken)
        content = report.fitted.to_bytes()
        store.add_fitted(name, version=report.fitted.version, origin={**origin, **report.to_json()}, content=content)
    return name


def is_file(name: str) -> bool:
    """Whether something fitted of this name is in a file, and not in a database."""
    return "/" in name or name.endswith(ENDINGS)


def fitted_named(name: str, store: Store | None) -> tuple[Fitted, Row]:
    """What was fitted under a name, and what is known of it: `default` is the packaged one, a path a file.

    Raises InputError, or StoreError if the store has nothing of this name.
    """
    if name == DEFAULT:
        return default_fitted(), {"name": name, "made": None, "origin": {}}
    if is_file(name):
        try:
            content = Path(name).read_bytes()
        except OSError as error:
            raise InputError(f"{name} cannot be read ({error.strerror}); name another file.") from None
        return _read_fit(content, name), {"name": name, "made": None, "origin": {}}
    if store is None:
        raise InputError(f"There is no database to find {name} in; name one with --db, or write {DEFAULT}.")
    row = store.fitted(name)
    fitted = _read_fit(row["content"], f"{name} in {store.path}")
    if fitted.version != row["version"]:
        raise store.damaged(f"what is kept as {name} is {fitted.version}, not {row['version']}")
    return fitted, {each: row[each] for each in ("name", "made", "origin")}


def _read_fit(content: bytes, where: str) -> Fitted:
    try:
        return Fitted.from_bytes(content)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def checked_file(path: Path) -> Path:
    """The path, if a fit can be written to such a file and found there again. Raises InputError."""
    if not path.name.endswith(ENDINGS):
        raise InputError(f"{path} should end in {' or '.join(ENDINGS)}; rename it.")
    check_place(path)
    return path


def write(fitted: Fitted, path: Path) -> None:
    """Write a fit to a file, whole or not at all: JSON, compressed if the file ends in .gz. Raises InputError."""
    content = fitted.to_bytes() if path.suffix == ".gz" else json.dumps(fitted.to_json()).encode()
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with writing(path):
            beside.write_bytes(content)
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
