"""`oasis policy sft`, `imitate`, `calibrate` and `data`: a network learns from the oracle; what all trainings share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from oasis.cli.arguments import Output, QuietOption, read_curriculum, seed_option
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Levels
from oasis.cli.narration import narrate, narrator, tell_left_out
from oasis.cli.options import Given, Only, Without, command
from oasis.cli.progress import finished, watch_count, watch_policy
from oasis.cli.render import print_columns, print_json
from oasis.ground.files import check_new, check_place, output_stream
from oasis.ground.settings import Boards
from oasis.ground.signals import interrupts_wait
from oasis.neural.installed import check_installed
from oasis.neural.training.settings import Carrying, DataSettings, ImitationSettings, Own, SftSettings, Start, Wanted
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
        with (how if ranks.is_first else Boards()).opened() as boards:
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


@command
def data(
    *,
    wanted: Given[Wanted],
    levels: Given[Levels],
    propl: Annotated[Given[DataSettings], Only("connectives", "longest")],
    quiet: QuietOption = False,
) -> None:
    """Write the goals with a losing move that plays of theorems come to, a line of JSON each.

    A line has the lemma, the goal, and its moves; of each move whether it keeps the goal provable, and the goals that
    it leaves with whether they are provable. What is not written is told with the reason. A file whose name ends in
    .gz is compressed. Ctrl-C leaves complete lines, and says how many.
    """
    from oasis.neural.training.lemmas import Lines, of_curriculum, of_propl

    asked = wanted.made()
    if asked.output is not None:
        check_new(asked.output)
    settings = propl.made(seed=asked.seed, plays=asked.plays)
    if asked.is_propl:
        total, found = asked.count, of_propl(settings, asked.workers)
    else:
        for name in [*(each for each in wanted.values if each == "count"), *propl.values]:
            raise InputError(f"--{name} is about propl; leave it out for {asked.source}.")
        chosen = read_curriculum(asked.source, levels.made().levels).lemmas
        total, found = len(chosen), of_curriculum(chosen, settings, asked.workers)
    writing = Lines(asked.split)
    with output_stream(asked.output) as stream, interrupts_wait(lambda _: writing.stop()):
        watch_count(writing.write(found, stream, total, endless=asked.is_propl), total, "lemmas", quiet=quiet)
    say = narrator(quiet=quiet)
    tell_left_out(writing.left_out, say)
    where = "" if asked.output is None else f" in {asked.output}"
    if writing.is_stopped:
        raise Stopped(f"Stopped; {writing.lines:,} complete lines{where}.", EXIT_INTERRUPTED)
    say(f"{writing.lines:,} goals of {writing.theorems:,} theorems, {writing.moves:,} moves{where}.")


@command
def calibrate(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The checkpoint of a network.")],
    theorems: Annotated[int, typer.Option(help="Of PropL's training set, to play and judge.")] = 1_000,
    seed: Annotated[int, seed_option("Of the random plays among them.")] = 0,
    into: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here, and leave the checkpoint as it is."),
    ] = None,
    output: Output,
) -> None:
    """Fit a temperature to how sure a network is that goals are provable, and keep it in its checkpoint.

    Log-odds are divided by it (temperature scaling, Guo et al. 2017); it is the most likely one for goals of theorems
    that no test set holds. Which of two goals is judged the better one stays as it is; how sure the network is changes,
    and with it the reward R† that takes it as a belief.
    """
    check_installed()
    import torch

    from oasis.neural.checkpoints import register_again
    from oasis.neural.files import checkpoint_file
    from oasis.neural.training.checkpoint import load, save
    from oasis.neural.training.cooling import Cooling, with_temperature
    from oasis.neural.training.header import digest

    if into is not None:
        check_new(into)
    torch.set_num_threads(1)  # more than one make so small a network slower
    with checkpoint_file(str(file)) as path:
        if into is None and path != file:
            raise InputError(f"{file} comes along and stays as it is; write to a file of your own with -o.")
        checkpoint, before = load(path), digest(path)
    cooling = Cooling(checkpoint, theorems, seed)
    if not finished(cooling.play(), theorems, "theorems", quiet=output.quiet):
        raise Stopped("Interrupted, so nothing is written.", EXIT_INTERRUPTED)
    found = cooling.fitted()
    written = into or file
    save(written, with_temperature(checkpoint, found))
    if output.db.exists():
        enlist(output.db, written, lambda store: register_again(store, file, before, written))
    if output.as_json:
        print_json({"file": str(written), **found.to_json()})
        return
    print(f"{written}: temperature {found.temperature:.3f}, the most likely one for {found.before.states:,} goals")
    rows = [("1", found.before), (f"{found.temperature:.3f}", found.after)]
    scores = {"accuracy": "accuracy", "AUC": "auc", "log loss": "log_loss", "Brier score": "brier", "ECE": "ece"}
    columns = {f">{name}": lambda row, of=of: f"{getattr(row[1], of):.4f}" for name, of in scores.items()}
    print_columns(rows, {">temperature": lambda row: row[0], **columns})
