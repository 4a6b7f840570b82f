package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// Each query of the profile and the query of the HTTP interface that asks the same.
var sameQuestions = []struct{ profile, metric, detail string }{
	{profile: `{"measures": ["revenue", "buyers"]}`, metric: `{"metrics": ["revenue", "buyers"]}`},
	{profile: `{"dimensions": ["customers.region"], "measures": ["revenue"], "order_by": [{"field": "region"}]}`,
		metric: `{"metrics": ["revenue"], "group_by": [{"field": "customers.region"}], "order_by": [{"key": "region"}]}`},
	{profile: `{"dimensions": ["customers.region", "orders.status"], "measures": ["revenue"], "where": ["orders.channel = 'web'", "orders.amount > 20"],
		"having": "revenue > 100", "order_by": [{"field": "revenue", "direction": "DESC", "nulls": "LAST"}, {"field": "orders.status", "direction": "ASC", "nulls": "LAST"}], "limit": 5}`,
		metric: `{"metrics": ["revenue"], "group_by": [{"field": "customers.region"}, {"field": "orders.status"}], "where_sql": "orders.channel = 'web' AND orders.amount > 20 AND revenue > 100",
		"order_by": [{"key": "revenue", "desc": true}, {"key": "status"}], "limit": 5}`},
	{profile: `{"dimensions": ["DATE_TRUNC('month', orders.order_date) AS m"], "measures": ["revenue AS r", "SUM(orders.amount) - SUM(orders.quantity) AS rest"], "having": ["revenue > 23000 OR r < 20000"], "order_by": [{"field": "DATE_TRUNC('MONTH', order_date)"}]}`,
		metric: `{"metrics": [{"name": "r", "expression": "revenue"}, {"name": "rest", "expression": "SUM(orders.amount) - SUM(orders.quantity)"}], "group_by": [{"field": "orders.order_date", "grain": "month", "name": "m"}],
		"where_sql": "r > 23000 OR r < 20000", "order_by": [{"key": "m"}]}`},
	{profile: `{"dimensions": ["CASE WHEN orders.amount > 100 THEN 'large' ELSE 'small' END AS size"], "measures": ["COUNT(orders.order_id) AS n"], "order_by": [{"field": "n", "direction": "DESC", "nulls": "LAST"}]}`,
		metric: `{"metrics": [{"name": "n", "expression": "COUNT(orders.order_id)"}], "group_by": [{"name": "size", "expression": "CASE WHEN orders.amount > 100 THEN 'large' ELSE 'small' END"}], "order_by": [{"key": "n", "desc": true}]}`},
	{profile: `{"dimensions": ["customers.region", "customers.segment"], "order_by": [{"field": "region"}, {"field": "segment"}]}`,
		metric: `{"distinct": true, "group_by": [{"field": "customers.region"}, {"field": "customers.segment"}], "order_by": [{"key": "region"}, {"key": "segment"}]}`},
	{profile: `{"dimensions": ["ordered_on.weekday"], "measures": ["return_rate"], "order_by": [{"field": "ordered_on.weekday"}]}`,
		metric: `{"metrics": ["return_rate"], "group_by": [{"field": "ordered_on.weekday"}], "order_by": [{"key": "ordered_on__weekday"}]}`},
	{profile: `{"dimensions": ["segment"], "measures": ["order_count"], "order_by": [{"field": "order_count", "direction": "DESC"}, {"field": "segment"}]}`, // a count is never null
		metric: `{"metrics": ["order_count"], "group_by": [{"field": "customers.segment"}], "order_by": [{"key": "order_count", "desc": true}, {"key": "segment"}]}`},
	{profile: `{"measures": ["revenue"], "limit": 0}`, metric: `{"metrics": ["revenue"], "limit": 0}`},
	{profile: `{"fields": ["orders.order_id", "customers.region AS where_from", "orders.ship_date"], "where": "orders.status = 'open'", "order_by": [{"field": "where_from"}, {"field": "orders.order_id", "direction": "DESC"}], "limit": 7}`,
		detail: `{"from": "orders", "fields": ["orders.order_id", "customers.region", "orders.ship_date"], "where_sql": "orders.status = 'open'", "order_by": [{"key": "region"}, {"key": "order_id", "desc": true}], "limit": 7}`},
	{profile: `{"fields": ["orders.order_id", "orders.amount * 2 AS twice", "DATE_TRUNC('year', orders.order_date)"], "limit": 4}`,
		detail: `{"from": "orders", "fields": ["orders.order_id", "orders.twice", "orders.order_date:year"], "with": [{"dataset": "orders", "name": "twice", "expression": "orders.amount * 2"}], "limit": 4}`},
	{profile: `{"fields": ["customers.name", "customers.region"], "limit": 3}`, detail: `{"from": "customers", "fields": ["customers.name", "customers.region"], "limit": 3}`},
}

