# Every target runs over the modules of go.work: `./...` at the root would find
# none of them, because the root is not a module. Narrow a target with MODULES:
#
#	make test MODULES="modelspec planner" TESTFLAGS=-v
#
# Flags go on command lines only, so that a GOFLAGS of yours stays in force.

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO       ?= go
MODULES  ?= $(shell sed -n 's|^\t\./||p' go.work)
PACKAGES  = $(MODULES:%=./%/...)

# Modules that go.work leaves out (versions.yaml).
OUTSIDE := deploy/charttest integration/collector integration/grammars integration/postgresgrammar

TESTFLAGS  ?= -timeout 15m
# Tests wait for servers, browsers and processes: one package more than there are processors keeps these busy.
AT_ONCE    ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
FUZZTIME   ?= 30s

# Tests that read files outside of their module. The go command does not count those
# files when it decides whether a cached result is still good.
UNCACHED = $(if $(filter tools,$(MODULES)),./tools/layering ./tools/promises ./tools/prose ./tools/workflows) $(if $(filter cmd,$(MODULES)),./cmd/internal/doctest ./cmd/internal/paritytest ./cmd/internal/runbooktest)

# Where tests get their database servers from (see integration/doc.go). Starting
# containers takes a while; `make integration` does it.
export SEMLAYER_SERVERS ?= dsn,local

VERSION = $(shell tools/scripts/version.sh)

GOLANGCI_VERSION := v2.15.0
GOLANGCI         := $(CURDIR)/.cache/bin/golangci-lint-$(GOLANGCI_VERSION)

GOTESTSUM_VERSION := v1.13.0
GOTESTSUM         := $(CURDIR)/.cache/bin/gotestsum-$(GOTESTSUM_VERSION)

# .ci/run names the file RERUN: a test that fails is run again, and its name is added to the
# file. Without it tests run once, and no tool is installed.
ifdef RERUN
GOTEST = tools/scripts/rerun-tests.sh $(GOTESTSUM) $(RERUN)
test race-short: $(GOTESTSUM)
else
GOTEST = $(GO) test
endif

GOVULNCHECK_VERSION := v1.9.0
GOVULNCHECK         := $(CURDIR)/.cache/bin/govulncheck-$(GOVULNCHECK_VERSION)
VULNFLAGS           ?=

HELM_VERSION := v3.22.0
HELM         := $(CURDIR)/.cache/bin/helm-$(HELM_VERSION)

# Its minor version is that of k8s.io/api in deploy/charttest/go.mod.
KUBERNETES_VERSION := v1.37.2

PROMTOOL_VERSION := v0.316.0
PROMTOOL         := $(CURDIR)/.cache/bin/promtool-$(PROMTOOL_VERSION)

IMAGE ?= semlayer:dev

# A target with a name of letters and dashes is a command, not a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do printf '  make %-16s %s\n' "$$name" "$$what"; done

build: binary ## compile every module, and bin/semlayer
	$(GO) build $(PACKAGES)

# -trimpath and a version that depends on the commit only: two machines with the
# same compilers make the same file.
binary:
	$(GO) build -trimpath -buildvcs=false -ldflags '-X main.version=$(VERSION)' -o bin/semlayer ./cmd/semlayer

deb: binary ## write the Debian package of bin/semlayer, install it into an empty root, start it and remove it (Debian, as root)
	package=$$(tools/scripts/debian-package.sh bin/semlayer '$(VERSION)' bin) && \
		cd tools && SEMLAYER_DEB=$(CURDIR)/$$package $(GO) test -count=1 -v -run '^TestDebianPackage' ./workflows

demo: binary ## serve the bundled model and data, and print what to ask it
	bin/semlayer demo $(DEMO_FLAGS)

vet: ## report suspicious code in every module, tests included
	$(GO) vet $(PACKAGES)

test: ## run all tests
	$(GOTEST) -p $(AT_ONCE) $(TESTFLAGS) $(PACKAGES)
	$(if $(strip $(UNCACHED)),$(GO) test -count=1 $(TESTFLAGS) $(UNCACHED))
	@$(if $(filter cmd,$(MODULES)),if command -v python3 >/dev/null; then $(MAKE) --no-print-directory test-python; else echo 'python3 is not installed: clients/python is left out'; fi)

test-python: binary ## run the tests of the Python client, against the binary
	cd clients/python/tests && python3 -W error::ResourceWarning -m unittest -q

