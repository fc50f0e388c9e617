# `make demo` and `make test` do all their own set-up: a virtual environment and the packages.

# The first Python that has wheels of everything (3.11 to 3.13); name another with PYTHON=….
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: demo test golden lint types clean

$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed: install one, or say PYTHON=path" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(STAMP)
	sh examples/demo.sh

test: $(STAMP) lint types
	$(BIN)/python -m pytest -q -n 2

# Rewrites golden files and the outputs in the documentation; look at the difference before committing it.
golden: $(STAMP)
	$(BIN)/python -m pytest -q -n 2 --update-golden

lint: $(STAMP)
	$(BIN)/ruff format --check engine sim tests benchmarks
	$(BIN)/ruff check engine sim tests benchmarks

# mypy does not follow setuptools' package-dir mapping: give it the package laid out as links.
types: $(STAMP)
	rm -rf .venv/typing && mkdir -p .venv/typing/tilesat
	for entry in engine/* sim rules archs ktir_specs; do ln -s "$$PWD/$$entry" .venv/typing/tilesat/; done
	MYPYPATH=.venv/typing $(BIN)/mypy -p tilesat

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
