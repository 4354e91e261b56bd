"""The tables of a database, with what is in their columns, and how a database of an earlier version gets them.

Times are ISO 8601, truth values 0 or 1, and JSON is text. `sqlite3 oasis.db .schema` shows the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final

_FIRST: Final = (
    # Training: runs of students, on lemmas, in episodes.
    """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    finished TEXT,
    version TEXT NOT NULL,                  -- of Oasis, as everywhere but in fitted, certificates and verdicts
    "commit" TEXT,                          -- of its sources, if known
    curriculum TEXT NOT NULL,               -- its name
    settings TEXT NOT NULL,                 -- of the student, JSON
    rng TEXT NOT NULL,                      -- the state of its random numbers: 64 bits, JSON
    student TEXT NOT NULL,                  -- its kind: plain or compiled
    taught_by INTEGER,                      -- the run whose student goes on here
    cohort INTEGER                          -- the first of the runs that were started together
)""",
    """
CREATE TABLE lemmas (
    run INTEGER REFERENCES runs (id),
    position INTEGER,                       -- from 0; other tables call it lemma
    name TEXT NOT NULL,
    formula TEXT NOT NULL,                  -- in the notation of Coq
    status TEXT,                            -- as its source says: theorem or non-theorem
    level INTEGER,                          -- of its family
    seconds REAL NOT NULL DEFAULT 0.0,      -- of practice
    finished INTEGER NOT NULL DEFAULT 0,
    only_examined INTEGER NOT NULL,         -- without practice
    practised INTEGER NOT NULL DEFAULT 0,   -- episodes
    proofs INTEGER NOT NULL DEFAULT 0,      -- episodes that ended in a proof
    actions INTEGER NOT NULL DEFAULT 0,     -- of all episodes
    first_proof INTEGER,                    -- the first episode with a proof, from 1
    best TEXT,                              -- the shortest proof
    best_moves INTEGER,                     -- its length
    met INTEGER NOT NULL DEFAULT 0,         -- states that the student met here for the first time
    exam TEXT,                              -- of the student after its last episode, JSON
    untaught TEXT,                          -- the exam of somebody who knows nothing, JSON
    optimum INTEGER,                        -- the length of a shortest proof, if known
    shown TEXT,                             -- the proof that the student was shown before it practised
    PRIMARY KEY (run, position)
)""",
    """
CREATE TABLE blocks (
    run INTEGER REFERENCES runs (id),
    lemma INTEGER,
    first INTEGER,                          -- the number of the first episode, from 1
    episodes INTEGER NOT NULL,
    content BLOB NOT NULL,                  -- whether each was proved, and its steps
    PRIMARY KEY (run, lemma, first)
)""",
    """
CREATE TABLE snapshots (
    run INTEGER PRIMARY KEY REFERENCES runs (id),
    content BLOB NOT NULL                   -- a compiled student; of a plain one, what its reward has counted
)""",
    """
CREATE TABLE states (                       -- that a plain student has met
    run INTEGER REFERENCES runs (id),
    state BLOB,                             -- a digest
    lemma INTEGER NOT NULL,                 -- where it was met first
    PRIMARY KEY (run, state)
)""",
    """
CREATE TABLE pairs (                        -- what a plain student knows of the moves of a state
    run INTEGER REFERENCES runs (id),
    state BLOB,
    slot TEXT,                              -- of the move, JSON
    value REAL NOT NULL,
    visits INTEGER NOT NULL,
    forgotten INTEGER NOT NULL,             -- whether the student has given the move up
    PRIMARY KEY (run, state, slot)
)""",
    """
CREATE TABLE certificates (                 -- what provers said of the proofs of a run
    run INTEGER REFERENCES runs (id),
    lemma INTEGER,
    script TEXT,
    prover TEXT,
    version TEXT NOT NULL,                  -- of the prover
    accepted INTEGER NOT NULL,
    reason TEXT NOT NULL,                   -- why not
    digest TEXT NOT NULL,                   -- of what was said, of which formula and script
    PRIMARY KEY (run, lemma, script, prover)
)""",
    """
CREATE TABLE escalations (                  -- runs in which lemmas climb from stage to stage
    run INTEGER PRIMARY KEY REFERENCES runs (id),
    ladder TEXT NOT NULL,                   -- the stages, JSON
    pace TEXT NOT NULL,                     -- where it is in its time, JSON
    taught INTEGER NOT NULL                 -- the proofs that the stored student was shown
)""",
    """
