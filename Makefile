# The commands of the project; `make help` lists them. Works with GNU make 3.81 (macOS) and later.

PORT ?= 8000
BASTIDE_DATA ?= $(CURDIR)/data
export PORT BASTIDE_DATA
# The tests start a hundred interpreters, which share what each module was compiled to.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
INPUTS := pyproject.toml hatch_build.py scripts/prepare service/__init__.py
# Only what a fresh machine knows: no index, mirror or folder of packages that is set up on this one gets into a lock.
COMPILE := env -i PATH="$$PATH" HOME="$$HOME" $(BIN)/uv pip compile pyproject.toml --no-config --system-certs \
	--universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --quiet

# Two processes more than there are cores, each with its own Redis, server and browser; the idle take tests of others.
PYTEST := $(BIN)/pytest --numprocesses auto --dist worksteal --durations 10
# What holds the rules to what they said before, and every sentence to its words: seconds after a change.
QUICK := tests/test_architecture.py tests/rules/test_cases.py tests/rules/test_recorded_games.py \
	tests/rules/test_recorded_cases.py tests/service/test_texts.py tests/service/test_words.py \
	tests/web/test_language.py tests/web/test_catalogue.py tests/test_docs.py

# Style and types are looked at while tests run: mypy without its cache takes a core for half a minute. Both must pass.
define beside_check
$(MAKE) --no-print-directory check & check=$$!; \
$(1); tests=$$?; \
wait $$check || { echo 'Style or types are not in order: see "make check".' >&2; exit 1; }; \
exit $$tests
endef

.PHONY: help run test search quick coverage check format bench chaos attack wheel lock clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /make \1	/p' Makefile

run: .venv/run.stamp ## start Bastide on PORT (8000), with a Redis of its own unless REDIS_URL is set
	@exec $(BIN)/bastide serve

test: .venv/test.stamp ## run everything: style, types, tests
	@$(call beside_check,$(PYTEST))

search: .venv/test.stamp ## play other random games and try other examples than the tests do: SEARCHED="tests/rules"
	@GAMES_SEARCH=1 $(PYTEST) $(SEARCHED)

quick: .venv/test.stamp ## style, types, architecture, cases, recorded games, words: within a minute
	@$(call beside_check,$(PYTEST) $(QUICK))

coverage: .venv/test.stamp ## run every test and measure which lines and branches they reach
	$(PYTEST) --cov --cov-report term --cov-report json

check: .venv/test.stamp ## look at style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	scripts/node biome check --error-on-warnings
	scripts/node tsc --project tsconfig.json
	scripts/node tsc --project tsconfig.worker.json
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true scripts/node redocly lint --config tests/tools/redocly.yaml openapi.yaml
	scripts/node spectral lint --ruleset tests/tools/spectral.yaml --fail-severity hint openapi.yaml

format: .venv/test.stamp ## put the code into the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	scripts/node biome check --write

bench: .venv/test.stamp ## measure the speed, and end with 1 if it is worse: ONLY="unknowns post" RECORD=1
	@RECORD="$(RECORD)" $(BIN)/python -m benchmarks $(ONLY)

chaos: .venv/test.stamp ## do harm for an hour or two and count what is lost or doubled: SCALE=0.1 ONLY="R1 R1c" NO_TIME=1
	@$(BIN)/python -m tests.chaos --scale $(or $(SCALE),1) $(if $(NO_TIME),--no-time) $(ONLY)

attack: .venv/test.stamp ## attack a service that was started by "make run", each attack with its control: ONLY="limits"
	@$(BIN)/python -m tests.attack $(ONLY)

wheel: sbom ## build dist/bastide-….whl, which is all that another machine needs beside Python
	@$(BIN)/python -m hatchling build -t wheel -d dist

lock: .venv/test.stamp ## look for newer requirements and lock them
	$(COMPILE) --upgrade --extra build --output-file requirements.lock
	$(COMPILE) --upgrade --extra build --extra test --constraints requirements.lock --output-file requirements-dev.lock

clean: ## remove what was made here, but not the games in data/
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage coverage.json build dist

.venv/run.stamp: requirements.lock $(INPUTS)
	@scripts/prepare run
	@touch $@

