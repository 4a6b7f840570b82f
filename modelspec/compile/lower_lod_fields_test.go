package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// withField adds a field with a payload to the customers of the shop.
func withField(name, expression, payload string) string {
	return strings.Replace(shop, "      ~ region: region\n", "      ~ region: region\n      ~ "+name+": "+expression+"\n        @ "+payload+"\n", 1)
}

const ltv = `{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "status = 'done' AND amount > :t"}, "params": [{"name": "t", "type": "int", "default": 0, "min": 0}]}`

func TestLOD_Compiles(t *testing.T) {
	cat := sound(t, strings.Replace(withField("ltv", "SUM(orders.amount) / COUNT(orders.order_id)", ltv), "      ~ signup_date", "      ~ vip: ltv > 100\n      ~ signup_date", 1)+
		"metrics:\n  ~ mean: AVG(customers.ltv)\n")
	f := cat.Dataset("customers").Field("ltv")
	if f.LOD == nil || f.LOD.Grain[0].QualifiedName() != "customers.customer_id" || f.LOD.Params[0].Name != "t" || f.Type.String() != "double" {
		t.Fatalf("%+v", f)
	}
	if got, want := showForm(cat, f.LOD.Measures.Default), "{orders_amount_sum = sum(orders.amount) at orders} / {orders_order_id_count = count(orders.order_id) at orders}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := show(cat, f.LOD.Where), "orders.status = 'done' AND orders.amount > :t"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := show(cat, cat.Dataset("customers").Field("vip").Expr.Default), "customers.ltv > 100"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m := cat.Metric("mean").Forms.Default.Operands[0].(*catalog.Measure)
	if got := show(cat, m.Arg); got != "customers.ltv" || m.Home.Name != "customers" {
		t.Errorf("%s at %s", got, m.Home.Name)
	}
}

func TestLOD_MayUseAnother(t *testing.T) {
	sound(t, `
datasets:
  - name: orders
    source: o
    fields:
      ~ customer_id: customer_id
      ~ amount: amount
  - name: customers
    source: c
    primary_key: [customer_id]
    fields:
      ~ customer_id: customer_id
      ~ region: region
      ~ ltv: SUM(orders.amount)
        @ {"v": "1.9", "lod": {"grain": ["customer_id"]}}
  - name: regions
    source: r
    primary_key: [region]
    fields:
      ~ region: region
      ~ best: MAX(customers.ltv)
        @ {"v": "1.9", "lod": {"grain": ["region"]}}
relationships:
  - {name: oc, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
  - {name: cr, from: customers, to: regions, from_columns: [region], to_columns: [region]}
`)
}

