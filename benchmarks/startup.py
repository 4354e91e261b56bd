"""Processor time of commands that do next to nothing, and so of what they import: the least and the median of ten.

python benchmarks/startup.py, from the repository root.
"""

import os
import subprocess
import sys
from statistics import median

COMMANDS = (
    ("-m", "oasis", "--help"),
    ("-m", "oasis", "--version"),
    ("-m", "oasis"),
    ("-m", "oasis", "train", "--help"),
    ("-m", "oasis", "prove", "--help"),
    ("-m", "oasis", "train", "thesis/41", "--episodes", "200", "--certify", "none", "--quiet", "--db", ":memory:"),
    ("-m", "oasis", "decide", "A -> A"),
    ("-c", "import oasis"),
    ("-c", "import typer"),
    ("-c", "import typer, typer.rich_utils"),
    ("-c", "pass"),
)


def seconds(command: tuple[str, ...]) -> float:
    """The processor time of one process, its own and the system's."""
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    for command in COMMANDS:
        taken = [seconds(command) for _ in range(10)]
        print(f"{min(taken):.3f} s, median {median(taken):.3f} s: python {' '.join(command)}", flush=True)
