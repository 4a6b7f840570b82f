package extension_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestMetricKeys_Plain(t *testing.T) {
	m, d := extension.ReadMetric(owner, payloads(`{"v": "1.0", "dataset": "orders", "time_dimension": "orders.day", "fill_nulls_with": -1.50,
		"subject_path": ["sales", "net"], "unit": "EUR", "format": "#,##0"}`))
	if len(found(d)) > 0 {
		t.Fatal(found(d))
	}
	got := fmt.Sprint(m.Dataset.Name, m.TimeDimension.Name, m.Fill, m.SubjectPath, m.Unit, m.Format)
	if want := "ordersorders.day-1.50[sales net]EUR#,##0"; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestMetricKeys_Presentation(t *testing.T) {
	m, d := extension.ReadMetric(owner, payloads(`{"v": "1.10", "format": "percent:1", "label": "Net sales", "headline": true, "better": "up"}`))
	if len(found(d)) > 0 {
		t.Fatal(found(d))
	}
	if m.Format != "percent:1" || m.Label != "Net sales" || !m.Headline || m.Better != "up" {
		t.Errorf("%+v", m)
	}
	m, d = extension.ReadMetric(owner, payloads(`{"v": "1.10", "headline": false}`))
	if len(found(d)) > 0 || m.Headline {
		t.Errorf("%+v %v", m, found(d))
	}
}

func TestMetricKeys_SQLAggregates(t *testing.T) {
	for _, c := range []struct {
		data string
		want []string
	}{
		{`{"v": "1.10", "sql_aggregates": ["sum", "count", "avg", "min", "max"]}`, []string{"sum", "count", "avg", "min", "max"}},
		{`{"v": "1.10", "sql_aggregates": []}`, nil},
		{`{"v": "1.10"}`, nil},
	} {
		m, d := extension.ReadMetric(owner, payloads(c.data))
		if diff := cmp.Diff(c.want, m.SQLAggregates); diff != "" || len(found(d)) > 0 {
			t.Errorf("%s: %s %v", c.data, diff, found(d))
		}
	}
}

func TestMetricKeys_Grains(t *testing.T) {
	m, d := extension.ReadMetric(owner, payloads(`{"v": "1.10", "grains": ["day", "fiscal_month"]}`))
	var names []string
	for _, ref := range m.Grains {
		names = append(names, ref.Name)
	}
	if diff := cmp.Diff([]string{"day", "fiscal_month"}, names); diff != "" || len(found(d)) > 0 {
		t.Errorf("%s %v", diff, found(d))
	}
}

func TestMetricKeys_Invalid(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{"dataset": 1}`, ".dataset"},
		{`{"dataset": " "}`, ".dataset"},
		{`{"time_dimension": ["a"]}`, ".time_dimension"},
		{`{"fill_nulls_with": "0"}`, ".fill_nulls_with"},
		{`{"fill_nulls_with": 1e999}`, ".fill_nulls_with"},
		{`{"fill_nulls_with": 1e-999}`, ".fill_nulls_with"},
		{`{"subject_path": 1}`, ".subject_path"},
		{`{"subject_path": ["a", 1]}`, ".subject_path[1]"},
		{`{"unit": {}}`, ".unit"},
		{`{"format": false}`, ".format"},
		{`{"v": "1.10", "label": " "}`, ".label"},
		{`{"v": "1.10", "headline": "yes"}`, ".headline"},
		{`{"v": "1.10", "better": "higher"}`, ".better"},
		{`{"v": "1.10", "better": true}`, ".better"},
		{`{"v": "1.10", "sql_aggregates": "sum"}`, ".sql_aggregates"},
		{`{"v": "1.10", "sql_aggregates": ["sum", "median"]}`, ".sql_aggregates[1]"},
		{`{"v": "1.10", "sql_aggregates": [1]}`, ".sql_aggregates[0]"},
		{`{"v": "1.10", "grains": []}`, ".grains"},
		{`{"v": "1.10", "grains": "day"}`, ".grains"},
		{`{"v": "1.10", "grains": ["day", 1]}`, ".grains[1]"},
		{`{"v": "1.10", "grains": ["fiscal month"]}`, ".grains[0]"},
		{`{"v": "1.4", "measure": "x", "requires": ["measure"]}`, ".measure"},
		{`{"v": "1.4", "measure": {}, "requires": ["measure"]}`, ".measure"},
		{`{"v": "1.4", "measure": {"name": "a b"}, "requires": ["measure"]}`, ".measure.name"},
		{`{"v": "1.4", "measure": {"nam": "a", "name": "a"}, "requires": ["measure"]}`, ".measure.nam"},
	} {
		_, d := extension.ReadMetric(owner, payloads(c.data))
		if diff := cmp.Diff([]string{"invalid_vendor_extension " + c.want}, found(d)); diff != "" {
			t.Errorf("%s: %s", c.data, diff)
		}
	}
}

func TestDerive_Blocks(t *testing.T) {
	m, d := extension.ReadMetric(owner, payloads(`{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": " status = 'x' "}}`))
	if len(found(d)) > 0 || !m.Derive.Filter || m.Derive.Base.Name != "revenue" || m.Derive.Where.Text != "status = 'x'" {
		t.Errorf("%+v %v", m.Derive, found(d))
	}
	m, d = extension.ReadMetric(owner, payloads(`{"v": "1.9", "derive": {"type": "compose", "expr": "a - :t * b", "fill": 0}}`))
	if len(found(d)) > 0 || m.Derive.Filter || m.Derive.Expr.Text != "a - :t * b" || m.Derive.Fill != "0" {
		t.Errorf("%+v %v", m.Derive, found(d))
	}
}

func TestDerive_Invalid(t *testing.T) {
	const invalid = "invalid_vendor_extension "
	for _, c := range []struct{ data, want string }{
		{`"filter"`, invalid + ".derive"},
		{`{}`, invalid + ".derive"},
		{`{"type": "filtr"}`, invalid + ".derive.type"},
		{`{"type": "reagg", "by": "x"}`, "not_implemented .derive.type"},
		{`{"type": "filter", "where": "x > 1"}`, invalid + ".derive"},
		{`{"type": "filter", "base": "b"}`, invalid + ".derive"},
		{`{"type": "filter", "base": "b", "where": "x >"}`, invalid + ".derive.where"},
		{`{"type": "filter", "base": "b", "where": "SUM(x) > 1"}`, invalid + ".derive.where"},
		{`{"type": "filter", "base": "b", "where": "x IN (SELECT 1)"}`, invalid + ".derive.where"},
		{`{"type": "filter", "base": "b", "where": "RANK() OVER (ORDER BY x) = 1"}`, invalid + ".derive.where"},
		{`{"type": "filter", "base": "b", "where": "x > 1", "fill": 0}`, invalid + ".derive.fill"},
		{`{"type": "compose"}`, invalid + ".derive"},
		{`{"type": "compose", "expr": 1}`, invalid + ".derive.expr"},
		{`{"type": "compose", "expr": "a", "fill": "0"}`, invalid + ".derive.fill"},
	} {
		_, d := extension.ReadMetric(owner, payloads(`{"v": "1.9", "derive": `+c.data+`}`))
		if diff := cmp.Diff([]string{c.want}, found(d)); diff != "" {
			t.Errorf("%s: %s", c.data, diff)
		}
	}
}

func TestParams_Declarations(t *testing.T) {
	m, d := extension.ReadMetric(owner, payloads(`{"v": "1.9", "params": [
		{"name": "t", "type": "int", "default": 50.0, "allowed": [0, 50, 1e2], "description": "threshold"},
		{"name": "f", "type": "float", "min": -1.50, "max": 2},
		{"name": "s", "type": "string", "default": "a b"},
		{"name": "b", "type": "bool", "default": true},
		{"name": "d", "type": "date", "min": "2024-01-01", "default": "2024-02-29"}]}`))
	if len(found(d)) > 0 {
		t.Fatal(found(d))
	}
	format := sqlexpr.Format
	var got []string
	for _, p := range m.Params {
		allowed := make([]string, len(p.Allowed))
		for i, v := range p.Allowed {
			allowed[i] = format(v)
		}
		got = append(got, fmt.Sprintf("%s %s default=%s allowed=%v min=%s max=%s", p.Name, p.Type, format(p.Default), allowed, format(p.Min), format(p.Max)))
	}
	want := []string{
		"t int default=50 allowed=[0 50 100] min= max=",
		"f float default= allowed=[] min=-1.5 max=2",
		"s string default='a b' allowed=[] min= max=",
		"b bool default=TRUE allowed=[] min= max=",
		"d date default=DATE '2024-02-29' allowed=[] min=DATE '2024-01-01' max=",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParams_Invalid(t *testing.T) {
	const invalid = "invalid_vendor_extension "
	for _, c := range []struct {
		data string
		want []string
	}{
		{`{}`, []string{invalid + ".params"}},
		{`["t"]`, []string{invalid + ".params[0]"}},
		{`[{"type": "bool"}]`, []string{invalid + ".params[0]"}},
		{`[{"name": "t"}]`, []string{invalid + ".params[0]"}},
		{`[{"name": "t u", "type": "bool"}]`, []string{invalid + ".params[0].name"}},
		{`[{"name": "t", "type": "integer"}]`, []string{invalid + ".params[0].type"}},
		{`[{"name": "t", "type": "bool", "defualt": true}]`, []string{invalid + ".params[0].defualt"}},
		{`[{"name": "t", "type": "bool"}, {"name": "t", "type": "bool"}]`, []string{invalid + ".params[1]"}},
		{`[{"name": "t", "type": "int", "default": "5", "min": 0}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "int", "default": 2.5, "min": 0}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "int", "default": 1e30, "min": 0}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "int", "default": 7, "allowed": [1, 2]}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "int", "default": 7, "max": 5}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "int", "min": 7, "max": 5}]`, []string{invalid + ".params[0]"}},
		{`[{"name": "t", "type": "int", "allowed": []}]`, []string{invalid + ".params[0].allowed"}},
		{`[{"name": "t", "type": "int", "allowed": 3}]`, []string{invalid + ".params[0].allowed"}},
		{`[{"name": "t", "type": "int", "allowed": [2, 2.0]}]`, []string{invalid + ".params[0].allowed[1]"}},
		{`[{"name": "t", "type": "int", "allowed": [2], "min": 3}]`, []string{invalid + ".params[0].allowed"}},
		{`[{"name": "t", "type": "string", "min": "a"}]`, []string{invalid + ".params[0].min"}},
		{`[{"name": "t", "type": "date", "default": "2024-02-30"}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "date", "default": "29.02.2024"}]`, []string{invalid + ".params[0].default"}},
		{`[{"name": "t", "type": "int"}]`, []string{"vendor_param_unbounded .params[0]"}},
		{`[{"name": "t", "type": "float", "default": 1}]`, []string{"vendor_param_unbounded .params[0]"}},
		{`[{"name": "t", "type": "string", "allowed": ["a b", "a-b"]}]`, []string{"vendor_param_opaque_token .params[0].allowed"}},
		{`[{"name": "t", "type": "string", "allowed": ["ü", "ö"]}]`, []string{"vendor_param_opaque_token .params[0].allowed"}},
		{`[{"name": "t", "type": "string", "allowed": ["-1", "1"]}]`, nil},
	} {
		_, d := extension.ReadMetric(owner, payloads(`{"v": "1.9", "params": `+c.data+`}`))
		if diff := cmp.Diff(c.want, found(d)); diff != "" {
			t.Errorf("%s: %s", c.data, diff)
		}
	}
}

func timeFormat(data string) (extension.Field, []string) {
	f, d := extension.ReadField(owner, payloads(`{"v": "1.9", "requires": ["time"], "time": `+data+`}`))
	return f, found(d)
}

func TestTimeFormat_Patterns(t *testing.T) {
	for format, want := range map[string]string{
		"yyyy":                   "yyyy/ year",
		"yyyyMM":                 "yyyy/MM/ month",
		"yyyy-MM-dd":             "yyyy/'-'/MM/'-'/dd/ day",
		"yyyyMMdd":               "yyyy/MM/dd/ day",
		"yyyyMMddHHmmss":         "yyyy/MM/dd/HH/mm/ss/ ",
		"yyyy-MM-dd'T'HH:mm":     "yyyy/'-'/MM/'-'/dd/'T'/HH/':'/mm/ ",
		"yyyy'Q'Q":               "yyyy/'Q'/Q/ quarter",
		"yyyy-'W'ww":             "yyyy/'-'/'W'/ww/ week",
		"epoch_seconds":          "seconds ",
		"epoch_millis":           "millis ",
		"epoch_days":             "days day",
		"yyyy MM.dd_HH,mm:ss+00": "",
	} {
		f, flaws := timeFormat(`{"format": "` + format + `"}`)
		if want == "" {
			if len(flaws) == 0 {
				t.Errorf("%s was read as %+v", format, f.Time.Format)
			}
			continue
		}
		if len(flaws) > 0 {
			t.Errorf("%s: %v", format, flaws)
			continue
		}
		got := f.Time.Format.Epoch
		for _, p := range f.Time.Format.Layout {
			if p.Token != "" {
				got += p.Token + "/"
			} else {
				got += "'" + p.Literal + "'/"
			}
		}
		if got += " " + f.Time.Format.Grain.String(); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
}

func TestTimeFormat_Invalid(t *testing.T) {
	for data, want := range map[string]string{
		`"yyyyMMdd"`:                                   ".time",
		`{}`:                                           ".time",
		`{"format": ""}`:                               ".time.format",
		`{"format": "ddMMyyyy"}`:                       ".time.format",
		`{"format": "yyyydd"}`:                         ".time.format",
		`{"format": "yyyyQMM"}`:                        ".time.format",
		`{"format": "MMdd"}`:                           ".time.format",
		`{"format": "yyyy-MMM"}`:                       ".time.format",
		`{"format": "yyyyMMyyyy"}`:                     ".time.format",
		`{"format": "yyyyWww"}`:                        ".time.format",
		`{"format": "yyyy'Q"}`:                         ".time.format",
		`{"format": "yyyy''MM"}`:                       ".time.format",
		`{"format": "--"}`:                             ".time.format",
		`{"format": "epoch_hours"}`:                    ".time.format",
		`{"format": "yyyyMM", "granularity": "day"}`:   ".time.granularity",
		`{"format": "yyyyww", "granularity": "month"}`: ".time.granularity",
		`{"format": "yyyyMM", "grain": "day"}`:         ".time.grain",
	} {
		_, flaws := timeFormat(data)
		if diff := cmp.Diff([]string{"invalid_vendor_extension " + want}, flaws); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
	}
}

func TestLOD_Invalid(t *testing.T) {
	for data, want := range map[string]string{
		`"customer_id"`:                           ".lod",
		`{}`:                                      ".lod",
		`{"grain": "customer_id"}`:                ".lod.grain",
		`{"grain": []}`:                           ".lod.grain",
		`{"grain": [1]}`:                          ".lod.grain[0]",
		`{"grain": ["a"], "where": 1}`:            ".lod.where",
		`{"grain": ["a"], "where": "x = "}`:       ".lod.where",
		`{"grain": ["a"], "where": "MAX(x) = 1"}`: ".lod.where",
		`{"grain": ["a"], "filter": "x = 1"}`:     ".lod.filter",
	} {
		_, d := extension.ReadField(owner, payloads(`{"v": "1.9", "lod": `+data+`}`))
		if diff := cmp.Diff([]string{"invalid_vendor_extension " + want}, found(d)); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
	}
}

func TestField_Order(t *testing.T) {
	f, d := extension.ReadField(owner, payloads(`{"v": "1.10", "order": ["low", "middle", "high"]}`))
	if diff := cmp.Diff([]string{"low", "middle", "high"}, f.Order); diff != "" || len(found(d)) > 0 {
		t.Errorf("%s %v", diff, found(d))
	}
	var many []string
	for i := range 101 {
		many = append(many, strconv.Quote(strconv.Itoa(i)))
	}
	for text, want := range map[string]string{
		`"low"`: ".order", `[]`: ".order", `[1]`: ".order[0]", `["low", " "]`: ".order[1]", `["low", "high", "low"]`: ".order[2]", `[` + strings.Join(many, ", ") + `]`: ".order",
	} {
		f, d := extension.ReadField(owner, payloads(`{"v": "1.10", "order": `+text+`}`))
		if got := found(d); f.Order != nil || len(got) != 1 || !strings.HasPrefix(got[0], "invalid_vendor_extension "+want) {
			t.Errorf("%.40s: %v %v", text, f.Order, got)
		}
	}
}

func TestDataset_Label(t *testing.T) {
	x, d := extension.ReadDataset(owner, payloads(`{"v": "1.10", "label": "Orders of the shop"}`))
	if x.Label != "Orders of the shop" || len(found(d)) > 0 {
		t.Errorf("%q %v", x.Label, found(d))
	}
	_, d = extension.ReadDataset(owner, payloads(`{"v": "1.10", "label": 1}`))
	if diff := cmp.Diff([]string{"invalid_vendor_extension .label"}, found(d)); diff != "" {
		t.Error(diff)
	}
}

func TestDataset_Freshness(t *testing.T) {
	x, d := extension.ReadDataset(owner, payloads(`{"v": "1.10", "freshness": "MAX(loaded_at)"}`))
	if x.Freshness.Name != "MAX(loaded_at)" || len(found(d)) > 0 {
		t.Errorf("%q %v", x.Freshness.Name, found(d))
	}
	_, d = extension.ReadDataset(owner, payloads(`{"v": "1.10", "freshness": 1}`))
	if diff := cmp.Diff([]string{"invalid_vendor_extension .freshness"}, found(d)); diff != "" {
		t.Error(diff)
	}
}

func TestSavedQuery_DimensionsAreTheFieldsThatItGroupsBy(t *testing.T) {
	for groups, want := range map[string][]string{
		`[{"field": "metric_time", "grain": "month"}, {"field": "products.name"}]`: {"metric_time", "products.name"},
		`[{"field": ":of"}]`: nil, // a request names it
		`[]`:                 nil,
	} {
		m, _ := extension.ReadModel(owner, payloads(`{"v": "1.10", "queries": [{"name": "a", "query": {"metrics": ["n"], "group_by": `+groups+`}}]}`))
		if diff := cmp.Diff(want, m.Queries[0].Dimensions); diff != "" {
			t.Errorf("%s: %s", groups, diff)
		}
	}
}

func TestSavedQuery_HomeAndChart(t *testing.T) {
	m, d := extension.ReadModel(owner, payloads(`{"v": "1.10", "queries": [{"name": "a", "query": {"metrics": ["n"]}, "home": true, "chart": "area"}, {"name": "b", "query": {"metrics": ["n"]}}]}`))
	if len(found(d)) > 0 || len(m.Queries) != 2 || !m.Queries[0].Home || m.Queries[0].Chart != "area" || m.Queries[1].Home || m.Queries[1].Chart != "" {
		t.Errorf("%+v %v", m.Queries, found(d))
	}
	for text, want := range map[string]string{`"home": 1`: ".queries[0].home", `"chart": "pie"`: ".queries[0].chart"} {
		_, d := extension.ReadModel(owner, payloads(`{"v": "1.10", "queries": [{"name": "a", "query": {"metrics": ["n"]}, `+text+`}]}`))
		if diff := cmp.Diff([]string{"invalid_vendor_extension " + want}, found(d)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
