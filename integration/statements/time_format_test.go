package statements

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// timeConstants are constants as tools write them.
var timeConstants = []string{
	"TO_TIMESTAMP('2024-01-31 10:20:30.123456', 'YYYY-MM-DD HH24:MI:SS.US')", "TO_TIMESTAMP('2024-01-31 10:20:30.123', 'YYYY-MM-DD HH24:MI:SS.MS')",
	"TO_TIMESTAMP('2024-01-31 10:20:30.5', 'YYYY-MM-DD HH24:MI:SS.MS')", "TO_TIMESTAMP('2024-01-31 10:20:30.05', 'YYYY-MM-DD HH24:MI:SS.US')",
	"TO_TIMESTAMP('2024-01-31 10:20:30.1', 'YYYY-MM-DD HH24:MI:SS.FF1')", "TO_TIMESTAMP('2024-01-31 10:20:30.12', 'YYYY-MM-DD HH24:MI:SS.FF2')",
	"TO_TIMESTAMP('2024-01-31 10:20:30.123', 'YYYY-MM-DD HH24:MI:SS.FF3')", "TO_TIMESTAMP('2024-01-31 10:20:30.123456', 'YYYY-MM-DD HH24:MI:SS.FF6')",
	"TO_TIMESTAMP('2024-01-31T10:20:30', 'YYYY-MM-DDTHH24:MI:SS')", `TO_TIMESTAMP('2024-01-31T10:20:30Z', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
	`TO_TIMESTAMP('2024-01-31T10:20:30.250+02', 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH')`, "TO_TIMESTAMP('2024-01-31 10:20:30 -03:30', 'YYYY-MM-DD HH24:MI:SS TZH:TZM')",
	"TO_TIMESTAMP('2024-01-31 10:20 PM', 'YYYY-MM-DD HH12:MI AM')", "TO_TIMESTAMP('2024-01-31 12:20 a.m.', 'YYYY-MM-DD HH:MI P.M.')", "TO_TIMESTAMP('2024-01-31 12:05', 'YYYY-MM-DD HH12:MI')",
	"TO_TIMESTAMP('31 Jan 2024', 'DD Mon YYYY')", "TO_TIMESTAMP('31 january 2024', 'DD MONTH YYYY')", "TO_TIMESTAMP('Wednesday, 31 January 2024', 'Day, DD Month YYYY')",
	"TO_TIMESTAMP('20240131102030', 'YYYYMMDDHH24MISS')", "TO_TIMESTAMP('20240131', 'YYYYMMDD')", "TO_TIMESTAMP('2024-1-3', 'YYYY-MM-DD')", "TO_TIMESTAMP('2024', 'YYYY-MM-DD')",
	"TO_TIMESTAMP('24-01-31', 'YY-MM-DD')", "TO_TIMESTAMP('95-01-31', 'YY-MM-DD')", "TO_TIMESTAMP('2024-060', 'YYYY-DDD')", "TO_TIMESTAMP('2024-05-4', 'IYYY-IW-ID')", "TO_TIMESTAMP('2024-06', 'YYYY-WW')",
	"TO_TIMESTAMP('2024-01-31 3600', 'YYYY-MM-DD SSSS')", "TO_TIMESTAMP('  2024-01-31', 'YYYY-MM-DD')", "TO_TIMESTAMP('2024/01/31', 'YYYY-MM-DD')", "TO_TIMESTAMP('2024 01 31', 'YYYY-MM-DD')",
	"TO_TIMESTAMP('2024-060', 'IYYY-IDDD')", "TO_TIMESTAMP('2020-371', 'IYYY-IDDD')", "TO_TIMESTAMP('2024-01-31 AD', 'YYYY-MM-DD AD')", "TO_TIMESTAMP('2024-01-31 a.d.', 'YYYY-MM-DD B.C.')", "TO_DATE('ad 2024', 'BC YYYY')",
	"TO_TIMESTAMP('2024-01-31', 'FMYYYY-FMMM-FMDD')", "TO_TIMESTAMP('2460341', 'J')", "TO_TIMESTAMP('31-I-2024', 'DD-RM-YYYY')", "TO_TIMESTAMP('2024-01-31 junk', 'YYYY-MM-DD')",
	"TO_DATE('31.01.2024', 'DD.MM.YYYY')", "TO_DATE('2024-02-29', 'YYYY-MM-DD')", "TO_DATE('January 2024', 'Month YYYY')", "TO_DATE('2024-01-31 23:59:59', 'YYYY-MM-DD HH24:MI:SS')", "TO_DATE('20240131', 'YYYYMMDD')",
	"TIMESTAMP '2024-01-31 10:20:30.5'", "'2024-01-31 10:20:30+02'::timestamptz", "'2024-01-31T10:20:30Z'::timestamptz", "TIMESTAMPTZ '2024-01-31 10:20:30-03:30'", "DATE '2024-01-31'", "'2024-01-31'::timestamp",
	"MAKE_DATE(2024, 1, 31)", "MAKE_DATE(2024, 2, 29)", "TO_TIMESTAMP(1706696430)", "TO_TIMESTAMP(1706696430.25)", "TO_TIMESTAMP(-3600)", "TO_TIMESTAMP(0)",
	// Errors of PostgreSQL.
	"TO_TIMESTAMP('2024-13-01', 'YYYY-MM-DD')", "TO_TIMESTAMP('2024-02-30', 'YYYY-MM-DD')", "TO_TIMESTAMP('2024-01-31 25:00', 'YYYY-MM-DD HH24:MI')", "TO_TIMESTAMP('2024-01-31 10:60', 'YYYY-MM-DD HH24:MI')",
	"TO_TIMESTAMP('x', 'YYYY')", "TO_TIMESTAMP('2024-01-31 13:00 PM', 'YYYY-MM-DD HH12:MI AM')", "TO_DATE('2024-02-30', 'YYYY-MM-DD')", "TO_DATE('202401', 'YYYYMMDDHH24')", "TO_TIMESTAMP('31 Foo 2024', 'DD Mon YYYY')",
	"MAKE_DATE(2024, 2, 30)", "MAKE_DATE(2024, 13, 1)", "'2024-02-30'::timestamptz", "TIMESTAMP 'x'", "TO_TIMESTAMP('1e9', 'YYYY-MM-DD')",
}

func TestTimeConstants_AreThoseOfPostgreSQL(t *testing.T) {
	s := newShop(t, orders(t))
	oracle, err := servers.PostgreSQL(t, shared).Load(t.Context(), "statements/time_format", "SELECT 1;")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = oracle.Close() })
	for _, constant := range timeConstants {
		compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: "SELECT order_id, " + constant + " AS t FROM orders WHERE order_id = 1"}, targetOf(dialect(t, "postgres")))
		var hints = compiled
		if err != nil {
			if want, failed := servers.QueryTable(t.Context(), oracle, "SELECT 1 AS order_id, "+constant+" AS t", nil); failed == nil {
				t.Errorf("%s: %v, PostgreSQL has %v", constant, err, want.Rows)
			}
			continue
		}
		want, err := servers.QueryTable(t.Context(), oracle, "SELECT 1 AS order_id, "+constant+" AS t", hints.Planned.Columns)
		if err != nil {
			t.Errorf("%s is accepted, PostgreSQL says %.200s", constant, err)
			continue
		}
		text, err := sqlemit.Emit(t.Context(), compiled.Planned.Root, dialect(t, "postgres"), sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := servers.QueryTable(t.Context(), oracle, strings.Replace(text, "FROM orders", "FROM (SELECT 1 AS order_id)", 1), compiled.Planned.Columns)
		if err != nil {
			t.Errorf("%s: %.300s", constant, err)
			continue
		}
		got.Columns = want.Columns
		if diff := table.Diff(want, got, false); diff != "" {
			t.Errorf("%s: - is PostgreSQL's, + is the statement's\n%s", constant, diff)
		}
	}
}

