package duckdb

import "strings"

// literal prints a text as a literal of SQL.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// identifier prints a name as an identifier of SQL.
func identifier(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// literals prints a list of texts.
func literals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = literal(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// exactPath prints a path as the pattern that matches this file alone: DuckDB reads every path
// as a glob.
func exactPath(path string) string { return globCharacters.Replace(path) }

var globCharacters = strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]")
