package injection_test

import (
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// FuzzCondition_StaysInOneSelect writes any text as a condition of either plane: it is
// rejected with a code, or each dialect has one SELECT for it, which DuckDB can parse.
func FuzzCondition_StaysInOneSelect(f *testing.F) {
	for _, in := range requestInputs() {
		if in.kind != "condition" || strings.Contains(in.body, "«name»") {
			continue
		}
		_, condition, ok := strings.Cut(in.body, `"where_sql":"`)
		for i, x := range texts() {
			if ok && i%40 == 0 && len(x.value) < 1000 {
				f.Add(strings.NewReplacer("«raw»", x.value, "«literal»", strings.ReplaceAll(x.value, "'", "''")).Replace(strings.TrimSuffix(condition, `"}`)))
			}
		}
	}
	e := openFuzzed(f)
	f.Fuzz(func(t *testing.T, condition string) {
		for name, l := range lexes {
			metric, err := prepare.SQL(t.Context(), e, &query.MetricQuery{Metrics: []string{"note_count"}, WhereSQL: condition, Dialect: name})
			judge(t, condition, sqlOf(metric), err, l)
			detail, err := prepare.SQL(t.Context(), e, &query.DetailQuery{From: "notes", Fields: []string{"id"}, WhereSQL: condition, Dialect: name})
			judge(t, condition, sqlOf(detail), err, l)
		}
		begun := time.Now()
		_, err := prepare.Rows(t.Context(), e, &query.MetricQuery{Metrics: []string{"note_count"}, WhereSQL: condition})
		judgeExecution(t, condition, begun, err)
	})
}

// FuzzStatement_StaysInOneSelect does for statements what FuzzCondition_StaysInOneSelect does for conditions.
func FuzzStatement_StaysInOneSelect(f *testing.F) {
	for i, in := range statementInputs() {
		for j, x := range texts() {
			if (i+j)%40 != 0 || len(x.value) > 1000 {
				continue
			}
			text := strings.NewReplacer("«raw»", x.value, "«literal»", strings.ReplaceAll(x.value, "'", "''"), `\"«name»\"`, `"`+strings.ReplaceAll(x.value, `"`, `""`)+`"`).Replace(in.body)
			if _, sql, ok := strings.Cut(text, `{"sql":"`); ok {
				f.Add(strings.TrimSuffix(sql, `"}`))
			}
		}
	}
	e := openFuzzed(f)
	f.Fuzz(func(t *testing.T, statement string) {
		for name, l := range lexes {
			compiled, err := prepare.SQL(t.Context(), e, &query.SQLStatement{SQL: statement, Dialect: name})
			sql := ""
			if compiled != nil {
				sql = compiled.SQL
			}
			judge(t, statement, sql, err, l)
		}
		begun, most := time.Now(), int64(100)
		_, err := prepare.Rows(t.Context(), e, &query.SQLStatement{SQL: statement, MaxRows: &most})
		judgeExecution(t, statement, begun, err)
	})
}

func openFuzzed(f *testing.F) *engine.Engine {
	f.Helper()
	e, err := engine.Open(f.Context(), engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		ModelText: []byte(modelFor(false)), Setup: []string{script("decode(from_hex('%s'))", "VARCHAR")},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close() })
	return e
}

func sqlOf(c *engine.Compiled) string {
	if c == nil {
		return ""
	}
	return c.SQL
}

// judge checks what a text was compiled to.
func judge(t *testing.T, text, sql string, err error, l sqlLexer) {
	t.Helper()
	var refused engine.CodedError
	switch {
	case err == nil:
		if why := l.oneSelect(sql); why != "" {
			t.Fatalf("%q: %s\n%s", text, why, sql)
		}
	case !errors.As(err, &refused), refused.ErrorCode() == "internal":
		t.Fatalf("%q: %v", text, err)
	}
}

// judgeExecution checks that the engine could parse what a text became, and how long it took.
func judgeExecution(t *testing.T, text string, begun time.Time, err error) {
	t.Helper()
	var refused engine.CodedError
	if err != nil && (!errors.As(err, &refused) || refused.ErrorCode() == "sql_rejected" && (strings.Contains(err.Error(), "Parser Error") || strings.Contains(err.Error(), "statements"))) {
		t.Fatalf("%q: %v", text, err)
	}
	if took := time.Since(begun); took > longest {
		t.Fatalf("%q took %s", text, took)
	}
}
