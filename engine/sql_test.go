package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/planner/query"
)

func statement(t *testing.T, body string) *query.SQLStatement {
	t.Helper()
	s, err := query.DecodeSQL([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const revenueByStatus = "SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC"

func TestCompileSQL_GivesSQLQueryAndColumns(t *testing.T) {
	e := open(t, engine.Config{ModelPath: "testdata/orders.yaml"}) // without tables: no warehouse is touched
	for _, c := range []struct{ sql, kind, query string }{
		{revenueByStatus, "metric", `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"revenue","desc":true}]}`},
		{"SELECT order_id FROM orders ORDER BY 1 LIMIT 2", "detail", `{"from":"orders","fields":["orders.order_id"],"order_by":[{"key":"order_id"}],"limit":2}`},
		{"SELECT order_id FROM orders", "detail", ""},
		{"SELECT AVG(r) FROM (SELECT status, MEASURE(revenue) AS r FROM orders GROUP BY 1) t", "composed", ""},
	} {
		got, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: c.sql})
		if err != nil {
			t.Fatal(c.sql, err)
		}
		query := ""
		if got.Statement.Query != nil {
			text, err := json.Marshal(got.Statement.Query)
			if err != nil {
				t.Fatal(err)
			}
			query = string(text)
		}
		if string(got.Statement.Kind) != c.kind || query != c.query || got.Dialect != "duckdb" {
			t.Errorf("%s: %s %s %s, want %s %s", c.sql, got.Dialect, got.Statement.Kind, query, c.kind, c.query)
		}
	}
}

func TestCompileSQL_EveryDialect(t *testing.T) {
	e := shop(t)
	for _, d := range e.Capabilities().Dialects {
		for _, sql := range []string{
			revenueByStatus,
			"SELECT DATE_TRUNC('month', order_date) AS m, SUM(amount) FROM orders GROUP BY 1",
			"SELECT c.region, COUNT(*) FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1",
			"WITH a AS (SELECT status, MEASURE(revenue) AS r FROM orders GROUP BY 1) SELECT status, ROW_NUMBER() OVER (ORDER BY r) AS n FROM a UNION ALL SELECT 'x', 1 FROM a",
			"SELECT status FROM orders WHERE customer_id IN (SELECT customer_id FROM customers WHERE region = 'east')",
		} {
			got, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: sql, Dialect: d.Name})
			if err != nil || got.Dialect != d.Name || got.SQL == "" {
				t.Errorf("%s: %s: %v", d.Name, sql, err)
			}
		}
	}
}

func TestCompileSQL_ErrorsHaveASQLSTATE(t *testing.T) {
	e, refused := shop(t), 0
	for _, c := range []struct{ sql, dialect, code, state string }{
		{"SELECT status, MEASURE(revenue) FROM orders", "duckdb", "sql_group_by_required", "42803"},
		{revenueByStatus, "cobol", "bad_request", ""},
	} {
		_, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: c.sql, Dialect: c.dialect})
		var own *engine.SQLError
		state := ""
		if errors.As(err, &own) {
			state = own.SQLState
		}
		if codeOf(err) != c.code || state != c.state {
			t.Errorf("%s: %v", c.sql, err)
		}
	}
	// What a dialect lacks is an error of the statement.
	for _, d := range e.Capabilities().Dialects {
		for _, sql := range []string{
			"SELECT status, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount) FROM orders GROUP BY 1", "SELECT LISTAGG(status) FROM orders", "SELECT STDDEV_POP(amount) FROM orders",
			"SELECT status FROM orders GROUP BY 1 EXCEPT SELECT region FROM customers GROUP BY 1",
		} {
			_, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: sql, Dialect: d.Name})
			var own *engine.SQLError
			if err != nil && (!errors.As(err, &own) || own.SQLState != "0A000") {
				t.Errorf("%s: %s: %v", d.Name, sql, err)
			}
			refused += min(1, len(codeOf(err)))
		}
	}
	if refused == 0 {
		t.Error("every dialect has every construct")
	}
	if _, err := askSQL(t.Context(), e, &query.SQLStatement{SQL: revenueByStatus, Connection: "nowhere"}); codeOf(err) != "config" {
		t.Errorf("%v", err)
	}
}

func TestExplainSQL_ShowsThePlan(t *testing.T) {
	e := shop(t)
	got, err := askPlan(t.Context(), e, &query.SQLStatement{SQL: "SELECT AVG(r) FROM (SELECT status, MEASURE(revenue) AS r FROM orders GROUP BY 1) t"})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"revenue", "orders", "avg"} {
		if !strings.Contains(strings.ToLower(got.Plan), line) {
			t.Errorf("the plan does not show %s:\n%s", line, got.Plan)
		}
	}
	if _, err := askPlan(t.Context(), e, &query.SQLStatement{SQL: "DROP TABLE orders"}); codeOf(err) != "sql_read_only" {
		t.Errorf("%v", err)
	}
}

