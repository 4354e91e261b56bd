"""Which networks there are: those whose files a store knows, and the one that comes along; what became of the files."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oasis.ground.version import commit, version
from oasis.neural.files import TINY, checkpoint_file
from oasis.neural.training.header import digest, header
from oasis.store import Store
from tactics.errors import InputError

if TYPE_CHECKING:
    from oasis.neural.training.loop import Loop


@dataclass(frozen=True)
class Known:
    """A network's file, as it was when its training last wrote it.

    Attributes:
        policy: what `--policy` takes: a path, or `tiny`.
        written: when, as ISO 8601 has it; None for the one that comes along.
        network: its kind.
        parameters: how many numbers were trained.
        training: how: `sft`, `imitate`, `grpo`, `ppo` or `expert`.
        step: steps that were made.
        steps: steps that there are to be.
        solved: share of the fixed hundred theorems that it proves; None where that is not known.
        data: stands for what it learned from.
        settings: of its training.
        state: `finished` or `unfinished`; `gone`, `changed` or `unreadable` where the file is not what was written.
    """

    policy: str
    written: str | None
    network: str
    parameters: int
    training: str
    step: int
    steps: int
    solved: float | None
    data: str
    settings: dict[str, Any]
    state: str

    @property
    def invertible(self) -> str:
        """How the hundred theorems were played: `eager` or `free`, as in `oasis.play.committed.Choosing`."""
        return str(self.settings.get("invertible", "free"))

    def to_json(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {**asdict(self), "invertible": self.invertible}


def register(store: Store, training: Loop, solved: float | None) -> None:
    """Let a store know of the file that a training has written."""
    from oasis.neural.networks.presets import to_json

    content = training.to_json()
    store.add_checkpoint(
        str(training.file.absolute()),
        version=version(),
        commit=commit(),
        training=training.KIND,
        settings=content["settings"],
        network=to_json(training.network),
        parameters=training.parameters,
        step=training.step,
        data=training.digest,
        solved=solved,
        digest=digest(training.file),
    )


def register_again(store: Store, file: Path, before: str, written: Path) -> None:
    """Let a store that knows a file know where its network is now, with something besides its weights changed.

    Args:
        store: may know the file.
        file: that held the network.
        before: the digest of that file then.
        written: the file that holds it now, perhaps the same.
    """
    told = ("version", "commit", "training", "settings", "network", "parameters", "step", "data", "solved")
    for row in store.checkpoints():
        if (row["path"], row["digest"]) == (str(file.absolute()), before):
            store.add_checkpoint(str(written.absolute()), **{name: row[name] for name in told}, digest=digest(written))


def known(store: Store | None) -> list[Known]:
    """The network that comes along, and those whose files a store knows, in the order in which they were begun."""
    with checkpoint_file(TINY) as file:
        about = header(file)
    found = [_known({**about, **about["at"], "written": None, "solved": None}, TINY, "")]
    for row in [] if store is None else store.checkpoints():
        path = Path(row["path"])
        found.append(_known(row, _short(path), _state(path, row["digest"])))
    return found


def _known(row: dict[str, Any], policy: str, trouble: str) -> Known:
    """What is told of a network, and what is wrong with its file."""
    step, steps = row["step"], int(row["settings"].get("steps", row["step"]))
    return Known(
        policy=policy,
        written=row["written"],
        network=str(row["network"].get("kind", "?")),
        parameters=row["parameters"],
        training=row["training"],
        step=step,
        steps=steps,
        solved=row["solved"],
        data=row["data"],
        settings=row["settings"],
        state=trouble or ("finished" if step >= steps else "unfinished"),
    )


def _state(path: Path, written: str) -> str:
    """What is wrong with a file, or left to do; nothing if it is as it was written, or does not tell."""
    if not path.is_file():
        return "gone"
    try:
        if digest(path) != written:
            return "changed"
        return "" if header(path).get("over", True) else "unfinished"  # exams may follow the last step
    except InputError:
        return "unreadable"


def _short(path: Path) -> str:
    """A path as it is called from here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
