"""Proving as a Gymnasium environment, for agents that come from elsewhere: `oasis/Dyckhoff-v0`.

Importing this room registers it. Gymnasium 1 looks for no plugins, so the import has to be written, or named in the id:

    env = gymnasium.make("oasis.gym:oasis/Dyckhoff-v0", lemma="SYJ203.3")

The specification is the docstring of `DyckhoffEnv`. The project's own learners do not come through here: they work on
the calculus directly and are far faster.
"""

from __future__ import annotations

from tactics.errors import install_command

try:
    from gymnasium import register
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ModuleNotFoundError(
        f"oasis.gym needs Gymnasium, which is not installed: {install_command('gym')}", name="gymnasium"
    ) from None

from oasis.gym.environment import AgentPolicy, DyckhoffEnv

__all__ = ["AgentPolicy", "DyckhoffEnv"]

register("oasis/Dyckhoff-v0", entry_point="oasis.gym.environment:DyckhoffEnv")
