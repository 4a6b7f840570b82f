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
	"postgres":   {sqlexpr.FnApproxCountDistinct, sqlexpr.FnApproxPercentile},
	"clickhouse": {sqlexpr.FnPercentileDisc, sqlexpr.FnCurrentTime},
	"databricks": {sqlexpr.FnCurrentTime},
	"mysql":      mysqlMissing,
	"mariadb":    mysqlMissing,
	"tidb":       mysqlMissing,
	"redshift":   {sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr, sqlexpr.FnPercentileDisc, sqlexpr.FnApproxPercentile},
	"trino":      {sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc},
	"bigquery":   {sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc},
	"starrocks":  {sqlexpr.FnCurrentTime, sqlexpr.FnNthValue, sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc},
	"doris":      {sqlexpr.FnCurrentTime, sqlexpr.FnNthValue, sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc},
	"sqlite": {
		sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc, sqlexpr.FnApproxCountDistinct, sqlexpr.FnApproxPercentile,
		sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp,
		sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr, sqlexpr.FnSplitPart, sqlexpr.FnRegexpLike, sqlexpr.FnRegexpCount,
	},
}

var mysqlMissing = []sqlexpr.Func{
	sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr,
	sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc, sqlexpr.FnApproxCountDistinct, sqlexpr.FnApproxPercentile,
}

var dateParts = []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// callsOf makes a call of fn with each number of arguments it takes, and with
// each part where the first argument is one.
func callsOf(fn sqlexpr.Func) []*sqlexpr.Call {
	info := sqlexpr.InfoOfFunction(fn)
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
		case sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc, sqlexpr.FnApproxPercentile:
			c.Args[1] = &sqlexpr.Number{Text: "0.07"}
			out = append(out, c, &sqlexpr.Call{Fn: fn, Name: c.Name, Desc: true, Args: c.Args})
		case sqlexpr.FnListagg:
			c.Args[1] = &sqlexpr.String{Value: "'"}
			out = append(out, c)
			if n == 2 {
				out = append(out, &sqlexpr.Call{Fn: fn, Name: c.Name, Distinct: true, Args: []sqlexpr.Expr{&sqlexpr.DeclaredTypeExpr{X: c.Args[0], Type: sqlexpr.TypeString}, c.Args[1]}})
			} else {
				out = append(out, &sqlexpr.Call{Fn: fn, Name: c.Name, Desc: true, Args: c.Args})
			}
		case sqlexpr.FnDateTrunc, sqlexpr.FnDateAdd, sqlexpr.FnDateDiff:
			for _, part := range dateParts {
				of := *c
				of.Args = slices.Clone(args)
				of.Args[0] = &sqlexpr.String{Value: part}
				out = append(out, &of)
			}
		case sqlexpr.FnToChar, sqlexpr.FnToDate, sqlexpr.FnToTimestamp:
			if n == 2 {
				c.Args[1] = &sqlexpr.String{Value: "DD.MM.YYYY"}
				if fn != sqlexpr.FnToDate {
					c.Args[1] = &sqlexpr.String{Value: `YYYY-MM-DD"T"HH24:MI:SS`}
				}
			}
			out = append(out, c)
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
	for _, name := range sqlemit.DialectNames() {
		d, ok := sqlemit.LookupDialect(name)
		if !ok {
			tb.Fatalf("Names lists %q, which Lookup does not know", name)
		}
		out = append(out, d)
	}
	return out
}

// expression prints one expression, as the only column of a table t.
func expression(e sqlexpr.Expr, d *sqlemit.Dialect) (string, error) {
	scan := &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "t"}}}, Alias: "t"}
	var root plan.Node = &plan.Project{Input: scan, Cols: []plan.NamedExpr{{Name: "x", Expr: e}}}
	if sqlexpr.HasAggregate(e) {
		root = &plan.Aggregate{Input: scan, Measures: []plan.NamedExpr{{Name: "x", Expr: e}}}
	}
	s, err := sqlemit.Emit(context.Background(), root, d, sqlemit.FormatOptions{})
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
				code := sqlemit.CodeNotImplemented
				if sqlexpr.InfoOfFunction(fn).Class == sqlexpr.ClassScalar {
					code = sqlemit.CodeUnsupportedFunction
				}
				if lacks := d.Capabilities().NoFunction.Has(fn); lacks != (err != nil && code == sqlemit.CodeUnsupportedFunction) {
					t.Errorf("%s: the capabilities lack %s: %v", d.Name(), sqlexpr.InfoOfFunction(fn).Name, lacks)
				}
				if err != nil && errorCode(err) != code {
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
			class := sqlexpr.InfoOfFunction(fn).Class
			if class == sqlexpr.ClassScalar {
				continue
			}
			lacks := slices.Contains(missingFunctions[d.Name()], fn)
			caps := d.Capabilities()
			if has := !caps.NoWindow.Has(fn) && !caps.Ranked.Has(fn) && !caps.NoSketch.Has(fn); has && lacks {
				t.Errorf("%s: %s is missing, but not in the capabilities", d.Name(), sqlexpr.InfoOfFunction(fn).Name)
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
