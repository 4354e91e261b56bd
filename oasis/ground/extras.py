"""The optional parts of the package: what each is for, and what of it is not installed here."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final, NamedTuple

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tactics.errors import install_command

PURPOSES: Final = {
    "api": "doors for programs: oasis serve, oasis mcp",
    "cluster": "comparisons and rollouts on a cluster, with Ray",
    "gym": "the environment for agents from elsewhere, with Gymnasium",
    "hf": "language models, with transformers, peft and TRL",
    "knn": "neighbours of states in an embedding, found with FAISS",
    "lean": "Lean as a referee, where it is not installed otherwise",
    "lean-dojo": "Lean stepped through by LeanDojo",
    "lm": "networks that begin with a language model's weights, read by gguf",
    "neural": "networks, with torch",
    "openenv": "the client of OpenEnv environments",
    "plots": "pictures and reports, with matplotlib",
    "semantic": "sentences compared by their meaning, for R†",
    "tensorboard": "curves of students and of trainings, in TensorBoard",
    "tune": "settings of students and weights of R† looked for, with optuna",
    "wandb": "the same for Weights & Biases, kept here",
    "web": "the classroom in browsers: oasis classroom serve; tables of students in XLSX",
}
"""Of each part that users may want, what it is for."""


class Extra(NamedTuple):
    """An optional part of the package.

    Attributes:
        name: by which pip installs it.
        purpose: what it is for.
        offered: whether it has packages for this Python on this system.
        missing: the packages of it that are not here, in the order in which the package names them.
        install: the command that completes it.
    """

    name: str
    purpose: str
    offered: bool
    missing: tuple[str, ...]
    install: str

    @property
    def here(self) -> str:
        """Say whether it is here, or what of it is not."""
        if not self.offered:
            return "not for this Python on this system"
        return f"not {', '.join(self.missing)}" if self.missing else "yes"


def extras() -> list[Extra]:
    """Every part, by its name; empty where the sources run without being installed."""
    try:
        wanted = [Requirement(each) for each in requires("oasis-student") or ()]
    except PackageNotFoundError:
        return []
    found = []
    for name, purpose in PURPOSES.items():
        parts = [each for each in wanted if each.marker and each.marker.evaluate({"extra": name})]
        missing = tuple(each.name for each in parts if not _meets(each.name, each.specifier))
        found.append(Extra(name, purpose, bool(parts), missing, install_command(name)))
    return found


def _meets(package: str, specifier: SpecifierSet) -> bool:
    try:
        return specifier.contains(version(package), prereleases=True)
    except PackageNotFoundError:
        return False