func TestLOD_BareNamePrefersOwnDataset(t *testing.T) {
	cat := sound(t, withField("people", "COUNT(customer_id)", `{"v": "1.9", "lod": {"grain": ["region"]}}`))
	f := cat.Dataset("customers").Field("people")
	if got, want := showForm(cat, f.LOD.Measures.Default), "{customers_customer_id_count = count(customers.customer_id) at customers}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestLOD_Invalid(t *testing.T) {
	const at = "datasets[1].fields[2]"
	for _, c := range []struct {
		what, expression, payload string
		want                      []string
	}{
		{"nothing to aggregate", "region", `{"v": "1.9", "lod": {"grain": ["customer_id"]}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod"}},
		{"an unknown grain", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["custmer_id"]}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod.grain[0]"}},
		{"a grain of another dataset", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["orders.status"]}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod.grain[0]"}},
		{"its own grain", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["f"]}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod.grain[0]"}},
		{"a dataset that does not lead here", "SUM(unit_cost)", `{"v": "1.9", "lod": {"grain": ["customer_id"]}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod"}},
		{"an unknown name in where", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "sttus = 'x'"}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod.where"}},
		{"a where that is no condition", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "amount + 1"}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod.where"}},
		{"a slot without a parameter", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "amount > :t"}}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.lod.where"}},
		{"parameters without a level of detail", "region", `{"v": "1.9", "params": [{"name": "t", "type": "bool"}]}`, []string{"invalid_vendor_extension " + at + ".custom_extensions[0].data.params[0]"}},
		{"an aggregate that is not supported", "MODE(amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"]}}`, []string{"unsupported_aggregate " + at + ".expression"}},
		{"a column beside the aggregate", "SUM(amount) + region", `{"v": "1.9", "lod": {"grain": ["customer_id"]}}`, []string{"bare_column_in_metric " + at + ".expression"}},
		{"a circle", "MAX(customers.f)", `{"v": "1.9", "lod": {"grain": ["customer_id"]}}`, []string{"unparseable_expression " + at + ".expression"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, withField("f", c.expression, c.payload))
			if d := cmp.Diff(c.want, listed(cat.Errors)); d != "" {
				t.Fatal(d)
			}
			if f := cat.Dataset("customers").Field("f"); f.Err != cat.Errors[0] || f.LOD != nil {
				t.Errorf("it stays with error %v and %+v", f.Err, f.LOD)
			}
		})
	}
}

func TestLOD_DroppedInBasicMode(t *testing.T) {
	cat := catalogOf(t, load(t, expand(withField("ltv", "SUM(orders.amount)", ltv))), compile.Options{Basic: true})
	want := []string{"aggregate_field_dropped datasets[1].fields[2].expression", "ignored_vendor_extension datasets[1].fields[2].custom_extensions[0]"}
	if d := cmp.Diff(want, warned(cat.Warnings)); d != "" {
		t.Error(d)
	}
	if cat.Dataset("customers").Field("ltv") != nil {
		t.Error("the field is there")
	}
}

func TestTimeFormat_EncodedTime(t *testing.T) {
	for _, c := range []struct {
		what, attributes, payload, want string
	}{
		{"an integer day", "datatype: Integer", `{"format": "yyyyMMdd"}`, "integer numeric day"},
		{"a text month", "datatype: String", `{"format": "yyyy-MM"}`, "varchar text month"},
		{"no datatype", "label: x", `{"format": "yyyyMM"}`, "varchar text month"},
		{"a coarser granularity", "datatype: Integer", `{"format": "yyyyMMdd", "granularity": "month"}`, "integer numeric month"},
		{"seconds", "datatype: Integer", `{"format": "epoch_seconds"}`, "integer numeric "},
		{"days without a datatype", "label: x", `{"format": "epoch_days"}`, "integer numeric day"},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := sound(t, one("~ day: day\n  "+c.attributes+"\n  @ {\"v\": \"1.9\", \"requires\": [\"time\"], \"time\": "+c.payload+"}"))
			f := cat.Fields[0]
			text := map[bool]string{true: "numeric", false: "text"}[f.Encoding.Numeric]
			if got := f.Type.String() + " " + text + " " + f.Granularity.String(); got != c.want || !f.IsTime {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestTimeFormat_Invalid(t *testing.T) {
	const payload = "datasets[0].fields[0].custom_extensions[0].data"
	for _, c := range []struct {
		what, attributes, payload, want string
	}{
		{"a date column", "datatype: Date", `"time": {"format": "yyyyMMdd"}`, payload + ".time"},
		{"an epoch as text", "datatype: String", `"time": {"format": "epoch_days"}`, payload + ".time"},
		{"a number with dashes", "datatype: Integer", `"time": {"format": "yyyy-MM"}`, payload + ".time"},
		{"two granularities", "datatype: Integer", `"time": {"format": "yyyyMM", "granularity": "month"}, "time_granularity": "year"`, payload + ".time"},
		{"a granularity finer than the format", "datatype: Integer", `"time": {"format": "yyyyMM"}, "time_granularity": "day"`, payload + ".time"},
		{"no time field", "dimension: {is_time: false}", `"time": {"format": "yyyyMM"}`, "datasets[0].fields[0].dimension"},
		{"a format beside a field that is no time field", "datatype: Integer", `"format": "yyyyMM"`, payload + ".format"},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, one("~ day: day\n  "+c.attributes+"\n  @ {\"v\": \"1.9\", \"requires\": [\"time\"], "+c.payload+"}"))
			if d := cmp.Diff([]string{"invalid_vendor_extension " + c.want}, listed(cat.Errors)); d != "" {
				t.Error(d)
			}
			if cat.Fields[0].Err == nil {
				t.Error("the field has no error")
			}
		})
	}
}
