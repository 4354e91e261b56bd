"""The door for agents that speak Gymnasium: `oasis/Dyckhoff-v0` in numbers, and `oasis/Session-v0` in words.

Importing this room registers them. Gymnasium 1 looks for no plugins, so the import has to be written, or named in the
id:

    env = gymnasium.make("oasis.api.gym:oasis/Dyckhoff-v0", lemma="SYJ203.3")
    envs = gymnasium.make_vec("oasis.api.gym:oasis/Dyckhoff-v0", num_envs=8, lemma=["SYJ203.2", "SYJ203.3"])

Their specifications are the docstrings of `DyckhoffEnv` and `SessionEnv`. The project's own learners do not come
through here: they work on the calculus directly and are far faster.
"""

from __future__ import annotations

from tactics.errors import install_command

try:
    from gymnasium import register
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ModuleNotFoundError(
        f"oasis.api.gym needs Gymnasium, which is not installed: {install_command('gym')}", name="gymnasium"
    ) from None

from oasis.api.gym.environment import DyckhoffEnv
from oasis.api.gym.policy import AgentPolicy
from oasis.api.gym.session import SessionEnv
from oasis.api.gym.vector import DyckhoffVectorEnv

__all__ = ["AgentPolicy", "DyckhoffEnv", "DyckhoffVectorEnv", "SessionEnv"]

register(
    "oasis/Dyckhoff-v0",
    entry_point="oasis.api.gym.environment:DyckhoffEnv",
    vector_entry_point="oasis.api.gym.vector:DyckhoffVectorEnv",
)
register("oasis/Session-v0", entry_point="oasis.api.gym.session:SessionEnv")
