package duckdb

import "strings"

// quoteLiteral prints a text as a literal of SQL.
func quoteLiteral(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteIdentifier prints a name as an identifier of SQL.
func quoteIdentifier(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// quoteLiterals prints a list of texts.
func quoteLiterals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quoteLiteral(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// globForExactPath prints a path as the pattern that matches this file alone: DuckDB reads every path
// as a glob.
func globForExactPath(path string) string { return globEscaper.Replace(path) }

var globEscaper = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")
