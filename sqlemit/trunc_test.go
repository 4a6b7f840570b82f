package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/sqlemit"
)

// The units beyond the calendar's own that the engines document for DATE_TRUNC.
func TestDateTrunc_KnowsTheUnitsOfEachEngine(t *testing.T) {
	units := []string{"millisecond", "microsecond", "decade", "century", "millennium", "isoyear"}
	for dialect, want := range map[string]string{
		"duckdb": "millisecond microsecond decade century millennium isoyear", "postgres": "millisecond microsecond decade century millennium",
		"redshift": "millisecond microsecond decade century millennium", "snowflake": "millisecond microsecond",
		"bigquery": "millisecond microsecond isoyear", "databricks": "millisecond microsecond", "trino": "millisecond",
		"clickhouse": "millisecond microsecond", "starrocks": "millisecond microsecond", "doris": "",
		"mysql": "millisecond microsecond decade century millennium", "mariadb": "millisecond microsecond decade century millennium",
		"tidb": "millisecond microsecond decade century millennium", "sqlite": "decade century millennium",
	} {
		d, _ := sqlemit.LookupDialect(dialect)
		var got []string
		for _, unit := range units {
			sql, err := expression(parse(t, "DATE_TRUNC('"+unit+"', a.x)"), d)
			plural, errOfPlural := expression(parse(t, "DATE_TRUNC('"+unit+"s', a.x)"), d)
			switch {
			case err == nil:
				got = append(got, unit)
				if unit != "century" && unit != "millennium" && unit != "isoyear" && (errOfPlural != nil || plural != sql) {
					t.Errorf("%s: %ss is not %s: %s, %v", dialect, unit, unit, plural, errOfPlural)
				}
			case !strings.Contains(err.Error(), "DATE_TRUNC with that part"):
				t.Errorf("%s: %s: %v", dialect, unit, err)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s truncates to %s, want %s", dialect, text, want)
		}
	}
	for _, tt := range []struct{ dialect, expr, want string }{
		{"duckdb", "DATE_TRUNC('millisecond', CAST(a.x AS TIMESTAMP))", `DATE_TRUNC('millisecond', CAST("a".x AS TIMESTAMP))`},
		{"bigquery", "DATE_TRUNC('millisecond', CAST(a.x AS TIMESTAMP))", "DATETIME_TRUNC(CAST(`a`.x AS DATETIME), MILLISECOND)"},
		{"databricks", "DATE_TRUNC('microsecond', CAST(a.x AS TIMESTAMP))", "DATE_TRUNC('MICROSECOND', CAST(`a`.x AS TIMESTAMP))"},
		{"clickhouse", "DATE_TRUNC('millisecond', CAST(a.x AS DATE))",
			`toDateTime64(dateTrunc('millisecond', toDateTime64(CAST("a".x AS Nullable(Date32)), 6, 'UTC')), 6, 'UTC')`},
		{"sqlite", "DATE_TRUNC('century', a.x)", `DATE("a".x, 'start of year', '-' || ((STRFTIME('%Y', "a".x) - 1) % 100) || ' years')`},
	} {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		if got, err := expression(parse(t, tt.expr), d); err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
	}
}
