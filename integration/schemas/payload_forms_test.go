package schemas_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/extension"
)

// modelOfPayloads is a model without payloads, but for the mark of one carrier.
const modelOfPayloads = `
version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: sales
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: sold, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: sold}]}}
      - {name: sku, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
  - name: days
    source: days
    primary_key: [day]
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: fm, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: fm}]}}
      - {name: fy, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: fy}]}}
    # dataset
  - name: prices
    source: prices
    fields:
      - {name: sku, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: sku}]}}
      - {name: since, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: until, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: until}]}}
relationships:
  - name: priced
    from: sales
    to: prices
    from_columns: [sku]
    to_columns: [sku]
    # relationship
metrics:
  - name: sale_count
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.id)}]}
    # metric
`

// TestPayloadSchema_RefusesTheFormsThatAModelCannotHave has payloads of the keys of version 1.10 in their forms. A schema
// does not check what depends on the rest of a model, such as the names of its fields.
func TestPayloadSchema_RefusesTheFormsThatAModelCannotHave(t *testing.T) {
	s := newValidator(t)
	for _, c := range []struct {
		carrier   extension.Carrier
		key       string
		good, bad []string
	}{
		{extension.CarrierMetric, "window", []string{
			`{"recompute": {"periods": 1}}`, `{"recompute": {"periods": 400, "require_full_window": true}}`, `{"recompute": {"periods": 2, "span": null}}`,
			`{"recompute": {"periods": "unbounded", "reset": "year"}}`, `{"recompute": {"span": {"count": 400, "granularity": "day"}}}`,
		}, []string{
			`{"recompute": {}}`, `{"recompute": null}`, `{"recompute": 3}`, `{"recompute": {"periods": null}}`, `{"recompute": {"periods": 0}}`, `{"recompute": {"periods": 401}}`,
			`{"recompute": {"periods": 1.5}}`, `{"recompute": {"periods": "3"}}`, `{"recompute": {"periods": "UNBOUNDED"}}`, `{"recompute": {"periods": 3, "require_full_window": "yes"}}`,
			`{"recompute": {"periods": "unbounded", "reset": "second"}}`, `{"recompute": {"periods": "unbounded", "reset": "fiscal-year"}}`,
			`{"recompute": {"periods": 3, "span": {"count": 1, "granularity": "month"}}}`, `{"recompute": {"span": "1 month"}}`, `{"recompute": {"span": {"count": 1}}}`,
			`{"recompute": {"span": {"count": 401, "granularity": "day"}}}`, `{"recompute": {"span": {"count": 1, "granularity": "Month"}}}`,
		}},
		{extension.CarrierDataset, "calendar", []string{
			`{"date": "day", "periods": {"fiscal_month": "fm", "_fy": "fy"}}`,
		}, []string{
			`{"date": "day"}`, `{"periods": {"f": "fm"}}`, `{"date": "day", "periods": {}}`, `{"date": "day", "periods": ["fm"]}`, `{"date": "day", "periods": {"f": null}}`,
			`{"date": "day", "periods": {"month": "fm"}}`, `{"date": "day", "periods": {"Month": "fm"}}`, `{"date": "day", "periods": {"a b": "fm"}}`,
			`{"date": "day", "periods": {"1st": "fm"}}`, `{"date": "day", "periods": {"": "fm"}}`, `{"date": "day", "periods": {` + periods(101) + `}}`,
		}},
		{extension.CarrierRelationship, "valid", []string{
			`{"at": "sold", "from": "since", "to": "until"}`, `{"at": "sold", "from": "since", "to": null}`,
		}, []string{
			`{"from": "since", "to": "until"}`, `{"at": "sold", "to": "until"}`, `{"at": " ", "from": "since"}`, `{"at": "sold", "from": ["since"]}`, `"sold"`, `{"at": "sold", "from": "since", "to": ""}`,
		}},
		{extension.CarrierMetric, "non_additive", []string{
			`{"by": "sold", "take": "last", "per": ["sku"]}`, `{"by": "sales.sold", "take": "avg", "per": null}`,
		}, []string{
			`{"by": "sold"}`, `{"take": "last"}`, `{"by": "sold", "take": "median"}`, `{"by": "sold", "take": "LAST"}`, `{"by": "sold", "take": "last", "per": []}`, `{"by": "sold", "take": "last", "per": "sku"}`,
			`{"by": "", "take": "last"}`,
		}},
		{extension.CarrierMetric, "label", []string{`"Sales"`, `null`}, []string{`""`, `1`}},
		{extension.CarrierMetric, "headline", []string{`true`, `false`, `null`}, []string{`"true"`, `1`}},
		{extension.CarrierMetric, "better", []string{`"up"`, `"down"`, `null`}, []string{`"UP"`, `"sideways"`, `true`}},
	} {
		for _, value := range c.good {
			if schema, loader := verdicts(t, s, c.carrier, c.key, value); schema != "" || loader != "" {
				t.Errorf("%s %s: the schema finds %q, the loader %q", c.key, value, schema, loader)
			}
		}
		for _, value := range c.bad {
			if schema, loader := verdicts(t, s, c.carrier, c.key, value); schema == "" || loader == "" {
				t.Errorf("%s %s: the schema finds %q, the loader %q", c.key, value, schema, loader)
			}
		}
	}
}

// periods returns the members of a calendar of n periods.
func periods(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`"p%d": "fm"`, i)
	}
	return strings.Join(out, ", ")
}

// verdicts returns what the schema and the loader find in a payload with one key, "" where they accept it.
func verdicts(t *testing.T, s validator, carrier extension.Carrier, key, value string) (schema, loader string) {
	t.Helper()
	payload := fmt.Sprintf(`{"v": "1.10", "requires": [%q], %q: %s}`, key, key, value)
	if err := s.payloads[carrier].Validate(jsonValue(t, payload)); err != nil {
		schema = err.Error()
	}
	data, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	entry := fmt.Sprintf("custom_extensions: [{vendor_name: SEMLAYER, data: %s}]", data)
	return schema, strings.Join(problems(t, []byte(strings.Replace(modelOfPayloads, "# "+string(carrier)+"\n", entry+"\n", 1))), "\n")
}