# go.work's Go compiles every module; the client has to compile with the one that its go.mod names.
clients-go: ## build and test clients/go alone, with the oldest Go that it supports
	cd clients/go && export GOWORK=off GOTOOLCHAIN=go$$(sed -n 's/^go //p' go.mod) && $(GO) vet ./... && $(GO) test $(TESTFLAGS) ./...

clients-check: binary ## check the types of the documented TypeScript, of the clients that generators make and of the Python client, and use MCP with its TypeScript SDK (Node 20; 250 MB from npm)
	tools/clients/run.sh

explorer-check: ## check the types of the explorer, run its tests, and compare its build with what is committed (Node 20)
	tools/scripts/explorer-check.sh

lookml-check: ## compare the parser of LookML with that of the npm package lookml-parser (Node 20)
	tools/lookml/run.sh

metricflow-check: ## ask the questions of MetricFlow's own tests of the imported models; METRICFLOW is a checkout of MetricFlow
	cd integration && SEMLAYER_METRICFLOW="$${METRICFLOW:?is the path of a checkout of MetricFlow}" $(GO) test -count=1 -v -run '^TestImport_AnswersTheQuestionsOfMetricFlow$$' ./imports

cube-check: ## compare imported cubes with the compiler of Cube, an npm package (Node 20)
	tools/cube/run.sh

race: ## run all tests under the race detector
	$(GO) test -race $(TESTFLAGS) $(PACKAGES)

# The worst queries share nothing, and take longest under the race detector. Each night has time for the edges of limits.
WORST = '^TestCompile_WorstQueries'
ALONE = '^(TestCompile_WorstQueries|TestLimits_HoldAtTheirEdge)'

# The race detector for every change, over the packages that serve many clients at once. The servers above them and the
# packages below are tested with it each night.
race-short: ## the race detector over what .ci/run has the time for
	$(GOTEST) -race -skip $(ALONE) $(TESTFLAGS) ./engine ./engine/memory ./clients/go

race-long: ## the race detector over all tests of the compiler, the engine, every driver and every server, each night
	SEMLAYER_REQUIRE_SERVERS=postgres,mariadb $(GO) test -race -timeout 60m -skip $(WORST) $(addsuffix /...,./modelspec ./planner ./semsql ./sqlemit ./engine ./executor ./restapi ./pgwire ./cmd)

# What proof and bench measure; `make bench PROMISES='-only overhead'` measures a part, and
# -short shows in minutes that all of it runs. Both write their page, and exit 1 when a
# promise failed.
PROMISES ?=

bench: ## measure the figures of docs/benchmarks.md, and write the page
	GO='$(GO)' $(GO) run ./tools/promises -page benchmarks -write $(PROMISES)

# Queries that a run of the properties asks; `make test` asks 500 of a fixed seed.
PROPERTY_QUERIES ?= 10000

# How often each fault of the network is tried; `make test` tries each twice.
FAULT_RUNS ?= 100

# How long a server is kept busy; `make test` does it for seconds.
SOAK ?= 30m

# What `make test` leaves to their long forms.
LONG_FORMS = ./integration ./integration/documents ./integration/access ./integration/mutants ./integration/upgrade ./integration/statements ./integration/browser ./integration/modeldiff ./integration/schemas ./cmd/internal/paritytest ./cmd/internal/mcp ./cmd/internal/cli ./engine/generate

proof: postgres-grammar ## the long forms of the tests, and each fuzz target for FUZZTIME: measure docs/promises.md, and write it
	SEMLAYER_TEST_LONG=1 SEMLAYER_REQUIRE_SERVERS=postgres,mariadb SEMLAYER_REQUIRE_BROWSER=1 $(GO) test -count=1 -timeout 60m $(LONG_FORMS)
	GO='$(GO)' FUZZTIME=$(FUZZTIME) SEMLAYER_PROPERTY_QUERIES=$(PROPERTY_QUERIES) SEMLAYER_FAULT_RUNS=$(FAULT_RUNS) SEMLAYER_TEST_SOAK=$(SOAK) \
		$(GO) run ./tools/promises -page promises -write $(PROMISES)

peers: ## time Cube and Malloy beside semlayer, and write docs/peers.json (Node 20; 350 MB from npm)
	GO='$(GO)' tools/competitors/run.sh

lint: $(GOLANGCI) tidy-check prose ## run the linters over every module, with one configuration, and over the prose
	@failed=; for m in $(MODULES); do \
		echo "lint $$m"; \
		(cd $$m && $(GOLANGCI) run --config $(CURDIR)/.golangci.yml ./...) || failed="$$failed $$m"; \
	done; \
	if [ -n "$$failed" ]; then echo "lint: findings in$$failed" >&2; exit 1; fi

