r"""What commands about R†, maxims and policies cannot do is refused in one sentence, before any work.

Each row is a command and words of what it says.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.commands import Oasis

ROWS = r"""
dagger ablate = Name a lemma or a curriculum
dagger ablate textbook --weights loud = There are no weights
dagger ablate textbook --seeds 1 = --seeds must be at least 2
dagger ablate textbook --html page.pdf = page.pdf should end in .html
dagger audit SYJ203.1 --reading loud = --reading is one of
dagger tune 'A -> A' -o no/w.toml = no/w.toml cannot be written; name a file in a folder that is there.
dagger tune 'A -> A' -o . = . cannot be written; name a file in a folder that is there.
dagger tune 'A -> A' --seconds nan = --seconds must be above 0, not nan.
dagger tune 'A -> A' --trials 0 = --trials must be at least 1, not 0.
dagger tune 'A -> A' --preset dagger:sound:Q=1 = There is no 'Q'
dagger fit 7 = 7 is the number of a run, and there is no database; name one with --db.
dagger fit textbook --name default = --name 'default' cannot be a name
dagger fit textbook --name a -o b.json = give one of them
dagger fit textbook -o b.txt = b.txt should end in .json or .json.gz; rename it.
dagger fit textbook -o . = . should end in .json or .json.gz; rename it.
dagger fit textbook -o no/b.json = There is no folder no for b.json; make it, or name another one.
dagger show --top -1 = --top must be 0 or more.
dagger show nothing = no database to find nothing in
dagger show ./nothing.json = cannot be read
experience add love left --lemma 'p -> p' --reason r = The advice is one of prefer, avoid
experience add prefer left --goal 'p \/ _' --lemma 'p -> p' --reason r = leaves one side open
policy balance uniform --count 0 = --count and --max-proof must be at least 1.
policy balance uniform --along time = --along is one of position, policy
policy balance uniform --benchmark SYJ203 --expansions 0 = expansions
policy balance uniform uniform --benchmark SYJ203 = A policy is named twice; leave one out.
policy balance uniform --benchmark SYJ203 --benchmark SYJ203 = Two benchmarks are called SYJ203
"""


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_what_cannot_be_done_is_refused_in_a_sentence(row: str, oasis: Oasis, tmp_path: Path) -> None:
    command, words = row.split(" = ")
    assert words in oasis.refused(*shlex.split(command))
    assert not [*tmp_path.iterdir()]
