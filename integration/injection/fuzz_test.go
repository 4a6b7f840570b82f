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
)

// FuzzCondition_StaysInOneSelect writes any text as a condition of either plane: it is
// refused with a code, or each dialect has one SELECT for it, which DuckDB can parse.
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
	e, err := engine.Open(f.Context(), engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		ModelText: []byte(modelFor(false)), Setup: []string{script("decode(from_hex('%s'))", "VARCHAR")},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close() })
	f.Fuzz(func(t *testing.T, condition string) {
		for name, l := range lexes {
			metric, err := e.CompileMetrics(t.Context(), &engine.MetricQuery{Metrics: []string{"note_count"}, WhereSQL: condition, Dialect: name})
			judge(t, condition, metric, err, l)
			detail, err := e.CompileSelect(t.Context(), &engine.DetailQuery{From: "notes", Fields: []string{"id"}, WhereSQL: condition, Dialect: name})
			judge(t, condition, detail, err, l)
		}
		begun := time.Now()
		_, err := e.ExecuteMetrics(t.Context(), &engine.MetricQuery{Metrics: []string{"note_count"}, WhereSQL: condition})
		var refused engine.CodedError
		if err != nil && (!errors.As(err, &refused) || strings.Contains(err.Error(), "Parser Error") || strings.Contains(err.Error(), "statements")) {
			t.Fatalf("%q: %v", condition, err)
		}
		if took := time.Since(begun); took > longest {
			t.Fatalf("%q took %s", condition, took)
		}
	})
}

func judge(t *testing.T, condition string, compiled *engine.Compiled, err error, l sqlLexer) {
	t.Helper()
	var refused engine.CodedError
	switch {
	case err == nil:
		if why := l.oneSelect(compiled.SQL); why != "" {
			t.Fatalf("%q: %s\n%s", condition, why, compiled.SQL)
		}
	case !errors.As(err, &refused), refused.ErrorCode() == "internal":
		t.Fatalf("%q: %v", condition, err)
	}
}
