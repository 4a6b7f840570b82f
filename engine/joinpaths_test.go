package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// fanModel has orders that lead to a calendar on two paths, lines that lead to
// orders, visits with a separate path to the calendar, and tickets without one.
// Customers declare no key.
const fanModel = `
version: 0.2.0.dev0
name: m
datasets:
  - name: lines
    source: lines
    fields:
      - {name: order_id, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer}]}}
      - {name: ordered, expression: {dialects: [{dialect: ANSI_SQL, expression: ordered}]}}
      - {name: shipped, expression: {dialects: [{dialect: ANSI_SQL, expression: shipped}]}}
      - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: visits
    source: visits
    fields:
      - {name: visited, expression: {dialects: [{dialect: ANSI_SQL, expression: visited}]}}
      - {name: pages, expression: {dialects: [{dialect: ANSI_SQL, expression: pages}]}}
  - name: tickets
    source: tickets
    fields:
      - {name: hours, expression: {dialects: [{dialect: ANSI_SQL, expression: hours}]}}
  - name: calendar
    source: calendar
    primary_key: [day]
    fields:
      - {name: day, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: weekday, expression: {dialects: [{dialect: ANSI_SQL, expression: weekday}]}}
  - name: customers
    source: customers
    fields:
      - {name: customer_id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: region, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
relationships:
  - {name: order_of_line, from: lines, to: orders, from_columns: [order_id], to_columns: [order_id]}
  - {name: ordered_on, from: orders, to: calendar, from_columns: [ordered], to_columns: [day]}
  - {name: shipped_on, from: orders, to: calendar, from_columns: [shipped], to_columns: [day]}
  - {name: visited_on, from: visits, to: calendar, from_columns: [visited], to_columns: [day]}
  - {name: order_customer, from: orders, to: customers, from_columns: [customer], to_columns: [customer_id]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: line_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(lines.order_id)}]}}
  - {name: pages, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(visits.pages)}]}}
  - {name: per_hour, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount) / SUM(tickets.hours)}]}}
`

func refused(t *testing.T, e *engine.Engine, body string) *planerr.Error {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err == nil {
		_, err = askSQL(t.Context(), e, q)
	}
	var out *planerr.Error
	if !errors.As(err, &out) {
		t.Fatalf("%s: %v", body, err)
	}
	return out
}

func TestAmbiguousPath_OffersThePrefixesThatTheWholeQueryCanUse(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(fanModel)})
	for _, c := range []struct {
		what, body     string
		candidates     []string
		metrics        []string
		message, retry string
	}{
		{"one metric", `{"metrics":["revenue"],"group_by":[{"field":"calendar.weekday"}]}`, []string{"ordered_on", "shipped_on"}, nil,
			"several relationship paths lead from orders to calendar: name one of them, for example ordered_on.weekday",
			`{"group_by":[{"field":"ordered_on.weekday"}]}`},
		{"a metric whose dataset leads to the other's", `{"metrics":["line_count","revenue"],"group_by":[{"field":"calendar.weekday"}]}`,
			[]string{"ordered_on", "shipped_on"}, nil,
			"several relationship paths lead from lines to calendar: name one of them, for example ordered_on.weekday",
			`{"group_by":[{"field":"ordered_on.weekday"}]}`},
		{"a metric with a path of its own", `{"metrics":["revenue","pages"],"group_by":[{"field":"calendar.weekday"}]}`, nil, []string{"pages"},
			"several relationship paths lead from orders to calendar, and the whole query can use none of them: " +
				"visits, where pages is computed, does not lead to orders, where these paths begin",
			`{"group_by":[]}`},
		{"a metric of two datasets, one without a path", `{"metrics":["per_hour"],"group_by":[{"field":"calendar.weekday"}]}`, nil, []string{"per_hour"},
			"several relationship paths lead from orders to calendar, and the whole query can use none of them: " +
				"tickets, where per_hour is computed, does not lead to calendar",
			`{"group_by":[]}`},
		{"a condition", `{"metrics":["revenue","pages"],"where_sql":"calendar.weekday = 'mon'"}`, nil, []string{"pages"},
			"several relationship paths lead from orders to calendar, and the whole query can use none of them: " +
				"visits, where pages is computed, does not lead to orders, where these paths begin",
			"group and filter by fields that a single path leads to"},
	} {
		t.Run(c.what, func(t *testing.T) {
			got := refused(t, e, c.body)
			if got.Code != "ambiguous_join_path" || got.Message != c.message {
				t.Errorf("%s: %s", got.Code, got.Message)
			}
			if d := cmp.Diff(c.candidates, got.Candidates); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.metrics, got.Metrics); d != "" {
				t.Error(d)
			}
			if got.SuggestedRetry != c.retry {
				t.Errorf("suggested %s", got.SuggestedRetry)
			}
			for _, prefix := range got.Candidates {
				q, err := query.DecodeMetric([]byte(strings.ReplaceAll(c.body, "calendar.", prefix+".")))
				if err == nil {
					_, err = askSQL(t.Context(), e, q)
				}
				if err != nil {
					t.Errorf("%s is offered and refused: %v", prefix, err)
				}
			}
		})
	}
}

