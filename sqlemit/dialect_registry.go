package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// dialects is every target, in the order in which Names lists them.
var dialects = [...]*Dialect{
	duckdb, postgres, redshift, mysql, mariadb, tidb, starrocks, doris,
	sqlite, clickhouse, trino, snowflake, bigquery, databricks,
}

// LookupDialect finds a dialect by its name or an alias, in any case.
func LookupDialect(name string) (*Dialect, bool) {
	name = sqlexpr.CanonicalDialect(name)
	i := slices.IndexFunc(dialects[:], func(d *Dialect) bool { return d.name == name })
	if i < 0 {
		return nil, false
	}
	return dialects[i], true
}

// DialectNames lists the canonical names.
func DialectNames() []string {
	out := make([]string, len(dialects))
	for i, d := range dialects {
		out[i] = d.name
	}
	return out
}
