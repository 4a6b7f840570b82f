package engine_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// classed counts the orders of a customer that are large; how large, every
// question has to say.
const classed = `
version: 0.2.0.dev0
name: m
datasets:
  - name: orders
    source: orders
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: customer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer}]}}
      - {name: channel, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: channel}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: customers
    source: customers
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: large, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.id)}]},
         custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","lod":{"grain":["id"],"where":"orders.amount >= :least"},"params":[{"name":"least","type":"int","allowed":[60,100]}]}'}]}
relationships:
  - {name: of, from: orders, to: customers, from_columns: [customer], to_columns: [id]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: above, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN orders.amount > 0 THEN orders.amount END)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","derive":{"type":"filter","base":"revenue","where":"amount > :t"},"params":[{"name":"t","type":"int","default":0,"min":0,"max":500}]}'}]}
  - {name: dearest, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","window":{"type":"rolling","function":"max","periods":2}}'}]}
`

const classedRows = `CREATE TABLE customers AS SELECT * FROM (VALUES (1), (2), (3)) t(id);
CREATE TABLE orders AS SELECT * FROM (VALUES
  (1, 1, 'web', DATE '2024-01-10', 50), (2, 1, 'web', DATE '2024-02-10', 120),
  (3, 2, 'shop', DATE '2024-01-11', 30), (4, 2, 'web', DATE '2024-02-11', 40),
  (5, 3, 'shop', DATE '2024-02-12', 70)) t(id, customer, channel, day, amount);`

func classedShop(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelText: []byte(classed), Setup: []string{classedRows}})
}

// By 60, customers 1 and 3 have one large order each; by 100 only customer 1 has.
func TestAttributeParams_DimensionUsesBoundParams(t *testing.T) {
	e := classedShop(t)
	channels := map[string]float64{"web": 110, "shop": 40}
	for _, c := range []struct {
		name, body, least string
		byLarge           map[string]float64
	}{
		{"low", `{"metric":"revenue","dimensions":["channel","customers.large"],"params":{"least":60},` + januaryFebruary + `}`, "60", map[string]float64{"1": 140, "0": 10}},
		{"high", `{"metric":"revenue","dimensions":["channel","customers.large"],"params":{"least":100},` + januaryFebruary + `}`, "100", map[string]float64{"1": 70, "0": 80}},
		{"first", `{"metric":"revenue","dimensions":["customers.large","channel"],"params":{"least":100},` + januaryFebruary + `}`, "100", map[string]float64{"1": 70, "0": 80}},
		{"beside the metric's own", `{"metric":"above","dimensions":["channel","customers.large"],"params":{"t":1,"least":100},` + januaryFebruary + `}`, "100", map[string]float64{"1": 70, "0": 80}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := attribute(t, e, c.body)
			if r.TotalChange.Delta != 150 {
				t.Errorf("%+v", r.TotalChange)
			}
			if d := cmp.Diff(c.byLarge, deltasOf(r, "customers.large")); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(channels, deltasOf(r, "channel")); d != "" {
				t.Error(d)
			}
			if got := wire(t, r.ComparisonMetadata.Params["least"]); got != c.least {
				t.Errorf("params %v", r.ComparisonMetadata.Params)
			}
		})
	}
}

// A window metric that is not arithmetic over sums is planned otherwise, and reads as many rows.
func TestAttributeParams_WindowDimension(t *testing.T) {
	t.Run("a dimension of a window metric is computed with the parameters that the request binds", func(t *testing.T) {
		r := attribute(t, classedShop(t), `{"metric":"dearest","dimensions":["channel","customers.large"],"params":{"least":100},`+januaryFebruary+`}`)
		got := map[string]float64{}
		for _, v := range r.PerDimension["customers.large"].Values {
			got[v.Value] = float64(v.CurrentValue)
		}
		if d := cmp.Diff(map[string]float64{"1": 120, "0": 110}, got); d != "" {
			t.Error(d)
		}
	})
}

func TestAttributeParams_CheckedOverWholeRequest(t *testing.T) {
	e := classedShop(t)
	for _, c := range []struct{ name, body, code, retry string }{
		{"none bound", `{"metric":"revenue","dimensions":["channel","customers.large"],` + januaryFebruary + `}`,
			"param_out_of_domain", `{"params":{"least":60}}`},
		{"value that is not allowed", `{"metric":"revenue","dimensions":["customers.large","channel"],"params":{"least":7},` + januaryFebruary + `}`,
			"param_out_of_domain", `{"params":{"least":60}}`},
		{"the others stay bound", `{"metric":"above","dimensions":["channel","customers.large"],"params":{"t":9,"least":7},` + januaryFebruary + `}`,
			"param_out_of_domain", `{"params":{"t":9,"least":60}}`},
		{"one that nothing reads", `{"metric":"revenue","dimensions":["channel","customers.large"],"params":{"least":60,"t":1},` + januaryFebruary + `}`,
			"unknown_metric_param", `{"params":{"least":60}}`},
		{"of a field that is not asked for", `{"metric":"revenue","dimensions":["channel"],"params":{"least":60},` + januaryFebruary + `}`,
			"unknown_metric_param", `{"params":null}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := query.DecodeAttribute([]byte(c.body))
			if err != nil {
				t.Fatal(err)
			}
			_, err = e.Attribute(t.Context(), q)
			var refused *planerr.Error
			if !errors.As(err, &refused) || refused.Code != c.code || refused.SuggestedRetry != c.retry {
				t.Errorf("%v: %+v", err, refused)
			}
		})
	}
}
