package layering

import "slices"

// ModuleRule lists the packages that one module may import.
//
// Patterns for modules of this repository are relative to the repository's
// import path. "planner/plan" is that one package; "planner/..." is a package
// and everything below it. Patterns for third-party code always include
// everything below them.
type ModuleRule struct {
	Module string // folder of the module

	Ours      []string // packages of other modules here that it may import
	OursTests []string // beyond Ours, in _test.go files
	OursWhy   string   // the reason when nothing in OursNever gives another
	OursNever []ForbiddenImport

	// ThirdParty nil means none at all; an element "*" means any that
	// ThirdPartyNever does not reject.
	ThirdParty      []string
	ThirdPartyTests []string
	ThirdPartyWhy   string
	ThirdPartyNever []ForbiddenImport

	StdNever []ForbiddenImport // in the standard library, patterns as in Ours; tests are exempt

	// Packages, where there are any, has a rule for every package of the module that
	// imports another of them.
	Packages []PackageRule
}

// PackageRule lists what one package may import of its module; tests are exempt.
type PackageRule struct {
	Package string   // from the root of the repository
	May     []string // patterns as in Ours
	Why     string   // the reason against any other
}

// ForbiddenImport is a pattern that may not be imported, with the reason to print.
type ForbiddenImport struct {
	Pattern string
	Why     string
}

const (
	reasonPureCompiler        = "the compiler computes: it opens no connection, starts no process and stays pure Go, so that it can be embedded anywhere"
	reasonNoDrivers           = "drivers never leak into the compiler: a program that needs SQL text alone must not build a warehouse driver"
	reasonDriversInExecutor   = "warehouse drivers belong to executor: everything above it sees rows, columns and error codes only"
	reasonNotReleased         = "integration and tools are never tagged, so a released module that imports them could not be fetched"
	reasonNotListed           = "the rule of this module does not list it"
	reasonMayImportOnlyEngine = "the engine is the one door for every face, so that all of them answer alike; values of queries, errors and models are the only other thing that it shares with them"
)

var (
	testHelperLibraries = []string{"github.com/google/go-cmp", "golang.org/x/tools/txtar"}

	networkAndProcessPackages = []ForbiddenImport{
		{"database/sql/...", reasonPureCompiler},
		{"net", reasonPureCompiler},
		{"net/http/...", reasonPureCompiler},
		{"os/exec", reasonPureCompiler},
		{"C", reasonPureCompiler},
	}

	fiberOnlyInREST = ForbiddenImport{"github.com/gofiber/fiber", "HTTP is one face among several: it lives in restapi"}
	cobraOnlyInCmd  = ForbiddenImport{"github.com/spf13/cobra", "the command line is one face among several: it lives in cmd"}
	mcpOnlyInFaces  = ForbiddenImport{"github.com/modelcontextprotocol/go-sdk", "MCP is one face among several: it lives above the engine"}

	openAPILibraryOnlyInREST = ForbiddenImport{"github.com/swaggest", "the document of the interface is made where its routes are: in restapi"}

	// A program that embeds the engine has its own measurements; the engine reports to an observer.
	forbiddenPrometheus       = ForbiddenImport{"github.com/prometheus", "metrics are made in restapi, from the events that the engine sends to its observer"}
	forbiddenOpenTelemetry    = ForbiddenImport{"go.opentelemetry.io", "spans are made in restapi and exported by cmd; the engine sends events to its observer"}
	forbiddenYAMLLibrary      = ForbiddenImport{"gopkg.in/yaml.v3", "it is not maintained: go.yaml.in/yaml/v3 is the same library (decision 0011)"}
	tracingExportersOnlyInCmd = ForbiddenImport{"go.opentelemetry.io/otel/exporters", "restapi makes spans; where they go is decided by the program"}
)

// valuePackages hold what a face hands to the engine and gets from it: bodies of queries, errors, findings and graphs. None of them
// plans, prints or runs anything: a face that imports a planner would be a second door, with other answers.
var valuePackages = []string{
	"planner/query", "planner/planerr", "modelspec", "modelspec/access", "modelspec/catalog", "modelspec/diff", "modelspec/importer", "modelspec/limits", "modelspec/lineage", "modelspec/timezone",
}

// testOnlyLibraries are second opinions on what is served. No module that is released
// needs them, and their dependencies would be those of everyone who builds it.
func testOnlyLibraries() []ForbiddenImport {
	const why = "validators and browsers look at a server from outside: they belong to integration"
	return []ForbiddenImport{
		{"github.com/chromedp", why},
		{"github.com/getkin/kin-openapi", why},
		{"github.com/santhosh-tekuri/jsonschema", why},
	}
}

