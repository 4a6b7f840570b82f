package sqlemit_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

func TestNativeSyntax_RejectedForOtherDialects(t *testing.T) {
	tests := []struct{ dialect, expr, want string }{
		{"databricks", "DATEDIFF(shipped, ordered)", "DATEDIFF(shipped, ordered)"},
		{"databricks", "TRY_CAST(x AS DECIMAL(10,2)) + 1", "TRY_CAST(x AS DECIMAL(10, 2)) + 1"},
		{"databricks", "tags[0]", "tags[0]"},
		{"databricks", "split(x, ',')[0]", "(split(x, ','))[0]"},
		{"databricks", `"sel ect"[0]`, "`sel ect`[0]"},
		{"databricks", "(addr).city = 'it''s'", `(addr).city = 'it\'s'`},
		{"spark", "tags['k']", "tags['k']"},
		{"bigquery", "SAFE_CAST(x AS STRING)", "SAFE_CAST(x AS STRING)"},
		{"bigquery", "items[SAFE_OFFSET(0)].price", "(items[SAFE_OFFSET(0)]).price"},
		{"bigquery", `(addr)."select"`, "(addr).`select`"},
		{"snowflake", "TRY_CAST(x AS NUMBER(10, 2))", "TRY_CAST(x AS NUMBER(10, 2))"},
		{"snowflake", `js['a\b']`, `js['a\b']`}, // a literal of Snowflake, whose backslash escapes
		{"snowflake", "payload:kiln.site::string", "CAST(payload:kiln.site AS VARCHAR)"},
		{"snowflake", `PARSE_JSON(x):"a b"[0] || $$it's$$`, `PARSE_JSON(x):"a b"[0] || $$it's$$`},
		{"snowflake", "SUM(payload:heat::NUMBER)", "SUM(CAST(payload:heat AS DECIMAL(38, 0)))"},
		{"snowflake", "UPPER(x):a", "(UPPER(x)):a"},
		{"databricks", "raw:a['b'].c", "raw:a['b'].c"},
		{"bigquery", "REGEXP_EXTRACT(note, r'[0-9]+\\.')", "REGEXP_EXTRACT(note, r'[0-9]+\\.')"},
		{"bigquery", `x = 'it\'s'`, `x = 'it\'s'`},
		{"clickhouse", `match(x, '\\d')`, `match(x, '\\d')`},
		{"postgres", "js->>'k' = 'x'", "(js ->> 'k') = 'x'"},
		{"postgres", "js->'a'->>0", "((js -> 'a') ->> 0)"},
		{"postgres", "(js #>> '{a,b}') || 'x'", "(js #>> '{a,b}') || 'x'"},
		{"postgres", "arr[i + 1]", "arr[i + 1]"},
		{"mysql", "js->>'$.k'", "(js ->> '$.k')"},
		{"mysql", "DATEDIFF(a, b) > 1", "DATEDIFF(a, b) > 1"},
	}
	for _, tt := range tests {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		e, err := sqlexpr.ParseLimited(tt.expr, sqlexpr.NativeLimits(tt.dialect))
		if err != nil {
			t.Errorf("%s: %v", tt.expr, err)
			continue
		}
		if got, err := expression(e, d); err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
		for _, name := range sqlemit.DialectNames() {
			other, _ := sqlemit.LookupDialect(name)
			if other == d {
				continue
			}
			refusal := (*sqlemit.Error)(nil)
			if got, err := expression(e, other); !errors.As(err, &refusal) || refusal.Code != sqlemit.CodeNotImplemented {
				t.Errorf("%s of %s for %s: %s, %v", tt.expr, tt.dialect, name, got, err)
			}
		}
	}
}
