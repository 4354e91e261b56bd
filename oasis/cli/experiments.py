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
from oasis.ground.files import output_stream
from oasis.ground.plural import conjunction, counted
from oasis.ground.settings import LEVELS, SEEDS, Setting, of_lemmas
from oasis.student.settings import WEIGHTS
from tactics.errors import InputError

if TYPE_CHECKING:
    from curricula import Curriculum
    from oasis.ground.table import Table
    from oasis.lab import report as measures
    from oasis.lab.engines import Engine
    from oasis.lab.experiment import Experiment
    from oasis.lab.plans import Work
    from oasis.lab.proofs import Proof
    from oasis.lab.study import Study
    from oasis.store import Store

    Certifying = Callable[[Mapping[str, measures.Report]], Mapping[str, Sequence[Proof]]]
    """Returns the shortest proofs of the reports of parts, with provers' verdicts; none if none are asked for."""

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
class Files:
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
    tensorboard: Annotated[Path | None, Setting("Write curves for TensorBoard.", metavar="FOLDER")] = None
    wandb_offline: Annotated[
        Path | None, Setting("Write curves for Weights & Biases; nothing is sent.", metavar="FOLDER")
    ] = None

    def __post_init__(self) -> None:
        from oasis.ground.pictures import check_place, check_plot
        from oasis.lab.written import check_folder, check_page
        from oasis.neural.training.board import BOARDS, check_board

        checks: dict[str, Callable[[Path], None]] = {"plot": check_plot, "html": check_page, "paper": check_folder}
        checks |= {kind: partial(check_board, kind=kind) for kind in BOARDS}
        for name, path in vars(self).items():
            if path is not None:
                checks.get(name, check_place)(path)


class Report(NamedTuple):
    """What came of trials.

    Attributes:
        content: what `--json` prints, of an experiment beside what it is.
        tables: for people.
        sentences: that follow from them.
        files: by the names of `Files` what writes one: at a path a picture or a folder, to a stream text.
        head: what is said above the tables.
        pilot: how many it takes to tell kinds apart, which is all that a pilot shows.
    """

    content: Mapping[str, Any]
    tables: Iterable[Table]
    sentences: Sequence[str]
    files: Mapping[str, Callable[[Any], Any]]
    head: str
    pilot: Sequence[str] = ()


