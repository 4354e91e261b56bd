"""What commands whose experiments are kept have in common: what is asked, how it is carried out, and what is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from oasis.cli.arguments import CertifyOption, Output, naming, read_certifiers, read_curriculum
from oasis.cli.exits import EXIT_INTERRUPTED, EXIT_USAGE, Stopped
from oasis.cli.narration import narrate, narrate_all
from oasis.cli.options import Given, command
from oasis.cli.progress import watch_count
from oasis.cli.render import print_json, print_section, print_text
from oasis.ground.board import BOARDS
from oasis.ground.files import output_stream
from oasis.ground.plural import counted
from oasis.ground.registry import imported
from oasis.ground.settings import LEVELS, SEEDS, Boards, Setting, of_lemmas
from oasis.student.settings import WEIGHTS
from tactics.errors import InputError

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.ground.table import Table
    from oasis.lab import report as measures
    from oasis.lab.engines import Engine
    from oasis.lab.experiment import Experiment
    from oasis.lab.findings import Certifying, Findings
    from oasis.lab.plans import Work
    from oasis.lab.proofs import Proof
    from oasis.lab.study import Study
    from oasis.store import Store

P = TypeVar("P", bound="Work")


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Of which levels lemmas are."""

    levels: Annotated[str | None, LEVELS] = None


@dataclass(frozen=True, kw_only=True)
class Lemmas(Levels):
    """Which lemmas an experiment is about."""

    curriculum: Annotated[
        str | None,
        of_lemmas(
            "A lemma (SYJ203.3, its text), a curriculum (thesis, iltp/SYJ203), a file, -, or a comma list.",
            "LEMMA|CURRICULUM",
        ),
    ] = None

    def read(self, example: str) -> Curriculum:
        """Return the lemmas. Raises InputError, with a command as an example, if none are named."""
        if self.curriculum is None:
            raise InputError(f"Name a lemma or a curriculum, as in: oasis {example}")
        return read_curriculum(self.curriculum, self.levels)


@dataclass(frozen=True)
class Seeds:
    """With how many seeds each kind is tried."""

    seeds: Annotated[int | None, Setting("Students of each kind, each with a seed of its own.")] = None
    seed: Annotated[int, Setting("The first student's seed; the others count on from it.", within=SEEDS)] = 0

    def numbers(self, noun: str = "student") -> tuple[int, ...]:
        """Return the seeds. Raises InputError if they are too few."""
        number = self.seeds or 0
        if number < 2:
            raise InputError(f"--seeds must be at least 2, not {number}: one {noun} alone has no interval.")
        return tuple(range(self.seed, self.seed + number))


@dataclass(frozen=True)
class Carrying:
    """How an experiment is carried out: where, and whether it is a new one."""

    workers: Annotated[int | None, Setting("Processes that work at once; one for each core.", within="[1, ∞)")] = None
    engine: Annotated[str, Setting("Where: processes, serial, or ray.", choices="oasis.lab.engines:ENGINES")] = (
        "processes"
    )
    ray_address: Annotated[
        str | None, Setting("With --engine ray: of a cluster; else one is made here.", metavar="ADDRESS")
    ] = None
    resume: Annotated[
        bool, Setting("Go on with the newest unfinished experiment; a finished one is shown.", not_with="so_far")
    ] = False
    so_far: Annotated[bool, Setting("Show what came of an unfinished experiment so far, without going on with it.")] = (
        False
    )
    experiment: Annotated[
        int | None,
        Setting("With --resume or --so-far: which experiment.", metavar="NUMBER", only_with="resume so_far"),
    ] = None
    pilot: Annotated[
        int | None,
        Setting(
            "Do so many of each kind, say how many it takes to tell kinds apart, and stop.",
            within="[2, ∞)",
            not_with="so_far",
        ),
    ] = None

    def at(self) -> Engine:
        """Return the engine. Raises InputError and LibraryMissing."""
        from oasis.lab.engines import engine

        return engine(self.engine, workers=self.workers, address=self.ray_address)


