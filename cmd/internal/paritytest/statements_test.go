package paritytest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/planner/query"
)

// statements returns the statements in the files of integration/statements, without values of parameters.
func statements(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../../integration/statements/testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no statements", err)
	}
	var out []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(text), "\n\n") {
			if sql := statementOf(block); sql != "" && !strings.Contains(sql, "$") {
				out = append(out, sql)
			}
		}
	}
	return out
}

// statementOf returns what a block holds before the line with the outcome.
func statementOf(block string) string {
	var lines []string
	for line := range strings.SplitSeq(block, "\n") {
		if strings.HasPrefix(line, "-- ") {
			break
		}
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// shopWithRows returns a model with every surface over it, and the file of its rows.
func shopWithRows(t *testing.T) (m *model, db string) {
	t.Helper()
	script, err := os.ReadFile(testdata + "/fixtures/orders/data.sql")
	if err != nil {
		t.Fatal(err)
	}
	db = filepath.Join(t.TempDir(), "shop.duckdb")
	filled, err := duckdb.Open(t.Context(), duckdb.Options{Path: db, ReadWrite: true, Setup: []string{string(script)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := filled.Close(); err != nil {
		t.Fatal(err)
	}
	return openConfig(t, engine.Config{ModelPath: "../../../semsql/testdata/shop.yaml", DBPath: db}), db
}

// resultOf returns what a verb of the engine returns, as a surface shows it.
func resultOf[T any](t *testing.T, v T, err error) answer {
	t.Helper()
	var refusal engine.CodedError
	switch {
	case errors.As(err, &refusal):
		return answer{wire(t, refusal), true}
	case err != nil:
		t.Fatalf("an error without a code: %v", err)
	}
	return answer{wire(t, v), false}
}

// asSQLCommand runs a statement on the command line.
func (m *model) asSQLCommand(t *testing.T, sql string, more ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"sql", sql, "--model", m.path, "--format", "json"}, more...)
	if code := cli.Run(t.Context(), args, cli.Streams{In: new(bytes.Buffer), Out: &out, Err: &errs}, "v"); code == 1 {
		return answer{strings.TrimSpace(errs.String()), true}
	} else if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	return answer{strings.TrimSpace(out.String()), false}
}

// withSortedRows gives the rows in the order of their texts: a statement without ORDER BY has its rows in any
// order.
func (a answer) withSortedRows(t *testing.T) answer {
	t.Helper()
	var body struct{ Rows json.RawMessage }
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	if a.Refused || body.Rows == nil {
		return a
	}
	var rows []json.RawMessage
	if err := json.Unmarshal(body.Rows, &rows); err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = string(row)
	}
	slices.Sort(texts)
	sorted := "[" + strings.Join(texts, ",") + "]"
	return answer{strings.Replace(a.Body, string(body.Rows), sorted, 1), false}
}

// Every surface has the same rows, the same SQL and the same errors for a statement.
func TestStatements_SurfacesReturnSameBytes(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // the user's connection profiles are in HOME
	m, db := shopWithRows(t)
	compared, refused, different := 0, 0, 0
	for _, sql := range statements(t) {
		body, err := json.Marshal(map[string]string{"sql": sql})
		if err != nil {
			t.Fatal(err)
		}
		q := &query.SQLStatement{SQL: sql}
		compiled, err := askSQL(t.Context(), m.engine, q)
		ofCompile := resultOf(t, compiled, err)
		explained, err := askPlan(t.Context(), m.engine, q)
		ofExplain := resultOf(t, explained, err)
		rows, err := askRows(t.Context(), m.engine, q)
		ofExecute := resultOf(t, rows, err)
		limited, err := askRows(t.Context(), m.engine, &query.SQLStatement{SQL: sql, MaxRows: new(int64(100))})
		ofTool := resultOf(t, limited, err)
		if ofExecute.Refused {
			refused++
		}
		for _, c := range []struct {
			surface   string
			want, got answer
		}{
			{"compile over HTTP", ofCompile, m.overHTTP(t, plane{path: "/v1/sql/compile"}, body)},
			{"execute over HTTP", ofExecute, m.overHTTP(t, plane{path: "/v1/sql/execute"}, body)},
			{"compile on the command line", ofCompile, m.asSQLCommand(t, sql, "--compile")},
			{"execute on the command line", ofExecute, m.asSQLCommand(t, sql, "--db", db)},
			{"run_sql", ofTool, m.asTool(t, plane{tool: "run_sql"}, body)},
			{"explain_sql", ofExplain, m.asTool(t, plane{tool: "explain_sql"}, body)},
		} {
			compared++
			if !strings.Contains(strings.ToUpper(sql), "ORDER BY") {
				c.want, c.got = c.want.withSortedRows(t), c.got.withSortedRows(t)
			}
			if d := cmp.Diff(c.want, c.got); d != "" {
				different++
				t.Errorf("%s\nin process (-) and %s (+) differ:\n%s", sql, c.surface, d)
			}
		}
	}
	t.Attr("compared", strconv.Itoa(compared))
	t.Attr("different", strconv.Itoa(different))
	if compared < 6*170 || refused < 60 {
		t.Errorf("%d compared, %d of them refused: the statements are not read", compared, refused)
	}
}

// The values of parameters mean the same on every surface.
func TestStatements_SurfacesReadParametersAlike(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	m, db := shopWithRows(t)
	for _, c := range []struct {
		sql, params string
		flags       []string
		rows        string
	}{
		{"SELECT COUNT(*) AS n FROM orders WHERE status = $1 AND amount > $2", `["completed",60]`, []string{"--param", "completed", "--param", "60"}, `[{"n":3}]`},
		{"SELECT order_id FROM orders WHERE order_date >= $1 ORDER BY 1 LIMIT $2", `["2024-02-15",1]`, []string{"--param", "2024-02-15", "--param", "1"}, `[{"order_id":4}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE status = $1 OR $2", `["cancelled",true]`, []string{"--param", "cancelled", "--param", "true"}, `[{"n":6}]`},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $1", `["a lot"]`, []string{"--param", "a lot"}, "22P02"},
		{"SELECT COUNT(*) AS n FROM orders WHERE amount > $2", `[1]`, []string{"--param", "1"}, "sql_parameter"},
	} {
		body := []byte(`{"sql":"` + c.sql + `","params":` + c.params + `}`)
		q, err := query.DecodeSQL(body)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := askRows(t.Context(), m.engine, q)
		want := resultOf(t, rows, err)
		if !strings.Contains(want.Body, c.rows) {
			t.Errorf("%s: %s, want %s", c.sql, want.Body, c.rows)
		}
		if d := cmp.Diff(want, m.overHTTP(t, plane{path: "/v1/sql/execute"}, body)); d != "" {
			t.Errorf("%s\nin process (-) and HTTP (+) differ:\n%s", c.sql, d)
		}
		if d := cmp.Diff(want, m.asSQLCommand(t, c.sql, append(c.flags, "--db", db)...)); d != "" {
			t.Errorf("%s\nin process (-) and the command line (+) differ:\n%s", c.sql, d)
		}
		q.MaxRows = new(int64(100))
		limited, err := askRows(t.Context(), m.engine, q)
		if d := cmp.Diff(resultOf(t, limited, err), m.asTool(t, plane{tool: "run_sql"}, body)); d != "" {
			t.Errorf("%s\nin process (-) and run_sql (+) differ:\n%s", c.sql, d)
		}
	}
}