// Hostile formats and texts are errors of the statement.
func TestTimeConstants_RejectHostileFormats(t *testing.T) {
	s := newShop(t, orders(t))
	for _, constant := range []string{
		`TO_TIMESTAMP('2024', 'YYYY"')`, "TO_TIMESTAMP('2024', 'OF')", "TO_TIMESTAMP('2024', 'YYYY TZ')", "TO_TIMESTAMP('2024 BC', 'YYYY BC')", "TO_TIMESTAMP('99999999999999999999', 'YYYY')", "TO_TIMESTAMP('-5', 'YYYY')",
		"TO_TIMESTAMP('0', 'YYYY')", "TO_TIMESTAMP('1', 'FX')", "TO_TIMESTAMP(1e300)", "TO_TIMESTAMP('2024', order_id)", "MAKE_DATE(order_id, 1, 1)", "MAKE_DATE(0, 1, 1)", "MAKE_DATE(99999, 1, 1)",
		"TO_TIMESTAMP('10 99', 'MM TZH')", "TO_TIMESTAMP('" + strings.Repeat("9", 60000) + "', 'J')",
	} {
		if _, err := s.model.Compile(t.Context(), semsql.Statement{SQL: "SELECT " + constant + " AS t FROM orders"}, targetOf(dialect(t, "duckdb"))); err == nil {
			t.Errorf("%.60s is accepted", constant)
		}
	}
}
