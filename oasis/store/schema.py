"""The tables, as migrations: a database of any older version is brought up to date when it is opened.

A migration that was once released never changes, and none changes what an older one made: it adds.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("oasis")


@migrations()
def runs_and_memory(db: Database) -> None:
    """The tables of a training run."""
    db.table("runs").create(
        {
            "id": int,
            "started": str,
            "finished": str,
            "version": str,
            "commit": str,
            "curriculum": str,
            "settings": str,
            "rng": str,
        },
        pk="id",
        not_null={"started", "version", "curriculum", "settings", "rng"},
    )
    db.table("lemmas").create(
        {
            "run": int,
            "position": int,
            "name": str,
            "formula": str,
            "status": str,
            "level": int,
            "seconds": float,
            "finished": int,
            "greedy_proved": int,
            "greedy_length": int,
            "greedy_script": str,
        },
        pk=("run", "position"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"name", "formula", "seconds", "finished"},
        defaults={"seconds": 0.0, "finished": 0},
    )
    db.table("episodes").create(
        {
            "run": int,
            "lemma": int,
            "episode": int,
            "steps": int,
            "proved": int,
            "length": int,
            "script": str,
        },
        pk=("run", "lemma", "episode"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"steps", "proved", "length"},
    )
    db.table("states").create(
        {"run": int, "state": bytes, "lemma": int},
        pk=("run", "state"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"lemma"},
    )
    db.table("pairs").create(
        {"run": int, "state": bytes, "slot": str, "value": float, "visits": int, "forgotten": int},
        pk=("run", "state", "slot"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"value", "visits", "forgotten"},
    )


@migrations()
def certificates(db: Database) -> None:
    """What provers said of the proofs that a run reports."""
    db.table("certificates").create(
        {"run": int, "lemma": int, "script": str, "prover": str, "version": str, "accepted": int, "reason": str},
        pk=("run", "lemma", "script", "prover"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"version", "accepted", "reason"},
    )


@migrations()
def experiments_and_trials(db: Database) -> None:
    """The tables of a comparison: its plan, and the arrays of each of its trials."""
    db.table("experiments").create(
        {"id": int, "started": str, "finished": str, "version": str, "commit": str, "name": str, "plan": str},
        pk="id",
        not_null={"started", "version", "name", "plan"},
    )
    db.table("trials").create(
        {"experiment": int, "variant": str, "seed": int, "result": bytes},
        pk=("experiment", "variant", "seed"),
        foreign_keys=[("experiment", "experiments", "id")],
        not_null={"result"},
    )
