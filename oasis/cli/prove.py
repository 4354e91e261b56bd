"""`oasis prove`: a proof of a theorem, from who knows the truth, found by trying, or played by a policy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from oasis.cli.arguments import Output
from oasis.cli.experiments import Levels
from oasis.cli.options import Given, command
from oasis.cli.render import console
from oasis.ground.files import check_place, output_stream
from oasis.ground.names import POLICIES, SEARCHES, SOLVERS
from oasis.ground.settings import Setting, of_lemmas
from oasis.play.choices import Choices, Evolving, Writing
from oasis.play.solving import Ladders
from tactics.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from oasis.escalation.solvers import Means
    from oasis.play.policy import Policy
    from oasis.search.search import Search
    from oasis.store import Store

_TEACHING: Final = ("shortest", "max_proof", "seconds")
_PLAYING: Final = ("policy", "judge", "invertible", "writing", "experience", "seed", "max_proof")
_SEARCHING: Final = (
    *("policy", "search", "experience", "seed", "max_proof"),
    *("budget", "seconds", "shorter", "cache", "draw", "actions", "workers"),
)
_CLIMBING: Final = ("policy", "language", "search", "escalate", "seconds", "seed")
_TAKES: Final = {"teaching": _TEACHING, "playing": _PLAYING, "searching": _SEARCHING, "climbing": _CLIMBING}
"""The options of each kind of solver, beside those of all."""
_BROUGHT: Final = ("budget", "seconds")
"""Those of one's own."""
_WHO: Final = {
    "teaching": "the teacher",
    "playing": "a policy that plays",
    "searching": "a search",
    "climbing": "a ladder",
}
_TYPED: Final = {"space": "actions", "workers": "workers"}
"""The options that say what some searches take (`oasis.search.search.Search.takes`)."""
_MOST_LINES: Final = 80
"""Goals in a tree of a search; more than that nobody reads."""
_OPTIONS: Final = {name for takes in _TAKES.values() for name in takes}


@dataclass(frozen=True, kw_only=True)
class Way(Choices, Ladders, Levels):
    """How lemmas are to be proved."""

    lemma: Annotated[
        str,
        of_lemmas(
            "A lemma or a curriculum by name (SYJ203.3, thesis/43, textbook), as text, a file, or -.",
            "LEMMA|CURRICULUM",
        ),
    ]
    solver: Annotated[
        str | None,
        Setting(
            f"Who proves it: {SOLVERS.told}.",
            metavar="NAME[:POLICY]",
            not_with="search policy escalate",
            about="who proves and whom it asks",
        ),
    ] = None
    shortest: Annotated[bool, Setting("Look for a proof with the fewest moves.")] = False
    seconds: Annotated[float, Setting("How long the search may take, for each lemma.", within="(0, ∞)")] = 10.0
    search: Annotated[
        str | None,
        Setting(f"Find it by trying: {SEARCHES.told}.", choices="oasis.ground.names:SEARCHES", metavar="NAME"),
    ] = None
    policy: Annotated[
        str,
        Setting(
            f"Who proposes moves, or without --search makes them: {POLICIES.told}.",
            complete="oasis.ground.names:POLICIES.complete",
            metavar="NAME",
        ),
    ] = "uniform"
    escalate: Annotated[
        bool,
        Setting("A student practises first; what it does not learn a search tries, and then a network (--policy)."),
    ] = False
    budget: Annotated[
        str | None,
        Setting(
            "For each lemma beside --seconds: expansions, or as in expansions=10000,calls=500,memory=2048 (MiB).",
            metavar="N|NAME=N,…",
        ),
    ] = None
    shorter: Annotated[bool, Setting("Go on to shorter proofs until there is none or the time is over.")] = False
    cache: Annotated[
        str,
        Setting(
            "What is found out about goals serves one lemma, the lemmas of this command, or is kept in --db.",
            choices=("none", "memory", "disk"),
            metavar="none|memory|disk",
        ),
    ] = "memory"
    draw: Annotated[
        str | None,
        Setting("Draw what the search reached: as SVG that grows, or as a tree here.", metavar="FILE.svg|-"),
    ] = None
    actions: Annotated[
        str,
        Setting(
            "What plays of a search by rollouts may try: legal, blind or simplify; a play ends where a move fails.",
            choices="oasis.play.actions:ACTION_SPACES",
        ),
    ] = "legal"
    workers: Annotated[
        int,
        Setting("Plays of a search by rollouts at once, or processes that prove for an evolution.", within="[1, ∞)"),
    ] = 1