@dataclass(frozen=True)
class Files(Boards):
    """What is to be written; None for what is not. Raises InputError for what cannot be, before any work."""

    plot: Annotated[
        Path | None, Setting("Draw a picture, or one of each part: .png, .svg or .pdf.", metavar="FILE")
    ] = None
    csv: Annotated[Path | None, Setting("Write a line for each student, search or theorem.", metavar="FILE")] = None
    csv_episodes: Annotated[Path | None, Setting("Write a line for each episode of students.", metavar="FILE")] = None
    csv_checkpoints: Annotated[
        Path | None, Setting("Write a line for each time students were asked what they know.", metavar="FILE")
    ] = None
    html: Annotated[Path | None, Setting("Write a report: one page that stands alone.", metavar="FILE")] = None
    paper: Annotated[
        Path | None, Setting("Write pictures, LaTeX tables, JSON, CSV and the commit for a paper.", metavar="FOLDER")
    ] = None

    def __post_init__(self) -> None:
        from oasis.ground.pictures import check_place, check_plot
        from oasis.lab.written import check_folder, check_page

        checks: dict[str, Callable[[Path], None]] = {"plot": check_plot, "html": check_page, "paper": check_folder}
        super().__post_init__()
        for name, path in vars(self).items():
            if path is not None and name not in BOARDS:
                checks.get(name, check_place)(path)


def typed() -> str:
    """Return the command that was typed."""
    from shlex import join

    return join(["oasis", *sys.argv[1:]])


@dataclass(frozen=True)
class Weighing:
    """How the terms of R† are weighed."""

    weights: Annotated[str | None, WEIGHTS] = None


class How(NamedTuple):
    """How an experiment is carried out, what files are written, which provers certify proofs, and where output goes."""

    carrying: Given[Carrying]
    files: Given[Files]
    certify: str | None
    output: Output


class Begun(NamedTuple):
    """A new experiment: its name, its plans by part, and what is claimed of it."""

    name: str
    plans: Mapping[str, Any]
    study: Study | None = None


class Wanted(NamedTuple):
    """What a command does.

    Attributes:
        begin: gives a new experiment.
        report: names the function that reports on one, as `oasis.lab.findings:findings`, whose arguments it has; or
            returns that name.
        check: raises InputError, before any work, if what was asked for cannot be reported.
    """

    begin: Callable[[], Begun]
    report: str | Callable[[Experiment[Any]], str]
    check: Callable[[Experiment[Any]], None] = lambda _: None


def experiment(
    name: str, *, carrying: Sequence[Any] = (), files: Sequence[Any] = (), certify: bool = True
) -> Callable[[Callable[..., Wanted]], Callable[..., None]]:
    """Make a command that keeps an experiment from a function that returns its `Wanted`.

    The function's parameters are the settings of an experiment, which a resumed one has already. The command also takes
    those of `How`, which the function gets as `how` if it has such a parameter.

    Args:
        name: of the command.
        carrying: how the command takes `Carrying`, such as `Without("so_far")`.
        files: how it takes `Files`.
        certify: whether proofs are certified.
    """
    kinds = {
        "carrying": Annotated[Given[Carrying], None, *carrying],
        "files": Annotated[Given[Files], None, *files],
        **({"certify": CertifyOption} if certify else {}),
        "output": Output,
    }
    beside = [Parameter(each, Parameter.KEYWORD_ONLY, annotation=kind) for each, kind in kinds.items()]

    def made(function: Callable[..., Wanted]) -> Callable[..., None]:
        own = signature(function, eval_str=True).parameters

        @wraps(function)
        def carried_out(**told: Any) -> None:
            how = How(*(told.pop(each, None) for each in How._fields))
            more = {"how": how} if "how" in own else {}
            carry_out(name, function(**told, **more), [*told.values()], how)

        parameters = [each for each in own.values() if each.name != "how"]
        parameters += [each.replace(default="all") if each.name == "certify" else each for each in beside]
        carried_out.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return command(carried_out)

    return made


