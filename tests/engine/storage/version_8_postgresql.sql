CREATE TABLE IF NOT EXISTS schema (
	version SERIAL NOT NULL,
	PRIMARY KEY (version)
);
CREATE TABLE IF NOT EXISTS run (
	id VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	state VARCHAR NOT NULL,
	prompt VARCHAR NOT NULL,
	request VARCHAR NOT NULL,
	notice VARCHAR,
	questions VARCHAR NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS generation (
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
CREATE TABLE IF NOT EXISTS runpicture (
	run VARCHAR NOT NULL,
	generation VARCHAR NOT NULL,
	position INTEGER NOT NULL,
	PRIMARY KEY (run, generation),
	FOREIGN KEY(run) REFERENCES run (id),
	FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE TABLE IF NOT EXISTS truth (
	generation VARCHAR NOT NULL,
	truth VARCHAR NOT NULL,
	PRIMARY KEY (generation),
	FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE TABLE IF NOT EXISTS evaluation (
	id SERIAL NOT NULL,
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
CREATE TABLE IF NOT EXISTS verdict (
	evaluation INTEGER NOT NULL,
	index INTEGER NOT NULL,
	coi VARCHAR NOT NULL,
	question VARCHAR NOT NULL,
	gold VARCHAR NOT NULL,
	answer VARCHAR,
	state VARCHAR NOT NULL,
	raw VARCHAR NOT NULL,
	probability FLOAT,
	PRIMARY KEY (evaluation, index),
	FOREIGN KEY(evaluation) REFERENCES evaluation (id)
);
CREATE INDEX IF NOT EXISTS ix_evaluation_image ON evaluation (image);
CREATE INDEX IF NOT EXISTS ix_evaluation_run ON evaluation (run);
CREATE INDEX IF NOT EXISTS ix_evaluation_model ON evaluation (model);
CREATE INDEX IF NOT EXISTS ix_evaluation_generation ON evaluation (generation);
CREATE INDEX IF NOT EXISTS ix_verdict_state ON verdict (state);
CREATE INDEX IF NOT EXISTS ix_verdict_coi ON verdict (coi);
CREATE TABLE IF NOT EXISTS question_set (
	prompt VARCHAR NOT NULL,
	questions VARCHAR NOT NULL,
	PRIMARY KEY (prompt)
);
CREATE TABLE IF NOT EXISTS cached_reply (
	key VARCHAR NOT NULL,
	reply VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (key)
);
CREATE INDEX IF NOT EXISTS ix_run_created ON run (created);
CREATE INDEX IF NOT EXISTS ix_generation_model ON generation (model);
CREATE INDEX IF NOT EXISTS ix_generation_image ON generation (image);
CREATE INDEX IF NOT EXISTS ix_runpicture_generation ON runpicture (generation);
CREATE TABLE spending (
	day VARCHAR NOT NULL,
	run VARCHAR NOT NULL,
	model VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	amount FLOAT NOT NULL,
	calls BIGINT NOT NULL,
	input_tokens BIGINT NOT NULL,
	output_tokens BIGINT NOT NULL,
	pictures BIGINT NOT NULL,
	PRIMARY KEY (day, run, model, role)
);
CREATE INDEX ix_spending_run ON spending (run);
ALTER TABLE generation ALTER COLUMN seed TYPE BIGINT;
ALTER TABLE evaluation ADD COLUMN lineup VARCHAR DEFAULT '{}' NOT NULL;
CREATE TABLE rating (
	id VARCHAR NOT NULL,
	image VARCHAR NOT NULL,
	metric VARCHAR NOT NULL,
	prompt VARCHAR NOT NULL,
	finding VARCHAR NOT NULL,
	rater VARCHAR NOT NULL,
	value VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX ix_rating_image ON rating (image);
CREATE TABLE slice (
	id SERIAL NOT NULL,
	key VARCHAR NOT NULL,
	instrument VARCHAR NOT NULL,
	facet VARCHAR NOT NULL,
	metric VARCHAR NOT NULL,
	version VARCHAR NOT NULL,
	judge VARCHAR NOT NULL,
	judge_revision VARCHAR NOT NULL,
	lineup VARCHAR NOT NULL,
	model VARCHAR NOT NULL,
	category VARCHAR NOT NULL,
	domain VARCHAR NOT NULL,
	level VARCHAR NOT NULL,
	task VARCHAR NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (key)
);
CREATE TABLE rollup (
	slice INTEGER NOT NULL,
	above INTEGER NOT NULL,
	PRIMARY KEY (slice, above),
	FOREIGN KEY(slice) REFERENCES slice (id),
	FOREIGN KEY(above) REFERENCES slice (id)
);
CREATE TABLE scored (
	evaluation INTEGER NOT NULL,
	slice INTEGER NOT NULL,
	prompt VARCHAR NOT NULL,
	run VARCHAR NOT NULL,
	generation VARCHAR NOT NULL,
	seed BIGINT NOT NULL,
	trial INTEGER NOT NULL,
	newest BOOLEAN NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (evaluation),
	FOREIGN KEY(evaluation) REFERENCES evaluation (id),
	FOREIGN KEY(slice) REFERENCES slice (id)
);
CREATE TABLE score_part (
	evaluation INTEGER NOT NULL,
	score VARCHAR NOT NULL,
	part VARCHAR NOT NULL,
	total FLOAT NOT NULL,
	weight FLOAT NOT NULL,
	answered INTEGER NOT NULL,
	unanswered INTEGER NOT NULL,
	PRIMARY KEY (evaluation, score, part),
	FOREIGN KEY(evaluation) REFERENCES evaluation (id)
);
CREATE TABLE standing (
	slice INTEGER NOT NULL,
	trial INTEGER NOT NULL,
	score VARCHAR NOT NULL,
	part VARCHAR NOT NULL,
	prompts INTEGER NOT NULL,
	empty INTEGER NOT NULL,
	total FLOAT NOT NULL,
	weight FLOAT NOT NULL,
	squares FLOAT NOT NULL,
	products FLOAT NOT NULL,
	weights FLOAT NOT NULL,
	answered INTEGER NOT NULL,
	unanswered INTEGER NOT NULL,
	PRIMARY KEY (slice, trial, score, part),
	FOREIGN KEY(slice) REFERENCES slice (id)
);
CREATE INDEX ix_slice_instrument ON slice (instrument);
CREATE INDEX ix_slice_facet_metric ON slice (facet, metric);
CREATE INDEX ix_scored_prompt_slice ON scored (prompt, slice);
CREATE INDEX ix_scored_slice ON scored (slice);
CREATE INDEX ix_scored_run ON scored (run);
CREATE INDEX ix_scored_generation ON scored (generation);
CREATE INDEX ix_scored_created ON scored (created);
CREATE TABLE sweep (
	id VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	state VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	spec VARCHAR NOT NULL,
	items INTEGER NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE sweep_item (
	sweep VARCHAR NOT NULL,
	position INTEGER NOT NULL,
	run VARCHAR NOT NULL,
	prompt VARCHAR NOT NULL,
	done BOOLEAN NOT NULL,
	pictures INTEGER NOT NULL,
	evaluations INTEGER NOT NULL,
	failures INTEGER NOT NULL,
	note VARCHAR NOT NULL,
	PRIMARY KEY (sweep, position),
	FOREIGN KEY(sweep) REFERENCES sweep (id)
);
CREATE TABLE pace (
	model VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	requests BIGINT NOT NULL,
	seconds FLOAT NOT NULL,
	PRIMARY KEY (model, role)
);
CREATE INDEX ix_sweep_item_run ON sweep_item (run);
CREATE TABLE lesson (
	id VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	token VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE lesson_answer (
	id VARCHAR NOT NULL,
	lesson VARCHAR NOT NULL,
	position INTEGER NOT NULL,
	exercise VARCHAR NOT NULL,
	learner VARCHAR NOT NULL,
	place BOOLEAN,
	fact BOOLEAN NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX ix_lesson_answer_lesson ON lesson_answer (lesson);
CREATE INDEX ix_lesson_answer_learner ON lesson_answer (learner);
CREATE TABLE prompt_standing (
	prompt VARCHAR NOT NULL,
	above INTEGER NOT NULL,
	trial INTEGER NOT NULL,
	score VARCHAR NOT NULL,
	part VARCHAR NOT NULL,
	slice INTEGER NOT NULL,
	evaluation INTEGER NOT NULL,
	total FLOAT NOT NULL,
	weight FLOAT NOT NULL,
	answered INTEGER NOT NULL,
	unanswered INTEGER NOT NULL,
	value FLOAT,
	PRIMARY KEY (prompt, above, trial, score, part)
);
CREATE INDEX ix_prompt_standing_order ON prompt_standing (above, trial, score, part, value, unanswered, evaluation, slice, total, weight, answered);
INSERT INTO schema (version) VALUES (8);