@command
def prove(
    *,
    how: Given[Way],
    drafts: Given[Evolving],
    proofs: Given[Writing],
    certify: Annotated[
        bool, typer.Option("--certify", help="Have the script certified by Coq and Lean, as far as they are here.")
    ] = False,
    provers: Annotated[
        str | None, typer.Option("--with", help="Have it certified by provers of these names, as in coq,lean.")
    ] = None,
    output: Output,
) -> None:
    """Print a script that proves a lemma; `oasis replay LEMMA -` reads it and shows every state.

    The teacher, who knows the truth, finds it at once; the script is short, and with --shortest no other is shorter.
    With --search it is found by trying, from what a policy proposes, within a budget. With --policy alone the policy
    plays the lemma once and takes no move back. With --escalate nobody knows: the table, a search and a network take
    turns, and what each took is told. --solver names any of these, and a solver of your own. With --solver written, or
    written: before the policy of a search by rollouts, a policy writes whole proofs, as in oasis policy eval --written.

    Of a lemma that is no theorem there is none: `oasis countermodel` shows why.

    Exit code 0 unless a prover rejects the script: 1.
    """
    from oasis.cli import proving
    from oasis.cli.arguments import read_certifiers, read_curriculum, referees
    from oasis.escalation.came import prove_all
    from oasis.escalation.solvers import solver_named
    from oasis.play.solving import Budget

    way, writing, who = how.made(), proofs.made(), _who(how)
    for typed in () if who.writes else proofs.values:
        raise InputError(f"{proofs.option(typed)} goes with --solver written, and not with {who.name}.")
    options = _options(how, drafts, who)
    budget = Budget.read(way.budget, None if who.kind == "playing" else way.seconds)
    named = () if provers is None else read_certifiers(provers, "--with")
    lemmas = read_curriculum(way.lemma, way.levels).lemmas
    if way.draw is not None:
        _check_picture(way.draw, len(lemmas), as_json=output.as_json)
    with _opened(way, who, output.db) as store:
        means = _means(way, who, writing, store, options, output.say)
        solver = solver_named(f"{who.name}:{who.policy}" if who.policy else who.name, means)
        if who.kind == "climbing" and not output.quiet:
            from oasis.cli.narration import narrate_all
            from oasis.student.settings import MAIN_JOB
            from oasis.student.student import on_compiling

            narrate_all(on_compiling([MAIN_JOB]))
        with proving.watching([lemma.name for lemma in lemmas], solver, quiet=output.quiet) as watch:
            came = prove_all(lemmas, solver, budget, watch)
        came = came.certified(lambda: named or referees(), output.say) if certify or named else came
    told: dict[str, Any] = {"solver": who.name, "policy": who.policy or None}
    told |= {"experience": way.experience, "seed": way.seed}
    told |= {"cache": way.cache} if who.kind == "searching" else way.choosing.to_json() if who.kind == "playing" else {}
    told |= {each: how.values[each] for each in _TYPED.values() if each in how.values} | dict(drafts.values)
    told |= {"written": asdict(writing)} if who.writes else {"language": way.language} if way.language else {}
    proving.show(came, who.title(way), told, output)
    if way.draw is not None:
        _draw(getattr(solver, "last", None), lemmas[0].name, way.draw)
    proving.end(came)


class _Who(NamedTuple):
    """Who is to prove lemmas: the name of a solver, how it proves (`kind_of`), and whom it asks; empty for nobody."""

    name: str
    kind: str
    policy: str

    @property
    def writes(self) -> bool:
        """Whether a search has whole proofs written."""
        from oasis.escalation.solvers import writes

        return self.kind == "searching" and writes(self.name, self.policy)

    def title(self, way: Way) -> str:
        """Say who it is before what came of a single lemma."""
        policy = f", {'run ' if self.policy.isdecimal() else ''}{self.policy}" if self.policy else ""
        return f"{self.name}{policy}{' with experience' if way.experience else ''}"


def _who(how: Given[Way]) -> _Who:
    """Return who is to prove lemmas. Raises InputError for options that another solver takes and this one does not."""
    from oasis.escalation.solvers import UNIFORM, kind_of, parted

    way = how.made()
    policy = how.values.get("policy", "")
    if way.solver is not None:
        name, policy = parted(way.solver)
    else:
        name = "escalate" if way.escalate else way.search or ("committed" if policy else "teacher")
    if name == way.search:
        SEARCHES.find(name)
    kind = kind_of(name)
    for typed in how.values:
        if typed in _OPTIONS and typed not in _TAKES.get(kind, _BROUGHT):
            who = " or ".join(_WHO[other] for other, takes in _TAKES.items() if typed in takes)
            raise InputError(f"{how.option(typed)} goes with {who}, and not with {name}.")
    return _Who(name, kind, policy or (UNIFORM if kind in ("searching", "playing") else ""))


