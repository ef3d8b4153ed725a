# Everything that a fresh machine needs is installed by these targets: git, make and Python 3.11 or
# later are enough. The virtual environment is in .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
DEMO_READY := .venv/demo-ready
RECAST := benchmarks/.build/recast_driver
RECAST_HEADERS := /usr/include/recastnavigation
# Compiled kernels that check every index, in a cache of their own: numba's does not tell them from
# others.
BOUNDS := NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/benchmarks/.build/bounds
MINUTES ?= 30
FIRST ?= 0

.PHONY: demo test wheel wheel-test bounds lint browser screenshots architecture lesson bench bench-quick sweep fingerprints fuzz fuzz-files fuzz-builds fuzz-queries clean

demo: $(DEMO_READY)
	$(BIN)/walkmesh demo

# The tests run twice: with compiled kernels, and those marked plain_python once more without the
# JIT, where an index out of range is an error.
test: lint browser
	$(BIN)/walkmesh warmup
	$(BIN)/pytest -q -n auto
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -n auto -m "plain_python and not compiled_only" tests
	$(MAKE) wheel-test

# Wheels with compiled kernels, to dist, for each CPython of VERSIONS that is found.
VERSIONS ?= 3.11 3.12 3.13
wheel: $(READY)
	$(BIN)/python tools/build_wheels.py $(VERSIONS)

# The wheel for the Python of .venv, installed and tried by a user who may write nowhere.
wheel-test: $(READY)
	$(BIN)/python tools/build_wheels.py $$($(BIN)/python -c "import sys; print('{}.{}'.format(*sys.version_info))")
	WALKMESH_WHEELS=dist $(BIN)/pytest -q tests/wheel

# All tests with compiled kernels in which an index out of range is an error.
bounds: $(READY) browser
	$(BOUNDS) $(BIN)/walkmesh warmup
	$(BOUNDS) $(BIN)/pytest -q -n auto

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/architecture.py --check

# Tests of the viewer's page need a browser; without one they are skipped.
browser:
	@if ! command -v chromium > /dev/null && ! command -v google-chrome > /dev/null; then \
		if test "$$(id -u)" = 0; then sudo=; else sudo=sudo; fi; \
		{ $$sudo apt-get update -q && $$sudo apt-get install -q -y chromium; } || \
			echo "tests: Chromium is missing, so the viewer is not tried in a browser" >&2; \
	fi

# The pictures of the viewer in the documentation, as the tests see it.
screenshots: $(READY) browser
	WALKMESH_SCREENSHOTS=docs/images $(BIN)/pytest -q tests/viewer/page/test_browser.py

# The picture of the rooms in docs/architecture.md, as the imports have it.
architecture: $(READY)
	$(BIN)/python tools/architecture.py

# The pictures of docs/lesson.md, as its code makes them.
lesson: $(READY)
	WALKMESH_LESSON=docs/images $(BIN)/pytest -q tests/test_lesson.py

# Everything, in half an hour, to benchmarks/RESULTS.md; or a part of it, in two minutes, to
# benchmarks/.build/RESULTS.md.
bench: $(READY) $(RECAST)
	$(BIN)/walkmesh warmup
	$(BIN)/python benchmarks/results.py

bench-quick: $(READY) $(RECAST)
	$(BIN)/walkmesh warmup
	$(BIN)/python benchmarks/results.py --quick

# Thirty agents on every scene with every method, in hours; it goes on where it was stopped.
# SWEEP="--scenes house --agents cat giant" builds a part of it.
sweep: $(READY)
	$(BIN)/walkmesh warmup
	$(BIN)/python benchmarks/sweep.py $(SWEEP)

# Digests of everything that walkmesh makes, to hold the code before a refactoring against the code
# after it: FINGERPRINTS="--output before.json", then FINGERPRINTS="--compare before.json". A part of
# them with --quick.
fingerprints: $(READY)
	$(BIN)/walkmesh warmup
	$(BIN)/python benchmarks/fingerprints.py $(FINGERPRINTS)

# Many new examples for every property, instead of the same few.
fuzz: $(READY)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -q -n auto

# Hostile input, each case in a process with limits, for MINUTES from case FIRST on; what is found is
# written to benchmarks/.build/fuzz.
fuzz-files fuzz-builds fuzz-queries: fuzz-%: $(READY)
	$(BOUNDS) $(BIN)/walkmesh warmup
	$(BOUNDS) $(BIN)/python -m fuzz $* --minutes $(MINUTES) --first $(FIRST)

clean:
	rm -rf .venv .venv-wheels dist benchmarks/.build walkmesh-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What the demo needs is a fourth of what the tests need.
$(DEMO_READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	touch $@

$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# What runs Recast for the benchmarks, built against Debian's package.
$(RECAST): benchmarks/recast_driver.cpp
	@if ! command -v g++ > /dev/null || ! test -f $(RECAST_HEADERS)/Recast.h; then \
		if test "$$(id -u)" = 0; then sudo=; else sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		$$sudo apt-get install -q -y g++ librecast-dev || { \
			echo "benchmarks: Recast is missing; install g++ and librecast-dev (Debian, Ubuntu)" >&2; exit 1; }; \
	fi
	mkdir -p $(@D)
	g++ -std=c++17 -O3 -DNDEBUG -Wall -Wextra -I$(RECAST_HEADERS) $< -o $@ -lRecast -lDetour