func TestExecuteQuery_RowsAreThoseOfTheHTTPInterface(t *testing.T) {
	e := retail(t)
	p := newProfile(t, e, mcp.Config{MaxBytes: 1 << 20})
	for _, c := range sameQuestions {
		var want *engine.Result
		if c.detail != "" {
			q, err := query.DecodeDetail([]byte(c.detail))
			if err != nil {
				t.Fatal(c.detail, err)
			}
			if want, err = askRows(t.Context(), e, q); err != nil {
				t.Fatal(c.detail, err)
			}
		} else {
			q, err := query.DecodeMetric([]byte(c.metric))
			if err != nil {
				t.Fatal(c.metric, err)
			}
			if want, err = askRows(t.Context(), e, q); err != nil {
				t.Fatal(c.metric, err)
			}
		}
		got := p.ask(t, c.profile)
		if got.Error.Code != "" {
			t.Errorf("%s: %+v", c.profile, got.Error)
			continue
		}
		if d := cmp.Diff(rowsByPosition(t, want), got.rows); d != "" {
			t.Errorf("%s: %s", c.profile, d)
		}
		if got.Result.Completeness != "complete" || got.DataSourceID != e.DataSourceID() || got.Model.ID != "retail" || got.Model.Revision != e.Revision() {
			t.Errorf("%s: %+v", c.profile, got)
		}
	}
}

// rowsByPosition returns the rows of a result as texts.
func rowsByPosition(t *testing.T, r *engine.Result) [][]any {
	t.Helper()
	var rows []map[string]any
	d := json.NewDecoder(strings.NewReader(string(r.Rows)))
	d.UseNumber()
	if err := d.Decode(&rows); err != nil {
		t.Fatal(err)
	}
	out := make([][]any, len(rows))
	for i, row := range rows {
		for _, column := range r.Columns {
			value := row[column]
			if value != nil {
				value = fmt.Sprint(value)
			}
			out[i] = append(out[i], value)
		}
	}
	return out
}

func TestExecuteQuery_NamesAndTypesOfColumns(t *testing.T) {
	got := newProfile(t, retail(t), mcp.Config{}).ask(t, `{
		"dimensions": ["DATE_TRUNC('month', orders.order_date)", "customers.region AS where_from", "ordered_on.is_weekend"],
		"measures": ["revenue", "order_count AS n", "avg_order_value"], "limit": 1}`)
	want := []executeQueryColumn{
		{"order_date__month", "Date"}, {"where_from", "String"}, {"ordered_on__is_weekend", "Boolean"},
		{"revenue", "Decimal"}, {"n", "Integer"}, {"avg_order_value", "Float"},
	}
	if d := cmp.Diff(want, got.Preview.Columns); d != "" {
		t.Error(d, got.Error)
	}
	// Numbers are exact texts, but for Float.
	for i, kind := range []string{"string", "string", "bool", "string", "string", "float64"} {
		if len(got.Preview.Rows) != 1 || fmt.Sprintf("%T", got.Preview.Rows[0][i]) != kind {
			t.Errorf("column %d: %v", i, got.Preview.Rows)
		}
	}
}

