# HallaScope: everything a person needs is one of these.
#   make app        set up what running needs, start the dashboard, print its address
#   make test       what a change needs: format, lint, types, tests, journeys in a browser
#   make test-all   everything: also PostgreSQL, killed processes, real servers, every width
SHELL := /bin/bash
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
DONE := $(VENV)/.installed
NODE_DONE := node_modules/.installed
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/npm
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --dist worksteal
# $(call timed,WHAT,COMMAND): say what goes on, and how long it took.
timed = @echo "$(1) ..."; begun=$$SECONDS; $(2) && echo "$(1): $$((SECONDS - begun)) s"

.PHONY: env lock lock-check wheel image release-check app test test-all check check-all docs audit bench bench-gpu torture crowd space browser postgres screenshots clean

# What running needs, and then what building needs: both from one lock (`make lock`).
$(RUNTIME): pyproject.toml constraints.txt requirements-runtime.lock
	$(call timed,Making $(VENV),test -x $(BIN)/python || $(PYTHON) -m venv $(VENV))
	$(call timed,Installing the packages that HallaScope runs on,$(PIP) --require-hashes --no-deps --requirement requirements-runtime.lock)
	$(call timed,Installing PyTorch,$(PIP) --constraint constraints.txt torch)
	$(call timed,Installing HallaScope,$(PIP) --no-deps --no-build-isolation --editable .)
	@touch $(RUNTIME)

env: $(DONE)

$(DONE): $(RUNTIME) requirements.lock
	$(call timed,Installing the tools that check it,$(PIP) --require-hashes --no-deps --requirement requirements.lock)
	@touch $(DONE)

# Every package with its version and the hashes of its files, from the ranges of pyproject.toml and the versions of constraints.txt;
# `make lock-check` writes nothing and compares a fresh run with them.
lock: env
	$(BIN)/python -m bench.release.lock

lock-check: env
	$(BIN)/python -m bench.release.lock --check

app: $(RUNTIME)
	$(BIN)/python app.py

# Lint and types run beside the tests, and what they say comes after them; the last line says how long all took.
test: env $(NODE_DONE) browser
	@mkdir -p build; $(MAKE) --no-print-directory check > build/check.log 2>&1 & checks=$$!; trap "kill $$checks 2> /dev/null" EXIT; \
	$(PYTEST) --hypothesis-profile few -m "not full"; tested=$$?; wait $$checks; checked=$$?; cat build/check.log; \
	echo "make test: $$((SECONDS / 60)) min $$((SECONDS % 60)) s"; exit $$((tested | checked))

test-all: check-all browser postgres
	@$(PYTEST) --hypothesis-profile many; tested=$$?; echo "make test-all: the tests took $$((SECONDS / 60)) min $$((SECONDS % 60)) s"; exit $$tested

check: env $(NODE_DONE)
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(NPM) run --silent check

# What a release needs beside `check`: how well prompts and replies are read.
check-all: check
	$(BIN)/python -m bench.parser_eval --part test --fig-at-least 0.74 --scene-graph-at-least 0.69
	$(BIN)/python -m bench.reply_eval --part test --at-least 0.98
	$(BIN)/python -m bench.reply_eval --part all --at-least 0.95

# The documentation as a site in build/site, without a network; links and anchors that lead nowhere fail.
docs: env
	$(BIN)/python -m bench.docs_site

# The tools that check JavaScript. Node itself comes with the environment.
$(NODE_DONE): package.json package-lock.json | env
	$(call timed,Installing the tools for the scripts of the page,$(NPM) ci --silent --ignore-scripts)
	@touch $(NODE_DONE)

# Known vulnerabilities of all installed packages; it fails where the service that knows them cannot be reached.
audit: env
	$(BIN)/pip-audit --local --skip-editable --progress-spinner off

# Speed and memory on an NVIDIA GPU; a sentence where there is none.
bench-gpu: env
	$(BIN)/python -m bench.gpu

# Sweeps that are killed, or lose their disk or database, beside undisturbed ones. It takes minutes.
torture: env
	$(BIN)/python -m bench.torture

# Fifty visitors at once on the public app, then 500 runs and what they leave in memory. It takes many minutes.
crowd: browser
	$(BIN)/python -m bench.crowd

# Speed and memory as ratios within one run, and clicks after a start. All of them run, whatever one of them misses.
BENCHES = judge_speed cold_start leaderboard_scale error_map_scale
bench: browser
	@failed=; for name in $(BENCHES); do \
		echo "python -m bench.$$name"; $(BIN)/python -m bench.$$name || failed="$$failed $$name"; \
	done; test -z "$$failed" || { echo "A bound was missed in:$$failed"; exit 1; }

# A Space's files in an empty folder and an empty environment, started and asked what visitors ask; without NAME the first. It takes minutes.
space: env
	$(BIN)/python -m bench.release.space_app $(NAME)

# The source distribution and the wheel in dist, with the licenses and the SBOM of all packages; installed and tried. It takes minutes.
wheel: env
	$(BIN)/python -m bench.release.wheel

# The container image of that wheel, built by podman or docker and tried without a network; BASE=IMAGE@sha256:... names what it starts from.
image: wheel
	$(BIN)/python -m bench.release.image $(if $(BASE),--base $(BASE))

# Everything that a release needs, in turn (docs/releasing.md).
release-check: lock-check audit test-all docs wheel image space

# Debian's chromium without windows, whose pages take less than half the time of the whole chromium's, and a font. Where they
# cannot be fetched, the whole chromium will do.
browser: env
	@command -v chromium-headless-shell >/dev/null || { \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq chromium-headless-shell fonts-dejavu-core; } || \
	  command -v chromium >/dev/null

# Debian's PostgreSQL where there is none; the tests make and start a server of their own, so no service is set up.
postgres: env
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || [ "$$HALLASCOPE_TEST_POSTGRES" = skip ] || { \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq postgresql-common && \
	  $$SUDO sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf && \
	  $$SUDO apt-get install -y -qq postgresql postgresql-client; }

# The weights of a model: judge, comparer, segmenter, embedder, domain (it downloads Debian packages that hold images), reading_confidence,
# or diffusion with RECIPE=tiny or small.
train-%: env
	$(BIN)/python -m training.$* $(if $(RECIPE),--recipe $(RECIPE))

screenshots: browser
	$(BIN)/python -m bench.screenshots

clean:
	rm -rf $(VENV) node_modules build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .cache
