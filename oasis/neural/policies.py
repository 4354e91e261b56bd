"""Policies over legal moves, by the names that people type: who proposes moves to a search, or is examined."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from curricula.source import existing_path
from oasis.experience.library import Library
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.reminder import Reminder
from oasis.ground.names import POLICIES
from oasis.neural.causal.files import PREFIX, causal, form_named
from oasis.neural.files import CHECKPOINT, network, split, trusting
from oasis.play.committed import EAGER, Choosing
from oasis.play.exam import has_values
from oasis.play.judging import Judging
from oasis.play.policy import Policy
from oasis.play.writing import Written
from oasis.store import Store
from oasis.student.kept import kept_student
from oasis.student.training import EXPLORATION, settings_of
from tactics.errors import InputError

JUDGING: Final = "judging:"
"""The beginning of the name of a policy that chooses by the values of another one, whose name follows."""
WRITTEN: Final = "written:"
"""The beginning of the name of a policy that is to write whole proofs; another one's name follows."""


def is_run(text: str) -> bool:
    """Whether a name is the number of a run, so that its policy is looked for in a store."""
    return text.isdecimal()


def needs_store(text: str) -> bool:
    """Whether a name's policy is looked for in a store: that of a run, or of a language model that is told maxims.

    Raises InputError for the name of a language model that is none.
    """
    return is_run(text) or _maxims_told(text) > 0


def _maxims_told(text: str) -> int:
    """How many maxims a language model is told with a goal; 0 for all other policies."""
    text = _bare(text)
    return form_named(text)[1].maxims if text.startswith(PREFIX) else 0


def _bare(text: str) -> str:
    """Return the name of a policy without `judging:` and `written:`."""
    return text.removeprefix(WRITTEN).removeprefix(JUDGING)


def checkpoint_named(text: str) -> Path | None:
    """The file of a network that a name stands for; None if it stands for something else."""
    _, name = split(_bare(text))
    return Path(name) if name.endswith(CHECKPOINT) else None if ":" in name else existing_path(name)


def from_anywhere(text: str) -> str:
    """A name that stands for the same policy in every folder."""
    file = checkpoint_named(text)
    if file is None and _bare(text).startswith(PREFIX):
        file = form_named(_bare(text))[0]
    return text if file is None else text.replace(str(file), str(file.resolve()), 1)


def placed(policy: Policy, device: str) -> None:
    """Have a network compute where it is to. Raises InputError for another policy, unless it may stay where it is."""
    compute_on = getattr(policy, "compute_on", None)
    if compute_on is not None:
        compute_on(device)
    elif device != "auto":
        raise InputError("--device is about networks; leave it out for another policy.")


def policy_named(text: str, store: Store | None, actions: str = "legal") -> Policy:
    """Return the policy of a name: one of `POLICIES`, the number of a run, a network's file, or `module:object`.

    Before a network's file stands its code, if that is somebody's own, as in `mine:Net:FILE`. After `hf:` stands the
    folder of a language model, which it is then (`oasis.neural.causal.files.causal`). After `judging:` such a name
    stands for the policy that chooses by the values of what moves leave (`Judging`), and after `written:` for one that
    is to write whole proofs (`Written`), which may be such a one. A run stands for what its student
    learned: a best move of those it knows, or with probability `EXPLORATION` any. An object of somebody's own is a
    policy, or makes one when it is called without arguments.

    Args:
        text: the name.
        store: where runs are; it must stay open as long as the policy is asked.
        actions: that a run's student has to have learned with.

    Raises InputError, or StoreError for a run that is not there.
    """
    if text.startswith(WRITTEN):
        return Written(policy_named(text.removeprefix(WRITTEN), store))
    if text.startswith(JUDGING):
        if is_run(judge := text.removeprefix(JUDGING)):
            raise InputError(f"{JUDGING} takes no run; name another policy, or play the run's with --judge.")
        return Judging(policy_named(judge, store))
    if is_run(text):
        if store is None:
            raise InputError(f"--policy {text} is the number of a run, and there is no database; name one with --db.")
        return _of_run(int(text), store, actions)
    if (file := checkpoint_named(text)) is not None:
        trusting(text)
        return network(file)
    if text.startswith(PREFIX):
        if not (most := _maxims_told(text)):
            return causal(text)
        if store is None:
            raise InputError(f"--policy {text} is told maxims, and there is no database here; leave out maxims=.")
        return causal(text, advice=Reminder(Library(store).maxims().values(), most))
    policy: Policy = POLICIES.make(text)
    return policy


def experienced(policy: Policy, store: Store, choosing: Choosing = EAGER) -> Policy:
    """A policy that follows the maxims of a store as well.

    Raises InputError if there are none, or if moves are to be judged or written, where probabilities count nothing.
    """
    if choosing.judge or choosing.is_written:
        raise InputError("Maxims are odds of moves, not of values or writing; leave out --experience, or the other.")
    return ExperiencedPolicy(policy, Library(store).prior())


def _of_run(run: int, store: Store, actions: str) -> Policy:
    settings = settings_of(store.run(run))
    if settings.actions != actions:
        over = "over legal moves" if actions == "legal" else f"asked for {actions} ones"
        raise InputError(
            f"The student of run {run} learned with --actions {settings.actions}, and a policy is {over}; "
            f"name a run with --actions {actions}."
        )
    return kept_student(store, run, settings).student.policy(epsilon=EXPLORATION)


def proposing(name: str, store: Store | None, say: Callable[[str], None], actions: str = "legal") -> Policy:
    """Return the policy of a name, which is asked about the goal in focus alone; say so if that matters."""
    policy = policy_named(name, store, actions)
    if is_run(name) and not has_values(policy):
        say(
            f"The student of run {name} has values of whole states, and is asked about the goal in focus as if no "
            "other were open: it may prove less here than in its exams."
        )
    return policy
