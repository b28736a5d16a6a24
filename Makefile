# What people run: `make demo`, `make sandbox`, `make test`. Everything lives in one virtual environment, .venv.
#
#   PYTHON=python3.12   another interpreter than python3.11 or python3
#   ARGS="--players 2"  more arguments for the target's command

PYTHON := $(shell command -v python3.11 || command -v python3 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS := 2
ARGS :=

.PHONY: help demo sandbox test postgresql fast eval check format catalogues looks bench audit pace arena year kills workers soak constraints clean

help: ## say what there is to make
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 20

demo: $(VENV)/runtime ## let bots play a whole game by real mails, on a mail server of its own
	@$(BIN)/pbem demo $(ARGS)

sandbox: $(VENV)/runtime ## try a game in your browser, at all seats of a table
	@$(BIN)/pbem sandbox $(ARGS)

test: $(VENV)/develop ## run all tests, those on a real mail server too where Dovecot is installed
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal $(ARGS)

postgresql: $(VENV)/develop ## hold the conversations of the tests on PostgreSQL too
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal --database=postgresql -m "not slow" tests/conversations $(ARGS)

fast: $(VENV)/develop ## run the tests that take less than a second each
	@$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not slow" $(ARGS)

eval: $(VENV)/develop ## tell how well own text is told from quotation, by language and by program
	@$(BIN)/python -m tests.letters.evaluation $(ARGS)

check: $(VENV)/develop ## run ruff, mypy and the import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(VENV)/develop ## let ruff put the sources in shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

catalogues: $(VENV)/develop ## bring the lists of what there is to translate up to date
	@$(BIN)/python -m tests.catalogues

looks: $(VENV)/develop ## write pictures of mails to looks/, on a phone and a desk, light and dark, in every language
	@$(BIN)/python -m tests.looks $(or $(ARGS),looks)

audit: $(VENV)/develop ## check the packages that pbem is built on: known flaws, versions, licences; ARGS=--offline without a network
	@$(BIN)/python -m tests.audit $(ARGS)

bench: $(VENV)/develop ## measure speed as ratios: one JSON object; ARGS=engine, host, growth, pictures or archive for a part of it
	@$(BIN)/python -m benchmarks $(ARGS)

pace: $(VENV)/develop ## count what plans spare in whole games by mail; ARGS=0.1 for a tenth of the games
	@$(BIN)/python -m benchmarks.pace $(ARGS)

arena: $(VENV)/develop ## let the bots play against each other: who wins, with errors; ARGS=0.1 for a tenth of the games
	@$(BIN)/python -m benchmarks.arena $(ARGS)

year: $(VENV)/develop ## live through a year of 200 games by mail and judge its fairness; ARGS=0.1 for a tenth of them
	@$(BIN)/python -m benchmarks.year $(ARGS)

kills: $(VENV)/develop ## kill the real program 2,000 times while people play; ARGS=0.05 for a part of it
	@$(BIN)/python -m tests.kills $(ARGS)

workers: $(VENV)/develop ## measure 1, 2 and 4 workers on PostgreSQL, and kill them while people play; ARGS=0.2 for less
	@$(BIN)/python -m tests.workers $(ARGS)

soak: $(VENV)/develop ## play 500 games through Dovecot to their ends: memory and open files stay flat; ARGS=0.02 for fewer
	@$(BIN)/python -m tests.soak $(ARGS)

# Exact versions of everything, found by resolving pyproject.toml anew in an environment of its own.
constraints: ## write constraints.txt anew, with the newest versions that pyproject.toml allows
	@rm -rf $(VENV)-fresh
	@$(PYTHON) -m venv $(VENV)-fresh
	@$(VENV)-fresh/bin/python -m pip --disable-pip-version-check --quiet install -e ".[dev]"
	@$(VENV)-fresh/bin/python -m pip freeze --exclude-editable > constraints.txt
	@rm -rf $(VENV)-fresh

clean: ## remove all that was made, the virtual environment and the demo's games too
	rm -rf $(VENV) $(VENV)-fresh build dist demo *.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is younger than what it was installed from, so that a second run installs nothing.
$(VENV)/runtime: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) install -c constraints.txt -e ".[pictures,sandbox]"
	@touch $@

$(VENV)/develop: pyproject.toml constraints.txt | $(BIN)/python
	@$(PIP) install -c constraints.txt -e ".[dev]"
	@touch $@ $(VENV)/runtime

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "Python 3.11 is missing: install it, or name one with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	    || { echo "python3-venv is missing: install it with your package manager, then run make again" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
