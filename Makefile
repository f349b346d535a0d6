# HallaScope: everything a person needs is one of these.
#   make app     set up if needed, start the dashboard, print its address
#   make test    set up if needed, run everything: format, lint, types, tests, browser
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.installed

.PHONY: env app test check bench browser train-judge screenshots clean

env: $(DONE)

$(DONE): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(DONE)

app: env
	$(BIN)/python app.py

test: check browser
	$(BIN)/python -m pytest

check: env
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: env
	$(BIN)/python -m engine.bench

# Debian's chromium and a font, where they are missing and apt is there to fetch them.
browser: env
	@command -v chromium >/dev/null || { \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq chromium fonts-dejavu-core; }

train-judge: env
	$(BIN)/python -m backends.embedded.training.judge

screenshots: browser
	$(BIN)/python -m tests.browser.screenshots

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
