# Everything by name: `make demo`, `make test`, … ; README.md says more.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
LAUNCHER := cypher/embedded/target/trellis-embedded.jar
JAVA_FILES := $(shell find cypher -path '*/target' -prune -o -type f \( -name '*.java' -o -name pom.xml \) -print)
MVN := mvn --batch-mode --no-transfer-progress -f cypher
STEP := @deploy/step
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j2  # Python and Java are set up side by side
endif

.PHONY: demo test faults check lint docs sbom picture bench lab figures model install java setup prerequisites test-prerequisites worker clean

demo: setup  ## install, build, start everything, ask five questions (ONCE=1: then stop)
	@$(BIN)/trellis demo $(if $(ONCE),--once)

test: setup worker test-prerequisites lint  ## every check and test there is
	$(MVN) verify
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile

faults: setup test-prerequisites  ## kill and freeze each part while clients ask, and print what came of it (CLIENTS=16 MINUTES=30)
	OMP_NUM_THREADS=1 FAULT_CLIENTS=$(CLIENTS) SOAK_MINUTES=$(MINUTES) $(BIN)/pytest tests/faults/drill_*.py

check: install lint  ## the fast everyday part: lint, types, layering, unit tests
	OMP_NUM_THREADS=1 $(BIN)/pytest tests/unit -m 'not slow' -n 2 --dist loadfile

lint: | $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: install  ## write what is generated in docs/
	$(BIN)/python deploy/docs

picture: setup test-prerequisites  ## draw the page again for README.md
	TRELLIS_PICTURE=docs/page.png $(BIN)/pytest tests/page/test_demo_page.py

sbom: | prerequisites  ## what the product is made of, as CycloneDX, into dist/
	deploy/sbom

bench: setup  ## the benchmarks, ours beside the reference figures (PART=scale: one of them)
	$(BIN)/trellis bench $(if $(PART),--part $(PART))

lab: setup  ## experiments, results in lab/results (EXPERIMENT=name: run one; COMPARE=base: what moved since)
	$(BIN)/python -m $(if $(COMPARE),lab.compare $(COMPARE) $(if $(EXPERIMENT),--name $(EXPERIMENT)),lab.experiment $(EXPERIMENT))

figures: install  ## write the tables of docs/figures.md and other pages from lab/results
	$(BIN)/python -m lab.figures

model: setup  ## train all that is shipped again: the atlas model, the reader, the confidence of models nobody judged
	deploy/model
	deploy/reader --out service/trellis/models/reader/shipped
	deploy/reader-turns service/trellis/models/reader/shipped --out var/turned-reader
	cp var/turned-reader/* service/trellis/models/reader/shipped/
	deploy/reader-confidence service/trellis/models/reader/shipped
	deploy/general

setup: install java  ## what demo and tests need: Python and Java side by side

prerequisites:
	@deploy/prerequisites $(PYTHON)

test-prerequisites: | prerequisites  ## what tests alone need: Chromium, PostgreSQL
	@deploy/prerequisites $(PYTHON) tests

install: $(INSTALLED)

$(BIN)/pip: | prerequisites
	$(STEP) 1/3 "Python environment" "install Python 3.11 or later with venv, or name one: make PYTHON=python3.12" \
	  $(PYTHON) -m venv .venv

$(INSTALLED): pyproject.toml constraints.txt deploy/packages | $(BIN)/pip
	$(STEP) 2/3 "Python packages" "see that the package index can be reached and the disk has 5 GB left, then run make again" \
	  deploy/packages
	@touch $@

worker: .venv-worker/.installed  ## what `trellis worker` needs: vLLM, in an environment of its own

.venv-worker/.installed: deploy/worker deploy/worker-constraints.txt pyproject.toml | prerequisites
	$(STEP) worker "vLLM's environment" "see that the package index can be reached and the disk has 10 GB left, then run make again" \
	  deploy/worker $(PYTHON)

java: $(LAUNCHER)

$(LAUNCHER): $(JAVA_FILES) | prerequisites
	$(STEP) 3/3 "Java build" "see that Maven's repository can be reached, then run make again" \
	  $(MVN) package -DskipTests
	@touch $@

clean:  ## remove what was built and the demo's data
	rm -rf .venv .venv-worker var cypher/target cypher/*/target
