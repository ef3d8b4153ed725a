# Everything that a fresh machine needs is installed by these targets: git, make and Python 3.11 or
# later are enough. The virtual environment is in .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: demo test lint bench fuzz clean

demo: $(READY)
	$(BIN)/walkmesh demo

# The tests run twice: with compiled kernels, and the kernels' own once more as plain Python, where
# an index out of range is an error.
test: lint
	$(BIN)/walkmesh warmup
	$(BIN)/pytest -q -n auto
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -n auto -k "not real_scenes and not fine" tests/test_detail.py tests/test_detail_files.py tests/test_ears.py tests/test_gaps.py tests/test_load_scene.py \
		tests/test_navmesh.py tests/test_polygons.py tests/test_query.py tests/test_scene.py tests/test_simplify.py tests/test_validate.py

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/walkmesh warmup
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/load_scene.py
	$(BIN)/python benchmarks/build.py
	$(BIN)/python benchmarks/exact.py

# Many new examples for every property, instead of the same few.
fuzz: $(READY)
	HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -q -n auto

clean:
	rm -rf .venv walkmesh-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
