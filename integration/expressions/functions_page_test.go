package expressions

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// pageRow is one row of a table of docs/functions.md, by the headings of the table.
type pageRow struct {
	line  int
	cells map[string]string
}

// functionsPageRows reads the rows of the tables that have examples.
func functionsPageRows(t *testing.T) []pageRow {
	t.Helper()
	page, err := os.ReadFile("../../docs/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []pageRow
	var headings []string
	for i, text := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(text, "|") {
			headings = nil
			continue
		}
		cells := strings.Split(strings.Trim(strings.ReplaceAll(text, `\|`, "\x00"), "| "), " | ")
		switch {
		case strings.HasPrefix(text, "|-"):
		case headings == nil:
			headings = cells
		case len(cells) != len(headings):
			t.Fatalf("line %d has %d cells for %d headings", i+1, len(cells), len(headings))
		case slices.Contains(headings, "example"):
			row := pageRow{line: i + 1, cells: map[string]string{}}
			for j, cell := range cells {
				row.cells[headings[j]] = strings.ReplaceAll(cell, "\x00", "|")
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// codes lists the codes of a cell: most have one.
func codes(cell string) []string {
	var out []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

// plainValue is the text that ask returns for a literal.
func plainValue(literal string) string {
	for _, kind := range []string{"DATE ", "TIMESTAMP "} {
		literal = strings.TrimPrefix(literal, kind)
	}
	if strings.HasPrefix(literal, "'") {
		return strings.ReplaceAll(strings.Trim(literal, "'"), "''", "'")
	}
	return strings.ToLower(literal)
}

var enginesOfPage = map[string]func(testing.TB) executor.Executor{
	"duckdb": openDuckDB, "postgres": openPostgres, "mariadb": openMySQLFamily(servers.MariaDB), "sqlite": openSQLite,
}

func TestFunctionsPage_ExamplesHaveTheShownValues(t *testing.T) {
	rows := functionsPageRows(t)
	for name, open := range enginesOfPage {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			d, _ := sqlemit.LookupDialect(name)
			ran := 0
			for _, row := range rows {
				want, common := row.cells["value"]
				if !common {
					want = row.cells[name]
				}
				for _, example := range codes(row.cells["example"]) {
					got, err := valueOf(t, db, d, example)
					lacks := err != nil && lacksFunction(t, d, example)
					switch {
					case want == "error" && err == nil:
						t.Errorf("line %d: %s is %s, want an error", row.line, example, got)
					case want == "error", lacks:
					case err != nil:
						t.Errorf("line %d: %s: %v", row.line, example, err)
					case !same(got, plainValue(codes(want)[0])):
						t.Errorf("line %d: %s is %q, want %s", row.line, example, got, want)
					}
					ran++
				}
			}
			floor.CheckCount(t, "examples", ran, 130)
		})
	}
}

// lacksFunction reports whether a dialect lacks a function of an example. The page names the dialects beside each function.
func lacksFunction(t *testing.T, d *sqlemit.Dialect, example string) (lacks bool) {
	t.Helper()
	e, err := sqlexpr.Parse(example)
	if err != nil {
		t.Fatal(err)
	}
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if call, ok := x.(*sqlexpr.Call); ok && !d.HasFunction(call.Fn) {
			lacks = true
		}
		return !lacks
	})
	return lacks
}

// valueOf returns the value of an example: from no table, or that of a metric over the table of the page.
func valueOf(t *testing.T, db executor.Executor, d *sqlemit.Dialect, example string) (string, error) {
	t.Helper()
	e, err := sqlexpr.Parse(example)
	if err != nil {
		return "", err
	}
	if !sqlexpr.HasAggregate(e) {
		sql, err := statement(example, d)
		if err != nil {
			return "", err
		}
		return ask(t.Context(), db, sql)
	}
	model := "version: 0.2.0.dev0\nname: m\ndatasets:\n  - name: t\n    source: >-\n      " + tableOfPage + "\n    fields:\n"
	for _, field := range []string{"x, datatype: Integer", "c, datatype: Boolean", "town, datatype: String"} {
		column, _, _ := strings.Cut(field, ",")
		model += "      - {name: " + field + ", expression: {dialects: [{dialect: ANSI_SQL, expression: " + column + "}]}}\n"
	}
	model += "metrics:\n  - {name: x, expression: {dialects: [{dialect: ANSI_SQL, expression: " + strconv.Quote(example) + "}]}}\n"
	layer, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model)})
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	q, err := query.DecodeMetric([]byte(fmt.Sprintf(`{"metrics":["x"],"dialect":%q}`, d.Name())))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := prepare.SQL(t.Context(), layer, q)
	if err != nil {
		return "", err
	}
	return ask(t.Context(), db, compiled.SQL)
}

// tableOfPage has the rows that the page describes.
const tableOfPage = "SELECT 2 AS x, TRUE AS c, 'oslo' AS town UNION ALL SELECT 4, FALSE, 'oslo' UNION ALL SELECT 4, TRUE, 'bergen'" +
	" UNION ALL SELECT 10, NULLIF(TRUE, TRUE), 'bergen' UNION ALL SELECT NULLIF(1, 1), TRUE, NULLIF('a', 'a')"

// A function of the page that is "null" for NULL is NULL when any of its arguments is.
func TestFunctionsPage_FunctionsAreNullForNull(t *testing.T) {
	for name, open := range enginesOfPage {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			d, _ := sqlemit.LookupDialect(name)
			ran := 0
			for _, f := range sqlexpr.FunctionReferences() {
				if f.Class != sqlexpr.ClassScalar || f.Nulls != "null" || f.Fn == sqlexpr.FnUnknown || !d.HasFunction(f.Fn) {
					continue
				}
				call, err := sqlexpr.Parse(f.Example)
				if err != nil {
					t.Fatal(err)
				}
				for i, arg := range call.(*sqlexpr.Call).Args {
					_, isText := arg.(*sqlexpr.String)
					isUnit := isText && strings.Contains(f.Arguments, "unit")
					isFormat := i == 1 && strings.Contains(f.Arguments, "format")
					isTrimmed := i == 1 && name == "mariadb" && strings.Contains(f.Arguments, "characters") // the page lists it
					if isUnit || isFormat || isTrimmed {
						continue
					}
					x := *call.(*sqlexpr.Call)
					x.Args = slices.Clone(x.Args)
					x.Args[i] = &sqlexpr.Call{Fn: sqlexpr.FnNullIf, Name: sqlexpr.Name{Text: "NULLIF"}, Args: []sqlexpr.Expr{arg, arg}}
					sql, err := statement(sqlexpr.Format(&x), d)
					if err != nil {
						t.Errorf("%s: %v", f.Names[0], err)
						continue
					}
					if got, err := ask(t.Context(), db, sql); err != nil || got != "null" {
						t.Errorf("%s is %q, %v\n%s", sqlexpr.Format(&x), got, err, sql)
					}
					ran++
				}
			}
			floor.CheckCount(t, "arguments", ran, 50)
		})
	}
}
