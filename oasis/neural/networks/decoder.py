"""The decoder: a language model that reads a goal as a sentence and goes on with a move, word after word.

A transformer whose tokens see those before them (`oasis.neural.networks.reading`), over goals in Polish notation
(`oasis.neural.encoding.sentences`). Words are written with the vectors they are read with (Press and Wolf 2017).

The policy is what it writes: the probability of a move is that of its words, among all words that there are. Masked to
the legal moves, these probabilities are divided by their sum; free, it writes its likeliest word and then the next, and
nobody keeps them from being something else than a legal move. Whether a goal is provable is read off where it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from oasis.neural.encoding.batch import chunked
from oasis.neural.encoding.form import Form
from oasis.neural.encoding.moves import Formulas
from oasis.neural.encoding.pages import page
from oasis.neural.encoding.sentences import NOTHING, TOKENS, Sentence, Spelled, sentence, spelled
from oasis.neural.networks.network import Attention, Judgement, Pick, Written, likeliest
from oasis.neural.networks.reading import Causal, Reader
from oasis.neural.networks.transformer import Layer, Shape, Turns, head, turned
from tactics.formula import Formula

_BASE: Final = 10_000.0
"""Of the wave lengths of rotary positions, as in the paper."""
_TOGETHER: Final = 4096
"""Tokens in one forward pass of writing, padding included."""


class Writer(Reader):
    """A network that writes moves, whatever its layers are; see the module.

    Attributes:
        SHUFFLED: whether atoms and hypotheses have labels in an order that depends on the goal.
    """

    SHUFFLED: ClassVar[bool] = True

    @property
    def form(self) -> Form:
        """Puts goals in sentences."""
        return partial(sentence, shuffled=self.SHUFFLED)

    def judged(self, goals: Sequence[Sentence]) -> Judgement:
        """What it says of goals and their moves."""
        device = self.words.weight.device
        judgement: Judgement = self(*(torch.from_numpy(array).to(device) for array in page(goals)))
        return judgement

    def written(
        self, goals: Sequence[Formulas], *, tactics: bool = False, pick: Pick = likeliest
    ) -> list[Written | None]:
        """The move that it writes on each goal: a word, and if that goes on, the one then.

        Args:
            goals: any number of them.
            tactics: whether the first word has to be a rule, and the second the slot of a hypothesis.
            pick: chooses each word.
        """
        spellings = [spelled(formulas, shuffled=self.SHUFFLED) for formulas in goals]
        found: list[Written | None] = [None] * len(goals)
        for places in chunked(np.array([len(each.tokens) for each in spellings]), _TOGETHER) if goals else ():
            asked = {place: spellings[place] for place in places.tolist()}
            for (place, spelling), words in zip(asked.items(), self._picked(asked, tactics, pick), strict=True):
                found[place] = spelling.move(*words)
        return found

    @torch.inference_mode()
    def _picked(self, spellings: Mapping[int, Spelled], tactics: bool, pick: Pick) -> list[tuple[int, int]]:
        """Two words for each goal, each chosen of all words that may stand there, or of those of tactics."""
        tokens, lengths = (
            torch.from_numpy(array).to(self.words.weight.device)
            for array in page([each.asking(()) for each in spellings.values()])[:2]
        )

        def chosen(vectors: Tensor, number: int) -> list[int]:
            shares = self.log_probabilities(vectors).double().exp().cpu().numpy()
            if tactics:
                for row, spelling in zip(shares, spellings.values(), strict=True):
                    row[np.delete(np.arange(TOKENS), spelling.words[number])] = 0
            return [pick(place, row) for place, row in zip(spellings, shares, strict=True)]

        vectors, kept = self.read(tokens)
        first = chosen(_last(vectors, lengths), 0)
        after = self.write(torch.tensor(first, device=tokens.device)[:, None], lengths, kept)
        return [*zip(first, chosen(after[:, 0], 1), strict=True)]

    def attended(self, formulas: Formulas, principal: Formula) -> Attention | None:
        """What the question at the end of the sentence attends to, whatever move is written then."""
        spelling = spelled(formulas, shuffled=self.SHUFFLED)
        signs = spelling.signs(formulas[0])
        if not signs:
            return None
        weights = self.attention(spelling.tokens).mean(1).double().cpu().numpy()
        nodes = tuple(dict.fromkeys(sign for sign in signs if sign is not None))
        of_node = [[place for place, sign in enumerate(signs) if sign is node] for node in nodes]
        return Attention(nodes, np.stack([weights[:, places].sum(1) for places in of_node], 1), is_last_word=True)

    @torch.inference_mode()
    def attention(self, tokens: NDArray[np.uint8]) -> Tensor:
        """How much the last token of a sentence attends to each; shape (layers, heads, tokens), rows sum to 1."""
        device = self.words.weight.device
        vectors = self.words(torch.from_numpy(tokens.astype(np.int64)).to(device)[None])
        turns, found = self.turns(torch.arange(len(tokens), device=device)[None]), []
        for layer in self.layers:
            assert isinstance(layer, Causal)
            query, key, _ = layer.asked(vectors)
            scores = turned(query, turns)[:, :, -1:] @ turned(key, turns).transpose(-1, -2)
            found.append(torch.softmax(scores / query.shape[-1] ** 0.5, -1)[0, :, 0])
            vectors, _ = layer(vectors, turns)
        return torch.stack(found)

    def forward(self, tokens: Tensor, lengths: Tensor, stems: Tensor, moves: Tensor) -> Judgement:
        """The judgement of a page (`oasis.neural.encoding.pages.Page`)."""
        vectors, kept = self.read(tokens)
        ends = _last(vectors, lengths)
        goal, first, second, stem = moves.unbind(1)
        scores = self.log_probabilities(ends)[goal, first]
        if stems.shape[1]:
            after = self.log_probabilities(self.write(stems, lengths, kept))
            scores = scores + torch.where(second == NOTHING, 0.0, after[goal, stem, second])
        return Judgement(scores, self.goal_head(ends).squeeze(-1), is_written=True)

    def log_probabilities(self, vectors: Tensor) -> Tensor:
        """Of each word that it comes next; shape (…, words)."""
        return torch.log_softmax(functional.linear(vectors, self.words.weight), -1)


class Decoder(Writer):
    """The decoder that is trained from nothing.

    Half of the heads know places, by rotary positions (Su et al. 2021, arXiv 2104.09864), the others none but what
    comes before what: the former learn faster, the latter go further beyond the lengths that were trained (Kazemnejad
    et al. 2023, arXiv 2305.19466; in layers by turns Yang et al. 2025, arXiv 2501.18795).

    Raises ValueError for a shape whose heads have an odd width, which cannot be turned.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        if shape.width // shape.heads % 2:
            raise ValueError(f"a head is {shape.width // shape.heads} wide, and rotary positions need an even number")
        self.words = nn.Embedding(TOKENS, shape.width)
        nn.init.normal_(self.words.weight, std=shape.width**-0.5)
        self.layers = nn.ModuleList([_Layer(shape) for _ in range(shape.layers)])
        self.norm = nn.LayerNorm(shape.width)
        self.goal_head = head(shape.width, shape.width)

    def turns(self, places: Tensor) -> Turns:
        """How queries and keys are turned at some places, of shape (goals, places)."""
        heads, pairs = self.shape.heads, self.shape.width // self.shape.heads // 2
        numbers = torch.arange(pairs, device=places.device, dtype=self.words.weight.dtype)
        speeds = (_BASE ** (-numbers / pairs)).expand(heads, 1, -1).clone()
        speeds[(heads + 1) // 2 :] = 0  # these heads know no places
        angles = places[:, None, :, None] * speeds
        return angles.cos(), angles.sin()


class _Layer(Layer, Causal):
    """A layer with torch's own attention."""


def _last(vectors: Tensor, lengths: Tensor) -> Tensor:
    """The vector at the end of each sentence; shape (goals, width)."""
    return vectors[torch.arange(len(vectors), device=vectors.device), lengths - 1]