func TestFanOut_NamesTheKeyThatTheModelCouldDeclare(t *testing.T) {
	const query = `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`
	got := refused(t, open(t, engine.Config{ModelText: []byte(fanModel)}), query)
	want := &planerr.Error{
		Code: "fan_out_risk", Metrics: []string{"revenue"}, SuggestedRetry: `{"group_by":[]}`,
		Message: "reaching customers.region from orders repeats rows of orders, so SUM, COUNT and AVG in revenue would count them more than once; " +
			"the relationship order_customer joins on customers (id), and customers declares no primary_key",
		Hint: "declare primary_key: [id] on the dataset customers, if no two of its rows share that key; or " + oncePerGroupHint,
	}
	if wire(t, got) != wire(t, want) {
		t.Errorf("%s", wire(t, got))
	}
	keyed := strings.Replace(fanModel, "    source: customers\n", "    source: customers\n    primary_key: [id]\n", 1)
	if err := groupedByMetric(t, keyed, query); err != nil {
		t.Errorf("the key is declared as the hint says: %v", err)
	}
	other := strings.Replace(fanModel, "    source: customers\n", "    source: customers\n    primary_key: [uuid]\n", 1)
	if got := refused(t, open(t, engine.Config{ModelText: []byte(other)}), query); !strings.HasPrefix(got.Hint, "declare unique_keys: [[id]] on the dataset customers") {
		t.Errorf("beside another primary key the hint is %q", got.Hint)
	}
	unique := strings.Replace(fanModel, "    source: customers\n", "    source: customers\n    primary_key: [uuid]\n    unique_keys: [[id]]\n", 1)
	if err := groupedByMetric(t, unique, query); err != nil {
		t.Errorf("the unique key is declared as the hint says: %v", err)
	}
	many := strings.Replace(fanModel, "to_columns: [customer_id]}", "to_columns: [customer_id], cardinality: many_to_many}", 1)
	if got := refused(t, open(t, engine.Config{ModelText: []byte(many)}), query); got.Code != "fan_out_risk" || got.Hint != oncePerGroupHint {
		t.Errorf("a relationship declared many-to-many has the hint %q", got.Hint)
	}
}

func groupedByMetric(t *testing.T, model, body string) error {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	_, err = askSQL(t.Context(), open(t, engine.Config{ModelText: []byte(model)}), q)
	return err
}

// A field that only one dialect computes over a single path is rejected on the others
// with the paths, and answers there.
func TestLOD_OverSeveralPathsIsRefusedByDialect(t *testing.T) {
	model := strings.Replace(fanModel, "      - {name: weekday,", `      - name: busy
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}, {dialect: POSTGRES, expression: SUM(visits.pages)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "lod": {"grain": ["day"]}}'}]
      - {name: weekday,`, 1)
	e := open(t, engine.Config{ModelText: []byte(model)})
	const query = `{"metrics":["pages"],"group_by":[{"field":"calendar.busy"}],"dialect":"`
	if err := groupedByMetric(t, model, query+`postgres"}`); err != nil {
		t.Error(err)
	}
	got := refused(t, e, query+`duckdb"}`)
	if got.Code != "ambiguous_join_path" || !strings.HasPrefix(got.Message, "several relationship paths lead from orders to calendar, and the model does not choose one for calendar.busy") {
		t.Errorf("%s: %s", got.Code, got.Message)
	}
	if d := cmp.Diff([]string{"ordered_on", "shipped_on"}, got.Candidates); d != "" {
		t.Error(d)
	}
}
