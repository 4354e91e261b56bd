"""The XML protocol of `coqidetop`: one process, one call at a time, answers as text. Knows no logic and no lemma.

A sentence that is added is only parsed; it is executed when the status or the goals are asked for. A state that failed
stays the tip of the document until `edit_at` goes back to a good one.
"""

from __future__ import annotations

import os
import subprocess
import weakref
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, TypeVar, cast
from xml.etree.ElementTree import Element, ParseError, XMLPullParser
from xml.sax.saxutils import escape

from oasis.backends.processes import MEMORY, Exceeded, Pipes, kill, start

T = TypeVar("T")

FLAGS: Final = ("-main-channel", "stdfds", "-q", "-async-proofs", "off", "-w", "none", "--xml_format=Ppcmds")
"""Options that turn off asynchronous proofs, which admit failing tactics, and print trees, which are not cut short."""

# A larger young generation is collected less often, and keeps the process small.
_ENVIRONMENT: Final = {"OCAMLRUNPARAM": "s=1M"}
_LARGEST_ANSWER: Final = 1 << 28
_NONSENSE: Final = "it answered something that is not its protocol"
_BREAKDOWNS: Final = ("Anomaly", "Stack overflow", "Out of memory")


class CoqRefused(Exception):
    """Coq answered that a call failed; the text is Coq's, on one line."""


class CoqLost(Exception):
    """The process ended, or broke the protocol and was killed."""


class CoqOverrun(Exception):
    """The process took more time or memory than it may, and was killed."""


class PrintedGoal(NamedTuple):
    """A goal as Coq prints it: hypotheses such as `H, H0 : A`, and the conclusion."""

    hypotheses: tuple[str, ...]
    conclusion: str


class PrintedGoals(NamedTuple):
    """The focused goals, and how many others there are: unfocused, shelved or given up."""

    focused: tuple[PrintedGoal, ...]
    others: int


class Document(NamedTuple):
    """Sentences, and a query about the state after them."""

    sentences: tuple[str, ...]
    query: str


class _Answer(NamedTuple):
    value: Element
    feedback: list[Element]