def carry_out(name: str, wanted: Wanted, settled: Sequence[Given[Any]], how: How) -> None:
    """Do an experiment or what is left of it, have its proofs certified, and show and write its reports."""
    carrying, files, provers = how.carrying.made(), how.files.made(), read_certifiers(how.certify or "none")
    engine = carrying.at()
    with opened(name, wanted, settled, how) as whole:
        wanted.check(whole)
        kept = whole if carrying.pilot is None else whole.first(carrying.pilot)
        if not carrying.so_far:
            run(kept, engine, how.output)
        is_asked = how.certify is not None and not carrying.pilot
        certify: Certifying = partial(certified, kept, provers, how.output) if is_asked else lambda _: {}
        report = wanted.report if isinstance(wanted.report, str) else wanted.report(kept)
        told: Findings = imported(report)(kept, certify, typed())
        if carrying.pilot:
            told = told._replace(tables=[], sentences=told.pilot)
        show(told._replace(content={**kept.to_json(), **told.content}), files, as_json=how.output.as_json)
        if carrying.pilot and not whole.finished:
            how.output.say(f"{_done(whole)}: {go_on(whole, how.output.db)}")


def show(found: Findings, files: Files, *, as_json: bool) -> None:
    """Show what came of trials, and write it to files."""
    if as_json:
        print_json(found.content)
    else:
        print_text(found.head)
        print()
        print_tables(found.tables, found.sentences)
    for name, path in vars(files).items():
        if path is None:
            continue
        if name in ("plot", "paper", *BOARDS):
            found.files[name](path)
        else:
            with output_stream(path) as stream:
                found.files[name](stream)


def print_tables(tables: Iterable[Table], sentences: Sequence[str] = ()) -> None:
    """Print tables as `oasis.lab` makes them, one below the other, and sentences with a mark before each."""
    for each in tables:
        print_section(each.title, each.header, each.rows, each.sentences, words=each.words, note=each.note)
    for sentence in sentences:
        print_text(sentence, "  · ")


@contextmanager
def opened(name: str, wanted: Wanted, settled: Sequence[Given[Any]], how: How) -> Iterator[Experiment[Any]]:
    """Begin the experiment of a command, or resume one; whatever stops it inside, it says how it goes on."""
    from oasis.ground.plugins import PluginError
    from oasis.lab.engines import EngineError
    from oasis.lab.experiment import Experiment
    from oasis.lab.study import NO_STUDY
    from oasis.store import Store

    carrying, output = how.carrying.made(), how.output
    if goes_on := carrying.resume or carrying.so_far:
        _refuse(settled, "--so-far shows" if carrying.so_far else "--resume goes on with")
    begun = None if goes_on and not any(given.of_file for given in settled) else wanted.begin()
    with Store(output.db, create=not goes_on) as store:
        if begun is None or goes_on:
            found = _resumed(store, carrying, name, begun)
        else:
            found = Experiment.start(store, begun.plans, command=name, name=begun.name, study=begun.study or NO_STUDY)
        if carrying.so_far:
            yield _cut(found, output)
            return
        again = go_on(found, output.db) + how.files.words()
        try:
            if not output.quiet:
                _remark(found)
            yield found
        except KeyboardInterrupt:
            raise Stopped(f"Stopped; {_done(found)}: {again}{_shown(found, output.db)}", EXIT_INTERRUPTED) from None
        except PluginError:
            narrate(f"{_done(found)}: {again}{_shown(found, output.db)}")
            raise
        except EngineError as error:
            raise Stopped(f"{error} {_done(found)}: {again}", EXIT_USAGE) from None
        finally:
            if found.finished:  # also if what came of it cannot be written
                again = go_on(found, output.db)
                output.say(f"Kept as experiment {found.number} in {output.db}; see it again with: {again}")


def _resumed(store: Store, carrying: Carrying, name: str, begun: Begun | None) -> Experiment[Any]:
    """Return the experiment that goes on. Raises InputError if it is another one than a study tells of."""
    from oasis.lab.experiment import Experiment
    from oasis.lab.study import NO_STUDY

    found = Experiment.resume(store, carrying.experiment, command=name)
    if begun is not None and (found.plans, found.study) != (begun.plans, begun.study or NO_STUDY):
        raise InputError(
            f"Experiment {found.number} was begun with other settings than --study has; name another --experiment, or "
            "leave --study out."
        )
    return found


