CREATE TABLE cached_reply (
	key VARCHAR NOT NULL,
	reply VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (key)
);
CREATE TABLE claim (
	key VARCHAR NOT NULL,
	call VARCHAR NOT NULL,
	process VARCHAR NOT NULL,
	expires FLOAT NOT NULL,
	PRIMARY KEY (key)
);
CREATE INDEX ix_claim_call ON claim (call);
CREATE TABLE embedding (
	embedder VARCHAR NOT NULL,
	image VARCHAR NOT NULL,
	vector BYTEA NOT NULL,
	cluster INTEGER NOT NULL,
	PRIMARY KEY (embedder, image)
);
CREATE TABLE generation (
	id VARCHAR NOT NULL,
	prompt VARCHAR NOT NULL,
	model VARCHAR NOT NULL,
	revision VARCHAR NOT NULL,
	seed BIGINT NOT NULL,
	settings VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	image VARCHAR,
	seconds FLOAT,
	failure VARCHAR,
	notes VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX ix_generation_image ON generation (image);
CREATE INDEX ix_generation_model ON generation (model);
CREATE TABLE labeling_plan (
	id VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	title VARCHAR NOT NULL,
	plan VARCHAR NOT NULL,
	PRIMARY KEY (id)
);
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
CREATE INDEX ix_lesson_answer_learner ON lesson_answer (learner);
CREATE INDEX ix_lesson_answer_lesson ON lesson_answer (lesson);
CREATE TABLE map_layout (
	id VARCHAR NOT NULL,
	coordinates BYTEA NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE pace (
	model VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	requests BIGINT NOT NULL,
	seconds FLOAT NOT NULL,
	PRIMARY KEY (model, role)
);
CREATE TABLE question_set (
	prompt VARCHAR NOT NULL,
	questions VARCHAR NOT NULL,
	PRIMARY KEY (prompt)
);
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
CREATE TABLE reading (
	id VARCHAR NOT NULL,
	prompt_hash VARCHAR NOT NULL,
	author VARCHAR NOT NULL,
	reading VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX ix_reading_prompt_hash ON reading (prompt_hash);
CREATE TABLE reservation (
	id VARCHAR NOT NULL,
	day VARCHAR NOT NULL,
	run VARCHAR NOT NULL,
	model VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	process VARCHAR NOT NULL,
	nano_usd BIGINT NOT NULL,
	calls BIGINT NOT NULL,
	input_tokens BIGINT NOT NULL,
	output_tokens BIGINT NOT NULL,
	pictures BIGINT NOT NULL,
	expires FLOAT NOT NULL,
	PRIMARY KEY (id)
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
CREATE INDEX ix_run_created ON run (created);
CREATE TABLE run_note (
	id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	pinned BOOLEAN NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE schema (
	version SERIAL NOT NULL,
	PRIMARY KEY (version)
);
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
	unconfirmed FLOAT NOT NULL,
	PRIMARY KEY (day, run, model, role)
);
CREATE INDEX ix_spending_run ON spending (run);
CREATE TABLE sweep (
	id VARCHAR NOT NULL,
	created FLOAT NOT NULL,
	state VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	spec VARCHAR NOT NULL,
	items INTEGER NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE evaluation (
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
	field VARCHAR,
	difficulty VARCHAR,
	value FLOAT,
	counted INTEGER NOT NULL,
	left_out INTEGER NOT NULL,
	strict FLOAT,
	report VARCHAR NOT NULL,
	cached BOOLEAN NOT NULL,
	lineup VARCHAR DEFAULT '{}' NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (run, generation, metric, judge, trial),
	FOREIGN KEY(run) REFERENCES run (id),
	FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE INDEX ix_evaluation_generation ON evaluation (generation);
CREATE INDEX ix_evaluation_image ON evaluation (image);
CREATE INDEX ix_evaluation_model ON evaluation (model);
CREATE INDEX ix_evaluation_run ON evaluation (run);
CREATE TABLE labeling_record (
	id VARCHAR NOT NULL,
	plan VARCHAR NOT NULL,
	rater VARCHAR NOT NULL,
	item VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	answers VARCHAR NOT NULL,
	shown FLOAT NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(plan) REFERENCES labeling_plan (id)
);
CREATE INDEX ix_labeling_record_plan ON labeling_record (plan);
CREATE TABLE runpicture (
	run VARCHAR NOT NULL,
	generation VARCHAR NOT NULL,
	position INTEGER NOT NULL,
	PRIMARY KEY (run, generation),
	FOREIGN KEY(run) REFERENCES run (id),
	FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE INDEX ix_runpicture_generation ON runpicture (generation);
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
CREATE INDEX ix_sweep_item_run ON sweep_item (run);
CREATE TABLE truth (
	generation VARCHAR NOT NULL,
	truth VARCHAR NOT NULL,
	PRIMARY KEY (generation),
	FOREIGN KEY(generation) REFERENCES generation (id)
);
CREATE TABLE corrected_evaluation (
	evaluation INTEGER NOT NULL,
	prompt VARCHAR NOT NULL,
	reading VARCHAR NOT NULL,
	author VARCHAR NOT NULL,
	PRIMARY KEY (evaluation),
	FOREIGN KEY(evaluation) REFERENCES evaluation (id)
);
CREATE INDEX ix_corrected_evaluation_prompt ON corrected_evaluation (prompt);
CREATE TABLE score (
	metric VARCHAR NOT NULL,
	score VARCHAR NOT NULL,
	part VARCHAR NOT NULL,
	instrument VARCHAR NOT NULL,
	model VARCHAR NOT NULL,
	prompt VARCHAR NOT NULL,
	evaluation INTEGER NOT NULL,
	newest BOOLEAN NOT NULL,
	total FLOAT NOT NULL,
	weight FLOAT NOT NULL,
	answered INTEGER NOT NULL,
	unanswered INTEGER NOT NULL,
	judge VARCHAR NOT NULL,
	category VARCHAR NOT NULL,
	domain VARCHAR NOT NULL,
	level VARCHAR NOT NULL,
	task VARCHAR NOT NULL,
	field VARCHAR DEFAULT '' NOT NULL,
	difficulty VARCHAR DEFAULT '' NOT NULL,
	run VARCHAR NOT NULL,
	generation VARCHAR NOT NULL,
	seed BIGINT NOT NULL,
	trial INTEGER NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (metric, score, part, instrument, model, prompt, evaluation),
	FOREIGN KEY(evaluation) REFERENCES evaluation (id)
);
CREATE INDEX ix_score_prompt ON score (prompt, model, metric);
CREATE TABLE verdict (
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
CREATE INDEX ix_verdict_coi ON verdict (coi);
CREATE INDEX ix_verdict_state ON verdict (state);
