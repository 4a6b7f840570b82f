package sqlexpr

import (
	"slices"
	"strings"
)

// dialects has the other names of the dialects that have some, in small letters. The engines of the first speak its language over its protocol.
var dialects = []struct {
	name    string
	aliases []string
}{
	{"postgres", []string{"postgresql", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb"}},
	{"sqlite", []string{"sqlite3"}},
	{"trino", []string{"presto"}},
	{"databricks", []string{"spark"}},
	{"ansi_sql", []string{"ansi"}},
}

// CanonicalDialect returns the name of a dialect that a model or a user names, in any case. The name of one that is not known is returned in
// small letters.
func CanonicalDialect(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, d := range dialects {
		if slices.Contains(d.aliases, name) {
			return d.name
		}
	}
	return name
}

// DialectAliases returns the other names of a dialect.
func DialectAliases(name string) []string {
	for _, d := range dialects {
		if d.name == name {
			return slices.Clone(d.aliases)
		}
	}
	return nil
}
