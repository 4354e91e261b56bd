"""The classroom as lines of plain text: moves typed one a line, plain sentences back.

For a screen reader, a pipe or a dumb terminal: no colour and no cursor, and nothing is said by its place alone. Where
lines come from and go is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from curricula.lemma import Lemma
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt, Offer, added
from oasis.classroom.proving.exercise import LISTED, Exercise, Terms, is_named
from oasis.classroom.proving.pointing import as_they_came
from oasis.classroom.proving.rules import page
from oasis.classroom.proving.telling import CLAIMED_BEFORE, Answer, has_a_proof, no_move_applies
from oasis.classroom.proving.words import compared, moves, proved, stopped
from oasis.ground.plural import counted
from oasis.teacher.countermodels.explanation import explain
from tactics.errors import InputError, did_you_mean
from tactics.goal import Goal
from tactics.printer import COQ, Notation, show
from tactics.rules import RULES, SPEAKING, TACTICS, Rule, spoken, tactic_named
from tactics.script import parse_move, sentences, show_script

_COMMANDS: Final = {
    "moves": "what applies here, in an order that says nothing, and what each would leave",
    "hint": "a hint, which says more each time you ask in the same place",
    "check": "whether a move has lost the proof",
    "undo, redo": "take a move back, make it again",
    "go N": "to the state after N moves",
    "no proof": "say that this lemma has no proof at all",
    "state": "say again what is to be proved",
    "script": "the moves so far",
    "help TACTIC": "what a tactic does",
    "quit": "leave",
}


class Lines:
    """One attempt at a lemma in lines of text.

    Attributes:
        attempt: as it stands.
        is_over: whether the lemma is proved or the student has left.
    """

    def __init__(self, lemma: Lemma, adviser: Adviser, notation: Notation = COQ) -> None:
        self.attempt = Attempt(lemma.formula, terms=Terms(light=False, moves=LISTED))
        self.is_over = False
        self._lemma, self._adviser, self._notation = lemma, adviser, notation
        self._answers: dict[str, Callable[[], list[str]]] = {
            "moves": self._moves,
            "hint": self._hint,
            "check": self._check,
            "undo": self._undo,
            "redo": self._redo,
            "state": self._state,
            "script": self._script,
            "help": self._help,
            "quit": self._quit,
        }

    def greeting(self) -> list[str]:
        """What is said first."""
        lemma = self._lemma
        text = show(lemma.formula, self._notation, quantified=True)
        has_brackets = "(" in lemma.name and is_named(Exercise.of(lemma))
        typed = [f"You typed {lemma.name}, which is the same."] if has_brackets else []
        return [f"Prove {text}", *typed, "Type a move, or help.", *self._state()]

    def answer(self, line: str) -> list[str]:
        """What is said to a line; bad input changes nothing and gets one sentence."""
        word, _, rest = line.strip().partition(" ")
        try:
            if not word:
                return []
            if word == "go":
                return self._go(rest)
            if word == "no" and rest.strip().rstrip(".") == "proof":
                return self._claim()
            if word == "help" and rest:
                return page(rest.strip(), self._notation).lines
            if word in self._answers and not rest:
                return self._answers[word]()
            typed = sentences(line)
            word = typed[0].split()[0] if typed else ""
            if word and word.removeprefix("d_") not in (*RULES, *TACTICS):
                rather = did_you_mean(word, [*TACTICS, *self._answers], "type help to see both.")
                return [f"{word} is neither a tactic nor a command; {rather}"]
            return self._make(typed)
        except InputError as error:
            return [str(error)]

    def _make(self, typed: Sequence[str]) -> list[str]:
        """Make moves up to the first that cannot be read or does not apply."""
        for number, sentence in enumerate(typed, 1):
            try:
                self.attempt.make(parse_move(sentence, tactic_named))
            except InputError as error:
                said = filter(None, [str(error), stopped(number, len(typed))])
                return [*said, *(self._made() if number > 1 else [])]
        return self._made() if typed else []

    def _undo(self) -> list[str]:
        self.attempt.undo()
        return [f"Took back {spoken(self.attempt.undone[-1])}.", *self._state()]

    def _redo(self) -> list[str]:
        self.attempt.redo()
        return [f"Made {spoken(self.attempt.made[-1])} again.", *self._made()]

    def _made(self) -> list[str]:
        return self._proved() if self.attempt.proved else self._state()

    def _state(self) -> list[str]:
        """What is to be proved, a line for each hypothesis and each goal."""
        state = self.attempt.state
        said = [f"{len(state)} goals are left; this is the first." if len(state) > 1 else "One goal is left."]
        said += [f"  {name} : {show(formula, self._notation)}" for name, formula in as_they_came(state[0])]
        said.append(f"  to prove: {show(state[0].conclusion, self._notation)}")
        if self.attempt.is_stuck:
            said.append(no_move_applies(self.attempt, "undo", "no proof"))
        return said

    def _proved(self) -> list[str]:
        self.is_over = True
        made, shortest = len(self.attempt.made), self._adviser.shortest(self.attempt)
        said = [proved(made), *compared(made, shortest)]
        if self.attempt.hints:
            said.append(f"You took {counted(len(self.attempt.hints), 'hint')}.")
        return [*said, *self._script()]

    def _moves(self) -> list[str]:
        offers = self.attempt.offers()
        return [f"  {spoken(offer.move)}: {self._leaves(offer)}" for offer in offers] or ["No move applies here."]

    def _leaves(self, offer: Offer) -> str:
        """What a move would leave of the goal: in words what is to be proved, and what is new among the hypotheses."""
        if not offer.leaves:
            return "done with this goal"
        before = self.attempt.state[0]
        return "; then ".join(self._change(before, after) for after in offer.leaves)

    def _change(self, before: Goal, after: Goal) -> str:
        new = [f"{name} : {show(formula, self._notation)}" for name, formula in added(before, after)]
        given = f" with {' and '.join(new)}" if new else ""
        return f"prove {show(after.conclusion, self._notation)}{given}"

    def _hint(self) -> list[str]:
        self.attempt.take_hint()
        answer = self._adviser.answer(self.attempt, self.attempt.hint_level)
        return self._told(answer, "There is no hint in time; try a move, and ask again.")

    def _check(self) -> list[str]:
        return self._told(self._adviser.judge(self.attempt), "There is no answer in time.")

    def _told(self, answer: Answer | None, otherwise: str) -> list[str]:
        """An answer, and why there is no proof from here if it says so."""
        if answer is None:
            return [otherwise]
        said, why = answer.sentences(self._notation), answer.countermodel
        if answer.only_move is None and why is not None:
            said += [
                f"There is no proof of {why.sequent(self._notation)}.",
                *explain(why, self._notation, called="stage").sentences,
            ]
        return said

    def _claim(self) -> list[str]:
        match self._adviser.has_proof(self.attempt):
            case None:
                return ["Whether there is a proof was not found out in time, so nothing is counted."]
            case True if self.attempt.wrong_claims:
                return [CLAIMED_BEFORE]
            case True:
                self.attempt.claim(right=False)
                return [f"{has_a_proof(self.attempt)}."]
            case _:
                self.attempt.claim(right=True)
                self.is_over = True
                model = self._adviser.refutation(self.attempt)
                why = [] if model is None else explain(model, self._notation, called="stage").sentences
                return ["Yes: this lemma has no proof.", *why]

    def _go(self, step: str) -> list[str]:
        if not step.strip().isdigit():
            return ["Say to which step, as in go 2; go 0 is the beginning."]
        self.attempt.jump(int(step))
        return self._made()

    def _script(self) -> list[str]:
        return [show_script(self.attempt.script) or "No move is made yet."]

    def _help(self) -> list[str]:
        return [
            f"Tactics: {', '.join(map(_typed, RULES.values()))}. H stands for the name of a hypothesis.",
            *(f"  {command}: {what}" for command, what in _COMMANDS.items()),
        ]

    def _quit(self) -> list[str]:
        self.is_over = True
        return [f"Left after {moves(len(self.attempt.made))}; nothing is proved."]


def _typed(rule: Rule) -> str:
    """How a rule is typed, with its name in the thesis where that is another one."""
    if rule.name in SPEAKING:
        return f"{SPEAKING[rule.name]} H (or {rule.name} H)"
    return f"{rule.name} H" if rule.takes_hypothesis else rule.name
