# make run     set up, crawl the demo site, answer a search over MCP
# make test    set up, run all tests
# make lint    lint, format, types, import direction
# make check   lint, then the tests
# make bench   the benchmarks that need nothing from outside
# make clean   remove what the others made

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: run test lint check bench clean
.DEFAULT_GOAL := run

run: $(VENV)/installed
	$(BIN)/contentbot demo

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest

check: lint test

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/search.py
	$(BIN)/python benchmarks/sitemaps.py

clean:
	rm -rf $(VENV) .venv-tools build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/installed

# Some distributions split venv's ensurepip into a package of its own; virtualenv, by pip, needs nothing of it.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; call make PYTHON=/path/to/it"; exit 1; }
	$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
	  $(PYTHON) -m pip install --quiet --disable-pip-version-check --target .venv-tools virtualenv && \
	  PYTHONPATH=.venv-tools $(PYTHON) -m virtualenv --quiet $(VENV); }