prose: ## check the sentences of pages, help, messages and comments
	$(GO) run ./tools/prose

# Installed by version and outside of tools/go.mod: a tool of that size would
# decide the versions of other modules in the workspace.
$(GOTESTSUM):
	GOWORK=off GOBIN=$(@D)/install $(GO) install gotest.tools/gotestsum@$(GOTESTSUM_VERSION)
	mv $(@D)/install/gotestsum $@ && rmdir $(@D)/install

$(GOLANGCI):
	GOWORK=off GOBIN=$(@D)/install $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(@D)/install/golangci-lint $@ && rmdir $(@D)/install

licenses: ## write the licences of the third-party code in the binary, after a change of dependencies
	$(GO) run ./tools/licenses

fmt: ## format all Go files
	gofmt -s -w $(MODULES)

tidy: ## go mod tidy for every module, siblings taken from the tree
	$(GO) run ./tools/tidy $(MODULES)

tidy-check: ## fail when `make tidy` would change something
	$(GO) run ./tools/tidy -check $(MODULES)

consumer-check: ## build every module alone, from a local proxy, as its users will
	$(GO) run ./tools/consumercheck

release-check: ## exported API against the last release, changelog, versions of the chart
	$(GO) run ./tools/releasecheck

image: ## build the container image IMAGE
	GO='$(GO)' tools/scripts/image.sh $(IMAGE)

image-test: ## build the image of bin/semlayer and ask it as the chart runs it (Debian, as root; curl)
	GO='$(GO)' tools/scripts/image-proof.sh

helm-test: $(HELM) ## lint and render the Helm chart, and check the manifests
	$(HELM) version --short
	cd deploy/charttest && GOWORK=off HELM=$(HELM) $(GO) test $(TESTFLAGS) ./...

# The first run compiles kube-apiserver: 20 minutes of one core; .cache/bin keeps it.
helm-apiserver: $(HELM) ## install, upgrade, roll back and remove the chart on a kube-apiserver that is built from its Go module (Debian, as root)
	GO='$(GO)' tools/scripts/helm-apiserver.sh $(KUBERNETES_VERSION) $(HELM)

statements: ## write plan, SQL or error of every case in every dialect into the folder STATEMENTS
	$(GO) test -count=1 ./integration -run '^TestCorpus_SQLOfEveryDialectIsCurrent$$' -statements "$(abspath $(STATEMENTS))/corpus"
	$(GO) test -count=1 ./integration/compositions -run '^TestCompositions_SQLOfEveryDialectIsCurrent$$' -statements "$(abspath $(STATEMENTS))/compositions"

# The first run compiles GoogleSQL, which takes minutes and 6.5 GB; the build cache keeps it.
grammars: ## parse the SQL for engines that no test reaches with third-party grammars (Node 20; 70 MB from npm)
	export SEMLAYER_STATEMENTS=$$(mktemp -d) && trap 'rm -rf '$$SEMLAYER_STATEMENTS EXIT && \
		$(MAKE) --no-print-directory statements STATEMENTS=$$SEMLAYER_STATEMENTS && \
		(cd integration/grammars && GOWORK=off $(GO) test -count=1 $(TESTFLAGS) ./...) && tools/grammars/run.sh

# Statements with the trees of semsql/parse are written by its test, because the module of
# PostgreSQL's grammar imports none of ours.
postgres-grammar: ## compare the parser of SELECT statements with PostgreSQL's grammar (C code: minutes the first time)
	statements=$$(mktemp) && trap 'rm -f '$$statements EXIT && \
		$(GO) test -count=1 ./semsql/parse -run '^TestShapes' -update -random $(PROPERTY_QUERIES) -shapes $$statements && \
		cd integration/postgresgrammar && SEMLAYER_STATEMENTS=$$statements GOWORK=off $(GO) test -count=1 $(TESTFLAGS) ./...

postgres-catalogue: ## write what PostgreSQL 15 has in a new database, from a server that is started (postgresql-15)
	cd pgwire && $(GO) run ./catalogue/internal/postgres15/dump catalogue/internal/postgres15/data

# CLIENTS=NAME records one client. The programs are those of the scripts: Debian's packages and npm's, found by NODE_PATH.
record-clients: ## record what client programs ask the catalogue of a PostgreSQL 15 (postgresql-15, and the clients)
	cd pgwire && $(GO) run ./catalogue/internal/record catalogue/testdata/clients catalogue/testdata/statements $(CLIENTS)

