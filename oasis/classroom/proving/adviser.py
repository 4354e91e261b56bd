"""The teacher in a classroom: every question has the same time, and one that takes too long does not spoil the next.

Answers are kept, because some questions are asked after every move. None always stands for what was not found out in
time, or for nothing to say; it is never a no. One thread at a time may ask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Final, TypeVar, cast

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.telling import TELLING, Answer, Light
from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.countermodel import Countermodel
from oasis.teacher.hints import LEVELS, Hint, Loss, Teacher
from oasis.teacher.reasons import principal
from tactics.goal import State
from tactics.rules import apply
from tactics.script import Script

SECONDS: Final = 5.0
"""How long a student waits for an answer."""
_CONCLUSION: Final = "the conclusion"

_Answer = TypeVar("_Answer")


class Adviser:
    """Answers questions about attempts; None where the time was not enough.

    Args:
        seconds: for each question.
        rules: the names of the rules that may be used, None for all. What can be proved, and how, then means by these;
            only `has_proof` and `countermodel` are about intuitionistic logic whatever the rules.
    """

    def __init__(self, seconds: float = SECONDS, rules: Collection[str] | None = None) -> None:
        self._seconds, self._rules = seconds, rules
        self._answers: dict[Hashable, object] = {}
        self._begin()

    def on_track(self, attempt: Attempt) -> bool | None:
        """Whether the lemma can still be proved from where the attempt stands, by the rules that may be used."""
        return self.provable(attempt.state)

    def provable(self, state: State) -> bool | None:
        """Whether all goals of a state can be proved by the rules that may be used."""
        return self._ask(("on track", state), lambda teacher: teacher.provable(state))

    def hint(self, attempt: Attempt, level: int) -> Hint | None:
        """A hint for where the attempt stands, and the move since which it cannot be proved."""
        states, script = attempt.states, attempt.script
        return self._ask(("hint", attempt.formula, script, level), lambda teacher: teacher.hint(states, script, level))

    def light(self, attempt: Attempt) -> Light | None:
        """What a light says where the attempt stands."""
        state, start = attempt.state, attempt.states[0]

        def shines(teacher: Teacher) -> bool:
            return teacher.provable(state) or (not attempt.is_stuck and not teacher.provable(start))

        is_on = self._ask(("light", start, state), shines)
        return None if is_on is None else Light.ON if is_on else Light.DARK

    def answer(self, attempt: Attempt, level: int) -> Answer | None:
        """What a student is told who asks for a hint of this level where the attempt stands, and is not done.

        Where only one move applies nothing is told of what is true, and such a hint costs nothing; of that move as
        much is told at once as hints may tell in the exercise.
        """
        answer, move = self.judge(attempt, level), attempt.only_move
        if answer is None or move is None:
            return answer
        where = principal(attempt.state[0], move) or _CONCLUSION
        return answer._replace(only_move=move, level=attempt.terms.hints, where=where)

    def judge(self, attempt: Attempt, level: int = LEVELS[0]) -> Answer | None:
        """The same wherever it stands, as the light has it at the first level."""
        light, tells = self.light(attempt), level >= TELLING
        if light is None:
            return None
        answer = Answer(
            light,
            level,
            is_last=level >= attempt.terms.hints,
            restricted=not attempt.terms.allows_all,
            knows_of_proof=attempt.wrong_claims > 0,
        )
        if level == LEVELS[0] and light is Light.ON:
            return answer
        if not tells and attempt.is_stuck:
            return answer._replace(countermodel=self.countermodel(attempt))
        hint = self.hint(attempt, level)
        if hint is None:
            return None
        if not tells and light is Light.ON:
            return answer._replace(where=_where(attempt, hint))
        if tells and hint.step == 0:
            answer = answer._replace(is_last=True)
        loss = self.loss(attempt, hint)
        return answer._replace(hint=hint, loss=loss, countermodel=None if loss is None else loss.countermodel)

    def loss(self, attempt: Attempt, hint: Hint) -> Loss | None:
        """Why the move lost the proof that a hint names; None also if it names none."""
        if not hint.step:
            return None
        move, before, after = attempt.made[hint.step - 1], attempt.states[hint.step - 1], attempt.states[hint.step]
        return self._ask(("loss", before, move), lambda teacher: teacher.what_it_lost(before, move, after))

    def shortest(self, attempt: Attempt) -> int | None:
        """The number of moves in the lemma's shortest proof by the rules that may be used; None also if it has none."""
        start = attempt.states[0]

        def length(teacher: Teacher) -> int | None:
            if not teacher.provable(start):
                return None
            teacher.prepare(start)
            return teacher.advice(start[0]).length

        return self._ask(("shortest", start), length)

    def short_proof(self, attempt: Attempt) -> Script | None:
        """A shortest proof of the lemma by the rules that may be used, as far as that is known; None if it has none."""
        start = attempt.states[0]

        def script(teacher: Teacher) -> Script | None:
            if not teacher.provable(start):
                return None
            teacher.prepare(start)
            state, made = start, []
            while state:
                made.append(teacher.advice(state[0]).move)
                state = apply(state, made[-1])
            return tuple(made)

        return self._ask(("short proof", start), script)

    def has_proof(self, attempt: Attempt) -> bool | None:
        """Whether the lemma holds in intuitionistic logic, whatever the rules that may be used here."""
        start = attempt.states[0]
        return self._ask(("has proof", start), lambda teacher: teacher.valid(start))

    def countermodel(self, attempt: Attempt) -> Countermodel | None:
        """Why the first goal of the present state that does not hold does not; None also if all of them do."""
        state = attempt.state
        return self._ask(("countermodel", state), lambda teacher: teacher.refute(state))

    def refutation(self, attempt: Attempt) -> Countermodel | None:
        """Why the lemma does not hold, wherever the attempt stands; None also if it does."""
        return self.countermodel(Attempt(attempt.formula))

    def _begin(self) -> None:
        self._limit = Limit(self._seconds)
        self._teacher = Teacher(self._limit, rules=self._rules)

    def _ask(self, key: Hashable, question: Callable[[Teacher], _Answer]) -> _Answer | None:
        """The answer that is kept under a key, or else the teacher's; what took too long once is not asked again."""
        if key not in self._answers:
            self._limit.restart()
            try:
                self._answers[key] = question(self._teacher)
            except LimitReached:
                self._answers[key] = None
                self._begin()  # what was broken off half-way is not gone on with
        return cast("_Answer | None", self._answers[key])


def _where(attempt: Attempt, hint: Hint) -> str:
    """What to look at if there is a proof; if there is none, what some move is about that applies."""
    goal = attempt.state[0]
    move = attempt.offers()[0].move if hint.advice is None else hint.advice.move
    return principal(goal, move) or _CONCLUSION