func TestExecuteQuery_ShowsFewRows(t *testing.T) {
	p := newProfile(t, retail(t), mcp.Config{})
	for limit, shown := range map[int]int{0: 0, 5: 5, 6: 5} {
		got := p.ask(t, fmt.Sprintf(`{"fields": ["orders.order_id"], "limit": %d}`, limit))
		if got.Preview.RowCount != shown || got.Preview.HasMore != (limit > shown) || len(got.rows) != limit {
			t.Errorf("limit %d: %+v", limit, got.Preview)
		}
	}
	wide := openModel(t, longTextModel, `CREATE TABLE t AS SELECT i AS id, repeat('x', 3000) AS v FROM range(4) r(i)`)
	if got := newProfile(t, wide, mcp.Config{}).ask(t, `{"fields": ["t.id", "t.v"]}`); got.Preview.RowCount != 1 || !got.Preview.HasMore || len(got.rows) != 4 {
		t.Errorf("long values: %+v", got.Preview.RowCount)
	}
}

const longTextModel = `{version: 0.2.0.dev0, semantic_model: [{name: "a, b & c", datasets: [{name: t, source: t, primary_key: [id], fields: [
	{name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}},
	{name: v, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: v}]}}]}],
	metrics: [{name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(t.id)}]}}]}]}`

func TestExecuteQuery_CSVKeepsEveryValue(t *testing.T) {
	values := []any{
		nil, "", `\N`, `\`, `\\N`, `N`, "a,b", `say "x"`, "two\nlines", "carriage\rreturn", " spaces ", "=1+1", "'", "naïve 🦆 売上", "\ttab", "\"", "\u0001", strings.Repeat("long ", 2000),
	}
	var rows []string
	for i, v := range values {
		text := "NULL"
		if v, ok := v.(string); ok {
			text = "'" + strings.ReplaceAll(v, "'", "''") + "'"
		}
		rows = append(rows, fmt.Sprintf("(%d, %s)", i, text))
	}
	e := openModel(t, longTextModel, "CREATE TABLE t AS SELECT * FROM (VALUES "+strings.Join(rows, ", ")+") x(id, v)")
	p := newProfile(t, e, mcp.Config{})
	for _, c := range []struct {
		query string
		at    int
	}{
		{`{"fields": ["t.id", "t.v"], "order_by": [{"field": "t.id"}]}`, 1},
		{`{"dimensions": ["t.id", "v"], "measures": ["n"], "order_by": [{"field": "t.id"}]}`, 1},
		{`{"fields": ["v AS \"a, \"\"b\"\"\"", "id"], "order_by": [{"field": "id"}]}`, 0},
	} {
		got := p.ask(t, c.query)
		var column []any
		for _, row := range got.rows {
			column = append(column, row[c.at])
		}
		if d := cmp.Diff(values, column); d != "" {
			t.Errorf("%s: %s %+v", c.query, d, got.Error)
		}
	}
	if got := p.ask(t, `{"fields": ["v"], "where": "id = 1"}`); len(got.rows) != 1 || got.Result.Resources[0].URI != "file:///a%2C%20b%20&%20c.csv" {
		t.Errorf("an empty text alone, and the name of the attachment: %v %v", got.rows, got.Result.Resources)
	}
}

func TestExecuteQuery_IsOffByDefaultAndOnOverBothTransports(t *testing.T) {
	e := retail(t)
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			off := connect(t, transport(t, server(e, mcp.Config{})))
			if _, err := off.CallTool(t.Context(), &sdk.CallToolParams{Name: "execute_query", Arguments: map[string]any{}}); err == nil || listed(t, off)["execute_query"] != nil {
				t.Error("the tool is there without the setting")
			}
			on := connect(t, transport(t, server(e, mcp.Config{ExecuteQuery: true})))
			if d := listed(t, on)["execute_query"]; d == nil || !strings.Contains(d.Description, "Ossie") || !strings.Contains(d.Description, "draft 0.4") || !d.Annotations.ReadOnlyHint {
				t.Errorf("%+v", d)
			}
			if text := on.InitializeResult().Instructions; !strings.Contains(text, e.DataSourceID()) {
				t.Errorf("the instructions lack the data source: %s", text)
			}
			p := &profile{on, profileSchema(t), e.DataSourceID()}
			if got := p.ask(t, `{"measures": ["order_count"]}`); len(got.rows) != 1 || got.rows[0][0] != "5000" {
				t.Errorf("%v %+v", got.rows, got.Error)
			}
		})
	}
}
