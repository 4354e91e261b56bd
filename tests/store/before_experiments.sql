PRAGMA application_id = 42261;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'oasis','runs_and_memory','2026-11-21 16:30:33.867804+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'oasis','certificates','2026-11-21 16:30:33.868274+00:00');
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
INSERT INTO "certificates" VALUES(1,0,'intro; assumption','native','the embedded calculus',1,'');
INSERT INTO "certificates" VALUES(1,1,'intro; split; destruct_and H; assumption; destruct_and H; assumption','native','the embedded calculus',1,'');
INSERT INTO "certificates" VALUES(1,1,'intro; destruct_and H; split; assumption; assumption','native','the embedded calculus',1,'');
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
INSERT INTO "episodes" VALUES(1,0,1,2,1,2,'intro; assumption');
INSERT INTO "episodes" VALUES(1,0,2,2,1,2,'intro; assumption');
INSERT INTO "episodes" VALUES(1,0,3,2,1,2,'intro; assumption');
INSERT INTO "episodes" VALUES(1,1,1,6,1,6,'intro; split; destruct_and H; assumption; destruct_and H; assumption');
INSERT INTO "episodes" VALUES(1,1,2,5,1,5,'intro; destruct_and H; split; assumption; assumption');
INSERT INTO "episodes" VALUES(1,1,3,6,1,6,'intro; split; destruct_and H; assumption; destruct_and H; assumption');
INSERT INTO "episodes" VALUES(2,0,1,3,0,3,NULL);
INSERT INTO "episodes" VALUES(2,0,2,4,0,4,NULL);
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
INSERT INTO "lemmas" VALUES(1,0,'two:1','forall p : Prop, p -> p',NULL,NULL,3.53546000042115338146e-04,1,1,2,'intro; assumption');
INSERT INTO "lemmas" VALUES(1,1,'two:2','forall p q : Prop, p /\ q -> q /\ p',NULL,NULL,0.000710074999005883,1,1,6,'intro; split; destruct_and H; assumption; destruct_and H; assumption');
INSERT INTO "lemmas" VALUES(2,0,'p \/ q -> q \/ p','forall p q : Prop, p \/ q -> q \/ p',NULL,NULL,5.61535998713225126266e-04,1,0,3,'intro; left; destruct_or H');
CREATE TABLE "pairs" (
   "run" INTEGER REFERENCES "runs"("id"),
   "state" BLOB,
   "slot" TEXT,
   "value" REAL NOT NULL,
   "visits" INTEGER NOT NULL,
   "forgotten" INTEGER NOT NULL,
   PRIMARY KEY ("run", "state", "slot")
);
INSERT INTO "pairs" VALUES(1,X'EC9F925AFBA1472F4908BBFC231B29BE','["intro", null]',0.7056,3,0);
INSERT INTO "pairs" VALUES(1,X'1444D6A91C580C0CE2037F326F373E31','["assumption", null]',0.973,3,0);
INSERT INTO "pairs" VALUES(1,X'EE03CD776665C3AFB743D36963D2D7AC','["intro", null]',0.0,3,0);
INSERT INTO "pairs" VALUES(1,X'C35909F949C880FE3291124B901E3A22','["split", null]',0.0,2,0);
INSERT INTO "pairs" VALUES(1,X'C35909F949C880FE3291124B901E3A22','["destruct_and", "H"]',0.0,1,0);
INSERT INTO "pairs" VALUES(1,X'856960054EED52FB4C162B26778B05BC','["destruct_and", "H"]',0.0,2,0);
INSERT INTO "pairs" VALUES(1,X'450DB398674FBACD1AEF2C25EECCA7D1','["assumption", null]',0.0,2,0);
INSERT INTO "pairs" VALUES(1,X'43E5DAAF0AB5C9734AAD584290F6E12E','["destruct_and", "H"]',5.73299999999999920774e-01,2,0);
INSERT INTO "pairs" VALUES(1,X'D9C9F718C12630538BBD145E1B32B106','["assumption", null]',0.973,3,0);
INSERT INTO "pairs" VALUES(1,X'AA67518A35EB42D4F7DC1BD9C61C4E51','["split", null]',0.0,1,0);
INSERT INTO "pairs" VALUES(1,X'46959C78E3CC3A49F02BEA713774F615','["assumption", null]',4.40999999999999947597e-01,1,0);
INSERT INTO "pairs" VALUES(2,X'3E3A5EB08D63EFFD06F1D11B4F2F3079','["intro", null]',0.0,2,0);
INSERT INTO "pairs" VALUES(2,X'24697CB2BDF97F226AE57DC37430FF7A','["left", null]',0.0,1,0);
INSERT INTO "pairs" VALUES(2,X'24697CB2BDF97F226AE57DC37430FF7A','["right", null]',0.0,1,0);
INSERT INTO "pairs" VALUES(2,X'C65F0A965308825FAD4455939E58541D','["destruct_or", "H"]',-0.7,1,0);
INSERT INTO "pairs" VALUES(2,X'913B75C1EDD91A4B32F7B2B45CD6469E','["destruct_or", "H"]',0.0,1,0);
INSERT INTO "pairs" VALUES(2,X'6D4B2652E9AB2D094292FF691247A218','["assumption", null]',-0.7,1,0);
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
INSERT INTO "runs" VALUES(1,'2026-11-21T16:30:33+00:00','2026-11-21T16:30:33+00:00','0.1.1.dev22+ga8560761a','a8560761a','two.txt','{"learner": "q-learning", "reward": "terminating", "state_space": "simple", "actions": "legal", "forget_errors": false, "episodes": 3, "epsilon": 0.4, "alpha": 0.7, "gamma": 0.9, "max_steps": 200, "seed": 0, "backend": "native"}','[3, [1, 2], null]');
INSERT INTO "runs" VALUES(2,'2026-11-21T16:30:34+00:00','2026-11-21T16:30:34+00:00','0.1.1.dev22+ga8560761a','a8560761a','p \/ q -> q \/ p','{"learner": "q-learning", "reward": "terminating", "state_space": "simple", "actions": "legal", "forget_errors": false, "episodes": 2, "epsilon": 0.4, "alpha": 0.7, "gamma": 0.9, "max_steps": 200, "seed": 0, "backend": "native"}','[3, [1, 2], null]');
CREATE TABLE "states" (
   "run" INTEGER REFERENCES "runs"("id"),
   "state" BLOB,
   "lemma" INTEGER NOT NULL,
   PRIMARY KEY ("run", "state")
);
INSERT INTO "states" VALUES(1,X'EC9F925AFBA1472F4908BBFC231B29BE',0);
INSERT INTO "states" VALUES(1,X'1444D6A91C580C0CE2037F326F373E31',0);
INSERT INTO "states" VALUES(1,X'EE03CD776665C3AFB743D36963D2D7AC',1);
INSERT INTO "states" VALUES(1,X'C35909F949C880FE3291124B901E3A22',1);
INSERT INTO "states" VALUES(1,X'856960054EED52FB4C162B26778B05BC',1);
INSERT INTO "states" VALUES(1,X'450DB398674FBACD1AEF2C25EECCA7D1',1);
INSERT INTO "states" VALUES(1,X'43E5DAAF0AB5C9734AAD584290F6E12E',1);
INSERT INTO "states" VALUES(1,X'D9C9F718C12630538BBD145E1B32B106',1);
INSERT INTO "states" VALUES(1,X'AA67518A35EB42D4F7DC1BD9C61C4E51',1);
INSERT INTO "states" VALUES(1,X'46959C78E3CC3A49F02BEA713774F615',1);
INSERT INTO "states" VALUES(2,X'3E3A5EB08D63EFFD06F1D11B4F2F3079',0);
INSERT INTO "states" VALUES(2,X'24697CB2BDF97F226AE57DC37430FF7A',0);
INSERT INTO "states" VALUES(2,X'C65F0A965308825FAD4455939E58541D',0);
INSERT INTO "states" VALUES(2,X'267BA79D4C23B9B45140C1D89604D3FB',0);
INSERT INTO "states" VALUES(2,X'913B75C1EDD91A4B32F7B2B45CD6469E',0);
INSERT INTO "states" VALUES(2,X'6D4B2652E9AB2D094292FF691247A218',0);
INSERT INTO "states" VALUES(2,X'C28E1352B8EA6EDE88DD9EF9FEE48A3E',0);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
COMMIT;