# CLIENTS=psql,pgx runs these; `.ci/run` runs the quick ones.
postgres-clients: ## let client programs of PostgreSQL use the port: list, describe, query, cancel (Debian, as root; Node 20; 0.8 GB the first time)
	GO='$(GO)' tools/scripts/postgres-clients.sh $(CLIENTS)

# As golangci-lint: by version, and outside of every go.mod here.
$(HELM):
	GOWORK=off GOBIN=$(@D)/install $(GO) install helm.sh/helm/v3/cmd/helm@$(HELM_VERSION)
	mv $(@D)/install/helm $@ && rmdir $(@D)/install

rules-check: $(PROMTOOL) ## check the alerts of deploy/prometheus, and run their unit tests
	cd deploy/prometheus && $(PROMTOOL) check rules --lint=all --lint-fatal rules.yaml && $(PROMTOOL) test rules rules_test.yaml

# As golangci-lint: by version, and outside of every go.mod here. Its service discoveries are left out: they have no rules.
$(PROMTOOL):
	GOWORK=off GOBIN=$(@D)/install $(GO) install -tags remove_all_sd github.com/prometheus/prometheus/cmd/promtool@$(PROMTOOL_VERSION)
	mv $(@D)/install/promtool $@ && rmdir $(@D)/install

# The first run compiles the collector: minutes; the build cache keeps it.
collector: binary ## send the traces of bin/semlayer to an OpenTelemetry Collector that is built from its Go modules
	cd integration/collector && SEMLAYER=$(CURDIR)/bin/semlayer GOWORK=off $(GO) test -count=1 $(TESTFLAGS) ./...

memory: ## attack a server in a control group of 1 GiB, at the settings of the chart (Linux, as root)
	SEMLAYER_REQUIRE_CGROUP=1 SEMLAYER_TEST_LONG=1 $(GO) test -count=1 -timeout 60m $(TESTFLAGS) ./integration/memorybudget

clickhouse: ## the tests that need ClickHouse, on its engine (Node 20; half a gigabyte from npm)
	GO='$(GO)' tools/scripts/clickhouse-test.sh

tidb: ## the tests that need TiDB, on a server that is built from its Go modules (long the first time)
	GO='$(GO)' tools/scripts/tidb-test.sh

mysql: ## the tests that need MySQL, on the server of Debian's unstable release, beside an installed MariaDB (apt; 60 MB the first time)
	GO='$(GO)' tools/scripts/mysql-test.sh

# Types of connections, such as "snowflake bigquery": each of them has to be met.
SERVICES ?=

smoke-cloud: ## ask warehouses that SEMLAYER_SMOKE_<TYPE>_<KEY> names a few questions with known rows
	$(GO) run ./integration/smoke $(SERVICES)

# VULNFLAGS='-db file:///path' takes another database than vuln.go.dev.
vuln: $(GOVULNCHECK) ## report known vulnerabilities that any module calls (needs vuln.go.dev)
	@failed=; for m in $(MODULES) $(OUTSIDE); do \
		echo "vuln $$m"; \
		(cd $$m && case ' $(OUTSIDE) ' in *" $$m "*) export GOWORK=off;; esac && $(GOVULNCHECK) $(VULNFLAGS) ./...) || failed="$$failed $$m"; \
	done; \
	if [ -n "$$failed" ]; then echo "vuln: findings, or no database, in$$failed" >&2; exit 1; fi

$(GOVULNCHECK):
	GOWORK=off GOBIN=$(@D)/install $(GO) install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	mv $(@D)/install/govulncheck $@ && rmdir $(@D)/install

servers-install: ## install PostgreSQL and MariaDB where missing (Debian, as root)
	tools/scripts/servers-install.sh

browser-install: ## install Chromium where no browser is (Debian, as root)
	tools/scripts/browser-install.sh

picture: binary ## write docs/explorer-home.png and docs/explorer.png, the pictures in README.md and docs/explorer.md (Chromium)
	tools/scripts/picture.sh

integration: ## corpus, expressions and drivers on PostgreSQL, MariaDB and MySQL in containers (Debian, as root)
	GO='$(GO)' tools/scripts/integration.sh

ci: ## what continuous integration runs on each change; .ci/run -list prints the steps
	.ci/run

clean: ## remove what was built here
	rm -rf bin .cache
