package sqlemit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// tokens drops white space outside quotes, and keeps one space between words.
func tokens(sql string, backslash bool) string {
	var b strings.Builder
	var quote byte
	gap := false
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		if backslash && quote != 0 && c == '\\' && i+1 < len(sql) {
			b.WriteString(sql[i : i+2])
			i++
			continue
		}
		if quote == 0 && (c == ' ' || c == '\n') {
			gap = true
			continue
		}
		if gap && b.Len() > 0 && isWord(c) && isWord(b.String()[b.Len()-1]) {
			b.WriteByte(' ')
		}
		gap = false
		switch {
		case quote == 0 && (c == '\'' || c == '"' || c == '`'):
			quote = c
		case quote == c:
			quote = 0
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func TestPretty_SameTokens(t *testing.T) {
	written := map[string]int{}
	for name, text := range allPlans(t) {
		root := readPlan(t, text)
		for _, d := range dialects(t) {
			compact, err := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{})
			pretty, err2 := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{Pretty: true})
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%s, %s: %v, %v", name, d.Name(), err, err2)
			}
			if err == nil {
				written[d.Name()]++
			}
			if err == nil && strings.Contains(compact, "\n") && name != "source_is_a_query.txtar" {
				t.Errorf("%s, %s: compact text has lines", name, d.Name())
			}
			backslash := escapesByBackslash(d.Name())
			if diff := cmp.Diff(tokens(compact, backslash), tokens(pretty, backslash)); diff != "" {
				t.Errorf("%s, %s (-compact +pretty)\n%s", name, d.Name(), diff)
			}
		}
	}
	requireMostPrinted(t, written)
}

// requireMostPrinted fails if a dialect rejected most of the plans: a rejected plan has no
// text to compare.
func requireMostPrinted(t *testing.T, written map[string]int) {
	t.Helper()
	plans := len(allPlans(t))
	for _, d := range dialects(t) {
		if written[d.Name()] < plans/2 {
			t.Errorf("%s writes %d of %d plans", d.Name(), written[d.Name()], plans)
		}
	}
}

func TestEmit_Deterministic(t *testing.T) {
	written := map[string]int{}
	for name, text := range allPlans(t) {
		root := readPlan(t, text)
		for _, d := range dialects(t) {
			first, err := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{})
			if err == nil {
				written[d.Name()]++
			}
			for range 3 {
				again, _ := sqlemit.Emit(t.Context(), readPlan(t, text), d, sqlemit.FormatOptions{})
				same, _ := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{})
				if again != first || same != first {
					t.Fatalf("%s, %s: the text changes", name, d.Name())
				}
			}
		}
	}
	requireMostPrinted(t, written)
}

func TestEmit_BrokenPlanIsError(t *testing.T) {
	scan := &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "t"}}}, Alias: "t"}
	ref := func(id int) []plan.NamedExpr { return []plan.NamedExpr{{Name: "x", Expr: &sqlexpr.Ref{ID: id}}} }
	agg := &plan.Aggregate{Input: scan, Measures: []plan.NamedExpr{{Name: "n", Expr: &sqlexpr.Call{Fn: sqlexpr.FnCount, Star: true}}}}
	two := &plan.Aggregate{Input: scan, Keys: []plan.NamedExpr{{Name: "k", Expr: column("k")}}, Measures: agg.Measures}
	for name, root := range map[string]plan.Node{
		"nothing":                 nil,
		"a table alone":           scan,
		"a filtered table":        &plan.Filter{Input: scan, Conds: []sqlexpr.Expr{&sqlexpr.Bool{Value: true}}},
		"a window over a table":   &plan.Window{Input: scan},
		"a reference too far":     &plan.Project{Input: agg, Cols: ref(1)},
		"a negative reference":    &plan.Project{Input: agg, Cols: ref(-1)},
		"a sort key too far":      &plan.Sort{Input: agg, Keys: []plan.SortKey{{Col: 3}}},
		"no branches":             &plan.Combine{Keys: 1},
		"a branch without keys":   &plan.Combine{Keys: 2, Branches: []plan.Node{agg, agg}},
		"marks missing":           &plan.Combine{Keys: 1, Branches: []plan.Node{two, two}},
		"an empty aggregate":      &plan.Aggregate{Input: scan},
		"a join of an aggregate":  &plan.Aggregate{Input: &plan.Join{Left: scan, Right: agg}, Measures: agg.Measures},
		"an input missing":        &plan.Project{Cols: ref(0)},
		"a derived without input": &plan.Project{Input: &plan.Derived{Alias: "d"}, Cols: agg.Measures},
	} {
		d, _ := sqlemit.LookupDialect("duckdb")
		sql, err := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{})
		if err == nil {
			t.Errorf("%s: %s", name, sql)
			continue
		}
		if code := errorCode(err); code != sqlemit.CodeInternal {
			t.Errorf("%s: code %s", name, code)
		}
	}
}

func TestLookup_NamesAndAliasesAnyCase(t *testing.T) {
	for name, want := range map[string]string{
		"duckdb": "duckdb", "DuckDB": "duckdb", "postgresql": "postgres", "Greenplum": "postgres", "cockroachdb": "postgres",
		"hologres": "postgres", "gaussdb": "postgres", "dws": "postgres", "redshift": "redshift", "sqlite3": "sqlite",
	} {
		if d, ok := sqlemit.LookupDialect(name); !ok || d.Name() != want {
			t.Errorf("%s: %v", name, ok)
		}
	}
	if _, ok := sqlemit.LookupDialect("oracle"); ok {
		t.Error("oracle is no dialect")
	}
	seen := map[string]bool{}
	for _, d := range dialects(t) {
		for _, name := range append(d.Aliases(), d.Name()) {
			if seen[name] {
				t.Errorf("%s stands for two dialects", name)
			}
			seen[name] = true
		}
	}
	want := []string{
		"duckdb", "postgres", "redshift", "mysql", "mariadb", "tidb", "starrocks", "doris",
		"sqlite", "clickhouse", "trino", "snowflake", "bigquery", "databricks",
	}
	if got := sqlemit.DialectNames(); !slices.Equal(got, want) {
		t.Errorf("Names: %v", got)
	}
	if got := sqlexpr.DialectNames(); !slices.Equal(got, append(want, "ansi_sql")) {
		t.Errorf("the dialects whose texts are known: %v", got)
	}
}

func errorCode(err error) string {
	var typed *sqlemit.Error
	if errors.As(err, &typed) {
		return typed.ErrorCode()
	}
	return ""
}
