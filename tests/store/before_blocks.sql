PRAGMA application_id = 42261;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'oasis','runs_and_memory','2026-11-22 06:49:59.445411+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'oasis','certificates','2026-11-22 06:49:59.445961+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'oasis','experiments_and_trials','2026-11-22 06:49:59.446542+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'oasis','classroom','2026-11-22 06:49:59.447981+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'oasis','class_list_and_origin','2026-11-22 06:49:59.448977+00:00');
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
INSERT INTO "episodes" VALUES(1,0,1,2,0,2,NULL);
INSERT INTO "episodes" VALUES(1,0,2,3,1,3,'intro; left; assumption');
INSERT INTO "episodes" VALUES(1,0,3,3,1,3,'intro; left; assumption');
INSERT INTO "episodes" VALUES(1,0,4,2,0,2,NULL);
INSERT INTO "episodes" VALUES(1,1,1,3,0,3,NULL);
INSERT INTO "episodes" VALUES(1,1,2,3,0,3,NULL);
INSERT INTO "episodes" VALUES(1,1,3,4,0,4,NULL);
INSERT INTO "episodes" VALUES(1,1,4,3,0,3,NULL);
INSERT INTO "episodes" VALUES(2,0,1,2,0,2,NULL);
INSERT INTO "episodes" VALUES(2,0,2,3,1,3,'intro; left; assumption');
INSERT INTO "episodes" VALUES(2,0,3,3,1,3,'intro; left; assumption');
INSERT INTO "episodes" VALUES(2,0,4,3,1,3,'intro; left; assumption');
INSERT INTO "episodes" VALUES(2,0,5,2,0,2,NULL);
INSERT INTO "episodes" VALUES(2,0,6,2,0,2,NULL);
INSERT INTO "episodes" VALUES(2,1,1,4,0,4,NULL);
INSERT INTO "episodes" VALUES(2,1,2,3,0,3,NULL);
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
INSERT INTO "lemmas" VALUES(1,0,'L0','forall q p : Prop, q -> q \/ p',NULL,NULL,0.000695306999659806,1,1,3,'intro; left; assumption');
INSERT INTO "lemmas" VALUES(1,1,'L1','forall p q : Prop, p \/ q -> q \/ p',NULL,NULL,7.45452000046498142182e-04,1,0,4,'intro; right; destruct_or H; assumption');
INSERT INTO "lemmas" VALUES(2,0,'L0','forall q p : Prop, q -> q \/ p',NULL,NULL,2.88290999378659762442e-04,1,1,3,'intro; left; assumption');
INSERT INTO "lemmas" VALUES(2,1,'L1','forall p q : Prop, p \/ q -> q \/ p',NULL,NULL,3.1061299978318857029e-04,0,NULL,NULL,NULL);
CREATE TABLE "pairs" (
   "run" INTEGER REFERENCES "runs"("id"),
   "state" BLOB,
   "slot" TEXT,
   "value" REAL NOT NULL,
   "visits" INTEGER NOT NULL,
   "forgotten" INTEGER NOT NULL,
   PRIMARY KEY ("run", "state", "slot")
);
INSERT INTO "pairs" VALUES(1,X'E3F89BBF4A19D67B2226EB014066ECC5','["intro", null]',2.77829999999999965876e-01,4,0);
INSERT INTO "pairs" VALUES(1,X'139BF269247B4645A4468FEFE3CC5BF9','["left", null]',4.40999999999999947597e-01,2,0);
INSERT INTO "pairs" VALUES(1,X'139BF269247B4645A4468FEFE3CC5BF9','["right", null]',-9.09999999999999920063e-01,2,0);
INSERT INTO "pairs" VALUES(1,X'E3263F3A55FA0164C73CD31E335AC67C','["assumption", null]',9.09999999999999920063e-01,2,0);
INSERT INTO "pairs" VALUES(1,X'3E3A5EB08D63EFFD06F1D11B4F2F3079','["intro", null]',0.0,4,0);
INSERT INTO "pairs" VALUES(1,X'24697CB2BDF97F226AE57DC37430FF7A','["left", null]',-4.40999999999999947597e-01,2,0);
INSERT INTO "pairs" VALUES(1,X'24697CB2BDF97F226AE57DC37430FF7A','["right", null]',0.0,1,0);
INSERT INTO "pairs" VALUES(1,X'24697CB2BDF97F226AE57DC37430FF7A','["destruct_or", "H"]',0.0,1,0);
INSERT INTO "pairs" VALUES(1,X'C65F0A965308825FAD4455939E58541D','["destruct_or", "H"]',-9.09999999999999920063e-01,2,0);
INSERT INTO "pairs" VALUES(1,X'913B75C1EDD91A4B32F7B2B45CD6469E','["destruct_or", "H"]',0.0,1,0);
INSERT INTO "pairs" VALUES(1,X'6D4B2652E9AB2D094292FF691247A218','["assumption", null]',-0.7,1,0);
INSERT INTO "pairs" VALUES(1,X'676BFE223272641F0AEEC5F97FEBD852','["left", null]',-0.7,1,0);
INSERT INTO "pairs" VALUES(2,X'E3F89BBF4A19D67B2226EB014066ECC5','["intro", null]',-6.80595299999999903128e-01,6,0);
INSERT INTO "pairs" VALUES(2,X'139BF269247B4645A4468FEFE3CC5BF9','["left", null]',0.7056,3,0);
INSERT INTO "pairs" VALUES(2,X'139BF269247B4645A4468FEFE3CC5BF9','["right", null]',-0.973,3,0);
INSERT INTO "pairs" VALUES(2,X'E3263F3A55FA0164C73CD31E335AC67C','["assumption", null]',0.973,3,0);
INSERT INTO "pairs" VALUES(2,X'3E3A5EB08D63EFFD06F1D11B4F2F3079','["intro", null]',0.0,2,0);
INSERT INTO "pairs" VALUES(2,X'24697CB2BDF97F226AE57DC37430FF7A','["left", null]',0.0,1,0);
INSERT INTO "pairs" VALUES(2,X'24697CB2BDF97F226AE57DC37430FF7A','["right", null]',0.0,1,0);
INSERT INTO "pairs" VALUES(2,X'913B75C1EDD91A4B32F7B2B45CD6469E','["destruct_or", "H"]',0.0,1,0);
INSERT INTO "pairs" VALUES(2,X'6D4B2652E9AB2D094292FF691247A218','["assumption", null]',-0.7,1,0);
INSERT INTO "pairs" VALUES(2,X'C65F0A965308825FAD4455939E58541D','["destruct_or", "H"]',-0.7,1,0);
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
INSERT INTO "runs" VALUES(1,'2026-11-22T06:49:59+00:00','2026-11-22T06:49:59+00:00','0.1.1.dev89+gf59c0891a','f59c0891ac07ab711d8cb2128896ca02d759a485','two','{"learner": "q-learning", "reward": "terminating", "state_space": "simple", "actions": "legal", "forget_errors": false, "episodes": 4, "epsilon": 0.4, "alpha": 0.7, "gamma": 0.9, "trace_decay": 0.9, "planning": 20, "initial_value": 0.0, "max_steps": 200, "seed": 1, "backend": "native"}','956521744453126111');
INSERT INTO "runs" VALUES(2,'2026-11-22T06:49:59+00:00',NULL,'0.1.1.dev89+gf59c0891a','f59c0891ac07ab711d8cb2128896ca02d759a485','two','{"learner": "sarsa", "reward": "terminating", "state_space": "simple", "actions": "legal", "forget_errors": false, "episodes": 6, "epsilon": 0.4, "alpha": 0.7, "gamma": 0.9, "trace_decay": 0.9, "planning": 20, "initial_value": 0.0, "max_steps": 200, "seed": 2, "backend": "native"}','4102174780458159533');
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
INSERT INTO "states" VALUES(1,X'E3F89BBF4A19D67B2226EB014066ECC5',0);
INSERT INTO "states" VALUES(1,X'139BF269247B4645A4468FEFE3CC5BF9',0);
INSERT INTO "states" VALUES(1,X'C28E1352B8EA6EDE88DD9EF9FEE48A3E',0);
INSERT INTO "states" VALUES(1,X'E3263F3A55FA0164C73CD31E335AC67C',0);
INSERT INTO "states" VALUES(1,X'3E3A5EB08D63EFFD06F1D11B4F2F3079',1);
INSERT INTO "states" VALUES(1,X'24697CB2BDF97F226AE57DC37430FF7A',1);
INSERT INTO "states" VALUES(1,X'C65F0A965308825FAD4455939E58541D',1);
INSERT INTO "states" VALUES(1,X'267BA79D4C23B9B45140C1D89604D3FB',1);
INSERT INTO "states" VALUES(1,X'913B75C1EDD91A4B32F7B2B45CD6469E',1);
INSERT INTO "states" VALUES(1,X'6D4B2652E9AB2D094292FF691247A218',1);
INSERT INTO "states" VALUES(1,X'676BFE223272641F0AEEC5F97FEBD852',1);
INSERT INTO "states" VALUES(1,X'A0B710740B03EE0513A56B1C03D25770',1);
INSERT INTO "states" VALUES(2,X'E3F89BBF4A19D67B2226EB014066ECC5',0);
INSERT INTO "states" VALUES(2,X'139BF269247B4645A4468FEFE3CC5BF9',0);
INSERT INTO "states" VALUES(2,X'C28E1352B8EA6EDE88DD9EF9FEE48A3E',0);
INSERT INTO "states" VALUES(2,X'E3263F3A55FA0164C73CD31E335AC67C',0);
INSERT INTO "states" VALUES(2,X'3E3A5EB08D63EFFD06F1D11B4F2F3079',1);
INSERT INTO "states" VALUES(2,X'24697CB2BDF97F226AE57DC37430FF7A',1);
INSERT INTO "states" VALUES(2,X'913B75C1EDD91A4B32F7B2B45CD6469E',1);
INSERT INTO "states" VALUES(2,X'6D4B2652E9AB2D094292FF691247A218',1);
INSERT INTO "states" VALUES(2,X'C65F0A965308825FAD4455939E58541D',1);
INSERT INTO "states" VALUES(2,X'267BA79D4C23B9B45140C1D89604D3FB',1);
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
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX "idx_students_key"
    ON "students" ("key");
CREATE UNIQUE INDEX "idx_attempts_uuid"
    ON "attempts" ("uuid");
CREATE INDEX "idx_attempts_student_place_name"
    ON "attempts" ("student", "place", "name");
COMMIT;
