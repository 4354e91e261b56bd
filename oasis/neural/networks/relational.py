"""The tree-relational network: a transformer over the nodes of a goal that knows how any two of them are related.

Its attention runs both ways and over all nodes. There are no positions: what a node is to another one (its left side,
around it, elsewhere in the same hypothesis …) adds to the attention between them, by a number for each head and layer
(biases by relation, after Shaw et al. 2018 and T5, Raffel et al. 2020). Equal subformulas are one node, so nothing has
to find out that they are equal. So a goal that is renamed or put in another order is judged as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn

from oasis.neural.encoding.batch import RELATIONS, batched
from oasis.neural.encoding.moves import Formulas, options
from oasis.neural.encoding.nodes import RULE_NUMBERS, TOKENS, Encoded, encoded, nodes_of
from oasis.neural.networks.network import Attention, Judgement
from oasis.neural.networks.transformer import Layer, Shape, Transformer, head
from tactics.formula import Formula

MASKED: Final = -1e9
"""What is added to the attention to a node that is not there; -inf would make NaN where none is."""


class Reader(Transformer):
    """The part of the network that reads a goal: it makes a vector of each node."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.tokens = nn.Embedding(TOKENS, shape.width)
        self.relations = nn.Embedding(RELATIONS, shape.layers * shape.heads)
        self.layers = nn.ModuleList([_Layer(shape) for _ in range(shape.layers)])
        self.norm = nn.LayerNorm(shape.width)

    def fill(self) -> None:
        """Give the embeddings their first random numbers."""
        for embedding in self.children():
            if isinstance(embedding, nn.Embedding):
                nn.init.normal_(embedding.weight, std=0.5)

    def read(self, tokens: Tensor, relations: Tensor, there: Tensor, conclusions: Tensor) -> tuple[Tensor, Tensor]:
        """The vectors of the nodes of goals, and one of each goal: the mean of its nodes, and its conclusion's.

        Gives two arrays, of shape (goals, nodes, width) and (goals, 2 * width), for those of a batch
        (`oasis.neural.encoding.batch.Batch`).
        """
        goals, nodes = tokens.shape
        bias = self.relations(relations).view(goals, nodes, nodes, len(self.layers), self.shape.heads)
        bias = bias.permute(3, 0, 4, 1, 2).masked_fill(~there[:, None, None, :], MASKED)
        vectors = self.tokens(tokens)
        for layer, bias_of_layer in zip(self.layers, bias, strict=True):
            vectors = layer(vectors, bias_of_layer)
        vectors = self.norm(vectors)
        mean = (vectors * there[:, :, None]).sum(1) / there.sum(1, keepdim=True).clamp(min=1)
        return vectors, torch.cat([mean, vectors[torch.arange(goals, device=tokens.device), conclusions]], -1)


class Relational(Reader):
    """The network; see the module."""

    form = staticmethod(encoded)

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        width = shape.width
        self.rules = nn.Embedding(len(RULE_NUMBERS), width)
        self.move_head = head(6 * width, width)
        self.goal_head = head(2 * width, width)
        self.fill()

    def judged(self, goals: Sequence[Encoded]) -> Judgement:
        """What it says of goals and their moves."""
        device = self.tokens.weight.device
        judgement: Judgement = self(*(torch.from_numpy(array).to(device) for array in batched(goals)))
        return judgement

    def attended(self, formulas: Formulas, principal: Formula) -> Attention:
        """What a formula of a goal attends to."""
        nodes = nodes_of(formulas)
        weights = self.attention(encoded(formulas, options(formulas)[:1])).mean(1)[:, nodes.index(principal)]
        return Attention(nodes, weights.double().cpu().numpy())

    def attention(self, goal: Encoded) -> Tensor:
        """How much each node of a goal attends to each one; shape (layers, heads, nodes, nodes), rows sum to 1."""
        seen: list[Tensor] = []
        weights = [module for module in self.layers.modules() if isinstance(module, nn.Softmax)]
        hooks = [each.register_forward_hook(lambda _, __, given: seen.append(given[0])) for each in weights]
        try:
            with torch.inference_mode():
                self.judged([goal])
        finally:
            for hook in hooks:
                hook.remove()
        return torch.stack(seen)

    def forward(
        self, tokens: Tensor, sides: Tensor, relations: Tensor, there: Tensor, conclusions: Tensor, moves: Tensor
    ) -> Judgement:
        """The judgement of a batch (`oasis.neural.encoding.batch.Batch`)."""
        vectors, goal = self.read(tokens, relations, there, conclusions)
        asked, principal, rule = moves.unbind(1)
        left, right = sides[asked, principal].unbind(-1)
        parts = [vectors[asked, place] for place in (principal, left, right)]
        scores = self.move_head(torch.cat([*parts, self.rules(rule), goal[asked]], -1))
        return Judgement(scores.squeeze(-1), self.goal_head(goal).squeeze(-1))


class _Layer(Layer):
    """A layer whose attention has a bias."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.weights = nn.Softmax(-1)  # a module, so that somebody can look at what it gives

    def forward(self, vectors: Tensor, bias: Tensor) -> Tensor:
        """The vectors after the layer; shape (goals, nodes, width); the bias has shape (goals, heads, nodes, nodes)."""
        query, key, value = self.asked(vectors)
        attention: Tensor = self.weights(query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5 + bias)
        return self.added(vectors, attention @ value)