def measured(
    kept: Experiment[Any],
    certify: Certifying,
    *,
    reports: Mapping[str, measures.Report] | None = None,
    settings: Mapping[str, Any] | None = None,
    tables: Sequence[Table] = (),
    more: Sequence[Table] = (),
    content: Mapping[str, Any] | None = None,
    files: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Report:
    """Return what came of an experiment whose numbers are measures; all families are shown like this.

    Args:
        kept: the experiment.
        certify: returns the shortest proofs, by part.
        reports: by part, if they are there already.
        settings: what is the same for all kinds, by name.
        tables: that are shown beside those of the measures.
        more: tables that only the page has.
        content: what else `--json` prints.
        files: what else can be written.
    """
    from oasis.lab import proofs as proving
    from oasis.lab.pictures import save_plot, stem
    from oasis.lab.report import VERSION, write_rows
    from oasis.lab.report import Report as OfPart
    from oasis.lab.reports import Reports
    from oasis.lab.study import answers, sentences, table, to_json
    from oasis.lab.written import page, write_curves, write_paper
    from oasis.neural.training.board import BOARDS
    from tactics.printer import show

    done = reports or {part: kept.report(part) for part in kept.plans}
    proofs = certify(done)
    told = Reports({part: report.led_by(kept.study.headline) for part, report in done.items()})
    claimed, plans = answers(kept.study.claims, told), kept.plans.values()
    kinds = conjunction(dict.fromkeys(f"{len(plan.seeds)} {plan.noun} of each kind" for plan in plans))
    within = [*dict.fromkeys(plan.within for plan in plans)]
    budget = [conjunction(within)] if len(within) < 3 else []
    title = f"{kept.noun.capitalize()} compared on {kept.name}"
    beside = [*([table(claimed, told)] if claimed and told.is_one else ()), *tables]  # those of parts are in tables

    def plot(path: Path) -> None:
        for part, report in told.items():
            if told.is_one:
                save_plot(path, report, title)
            else:
                save_plot(path.with_stem(f"{path.stem}-{stem(part)}"), report, f"{part}: {kept.name}")

    parts = {
        part: {
            **report,
            "plan": kept.plans[part].to_json(),
            "proofs": [proof.to_json() for proof in proofs.get(part, ())],
        }
        for part, report in told.to_json().items()
    }
    every = [proof for found in proofs.values() for proof in found]
    lemmas = {lemma.name: show(lemma.formula, quantified=True) for plan in plans for lemma in plan.lemmas}
    about: dict[str, Any] = {"title": title, "command": typed(), "made_by": kept.made_by}
    of_proofs = [proving.table(kept.plans[part], found) for part, found in proofs.items()]
    same = settings or {"each has": conjunction(within)}
    return Report(
        {
            **(next(iter(parts.values())) if told.is_one else {"report": VERSION, "parts": parts}),
            **({"claims": to_json(claimed)} if claimed else {}),
            **(content or {}),
        },
        [*told.tables(), *tables],
        [
            *told.sentences(),
            *(f"Claimed that {sentence}" for sentence in sentences(claimed, told)),
            *([proving.sentence(every)] if proofs else []),
        ],
        {
            "plot": plot,
            "csv": partial(write_rows, told.rows()),
            "paper": partial(write_paper, reports=told, tables=beside, **about),
            "html": lambda stream: stream.write(
                page(told, lemmas=[*lemmas.items()], settings=same, tables=[*beside, *more, *of_proofs], **about)
            ),
            **{kind: partial(write_curves, reports=told, kind=kind) for kind in BOARDS},
            **(files or {}),
        },
        f"{', '.join([f'{kept.name}: {kinds}', *budget])}{intervals(told)}; "
        "what each number is: --html FILE or --json.",
        told.sentences(OfPart.pilot),
    )


def intervals(reports: Mapping[str, measures.Report]) -> str:
    """Return what a head says of intervals; nothing if there are too few units for any."""
    return ", with 95 % intervals" if any(report.has_bounds for report in reports.values()) else ""


def typed() -> str:
    """Return the command that was typed."""
    from shlex import join

    return join(["oasis", *sys.argv[1:]])


@dataclass(frozen=True)
class Weighing:
    """How the terms of R† are weighed."""

    weights: Annotated[str | None, WEIGHTS] = None


def read_reward(names: str, weights: str | None) -> str:
    """Return the reward, or the comma list of them, with what --weights says of R†. Raises InputError."""
    if weights is None:
        return names
    from oasis.dagger.making import PREFIX, described, weights_of

    each = [name.strip() for name in names.split(",")]
    if PREFIX not in each:
        raise InputError(f"--weights says all about --reward {PREFIX}, and does not go with --reward {names}.")
    return ",".join(described(weights_of(weights)) if name == PREFIX else name for name in each)


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
        report: reports on one; it takes a function from the reports of parts to their shortest proofs.
        check: raises InputError, before any work, if what was asked for cannot be reported.
    """

    begin: Callable[[], Begun]
    report: Callable[[Experiment[Any], Certifying], Report]
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
        told = wanted.report(kept, partial(certified, kept, provers, how.output) if is_asked else lambda _: {})
        if carrying.pilot:
            told = told._replace(tables=[], sentences=told.pilot)
        show(told._replace(content={**kept.to_json(), **told.content}), files, as_json=how.output.as_json)
        if carrying.pilot and not whole.finished:
            how.output.say(f"{_done(whole)}: {go_on(whole, how.output.db)}")


def show(report: Report, files: Files, *, as_json: bool) -> None:
    """Show what came of trials, and write it to files."""
    from oasis.neural.training.board import BOARDS

    if as_json:
        print_json(report.content)
    else:
        print_text(report.head)
        print()
        print_tables(report.tables, report.sentences)
    for name, path in vars(files).items():
        if path is None:
            continue
        if name in ("plot", "paper", *BOARDS):
            report.files[name](path)
        else:
            with output_stream(path) as stream:
                report.files[name](stream)


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


def amount(effort: int, unit: str) -> str:
    """An effort with its unit, milliseconds as seconds."""
    return f"{effort / 1000:,g} {unit[1:]}" if unit.startswith("ms ") else f"{effort:,} {unit}"


def _remark(kept: Experiment[Any]) -> None:
    from oasis.student.student import on_compiling, on_rewards

    plans = list(kept.plans.values())
    kinds = sum(len(plan.variants) for plan in plans)
    trials = {len(plan.seeds) for plan in plans}
    each = f", {trials.pop()} of each" if len(trials) == 1 else ""
    narrate(
        f"Experiment {kept.number}: {kept.name}, {counted(kinds, 'kind')} of {kept.noun}{each}, "
        f"{amount(kept.effort, plans[0].unit)} in all"
    )
    students = [settings for plan in plans for settings in plan.settings]
    narrate_all([*on_compiling(students), *on_rewards(students)])
    if not kept.same_version:
        narrate(f"It was begun with Oasis {kept.begun_with}, which is not this version.")
