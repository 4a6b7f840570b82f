package statements

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/outersql"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// shared are the servers of the run: of the environment, in containers or installed.
var shared = containers.SharedServers()

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

// otherEngine is an engine beside DuckDB that runs statements over the same models and rows.
type otherEngine struct {
	*servers.Server
	family    string // how the scripts of fixtures call it
	databases map[string]executor.Executor

	compared, unsupported, different int
}

// otherEngines returns the engines that are installed or named by the environment; for each of the others a subtest is reported as skipped.
func otherEngines(t *testing.T) []*otherEngine {
	t.Helper()
	var out []*otherEngine
	for _, engine := range []struct {
		name, family string
		open         func(*testing.T) *servers.Server
	}{
		{"postgres", "postgres", func(t *testing.T) *servers.Server { return servers.PostgreSQL(t, shared) }},
		{"mariadb", "mysql", func(t *testing.T) *servers.Server { return servers.MariaDB(t, shared) }},
	} {
		t.Run(engine.name, func(t *testing.T) {
			out = append(out, &otherEngine{Server: engine.open(t), family: engine.family, databases: map[string]executor.Executor{}})
		})
	}
	return append(out, &otherEngine{Server: servers.SQLite(t), family: "mysql", databases: map[string]executor.Executor{}})
}

// dataOfFixture returns the script of the tables of a fixture.
func dataOfFixture(t *testing.T, fixture, family string) string {
	t.Helper()
	dir := filepath.Join("../testdata/fixtures", fixture)
	path := filepath.Join(dir, "data."+family+".sql")
	if _, err := os.Stat(path); err != nil {
		path = filepath.Join(dir, "data.sql")
	}
	return string(readFile(t, path))
}

func (e *otherEngine) database(t *testing.T, fixture string) executor.Executor {
	t.Helper()
	if db := e.databases[fixture]; db != nil {
		return db
	}
	db, err := e.Load(t.Context(), "statements/"+fixture, dataOfFixture(t, fixture, e.family))
	if err != nil {
		t.Fatal(e.Dialect, fixture, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	e.databases[fixture] = db
	return db
}

var partName = regexp.MustCompile(`\bpart\d+\b`)

// compareOuter compiles and runs a statement on an engine. One that the dialect cannot say is counted.
func (e *otherEngine) compareOuter(t *testing.T, p *partsOfModel, s outersql.Statement, want *table.Table) string {
	t.Helper()
	if slices.Contains(s.Constructs, outersql.MixedDecimalsConstruct) {
		return "" // DuckDB rounds them
	}
	for _, name := range partName.FindAllString(s.Plain, -1) {
		if slices.Contains(p.onDuckDBOnly, name) {
			return ""
		}
	}
	d := dialect(t, e.Dialect)
	compiled, err := p.model.Compile(t.Context(), semsql.Statement{SQL: s.SQL}, targetOf(d))
	var refused *semsql.Error
	switch {
	case errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "dialect_") || refused.Code == "not_implemented"):
		e.unsupported++
		t.Logf("%s: %v", e.Dialect, refused)
		return ""
	case err != nil:
		return err.Error()
	}
	if err := plan.CheckTree(compiled.Planned.Root); err != nil {
		return err.Error()
	}
	sql, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		return err.Error()
	}
	got, err := servers.QueryTable(t.Context(), e.database(t, p.fixtureName), sql, compiled.Planned.Columns)
	if err != nil {
		return err.Error()
	}
	e.compared++
	got.Columns = want.Columns
	if diff := table.Diff(want, got, s.Ordered); diff != "" {
		return "- is plain SQL on DuckDB, + is the statement\n" + diff + "\n" + sql
	}
	return ""
}
