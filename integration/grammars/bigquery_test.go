package grammars

import (
	"strings"
	"testing"

	"github.com/goccy/go-googlesql"
)

func TestBigQuery_ResolvesEveryStatement(t *testing.T) {
	check(t, googlesql.Init())
	statements := goldens(t, "bigquery")
	if len(statements) < 600 {
		t.Fatalf("%d statements; the corpus has more", len(statements))
	}
	analyzers := map[string]*analyzer{}
	for _, s := range statements {
		a := analyzers[s.tables]
		if a == nil {
			a = analyzerOf(t, s.tables)
			analyzers[s.tables] = a
		}
		if err := a.resolve(s.sql); err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, s.sql)
		}
	}
}

func TestBigQuery_RejectsInvalidSQL(t *testing.T) {
	check(t, googlesql.Init())
	a := analyzerOf(t, `CREATE TABLE t (a INTEGER, s VARCHAR(9), d DATE, ts TIMESTAMP, tz TIMESTAMP WITH TIME ZONE);`)
	for _, tt := range []struct{ sql, says string }{
		{"SELECT 1 +", "Unexpected end of statement"},
		{"SELECT a b c FROM t", `got identifier "c"`},
		{"SELECT a FROM t WHERE", "Unexpected end of statement"},
		{"SELECT a FROM t GROUP a", "keyword BY"},
		{"SELECT SUM(a) OVER (ORDER a) FROM t", "keyword BY"},
		{"SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING) FROM t", "keyword AND"},
		{"SELECT CASE WHEN a = 1 THEN 1 FROM t", "keyword END"},
		{"SELECT CAST(a INT64) FROM t", "keyword AS"},
		{"SELECT a FROM t WHERE a IN ()", `Unexpected ")"`},
		{"SELECT `a FROM t", "Unclosed identifier"},
		{"SELECT 'a FROM t", "Unclosed string"},
		{"SELECT a FROM t UNION SELECT a FROM t", "ALL"},
		{"SELECT u.a FROM t", "Unrecognized name: u"},
		{"SELECT b FROM t", "Unrecognized name: b"},
		{"SELECT a FROM u", "Table not found: u"},
		{"SELECT a, SUM(a) FROM t", "neither grouped nor aggregated"},
		{"SELECT a FROM t GROUP BY 2", "out of SELECT column number range"},
		{"SELECT a FROM t UNION ALL SELECT s FROM t", "incompatible types"},
		{"SELECT LEN(s) FROM t", "Function not found: LEN"},
		{"SELECT DATE_TRUNC('month', d) FROM t", "date part"},
		{"SELECT a + s FROM t", "No matching signature for operator +"},
		{"SELECT a FROM t WHERE tz > ts", "TIMESTAMP, DATETIME"},
		{"SELECT a FROM t WHERE a", "should return type BOOL"},
	} {
		if err := a.resolve(tt.sql); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %s", tt.sql, err, tt.says)
		}
	}
}