# The environment of the tests has all that is needed to run, too.
.venv/test.stamp: requirements-dev.lock tests/tools/package-lock.json $(INPUTS)
	@scripts/prepare test
	@touch $@ .venv/run.stamp .venv/client.stamp

# The client's models are made of the contract.
.venv/client.stamp: .venv/test.stamp openapi.yaml $(wildcard clients/python/*.* clients/python/bastide_client/async_client.py)
	@scripts/prepare client
	@touch $@

# --- looking after it -------------------------------------------------------------------------------------------------

TRANSLATIONS := web/translations
SAME_LOOK := --width=120 --ignore-pot-creation-date --ignore-obsolete --no-fuzzy-matching
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard $(TRANSLATIONS)/*/LC_MESSAGES/*.po))

.PHONY: words record contract cases picture portraits icons mutate hooks sbom audit test-all

words: .venv/test.stamp ## renew the catalogue of the pages' words, compile it, and list what is not translated
	@mkdir -p build
	$(BIN)/pybabel --quiet extract -F $(TRANSLATIONS)/babel.cfg --no-location --sort-output -o build/messages.pot web
	$(BIN)/pybabel --quiet update -i build/messages.pot -d $(TRANSLATIONS) $(SAME_LOOK)
	$(BIN)/pybabel --quiet compile -d $(TRANSLATIONS)
	$(BIN)/pytest --quiet tests/web/test_catalogue.py

# The installation compiles the catalogues, too; this is for words that were changed since.
$(CATALOGUES): %.mo: %.po
	@$(BIN)/pybabel --quiet compile -i $< -o $@ -l $(notdir $(patsubst %/LC_MESSAGES/,%,$(dir $<)))

run test quick coverage test-all picture: $(CATALOGUES)
test quick search coverage check test-all: .venv/client.stamp

record: .venv/test.stamp ## record anew what the referee says of recorded games and cases, and list what differs
	@$(BIN)/python -m tests.rules.test_recorded_games
	@$(BIN)/python -m tests.rules.test_recorded_cases

contract: .venv/test.stamp ## write the schemas of openapi.yaml anew from the rules, and its examples from answers
	@$(BIN)/python -m service.http.openapi
	@RECORD=1 $(BIN)/pytest -q -n 0 tests/test_contract_examples.py::test_record_the_examples
	@git --no-pager diff --stat -- openapi.yaml

cases: .venv/test.stamp ## number the worked cases that have no number yet
	@$(BIN)/python -m service.cases.numbering

portraits: .venv/test.stamp ## draw the pictures of the games anew, after a change to a board
	@$(BIN)/python -m web.portraits

picture: .venv/test.stamp ## photograph a table for the README: docs/table.png
	@CHROMIUM="$$(scripts/browser)" $(BIN)/python -m scripts.picture

icons: .venv/test.stamp ## draw the icons of the installed pages anew from web/static/icon.svg
	@CHROMIUM="$$(scripts/browser)" $(BIN)/python -m scripts.icons

mutate: .venv/test.stamp ## break rules and log in SECONDS (1800) of places drawn by SEED, and list what no test sees
	@MUTATE_SECONDS="$(or $(SECONDS),1800)" SEED="$(SEED)" nice -n 19 $(BIN)/python -m scripts.mutate $(AREAS)

hooks: .venv/test.stamp ## look at style, types and words before each commit (git hooks)
	@$(BIN)/pre-commit install

SBOM ?= build/sbom.json

sbom: .venv/test.stamp ## list everything that runs, with versions and hashes: build/sbom.json (CycloneDX)
	@mkdir -p $(dir $(SBOM))
	@PYTHONWARNINGS=ignore $(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --mc-type application \
		--output-reproducible $(SBOM_OPTIONS) --output-file $(SBOM) requirements.lock
	@echo 'Written: $(SBOM)'

audit: .venv/test.stamp ## ask a public database whether a locked requirement has known weaknesses
	@scripts/audit requirements.lock

test-all: .venv/test.stamp ## run the tests but those in a browser on every Python that is here (3.11 to 3.14)
	@scripts/test-all $(wordlist 2,99,$(PYTEST)) $(TESTS)
