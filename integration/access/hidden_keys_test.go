package access

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

const hiddenKeysPolicies = `
version: 1
roles:
  r:
    datasets:
      orders: {rows: all, fields: all, hide: [customer_id]}
      customers: {rows: all, fields: all, hide: [customer_id]}
    metrics: all
`

// No error shows the hidden columns that a relationship joins on. A reader who sees them gets the names from the same requests.
func TestHiddenKeys_AreInNoError(t *testing.T) {
	db := engines["duckdb"](t)
	withoutKey := []string{"        source: customers\n        primary_key: [customer_id]\n", "        source: customers\n"}
	for _, tt := range []struct {
		body, code   string
		replacements []string
	}{
		{`{"sql":"SELECT c.region FROM orders o JOIN customers c ON o.status = c.region"}`, "sql_join_not_declared", nil},
		{`{"sql":"SELECT c.region FROM orders o, customers c"}`, "sql_join_not_declared", nil},
		{`{"sql":"SELECT c.region FROM orders o CROSS JOIN customers c"}`, "sql_join_not_declared", nil},
		{`{"sql":"SELECT c.region FROM orders o NATURAL JOIN customers c"}`, "sql_join_not_declared", nil},
		{`{"sql":"SELECT o.status FROM (SELECT status FROM orders) o JOIN (SELECT region FROM customers) c ON o.status = c.region"}`, "sql_join_not_declared", nil},
		{`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}`, "fan_out_risk", withoutKey},
		{`{"metrics":["revenue"],"group_by":[{"field":"orders_customers.region"}]}`, "fan_out_risk", withoutKey},
		{`{"metrics":[{"name":"x","expression":"SUM(CASE WHEN customers.region = 'east' THEN orders.amount END)"}]}`, "cross_dataset_aggregate", withoutKey},
		{`{"metrics":[{"name":"x","expression":"SUM(CASE WHEN orders_customers.region = 'east' THEN orders.amount END)"}]}`, "cross_dataset_aggregate", withoutKey},
		{`{"metrics":["revenue"],"with":[{"dataset":"orders","name":"x","expression":"customers.region"}],"group_by":[{"field":"orders.x"}]}`, "cross_dataset_aggregate", withoutKey},
		{`{"metrics":["revenue"],"with":[{"dataset":"customers","name":"x","expression":"SUM(orders.amount)","lod":{"grain":["region"]}}],"group_by":[{"field":"customers.x"}]}`, "bad_request", withoutKey},
	} {
		reader, err := as(t, openWith(t, db, hiddenKeysPolicies, tt.replacements...), hiddenKeysPolicies, `{"roles": ["r"]}`)
		if err != nil {
			t.Fatal(err)
		}
		whole := outcome(t, openWith(t, db, "version: 1\n", tt.replacements...), tt.body)
		if !strings.Contains(whole, `"`+tt.code+`"`) || !strings.Contains(whole, "customer_id") {
			t.Errorf("%s: without roles %s", tt.body, whole)
		}
		if seen := outcome(t, reader, tt.body); !strings.Contains(seen, `"`+tt.code+`"`) || strings.Contains(seen, "customer_id") {
			t.Errorf("%s: %s", tt.body, seen)
		}
	}
}

// Statements join by the plain values of masked keys, and none takes a masked key for one that distinguishes rows.
func TestMaskedKeys_JoinByPlainValues(t *testing.T) {
	const mask = "version: 1\nroles: {r: {metrics: all, datasets: {orders: {rows: all, fields: all, mask: {MASKS}}, customers: {rows: all, fields: all, mask: {MASKS}}}}}\n"
	db := engines["duckdb"](t)
	const regions = `[{"region":"east","n":4},{"region":"west","n":2}]`
	for _, tt := range []struct{ orders, customers, sql, want string }{
		{"customer_id: 'NULL'", "", "SELECT c.region, COUNT(*) AS n FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1 ORDER BY 1", regions},
		{"customer_id: 'NULL'", "customer_id: 'NULL'", "SELECT c.region, COUNT(*) AS n FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1 ORDER BY 1", regions},
		{"customer_id: 'NULL'", "customer_id: customer_id % 2", "SELECT c.region, COUNT(*) AS n FROM orders o LEFT JOIN customers c USING (customer_id) GROUP BY 1 ORDER BY 1", regions},
		{"", "customer_id: 'NULL'", "SELECT c.region, COUNT(*) AS n FROM orders o JOIN customers c ON o.customer_id = c.customer_id GROUP BY 1", "sql_unsupported"},
		{"order_id: order_id % 2", "", "SELECT status, order_count FROM orders", "sql_measure_in_rows"},
	} {
		policies := strings.Replace(strings.Replace(mask, "MASKS", tt.orders, 1), "MASKS", tt.customers, 1)
		reader, err := as(t, openWith(t, db, policies), policies, `{"roles": ["r"]}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, reader, `{"sql":"`+tt.sql+`"}`); got != tt.want {
			t.Errorf("%s\n%s %s\n%s\n%s", tt.sql, tt.orders, tt.customers, got, tt.want)
		}
	}
}

// No catalogue declares a masked key, whose values can be NULL, and equal in several rows, and no error suggests
// to count rows by it.
func TestMaskedKeys_AreNoKeysOfRelations(t *testing.T) {
	const policies = `
version: 1
roles:
  masked: {metrics: all, datasets: {orders: {rows: all, fields: all}, customers: {rows: all, fields: all, mask: {customer_id: "NULL"}}}}
  plain: {metrics: all, datasets: {orders: {rows: all, fields: all}, customers: {rows: all, fields: all}}}
`
	const count = `{"sql":"SELECT COUNT(c.*) FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id"}`
	e := openWith(t, engines["duckdb"](t), policies)
	for role, declared := range map[string]bool{"masked": false, "plain": true} {
		reader, err := as(t, e, policies, `{"roles": ["`+role+`"]}`)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reader.Relations() {
			isNotNull := slices.ContainsFunc(r.Columns, func(c engine.RelationColumn) bool { return c.Name == "customer_id" && c.NotNull })
			if r.Name == "customers" && (len(r.Keys) > 0 != declared || isNotNull != declared) {
				t.Errorf("%s: keys %v, NOT NULL %t", role, r.Keys, isNotNull)
			}
			leadsToCustomers := func(f engine.RelationForeignKey) bool { return f.Target == "customers" }
			if r.Name == "orders" && slices.ContainsFunc(r.ForeignKeys, leadsToCustomers) != declared {
				t.Errorf("%s: foreign keys %v", role, r.ForeignKeys)
			}
		}
		if seen := outcome(t, reader, count); !strings.Contains(seen, `"fan_out_risk"`) || strings.Contains(seen, "suggested_retry") != declared {
			t.Errorf("%s: %s", role, seen)
		}
	}
}
