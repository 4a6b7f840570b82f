package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
)

const diffed = `version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: ordered_on, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: ordered_on}]}}
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
relationships:
  - {name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: largest, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(orders.amount)}]}}
  - {name: largest_customer, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(customers.customer_id)}]}}
`

func diffOf(t *testing.T, before, after string, queries ...engine.RequestLogEntry) []string {
	t.Helper()
	entries, err := engine.DiffModels(t.Context(), engine.ModelText{Path: "old.yaml", Text: []byte(before)},
		engine.ModelText{Path: "new.yaml", Text: []byte(after)}, engine.DiffOptions{Queries: queries})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		s := fmt.Sprintf("%s %s %s %s", e.Class, e.Object, e.Name, e.Property)
		if e.Line > 0 {
			s += fmt.Sprintf(" line %d", e.Line)
		}
		if len(e.Affects) > 0 {
			s += ": " + strings.Join(e.Affects, " ")
		}
		out = append(out, s)
	}
	return out
}

// A dimension that only a plan accepts is compared by plans: the largest order of a region
// needs no key, and their sum does.
func TestDiffModels_DimensionsThatMetricsAccept(t *testing.T) {
	keyless := strings.Replace(diffed, "    primary_key: [customer_id]\n", "", 1)
	got := diffOf(t, diffed, keyless)
	if !slices.Contains(got, "breaking dataset customers primary_key: revenue") {
		t.Errorf("%v", got)
	}
	summed := strings.Replace(diffed, "MAX(customers.customer_id)", "SUM(customers.customer_id)", 1)
	got = diffOf(t, diffed, summed)
	if !slices.Contains(got, "breaking dataset orders reached: largest_customer") {
		t.Errorf("%v", got)
	}
}

func TestDiffModels_AmbiguousPathIsBreaking(t *testing.T) {
	second := strings.Replace(diffed, "metrics:\n", "  - {name: payer, from: orders, to: customers, from_columns: [order_id], to_columns: [customer_id]}\nmetrics:\n", 1)
	got := diffOf(t, diffed, second)
	if !slices.Contains(got, "breaking dataset customers reached: largest revenue") || !slices.Contains(got, "compatible relationship payer added") {
		t.Errorf("%v", got)
	}
}

func TestDiffModels_AttributionThatIsLost(t *testing.T) {
	got := diffOf(t, diffed, strings.Replace(diffed, "SUM(orders.amount)", "AVG(orders.amount) * COUNT(orders.order_id)", 1))
	if !slices.Contains(got, "breaking metric revenue attribution") || !slices.Contains(got, "changed metric revenue expression") {
		t.Errorf("%v", got)
	}
}

// A query that counts each row once for each group needs a key of the rows that a join repeats.
func TestDiffModels_LastKeyOfRepeatedRows(t *testing.T) {
	bridged := strings.Replace(diffed, "to_columns: [customer_id]}", "to_columns: [customer_id], cardinality: many_to_many}", 1)
	for model, class := range map[string]string{diffed: "changed", bridged: "breaking"} {
		keyless := strings.Replace(model, "    primary_key: [order_id]\n", "", 1)
		if got := diffOf(t, model, keyless); !slices.Contains(got, class+" dataset orders primary_key") {
			t.Errorf("%s: %v", class, got)
		}
	}
}

// A window of strings only fails when a query is planned.
func TestDiffModels_WindowThatCannotBeComputed(t *testing.T) {
	metric := func(argument, extension string) string {
		return fmt.Sprintf("  - {name: last_value, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(orders.%s)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"time_dimension\": \"orders.ordered_on\"%s}'}]}\n", argument, extension)
	}
	const ratio = `, "window": {"type": "pop", "offset": "1 month", "calculation": "ratio"}`
	model := strings.Replace(diffed, "{name: ordered_on, datatype: Date, ", "{name: ordered_on, datatype: Date, dimension: {is_time: true}, ", 1)
	model = strings.Replace(model, "      - {name: amount,", "      - {name: note, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: note}]}}\n      - {name: amount,", 1)
	for argument, class := range map[string]string{"note": "breaking", "amount": "changed"} {
		plain, windowed := model+metric(argument, ""), model+metric(argument, ratio)
		if got := diffOf(t, plain, windowed); !slices.Contains(got, class+" metric last_value window") {
			t.Errorf("%s: the window comes: %v", argument, got)
		}
		if got := diffOf(t, windowed, plain); !slices.Contains(got, "changed metric last_value window") {
			t.Errorf("%s: the window goes: %v", argument, got)
		}
	}
}

// A model that no server takes is compared too: its differences follow its error.
func TestDiffModels_InvalidModel(t *testing.T) {
	invalid := strings.Replace(diffed, "to: customers", "to: clients", 1)
	got := diffOf(t, diffed, invalid)
	for _, want := range []string{"breaking model shop error", "breaking relationship buyer removed: largest revenue"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %v", want, got)
		}
	}
	if back := diffOf(t, invalid, diffed); !slices.Contains(back, "compatible model shop error") {
		t.Errorf("%v", back)
	}
}

