"""What a person is told of students before they practise: why it takes long, and what rewards make no difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oasis.rewards.named import reward
from oasis.student.learners import learner
from oasis.student.settings import Settings
from oasis.student.student import is_compiled, why_plain


def on_compiling(students: Iterable[Settings]) -> Iterator[str]:
    """Say why students of these settings will keep people waiting: they are to be compiled first, or cannot be."""
    students = list(students)
    if reasons := "; ".join(dict.fromkeys(filter(None, map(why_plain, students)))):
        yield f"Students run in plain Python, a hundred times slower than compiled: {reasons}."
    if not all(map(is_compiled, students)):
        yield (
            "Learners are compiled for this machine when they are first used: up to half a minute for the first, "
            "some seconds for each other."
        )


def on_rewards(students: Iterable[Settings]) -> Iterator[str]:
    """Say which rewards that were asked for make no difference to a learner, and which give the solution away."""
    ignored: dict[str, list[str]] = {}
    asked: list[str] = []
    for each in students:
        is_ignored = each.reward != Settings.reward and not learner(each.learner).rewarded
        (ignored.setdefault(each.learner, []) if is_ignored else asked).append(each.reward)
    for name, rewards in ignored.items():
        names = [*dict.fromkeys(rewards)]
        which = f"--reward {','.join(names)}" if len(names) <= 3 else f"which of {len(names)} rewards it has"
        yield f"{name} asks for no reward, so {which} changes nothing; choose another --learner, such as q-learning."
    for name in dict.fromkeys(asked):
        if reward(name).leaks:
            yield f"The reward {name} knows which goals are provable: what is learned from it was told, not found."
