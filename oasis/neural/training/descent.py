"""Descent: the optimizer of a network's weights, and what a checkpoint keeps of it so that it goes on as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from oasis.neural.networks.network import Network

BETAS: Final = (0.9, 0.98)
_KEPT: Final = ("step", "exp_avg", "exp_avg_sq")
"""What AdamW knows of a parameter."""


class Descent:
    """AdamW on the parameters of a network (Loshchilov and Hutter 2019).

    Args:
        network: is trained.
        weight_decay: of its weights.
        largest_gradient: the norm to which a larger gradient is cut.
    """

    def __init__(self, network: Network, weight_decay: float = 0.0, largest_gradient: float = 1.0) -> None:
        self._network, self._largest_gradient = network, largest_gradient
        self.parameters = list(network.module.parameters())
        self._optimizer = torch.optim.AdamW(self.parameters, lr=0.0, betas=BETAS, weight_decay=weight_decay)

    def begin(self) -> None:
        """Forget the gradient of the last step."""
        self._optimizer.zero_grad()

    def step(self, rate: float) -> bool:
        """Make a step of a length down the gradient; gives False, and makes none, if that is no number."""
        if not torch.nn.utils.clip_grad_norm_(self.parameters, self._largest_gradient).isfinite():
            return False
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        return True

    def move_to(self, device: torch.device) -> None:
        """Train on a device from now on, to which the network was moved."""
        for state in self._optimizer.state.values():
            state |= {name: tensor.to(device) for name, tensor in state.items() if name != _KEPT[0]}

    def kept(self, whose: str = "") -> dict[str, Tensor]:
        """What is needed of each parameter to go on, by its name and what it is."""
        return {
            f"{name}.{whose}{kept}": self._optimizer.state[parameter][kept]
            for name, parameter in self._network.module.named_parameters()
            if parameter in self._optimizer.state
            for kept in _KEPT
        }

    def restore(self, tensors: Mapping[str, Tensor], whose: str = "") -> None:
        """Go on from what `kept` gave, among other tensors."""
        for name, parameter in self._network.module.named_parameters():
            if f"{name}.{whose}{_KEPT[0]}" in tensors:  # nothing is kept of what nothing was learned about
                state = {kept: tensors[f"{name}.{whose}{kept}"].clone() for kept in _KEPT}
                self._optimizer.state[parameter] = state
