"""The tree-relational network: a transformer over the nodes of a goal that knows how any two of them are related.

Its attention runs both ways and over all nodes. There are no positions: what a node is to another one (its left side,
around it, elsewhere in the same hypothesis …) adds to the attention between them, by a number for each head and layer
(biases by relation, after Shaw et al. 2018 and T5, Raffel et al. 2020). Equal subformulas are one node, so nothing has
to find out that they are equal. So a goal that is renamed or put in another order is judged as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from oasis.neural.encoding.batch import RELATIONS, batched
from oasis.neural.encoding.nodes import RULE_NUMBERS, TOKENS, Encoded, encoded
from oasis.neural.networks.network import Judgement

MASKED: Final = -1e9
"""What is added to the attention to a node that is not there; -inf would make NaN where none is."""


@dataclass(frozen=True)
class RelationalShape:
    """How large a network is.

    Attributes:
        width: of each node's vector, a multiple of `heads`, 1 to 8,192.
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


class Relational(nn.Module):
    """The network; see the module. Made with random weights, from torch's generator."""

    form = staticmethod(encoded)

    def __init__(self, shape: RelationalShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.tokens = nn.Embedding(TOKENS, width)
        self.relations = nn.Embedding(RELATIONS, shape.layers * shape.heads)
        self.layers = nn.ModuleList([_Layer(shape) for _ in range(shape.layers)])
        self.norm = nn.LayerNorm(width)
        self.rules = nn.Embedding(len(RULE_NUMBERS), width)
        self.move_head = _head(6 * width, width)
        self.goal_head = _head(2 * width, width)
        for embedding in (self.tokens, self.relations, self.rules):
            nn.init.normal_(embedding.weight, std=0.5)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        """The network that `to_json` tells of. Raises TypeError or ValueError for other content."""
        return cls(RelationalShape(**content))

    def to_json(self) -> dict[str, Any]:
        """Its shape."""
        return asdict(self.shape)

    @property
    def module(self) -> nn.Module:
        """Itself."""
        return self

    def judged(self, goals: Sequence[Encoded]) -> Judgement:
        """What it says of goals and their moves."""
        device = self.tokens.weight.device
        judgement: Judgement = self(*(torch.from_numpy(array).to(device) for array in batched(goals)))
        return judgement

    def forward(
        self, tokens: Tensor, sides: Tensor, relations: Tensor, there: Tensor, conclusions: Tensor, moves: Tensor
    ) -> Judgement:
        """The judgement of a batch (`oasis.neural.encoding.batch.Batch`)."""
        goals, nodes = tokens.shape
        bias = self.relations(relations).view(goals, nodes, nodes, len(self.layers), self.shape.heads)
        bias = bias.permute(3, 0, 4, 1, 2).masked_fill(~there[:, None, None, :], MASKED)
        vectors = self.tokens(tokens)
        for layer, bias_of_layer in zip(self.layers, bias, strict=True):
            vectors = layer(vectors, bias_of_layer)
        vectors = self.norm(vectors)
        mean = (vectors * there[:, :, None]).sum(1) / there.sum(1, keepdim=True).clamp(min=1)
        goal = torch.cat([mean, vectors[torch.arange(goals, device=tokens.device), conclusions]], -1)
        asked, principal, rule = moves.unbind(1)
        left, right = sides[asked, principal].unbind(-1)
        parts = [vectors[asked, place] for place in (principal, left, right)]
        scores = self.move_head(torch.cat([*parts, self.rules(rule), goal[asked]], -1))
        return Judgement(scores.squeeze(-1), self.goal_head(goal).squeeze(-1))


class _Layer(nn.Module):
    """Attention with a bias, and a hidden layer, each added to what goes in."""

    def __init__(self, shape: RelationalShape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.attention_norm, self.hidden_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention_in, self.attention_out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.hidden_in, self.hidden_out = nn.Linear(width, shape.hidden * width), nn.Linear(shape.hidden * width, width)
        for added in (self.attention_out, self.hidden_out):
            nn.init.normal_(added.weight, std=0.02)

    def forward(self, vectors: Tensor, bias: Tensor) -> Tensor:
        """The vectors of a layer; shape (goals, nodes, width); the bias has shape (goals, heads, nodes, nodes)."""
        goals, nodes, width = vectors.shape
        parts = self.attention_in(self.attention_norm(vectors)).view(goals, nodes, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        attention = torch.softmax(query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + bias, -1)
        seen = (attention @ value).transpose(1, 2).reshape(goals, nodes, width)
        vectors = vectors + self.attention_out(seen)
        hidden = functional.relu(self.hidden_in(self.hidden_norm(vectors)))
        added: Tensor = self.hidden_out(hidden)
        return vectors + added


def _head(inputs: int, hidden: int) -> nn.Module:
    """One number from a vector."""
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))
