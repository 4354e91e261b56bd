"""Whole proofs that somebody writes as texts: the calculus cuts them at the first fault, and the writer goes on.

Truncate and resume (Xin et al. 2024, DeepSeek-Prover-V1.5): a text is replayed move by move, and cut behind the last
one that applies; the state that is reached is added to it as a comment, and the writer goes on from there. A language
model is such a writer, and so is any policy, which writes down the moves that it plays. Only a replayed text
proves anything.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from oasis.ground.plugins import foreign
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import attempt
from oasis.play.choices import Writing
from oasis.play.exam import Player, playing
from oasis.play.policy import Floats, Policy, Wrapping, called, draw, tempered
from tactics.errors import InputError, printable
from tactics.goal import Goal, Move, State
from tactics.rules import legal_moves
from tactics.script import Script
from tactics.sequent import show_state
from tactics.written import STYLES, Piece, Style, pieces


def cut(probabilities: Floats, writing: Writing) -> Floats:
    """Return weights in proportion to which actions or tokens are drawn."""
    if not probabilities.any():  # everything was given up
        return probabilities
    likely = tempered(probabilities, writing.temperature)
    order = np.argsort(-likely, kind="stable")
    before = np.cumsum(likely[order]) - likely[order]
    likely[order[before >= writing.top_p * likely.sum()]] = 0
    return likely


class Draft(NamedTuple):
    """A proof that is to be continued.

    Attributes:
        goal: with which it begins.
        text: that has been written, up to a comment that shows the state; empty at the beginning.
        state: in which that ends, neither proved nor stuck.
        seed: of the writer's random numbers.
        tokens: that may be written at most, at least 1.
    """

    goal: Goal
    text: str
    state: State
    seed: int
    tokens: int


class Completion(NamedTuple):
    """What was written behind a draft, and how many tokens that are; of a policy that plays, moves."""

    text: str
    tokens: int


@runtime_checkable
class Author(Protocol):
    """Writes whole proofs."""

    @property
    def style(self) -> Style:
        """How it writes, and reads the comments that show states."""
        ...

    def completed(
        self, drafts: Sequence[Draft], writing: Writing
    ) -> list[Completion] | Generator[object, None, list[Completion]]:
        """Go on with each draft to the end of a proof, or as far as it comes.

        The completion of a draft depends on that draft alone, not on the others. An author that can be stopped while it
        writes is a generator, which yields wherever it can be.
        """
        ...


class Spent(NamedTuple):
    """What a round of writing took: moves that apply, and one for each text that is no proof; questions; and tokens."""

    moves: int
    calls: int
    tokens: int


@dataclass
class Proof:
    """A proof that is being written.

    Attributes:
        goal: with which it begins.
        state: in which the moves end, from the goal or from where somebody else left off.
        begun: where that was.
        seed: of the writer's random numbers.
        text: that has been accepted.
        pieces: its moves with their texts, those alone that were added here.
        states: after each of these.
        calls: how often the writer was asked.
        tokens: that it wrote.
        gained: how many moves the last completion added.
    """

    goal: Goal
    state: State
    seed: int
    text: str = ""
    begun: State = field(init=False)
    pieces: list[Piece] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    gained: int = 0

    def __post_init__(self) -> None:
        self.begun = self.state

    @property
    def script(self) -> Script:
        """The moves that were added."""
        return tuple(piece.move for piece in self.pieces)

    @property
    def is_proved(self) -> bool:
        """Whether nothing is left."""
        return not self.state

    @property
    def is_stuck(self) -> bool:
        """Whether no move applies."""
        return bool(self.state) and not legal_moves(self.state[0])

    def draft(self, style: Style, writing: Writing) -> Draft:
        """Return what the writer is to go on with."""
        begun = style.resumed(self.text, shown(self.state, style)) if self.text or self.calls else ""
        seed = SplitMix64.seeded(self.seed).state + int.from_bytes(self.goal.digest[:8]) + self.calls
        return Draft(self.goal, begun, self.state, seed, writing.tokens - self.tokens)

    def take(self, draft: Draft, completion: Completion, style: Style) -> None:
        """Add the moves of a completion up to the first that does not apply."""
        self.calls, self.tokens, self.gained = self.calls + 1, self.tokens + completion.tokens, 0
        whole, begun, place = draft.text + completion.text, len(self.text), len(draft.text)
        for piece in pieces(whole, style, place):
            if self.is_proved:
                break
            after = attempt(self.state, piece.move)
            if after is None:
                break
            place += len(piece.text)
            self.pieces.append(piece._replace(text=whole[begun:place]))
            self.states.append(after)
            self.state, self.gained, begun = after, self.gained + 1, place
        self.text = whole[:begun]

    def goes_on(self, writing: Writing) -> bool:
        """Return True if the writer is to be asked once more; not for the same likeliest text again."""
        is_over = self.is_proved or self.is_stuck or self.calls > writing.resumes or self.tokens >= writing.tokens
        return not is_over and (self.calls < 2 or self.gained > 0 or writing.temperature > 0)


def shown(state: State, style: Style) -> str:
    """Return the text of a comment that shows a state. Raises InputError for formulas too long to write out."""
    return f"tactic state: {show_state(state, style.notation)}"


def written(author: Author, proofs: Iterable[Proof], writing: Writing) -> Generator[Spent, None, None]:
    """Have proofs written to their ends side by side; yield what each round took.

    Within a round, yields that nothing was spent yet wherever the author can be stopped.

    Raises InputError if the author fails, or does not give a Completion for each draft.
    """
    if not isinstance(author.style, Style):
        raise InputError(f"{called(author)} has to have a style of tactics.written.STYLES.")
    running = list(proofs)
    while running:
        drafts = [proof.draft(author.style, writing) for proof in running]
        with foreign(called(author)):
            found = author.completed(drafts, writing)
            completions = list((yield from _stoppable(found)) if isinstance(found, Generator) else found)
        if len(completions) != len(drafts) or not all(map(_is_fit, completions)):
            said = f"a Completion for each of {len(drafts)} proofs, with a text and a number of tokens from 0 on"
            raise InputError(f"{called(author)} has to give {said}, not {printable(repr(completions)[:80])}.")
        moves = tokens = 0
        for proof, draft, completion in zip(running, drafts, completions, strict=True):
            proof.take(draft, completion, author.style)
            moves += proof.gained + (not proof.is_proved)
            tokens += completion.tokens
        yield Spent(moves, len(drafts), tokens)
        running = [proof for proof in running if proof.goes_on(writing)]


def _stoppable(author: Generator[object, None, list[Completion]]) -> Generator[Spent, None, list[Completion]]:
    """Let an author write, and say that nothing was spent yet wherever it can be stopped."""
    while True:
        try:
            next(author)
        except StopIteration as ended:
            found: list[Completion] = ended.value
            return found
        yield Spent(0, 0, 0)


def _is_fit(completion: Any) -> bool:
    """Return True if what an author gives is a text and the number of its tokens."""
    if not isinstance(completion, Completion):
        return False
    return isinstance(completion.text, str) and type(completion.tokens) is int and completion.tokens >= 0


class Scribe(Wrapping):
    """A policy as an author: it plays on with drawn moves and writes them down, one token each.

    Args:
        policy: plays.
    """

    style: Style = STYLES["coq"]

    def completed(self, drafts: Sequence[Draft], writing: Writing) -> Generator[None, None, list[Completion]]:
        """Play on from each draft until it is proved, stuck, or out of tokens; can be stopped after a move of each."""
        players = [Player(draft.state, SplitMix64(draft.seed), draft.tokens) for draft in drafts]
        yield from playing(self.policy, players, cut=partial(cut, writing=writing))
        return [Completion(self.style.resumed("", *player.script), len(player.script)) for player in players]


@runtime_checkable
class Wording(Policy, Protocol):
    """A policy that writes each move in words, and lets somebody draw them; nobody keeps it from being illegal."""

    def worded(self, goals: Sequence[Goal], pick: Callable[[int, Floats], int]) -> list[Move | None]:
        """Return for each goal the move that is written; None where that is none.

        Args:
            goals: any number of them.
            pick: chooses the next word for the goal of a number, by the probabilities of all words.
        """
        ...


class Freely(Wrapping):
    """A policy as an author that writes its moves freely: it ends with the first that does not apply.

    For each move it is shown the goal in focus alone, and not what it has written before.

    Args:
        policy: writes.
    """

    style: Style = STYLES["coq"]
    policy: Wording

    def completed(self, drafts: Sequence[Draft], writing: Writing) -> Generator[None, None, list[Completion]]:
        """Write on from each draft until it is proved, out of tokens, or at a fault; can be stopped after a move."""
        texts = [_Text(draft.state, SplitMix64(draft.seed), draft.tokens) for draft in drafts]
        while running := [text for text in texts if text.goes_on]:

            def pick(number: int, shares: Floats, running: Sequence[_Text] = running) -> int:
                word = draw(cut(shares, writing), running[number].rng)
                if word is None:
                    said = "probabilities of words, which are numbers and not all 0"
                    raise InputError(f"{called(self.policy)} has to give {said}; train it again if it is a network.")
                return word

            for text, move in zip(running, self.policy.worded([text.state[0] for text in running], pick), strict=True):
                text.add(move)
            yield
        return [Completion(self.style.resumed("", *text.moves), text.tokens) for text in texts]


@dataclass
class _Text:
    """A text that is written freely, the state that its moves lead to, and how many tokens are left."""

    state: State
    rng: SplitMix64
    left: int
    tokens: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def goes_on(self) -> bool:
        return bool(self.state) and self.left > 0

    def add(self, move: Move | None) -> None:
        """Add a move, which is the last one if it does not apply; None for what is none."""
        words = 1 if move is None or move.hypothesis is None else 2
        if words > self.left:  # it is cut at its first word
            move, words = None, self.left
        self.tokens, self.left = self.tokens + words, self.left - words
        after = None if move is None else attempt(self.state, move)
        self.moves += [] if move is None else [move]
        self.state, self.left = (self.state, 0) if after is None else (after, self.left)


def author_of(policy: Policy | Author) -> Author:
    """Return the author of a policy: itself if it writes whole proofs, or what it writes freely, or a `Scribe`."""
    if isinstance(policy, Written):
        return policy.author
    if isinstance(policy, Author):
        return policy
    return Freely(policy) if isinstance(policy, Wording) else Scribe(policy)


class Written(Wrapping):
    """A policy that is to write whole proofs wherever it plays from a state on (`oasis.search.rollouts.writers`).

    Args:
        policy: writes or plays; its probabilities and values are this policy's as well.
        writing: how it writes.
    """

    def __init__(self, policy: Policy, writing: Writing | None = None) -> None:
        super().__init__(policy)
        self.author, self.writing = author_of(policy), writing or Writing()

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Return the policy's probabilities."""
        return self.policy.probabilities(states)

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Return the policy's values."""
        return self.policy.values(goals)
