package recipes

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

var shared = containers.SharedServers()

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

var (
	modelBlock = regexp.MustCompile("(?s)\n```yaml file=(\\S+)\n(.*?)\n```\n")
	question   = regexp.MustCompile(`(?s)\$ semlayer query --model (\S+) --json '([^']*)'`)
	source     = regexp.MustCompile(`(?m)^  - name: (\w+)\n    source: (.*)$`)
)

// Each question of the page has the rows of the statement at its place in testdata/MODEL.sql. The tables of the statement are the
// sources of the datasets.
func TestRecipes_HaveTheRowsOfSQLByHand(t *testing.T) {
	text, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	models := map[string]string{}
	for _, m := range modelBlock.FindAllStringSubmatch(page, -1) {
		models[m[1]] = m[2]
	}
	for name, open := range map[string]func(testing.TB) executor.Executor{"duckdb": openDuckDB, "postgres": openPostgres} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			asked := map[string]int{}
			questions := question.FindAllStringSubmatch(page, -1)
			floor.CheckCount(t, "questions", len(questions), 12)
			for _, q := range questions {
				model, body := q[1], q[2]
				statements := statementsOf(t, model)
				n := asked[model]
				asked[model]++
				if n >= len(statements) {
					t.Fatalf("testdata has no statement for question %d of %s", n+1, model)
				}
				t.Run(fmt.Sprintf("%s/%d", model, n+1), func(t *testing.T) {
					compare(t, db, name, models[model], body, statements[n])
				})
			}
			for model := range models {
				if got, want := asked[model], len(statementsOf(t, model)); got != want {
					t.Errorf("%s has %d questions and %d statements", model, got, want)
				}
			}
		})
	}
}

func statementsOf(t *testing.T, model string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + strings.TrimSuffix(model, ".yaml") + ".sql")
	if err != nil {
		t.Fatal(err)
	}
	statements := strings.Split(string(text), ";\n")
	return statements[:len(statements)-1]
}

func compare(t *testing.T, db executor.Executor, dialect, model, body, byHand string) {
	t.Helper()
	layer, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model)})
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Dialect = dialect
	compiled, err := prepare.SQL(t.Context(), layer, q)
	if err != nil {
		t.Fatal(err)
	}
	got, err := servers.QueryTable(t.Context(), db, compiled.SQL, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, compiled.SQL)
	}
	var tables []string
	for _, s := range source.FindAllStringSubmatch(model, -1) {
		tables = append(tables, s[1]+" AS ("+s[2]+")")
	}
	sql := "WITH " + strings.Join(tables, ", ") + "\n" + strings.TrimSpace(byHand)
	want, err := servers.QueryTable(t.Context(), db, sql, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	if diff := table.Diff(want, got, len(q.OrderBy) > 0); diff != "" {
		t.Errorf("%s\n%s", diff, compiled.SQL)
	}
}

func openDuckDB(tb testing.TB) executor.Executor {
	tb.Helper()
	db, err := duckdb.Open(tb.Context(), duckdb.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

func openPostgres(tb testing.TB) executor.Executor {
	tb.Helper()
	db, err := servers.PostgreSQL(tb, shared).Load(tb.Context(), "recipes", "SELECT 1")
	if err != nil {
		tb.Fatal(err)
	}
	return db
}
