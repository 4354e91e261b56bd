PRAGMA application_id = 42261;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'oasis','runs_and_memory','2026-11-21 22:54:12.903840+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'oasis','certificates','2026-11-21 22:54:12.904188+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'oasis','experiments_and_trials','2026-11-21 22:54:12.904615+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'oasis','classroom','2026-11-21 22:54:12.905901+00:00');
CREATE TABLE "attempts" (
   "id" INTEGER PRIMARY KEY,
   "uuid" TEXT NOT NULL,
   "student" INTEGER NOT NULL REFERENCES "students"("id"),
   "place" TEXT NOT NULL,
   "name" TEXT NOT NULL,
   "formula" TEXT NOT NULL,
   "key" BLOB NOT NULL,
   "terms" TEXT NOT NULL,
   "started" TEXT NOT NULL,
   "changed" TEXT NOT NULL,
   "done" TEXT,
   "outcome" TEXT NOT NULL,
   "moves" INTEGER NOT NULL,
   "helped" INTEGER NOT NULL,
   "points" INTEGER NOT NULL,
   "seconds" REAL NOT NULL
);
INSERT INTO "attempts" VALUES(1,'bd13926c-1946-4a15-a079-f84139de4443',1,'','textbook/and_comm','forall p q : Prop, p /\ q -> q /\ p',X'BE9FBFCF880D555ECC63AB692EF66BBA','{"rules": ["intro", "assumption", "contradiction", "split", "left", "right", "destruct_and", "destruct_or", "imply1", "imply2", "imply3", "imply4"], "hints": 4, "hint_cost": 1, "light": true, "agent": "asked", "due": null}','2026-11-21T22:54:12.909+00:00','2026-11-21T22:54:12.911+00:00',NULL,'',0,1,0,0.002);
INSERT INTO "attempts" VALUES(2,'c0df25b7-6e35-4547-994f-39975a20543a',2,'','textbook/and_comm','forall p q : Prop, p /\ q -> q /\ p',X'BE9FBFCF880D555ECC63AB692EF66BBA','{"rules": ["intro", "assumption", "contradiction", "split", "left", "right", "destruct_and", "destruct_or", "imply1", "imply2", "imply3", "imply4"], "hints": 4, "hint_cost": 1, "light": true, "agent": "asked", "due": null}','2026-11-21T22:54:13.110+00:00','2026-11-21T22:54:13.111+00:00',NULL,'',0,1,0,0.001);
CREATE TABLE "certificates" (
   "run" INTEGER REFERENCES "runs"("id"),
   "lemma" INTEGER,
   "script" TEXT,
   "prover" TEXT,
   "version" TEXT NOT NULL,
   "accepted" INTEGER NOT NULL,
   "reason" TEXT NOT NULL,
   PRIMARY KEY ("run", "lemma", "script", "prover")
);
CREATE TABLE "episodes" (
   "run" INTEGER REFERENCES "runs"("id"),
   "lemma" INTEGER,
   "episode" INTEGER,
   "steps" INTEGER NOT NULL,
   "proved" INTEGER NOT NULL,
   "length" INTEGER NOT NULL,
   "script" TEXT,
   PRIMARY KEY ("run", "lemma", "episode")
);
CREATE TABLE "events" (
   "attempt" INTEGER REFERENCES "attempts"("id"),
   "number" INTEGER,
   "at" TEXT NOT NULL,
   "kind" TEXT NOT NULL,
   "what" TEXT NOT NULL,
   PRIMARY KEY ("attempt", "number")
);
INSERT INTO "events" VALUES(1,1,'2026-11-21T22:54:12.910+00:00','move','intro');
INSERT INTO "events" VALUES(1,2,'2026-11-21T22:54:12.910+00:00','move','destruct_and H');
INSERT INTO "events" VALUES(1,3,'2026-11-21T22:54:12.911+00:00','hint','2');
INSERT INTO "events" VALUES(2,1,'2026-11-21T22:54:13.111+00:00','move','intro');
INSERT INTO "events" VALUES(2,2,'2026-11-21T22:54:13.111+00:00','move','destruct_and H');
INSERT INTO "events" VALUES(2,3,'2026-11-21T22:54:13.111+00:00','hint','2');
CREATE TABLE "experiments" (
   "id" INTEGER PRIMARY KEY,
   "started" TEXT NOT NULL,
   "finished" TEXT,
   "version" TEXT NOT NULL,
   "commit" TEXT,
   "name" TEXT NOT NULL,
   "plan" TEXT NOT NULL
);
CREATE TABLE "lemmas" (
   "run" INTEGER REFERENCES "runs"("id"),
   "position" INTEGER,
   "name" TEXT NOT NULL,
   "formula" TEXT NOT NULL,
   "status" TEXT,
   "level" INTEGER,
   "seconds" REAL NOT NULL DEFAULT 0.0,
   "finished" INTEGER NOT NULL DEFAULT 0,
   "greedy_proved" INTEGER,
   "greedy_length" INTEGER,
   "greedy_script" TEXT,
   PRIMARY KEY ("run", "position")
);
CREATE TABLE "pairs" (
   "run" INTEGER REFERENCES "runs"("id"),
   "state" BLOB,
   "slot" TEXT,
   "value" REAL NOT NULL,
   "visits" INTEGER NOT NULL,
   "forgotten" INTEGER NOT NULL,
   PRIMARY KEY ("run", "state", "slot")
);
CREATE TABLE "refusals" (
   "key" TEXT PRIMARY KEY,
   "count" INTEGER NOT NULL,
   "last" TEXT NOT NULL
);
CREATE TABLE "runs" (
   "id" INTEGER PRIMARY KEY,
   "started" TEXT NOT NULL,
   "finished" TEXT,
   "version" TEXT NOT NULL,
   "commit" TEXT,
   "curriculum" TEXT NOT NULL,
   "settings" TEXT NOT NULL,
   "rng" TEXT NOT NULL
);
CREATE TABLE "states" (
   "run" INTEGER REFERENCES "runs"("id"),
   "state" BLOB,
   "lemma" INTEGER NOT NULL,
   PRIMARY KEY ("run", "state")
);
CREATE TABLE "students" (
   "id" INTEGER PRIMARY KEY,
   "name" TEXT NOT NULL,
   "key" TEXT NOT NULL,
   "account" TEXT,
   "salt" BLOB,
   "hash" BLOB,
   "created" TEXT NOT NULL
);
INSERT INTO "students" VALUES(1,'Ada','ada','ada',NULL,NULL,'2026-11-21T22:54:12+00:00');
INSERT INTO "students" VALUES(2,'Bob','bob',NULL,X'4CF072BBB6FC109DFE2DE400AA0D89A2',X'FB20107DE76567305288B5DE96B2C0E243F8D98FB0777DE57E47ABD3D15637A07D8845F2B8F7D4B1A11D30A644899D2D7032EAEF0A97672D05AB9E5737C0C7A9','2026-11-21T22:54:13+00:00');
CREATE TABLE "teacher" (
   "id" INTEGER PRIMARY KEY,
   "salt" BLOB NOT NULL,
   "hash" BLOB NOT NULL
);
INSERT INTO "teacher" VALUES(1,X'274D1893B8484A8CE2D0124F7B551274',X'93674CA28ABB29FE5DC008F7663DFDBB55F738A14188FCD701B5E277131B7E49CFF652ECFE9B2F28BDC704F6060F0BDFE1BA7BFA70F5C5D43FCA2A153635C286');
CREATE TABLE "trials" (
   "experiment" INTEGER REFERENCES "experiments"("id"),
   "variant" TEXT,
   "seed" INTEGER,
   "result" BLOB NOT NULL,
   PRIMARY KEY ("experiment", "variant", "seed")
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX "idx_students_key"
    ON "students" ("key");
CREATE UNIQUE INDEX "idx_attempts_uuid"
    ON "attempts" ("uuid");
CREATE INDEX "idx_attempts_student_place_name"
    ON "attempts" ("student", "place", "name");
COMMIT;