CREATE TABLE climbs (
    run INTEGER REFERENCES runs (id),
    lemma INTEGER,
    record TEXT NOT NULL,                   -- how far the lemma has climbed, JSON
    PRIMARY KEY (run, lemma)
)""",
    # The lab: experiments, and their trials.
    """
CREATE TABLE experiments (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    finished TEXT,
    version TEXT NOT NULL,
    "commit" TEXT,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,                     -- JSON
    command TEXT NOT NULL                   -- that began it, such as compare
)""",
    """
CREATE TABLE trials (
    experiment INTEGER REFERENCES experiments (id),
    variant TEXT,
    seed INTEGER,
    result BLOB NOT NULL,                   -- its arrays
    version TEXT NOT NULL,                  -- of the Oasis that did this trial, which may be a later one
    "commit" TEXT,
    PRIMARY KEY (experiment, variant, seed)
)""",
    """
CREATE TABLE verdicts (                     -- what provers said of the proofs of an experiment
    experiment INTEGER REFERENCES experiments (id),
    formula TEXT,
    script TEXT,
    prover TEXT,
    version TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (experiment, formula, script, prover)
)""",
    # The classroom: people, what they do, and how they come in.
    """
CREATE TABLE students (
    id INTEGER PRIMARY KEY,                 -- which nobody else ever gets
    name TEXT NOT NULL,
    "key" TEXT NOT NULL,                    -- the same for names that differ in capitals and spaces alone
    account TEXT,                           -- the user of this machine who they are
    salt BLOB,                              -- of their passphrase, if they have one
    hash BLOB,
    created TEXT NOT NULL,
    "left" TEXT,                            -- when they left the class
    letters TEXT                            -- their first name of all, if they have another one by now
)""",
    'CREATE UNIQUE INDEX idx_students_key ON students ("key")',
    """
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL,                     -- the same in every database
    student INTEGER NOT NULL REFERENCES students (id),
    place TEXT NOT NULL,                    -- the lesson, or the world of the course
    name TEXT NOT NULL,
    formula TEXT NOT NULL,
    "key" BLOB NOT NULL,                    -- the same for formulas that differ in their letters alone
    terms TEXT NOT NULL,                    -- on which it was made, JSON
    started TEXT NOT NULL,
    changed TEXT NOT NULL,                  -- when it was last worked at
    done TEXT,                              -- when it was over for the first time
    outcome TEXT NOT NULL,                  -- proved, refuted, or empty
    moves INTEGER NOT NULL,                 -- of the shortest proof in it, or 0
    helped INTEGER NOT NULL,                -- how much help was taken
    points INTEGER NOT NULL,
    seconds REAL NOT NULL,                  -- of work
    imported TEXT,                          -- when a file brought some of it
    slips INTEGER NOT NULL,
    listed INTEGER NOT NULL                 -- whether the list of moves was asked for
)""",
    "CREATE UNIQUE INDEX idx_attempts_uuid ON attempts (uuid)",
    "CREATE INDEX idx_attempts_student_place_name ON attempts (student, place, name)",
    """
CREATE TABLE events (                       -- what was done in an attempt; all else in it follows from these
    attempt INTEGER REFERENCES attempts (id),
    number INTEGER,                         -- from 1
    at TEXT NOT NULL,
    kind TEXT NOT NULL,                     -- such as move, undo or hint
    what TEXT NOT NULL,                     -- such as the move
    PRIMARY KEY (attempt, number)
)""",
    """
CREATE TABLE refusals (                     -- wrong passphrases in a row
    "key" TEXT PRIMARY KEY,                 -- for whom, and from where
    count INTEGER NOT NULL,
    last TEXT NOT NULL
)""",
    """
CREATE TABLE browsers (                     -- with which people came in
    person TEXT,
    browser TEXT,
    at TEXT NOT NULL,                       -- for the last time
    PRIMARY KEY (person, browser)
)""",
    """
CREATE TABLE teacher (                      -- at most one row, number 1
    id INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,                     -- of the passphrase
    hash BLOB NOT NULL
)""",
    """
CREATE TABLE seal (                         -- at most one row, number 1
    id INTEGER PRIMARY KEY,
    "key" BLOB NOT NULL                     -- random bytes that no other file has
)""",
    """
CREATE TABLE erased (
    student INTEGER PRIMARY KEY             -- the number of a student who was erased
)""",
    # What was found out or learned beside runs.
    """
