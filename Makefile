# Everything runs in .venv, which the first target makes. A stamp file marks each set of packages as installed,
# so a second run calls no pip and needs no network.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Bytecode is written for what is imported, by what imports it: for all that is installed it is 18 s of one core
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-warn-script-location --no-compile
# -j for pytest: one process a core
JOBS   ?= auto
# What Sphinx has read: the examples of the site run once, while pages are read, and not again for each builder. One
# process: of several, each begins anew after ten pages, and imports again what the examples of its pages need
PAGES  := -W -n --keep-going -q -d docs/_build/pages docs
# Processes of tests and of the site are many: they share the bytecode of the first
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help packages demo test pytest lint types docs doctest doctest-names doctest-pages bench bench-peers side-by-side neighbors clean
.DELETE_ON_ERROR:

help:
	@echo 'make demo     the power flow of the IEEE 118-bus and 300-bus grids'
	@echo 'make test     lint, types, and every test'
	@echo 'make docs     the site, warnings and broken links are errors: docs/_build/html/index.html'
	@echo 'make doctest  every example in docstrings, the site and the README'
	@echo 'make bench    ours beside hand-written C and other libraries: benchmarks/RESULTS.md; ROWS=softmax for one row'
	@echo 'make bench-peers  installs those libraries, in an environment of their own'
	@echo 'make side-by-side  the programs of functrans, JAX and CasADi on the page of that name print what is recorded'
	@echo 'make neighbors  the examples of the pages on JAX, PyTorch, CasADi and others, where these are installed'
	@echo 'make lint     ruff'
	@echo 'make types    mypy'
	@echo 'make clean    remove .venv and everything built'

packages: $(VENV)/.dev $(VENV)/.docs

demo: $(VENV)/.examples
	@$(BIN)/python -m examples.power_flow

test: lint types pytest

pytest: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

lint: $(VENV)/.dev
	@$(BIN)/python -m ruff check --output-format=concise .

types: $(VENV)/.dev
	@$(BIN)/python -m mypy

docs: $(VENV)/.docs
	@$(BIN)/python -m sphinx -b html $(PAGES) docs/_build/html
	@$(BIN)/python docs/check_links.py docs/_build/html
	@echo 'docs/_build/html/index.html'

doctest: doctest-names doctest-pages

doctest-names: $(VENV)/.dev
	@$(BIN)/python -m pytest -q -n $(JOBS) --doctest-modules functrans

# after the site, where that is asked for too, which has read the pages then
doctest-pages: $(VENV)/.docs $(filter docs,$(MAKECMDGOALS))
	@$(BIN)/python -m sphinx -b doctest $(PAGES) docs/_build/doctest
	@$(BIN)/python docs/run_markdown.py README.md

bench: $(VENV)/.examples
	@$(BIN)/python -m benchmarks $(ROWS)

side-by-side: $(VENV)/.examples
	@$(BIN)/python -m benchmarks.side_by_side

# The site's build runs what needs functrans alone; these pages need the libraries that they are about.
NEIGHBORS := call-from-jax call-from-torch export-c function-pointers ipopt-and-casadi other-solvers
neighbors:
	@PYTHONPATH=. benchmarks/.venv-peers/bin/python docs/run_markdown.py $(NEIGHBORS:%=docs/howto/%.md)

# An environment of their own for the libraries that are measured beside functrans. One that cannot be installed is left out.
bench-peers:
	@test -d benchmarks/.venv-peers || $(PYTHON) -m venv benchmarks/.venv-peers
	@for peer in $$(cat benchmarks/peers.txt); do \
	  benchmarks/.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check $$peer || echo "no $$peer"; done
	@benchmarks/.venv-peers/bin/python -m benchmarks.data

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("functrans needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@echo 'making $(VENV)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# functrans is pure Python: an editable install, so the stamps depend on the list of packages alone.
$(VENV)/.examples: pyproject.toml | $(VENV)/.made
	@echo 'installing functrans[examples]'
	@$(PIP) -e '.[examples]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.made
	@echo 'installing functrans[dev]'
	@$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.examples

$(VENV)/.docs: pyproject.toml | $(VENV)/.made
	@echo 'installing functrans[docs]'
	@$(PIP) -e '.[docs]'
	@touch $@ $(VENV)/.examples

clean:
	rm -rf $(VENV) benchmarks/.venv-peers benchmarks/.build build dist out docs/_build docs/_inventories docs/reference/names .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find functrans tests examples docs -name __pycache__ -type d -prune -exec rm -rf {} +