func TestExecuteSQL_Rows(t *testing.T) {
	e := shop(t)
	for _, c := range []struct{ body, rows string }{
		{`{"sql":"` + revenueByStatus + `"}`, `[{"status":"completed","revenue":350},{"status":"cancelled","revenue":100}]`},
		{`{"sql":"SELECT COUNT(*) AS n FROM orders WHERE status = $1 AND amount > $2","params":["completed",60]}`, `[{"n":3}]`},
		{`{"sql":"SELECT COUNT(*) AS n FROM orders WHERE order_date >= $1","params":["2024-03-01"]}`, `[{"n":1}]`},
		{`{"sql":"SELECT COUNT(*) AS n FROM orders","context_filter":"orders.status = 'cancelled'"}`, `[{"n":2}]`},
		{`{"sql":"SELECT COUNT(*) AS n FROM orders WHERE 1 = 0"}`, `[{"n":0}]`},
		{`{"sql":"SELECT region, MEASURE(revenue) AS \"Total, €\" FROM shop GROUP BY 1 ORDER BY 1"}`, `[{"region":"east","Total, €":340},{"region":"west","Total, €":110}]`},
	} {
		c.body = strings.Replace(c.body, "FROM shop", "FROM "+e.Model().Name, 1)
		got, err := askRows(t.Context(), e, statement(t, c.body))
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
		} else if d := cmp.Diff(c.rows, string(got.Rows)); d != "" {
			t.Errorf("%s\n%s", c.body, d)
		}
	}
}

func TestExecuteSQL_MaxRowsIsTheLesserLimit(t *testing.T) {
	e := shop(t)
	for sql, want := range map[string]int{"SELECT order_id FROM orders": 3, "SELECT order_id FROM orders LIMIT 2": 2, "SELECT order_id FROM orders LIMIT 5": 3} {
		most := int64(3)
		got, err := askRows(t.Context(), e, &query.SQLStatement{SQL: sql, MaxRows: &most})
		if err != nil || got.RowCount != want || got.Limit == nil || *got.Limit != int64(want) {
			t.Errorf("%s: %+v, %v", sql, got, err)
		}
	}
}

func TestExecuteSQL_RefusesEqualNames(t *testing.T) {
	e := shop(t)
	equal := &query.SQLStatement{SQL: "SELECT status, status FROM orders"}
	if _, err := askSQL(t.Context(), e, equal); err != nil {
		t.Error(err)
	}
	if _, err := askRows(t.Context(), e, equal); codeOf(err) != "duplicate_output_name" {
		t.Errorf("%v", err)
	}
	if _, err := askStream(t.Context(), e, equal); codeOf(err) != "duplicate_output_name" {
		t.Errorf("%v", err)
	}
}

func TestStreamSQL_SameRowsAsExecute(t *testing.T) {
	s, err := askStream(t.Context(), shop(t), &query.SQLStatement{SQL: revenueByStatus})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out bytes.Buffer
	if n, err := s.Write(t.Context(), &out); n != 2 || err != nil {
		t.Fatalf("%d rows, error %v", n, err)
	}
	var rows [][]string
	schema, err := arrowstream.Read(&out, func(b arrow.RecordBatch) error {
		for i := range int(b.NumRows()) {
			rows = append(rows, []string{b.Column(0).ValueStr(i), b.Column(1).ValueStr(i)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]string{{"completed", "350"}, {"cancelled", "100"}}, rows); d != "" {
		t.Error(d)
	}
	if got := schema.Field(0).Name + " " + schema.Field(1).Name; got != "status revenue" {
		t.Error(got)
	}
}

// Statements take the slots of executions and end with their contexts.
func TestExecuteSQL_SlotsAndTimeouts(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(slowAndSoon), MaxExecutions: 1})
	forever := &query.SQLStatement{SQL: "SELECT MEASURE(forever) FROM m"}
	waits, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := askRows(waits, e, forever)
		ended <- err
	}()
	testwait.Until(t, "the slow statement runs", func() bool { return e.RunningExecutions() == 1 })
	if _, err := askRows(t.Context(), e, &query.SQLStatement{SQL: "SELECT y FROM one"}); codeOf(err) != "busy" {
		t.Errorf("a second statement: %v", err)
	}
	if _, err := askStream(t.Context(), e, &query.SQLStatement{SQL: "SELECT y FROM one"}); codeOf(err) != "busy" {
		t.Errorf("a second stream: %v", err)
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("the cancelled statement has rows")
	}
	testwait.Until(t, "the slot is free", func() bool { return e.RunningExecutions() == 0 })
	hasty, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := askRows(hasty, e, forever); codeOf(err) != "timeout" {
		t.Errorf("%v", err)
	}
}
