"""Transformers that read from left to right, each token seeing those before it (GPT, Radford et al. 2018).

What their layers make of a text, their keys and values, is computed once and kept; words that may come next are added
to it, each seeing the text and itself. So a text with many continuations is read once, in training as in writing, by
the same code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from oasis.neural.networks.transformer import Transformer, Turns, turned


class KeysValues(NamedTuple):
    """What a layer keeps of texts: their keys and values; each of shape (texts, heads, tokens, …)."""

    keys: Tensor
    values: Tensor


class Causal(nn.Module):
    """A layer that reads from left to right, and keeps what words that come next have to see."""

    def asked(self, vectors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values of vectors; each (texts, heads, tokens, …)."""
        raise NotImplementedError

    def added(self, vectors: Tensor, seen: Tensor) -> Tensor:
        """Return the vectors after the layer, given what the heads have seen; shape (texts, heads, tokens, …)."""
        raise NotImplementedError

    def forward(
        self, vectors: Tensor, turns: Turns, kept: KeysValues | None = None, seen: Tensor | None = None
    ) -> tuple[Tensor, KeysValues]:
        """Return the vectors after the layer, and the keys and values of all that stands there.

        Args:
            vectors: of tokens; shape (texts, tokens, width).
            turns: by which queries and keys are turned.
            kept: of what stands before; None for nothing.
            seen: what each of the tokens sees of what was kept and then of all of them; None for those up to itself.
        """
        query, key, value = self.asked(vectors)
        query, there = turned(query, turns), KeysValues(turned(key, turns), value)
        if kept is not None:
            there = KeysValues(*(torch.cat(both, 2) for both in zip(kept, there, strict=True)))
        attention = functional.scaled_dot_product_attention(query, *there, attn_mask=seen, is_causal=seen is None)
        return self.added(vectors, attention), there


class Reader(Transformer):
    """A network of such layers.

    Attributes:
        words: the vector of each token.
        layers: of the kind `Causal`.
        norm: after the last one.
        goal_head: reads off a vector, in one number, whether a goal is provable.
    """

    words: nn.Embedding
    layers: nn.ModuleList
    norm: nn.Module
    goal_head: nn.Module

    def turns(self, places: Tensor) -> Turns:
        """Return how queries and keys are turned at some places, of shape (texts or 1, places), in each head or all."""
        raise NotImplementedError

    def read(self, tokens: Tensor) -> tuple[Tensor, list[KeysValues]]:
        """Return the vectors of texts, shape (texts, tokens, width), and what each layer keeps of them."""
        vectors, kept = self.words(tokens), []
        turns = self.turns(torch.arange(tokens.shape[1], device=tokens.device)[None])
        for layer in self.layers:
            vectors, of_layer = layer(vectors, turns)
            kept.append(of_layer)
        return self.norm(vectors), kept

    def write(self, words: Tensor, lengths: Tensor, kept: Sequence[KeysValues]) -> Tensor:
        """Return the vectors of words each of which comes next after a text that was read.

        Args:
            words: any number for each text; they do not see each other; shape (texts, words).
            lengths: of the texts; what was kept of their padding is not seen; shape (texts,).
            kept: of the texts, by each layer.

        Returns:
            of shape (texts, words, width).
        """
        texts, number = words.shape
        within = torch.arange(kept[0].keys.shape[2], device=words.device) < lengths[:, None]
        itself = torch.eye(number, dtype=torch.bool, device=words.device)
        seen = torch.cat([within[:, None].expand(-1, number, -1), itself.expand(texts, -1, -1)], -1)[:, None]
        vectors, turns = self.words(words), self.turns(lengths[:, None].expand(-1, number))
        for layer, of_layer in zip(self.layers, kept, strict=True):
            vectors, _ = layer(vectors, turns, of_layer, seen)
        written: Tensor = self.norm(vectors)
        return written