func driverLibraries() []ForbiddenImport {
	return []ForbiddenImport{
		{"cloud.google.com/go/bigquery", reasonDriversInExecutor},
		{"github.com/ClickHouse/clickhouse-go", reasonDriversInExecutor},
		{"github.com/databricks/databricks-sql-go", reasonDriversInExecutor},
		{"github.com/duckdb", reasonDriversInExecutor},
		{"github.com/go-sql-driver/mysql", reasonDriversInExecutor},
		{"github.com/jackc/pgx", reasonDriversInExecutor},
		{"github.com/snowflakedb/gosnowflake", reasonDriversInExecutor},
		{"github.com/trinodb/trino-go-client", reasonDriversInExecutor},
		{"modernc.org/sqlite", reasonDriversInExecutor},
	}
}

// driversExceptPGX returns the drivers that a server of PostgreSQL's protocol does not import: pgx holds the
// messages of the protocol beside its driver.
func driversExceptPGX() []ForbiddenImport {
	return slices.DeleteFunc(driverLibraries(), func(f ForbiddenImport) bool { return f.Pattern == "github.com/jackc/pgx" })
}

// ModuleRules returns the layering of this repository. Every module of go.work has one.
func ModuleRules() []ModuleRule {
	return []ModuleRule{
		{
			Module:          "modelspec",
			OursWhy:         "modelspec imports nothing of ours: the rest builds on the file format and its expressions",
			ThirdParty:      []string{"go.yaml.in/yaml/v3", "github.com/tdewolff/parse"},
			ThirdPartyTests: testHelperLibraries,
			ThirdPartyWhy:   reasonNoDrivers + "; modelspec reads YAML, its importer of Cube reads JavaScript (decision 0270), and it needs nothing else",
			StdNever:        networkAndProcessPackages,
		},
		{
			Module:  "planner",
			Ours:    []string{"modelspec/..."},
			OursWhy: "planner uses modelspec only: a logical plan does not depend on a dialect or a warehouse",
			OursNever: []ForbiddenImport{
				{"sqlemit/...", "planner must not know dialects: it takes a Capabilities value, not the dialect itself"},
				{"executor/...", "planner must not know executors: planning touches no warehouse"},
			},
			ThirdPartyTests: testHelperLibraries,
			ThirdPartyWhy:   reasonNoDrivers,
			StdNever:        networkAndProcessPackages,
			Packages:        plannerPackageRules(),
		},
		{
			Module:    "sqlemit",
			Ours:      []string{"modelspec/sqlexpr", "modelspec/limits", "planner/plan"},
			OursTests: []string{"modelspec/...", "planner/..."},
			OursWhy:   "sqlemit uses expressions, plan nodes and the table of limits only",
			OursNever: []ForbiddenImport{
				{"executor/...", "sqlemit must not know executors: SQL text is its whole product"},
				{"modelspec/...", "of modelspec the emitter uses sqlexpr and limits only: names are resolved before a plan exists"},
				{"planner/...", "of planner the emitter uses plan only: the way to a plan must not change its SQL"},
			},
			ThirdPartyTests: testHelperLibraries,
			ThirdPartyWhy:   reasonNoDrivers,
			StdNever:        networkAndProcessPackages,
		},
		{
			Module:  "semsql",
			Ours:    []string{"modelspec/...", "planner/..."},
			OursWhy: "semsql maps statements to queries: it uses modelspec and planner only",
			OursNever: []ForbiddenImport{
				{"sqlemit/...", "semsql must not know dialects: a statement becomes queries and plan nodes, which the emitter prints"},
				{"executor/...", "semsql must not know executors: mapping touches no warehouse"},
			},
			ThirdPartyTests: testHelperLibraries,
			ThirdPartyWhy:   reasonNoDrivers,
			StdNever:        networkAndProcessPackages,
			Packages: []PackageRule{
				{Package: "semsql", May: []string{"semsql/..."}},
				{Package: "semsql/internal/selection", May: []string{"semsql/internal/resolve", "semsql/parse", "semsql/relations", "semsql/sqlerror"}, Why: "one select is mapped to one query: what a statement of several selects is belongs to semsql"},
				{Package: "semsql/internal/resolve", May: []string{"semsql/parse", "semsql/relations", "semsql/sqlerror"}, Why: "names are resolved before it is known which query they become"},
				{Package: "semsql/relations", Why: "relations follow from the model alone"},
				{Package: "semsql/ossie", May: []string{"semsql/parse"}, Why: "queries of the Ossie profile are not statements: they share the syntax of aliases alone"},
				{Package: "semsql/sqlerror", Why: "every package of the module makes errors"},
				{Package: "semsql/internal/randomtree", May: []string{"semsql/parse"}, Why: "it makes syntax trees, for tests"},
				{Package: "semsql/parse", Why: "syntax is known without a model: names are resolved by the packages that read the tree"},
			},
		},
		{
			Module:          "executor",
			Ours:            []string{"modelspec/document", "modelspec/limits", "modelspec/suggest"},
			OursWhy:         "executor imports the reader of documents, the limits of inputs and the nearness of names only: it takes SQL text from any source and returns rows",
			ThirdParty:      []string{"*"},
			ThirdPartyNever: []ForbiddenImport{fiberOnlyInREST, cobraOnlyInCmd, mcpOnlyInFaces, openAPILibraryOnlyInREST, forbiddenPrometheus, forbiddenOpenTelemetry, forbiddenYAMLLibrary},
		},
		{
			Module:    "engine",
			Ours:      []string{"modelspec/...", "planner/...", "semsql/...", "sqlemit/...", "executor/..."},
			OursTests: []string{"executor/duckdb"},
			OursWhy:   "the engine joins compiler and executor and imports none of its faces",
			OursNever: []ForbiddenImport{
				{"executor/duckdb", "the embedded database needs cgo: a program hands its driver in, so that the engine builds without it"},
				{"restapi/...", "faces depend on the engine, never the reverse: it is used in process as well"},
				{"cmd/...", "faces depend on the engine, never the reverse: it is used in process as well"},
			},
			ThirdParty:      []string{"*"},
			ThirdPartyNever: append(driverLibraries(), fiberOnlyInREST, cobraOnlyInCmd, mcpOnlyInFaces, openAPILibraryOnlyInREST, forbiddenPrometheus, forbiddenOpenTelemetry, forbiddenYAMLLibrary),
			StdNever: []ForbiddenImport{
				{"net/http/...", "the engine is used in process: HTTP and its status codes belong to restapi"},
				{"database/sql/...", reasonDriversInExecutor},
			},
		},
		{
			Module:          "restapi",
			Ours:            slices.Concat(valuePackages, []string{"engine/..."}),
			OursTests:       []string{"executor/duckdb", "executor/testwait", "executor/warehouse"},
			OursWhy:         "restapi: the engine, and values; " + reasonMayImportOnlyEngine,
			ThirdParty:      []string{"*"},
			ThirdPartyNever: slices.Concat(driverLibraries(), testOnlyLibraries(), []ForbiddenImport{cobraOnlyInCmd, mcpOnlyInFaces, tracingExportersOnlyInCmd, forbiddenYAMLLibrary}),
			StdNever:        []ForbiddenImport{{"database/sql/...", reasonDriversInExecutor}},
		},
		{
			Module:          "pgwire",
			Ours:            slices.Concat(valuePackages, []string{"engine/...", "semsql/parse", "executor", "executor/jsonrows", "executor/duckdb", "executor/localdb"}),
			OursTests:       []string{"executor/testwait", "executor/warehouse"},
			OursWhy:         "pgwire: the engine, values, the syntax of statements, the forms of values, and for the catalogue a private DuckDB and the server that it is compared with; " + reasonMayImportOnlyEngine,
			ThirdParty:      []string{"*"},
			ThirdPartyNever: slices.Concat(driversExceptPGX(), testOnlyLibraries(), []ForbiddenImport{fiberOnlyInREST, cobraOnlyInCmd, mcpOnlyInFaces, openAPILibraryOnlyInREST, tracingExportersOnlyInCmd, forbiddenYAMLLibrary}),
			StdNever:        []ForbiddenImport{{"database/sql/...", reasonDriversInExecutor}},
		},
		{
			Module:          "cmd",
			Ours:            slices.Concat(valuePackages, []string{"engine/...", "restapi/...", "pgwire/...", "clients/go", "executor/warehouse", "executor/duckdb", "executor/trino", "executor/snowflake", "executor/bigquery", "executor/databricks"}),
			OursTests:       []string{"executor/certtest", "executor/testwait"},
			OursWhy:         "cmd: engine, restapi and pgwire, values, the client for asking a server that runs, and the large drivers that it alone links; " + reasonMayImportOnlyEngine,
			ThirdParty:      []string{"*"},
			ThirdPartyNever: slices.Concat(driverLibraries(), testOnlyLibraries(), []ForbiddenImport{openAPILibraryOnlyInREST, forbiddenYAMLLibrary}),
			StdNever:        []ForbiddenImport{{"database/sql/...", reasonDriversInExecutor}},
		},
		{
			Module:          "clients/go",
			OursWhy:         "the client implements the wire contract without our packages: a program that calls the service must not build it",
			ThirdPartyTests: []string{"github.com/google/go-cmp"},
			ThirdPartyWhy:   "the client is standard library only; Arrow decoding is in a separate package or module",
			StdNever:        []ForbiddenImport{{"database/sql/...", "the client speaks HTTP"}, {"C", "the client is pure Go"}},
		},
		{
			Module:          "integration",
			Ours:            []string{"..."},
			ThirdParty:      []string{"*"},
			ThirdPartyNever: []ForbiddenImport{forbiddenYAMLLibrary},
		},
		{
			Module:          "tools",
			Ours:            []string{"..."},
			ThirdParty:      []string{"*"},
			ThirdPartyNever: []ForbiddenImport{forbiddenYAMLLibrary},
		},
	}
}
