"""The environment `oasis/Session-v0`: the calls of a session as actions in words, for agents that write."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import gymnasium
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from oasis.api.calls import dumps, loads
from oasis.api.episode import AN_ACTION, Answered, Episode
from oasis.api.errors import Refused
from oasis.api.limits import Limits
from tactics.errors import InputError

_PRINTABLE: Final = "".join(map(chr, range(32, 127)))
MOST_WRITTEN: Final = 1 << 20
"""Characters of an action."""
_MOST_READ: Final = 1 << 30
"""Characters of an observation; the limits of a session keep answers far below."""


class SessionEnv(gymnasium.Env[str, str]):
    """Proving a lemma by the calls that every door for programs has (`oasis.api.calls`), one in a step.

    ## Actions
    `Text`: a JSON object with a `call` and its `arguments`, in ASCII characters, such as
    `{"call": "apply", "arguments": {"state_id": "s0", "tactics": ["intro"]}}`. Anything else is answered with an error,
    and costs a step.

    ## Observations
    `Text`: the answer, the same bytes as through every other door; after `reset` that to `start` for the lemma, whose
    first state is called `s0`. Without a lemma it is `{}`.

    ## Rewards
    1 for the step that proves the lemma, else 0. A proof of another lemma that the agent starts is worth nothing.

    ## Ends
    `terminated` when the lemma is proved; never without a lemma. `truncated` after `max_steps` steps.

    ## Info
    `proved`.

    ## Arguments
    lemma: a name or a formula; empty for a session without a task. The option `lemma` of `reset` names another.
    without: calls that are refused, such as those of `oasis.api.episode.ADVICE`, in which the teacher tells what it
        knows.
    max_steps: after which an episode is cut short, at least 1.
    render_mode: `ansi` for `render()` to return the last observation, or None.
    limits: of each session; the usual ones if None.

    Raises InputError, a ValueError whose text is a plain sentence.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        lemma: str = "SYJ203.3",
        without: Collection[str] = (),
        max_steps: int = 200,
        render_mode: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise InputError(f"render_mode is 'ansi' or None, not {render_mode!r}.")
        if max_steps < 1:
            raise InputError(f"max_steps must be at least 1, not {max_steps}.")
        self._lemma, self._limits, self._without = lemma, limits, without
        self._max_steps, self.render_mode = max_steps, render_mode
        self.action_space = spaces.Text(MOST_WRITTEN, charset=_PRINTABLE)
        self.observation_space = spaces.Text(_MOST_READ, charset=_PRINTABLE)
        self._episode = Episode(lemma, limits, without)
        self._shown, self._running = "", False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin a session; the option `lemma` is its task. Nothing is random."""
        super().reset(seed=seed)
        self._episode = Episode((options or {}).get("lemma", self._lemma), self._limits, self._without)
        self._running, self._shown = True, self._episode.begun
        return self._shown, {"proved": False}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Answer, reward, terminated, truncated and info after a call.

        Raises InputError for what is no text, and Gymnasium's ResetNeeded before the first `reset` or after an end.
        """
        if not isinstance(action, str):
            kind = type(action).__name__
            raise InputError(f"An action is a JSON object as text, not a {kind}; write it with json.dumps.")
        if not self._running:
            raise ResetNeeded("This episode is over or has not begun; call reset() first.")
        self._shown, reward, proved = self._answered(action)
        truncated = not proved and self._episode.calls >= self._max_steps
        self._running = not (proved or truncated)
        return self._shown, reward, proved, truncated, {"proved": proved}

    def render(self) -> str | None:
        """The last observation; None without the render mode."""
        return self._shown if self.render_mode == "ansi" else None

    def _answered(self, action: str) -> Answered:
        try:
            content = loads(action.encode("utf-8", "surrogatepass"))
        except Refused as error:
            return self._episode.refuse(Refused(error.code, f"{error} {AN_ACTION}."))
        return self._episode.act(content)


def written(name: str, arguments: Any) -> str:
    """A call as an action."""
    return dumps({"call": name, "arguments": arguments}).decode()
