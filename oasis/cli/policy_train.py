"""`oasis policy sft` and `imitate`: a network learns from the oracle; and what every training shares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from oasis.cli.arguments import Output, read_curriculum
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.narration import narrate, tell_left_out
from oasis.cli.options import Given, Without, command
from oasis.cli.progress import watch_count, watch_policy
from oasis.cli.render import print_json
from oasis.ground.files import check_new, check_place
from oasis.ground.signals import interrupts_wait
from oasis.neural.installed import check_installed
from oasis.neural.training.settings import Carrying, DataSettings, ImitationSettings, Own, SftSettings, Start
from tactics.errors import InputError

if TYPE_CHECKING:
    from curricula.lemma import Lemma
    from oasis.neural.training.loop import Loop
    from oasis.store import Store

_TOLD_ANEW: Final = {each.name for each in fields(Carrying)} - {"output"} | {"reward"}
"""Settings that may stand beside --resume."""


@command
def sft(
    *,
    settings: Given[SftSettings],
    data: Annotated[Given[DataSettings], Without("theorems")],
    own: Given[Own],
    carrying: Given[Carrying],
    output: Output,
) -> None:
    """Train a network on ordinary theorems (proofs of at most 6 moves), where the oracle says which moves are right.

    With --sampler plays or rmaxts the network plays them itself, and learns what became of its moves instead. They are
    uniform formulas as in PropL, of 16 connectives and some of 32, or with --lemmas the theorems of any curriculum in
    which a move can be wrong; which lemmas are left out is told, with the reason. Nothing of the published test sets is
    learned from, up to renaming.

    Ctrl-C ends the training with a checkpoint that --resume goes on with, and so does a kill, with the last checkpoint
    that was written.
    """
    check_installed()
    from oasis.neural.networks.presets import usual_of
    from oasis.neural.training.sft import Training

    def begin(how: Carrying) -> Training:
        made = settings.made()
        learned = data.made(seed=made.seed, **usual_of(made.network).data)
        learned = _with_own_theorems(learned, own.made(), how.workers, output)
        return Training(replace(made, data=learned), how.output, how.workers)

    train(Training, begin, [settings, data, own], carrying, output)


@command
def imitate(
    *,
    start: Given[Start],
    settings: Annotated[Given[ImitationSettings], Without("nodes")],
    data: Annotated[Given[DataSettings], Without("certain")],
    own: Given[Own],
    carrying: Given[Carrying],
    output: Output,
) -> None:
    """Go on with a trained network: it plays itself, and the oracle labels the goals that it comes to (DAgger).

    In each round the network learns from what was met in all rounds so far. Where it has lost a proof, it learns only
    that the goals are not provable. Theorems are as in oasis policy sft, those of --lemmas too; nothing of the
    published test sets is learned from, up to renaming. Ctrl-C ends the training with a checkpoint that --resume goes
    on with, and so does a kill, with the last checkpoint that was written.
    """
    check_installed()
    from oasis.neural.files import begun_from
    from oasis.neural.networks.presets import usual_of
    from oasis.neural.training.imitate import Imitation

    checkpoint = start.made().checkpoint or ""
    if bool(checkpoint) == (carrying.made().resume is not None):
        raise InputError("Name the checkpoint to go on from, as in oasis policy imitate tiny, or one with --resume.")

    def begin(how: Carrying) -> Imitation:
        made = settings.made()
        network, known_by = begun_from(checkpoint)
        learned = data.made(seed=made.seed, **usual_of(type(network)).data)
        learned = _with_own_theorems(learned, own.made(), how.workers, output)
        return Imitation(replace(made, start=known_by, data=learned), how.output, how.workers, network)

    train(Imitation, begin, [settings, data, own], carrying, output)


def _with_own_theorems(data: DataSettings, own: Own, workers: int, output: Output) -> DataSettings:
    """Return what is learned from: the theorems of a curriculum if one is named, else what it was."""

    def looked(lemmas: tuple[Lemma, ...]) -> Iterator[tuple[str, str]]:
        from oasis.neural.training.lemmas import to_learn

        return ((each.lemma, each.reason) for each in to_learn(lemmas, data, workers))

    chosen = own_lemmas(own, looked, "learn from", output)
    return replace(data, lemmas=chosen) if chosen else data


def own_lemmas(
    own: Own, look: Callable[[tuple[Lemma, ...]], Iterator[tuple[str, str]]], what: str, output: Output
) -> tuple[str, ...]:
    """Return the lemmas of a curriculum as text, none if none is named; say which are left out, and why.

    Args:
        own: names the curriculum.
        look: gives the name of each lemma, and why it is left out; no reason for one that is not.
        what: is done with lemmas.
        output: how that is said.

    Raises InputError if none is left.
    """
    from tactics.printer import show

    if own.lemmas is None:
        return ()
    curriculum = read_curriculum(own.lemmas, own.levels)
    text = {lemma.name: lemma.formula for lemma in curriculum.lemmas}
    found: dict[str, list[str]] = {}

    def looking() -> Iterator[int]:
        for done, (name, reason) in enumerate(look(curriculum.lemmas), 1):
            found.setdefault(reason, []).append(name)
            yield done

    watch_count(looking(), len(curriculum.lemmas), "lemmas looked at", quiet=output.quiet)
    chosen = found.pop("", [])
    tell_left_out(found, output.say)
    if not chosen:
        why = "; ".join(f"{len(names):,}: {reason}" for reason, names in found.items())
        raise InputError(f"There is nothing to {what} in {curriculum.name} ({why}); name another curriculum.")
    return tuple(show(text[name]) for name in chosen)


def train(
    kind: type[Loop],
    begin: Callable[[Carrying], Loop],
    begun_with: Collection[Given[Any]],
    carrying: Given[Carrying],
    output: Output,
) -> Loop:
    """Begin a training or go on with one, show how it goes, let the database know of the file, and say what came of it.

    Of several processes only the first one speaks.

    Args:
        kind: of training.
        begin: makes a new one.
        begun_with: what a training that is gone on with has already, so that none of it may be typed, but for the name
            of a reward that is somebody's own code, which is not run unless it is.
        carrying: how it is carried out.
        output: how it answers.

    Returns the training.
    """
    import torch

    from oasis.ground.limits import is_out_of_memory
    from oasis.neural.checkpoints import register
    from oasis.neural.devices import computing, device_named
    from oasis.neural.training.board import BOARDS, Board
    from oasis.neural.training.ranks import together

    how = carrying.made()
    if how.resume is None:
        check_place(how.output)
        check_new(how.output, f" with -o, or go on with --resume {how.output}")
        training = begin(how)
    else:
        typed = [(each.option(name), name) for each in (*begun_with, carrying) for name in each.values]
        for option in (option for option, name in typed if name not in _TOLD_ANEW):
            told = option if option.startswith("-") else f"the {option}"
            raise InputError(f"--resume goes on as the training began; leave out {told}, or train another network.")
        trusted = next((each.values["reward"] for each in begun_with if "reward" in each.values), "")
        training = kind.resumed(how.resume, how.workers, trusted)

    def listed(solved: float) -> None:
        enlist(output.db, training.file, lambda store: register(store, training, solved))

    torch.set_num_threads(how.threads)
    with (
        together(device_named(how.device)) as ranks,
        computing(how.precision),
        interrupts_wait(lambda _: training.stop()),
    ):
        training.join(ranks)
        output = replace(output, quiet=output.quiet or not ranks.is_first)
        steps = f"{training.settings.steps:,} steps"
        output.say(f"{training.parameters:,} parameters; {steps}, to be written to {training.file}.")
        folders = {kind: getattr(how, kind) for kind in BOARDS if ranks.is_first}
        with ExitStack() as stack:
            boards = [stack.enter_context(Board(folder, kind)) for kind, folder in folders.items() if folder]
            try:
                last = watch_policy(training, boards, listed, quiet=output.quiet)
            except (MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error):
                    raise
                raise InputError(training.without_memory) from error
    if not ranks.is_first:
        return training
    if remark := training.remark():
        output.say(remark)
    if output.as_json:
        print_json(training.to_json() | {"last": vars(last)})
    if not training.is_over:
        raise Stopped(f"Stopped after step {training.step:,}; {training.again}", EXIT_INTERRUPTED)
    if not output.as_json:
        print(training.said(last))
    return training


def enlist(db: Path, file: Path, how: Callable[[Store], None]) -> None:
    """Let the database know of a file that was written; nothing is lost because that cannot be."""
    from oasis.store import Store, StoreError

    try:
        with Store(db) as store:
            how(store)
    except StoreError as error:
        narrate(f"{file} is not listed: {error}")
