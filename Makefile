# `make demo` and `make test` do all their own set-up: a virtual environment and the packages.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: demo test lint types clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(STAMP)
	sh examples/demo.sh

test: $(STAMP) lint types
	$(BIN)/python -m pytest -q -n 2

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
