package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// dialectsLackingFunction lists, for functions that the expression language does not have and that many
// models call, the dialects whose engines have no function of that name, or one of
// another meaning. It goes by the engines' documentation.
var dialectsLackingFunction = map[string][]string{
	"DATE_FORMAT":     {"duckdb", "postgres", "redshift", "sqlite", "snowflake", "bigquery"},
	"DECODE":          {"duckdb", "postgres", "mysql", "mariadb", "tidb", "starrocks", "doris", "sqlite", "clickhouse", "trino", "bigquery"},
	"GETDATE":         {"duckdb", "postgres", "mysql", "mariadb", "tidb", "starrocks", "doris", "sqlite", "clickhouse", "trino", "bigquery"},
	"LAST_DAY":        {"postgres", "sqlite", "trino"},
	"LPAD":            {"sqlite"},
	"NOW":             {"redshift", "sqlite", "snowflake", "bigquery"},
	"REGEXP_CONTAINS": {"duckdb", "postgres", "redshift", "mysql", "mariadb", "tidb", "starrocks", "doris", "sqlite", "clickhouse", "trino", "snowflake", "databricks"},
	"REGEXP_LIKE":     {"duckdb", "redshift", "mariadb", "starrocks", "doris", "sqlite", "clickhouse", "bigquery"},
	"REVERSE":         {"sqlite"},
	"RPAD":            {"sqlite"},
	"SAFE_DIVIDE":     {"duckdb", "postgres", "redshift", "mysql", "mariadb", "tidb", "starrocks", "doris", "sqlite", "clickhouse", "trino", "snowflake", "databricks"},
	"TO_CHAR":         {"duckdb", "mysql", "tidb", "sqlite", "clickhouse", "bigquery"},
}

// warnOfUnportableFunctions warns of the functions that the entry for every dialect calls and that
// are passed on as they are, each once. A dialect with its own entry does not count.
func (c *compiler) warnOfUnportableFunctions(e *modelspec.Expression, entry *modelspec.DialectEntry, expr sqlexpr.Expr) {
	if expr == nil || !modelspec.IsPortableDialect(entry.Dialect.Value) {
		return
	}
	seen := map[string]bool{}
	sqlexpr.Walk(expr, func(n sqlexpr.Expr) bool {
		call, ok := n.(*sqlexpr.Call)
		if !ok || call.Fn != sqlexpr.FnUnknown {
			return true
		}
		name := strings.ToUpper(call.Name.Text)
		if seen[name] {
			return true
		}
		seen[name] = true
		if message := describePortabilityProblem(call, name, e, entry); message != "" {
			c.addWarning(CodeFunctionNotPortable, e.Location, entry.Expression.PositionAtOffset(call.Pos()), "%s", message)
		}
		return true
	})
}

// describePortabilityProblem describes a function outside of the language; "" if every dialect that
// lacks it has its own entry.
func describePortabilityProblem(call *sqlexpr.Call, name string, e *modelspec.Expression, entry *modelspec.DialectEntry) string {
	const advice = "; add an entry for the dialect that has another function for it"
	dialects, known := dialectsLackingFunction[name]
	if !known {
		return fmt.Sprintf("semlayer does not know the function %s%s and passes it on as it is: a query fails on an engine that lacks it%s", shortenText(name), withArgumentCountText(len(call.Args)), advice)
	}
	var without []string
	for _, d := range dialects {
		if e.EntryForDialect(d) == entry {
			without = append(without, d)
		}
	}
	if len(without) == 0 {
		return ""
	}
	return fmt.Sprintf("the function %s is passed on as it is, and these dialects are known to lack it, so that queries on them fail: %s%s", name, strings.Join(slices.Sorted(slices.Values(without)), ", "), advice)
}

func withArgumentCountText(n int) string {
	switch n {
	case 0:
		return " without arguments"
	case 1:
		return " with 1 argument"
	}
	return fmt.Sprintf(" with %d arguments", n)
}
