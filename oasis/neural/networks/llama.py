"""The first layers of a language model: asked what follows from the hypotheses of a goal, or as a writer of moves.

A transformer as Llama is one (Touvron et al. 2023, arXiv 2302.13971): norms without means (RMSNorm), rotary positions,
queries that share keys and values in groups (Ainslie et al. 2023), gated hidden layers. Its weights may be those of a
model that was trained on text (`oasis.neural.networks.pretrained`), of which it has the lower layers and the words that
are used; and all of them are trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from oasis.neural.encoding import entail as questions
from oasis.neural.encoding import sentences
from oasis.neural.encoding.batch import padded
from oasis.neural.encoding.nodes import NONE
from oasis.neural.networks.decoder import Writer
from oasis.neural.networks.network import Judgement
from oasis.neural.networks.reading import Causal, Reader
from oasis.neural.networks.sizes import LANGUAGE, Usual
from oasis.neural.networks.transformer import Shape, Turns

CERTAIN: Final = 100.0
"""The score of a move that cannot lose: no log-odds come near it."""
_STEADY: Final = 0.1
"""What the difference of the rows yes and no is multiplied by at first; more makes the first steps too large."""


@dataclass(frozen=True)
class LlamaShape(Shape):
    """How large it is; raises ValueError for what cannot be.

    Attributes:
        groups: of heads that share keys and values.
        inner: width of the hidden layers' vectors; 0 for `hidden` times the width.
        wavelength: base of the wave lengths of rotary positions.
        epsilon: what norms add to the mean square.
    """

    groups: int = 1
    inner: int = 0
    wavelength: float = 100_000.0
    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (type(self.groups) is int and self.groups >= 1 and self.heads % self.groups == 0):
            raise ValueError(f"{self.heads} heads are not in {self.groups} groups")
        if not (type(self.inner) is int and 0 <= self.inner <= 65_536):
            raise ValueError(f"hidden vectors are not {self.inner} wide")
        if self.width // self.heads % 2:
            raise ValueError(f"a head is {self.width // self.heads} wide, and rotary positions need an even number")
        if not (1 < self.wavelength < 1e9 and 0 < self.epsilon < 1):
            raise ValueError("the base or the epsilon is out of range")


SMOLLM2: Final = {"width": 576, "heads": 9, "groups": 3, "inner": 1536}
"""The shape of SmolLM2-135M but for its 30 layers."""


class Llama(Reader):
    """The layers and the words, with random weights.

    Attributes:
        WORDS: what its tokens stand for; each is one token of a language model.
    """

    SHAPE: ClassVar[type[Shape]] = LlamaShape
    WORDS: ClassVar[Sequence[str]]
    shape: LlamaShape

    def __init__(self, shape: LlamaShape) -> None:
        super().__init__(shape)
        self.words = nn.Embedding(len(self.WORDS), shape.width)
        self.layers = nn.ModuleList([_Layer(shape) for _ in range(shape.layers)])
        self.norm = nn.RMSNorm(shape.width, shape.epsilon)
        self.goal_head = nn.Linear(shape.width, 1, bias=False)
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=0.02)

    @classmethod
    def begun(cls, model: str, layers: int) -> Llama:
        """Return one that begins with the lowest layers of a model (`oasis.neural.networks.pretrained.begun`)."""
        from oasis.neural.networks.pretrained import begun

        return begun(cls, model, layers)

    def fill(self, weights: Mapping[str, Tensor]) -> None:
        """Take weights, by their names here."""
        self.load_state_dict(dict(weights), strict=False)

    def turns(self, places: Tensor) -> Turns:
        """Return how queries and keys are turned at some places, in all heads alike."""
        pairs = self.shape.width // self.shape.heads // 2
        numbers = torch.arange(pairs, device=places.device)
        angles = places[:, None, :, None] * self.shape.wavelength ** (-numbers / pairs)
        return angles.cos(), angles.sin()


class LlamaReader(Llama):
    """A language model that is asked what follows (`oasis.neural.encoding.entail`).

    A move is as good as the log-odds of what it wants, and the value of a goal is those of its conclusion, so one
    number is read at each question mark, first by the difference of the rows of the words yes and no. What is asked
    sees what was asked before it, and the conclusion comes first, so that its value is the same whatever else is asked.
    """

    USUAL: ClassVar[Usual] = LANGUAGE
    WORDS = questions.WORDS
    form = staticmethod(questions.entail)

    def fill(self, weights: Mapping[str, Tensor]) -> None:
        """Take weights, by their names here; the weights that read answers are made from the rows of yes and no."""
        super().fill(weights)
        rows = self.words.weight.detach()
        self.goal_head.load_state_dict({"weight": _STEADY * (rows[questions.YES] - rows[questions.NO])[None]})

    def judged(self, goals: Sequence[questions.Entailment]) -> Judgement:
        """Return what it says of goals, of their moves, and to all questions."""
        tokens, _ = padded([goal.tokens for goal in goals])
        asked = [len(goal.questions) for goal in goals]
        first = np.cumsum(asked) - asked
        moves = [np.where(goal.moves == NONE, NONE, goal.moves + each) for goal, each in zip(goals, first, strict=True)]
        places = np.repeat(np.arange(len(goals)), asked), np.concatenate([goal.questions for goal in goals])
        texts, of_goal, at, first_of, of_move = (
            torch.from_numpy(each.astype(np.int64)).to(self.words.weight.device)
            for each in (tokens, *places, first, np.concatenate(moves))
        )
        vectors, _ = self.read(texts)
        answers = self.goal_head(vectors[of_goal, at]).squeeze(-1).float()
        with_certain = torch.cat([answers, answers.new_full((1,), CERTAIN)])  # the last, at which NONE points
        return Judgement(with_certain[of_move], answers[first_of], answers=answers)


class LlamaWriter(Llama, Writer):
    """A language model that writes moves, all twelve rules by words of its own.

    Letters in the order in which atoms occur are learned faster than shuffled ones, and words that were not met in this
    training were in the one before.
    """

    USUAL: ClassVar[Usual] = LANGUAGE._replace(data={"theorems": 80, "certain": 1.0, "eager": 0.0})
    SHUFFLED: ClassVar[bool] = False
    WORDS = sentences.SPOKEN


class _Layer(Causal):
    """Attention and a gated hidden layer (Shazeer 2020), each added to what goes in, after a norm of it."""

    def __init__(self, shape: LlamaShape) -> None:
        super().__init__()
        width, size = shape.width, shape.width // shape.heads
        inner = shape.inner or shape.hidden * width
        self.size, self.sharing = size, shape.heads // shape.groups
        self.attention_norm, self.hidden_norm = (nn.RMSNorm(width, shape.epsilon) for _ in range(2))
        self.query, self.output = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.key, self.value = (nn.Linear(width, shape.groups * size, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)

    def asked(self, vectors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, the latter two once for each head that shares them."""
        before = self.attention_norm(vectors)
        query, key, value = (
            part(before).unflatten(-1, (-1, self.size)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        return query, key.repeat_interleave(self.sharing, 1), value.repeat_interleave(self.sharing, 1)

    def added(self, vectors: Tensor, seen: Tensor) -> Tensor:
        """Return the vectors after the layer, given what the heads have seen."""
        vectors = vectors + self.output(seen.transpose(1, 2).reshape(vectors.shape))
        before = self.hidden_norm(vectors)
        out: Tensor = vectors + self.down(functional.silu(self.gate(before)) * self.up(before))
        return out
