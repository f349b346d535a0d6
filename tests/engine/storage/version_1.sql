-- What the first version of the program wrote, on SQLite; the test says what PostgreSQL wants otherwise.
CREATE TABLE schema (
    version INTEGER NOT NULL,
    PRIMARY KEY (version)
);
CREATE TABLE run (
    id VARCHAR NOT NULL,
    created FLOAT NOT NULL,
    state VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    request VARCHAR NOT NULL,
    notice VARCHAR,
    questions VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE generation (
    id VARCHAR NOT NULL,
    prompt VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    revision VARCHAR NOT NULL,
    seed INTEGER NOT NULL,
    settings VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    image VARCHAR,
    seconds FLOAT,
    failure VARCHAR,
    notes VARCHAR NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE runpicture (
    run VARCHAR NOT NULL,
    generation VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (run, generation),
    FOREIGN KEY(run) REFERENCES run (id),
    FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE TABLE truth (
    generation VARCHAR NOT NULL,
    truth VARCHAR NOT NULL,
    PRIMARY KEY (generation),
    FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE TABLE evaluation (
    id INTEGER NOT NULL,
    run VARCHAR NOT NULL,
    generation VARCHAR NOT NULL,
    image VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    judge VARCHAR NOT NULL,
    judge_revision VARCHAR NOT NULL,
    trial INTEGER NOT NULL,
    prompt VARCHAR NOT NULL,
    category VARCHAR,
    domain VARCHAR,
    value FLOAT,
    counted INTEGER NOT NULL,
    left_out INTEGER NOT NULL,
    strict FLOAT,
    report VARCHAR NOT NULL,
    cached BOOLEAN NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (run, generation, metric, judge, trial),
    FOREIGN KEY(run) REFERENCES run (id),
    FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE TABLE verdict (
    evaluation INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    coi VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    gold VARCHAR NOT NULL,
    answer VARCHAR,
    state VARCHAR NOT NULL,
    raw VARCHAR NOT NULL,
    probability FLOAT,
    PRIMARY KEY (evaluation, "index"),
    FOREIGN KEY(evaluation) REFERENCES evaluation (id)
);
CREATE TABLE question_set (
    prompt VARCHAR NOT NULL,
    questions VARCHAR NOT NULL,
    PRIMARY KEY (prompt)
);
CREATE TABLE cached_reply (
    "key" VARCHAR NOT NULL,
    reply VARCHAR NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY ("key")
);
CREATE INDEX ix_evaluation_generation ON evaluation (generation);
CREATE INDEX ix_evaluation_image ON evaluation (image);
CREATE INDEX ix_evaluation_model ON evaluation (model);
CREATE INDEX ix_evaluation_run ON evaluation (run);
CREATE INDEX ix_generation_image ON generation (image);
CREATE INDEX ix_generation_model ON generation (model);
CREATE INDEX ix_run_created ON run (created);
CREATE INDEX ix_runpicture_generation ON runpicture (generation);
CREATE INDEX ix_verdict_coi ON verdict (coi);
CREATE INDEX ix_verdict_state ON verdict (state);
INSERT INTO schema ("version")
VALUES (1);
INSERT INTO run ("id", "created", "state", "prompt", "request", "notice", "questions")
VALUES ('r', 1795289784.5, 'finished', 'a cat', '{"prompt":"a cat","models":["m/one"],"metrics":["ihalla"],"judge":"primer/judge","seed":0,"count":1,"trials":1,"images":["mine.png"],"reference":null}', 'A notice.', '[{"text":"What color?","choices":["Red","Blue","Green","White","None of the above"],"gold":"B","coi":"color","regions":["fur"]}]');
INSERT INTO generation ("id", "prompt", "model", "revision", "seed", "settings", "state", "image", "seconds", "failure", "notes", "created")
VALUES ('g1', 'a cat', 'm/one', '1', 7, '{"size":16}', 'done', '1bba5c84bfbc913a2637913ff2e3b0cf05c03f79c8d8578bad56ae35fdb766cc', 0.5, NULL, '{"steps":3}', 1795289784.5);
INSERT INTO runpicture ("run", "generation", "position")
VALUES ('r', 'g1', 0);
INSERT INTO truth ("generation", "truth")
VALUES ('g1', '{"values":{"legs":5}}');
INSERT INTO evaluation ("run", "generation", "image", "model", "metric", "version", "judge", "judge_revision", "trial", "prompt", "category", "domain", "value", "counted", "left_out", "strict", "report", "cached")
VALUES ('r', 'g1', '00ff', 'm/one', 'ihalla', '1', 'j/one', 'rev', 0, 'a cat', 'Physics', 'animal', 1.0, 2, 0, 1.0, '{"metric":"ihalla","version":"1","prompt":"a cat","image":"00ff","scores":{"score":{"value":1.0,"counted":2,"left_out":0},"strict":{"value":1.0,"counted":1,"left_out":0}},"verdicts":[{"question":{"text":"What color?","choices":["Red","Blue","Green","White","None of the above"],"gold":"B","coi":"color","regions":["fur"]},"answer":"B","state":"correct","raw":"B) Blue","probability":0.9,"failure":null},{"question":{"text":"What color?","choices":["Red","Blue","Green","White","None of the above"],"gold":"B","coi":"color","regions":["fur"]},"answer":"B","state":"correct","raw":"B) Blue","probability":0.9,"failure":null}],"published":{"score":1.0}}', false);
INSERT INTO verdict ("evaluation", "index", "coi", "question", "gold", "answer", "state", "raw", "probability")
VALUES (1, 0, 'color', 'What color?', 'B', 'B', 'correct', 'B) Blue', 0.9);
INSERT INTO verdict ("evaluation", "index", "coi", "question", "gold", "answer", "state", "raw", "probability")
VALUES (1, 1, 'color', 'What color?', 'B', 'B', 'correct', 'B) Blue', 0.9);
INSERT INTO question_set ("prompt", "questions")
VALUES ('a cat', '{"prompt":"A cat","questions":[{"text":"What color?","choices":["Red","Blue","Green","White","None of the above"],"gold":"B","coi":"color","regions":["fur"]}],"category":"Biology","domain":"animal","source":"made"}');
INSERT INTO cached_reply ("key", "reply", "created")
VALUES ('k', '{"text":"B) Blue","probabilities":[0.1,0.9]}', 1795289784.5);