def run(kept: Experiment[Any], engine: Engine, output: Output) -> None:
    """Do what is left, showing how it goes."""
    plan = next(iter(kept.plans.values()))
    long = len({plan.effort for plan in kept.plans.values()}) > 1
    with closing(kept.run(engine)) as made:
        if long:
            # A trial of one plan may take a thousand times as long as one of another.
            watch_count((progress.effort for progress in made), kept.effort, plan.unit, quiet=output.quiet)
        else:
            watch_count((progress.done for progress in made), kept.total, kept.noun, quiet=output.quiet)
    makers = kept.makers
    if len(makers) > 1:
        whose = ", ".join(f"{maker.trials} are of {maker}" for maker in makers)
        what = kept.noun.capitalize()
        output.say(f"{what} of different versions of Oasis need not fit together: {whose}.")


def certified(
    kept: Experiment[Any], provers: Iterable[str], output: Output, reports: Mapping[str, measures.Report]
) -> dict[str, list[Proof]]:
    """Have the shortest proofs of reports certified, and return them by part.

    A prover that fails leaves a remark; the report is shown all the same.
    """
    from oasis.lab.proofs import shortest_proofs, with_words
    from oasis.student.certify import certify
    from tactics.claims import Claim

    proofs = {part: shortest_proofs(kept.plans[part], report.trials) for part, report in reports.items()}
    claims = (Claim(proof.formula, proof.script) for found in proofs.values() for proof in found)
    certify(kept.store, claims, provers, output.say, again=False)
    return {part: with_words(kept.store, found) for part, found in proofs.items()}


def go_on(kept: Experiment[Any], db: Path) -> str:
    """Give the command that goes on with an experiment, or shows it again."""
    return f"oasis {kept.command} --resume --experiment {kept.number}{naming(db)}"


def _done(kept: Experiment[Any]) -> str:
    return f"{kept.done} of {kept.total} {kept.noun} are done and kept, and it goes on with"


def _shown(kept: Experiment[Any], db: Path) -> str:
    """Tell, on a line of its own, the command that shows what is done of an experiment, if there is one and enough."""
    if kept.command not in ("compare", "thesis"):
        return ""
    try:
        kept.so_far()
    except InputError:
        return ""
    return f"\nWhat came of them so far is shown by: {go_on(kept, db).replace('--resume', '--so-far')}"


def _cut(kept: Experiment[P], output: Output) -> Experiment[P]:
    """What is done of an experiment, and a remark on how much of it that is."""
    cut = kept.so_far()
    for part, plan in kept.plans.items():
        of = cut.plans[part]
        output.say(
            f"Experiment {kept.number} so far, {part}: {len(of.variants)} of {len(plan.variants)} kinds of "
            f"{kept.noun}, {len(of.seeds)} of {len(plan.seeds)} of each; go on with: {go_on(kept, output.db)}"
        )
        kinds = {variant.name for variant in of.variants}
        for name, seeds in kept.seeds_done(part).items():
            if name not in kinds:
                output.say(
                    f"{name} is left out, of which {len(seeds)} of {len(plan.seeds)} are done: kinds are compared "
                    f"by {kept.noun} of the same seeds, and of the others there are more."
                )
    return cut


def _refuse(settled: Sequence[Given[Any]], how: str) -> None:
    """Raise InputError for what is typed, and an experiment that is resumed has already."""
    for given in settled:
        for name in [each for each in given.values if each not in given.of_file]:
            what = "a lemma" if given.settings[name].says.positional else given.option(name)
            raise InputError(f"{how} an experiment as it was begun; leave {what} out.")


def _remark(kept: Experiment[Any]) -> None:
    from oasis.lab.plans import effort
    from oasis.student.student import on_compiling, on_rewards

    plans = list(kept.plans.values())
    kinds = sum(len(plan.variants) for plan in plans)
    trials = {len(plan.seeds) for plan in plans}
    each = f", {trials.pop()} of each" if len(trials) == 1 else ""
    narrate(
        f"Experiment {kept.number}: {kept.name}, {counted(kinds, 'kind')} of {kept.noun}{each}, "
        f"{effort(kept.effort, plans[0].unit)} in all"
    )
    students = [settings for plan in plans for settings in plan.settings]
    narrate_all([*on_compiling(students), *on_rewards(students)])
    if not kept.same_version:
        narrate(f"It was begun with Oasis {kept.begun_with}, which is not this version.")