def _options(how: Given[Way], drafts: Given[Evolving], who: _Who) -> dict[str, Any]:
    """Return what the search takes beside what all take, as far as it was typed. Raises InputError for more."""
    from oasis.escalation.solvers import WRITTEN
    from oasis.play.actions import ACTION_SPACES

    typed = {name: how.option(option) for name, option in _TYPED.items() if option in how.values}
    typed |= {"settings": drafts.option(next(iter(drafts.values)))} if drafts.values else {}
    if not typed:
        return {}
    takes: set[str] = set()
    if who.kind == "searching":
        if who.writes and "space" in typed:
            raise InputError(f"{typed['space']} is about plays; leave it out, as whole proofs may try anything.")
        takes |= {*SEARCHES.looked_up("sampling" if who.name == WRITTEN else who.name).takes}
    for name, option in typed.items():
        if name not in takes:
            others = " or ".join(other for other in SEARCHES if name in SEARCHES[other].takes)
            raise InputError(f"{option} goes with --search {others}, and not with {who.name}.")
    way = how.made()
    made = {"space": ACTION_SPACES[way.actions], "workers": way.workers, "settings": drafts.made()}
    return {name: made[name] for name in typed}


def _opened(way: Way, who: _Who, db: Path) -> AbstractContextManager[Store | None]:
    """Return the store, if it is needed; what is wrong with a policy is said before a file is made."""
    from oasis.cli.proving import opened

    needed, is_kept = way.experience, who.kind == "searching" and way.cache == "disk"
    if who.policy or way.language:
        from oasis.neural.policies import needs_store, policy_named

        needed |= any(map(needs_store, (who.policy, way.language)))
        if who.policy and not db.exists():
            policy_named(who.policy, None)
    return opened(db, needed=needed, create=is_kept and not way.experience)


def _means(
    way: Way,
    who: _Who,
    writing: Writing,
    store: Store | None,
    options: Mapping[str, Any],
    say: Callable[[str], None],
) -> Means:
    """Return what the solver is made with."""
    from oasis.escalation.solvers import UNIFORM, Means
    from oasis.search.cache import GoalCache

    def policy(name: str) -> Policy:
        from oasis.neural.policies import experienced, proposing

        if way.actions != "legal" and name in POLICIES and name != UNIFORM:
            raise InputError(
                f"--policy {name} is over legal moves; with --actions {way.actions} name uniform, or a run of a "
                "student that learned with them."
            )
        found = proposing(name, store, say, way.actions)
        return experienced(found, store, way.choosing) if way.experience and store is not None else found

    return Means(
        policy=policy,
        seed=way.seed,
        shortest=way.shortest or way.shorter,
        longest=way.max_proof,
        choosing=way.choosing if who.kind == "playing" else None,
        cache=None if way.cache == "none" else GoalCache(store if way.cache == "disk" else None),
        writing=writing,
        options=options,
        search=way.search or "" if who.kind == "climbing" else "",
        language=way.language,
        say=say,
    )


def _check_picture(file: str, lemmas: int, *, as_json: bool) -> None:
    """Refuse before any work what cannot be drawn. Raises InputError."""
    if lemmas > 1:
        raise InputError("--draw shows the search of one lemma; name one, or leave --draw out.")
    if file == "-" and as_json:
        raise InputError("--draw - and --json both write to standard output; draw into an .svg file.")
    if file != "-" and not file.endswith(".svg"):
        raise InputError(f"--draw writes an .svg file, or - a tree here, not {file!r}.")
    if file != "-":
        check_place(Path(file))


def _draw(search: Search | None, name: str, file: str) -> None:
    """Draw what a search reached, if one was begun. Raises InputError if it cannot be written."""
    from oasis.search.picture import MOST
    from oasis.search.svg import svg, tree

    if search is None:
        return
    picture = search.drawing(_MOST_LINES if file == "-" else MOST)
    if file == "-":
        console().print(tree(picture))
        print("● proved, ✗ refuted, ○ open; bold: the proof; a goal stands where it was reached first")
    else:
        with output_stream(Path(file)) as stream:
            stream.write(svg(picture, name))
