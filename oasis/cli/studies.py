"""`oasis thesis` and `oasis sharing`: chapter 7 of the thesis done again, and what shared states buy a student."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from oasis.cli.arguments import read_lemma
from oasis.cli.experiments import Begun, Seeds, Wanted, Weighing, experiment
from oasis.cli.options import Given, Only, Usually, Without
from oasis.ground.settings import Setting, of_lemmas
from oasis.student.settings import Settings


@dataclass(frozen=True)
class Conditions:
    """What is done again, and how much of it."""

    figure: Annotated[
        tuple[str, ...],
        Setting("7.1 to 7.5, learners, gamma, alpha or simplify; can be repeated. All if not given.", metavar="NUMBER"),
    ] = ()
    share: Annotated[float, Setting("Share of the students to take, above 0 and up to 1; for a quick look.")] = 1.0
    episodes: Annotated[int, Setting("Episodes in the longer parts.")] = 5000


@experiment("thesis", files=[Without("csv_episodes", "csv_checkpoints")])
def thesis(*, conditions: Given[Conditions]) -> Wanted:
    """Do chapter 7 of the thesis again, and answer what it saw: as there, with legal moves, and for 5,000 episodes.

    Each thing that a figure saw is a claim, settled before anything is done: it is reproduced, the opposite, not by
    more than what matters, or undecided, and then it is said how many students it takes. So is what chapter 8 leaves
    open. What is done is kept: --so-far shows it, and --resume goes on. The numbers are the same every time, on any
    engine.
    """

    def planned() -> Begun:
        from oasis.lab.thesis import figures, plans, study

        asked = conditions.made()
        chosen = figures(asked.figure, share=asked.share, episodes=asked.episodes)
        return Begun("Figures " + ", ".join(each.number for each in chosen), plans(chosen), study(chosen))

    return Wanted(planned, "oasis.lab.thesis:told")


@dataclass(frozen=True)
class Copied:
    """What is renamed, and how often."""

    lemma: Annotated[
        str,
        of_lemmas(
            "The lemma to rename, by name (SYJ203.3, thesis/43), as text, a file, or - for standard input.", "[LEMMA]"
        ),
    ] = "SYJ203.4"
    copies: Annotated[int, Setting("Renamed copies, one episode each.")] = 75


@experiment("sharing", carrying=[Without("so_far")], files=[Without("csv_checkpoints")])
def sharing(
    *,
    copied: Given[Copied],
    students: Annotated[
        Given[Settings],
        Only("learner", "reward", "actions", "forget_errors", "epsilon", "alpha", "gamma", "max_steps"),
        Usually(learner="epsilon-soft"),
    ],
    weighing: Given[Weighing],
    seeds: Annotated[Given[Seeds], Usually(seeds=75)],
) -> Wanted:
    """Compare the state spaces: renamed copies of a lemma, the lemma itself, and others where sharing pays or not.

    The same students work in each space, with one memory for all lemmas of an experiment. Averages come with 95 %
    intervals. What is done is kept: Ctrl-C loses nothing, and --resume goes on.
    """

    def planned() -> Begun:
        from oasis.dagger.making import weighed
        from oasis.lab.sharing import plans

        numbers, asked = seeds.made().numbers(), copied.made()
        reward = weighed(students.values.get("reward", Settings.reward), weighing.made().weights)
        settings = students.but(reward=reward).made(seed=numbers[0])
        found = read_lemma(asked.lemma)
        return Begun(found.name, plans(found, settings, copies=asked.copies, students=len(numbers)))

    return Wanted(planned, "oasis.lab.sharing:told")
