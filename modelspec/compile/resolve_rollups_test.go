package compile_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// rollupShop has orders with two roads to regions, and a fanning edge to items.
const rollupShop = `
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      ~ order_id: order_id
      ~ customer_id: customer_id
      ~ bill_region: bill_region
      ~ ship_region: ship_region
      ~ status: status
      ~ amount: amount
      ~ note: note
        @ {"v":"1.10","is_dimension":false}
      ~ age: EXTRACT(DAY FROM CURRENT_DATE)
      ~ order_date: order_date
        datatype: Date
        dimension: {is_time: true}
      ~ month: month
        datatype: Date
        dimension: {is_time: true}
        @ {"v":"1.10","time_granularity":"month"}
  - name: items
    source: items
    primary_key: [item_id]
    fields:
      ~ item_id: item_id
      ~ order_id: order_id
      ~ quantity: quantity
  - name: regions
    source: regions
    primary_key: [region_id]
    fields:
      ~ region_id: region_id
      ~ region: region
relationships:
  - {name: item_order, from: items, to: orders, from_columns: [order_id], to_columns: [order_id]}
  - {name: bill_to, from: orders, to: regions, from_columns: [bill_region], to_columns: [region_id]}
  - {name: ship_to, from: orders, to: regions, from_columns: [ship_region], to_columns: [region_id]}
metrics:
  ~ revenue: SUM(orders.amount)
  ~ quantity: SUM(items.quantity)
`

func rollupModel(rollups string) string {
	return expand(strings.TrimSpace(rollupShop) + "\n@ {\"v\":\"1.10\",\"rollups\":[" + rollups + "]}\n")
}

// The default column of a group is named as its own rollup names the field, also where another rollup names it by its path.
func TestRollups_DefaultColumnsDoNotDependOnOtherRollups(t *testing.T) {
	const byPath = `{"name":"by_path","of":"items","group_by":[{"field":"item_order.status"}],"measures":[{"expression":"SUM(items.quantity)","column":"q"}]}`
	const byDataset = `{"name":"by_dataset","of":"items","group_by":[{"field":"orders.status"}],"measures":[{"expression":"SUM(items.quantity)","column":"q"}]}`
	for _, rollups := range []string{byPath + "," + byDataset, byDataset + "," + byPath} {
		cat, err := compile.Compile(t.Context(), load(t, rollupModel(rollups)), compile.Options{})
		if err != nil || len(cat.Errors) > 0 || len(cat.Rollups) != 2 {
			t.Fatal(err, cat.Errors, cat.Rollups)
		}
		for name, want := range map[string]string{"by_path": "item_order__status q", "by_dataset": "status q"} {
			if got := strings.Join(cat.Rollup(name).Columns(), " "); got != want {
				t.Errorf("%s has the columns %s, want %s", name, got, want)
			}
		}
	}
}

func TestRollups_AreCompiledWithDefaultColumns(t *testing.T) {
	cat, err := compile.Compile(t.Context(), load(t, rollupModel(`{"name":"daily","of":"orders","source":"agg.daily","group_by":[{"field":"orders.order_date","grain":"day"},{"field":"bill_to.region"},{"field":"status","column":"s"}],`+
		`"measures":[{"expression":"SUM(orders.amount)"},{"expression":"COUNT(*)","column":"n"},{"measure":"orders_amount_sum","column":"again"}],`+
		`"where":"bill_to.region <> 'x' AND orders.status <> 'test'","as_of":"MIN(built_at)","refresh":{"partition":"month","fresh":true,"indexes":[["S"]]}}`)), compile.Options{})
	if err != nil || len(cat.Errors) > 0 || len(cat.Rollups) != 1 {
		t.Fatal(err, cat.Errors, cat.Rollups)
	}
	r := cat.Rollup("daily")
	if got := strings.Join(r.Columns(), " "); got != "order_date__day bill_to__region s orders_amount_sum n again" {
		t.Error(got)
	}
	if r.Groups[1].Path()[0].Rel.Name != "bill_to" || !r.Groups[0].IsRaw() || len(r.Where) != 2 || r.Refresh.Group != 0 || r.Refresh.Lookback != 1 || r.Refresh.Indexes[0][0] != "s" {
		t.Errorf("%+v %+v", r, r.Refresh)
	}
	if r.Measures[0].Measure != cat.Metric("revenue").Forms.Default.Operands[0] || r.Measures[2].Measure != r.Measures[0].Measure {
		t.Error("a rollup has its own copy of a measure of the model")
	}
	if got := cat.RollupsOf(cat.Dataset("orders")); len(got) != 1 || len(cat.RollupsOf(cat.Dataset("items"))) != 0 {
		t.Error(got)
	}
}

