# Every target sets up what it needs, in a virtual environment beside this file.

VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && { echo $$p; break; }; done)
READY := $(VENV)/.ready
# One more than there are cores: many a test waits for a limit, or for a process of its own.
PROCESSES := $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)

FUZZ_RUNS ?= 100000

.PHONY: demo test check bench numpy-suite fuzz coverage format clean

demo: $(READY)  ## grade the shipped submissions and leave reports to open
	$(BIN)/grader grade problems/attention_copying submissions/attention_copying -o reports
	@echo
	@echo "Open reports/index.html in a browser."

test: $(READY)  ## run the tests
	$(BIN)/pytest -n $(PROCESSES) --dist worksteal

check: $(READY)  ## style, types and layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

verify: $(READY)  ## whether every shipped problem is sound
	@for problem in problems/*/; do echo "$$problem"; $(BIN)/grader verify $$problem || exit 1; done

bench: $(READY)  ## speed and memory, beside pytest, in one run
	$(BIN)/python -m benchmarks

numpy-suite: $(READY)  ## numpy's own tests, inside the sandbox and outside: takes a while
	$(BIN)/python -m tests.sandbox.numpy_suite

fuzz: $(READY)  ## try inputs on what reads the untrusted, guided by coverage
	@$(BIN)/python -c 'import atheris' 2>/dev/null || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[fuzz]'
	@for target in wire replies notebook archive answers formula lms; do \
		$(BIN)/python -m fuzz $$target --runs $(FUZZ_RUNS) || exit 1; done

coverage: $(READY)  ## which lines the tests run
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --skip-covered

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Debian keeps venv in a package of its own; as root we can fetch it, else we say what to do.
$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "grader needs Python 3.11 or newer" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -q && apt-get install -y -q python3-venv; } || { \
		echo "Python's venv module is missing: install python3-venv" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $(READY)