CREATE TABLE goals (                        -- what searches know
    change INTEGER PRIMARY KEY,             -- larger the later a row was stored or changed
    layout INTEGER NOT NULL,                -- what keys and places mean
    "key" BLOB NOT NULL,
    rule TEXT,                              -- of the first move of a proof; none if there is no proof
    place INTEGER,                          -- of the hypothesis that the move takes
    moves INTEGER                           -- of the proof
)""",
    'CREATE UNIQUE INDEX idx_goals_layout_key ON goals (layout, "key")',
    """
CREATE TABLE fitted (                       -- what was fitted to episodes, for the reward
    name TEXT PRIMARY KEY,
    made TEXT NOT NULL,
    version TEXT NOT NULL,                  -- stands for the content
    origin TEXT NOT NULL,                   -- what it was made from, JSON
    content BLOB NOT NULL
)""",
    """
CREATE TABLE checkpoints (                  -- files that trainings of networks wrote
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    started TEXT NOT NULL,
    written TEXT NOT NULL,
    version TEXT NOT NULL,
    "commit" TEXT,
    training TEXT NOT NULL,                 -- its kind
    settings TEXT NOT NULL,                 -- JSON
    network TEXT NOT NULL,                  -- what it is built of, JSON
    parameters INTEGER NOT NULL,            -- how many it has
    step INTEGER NOT NULL,
    data TEXT NOT NULL,                     -- a digest of what it learned from
    solved REAL,                            -- the share of some theorems that it proves
    digest TEXT NOT NULL                    -- of the file
)""",
    "CREATE INDEX idx_checkpoints_path ON checkpoints (path)",
    """
CREATE TABLE maxims (                       -- the journal of what was distilled from plays
    id INTEGER PRIMARY KEY,
    maxim INTEGER NOT NULL,                 -- the number of the one that a line is about
    at TEXT NOT NULL,
    operation TEXT NOT NULL,
    by TEXT NOT NULL,                       -- what made somebody do it
    reason TEXT NOT NULL,
    content TEXT NOT NULL                   -- JSON
)""",
    *(
        f"CREATE TRIGGER maxims_no_{change} BEFORE {change} ON maxims "
        "BEGIN SELECT RAISE(ABORT, 'a line of the journal stays as it is'); END"
        for change in ("update", "delete")
    ),
)
"""The tables of 0.1.0."""

_SECOND: Final = (
    "ALTER TABLE attempts ADD COLUMN vouched INTEGER NOT NULL DEFAULT 0",
    *(
        f"UPDATE OR IGNORE students SET [key] = replace([key], '{sign}', '{plain}')"
        for signs, plain in (("\u2018\u2019\u02bb\u02bc\u2032`", "''"), ("\u2010\u2012\u2013\u2014\u2212", "-"))
        for sign in signs
    ),
)
"""Whether the teacher answers for what a file brought; apostrophes and hyphens make no other student."""

_THIRD: Final = (
    "ALTER TABLE certificates RENAME TO of_runs",
    """
CREATE TABLE certificates (                 -- what provers said of proofs, whoever found them
    formula TEXT,                           -- in the notation of Coq
    script TEXT,
    prover TEXT,
    version TEXT NOT NULL,                  -- of the prover
    accepted INTEGER NOT NULL,
    reason TEXT NOT NULL,                   -- why not
    digest TEXT NOT NULL,                   -- of all of this
    PRIMARY KEY (formula, script, prover)
)""",
    """
INSERT OR REPLACE INTO certificates
    SELECT
        formula, script, prover, version, accepted, reason,
        digest(formula, script, prover, version, accepted, reason)
    FROM verdicts ORDER BY experiment
""",
    """
INSERT OR REPLACE INTO certificates
    SELECT formula, script, prover, version, accepted, reason, digest FROM of_runs
    JOIN lemmas ON lemmas.run = of_runs.run AND position = lemma ORDER BY of_runs.run
""",
    "DROP TABLE verdicts",
    "DROP TABLE of_runs",
    "ALTER TABLE lemmas ADD COLUMN known TEXT",  # a proof that the student knew during practice, and when, JSON
)
"""What provers say of a proof is kept once, whether runs or experiments found it; and what a student unlearned."""

_FOURTH: Final = (
    """
