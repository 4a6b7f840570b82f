package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// valuesText reads values and returns them as JSON, without the statement.
func valuesText(t *testing.T, e *engine.Engine, body string) string {
	t.Helper()
	q, err := query.DecodeValues([]byte(body))
	if err != nil {
		return err.Error()
	}
	values, err := e.FieldValues(t.Context(), q)
	if err != nil {
		return err.Error()
	}
	if values.SQL == "" || values.Dialect != "duckdb" {
		t.Errorf("%s has the SQL %q of %q", body, values.SQL, values.Dialect)
	}
	shown := *values
	shown.SQL, shown.Dialect = "", ""
	text, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestValues_AreThoseOfTheRowsOfTheDataset(t *testing.T) {
	t.Parallel()
	e := open(t, engine.Config{ModelPath: "testdata/orders.yaml", Setup: []string{read(t, "testdata/orders.sql"), `
		INSERT INTO orders VALUES (7, 9, 10, NULL, NULL, -5);
		INSERT INTO customers VALUES (4, 'North', NULL), (5, 'north', NULL), (6, 'nörth', NULL), (7, 'East%', NULL), (8, NULL, NULL)`}})
	for body, want := range map[string]string{
		`{"field":"orders.status"}`: `{"field":"orders.status","values":[{"value":"completed","count":4},{"value":"cancelled","count":2},{"value":null,"count":1}],` +
			`"complete":true,"row_count":3,"cached":false,"dialect":"","sql":""}`,
		`{"field":"status","limit":1,"offset":1}`: `{"field":"orders.status","values":[{"value":"cancelled","count":2}],"complete":false,"row_count":1,"cached":false,"dialect":"","sql":""}`,
		`{"field":"status","offset":7}`:           `{"field":"orders.status","values":[],"complete":true,"row_count":0,"cached":false,"dialect":"","sql":""}`,
		// A customer counts once, and not once for each order.
		`{"field":"customers.region","limit":1}`: `{"field":"customers.region","values":[{"value":"east","count":2}],"complete":false,"row_count":1,"cached":false,"dialect":"","sql":""}`,
		`{"field":"order_customer.region","like":"EAST"}`: `{"field":"customers.region","values":[{"value":"east","count":2},{"value":"East%","count":1}],` +
			`"complete":true,"row_count":2,"cached":false,"dialect":"","sql":""}`,
		`{"field":"customers.region","like":"%"}`: `{"field":"customers.region","values":[{"value":"East%","count":1}],"complete":true,"row_count":1,"cached":false,"dialect":"","sql":""}`,
		`{"field":"customers.region","like":"_"}`: `{"field":"customers.region","values":[],"complete":true,"row_count":0,"cached":false,"dialect":"","sql":""}`,
		`{"field":"customers.region","like":"Nórth"}`: `{"field":"customers.region","values":[{"value":"North","count":1},{"value":"north","count":1},{"value":"nörth","count":1}],` +
			`"complete":true,"row_count":3,"match":"near","cached":false,"dialect":"","sql":""}`,
		`{"field":"orders.order_date","limit":1}`:               `{"field":"orders.order_date","values":[{"value":"2024-01-05","count":1}],"complete":false,"row_count":1,"min":"2024-01-05","max":"2024-03-01","cached":false,"dialect":"","sql":""}`,
		`{"field":"orders.order_date","limit":1,"like":"-03-"}`: `{"field":"orders.order_date","values":[{"value":"2024-03-01","count":1}],"complete":true,"row_count":1,"cached":false,"dialect":"","sql":""}`,
		`{"field":"orders.amount","limit":1,"where_sql":"order_customer.region = 'east' AND products.category <> 'toys'"}`: `{"field":"orders.amount",` +
			`"values":[{"value":70,"count":1}],"complete":false,"row_count":1,"min":70,"max":120,"cached":false,"dialect":"","sql":""}`,
		`{"field":"orders.amount","where_sql":"amount > 1000"}`: `{"field":"orders.amount","values":[],"complete":true,"row_count":0,"cached":false,"dialect":"","sql":""}`,
		`{"field":"is_large"}`: `{"field":"orders.is_large","values":[{"value":false,"count":5},{"value":true,"count":2}],"complete":true,"row_count":2,"cached":false,"dialect":"","sql":""}`,
	} {
		if d := cmp.Diff(want, valuesText(t, e, body)); d != "" {
			t.Errorf("%s (-want +got):\n%s", body, d)
		}
	}
}

// Two fields of one column have one statement, and the name of the one that is requested.
func TestValues_HaveTheNameOfTheirField(t *testing.T) {
	t.Parallel()
	text := strings.Replace(read(t, "testdata/orders.yaml"), "          - {name: status", "          - {name: state, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}}\n          - {name: status", 1)
	e := open(t, engine.Config{ModelText: []byte(text), Setup: []string{read(t, "testdata/orders.sql")}})
	for _, field := range []string{"orders.status", "orders.state", "orders.status"} {
		if got := valuesText(t, e, `{"field":"`+field+`"}`); !strings.HasPrefix(got, `{"field":"`+field+`","values":[{`) {
			t.Errorf("%s: %s", field, got)
		}
	}
}

func TestValues_RefusesWhatIsNotADimension(t *testing.T) {
	t.Parallel()
	e := shop(t)
	for body, want := range map[string]string{
		`{}`:                                                    "bad_request: field is missing; it names a dimension, such as dataset.field",
		`{"field":"customers.regio"}`:                           "unknown_dimension: dataset customers has no field named regio",
		`{"field":"revenue"}`:                                   "unknown_dimension: revenue is a metric, not a field",
		`{"field":"customer_id"}`:                               "ambiguous_dimension: several datasets have a field named customer_id: qualify it as one of orders.customer_id, customers.customer_id",
		`{"field":"a b"}`:                                       "unknown_dimension: no dataset has a field named a b",
		`{"field":"status","limit":0}`:                          "bad_request: limit must be an integer from 1 to 1000, not 0",
		`{"field":"status","limit":1001}`:                       "bad_request: limit must be an integer from 1 to 1000, not 1001",
		`{"field":"status","offset":-1}`:                        "bad_request: offset must be a non-negative integer, not -1",
		`{"field":"status","connection":"nowhere"}`:             "config: unknown connection nowhere",
		`{"field":"status","dialect":"trino"}`:                  "bad_request: the embedded database speaks duckdb, not trino",
		`{"field":"status","where_sql":"COUNT(order_id) > 1"}`:  "aggregate_in_where: where_sql holds the aggregate COUNT(order_id)",
		`{"field":"customers.region","where_sql":"amount > 1"}`: "detail_fanout: a row of customers may have many of orders: ask from orders, which has one row of customers each",
	} {
		if got := valuesText(t, e, body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
