package integration_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// fieldValuesModel has notes, whose body is hostile, and their authors in two roles.
const fieldValuesModel = `
version: 0.2.0.dev0
semantic_model:
  - name: values
    datasets:
      - name: notes
        source: notes
        primary_key: [id]
        fields:
          - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - {name: body, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: body}]}}
          - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
          - {name: moment, datatype: DateTime, expression: {dialects: [{dialect: ANSI_SQL, expression: moment}]}}
          - {name: price, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: price}]}}
          - {name: score, datatype: Float, expression: {dialects: [{dialect: ANSI_SQL, expression: score}]}}
          - {name: flag, datatype: Boolean, expression: {dialects: [{dialect: ANSI_SQL, expression: flag}]}}
          - name: month_code
            datatype: Integer
            expression: {dialects: [{dialect: ANSI_SQL, expression: month_code}]}
            dimension: {is_time: true}
            custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "requires": ["time"], "time": {"format": "yyyyMM"}}'}]
          - {name: writer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: writer_id}]}}
          - {name: reader_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: reader_id}]}}
          - {name: hidden, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: body}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "is_dimension": false}'}]}
      - name: people
        source: people
        primary_key: [id]
        fields:
          - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - {name: name, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
          - name: written
            datatype: Integer
            expression: {dialects: [{dialect: ANSI_SQL, expression: 'COUNT(notes.id)'}]}
            custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "requires": ["lod"], "lod": {"grain": ["id"], "via": ["writer"]}}'}]
    relationships:
      - {name: writer, from: notes, to: people, from_columns: [writer_id], to_columns: [id]}
      - {name: reader, from: notes, to: people, from_columns: [reader_id], to_columns: [id]}
    metrics:
      - {name: note_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(notes.id)}]}}
`

