"""What transformers have in common: how large one is, and what a layer does around its attention."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

Turns = tuple[Tensor, Tensor]
"""The cosine and the sine of an angle for each two numbers of a query or key; shape (…, tokens, pairs)."""


@dataclass(frozen=True)
class Shape:
    """How large a network is.

    Attributes:
        width: of each token's vector, a multiple of `heads`, 1 to 8,192.
        layers: 1 to 128.
        heads: of the attention in each layer.
        hidden: width of the layers' hidden vectors, in multiples of `width`.

    Raises ValueError for other numbers.
    """

    width: int
    layers: int
    heads: int
    hidden: int = 4

    def __post_init__(self) -> None:
        numbers = (self.width, self.layers, self.heads, self.hidden)
        if not all(type(number) is int and number >= 1 for number in numbers):
            raise ValueError(f"a network is made of whole numbers from 1 on, not {numbers}")
        if self.width > 8192 or self.layers > 128 or self.hidden > 64 or self.width % self.heads:
            raise ValueError(f"there is no network of width, layers, heads, hidden = {numbers}")


class Transformer(nn.Module):
    """A network that is made of its shape, with random weights from torch's generator."""

    SHAPE: ClassVar[type[Shape]] = Shape

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        """The network that `to_json` tells of. Raises TypeError or ValueError for other content."""
        return cls(cls.SHAPE(**content))

    def to_json(self) -> dict[str, Any]:
        """Its shape."""
        return asdict(self.shape)

    @property
    def module(self) -> nn.Module:
        """Itself."""
        return self


class Layer(nn.Module):
    """Attention and a hidden layer, each added to what goes in, after a norm of it (Xiong et al. 2020)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.attention_norm, self.hidden_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention_in, self.attention_out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.hidden_in, self.hidden_out = nn.Linear(width, shape.hidden * width), nn.Linear(shape.hidden * width, width)
        for added in (self.attention_out, self.hidden_out):
            nn.init.normal_(added.weight, std=0.02)

    def asked(self, vectors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of vectors of shape (goals, tokens, width); each (goals, heads, tokens, …)."""
        goals, tokens, _ = vectors.shape
        parts = self.attention_in(self.attention_norm(vectors)).view(goals, tokens, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        return query, key, value

    def added(self, vectors: Tensor, seen: Tensor) -> Tensor:
        """The vectors after the layer, given what the heads have seen; shape (goals, heads, tokens, …)."""
        vectors = vectors + self.attention_out(seen.transpose(1, 2).reshape(vectors.shape))
        hidden = functional.relu(self.hidden_in(self.hidden_norm(vectors)))
        out: Tensor = self.hidden_out(hidden)
        return vectors + out


def head(inputs: int, hidden: int) -> nn.Module:
    """One number from a vector."""
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))


def turned(vectors: Tensor, turns: Turns) -> Tensor:
    """Return queries or keys with each pair of numbers turned by its angle: rotary positions (Su et al. 2021)."""
    one, other = vectors.chunk(2, -1)
    cos, sin = turns
    return torch.cat([one * cos - other * sin, one * sin + other * cos], -1)
