# The commands of everyday work. `make run` and `make test` set up what they need in .venv.

# Without cached bytecode, each process that the tests start compiles the whole tree.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= $(shell for python in python3.12 python3.11 python3.13 python3.14 python3 python; do \
	"$$python" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
VENV := .venv
BIN := $(VENV)/bin
# The tests of one module stay together, because they share a service, a browser or tables.
PYTEST := $(BIN)/pytest --dist loadfile --no-loadscope-reorder --durations=10 --numprocesses
# Tests with processes often wait for them and for clocks, so more than one test can run per core.
WAITING_JOBS := $(shell expr 2 \* $(JOBS) + 1)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Nothing is installed whose hash is not in the lock. That includes what then builds the project itself.
install = $(PIP) --require-hashes --requirement $(1) && $(PIP) --no-deps --no-build-isolation --editable . --editable clients/python
# `--universal` locks all files of a version, for every platform and Python version, with their conditions.
# `--no-strip-extras`: pip before 24 ignores the pin of `coverage` where another package requires `coverage[toml]`.
# `--no-emit-package`: the client is in this repository, but what it requires is not.
LOCK := build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-strip-extras --no-emit-package hoodwink-client --custom-compile-command 'make lock'

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-engines test-quick check format rules coverage pictures page-figures upgrade compose release client generators lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.runs ## set up what is missing and run the service
	@exec $(BIN)/hoodwink run

test: $(VENV)/.develops ## run every test but the campaigns
	$(PYTEST) $(WAITING_JOBS) -m 'not campaign'

test-all: test ## run every test, and the long campaigns
	$(PYTEST) $(WAITING_JOBS) -m campaign
	$(BIN)/python -m tests.flips
	$(BIN)/python -m tests.hostile

test-engines: $(VENV)/.develops ## try the page in Firefox and WebKit, if they are installed
	$(BIN)/pytest tests/service/web/engines

test-quick: $(VENV)/.develops ## run the tests of the domain alone
	$(PYTEST) $(JOBS) -m 'not campaign' tests/domain

check: $(VENV)/.develops ## lint, check types, layers and openapi.yaml
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/hoodwink openapi --check

format: $(VENV)/.develops ## format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

rules: $(VENV)/.develops ## list every rule with the tests that prove it
	$(BIN)/python -m tests.rules

coverage: $(VENV)/.develops ## measure the branch coverage of the domain
	$(PYTEST) $(JOBS) --cov --cov-report=term -m 'not campaign' tests/domain

pictures: $(VENV)/.develops ## draw every room of the page: ONLY='table rules'; README=1 for the picture in README.md
	$(BIN)/python -m tests.service.web.pictures $(ONLY) $(if $(README),--readme)

page-figures: $(VENV)/.develops ## measure the page in Chromium: ONLY='weight cold'
	$(BIN)/python -m tests.service.web.figures $(ONLY)

upgrade: $(VENV)/.develops ## upgrade a service in mid-play: make upgrade FROM=<commit>, KILL=1, IN_TURN=1
	@test -n '$(FROM)' || { echo 'Name the commit to upgrade from: make upgrade FROM=<commit>' >&2; exit 2; }
	$(BIN)/python -m tests.upgrade --from '$(FROM)' $(if $(SECONDS),--seconds '$(SECONDS)') $(if $(KILL),--kill) $(if $(IN_TURN),--in-turn)

compose: ## build the containers, play in them and kill them: as root on Debian, with Podman
	@$(or $(PYTHON),python3) tests/compose/machine.py
	@$(MAKE) --no-print-directory $(VENV)/.develops
	$(BIN)/python -m tests.compose

release: $(VENV)/.develops ## build the sdist and the wheel in dist, and try the wheel in an empty environment
	$(BIN)/python -m tests.release

client: $(VENV)/.develops ## write the generated files of clients/python
	cd clients/python && $(abspath $(BIN))/datamodel-codegen && $(abspath $(BIN))/python unasync.py

generators: ## install the TypeScript generators that tests use, from the lock of npm
	npm ci --prefix tests/clients --ignore-scripts --no-audit --no-fund

lock: ## write the newest versions of all dependencies, with hashes, to the two lock files
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOCK) --extra dev --output-file requirements-dev.lock pyproject.toml
	printf 'hatchling\neditables\n' | $(LOCK) --extra service --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml -

clean: ## remove everything that can be generated again; tables and events stay
	rm -rf $(VENV) .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist tests/clients/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Hoodwink needs Python 3.11 or newer, with its venv module (Debian: python3-venv).' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp file records a finished installation, so that the next start need not run pip.
$(VENV)/.runs: pyproject.toml clients/python/pyproject.toml requirements.lock | $(BIN)/python
	@echo 'Installing into $(VENV) …'
	$(call install,requirements.lock)
	@touch $@

$(VENV)/.develops: pyproject.toml clients/python/pyproject.toml requirements-dev.lock | $(BIN)/python
	@echo 'Installing into $(VENV), with the tools for tests and checks …'
	$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/.runs
