# The commands of everyday work. `make run` and `make test` set up what they need in .venv.

PYTHON ?= $(shell for each in python3.12 python3.11 python3.13 python3.14 python3 python; do \
	"$$each" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
VENV := .venv
BIN := $(VENV)/bin
ALONE := processes or cluster or browser
# Who has done their share of the tests takes some of what the others have left.
SHARED := --numprocesses $(JOBS) --dist worksteal
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable

.DEFAULT_GOAL := help
.PHONY: help run test test-quick check format rules coverage upgrade lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.runs ## set up what is missing and run the service
	@exec $(BIN)/hoodwink run

test: $(VENV)/.develops ## run every test
	$(BIN)/pytest $(SHARED) --durations=10 -m 'not ($(ALONE))'
	$(BIN)/pytest --durations=10 -m '$(ALONE)'

test-quick: $(VENV)/.develops ## run the tests of the domain alone
	$(BIN)/pytest $(SHARED) tests/domain domain

check: $(VENV)/.develops ## look for what a reviewer would object to
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/hoodwink openapi --check

format: $(VENV)/.develops ## lay out the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

rules: $(VENV)/.develops ## list every rule with the tests that hold it
	$(BIN)/python -m tests.rules

coverage: $(VENV)/.develops ## measure the branch coverage of the domain
	$(BIN)/pytest $(SHARED) --cov --cov-report=term tests/domain domain

upgrade: $(VENV)/.develops ## upgrade a service in mid-play: make upgrade FROM=<commit>, KILL=1, IN_TURN=1
	@test -n '$(FROM)' || { echo 'Name the commit to upgrade from: make upgrade FROM=<commit>' >&2; exit 2; }
	$(BIN)/python -m tests.upgrade --from '$(FROM)' $(if $(SECONDS),--seconds '$(SECONDS)') $(if $(KILL),--kill) $(if $(IN_TURN),--in-turn)

lock: ## install the newest versions of all dependencies aside and write them down
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check '.[dev]'
	echo '# The versions that Hoodwink was tried with; `make lock` renews them.' > requirements.lock
	build/lock/bin/python -m pip freeze --exclude hoodwink >> requirements.lock

clean: ## remove all that can be made again; tables and events stay
	rm -rf $(VENV) .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Hoodwink needs Python 3.11 or newer, with its venv module (Debian: python3-venv).' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# A stamp tells that what it is named after is installed, so that the next start does not ask pip.
$(VENV)/.runs: pyproject.toml requirements.lock | $(BIN)/python
	@echo 'Installing into $(VENV) …'
	$(INSTALL) .
	@touch $@

$(VENV)/.develops: pyproject.toml requirements.lock | $(BIN)/python
	@echo 'Installing into $(VENV), with what the tests need …'
	$(INSTALL) '.[dev]'
	@touch $@ $(VENV)/.runs