CREATE TABLE tabs (                         -- of browsers, and terminals, in which somebody is signed in
    id TEXT PRIMARY KEY,                    -- a digest of what the tab and its browser are known by
    browser TEXT NOT NULL,                  -- a digest of the browser's cookie; empty for a terminal
    student INTEGER REFERENCES students (id),   -- none for the teacher
    opened TEXT NOT NULL,
    "key" TEXT NOT NULL,                    -- when one was pressed last
    seen TEXT NOT NULL,                     -- when the tab was open last
    closed INTEGER NOT NULL,                -- whether it was closed then
    room TEXT NOT NULL,
    attempt TEXT NOT NULL                   -- the uuid of the one that was worked at, or empty
)""",
    "CREATE INDEX idx_tabs_student ON tabs (student)",
)
"""Who is signed in where, which a reload, a cut network and another server outlast."""

_FIFTH: Final = (
    *(
        f"ALTER TABLE students ADD COLUMN [{field}] TEXT NOT NULL DEFAULT ''"
        for field in ("surname", "first_name", "canvas", "number", "login", "email", "group")
    ),
    """
CREATE TABLE changes (                      -- the log of a class
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    by TEXT NOT NULL,                       -- who made the change
    student INTEGER,                        -- the number of whom it is about, if it is about one
    what TEXT NOT NULL,
    more TEXT NOT NULL                      -- such as the name of before
)""",
    "CREATE TRIGGER changes_no_update BEFORE UPDATE ON changes "
    "BEGIN SELECT RAISE(ABORT, 'a line of the log stays as it is'); END",
    "CREATE TRIGGER changes_no_delete BEFORE DELETE ON changes "
    "WHEN OLD.student IS NULL OR OLD.student NOT IN (SELECT student FROM erased) "
    "BEGIN SELECT RAISE(ABORT, 'a line of the log stays as it is'); END",
    """
CREATE TABLE notes (                        -- of the teacher, for one student each
    id INTEGER PRIMARY KEY,
    student INTEGER NOT NULL REFERENCES students (id),
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    lemma TEXT NOT NULL,                    -- the name of one that is sent as an exercise, or empty
    formula TEXT NOT NULL,                  -- of the lemma
    attempt TEXT NOT NULL,                  -- the uuid of the one at which the note was left, or empty
    moment INTEGER NOT NULL,                -- the number of the event in it, or 0
    exam INTEGER NOT NULL,                  -- whether an exam was given then
    read TEXT                               -- when the student had read it
)""",
    "CREATE INDEX idx_notes_student ON notes (student)",
    """
CREATE TABLE draws (                        -- which lemma of a pool a student has
    student INTEGER REFERENCES students (id),
    place TEXT,                             -- the lesson
    name TEXT,                              -- of its exercise
    "key" BLOB NOT NULL,                    -- of the lemma, as in attempts
    PRIMARY KEY (student, place, name)
)""",
    """
CREATE TABLE exams (                        -- the journal of what exams a class was given, and on what terms
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    place TEXT NOT NULL,                    -- the name of the lesson
    kind TEXT NOT NULL,                     -- given, withdrawn, released, or shown: its results
    content TEXT NOT NULL                   -- of what was given, JSON; else empty
)""",
    *(
        f"CREATE TRIGGER exams_no_{change} BEFORE {change} ON exams "
        "BEGIN SELECT RAISE(ABORT, 'a line of the journal stays as it is'); END"
        for change in ("update", "delete")
    ),
)
"""What a class needs for exams: what gradebooks know of students, and groups; a log, whose lines go only with who is
erased; notes of the teacher; lemmas drawn of a pool; and what exams were given, on terms that bind whoever writes."""

STEPS: Final[tuple[tuple[str, ...], ...]] = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH)
"""The statements by which an empty database gets the tables of this version, step by step.

A version that needs other tables adds a step. A step that was released never changes, and no step loses anything that
was stored. How many steps a file has been through is its `PRAGMA user_version`.
"""


def digest(formula: str, script: str, prover: str, version: str, accepted: int, reason: str) -> str:
    """Return a digest of what a prover said together with what it was said of (BLAKE2b, 16 bytes).

    It finds what was changed by mistake or by hand; it is no signature, for anybody can make another one.
    """
    said = [formula, script, prover, version, bool(accepted), reason]
    return blake2b(json.dumps(said, default=repr).encode(), digest_size=16).hexdigest()


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {"digest": digest}
"""What statements may call beside what SQLite has."""