func TestDiffModels_TextWithoutAModel(t *testing.T) {
	for _, text := range []string{"", "just some text", "{", "a: [", "\x00", strings.Repeat("[", 100_000)} {
		_, err := engine.DiffModels(t.Context(), engine.ModelText{Path: "old.yaml", Text: []byte(diffed)},
			engine.ModelText{Path: "new.yaml", Text: []byte(text)}, engine.DiffOptions{})
		if load := (*modelspec.LoadError)(nil); !errors.As(err, &load) || load.File != "new.yaml" {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestDiffModels_RequestLog(t *testing.T) {
	log, err := engine.ReadRequestLog(strings.NewReader(`
{"path":"/v1/query/execute","body":{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"connection":"lake"},"user":"a"}
{"path":"/v1/query/compile","body":{"metrics":["largest"]}}
{"path":"/v1/query/execute","body":{"metrics":["largest"]}}
{"path":"/v1/select/execute","body":{"from":"customers","fields":["region"],"dialect":"postgres"}}
{"path":"/v1/query/attribute","body":{"metric":"revenue","dimensions":["customers.region"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}}
{"path":"/v1/query/execute","body":{"metrics":["nowhere"]}}
{"path":"/v1/metrics"}
{"time":"2026-03-01T12:00:00.000Z","surface":"rest","route":"/v1/query/execute","duration_ms":3,"outcome":"ok","status":200,"request":{"metrics":["revenue"]}}
{"time":"2026-03-01T12:00:00.000Z","surface":"rest","route":"/v1/query/execute","duration_ms":3,"outcome":"ok","status":200}
{"time":"2026-03-01T12:00:00.000Z","surface":"sql","duration_ms":3,"outcome":"ok","request":{"sql":"SELECT 1"}}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(log) != 6 { // a line that compiles as another does, and one without a query, are left out
		t.Fatalf("%d queries, want 6", len(log))
	}
	area := strings.Replace(diffed, "expression: region", "expression: UPPER(region)", 1)
	got := diffOf(t, diffed, area, log...)
	want := []string{
		"changed field customers.region expression",
		"changed query /v1/query/execute sql line 2", "changed query /v1/select/execute sql line 5", "changed query /v1/query/attribute sql line 6",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	gone := strings.Replace(diffed, "name: region", "name: area", 1)
	got = diffOf(t, diffed, gone, log...)
	for _, want := range []string{"breaking query /v1/query/execute error line 2", "breaking query /v1/select/execute error line 5", "breaking query /v1/query/attribute error line 6"} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %v", want, got)
		}
	}
	if back := diffOf(t, gone, diffed, log...); !slices.Contains(back, "compatible query /v1/query/execute error line 2") {
		t.Errorf("%v", back)
	}
}

func TestReadRequestLog_RefusesOtherLines(t *testing.T) {
	for text, want := range map[string]string{
		"{}":          "line 1 has no path",
		"\n[1]":       "line 2 is not a JSON object",
		"\n\nnothing": "line 3 is not a JSON object",
		`{"path":1}`:  "line 1 is not a JSON object",
		`{"path":"/v1/query/execute","body":"` + strings.Repeat("x", 100<<20) + `"}`: "a line is longer than",
	} {
		if _, err := engine.ReadRequestLog(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

func TestDiffModels_SavedQueries(t *testing.T) {
	with := func(queries string) string {
		return diffed + "custom_extensions:\n  - {vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"queries\": [" + queries + "]}'}\n"
	}
	top := `{"name":"top","query":{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"time_range":{"start":":since"}},"params":[{"name":"since","type":"date","default":"2024-01-01"}]}`
	before := with(top)
	for _, c := range []struct{ after, want string }{
		{diffed, "breaking saved_query top removed"},
		{with(strings.Replace(top, `,"default":"2024-01-01"`, "", 1)), "breaking parameter top.since default"},
		{with(strings.Replace(strings.Replace(top, `,"time_range":{"start":":since"}`, "", 1), `,"params":[{"name":"since","type":"date","default":"2024-01-01"}]`, "", 1)), "breaking parameter top.since removed"},
		{strings.Replace(before, "name: region", "name: area", 1), "breaking saved_query top error"},
		{with(strings.Replace(top, `["revenue"]`, `["largest"]`, 1)), "changed saved_query top body"},
		{with(strings.Replace(top, `"default":"2024-01-01"`, `"default":"2023-01-01"`, 1)), "changed parameter top.since default"},
		{with(strings.Replace(top, `"name":"top"`, `"name":"top","description":"The best."`, 1)), "compatible saved_query top description"},
		{with(top + `,{"name":"all","query":{"metrics":["revenue"]}}`), "compatible saved_query all added"},
	} {
		if got := diffOf(t, before, c.after); !slices.Contains(got, c.want) {
			t.Errorf("no %q in %v", c.want, got)
		}
	}
	spaced := with(strings.Replace(top, `{"metrics":["revenue"],"group_by"`, `{ "metrics": [ "revenue" ], "group_by"`, 1))
	if got := diffOf(t, before, spaced); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
