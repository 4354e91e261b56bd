"""Runs `oasis ARGUMENTS` as `python tests/windows.py ARGUMENTS`, and all that is ours sees the libraries of Windows.

What is not ours has its own ways on Windows and is left alone. So this shows that nothing of ours asks for what Windows
lacks; whether all the rest works there only a machine with Windows can tell.
"""

import builtins
import os
import select
import signal
import socket
import sys
from types import ModuleType
from typing import Any

OURS = ("curricula", "oasis", "state_spaces", "tactics", "tui")
NO_MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
LACKING: dict[ModuleType, set[str]] = {
    os: {
        "WIFEXITED", "WNOHANG", "chown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg", "getpgid",
        "getpriority", "getsid", "getuid", "killpg", "mkfifo", "nice", "openpty", "pathconf", "posix_fallocate",
        "posix_spawn", "sched_getaffinity", "setpgid", "setpriority", "setsid", "statvfs", "sysconf", "uname", "wait",
        "wait3", "wait4",
    },
    select: {"epoll", "poll"},
    signal: {
        "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGUSR1",
        "SIGUSR2", "SIGWINCH", "SIGXCPU", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait",
    },
    socket: {"AF_UNIX", "SOCK_SEQPACKET", "recv_fds", "send_fds"},
    sys: set(),
}  # fmt: skip
HAVING: dict[ModuleType, dict[str, Any]] = {os: {"name": "nt"}, sys: {"platform": "win32"}}


class OnWindows(ModuleType):
    """A module as it is on Windows: the same as here but for a few names."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module.__name__)
        vars(self)["here"] = module

    def __getattr__(self, name: str) -> Any:
        module = vars(self)["here"]
        if name in LACKING[module]:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        return HAVING.get(module, {}).get(name) or getattr(module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["here"], name, value)


def pretend(ours: tuple[str, ...] = OURS) -> None:
    """Give these modules to whatever of ours is imported from now on."""
    theirs = {module.__name__: OnWindows(module) for module in LACKING}
    plainly = builtins.__import__

    def imported(name: str, *arguments: Any, **named: Any) -> ModuleType:
        given = dict(zip(("globals", "locals", "fromlist", "level"), arguments, strict=False)) | named
        importer = (given.get("globals") or {}).get("__name__", "").partition(".")[0]
        if importer in ours and not given.get("level"):
            if name in NO_MODULES:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in theirs:
                return theirs[name]
        return plainly(name, *arguments, **named)

    builtins.__import__ = imported


if __name__ == "__main__":
    pretend()
    from oasis.cli.main import main

    main()
