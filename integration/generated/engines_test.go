package generated_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// generateOf makes a model of a script on one engine. Each metric of it answers.
func generateOf(t *testing.T, open load, script string) *generate.ModelTextWithReport {
	t.Helper()
	db, err := open(t.Context(), "engines", script)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	out, err := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{ModelText: out.Text, Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	for _, m := range e.MetricNames() {
		execute(t, e, m, "")
	}
	return out
}

func openDuckDBWith(ctx context.Context, _, script string) (executor.Executor, error) {
	return duckdb.Open(ctx, duckdb.Options{Setup: []string{script}})
}

func wantTexts(t *testing.T, out *generate.ModelTextWithReport, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !bytes.Contains(out.Text, []byte(text)) {
			t.Errorf("no %q in\n%s", text, out.Text)
		}
	}
}

// datatypeOf returns the datatype that the text of a model gives to the first field of a name.
func datatypeOf(out *generate.ModelTextWithReport, field string) string {
	_, rest, _ := strings.Cut(string(out.Text), "- name: "+field+"\n")
	_, rest, _ = strings.Cut(rest, "datatype: ")
	word, _, _ := strings.Cut(rest, "\n")
	return word
}

func TestEngines_SQLiteColumnsWithoutTypes(t *testing.T) {
	out := generateOf(t, servers.SQLite(t).Load, `CREATE TABLE x (whole, part, word, mixed, void, id TEXT PRIMARY KEY);
INSERT INTO x VALUES (1, 1.5, 'a', 1, NULL, NULL), (2, 2.5, 'b', 'b', NULL, NULL);
`)
	for field, want := range map[string]string{"whole": "Integer", "part": "Float", "word": "String", "mixed": "Opaque", "void": "Opaque", "id": "String"} {
		if got := datatypeOf(out, field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
	// SQLite takes nulls in this primary key, so counting it would lose rows.
	wantTexts(t, out, "unique_keys:", "COUNT(*)")
}

func TestEngines_DeclaredKeyOfSQLiteThatHoldsNoNull(t *testing.T) {
	out := generateOf(t, servers.SQLite(t).Load, `CREATE TABLE shelves (a INTEGER, b INTEGER, pots INTEGER, PRIMARY KEY (a, b));
INSERT INTO shelves VALUES (1, 1, 5), (1, 2, 6);
`)
	wantTexts(t, out, "primary_key: [a, b]  # proven: no duplicate and no null in 2 rows")
	if key := out.Report.Keys[0]; key.How != "proven" || key.RowsRead != 2 || !key.Complete {
		t.Errorf("%+v", key)
	}
}

// TestEngines_TypesThatAreNotTextAreCast groups, filters and searches columns of enums and UUIDs, whose functions and comparisons
// are not those of text.
func TestEngines_TypesThatAreNotTextAreCast(t *testing.T) {
	const rows = `INSERT INTO glazes VALUES ('00000000-0000-0000-0000-000000000001', 'dull'), ('00000000-0000-0000-0000-000000000002', 'bright'), ('00000000-0000-0000-0000-000000000003', NULL);
`
	for name, test := range map[string]struct {
		load   load
		script string
	}{
		"postgres": {servers.PostgreSQL(t, &shared).Load, "CREATE TYPE look AS ENUM ('dull', 'bright');\nCREATE TABLE glazes (glaze_id UUID PRIMARY KEY, look look);\n" + rows},
		"duckdb":   {openDuckDBWith, "CREATE TYPE look AS ENUM ('dull', 'bright');\nCREATE TABLE glazes (glaze_id UUID PRIMARY KEY, look look);\n" + rows},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := test.load(t.Context(), "not_text", test.script)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			out, err := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "m"})
			if err != nil {
				t.Fatal(err)
			}
			wantTexts(t, out, "expression: CAST(glaze_id AS VARCHAR)", "expression: CAST(look AS VARCHAR)")
			e, err := engine.Open(t.Context(), engine.Config{ModelText: out.Text, Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			values, err := e.FieldValues(t.Context(), &query.ValuesQuery{Field: "glazes.look", Like: "bri", Limit: 10, Connection: "w"})
			if err != nil || len(values.Values) != 1 || string(values.Values[0].Value) != `"bright"` {
				t.Errorf("%+v, %v", values, err)
			}
			metric := e.MetricNames()[0]
			for condition, want := range map[string]int{
				"glazes.look = 'dull'":                                     1,
				"glazes.look = 'no such'":                                  0,
				"glazes.look IN ('bright', 'no such')":                     1,
				"UPPER(glazes.look) = 'BRIGHT'":                            1,
				"glazes.look LIKE 'b%'":                                    1,
				"COALESCE(glazes.look, 'none') = 'none'":                   1,
				"glazes.glaze_id = '00000000-0000-0000-0000-000000000002'": 1,
				"glazes.glaze_id = 'no such'":                              0,
				"glazes.glaze_id LIKE '%-000000000003'":                    1,
				"UPPER(glazes.glaze_id) LIKE '%3' AND glazes.look IS NULL": 1,
			} {
				q := &query.MetricQuery{Metrics: []string{metric}, Connection: "w", WhereSQL: condition}
				result, err := prepare.Rows(t.Context(), e, q)
				if err != nil {
					t.Errorf("%s: %v", condition, err)
					continue
				}
				if diff := cmp.Diff(fmt.Sprintf(`[{"%s":%d}]`, metric, want), string(result.Rows)); diff != "" {
					t.Errorf("%s: %s", condition, diff)
				}
			}
		})
	}
}

func TestEngines_MoneyOfPostgreSQL(t *testing.T) {
	out := generateOf(t, servers.PostgreSQL(t, &shared).Load, `CREATE TABLE x (price MONEY, fare MONEY);
INSERT INTO x VALUES (1.50, 2.50), (2.50, 3);
`)
	wantTexts(t, out, "CAST(price AS DECIMAL(19, 2))", "name: average_price", "name: total_fare")
}

func TestEngines_ForeignKeyOfMariaDBToColumnsThatAreNoKey(t *testing.T) {
	out := generateOf(t, servers.MariaDB(t, &shared).Load, `CREATE TABLE p (id INTEGER PRIMARY KEY, code INTEGER, INDEX (code));
CREATE TABLE c (id INTEGER PRIMARY KEY, ref INTEGER, FOREIGN KEY (ref) REFERENCES p (code));
`)
	if len(out.Report.Relationships) != 1 || out.Report.Relationships[0].Written {
		t.Errorf("%+v", out.Report.Relationships)
	}
	wantTexts(t, out, "declared in the database, but not to a key of p")
}
