PRAGMA application_id = 42261;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'oasis','runs_and_memory','2026-11-22 06:09:27.005170+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'oasis','certificates','2026-11-22 06:09:27.005700+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'oasis','experiments_and_trials','2026-11-22 06:09:27.014916+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'oasis','classroom','2026-11-22 06:09:27.016969+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'oasis','class_list_and_origin','2026-11-22 06:09:27.026400+00:00');
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
, "imported" TEXT);
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
CREATE TABLE "experiments" (
   "id" INTEGER PRIMARY KEY,
   "started" TEXT NOT NULL,
   "finished" TEXT,
   "version" TEXT NOT NULL,
   "commit" TEXT,
   "name" TEXT NOT NULL,
   "plan" TEXT NOT NULL
);
INSERT INTO "experiments" VALUES(1,'2026-11-22T06:09:27+00:00',NULL,'0.1.1.dev89+gf59c0891a','f59c0891a','two lemmas','{"name": "textbook/or_comm", "lemmas": [{"name": "thesis/41", "formula": "forall p1 f : Prop, (p1 \\/ (p1 -> f) -> f) -> f", "status": "theorem", "source": "thesis, lemma 41: SYJ203+1.001 (con_p), Dyckhoff 1997; ILTP", "level": 1, "shortest": 4}, {"name": "thesis/42", "formula": "forall p1 p2 f : Prop, (p1 /\\ p2 \\/ (p1 -> f) \\/ (p2 -> f) -> f) -> f", "status": "theorem", "source": "thesis, lemma 42: SYJ203+1.002 (con_p), Dyckhoff 1997; ILTP", "level": 2, "shortest": 10}], "variants": [{"name": "fixed", "settings": {"learner": "sarsa", "reward": "terminating", "state_space": "simple", "actions": "legal", "forget_errors": false, "episodes": 3, "epsilon": 0.4, "alpha": 0.7, "gamma": 0.9, "trace_decay": 0.9, "planning": 20, "initial_value": 0.0, "max_steps": 200, "seed": 0, "backend": "native"}, "teacher": "fixed"}, {"name": "afresh", "settings": {"learner": "sarsa", "reward": "terminating", "state_space": "simple", "actions": "legal", "forget_errors": false, "episodes": 3, "epsilon": 0.4, "alpha": 0.7, "gamma": 0.9, "trace_decay": 0.9, "planning": 20, "initial_value": 0.0, "max_steps": 200, "seed": 0, "backend": "native"}, "teacher": "afresh"}], "seeds": [0, 1], "checkpoints": [3, 6]}');
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
CREATE TABLE "seal" (
   "id" INTEGER PRIMARY KEY,
   "key" BLOB NOT NULL
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
, "left" TEXT, "letters" TEXT);
CREATE TABLE "teacher" (
   "id" INTEGER PRIMARY KEY,
   "salt" BLOB NOT NULL,
   "hash" BLOB NOT NULL
);
CREATE TABLE "trials" (
   "experiment" INTEGER REFERENCES "experiments"("id"),
   "variant" TEXT,
   "seed" INTEGER,
   "result" BLOB NOT NULL,
   PRIMARY KEY ("experiment", "variant", "seed")
);
INSERT INTO "trials" VALUES(1,'fixed',0,X'78019BEC17EA1B10C9C850C650AD9E925A9C5CA46EA5A06E9369A2AEA3A09E965F54529498179F5F94920A12774BCC294E058A17672416A402F91A663A9A3A0AB50A14002E0624C00864C3F0646CEEAA4932A497BB1819412EC1EA0A3A860E3BD00DAC500C62C3F0607017CC2DFC40778900B1181053E42E231D0523CAD2131728AC4000440B003176F7A45910958AA8E01E905BF00100A9C7A522');
INSERT INTO "trials" VALUES(1,'fixed',1,X'78019BEC17EA1B10C9C850C650AD9E925A9C5CA46EA5A06E9369A2AEA3A09E965F54529498179F5F94920A12774BCC294E058A17672416A402F91A663A9A3A0AB50A14002E0624C00864C3F0646CEEAA4932A497BB18418001AB2BE8183A1CC0106181621120CD0FC420B1C1E02E903B405806883580580788297297918E821165E9890B14567C400CA2416185DD3D691644A5222AB807E804BC000022F3A57E');
INSERT INTO "trials" VALUES(1,'afresh',0,X'78019BEC17EA1B10C9C850C650AD9E925A9C5CA46EA5A06E9369A2AEA3A09E965F54529498179F5F94920A12774BCC294E058A17672416A402F91A663A9A3A0AB50A14002E0624C00864C3F0646CEEAA4932A497BB1819812E61C4EA0A3A860E3B304458A118C4E6006261201E0CEE02B907E6263E205B86527719E9281851969EB84061C50FC4201A7738A55910958AA8E01EA033F00200C6CCA53B');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX "idx_students_key"
    ON "students" ("key");
CREATE UNIQUE INDEX "idx_attempts_uuid"
    ON "attempts" ("uuid");
CREATE INDEX "idx_attempts_student_place_name"
    ON "attempts" ("student", "place", "name");
COMMIT;
