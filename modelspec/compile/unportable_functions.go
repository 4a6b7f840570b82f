package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// functionsLackingInDialect lists, for each dialect, the functions that many models call and that its engine lacks, or has with another
// meaning. The expression language does not have these functions, or not with these arguments. It goes by the documentation of the engines.
var functionsLackingInDialect = map[string][]string{
	"duckdb":     {"DATE_FORMAT", "DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "REGEXP_LIKE", "SAFE_DIVIDE", "TO_CHAR"},
	"postgres":   {"DATE_FORMAT", "DECODE", "GETDATE", "LAST_DAY", "REGEXP_CONTAINS", "REGEXP_COUNT", "SAFE_DIVIDE"},
	"redshift":   {"DATE_FORMAT", "NOW", "REGEXP_CONTAINS", "REGEXP_LIKE", "SAFE_DIVIDE"},
	"mysql":      {"DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "SAFE_DIVIDE", "TO_CHAR"},
	"mariadb":    {"DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "REGEXP_LIKE", "SAFE_DIVIDE"},
	"tidb":       {"DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "SAFE_DIVIDE", "TO_CHAR"},
	"starrocks":  {"DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "REGEXP_LIKE", "SAFE_DIVIDE"},
	"doris":      {"DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "REGEXP_LIKE", "SAFE_DIVIDE"},
	"sqlite":     {"DATE_FORMAT", "DECODE", "GETDATE", "LAST_DAY", "LPAD", "NOW", "REGEXP_CONTAINS", "REGEXP_COUNT", "REGEXP_LIKE", "REVERSE", "RPAD", "SAFE_DIVIDE", "TO_CHAR"},
	"clickhouse": {"DECODE", "GETDATE", "REGEXP_CONTAINS", "REGEXP_COUNT", "REGEXP_LIKE", "SAFE_DIVIDE", "TO_CHAR"},
	"trino":      {"DECODE", "GETDATE", "LAST_DAY", "REGEXP_CONTAINS", "SAFE_DIVIDE"},
	"snowflake":  {"DATE_FORMAT", "NOW", "REGEXP_CONTAINS", "SAFE_DIVIDE"},
	"bigquery":   {"DATE_FORMAT", "DECODE", "GETDATE", "NOW", "REGEXP_COUNT", "REGEXP_LIKE", "TO_CHAR"},
	"databricks": {"REGEXP_CONTAINS", "SAFE_DIVIDE"},
}

// dialectsLackingFunction has the dialects of each of these functions.
var dialectsLackingFunction = func() map[string][]string {
	out := map[string][]string{}
	for dialect, functions := range functionsLackingInDialect {
		for _, name := range functions {
			out[name] = append(out[name], dialect)
		}
	}
	return out
}()

// dialectsLackingLanguageFunction lists the scalar functions of the expression language that a dialect has no SQL for. Package sqlemit
// decides it, and a test of package engine compares the two.
var dialectsLackingLanguageFunction = map[sqlexpr.Func][]string{
	sqlexpr.FnCurrentTime: {"starrocks", "doris", "clickhouse", "databricks"},
	sqlexpr.FnRegexpLike:  {"sqlite"},
	sqlexpr.FnRegexpCount: {"sqlite"},
	sqlexpr.FnSplitPart:   {"sqlite"},
}

// DialectsLackingFunction lists the dialects that lack a scalar function of the expression language.
func DialectsLackingFunction(fn sqlexpr.Func) []string {
	return slices.Clone(dialectsLackingLanguageFunction[fn])
}

// warnOfUnportableFunctions warns of the functions that the entry for every dialect calls and that
// some dialect lacks, or that are passed on as they are, each once. A dialect with its own entry does not count.
func (c *compiler) warnOfUnportableFunctions(e *modelspec.Expression, entry *modelspec.DialectEntry, expr sqlexpr.Expr) {
	if expr == nil || !modelspec.IsPortableDialect(entry.Dialect.Value) {
		return
	}
	seen := map[string]bool{}
	for call := range sqlexpr.Nodes[*sqlexpr.Call](expr) {
		name := strings.ToUpper(call.Name.Text)
		if call.Fn != sqlexpr.FnUnknown {
			if dialectsLackingLanguageFunction[call.Fn] == nil {
				continue
			}
			name = sqlexpr.InfoOfFunction(call.Fn).Name
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		if message := describePortabilityProblem(call, name, e, entry); message != "" {
			c.addWarning(CodeFunctionNotPortable, e.Location, entry.Expression.PositionAtOffset(call.Pos()), "%s", message)
		}
	}
}

// describePortabilityProblem describes a function that is not the same everywhere; "" if every dialect that
// lacks it has its own entry.
func describePortabilityProblem(call *sqlexpr.Call, name string, e *modelspec.Expression, entry *modelspec.DialectEntry) string {
	const advice = "; add an entry for the dialect that has another function for it"
	if call.Fn != sqlexpr.FnUnknown {
		without := dialectsWithoutOwnEntry(dialectsLackingLanguageFunction[call.Fn], e, entry)
		if without == "" {
			return ""
		}
		return fmt.Sprintf("the function %s does not exist in these dialects, so that queries on them are rejected: %s%s", name, without, advice)
	}
	dialects, known := dialectsLackingFunction[name]
	if !known {
		return fmt.Sprintf("semlayer does not know the function %s%s and passes it on as it is: a query fails on an engine that lacks it%s", shortenText(name), withArgumentCountText(len(call.Args)), advice)
	}
	without := dialectsWithoutOwnEntry(dialects, e, entry)
	if without == "" {
		return ""
	}
	return fmt.Sprintf("the function %s is passed on as it is, and these dialects are known to lack it, so that queries on them fail: %s%s", name, without, advice)
}

// dialectsWithoutOwnEntry lists, in one text, the dialects that have no other entry than the portable one.
func dialectsWithoutOwnEntry(dialects []string, e *modelspec.Expression, entry *modelspec.DialectEntry) string {
	var without []string
	for _, d := range dialects {
		if e.EntryForDialect(d) == entry {
			without = append(without, d)
		}
	}
	slices.Sort(without)
	return strings.Join(without, ", ")
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
