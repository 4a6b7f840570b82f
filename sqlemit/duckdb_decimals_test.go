package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/sqlemit"
)

// A SUM of decimals is DECIMAL(38, s) in DuckDB, and beside it another decimal is rounded to s digits unless one of the
// two is a double.
func TestDuckdb_DecimalsBesideASumMeetAsDoubles(t *testing.T) {
	tests := []struct{ expr, want string }{
		{"CASE WHEN COUNT(*) > 0 THEN SUM(o.x) * 0.125 ELSE SUM(o.x) END", `CASE WHEN COUNT(*) > 0 THEN CAST(SUM("o".x) * 0.125 AS DOUBLE) ELSE SUM("o".x) END`},
		{"CASE WHEN COUNT(*) > 0 THEN 1 ELSE COALESCE(SUM(o.x), 0.5) END", `CASE WHEN COUNT(*) > 0 THEN 1 ELSE COALESCE(SUM("o".x), CAST(0.5 AS DOUBLE)) END`},
		{"CASE WHEN COUNT(*) > 0 THEN SUM(o.x) END", `CASE WHEN COUNT(*) > 0 THEN SUM("o".x) END`},
		{"CASE WHEN COUNT(*) > 0 THEN 0 ELSE SUM(o.x) END", `CASE WHEN COUNT(*) > 0 THEN 0 ELSE SUM("o".x) END`},
		{"COALESCE(SUM(o.x) * 0.125, SUM(o.x))", `COALESCE(CAST(SUM("o".x) * 0.125 AS DOUBLE), SUM("o".x))`},
		{"COALESCE(NULLIF(SUM(o.x), 0.10), 0.125)", `COALESCE(NULLIF(SUM("o".x), 0.10), CAST(0.125 AS DOUBLE))`},
		{"COALESCE(SUM(o.x), -0.5)", `COALESCE(SUM("o".x), CAST(-0.5 AS DOUBLE))`},
		{"COALESCE(SUM(o.x), SUM(o.y))", `COALESCE(CAST(SUM("o".x) AS DOUBLE), SUM("o".y))`},
		{"COALESCE(SUM(o.x), MAX(o.y))", `COALESCE(CAST(SUM("o".x) AS DOUBLE), MAX("o".y))`},
		{"COALESCE(MAX(o.y), SUM(o.x))", `COALESCE(MAX("o".y), CAST(SUM("o".x) AS DOUBLE))`},
		{"IFNULL(SUM(o.x), 0.5)", `COALESCE(SUM("o".x), CAST(0.5 AS DOUBLE))`},
		{"IF(COUNT(*) > 0, SUM(o.x), 0.5)", `CASE WHEN COUNT(*) > 0 THEN SUM("o".x) ELSE CAST(0.5 AS DOUBLE) END`},
		{"GREATEST(SUM(o.x), 0.625)", `GREATEST(SUM("o".x), CAST(0.625 AS DOUBLE))`},
		{"LEAST(0.625, SUM(o.x), SUM(o.y))", `LEAST(CAST(0.625 AS DOUBLE), SUM("o".x), SUM("o".y))`},
		{"COALESCE(CAST(SUM(o.x) AS DECIMAL), SUM(o.x))", `COALESCE(CAST(CAST(SUM("o".x) AS DECIMAL(38, 10)) AS DOUBLE), SUM("o".x))`},
		{"COALESCE(FLOOR(SUM(o.x)), SUM(o.x))", `COALESCE(CAST(FLOOR(SUM("o".x)) AS DOUBLE), SUM("o".x))`},
		{"COALESCE(SUM(CASE WHEN o.y > 1 THEN o.x END), SUM(CASE WHEN o.y > 2 THEN o.x * 0.5 END))", `COALESCE(CAST(SUM(CASE WHEN "o".y > 1 THEN "o".x END) AS DOUBLE), SUM(CASE WHEN "o".y > 2 THEN "o".x * 0.5 END))`},
		{"COALESCE(SUM(1), 0.5, 0.125)", `COALESCE(SUM(1), CAST(0.5 AS DOUBLE), 0.125)`},
		{"COALESCE(COALESCE(SUM(1), 0.5), 0.125)", `COALESCE(COALESCE(SUM(1), 0.5), CAST(0.125 AS DOUBLE))`},
		{"COALESCE(COALESCE(SUM(o.x), 0.5), 0.125)", `COALESCE(COALESCE(SUM("o".x), CAST(0.5 AS DOUBLE)), 0.125)`},
		{"COALESCE(SUM(SUM(o.x)) OVER (), 0.5)", `COALESCE(SUM(SUM("o".x)) OVER (), CAST(0.5 AS DOUBLE))`},
		{"LAG(SUM(o.x), 1, 0.125) OVER (ORDER BY o.d)", `LAG(CAST(SUM("o".x) AS DOUBLE), 1, 0.125) OVER (ORDER BY "o".d NULLS LAST)`},
		{"LAG(COUNT(*), 1, 0.5) OVER (ORDER BY o.d)", `LAG(CAST(COUNT(*) AS DOUBLE), 1, 0.5) OVER (ORDER BY "o".d NULLS LAST)`},

		{"COALESCE(SUM(o.x), 0)", `COALESCE(SUM("o".x), 0)`},
		{"COALESCE(SUM(o.x), 0.00)", `COALESCE(SUM("o".x), 0.00)`},
		{"COALESCE(SUM(o.x), COUNT(*))", `COALESCE(SUM("o".x), COUNT(*))`},
		{"COALESCE(SUM(o.x), SUM(1), NULL)", `COALESCE(SUM("o".x), SUM(1), NULL)`},
		{"COALESCE(SUM(o.x), AVG(o.y), 0.5)", `COALESCE(SUM("o".x), AVG("o".y), 0.5)`},
		{"COALESCE(SUM(o.x), SUM(o.x))", `COALESCE(SUM("o".x), SUM("o".x))`},
		{"COALESCE(SUM(CASE WHEN o.y > 1 THEN o.x END), -SUM(CASE WHEN o.y > 2 THEN o.x ELSE 0 END))", `COALESCE(SUM(CASE WHEN "o".y > 1 THEN "o".x END), -SUM(CASE WHEN "o".y > 2 THEN "o".x ELSE 0 END))`},
		{"COALESCE(NULLIF(SUM(o.x), 0), SUM(o.x))", `COALESCE(NULLIF(SUM("o".x), 0), SUM("o".x))`},
		{"COALESCE(COUNT(*), 0.5)", `COALESCE(COUNT(*), 0.5)`},
		{"COALESCE(MAX(o.x), 'none')", `COALESCE(MAX("o".x), 'none')`},
		{"COALESCE(o.x, o.y)", `COALESCE("o".x, "o".y)`},
		{"SUM(CASE WHEN o.y > 1 THEN o.x * 0.5 ELSE o.x END)", `SUM(CASE WHEN "o".y > 1 THEN "o".x * 0.5 ELSE "o".x END)`},
		{"SUM(o.x) + 0.125", `SUM("o".x) + 0.125`},
		{"LAG(SUM(o.x), 1, 0) OVER (ORDER BY o.d)", `LAG(SUM("o".x), 1, 0) OVER (ORDER BY "o".d NULLS LAST)`},
	}
	duckdb, _ := sqlemit.LookupDialect("duckdb")
	for _, tt := range tests {
		got, err := expression(parse(t, tt.expr), duckdb)
		if err != nil || got != tt.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tt.expr, got, err, tt.want)
		}
	}
}

func TestDuckdb_NestedChoicesOfSumsPrintInTime(t *testing.T) {
	duckdb, _ := sqlemit.LookupDialect("duckdb")
	for _, nested := range []string{
		strings.Repeat("COALESCE(SUM(o.x), ", 90) + "SUM(o.x)" + strings.Repeat(")", 90),
		strings.Repeat("COALESCE(", 90) + "SUM(o.x)" + strings.Repeat(", SUM(o.x) * 2)", 90),
		strings.Repeat("CASE WHEN o.y > 1 THEN SUM(o.x) ELSE 1 + ", 40) + "SUM(o.x)" + strings.Repeat(" END", 40),
	} {
		if _, err := expression(parse(t, nested), duckdb); err != nil {
			t.Error(err)
		}
	}
}
