package sqlemit

import "strings"

// dialects is every target, in the order in which Names lists them.
var dialects = [...]*Dialect{
	duckdb, postgres, redshift, mysql, mariadb, tidb, starrocks, doris,
	sqlite, clickhouse, trino, snowflake, bigquery, databricks,
}

// LookupDialect finds a dialect by its name or an alias, in any case.
func LookupDialect(name string) (*Dialect, bool) {
	for _, d := range dialects {
		if d.hasNameOrAlias(name) {
			return d, true
		}
	}
	return nil, false
}

// hasNameOrAlias reports whether name is the dialect's own or one of its aliases.
func (d *Dialect) hasNameOrAlias(name string) bool {
	if strings.EqualFold(d.name, name) {
		return true
	}
	for _, a := range d.aliases {
		if strings.EqualFold(a, name) {
			return true
		}
	}
	return false
}

// DialectNames lists the canonical names.
func DialectNames() []string {
	out := make([]string, len(dialects))
	for i, d := range dialects {
		out[i] = d.name
	}
	return out
}