// hostileBodies are the values of notes.body; the value at index i is in i+1 rows.
var hostileBodies = []string{
	"", "it's", `say "when"`, "100%", "a_b", `C:\temp\`, "😀 smile", strings.Repeat("long ", 2000), "tab\tand\nline", "naïve Ärger", "NAIVE aerger",
	"'; DROP TABLE notes; --", "%", "_", `\`, "''", "/* x */", "$1 ?", " padded", "Straße",
}

// noteRows returns the rows of notes, three of them without a body.
func noteRows() (bodies []*string) {
	for i := range hostileBodies {
		for range i + 1 {
			bodies = append(bodies, &hostileBodies[i])
		}
	}
	return append(bodies, nil, nil, nil)
}

// noteScript makes the tables. The texts come as the hexadecimal digits of their bytes.
func noteScript(fromHex, textType string) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE people (id INTEGER, name VARCHAR(20));\nINSERT INTO people VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy'), (4, NULL);\n")
	fmt.Fprintf(&b, "CREATE TABLE notes (id INTEGER, body %s, day DATE, moment TIMESTAMP(6) NULL, price DECIMAL(10,2), score DOUBLE PRECISION, flag BOOLEAN, month_code INTEGER, writer_id INTEGER, reader_id INTEGER);\n", textType)
	for i, body := range noteRows() {
		text := "NULL"
		if body != nil {
			text = fmt.Sprintf(fromHex, hex.EncodeToString([]byte(*body)))
		}
		fmt.Fprintf(&b, "INSERT INTO notes VALUES (%d, %s, '2024-0%d-10', '2024-01-0%d 10:00:00', %d.50, %d.25, %t, 20240%d, %d, %d);\n",
			i, text, 1+i%4, 1+i%3, i%7, i%5, i%3 == 0, 1+i%4, 1+i%2, 3)
	}
	return b.String()
}

// openNotes opens the notes on each engine.
func openNotes(t *testing.T) map[string]func(*testing.T) *engine.Engine {
	t.Helper()
	config := func() engine.Config {
		return engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(fieldValuesModel), Logger: slog.New(slog.DiscardHandler)}
	}
	open := func(t *testing.T, c engine.Config) *engine.Engine {
		t.Helper()
		e, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		for _, broken := range e.CompileErrors() {
			t.Fatal(broken)
		}
		return e
	}
	onServer := func(start func(testing.TB) *servers.Server, fromHex, textType string) func(*testing.T) *engine.Engine {
		return func(t *testing.T) *engine.Engine {
			s := start(t)
			db, err := s.Load(t.Context(), t.Name(), noteScript(fromHex, textType))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = db.Close()
				_ = s.Drop(context.WithoutCancel(t.Context()), t.Name())
			})
			c := config()
			c.Connections = []engine.ProgramConnection{{Name: "w", Executor: db}}
			return open(t, c)
		}
	}
	return map[string]func(*testing.T) *engine.Engine{
		"duckdb": func(t *testing.T) *engine.Engine {
			c := config()
			c.Setup = []string{noteScript("decode(from_hex('%s'))", "VARCHAR")}
			return open(t, c)
		},
		"postgres":   onServer(func(tb testing.TB) *servers.Server { return servers.PostgreSQL(tb, shared) }, "convert_from(decode('%s', 'hex'), 'UTF8')", "VARCHAR"),
		"mariadb":    onServer(func(tb testing.TB) *servers.Server { return servers.MariaDB(tb, shared) }, "CONVERT(UNHEX('%s') USING utf8mb4)", "VARCHAR(12000)"),
		"mysql":      onServer(func(tb testing.TB) *servers.Server { return servers.MySQL(tb, shared) }, "CONVERT(UNHEX('%s') USING utf8mb4)", "VARCHAR(12000)"),
		"sqlite":     onServer(servers.SQLite, "CAST(x'%s' AS TEXT)", "VARCHAR"),
		"clickhouse": onServer(servers.ClickHouse, "unhex('%s')", "VARCHAR"),
	}
}

// valueCount is a value and its count as the test expects them.
type valueCount struct {
	Value any
	Count int64
}

// askValues requests values and decodes them.
func askValues(t *testing.T, e *engine.Engine, q query.ValuesQuery) (*engine.FieldValues, []valueCount) {
	t.Helper()
	if len(e.Connections()) > 0 {
		q.Connection = "w"
	}
	if q.Limit == 0 {
		q.Limit = 1000
	}
	values, err := e.FieldValues(t.Context(), &q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	out := []valueCount{}
	for _, v := range values.Values {
		d := json.NewDecoder(bytes.NewReader(v.Value))
		d.UseNumber()
		var value any
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		out = append(out, valueCount{value, v.Count})
	}
	return values, out
}

// lowerASCII lowers the letters that every engine lowers.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			return unicode.ToLower(r)
		}
		return r
	}, text)
}

// TestFieldValues_EqualTheRowsOnEveryEngine compares hostile values with the rows that were written.
func TestFieldValues_EqualTheRowsOnEveryEngine(t *testing.T) {
	for name, open := range openNotes(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := open(t)
			compareBodies(t, e)
			compareTypes(t, e)
			compareRoles(t, e)
		})
	}
}

// compareBodies compares the values of notes.body, all and those that contain a text.
func compareBodies(t *testing.T, e *engine.Engine) {
	t.Helper()
	expected := func(like string) []valueCount {
		out := []valueCount{}
		for i := len(hostileBodies) - 1; i >= 0; i-- {
			if like == "" || strings.Contains(lowerASCII(hostileBodies[i]), lowerASCII(like)) {
				out = append(out, valueCount{hostileBodies[i], int64(i + 1)})
			}
		}
		return out
	}
	all := expected("")
	// Three rows have none, as many as those with the third text, which comes first: null is last.
	for i, v := range all {
		if v.Count == 3 {
			all = append(all[:i+1], append([]valueCount{{nil, 3}}, all[i+1:]...)...)
			break
		}
	}
	values, got := askValues(t, e, query.ValuesQuery{Field: "notes.body"})
	if d := cmp.Diff(all, got); d != "" || !values.Complete || values.RowCount != len(all) || values.Min != nil {
		t.Errorf("all bodies (complete %t): %s", values.Complete, d)
	}
	for offset := range int64(len(all) + 1) {
		values, got := askValues(t, e, query.ValuesQuery{Field: "body", Limit: 3, Offset: offset})
		want := all[min(int(offset), len(all)):min(int(offset)+3, len(all))]
		if d := cmp.Diff(want, got); d != "" && len(want)+len(got) > 0 || values.Complete != (int(offset)+3 >= len(all)) {
			t.Errorf("page at %d (complete %t): %s", offset, values.Complete, d)
		}
	}
	for _, body := range append([]string{"EMP", "ST", "é", "' OR", "smile", "RGER", "\n"}, hostileBodies...) {
		if body == "" || len([]rune(body)) > 200 {
			continue
		}
		for _, like := range []string{body, lowerASCII(body)} {
			values, got := askValues(t, e, query.ValuesQuery{Field: "notes.body", Like: like})
			if want := expected(like); len(want) > 0 && cmp.Diff(want, got) != "" || len(want) == 0 && values.Match == "" && len(got) > 0 {
				t.Errorf("like %q (%s): %s\n%s", like, values.Match, cmp.Diff(want, got), values.SQL)
			}
		}
	}
	if values, got := askValues(t, e, query.ValuesQuery{Field: "notes.body", Like: " Padded "}); values.Match != "near" || len(got) == 0 || got[0] != (valueCount{" padded", 19}) {
		t.Errorf("near values: %s %v", values.Match, got)
	}
	if values, got := askValues(t, e, query.ValuesQuery{Field: "notes.body", Like: "nothing at all is like this"}); values.Match != "" || len(got) != 0 || values.Values == nil || !values.Complete {
		t.Errorf("nothing is near: %s %v", values.Match, got)
	}
}

// compareTypes compares values and bounds of each type.
func compareTypes(t *testing.T, e *engine.Engine) {
	t.Helper()
	n := len(noteRows())
	for _, c := range []struct {
		field                        string
		of                           int // different values
		first, least, most, from, to string
	}{
		{"day", 4, `"2024-01-10"`, `"2024-01-10"`, `"2024-04-10"`, "", ""},
		{"moment", 3, `"2024-01-01T10:00:00"`, `"2024-01-01T10:00:00"`, `"2024-01-03T10:00:00"`, "", ""},
		{"price", 7, "", `0.50`, `6.50`, "", ""},
		{"score", 5, "", `0.25`, `4.25`, "", ""},
		{"flag", 2, "false", "", "", "", ""},
		{"month_code", 4, "202401", "202401", "202404", "2024-01-01", "2024-04-01"},
	} {
		values, got := askValues(t, e, query.ValuesQuery{Field: "notes." + c.field})
		rows := int64(0)
		for _, v := range got {
			rows += v.Count
		}
		if len(got) != c.of || rows != int64(n) || c.first != "" && string(values.Values[0].Value) != c.first {
			t.Errorf("%s: %v", c.field, got)
		}
		if !sameNumber(c.least, string(values.Min)) || !sameNumber(c.most, string(values.Max)) || values.MinDate != c.from || values.MaxDate != c.to {
			t.Errorf("%s: from %s %s to %s %s", c.field, values.Min, values.MinDate, values.Max, values.MaxDate)
		}
	}
	values, got := askValues(t, e, query.ValuesQuery{Field: "notes.day", WhereSQL: "writer.name = 'Bob' AND notes.price > 2"})
	// Bob writes the notes with an odd number, whose months are February and April.
	if len(got) != 2 || string(values.Min) != `"2024-02-10"` || string(values.Max) != `"2024-04-10"` {
		t.Errorf("days under a condition: %v, from %s to %s", got, values.Min, values.Max)
	}
	values, got = askValues(t, e, query.ValuesQuery{Field: "notes.month_code", WhereSQL: "notes.price > 1000"})
	if len(got) != 0 || values.Min != nil || values.Max != nil || values.MinDate != "" || values.MaxDate != "" {
		t.Errorf("months of no row: %v, from %s %s to %s %s", got, values.Min, values.MinDate, values.Max, values.MaxDate)
	}
	if _, got := askValues(t, e, query.ValuesQuery{Field: "notes.day", Like: "-03-"}); len(got) != 1 || got[0].Value != "2024-03-10" {
		t.Errorf("days like -03-: %v", got)
	}
	if _, got := askValues(t, e, query.ValuesQuery{Field: "notes.month_code", Like: "03"}); len(got) != 1 || got[0].Value != json.Number("202403") {
		t.Errorf("months like 03: %v", got)
	}
}

// sameNumber reports whether two JSON texts are equal, or the same number.
func sameNumber(a, b string) bool {
	var x, y float64
	return a == b || json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && x == y
}

// compareRoles compares the values of a role, which are all those of its target, and of a level of detail.
func compareRoles(t *testing.T, e *engine.Engine) {
	t.Helper()
	people := []valueCount{{"Ann", 1}, {"Bob", 1}, {"Cy", 1}, {nil, 1}}
	for _, field := range []string{"reader.name", "writer.name", "people.name"} {
		if values, got := askValues(t, e, query.ValuesQuery{Field: field}); values.Field != "people.name" || cmp.Diff(people, got) != "" {
			t.Errorf("%s is %s: %v", field, values.Field, got)
		}
	}
	// Ann and Bob write every second note, the first one Ann.
	n := int64(len(noteRows()))
	values, got := askValues(t, e, query.ValuesQuery{Field: "people.written"})
	counts := map[string]int64{}
	for _, v := range got {
		counts[fmt.Sprint(v.Value)] += v.Count
	}
	want := map[string]int64{fmt.Sprint((n + 1) / 2): 1, fmt.Sprint(n / 2): 1}
	if (n+1)/2 == n/2 {
		want = map[string]int64{fmt.Sprint(n / 2): 2}
	}
	delete(counts, "0")
	delete(counts, "<nil>")
	if d := cmp.Diff(want, counts); d != "" || string(values.Max) != fmt.Sprint((n+1)/2) {
		t.Errorf("a level of detail, at most %s: %s", values.Max, d)
	}
	var q *planerr.Error
	asked := query.ValuesQuery{Field: "notes.hidden", Limit: 1}
	if len(e.Connections()) > 0 {
		asked.Connection = "w"
	}
	if _, err := e.FieldValues(t.Context(), &asked); !errors.As(err, &q) || q.Code != "unknown_dimension" {
		t.Errorf("a hidden field: %v", err)
	}
}

// TestFieldValues_StatementsOfEveryDialect compares the statements with those that were read and kept.
func TestFieldValues_StatementsOfEveryDialect(t *testing.T) {
	doc, err := modelspec.Parse([]byte(fieldValuesModel))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range sqlemit.DialectNames() {
		d, _ := sqlemit.LookupDialect(name)
		for _, q := range []query.ValuesQuery{
			{Field: "body", Limit: 20},
			{Field: "body", Like: `it's 100%_\`, Limit: 20, Offset: 40},
			{Field: "day", Like: "2024", Limit: 20, WhereSQL: "writer.name = 'Ann'"},
			{Field: "moment", Limit: 20},
			{Field: "month_code", Limit: 1},
			{Field: "flag", Like: "tr", Limit: 1},
			{Field: "people.written", Limit: 5},
		} {
			planned, err := planner.New(cat).PlanFieldValues(t.Context(), &q, planner.Target{Dialect: name, Caps: d.Capabilities()})
			if err != nil {
				t.Fatalf("%s: %+v: %v", name, q, err)
			}
			for _, p := range []*planner.Planned{planned.Values, planned.Bounds, planned.Frequent} {
				if p == nil {
					continue
				}
				if err := plan.CheckTree(p.Root); err != nil {
					t.Errorf("%s: %+v: %v", name, q, err)
				}
				sql, err := sqlemit.Emit(t.Context(), p.Root, d, sqlemit.FormatOptions{})
				if err != nil {
					t.Errorf("%s: %+v: %v", name, q, err)
				}
				fmt.Fprintf(&b, "%s: %s\n", name, sql)
				if strings.Contains(strings.ToUpper(sql), " LIKE ") {
					t.Errorf("%s matches a pattern: %s", name, sql)
				}
			}
		}
	}
	const path = "testdata/field_values.sql"
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); d != "" {
		t.Errorf("look whether the change is meant, then run go test -update\n%s", d)
	}
}
