"""The tables, as migrations: a database of any older version is brought up to date when it is opened.

A migration that was once released never changes, and none changes what an older one made: it adds.
"""

from __future__ import annotations

from oasis.store.sqlite import Database, Migrations

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


@migrations()
def classroom(db: Database) -> None:
    """The tables of a class: people, what they do, whose passphrases were wrong, and the teacher's own."""
    db.table("students").create(
        {"id": int, "name": str, "key": str, "account": str, "salt": bytes, "hash": bytes, "created": str},
        pk="id",
        not_null={"name", "key", "created"},
    )
    db.table("students").create_index(["key"], unique=True)
    db.table("attempts").create(
        {
            "id": int,
            "uuid": str,
            "student": int,
            "place": str,
            "name": str,
            "formula": str,
            "key": bytes,
            "terms": str,
            "started": str,
            "changed": str,
            "done": str,
            "outcome": str,
            "moves": int,
            "helped": int,
            "points": int,
            "seconds": float,
        },
        pk="id",
        foreign_keys=[("student", "students", "id")],
        not_null={"uuid", "student", "place", "name", "formula", "key", "terms", "started", "changed"}
        | {"outcome", "moves", "helped", "points", "seconds"},
    )
    db.table("attempts").create_index(["uuid"], unique=True)
    db.table("attempts").create_index(["student", "place", "name"])
    db.table("events").create(
        {"attempt": int, "number": int, "at": str, "kind": str, "what": str},
        pk=("attempt", "number"),
        foreign_keys=[("attempt", "attempts", "id")],
        not_null={"at", "kind", "what"},
    )
    db.table("refusals").create(
        {"key": str, "count": int, "last": str},
        pk="key",
        not_null={"count", "last"},
    )
    db.table("teacher").create(
        {"id": int, "salt": bytes, "hash": bytes},
        pk="id",
        not_null={"salt", "hash"},
    )


@migrations()
def class_list_and_origin(db: Database) -> None:
    """Who is no longer in the class or has another name, what came from elsewhere, and the key for work taken along."""
    db.table("students").add_column("left", str)
    db.table("students").add_column("letters", str)
    db.table("attempts").add_column("imported", str)
    db.table("seal").create({"id": int, "key": bytes}, pk="id", not_null={"key"})


@migrations()
def blocks_exams_and_snapshots(db: Database) -> None:
    """Episodes in blocks, what they add up to, exams, and students as they were when a run was last stored."""
    for column, kind in {"student": str, "taught_by": int, "cohort": int}.items():
        db.table("runs").add_column(column, kind)
    added = {
        "only_examined": int,
        "practised": int,
        "proofs": int,
        "actions": int,
        "first_proof": int,
        "best": str,
        "best_moves": int,
        "met": int,
        "exam": str,
        "untaught": str,
        "optimum": int,
    }
    for column, kind in added.items():
        db.table("lemmas").add_column(column, kind)
    db.table("blocks").create(
        {"run": int, "lemma": int, "first": int, "episodes": int, "content": bytes},
        pk=("run", "lemma", "first"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"episodes", "content"},
    )
    db.table("snapshots").create(
        {"run": int, "content": bytes}, pk="run", foreign_keys=[("run", "runs", "id")], not_null={"content"}
    )


@migrations()
def commands_and_makers(db: Database) -> None:
    """By which command an experiment was begun (none: `compare`), and what made each trial (none: what began it)."""
    db.table("experiments").add_column("command", str)
    db.table("trials").add_column("version", str)
    db.table("trials").add_column("commit", str)


@migrations()
def digests_of_certificates(db: Database) -> None:
    """What a certificate was said of, as a digest; older ones have none."""
    db.table("certificates").add_column("digest", str)


@migrations()
def verdicts(db: Database) -> None:
    """What provers said of the proofs that an experiment reports."""
    db.table("verdicts").create(
        {
            "experiment": int,
            "formula": str,
            "script": str,
            "prover": str,
            "version": str,
            "accepted": int,
            "reason": str,
        },
        pk=("experiment", "formula", "script", "prover"),
        foreign_keys=[("experiment", "experiments", "id")],
        not_null={"version", "accepted", "reason"},
    )


@migrations()
def proofs_that_are_shown(db: Database) -> None:
    """The proof of a lemma that a student was shown before it practised."""
    db.table("lemmas").add_column("shown", str)


@migrations()
def known_goals(db: Database) -> None:
    """What searches found out about goals; `change` is larger the later a row was stored or changed."""
    db.table("goals").create(
        {"change": int, "layout": int, "key": bytes, "rule": str, "place": int, "moves": int},
        pk="change",
        not_null={"layout", "key"},
    )
    db.table("goals").create_index(["layout", "key"], unique=True)


@migrations()
def fitted_knowledge(db: Database) -> None:
    """What was fitted to episodes, each under a name of its own."""
    db.table("fitted").create(
        {"name": str, "made": str, "version": str, "origin": str, "content": bytes},
        pk="name",
        not_null={"made", "version", "origin", "content"},
    )


@migrations()
def checkpoints(db: Database) -> None:
    """The files that trainings of networks wrote; where they are, and what is known of them."""
    db.table("checkpoints").create(
        {
            "id": int,
            "path": str,
            "started": str,
            "written": str,
            "version": str,
            "commit": str,
            "training": str,
            "settings": str,
            "network": str,
            "parameters": int,
            "step": int,
            "data": str,
            "solved": float,
            "digest": str,
        },
        pk="id",
        not_null={"path", "started", "written", "version", "training", "settings", "network", "parameters", "step"}
        | {"data", "digest"},
    )
    db.table("checkpoints").create_index(["path"])


@migrations()
def escalations(db: Database) -> None:
    """Runs that are escalations: their stages and their time, and how far each lemma has climbed."""
    db.table("escalations").create(
        {"run": int, "ladder": str, "pace": str, "taught": int},
        pk="run",
        foreign_keys=[("run", "runs", "id")],
        not_null={"ladder", "pace", "taught"},
    )
    db.table("climbs").create(
        {"run": int, "lemma": int, "record": str},
        pk=("run", "lemma"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"record"},
    )


@migrations()
def browsers_and_erased(db: Database) -> None:
    """With which browsers people came in, and the numbers of students who were erased, which nobody gets again."""
    db.table("browsers").create({"person": str, "browser": str, "at": str}, pk=("person", "browser"), not_null={"at"})
    db.table("erased").create({"student": int}, pk="student")


@migrations()
def slips_and_lists(db: Database) -> None:
    """What cost points in an attempt beside help; in older ones nothing did."""
    db.table("attempts").add_column("slips", int, not_null_default=0)
    db.table("attempts").add_column("listed", int, not_null_default=0)


@migrations()
def maxims(db: Database) -> None:
    """The journal of what was distilled from rollouts; the file itself refuses to change a line or take one out."""
    db.table("maxims").create(
        {"id": int, "maxim": int, "at": str, "operation": str, "by": str, "reason": str, "content": str},
        pk="id",
        not_null={"maxim", "at", "operation", "by", "reason", "content"},
    )
    for change in ("update", "delete"):
        db.execute(
            f"CREATE TRIGGER maxims_no_{change} BEFORE {change} ON maxims "
            "BEGIN SELECT RAISE(ABORT, 'a line of the journal stays as it is'); END"
        )
