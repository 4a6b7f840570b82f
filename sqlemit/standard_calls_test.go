package sqlemit_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// missingFunctions lists the functions that a dialect lacks. Every dialect must print all
// others.
var missingFunctions = map[string][]sqlexpr.Func{
	"mysql":     {sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr},
	"mariadb":   {sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr},
	"tidb":      {sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr},
	"redshift":  {sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr},
	"starrocks": {sqlexpr.FnNthValue},
	"doris":     {sqlexpr.FnNthValue},
	"sqlite": {
		sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp,
		sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr, sqlexpr.FnSplitPart,
	},
}

var dateParts = []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// callsOf makes a call of fn with each number of arguments it takes, and with
// each part where the first argument is one.
func callsOf(fn sqlexpr.Func) []*sqlexpr.Call {
	info := sqlexpr.InfoOf(fn)
	most := info.MaxArgs
	if most < 0 {
		most = info.MinArgs + 2
	}
	var out []*sqlexpr.Call
	for n := info.MinArgs; n <= most; n++ {
		var args []sqlexpr.Expr
		for i := range n {
			args = append(args, column(string(rune('a'+i))))
		}
		c := &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: info.Name}, Args: args}
		switch fn {
		case sqlexpr.FnDateTrunc, sqlexpr.FnDateAdd, sqlexpr.FnDateDiff:
			for _, part := range dateParts {
				of := *c
				of.Args = slices.Clone(args)
				of.Args[0] = &sqlexpr.String{Value: part}
				out = append(out, &of)
			}
		case sqlexpr.FnTrim, sqlexpr.FnLTrim, sqlexpr.FnRTrim:
			// MySQL wants to see the characters.
			if n == 2 {
				c.Args[1] = &sqlexpr.String{Value: "x-]"}
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

func column(name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: "t"}, {Text: name}}}
}

func dialects(tb testing.TB) []*sqlemit.Dialect {
	tb.Helper()
	var out []*sqlemit.Dialect
	for _, name := range sqlemit.Names() {
		d, ok := sqlemit.Lookup(name)
		if !ok {
			tb.Fatalf("Names lists %q, which Lookup does not know", name)
		}
		out = append(out, d)
	}
	return out
}

// expression prints one expression, as the only column of a table t.
func expression(e sqlexpr.Expr, d *sqlemit.Dialect) (string, error) {
	scan := &plan.Scan{Source: sqlexpr.Source{Table: []sqlexpr.Name{{Text: "t"}}}, Alias: "t"}
	var root plan.Node = &plan.Project{Input: scan, Cols: []plan.NamedExpr{{Name: "x", Expr: e}}}
	if sqlexpr.HasAggregate(e) {
		root = &plan.Aggregate{Input: scan, Measures: []plan.NamedExpr{{Name: "x", Expr: e}}}
	}
	s, err := sqlemit.Emit(context.Background(), root, d, sqlemit.Options{})
	if err != nil {
		return "", err
	}
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "SELECT "), " AS "+quote(d, "x")+" FROM ")
	return s, nil
}

func quote(d *sqlemit.Dialect, s string) string {
	switch d.Name() {
	case "mysql", "mariadb", "tidb", "starrocks", "doris", "bigquery", "databricks":
		return "`" + s + "`"
	}
	return `"` + s + `"`
}

func allFuncs() []sqlexpr.Func {
	var out []sqlexpr.Func
	for fn := sqlexpr.FnSum; fn <= sqlexpr.FnIf; fn++ {
		if fn != sqlexpr.FnOtherAggregate {
			out = append(out, fn)
		}
	}
	return out
}

func TestFunctions_EveryDialectSupportsOrRejects(t *testing.T) {
	for _, d := range dialects(t) {
		for _, fn := range allFuncs() {
			want := !slices.Contains(missingFunctions[d.Name()], fn)
			for _, c := range callsOf(fn) {
				sql, err := expression(c, d)
				if (err == nil) != want {
					t.Errorf("%s: %s: got %q, %v", d.Name(), sqlexpr.Format(c), sql, err)
				}
				if err != nil && errorCode(err) != sqlemit.CodeNotImplemented {
					t.Errorf("%s: %s: code %s", d.Name(), sqlexpr.Format(c), errorCode(err))
				}
			}
		}
	}
}

// A planner that asks Capabilities must not be surprised by Emit.
func TestCapabilities_MissingWindowFunctions(t *testing.T) {
	for _, d := range dialects(t) {
		for _, fn := range allFuncs() {
			class := sqlexpr.InfoOf(fn).Class
			if class == sqlexpr.Scalar {
				continue
			}
			lacks := slices.Contains(missingFunctions[d.Name()], fn)
			if has := !d.Capabilities().NoWindow.Has(fn); has && lacks {
				t.Errorf("%s: %s is missing, but not in NoWindow", d.Name(), sqlexpr.InfoOf(fn).Name)
			}
		}
	}
}

// Every spelling of every function, as a table to read.
func TestFunctions_SpellingTable(t *testing.T) {
	const path = "testdata/functions.txt"
	var b strings.Builder
	for _, fn := range allFuncs() {
		for _, c := range callsOf(fn) {
			printEveryDialect(t, &b, sqlexpr.Format(c), c)
		}
	}
	golden(t, path, b.String())
}

// printEveryDialect writes an expression as each dialect prints it: – where one cannot, ″
// where one prints what the one above does.
func printEveryDialect(t *testing.T, b *strings.Builder, title string, e sqlexpr.Expr) {
	t.Helper()
	fmt.Fprintf(b, "%s\n", title)
	last := ""
	for _, d := range dialects(t) {
		sql, err := expression(e, d)
		if err != nil {
			sql = "–"
		}
		sql = strings.ReplaceAll(sql, "`", `"`)
		if sql == last {
			sql = `″`
		} else {
			last = sql
		}
		fmt.Fprintf(b, "  %-11s %s\n", d.Name(), sql)
	}
}

// golden compares with a file, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
