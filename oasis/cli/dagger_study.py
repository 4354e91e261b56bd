"""`oasis dagger audit`, `ablate`, `study` and `log`: R† put to the test, and every term of every step told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from oasis.cli import experiments
from oasis.cli.arguments import DATABASE, DatabaseOption, JsonOption, OutputOption, QuietOption, read_curriculum
from oasis.cli.exits import EXIT_INTERRUPTED, Stopped
from oasis.cli.experiments import Begun, How, Levels, Seeds, Wanted, experiment, print_tables
from oasis.cli.narration import narrate
from oasis.cli.options import Given, Only, Usually, Without, command
from oasis.cli.progress import finished, watch_count
from oasis.cli.render import print_json, print_text
from oasis.ground.files import output_stream
from oasis.ground.settings import SEEDS, Setting, of_lemmas
from oasis.student.settings import Settings
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oasis.dagger.weights import Weights
    from tactics.formula import Formula

OF_STUDENTS = Only("learner", "state_space", "epsilon", "gamma", "initial_value", "episodes", "seed")
"""What commands that put R† to the test say of students."""


@dataclass(frozen=True, kw_only=True)
class Audited(Levels):
    """What is audited, and how it is read."""

    curricula: Annotated[
        tuple[str, ...],
        of_lemmas("Lemmas and curricula; SYJ203.1 to 4 and textbook if left out.", "[CURRICULUM...]"),
    ] = ()
    reading: Annotated[
        str, Setting("How terms are read, or all readings.", choices=("seed", "sound", "shaped", "all"))
    ] = "all"
    preset: Annotated[
        str | None,
        Setting("Only this reward: a preset, a TOML file, or a preset with changes, as in all:P=0.3."),
    ] = None
    gamma: Annotated[float, Setting("Discount, above 0 and up to 1.", within="(0, 1]")] = 0.9
    search: Annotated[
        int | None,
        Setting("Lemmas to try in a search for the smallest on which a preset is not safe.", within="[1, ∞)"),
    ] = None
    seconds: Annotated[float | None, Setting("Time after which that search ends.", within="(0, ∞)")] = None
    seed: Annotated[int, Setting("For what that search draws.", within=SEEDS)] = 0


@command
def audit(
    *,
    audited: Given[Audited],
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """See exactly whether R† is safe: whether who follows what it pays ever gives up a proof.

    In every state that a lemma leads to the moves of the best episodes are computed, for each preset, before anything
    was counted and after training, and then for each term added to C alone. They are set against those of proofs.
    With --search or --seconds lemmas are looked for instead on which a preset fails, from the ones that are named on.
    """
    from oasis.audit.audit import Audit
    from oasis.audit.tables import DEFINITIONS, of_presets, of_terms
    from oasis.dagger.making import weights_of
    from oasis.dagger.term import Reading
    from oasis.dagger.weights import presets

    asked = audited.made()
    gamma, readings = asked.gamma, [each for each in Reading if asked.reading in (each, "all")]
    rewards = {name: weights_of(name) for name in ([asked.preset] if asked.preset else presets())}
    rewards = {name: weights for name, weights in rewards.items() if asked.preset or weights.reading in readings}
    if asked.search or asked.seconds:
        begin = [lemma.formula for name in asked.curricula for lemma in read_curriculum(name, asked.levels).lemmas]
        _search(asked, rewards, begin, as_json=as_json, quiet=quiet)
        return
    names = asked.curricula or ("SYJ203.1", "SYJ203.2", "SYJ203.3", "SYJ203.4", "textbook")
    found = {lemma.name: lemma for name in names for lemma in read_curriculum(name, asked.levels).lemmas}
    going = Audit([*found.values()], rewards, [] if asked.preset else readings, gamma)
    watch_count(going.of_lemmas(), len(found), "lemmas", quiet=quiet)
    for name, reason in going.left_out.items():
        narrate(f"{name} is left out: {reason}.")
    if not going.wholes:
        raise InputError("None of these lemmas could be looked at whole; name smaller ones.")
    watch_count(going.of_chains(), len(going.wholes), "presets", quiet=quiet)
    if as_json:
        print_json(going.to_json())
        return
    print_tables([of_presets(going.wholes, going.chains, gamma), *of_terms(going.terms, gamma)])
    for name, meaning in DEFINITIONS.items():
        print_text(f"{name}: {meaning}.")
    print()
    print_tables((), going.sentences())


@dataclass(frozen=True)
class Lemmas(experiments.Lemmas):
    """Which lemmas an ablation is about."""

    curriculum: Annotated[
        str | None,
        Setting("A lemma, a curriculum (textbook, SYJ203, random:count=20), a file, or -; non-theorems are left out."),
    ] = None


@dataclass(frozen=True)
class Terms:
    """Which terms of R† are put to the test."""

    weights: Annotated[
        str,
        Setting(
            "Weights: all, elegant, correct, seed, shaped, sparse, steady, tuned, a TOML file; with :P=0.3.",
            metavar="NAME|FILE",
        ),
    ] = "all"
    alone: Annotated[bool, Setting("Only each term beside C alone.")] = False
    dropped: Annotated[bool, Setting("Only all of R† without each term.")] = False


@experiment("dagger ablate", carrying=[Without("so_far")], certify=False)
def ablate(
    *,
    lemmas: Given[Lemmas],
    terms: Given[Terms],
    students: Annotated[Given[Settings], OF_STUDENTS, Without("seed"), Usually(state_space="name", episodes=500)],
    seeds: Annotated[Given[Seeds], Usually(seeds=30)],
    how: How,
) -> Wanted:
    """See what each term of R† does: students are paid by all of it, by all but one term, and by C and one term.

    Each lemma has students of its own. Told is when they know it for good and what they lack of a shortest proof,
    against the same seeds of other rewards. What is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """

    def planned() -> Begun:
        from oasis.dagger.making import weights_of
        from oasis.lab.ablation import plans, variants

        found, numbers, asked = lemmas.made().read("dagger ablate textbook"), seeds.made().numbers(), terms.made()
        both = asked.alone == asked.dropped
        kinds = variants(
            weights_of(asked.weights),
            students.made(seed=numbers[0]),
            dropped=asked.dropped or both,
            alone=asked.alone or both,
        )
        made = plans(found.lemmas, kinds, numbers)
        if len(made) < len(found.lemmas):
            left_out = len(found.lemmas) - len(made)
            how.output.say(f"{left_out} of {len(found.lemmas)} lemmas are no theorems, and left out.")
        return Begun(found.name, made)

    return Wanted(planned, "oasis.lab.ablation:told")


@dataclass(frozen=True, kw_only=True)
class Studied(Levels):
    """Which learners are studied, on what, and how long they practise."""

    curricula: Annotated[
        tuple[str, ...],
        Setting(
            "Lemmas and curricula; of several lemmas of one every other is held out for the exam.",
            metavar="CURRICULUM...",
            complete="curricula:complete",
            positional=True,
        ),
    ] = ()
    learners: Annotated[
        tuple[str, ...],
        Setting("Networks, ppo and grpo, or students; repeat it for several.", names=("--learner",), metavar="NAME"),
    ] = ("ppo", "grpo", "q-learning", "and-or-q")
    weights: Annotated[
        str, Setting("R† with S_KL: shaped, all, seed, a TOML file; with :P=0.3.", metavar="NAME|FILE")
    ] = "shaped"
    beliefs: Annotated[
        tuple[str, ...],
        Setting("Who says p(QED) to S_KL; repeat it for several.", names=("--belief",), metavar="NAME|FILE"),
    ] = ("gnn", "knn", "bayes-online")
    updates: Annotated[
        int, Setting("Of networks, each after 16 plays of every lemma; students have as many plays.", within="[1, ∞)")
    ] = 40
    start: Annotated[
        str, Setting("Networks begin with random weights, or as tiny.", choices=("new", "tiny"), metavar="new|tiny")
    ] = "new"


@experiment(
    "dagger study",
    carrying=[Without("so_far")],
    files=[Without("csv_episodes", "csv_checkpoints")],
    certify=False,
)
def study(
    *,
    studied: Given[Studied],
    seeds: Annotated[Given[Seeds], Usually(seeds=5)],
) -> Wanted:
    """See what S_KL does for learners: each is paid by terminating, by R† without S_KL, and with it by each belief.

    Told are the share of plays that prove, how long proofs are, how far p(QED) and the policy move, and how soon. What
    is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """

    def planned() -> Begun:
        from oasis.dagger.making import weights_of
        from oasis.lab.dagger_study import plans, rewards

        asked = studied.made()
        if not asked.curricula:
            raise InputError("Name a lemma or a curriculum, as in: oasis dagger study textbook")
        named = {each.name: each.lemmas for each in (read_curriculum(name, asked.levels) for name in asked.curricula)}
        paid = rewards(weights_of(asked.weights), asked.beliefs)
        made = plans(named, asked.learners, paid, seeds.made().numbers(), asked.updates, asked.start)
        return Begun(", ".join(named), made)

    return Wanted(planned, "oasis.lab.dagger_study:told")


@dataclass(frozen=True)
class Practised(experiments.Lemmas):
    """Which lemmas are practised."""

    curriculum: Annotated[
        str | None, Setting("What to practise: a lemma, a curriculum, a file, or - for standard input.")
    ] = None


@command
def log(
    *,
    lemmas: Given[Practised],
    terms: Annotated[Given[Terms], Only("weights")],
    student: Annotated[Given[Settings], OF_STUDENTS, Usually(episodes=20)],
    output: OutputOption = None,
    db: DatabaseOption = DATABASE,
    quiet: QuietOption = False,
) -> None:
    """Let a student practise, and write for every step what each term of R† says of it and pays for it, as CSV.

    A line for each step, with the terms by name, what each paid, and the reward; and one for the end of each episode.
    It does what oasis train with the same settings and seed does, but in plain Python, and keeps no run.
    """
    from oasis.audit.logged import log as logged
    from oasis.dagger.making import described, weights_of

    settings = student.made(reward=described(weights_of(terms.made().weights)))
    practised = lemmas.made().read("dagger log SYJ203.2").lemmas
    with output_stream(output) as stream:
        try:
            total = settings.episodes * len(practised)
            watch_count(logged(settings, practised, stream), total, "episodes", quiet=quiet or output is None)
        except KeyboardInterrupt:
            raise Stopped("Interrupted; the episodes that were over are written.", EXIT_INTERRUPTED) from None


def _search(
    asked: Audited, rewards: Mapping[str, Weights], begin: Sequence[Formula], *, as_json: bool, quiet: bool
) -> None:
    """Look for the smallest lemmas on which rewards are not safe, one reward after the other."""
    from oasis.audit.search import Search
    from oasis.audit.tables import of_search
    from oasis.ground.limits import Limit, LimitReached

    searches: dict[str, Search] = {}
    is_whole = True

    def tried(search: Search) -> Iterator[int]:
        limit = Limit(asked.seconds)
        with suppress(LimitReached):
            for number in islice(search, asked.search):
                yield number
                limit.check()

    for name, weights in rewards.items():
        searches[name] = Search(weights, asked.gamma, asked.seed, begin)
        if not finished(tried(searches[name]), asked.search, f"lemmas for {name}", quiet=quiet):
            is_whole = False
            break
    said = [sentence for name, search in searches.items() for sentence in of_search(name, search)]
    if as_json:
        found = {
            name: {"tried": search.tried, "found": [each.to_json() for each in search.found.values()]}
            for name, search in searches.items()
        }
        print_json({"gamma": asked.gamma, "seed": asked.seed, "searches": found, "sentences": said})
    else:
        print_tables((), said)
    if not is_whole:
        raise Stopped("Interrupted; that is what was found so far.", EXIT_INTERRUPTED)