class CoqProcess:
    """A running `coqidetop`, from its start until `close` or until it fails.

    Attributes:
        tip: the state that the next sentence is added to.
        pid: of the process, which leads a process group of its own.
    """

    def __init__(self, command: Sequence[str], folder: Path, timeout: float, memory: int = MEMORY) -> None:
        """Start it in a folder and wait for its first answer. Raises CoqLost and CoqOverrun, as every call does."""
        try:
            self._process = start(
                [*command, *FLAGS],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name != "COQPATH"} | _ENVIRONMENT,
            )
        except OSError as error:
            raise CoqLost(f"it cannot be started: {error.strerror}") from None
        self._end = weakref.finalize(self, kill, self._process)
        self._pipes = Pipes(self._process, timeout, memory)
        self._parser: XMLPullParser[Element] = XMLPullParser(["start", "end"])
        self._parser.feed('<!DOCTYPE answers [<!ENTITY nbsp " ">]><answers>')
        ((_, self._answers),) = self._events()
        self._depth = 1
        self._feedback: list[Element] = []
        self.tip = self._newest = self._read(self._calls([_INIT])[0], _last_state)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether calls can still be made."""
        return self._end.alive

    def close(self) -> None:
        """Kill the process and whatever it started; may be called again."""
        self._end()

    def add(self, sentence: str) -> None:
        """Add one sentence to the document. Raises CoqRefused, and leaves the tip, if it cannot be read."""
        self._added(self._calls([_add(sentence, self.tip)])[0])

    def step(self, sentence: str) -> PrintedGoals | None:
        """Add a sentence, execute it and print the goals; None outside of a proof. Raises CoqRefused."""
        added, shown = self._calls([_add(sentence, self.tip), _GOAL])
        self._added(added)
        return self._read(shown, _printed_goals)

    def edit_at(self, state: int) -> None:
        """Go back to a state; what came after it is forgotten."""
        self._read(self._calls([_edit_at(state)])[0], _nothing)
        self.tip = state

    def execute(self) -> None:
        """Execute everything up to the tip. Raises CoqRefused if a sentence fails."""
        self._read(self._calls([_STATUS])[0], _nothing)

    def goals(self) -> PrintedGoals | None:
        """Execute everything up to the tip and print the goals; None outside of a proof. Raises CoqRefused."""
        return self._read(self._calls([_GOAL])[0], _printed_goals)

    def query(self, sentence: str) -> list[str]:
        """What a sentence prints at the tip, without adding it. Raises CoqRefused."""
        return self._read(self._calls([_query(sentence, self.tip)])[0], _messages)

    def try_all(self, documents: Sequence[Document]) -> list[list[str] | None]:
        """What each document's query prints, every one added to the tip by itself and taken back; None if refused.

        All is sent before the first answer is read, with the numbers that the states are going to get. Should one get
        another number, what builds on it is refused too. Raises CoqLost and CoqOverrun alone.
        """
        requests: list[str] = []
        numbers: list[list[int]] = []
        newest = self._newest
        for document in documents:
            states = list(range(newest + 1, newest + 1 + len(document.sentences)))
            numbers.append(states)
            newest += len(states)
            tips = [self.tip, *states]
            requests += map(_add, document.sentences, tips)
            requests += [_query(document.query, tips[-1]), _edit_at(self.tip)]
        answers = iter(self._calls(requests))
        printed: list[list[str] | None] = []
        for states in numbers:
            *added, asked, back = islice(answers, len(states) + 2)
            try:
                found = [self._read(answer, _last_state, patient=True) for answer in added]
                self._newest = max(self._newest, *found)
                printed.append(self._read(asked, _messages, patient=True) if found == states else None)
            except CoqRefused:
                printed.append(None)
            self._read(back, _nothing)
        return printed

    def _added(self, answer: _Answer) -> None:
        # If the sentence closed what was edited inside, a second state says where the document goes on.
        self.tip = self._read(answer, _last_state)
        self._newest = max(self._newest, self.tip)

    def _read(self, answer: _Answer, how: Callable[[_Answer], T], patient: bool = False) -> T:
        """What an answer says. Raises CoqRefused if that is no, and unless one is patient CoqLost if Coq broke down."""
        kind = answer.value.get("val")
        try:
            if kind == "good":
                return how(answer)
            refusal = plain_text(answer.value)
        except (IndexError, ValueError):
            kind = refusal = None
        if refusal is None or kind != "fail" or (refusal.startswith(_BREAKDOWNS) and not patient):
            self.close()
            raise CoqLost(refusal or _NONSENSE)
        raise CoqRefused(refusal)

    def _calls(self, requests: Sequence[str]) -> list[_Answer]:
        """Make calls one after the other, and wait for all their answers."""
        try:
            return self._exchange("".join(requests).encode(), len(requests))
        except (OSError, ParseError):
            self.close()
            raise CoqLost(_NONSENSE) from None
        except BaseException:
            # Also when a person interrupts: an answer that comes later would be taken for another call's.
            self.close()
            raise

    def _exchange(self, request: bytes, expected: int) -> list[_Answer]:
        if not self.running:
            raise CoqLost("it has ended")
        self._feedback = []
        answers: list[_Answer] = []
        self._pipes.renew()
        self._pipes.send(request)
        received = 0
        while len(answers) < expected:
            try:
                data = self._pipes.receive()
            except Exceeded as exceeded:
                raise CoqOverrun(f"it {exceeded}") from None
            except BrokenPipeError:
                raise CoqLost("it ended unexpectedly") from None
            received += len(data)
            if received > _LARGEST_ANSWER or (self._depth == 1 and not data.lstrip().startswith(b"<")):
                raise CoqLost(_NONSENSE)
            if complete := self._parse(data):
                answers += complete
                received = 0
                self._pipes.renew()
        if len(answers) > expected:
            raise CoqLost(_NONSENSE)
        return answers

    def _events(self) -> Iterator[tuple[str, Element]]:
        return cast("Iterator[tuple[str, Element]]", self._parser.read_events())

    def _parse(self, data: bytes) -> list[_Answer]:
        """The answers that are complete now, each with the feedback that came before it."""
        self._parser.feed(data)
        answers: list[_Answer] = []
        for event, element in self._events():
            self._depth += 1 if event == "start" else -1
            if event == "end" and self._depth == 1:
                # Or the document that all answers are a part of would grow for ever.
                self._answers.remove(element)
                if element.tag == "value":
                    answers.append(_Answer(element, self._feedback))
                    self._feedback = []
                elif element.tag == "feedback":
                    self._feedback.append(element)
                else:
                    raise CoqLost(_NONSENSE)
        return answers


_INIT: Final = '<call val="Init"><option val="none"/></call>'
_GOAL: Final = '<call val="Goal"><unit/></call>'
_STATUS: Final = '<call val="Status"><bool val="true"/></call>'


def _add(sentence: str, tip: int) -> str:
    return (
        f'<call val="Add"><pair><pair><pair><pair><string>{escape(sentence)}</string><int>-1</int></pair>'
        f'<pair><state_id val="{tip}"/><bool val="false"/></pair></pair><int>0</int></pair>'
        "<pair><int>1</int><int>0</int></pair></pair></call>"
    )


def _edit_at(state: int) -> str:
    return f'<call val="Edit_at"><state_id val="{state}"/></call>'


def _query(sentence: str, state: int) -> str:
    body = f'<string>{escape(sentence)}</string><state_id val="{state}"/>'
    return f'<call val="Query"><pair><route_id val="0"/><pair>{body}</pair></pair></call>'


def _nothing(_: _Answer) -> None:
    pass


def _last_state(answer: _Answer) -> int:
    return [int(state.get("val", "")) for state in answer.value.iter("state_id")][-1]


def _messages(answer: _Answer) -> list[str]:
    return [plain_text(found) for part in answer.feedback if (found := part.find(".//message")) is not None]


def _printed_goals(answer: _Answer) -> PrintedGoals | None:
    option = answer.value[0]
    if option.get("val") == "none":
        return None
    focused, unfocused, *hidden = option[0]
    others = sum(len(goals) for pair in unfocused for goals in pair) + sum(map(len, hidden))
    return PrintedGoals(
        tuple(PrintedGoal(tuple(map(plain_text, goal[1])), plain_text(goal[2])) for goal in focused), others
    )


def plain_text(element: Element) -> str:
    """The text of a printed tree, or of all trees in an element, on one line with single spaces."""
    pieces: list[str] = []
    pending = [element] if element.tag == "ppdoc" else list(reversed(element.findall("ppdoc")))
    if not pending:
        return " ".join("".join(element.itertext()).split())
    # Formulas nest deeply, so no recursion.
    while pending:
        document = pending.pop()
        match document.get("val"):
            case "string":
                pieces.append(document[0].text or "")
            case "break":
                pieces.append(" " if document[0][0].text != "0" else "")
            case "newline":
                pieces.append(" ")
            case "glue":
                pending += reversed(document[0])
            case "box" | "tag":
                pending.append(document[0][1])
    return " ".join("".join(pieces).split())