func TestRollups_WithAnErrorAreLeftOut(t *testing.T) {
	sum := `"measures":[{"expression":"SUM(orders.amount)","column":"a"}]`
	for _, test := range []struct{ rollup, location, message string }{
		{`{"name":"a b","of":"orders",` + sum + `}`, "[0].name", "not a name for a rollup"},
		{`{"name":"r","of":"order",` + sum + `}`, "[0].of", "not a dataset"},
		{`{"name":"r","of":"orders","color":1,` + sum + `}`, "[0].color", "color"},
		{`{"name":"r","of":"orders"}`, "[0]", "neither group_by nor measures"},
		{`{"name":"r","of":"orders","rows":":n",` + sum + `}`, "[0].rows", "integer"},
		{`{"name":"r","of":"orders","source":"SELECT 1",` + sum + `}`, "[0].source", "query as its source"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.statu"}]}`, "[0].group_by[0].field", "statu"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.status","column":"A"}],` + sum + `}`, "[0]", "two columns"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.status","grain":"day"}]}`, "[0].group_by[0].field", "does not take"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.month","grain":"day"}]}`, "[0].group_by[0].field", "does not take"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.order_date","grain":"fiscal_month"}]}`, "[0].group_by[0].grain", "fiscal_month"},
		{`{"name":"r","of":"orders","group_by":[{"field":"items.quantity"}]}`, "[0].group_by[0].field", "items"},
		{`{"name":"r","of":"orders","group_by":[{"field":"regions.region"}]}`, "[0].group_by[0].field", "several relationship paths"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.age"}]}`, "[0].group_by[0].field", "time of the query"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.note"}]}`, "[0].group_by[0].field", "not to be a dimension"},
		{`{"name":"r","of":"orders","measures":[{"expression":"SUM(orders.amount) / COUNT(*)"}]}`, "[0].measures[0].expression", "single aggregate"},
		{`{"name":"r","of":"orders","measures":[{"expression":"SUM(orders.age)"}]}`, "[0].measures[0].expression", "time of the query"},
		{`{"name":"r","of":"orders","measures":[{"expression":"SUM(items.quantity)"}]}`, "[0].measures[0].expression", "aggregates rows of items"},
		{`{"name":"r","of":"orders","measures":[{"measure":"orders_amount_avg"}]}`, "[0].measures[0].measure", "orders_amount_avg"},
		{`{"name":"r","of":"orders","measures":[{"expression":"SUM(orders.amount * :n)"}]}`, "[0].measures[0].expression", "parameter"},
		{`{"name":"r","of":"orders","measures":[{"column":"a"}]}`, "[0].measures[0]", "exactly one"},
		{`{"name":"r","of":"orders","where":"orders.order_date < CURRENT_DATE",` + sum + `}`, "[0].where", "present time"},
		{`{"name":"r","of":"orders","where":"orders.amount > :n",` + sum + `}`, "[0].where", "slot"},
		{`{"name":"r","of":"orders","where":"MY_FUNCTION(orders.amount) = 1",` + sum + `}`, "[0].where", "outside of the language"},
		{`{"name":"r","of":"orders","as_of":"built_at",` + sum + `}`, "[0].as_of", "not an aggregate"},
		{`{"name":"r","of":"orders","as_of":"MIN(built_at) + :n",` + sum + `}`, "[0].as_of", "not an aggregate"},
		{`{"name":"r","of":"orders","group_by":[{"field":"orders.order_date","grain":"week"}],"refresh":{"partition":"month"}}`, "[0].refresh", "none of its groups"},
		{`{"name":"r","of":"orders","refresh":{"fresh":true},` + sum + `}`, "[0].refresh.fresh", "needs partition"},
		{`{"name":"r","of":"orders","refresh":{"indexes":[["b"]]},` + sum + `}`, "[0].refresh.indexes[0][0]", "not one of its columns"},
	} {
		cat, err := compile.Compile(t.Context(), load(t, rollupModel(test.rollup+`,{"name":"fine","of":"orders",`+sum+`}`)), compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(cat.Rollups) != 1 || cat.Rollups[0].Name != "fine" || len(cat.Errors) == 0 {
			t.Errorf("%s\n\thas the rollups %v and the errors %v", test.rollup, cat.Rollups, cat.Errors)
			continue
		}
		e := cat.Errors[0]
		if e.Code != extension.CodeInvalidPayload || !strings.HasSuffix(e.Location, ".data.rollups"+test.location) || !strings.Contains(e.Message, test.message) || e.Hint == "" {
			t.Errorf("%s\n\thas the error %s at %s: %s (%s)", test.rollup, e.Code, e.Location, e.Message, e.Hint)
		}
	}
}

func TestRollups_OfOneNameDoNotExist(t *testing.T) {
	one := `{"name":"r","of":"orders","measures":[{"expression":"COUNT(*)"}]}`
	cat, err := compile.Compile(t.Context(), load(t, rollupModel(one+","+strings.Replace(one, `"r"`, `"R"`, 1))), compile.Options{})
	if err != nil || len(cat.Rollups) != 0 || len(cat.Errors) != 1 {
		t.Error(err, cat.Rollups, cat.Errors)
	}
}
