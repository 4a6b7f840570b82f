package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

// priced returns a model of sales and prices with relationships between them.
func priced(relationships ...string) string {
	return `
datasets:
  - name: sales
    source: sales
    primary_key: [id]
    fields:
      ~ id: id
      ~ sku: sku
        datatype: String
      ~ day: day
        datatype: Date
      ~ paid_at: paid_at
        datatype: DateTime
      ~ seen_at: seen_at
        datatype: DateTimeTz
      ~ hidden: hidden
        datatype: Date
        dimension: {is_time: false}
      ~ some_day: some_day
      ~ broken: day +
        datatype: Date
  - name: price
    source: price
    fields:
      ~ sku: sku
        datatype: String
      ~ since: since
        datatype: Date
      ~ until: until
        datatype: DateTime
      ~ seen_until: seen_until
        datatype: DateTimeTz
      ~ code: code
        datatype: Integer
        @ {"v": "1.9", "requires": ["time"], "time": {"format": "yyyyMMdd"}}
      ~ first_sale: MIN(sales.day)
        datatype: Date
        @ {"v": "1.9", "lod": {"grain": ["sku"]}}
relationships:
` + strings.Join(relationships, "")
}

func priceEdge(name, extra, payload string) string {
	return "  - {name: " + name + ", from: sales, to: price, from_columns: [sku], to_columns: [sku]" + extra +
		", custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", " + payload + "}'}]}\n"
}

func TestValidity_MakesTheEdgeManyToOne(t *testing.T) {
	for _, c := range []struct {
		what, extra, payload string
		at, from, to         string
		compared             string
	}{
		{"three fields", "", `"valid": {"at": "day", "from": "since", "to": "until"}`, "sales.day", "price.since", "price.until", "timestamp"},
		{"without an end", "", `"valid": {"at": "DAY", "from": "price.since"}`, "sales.day", "price.since", "", "date"},
		{"declared many_to_one", ", cardinality: many_to_one", `"valid": {"at": "paid_at", "from": "since", "to": null}`, "sales.paid_at", "price.since", "", "timestamp"},
		{"instants", "", `"valid": {"at": "seen_at", "from": "seen_until"}`, "sales.seen_at", "price.seen_until", "", "timestamptz"},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := compiled(t, priced(priceEdge("r", c.extra, c.payload))).Relationship("r")
			if r.Err != nil {
				t.Fatal(r.Err.Message)
			}
			to := ""
			if r.Valid.To != nil {
				to = r.Valid.To.QualifiedName()
			}
			got := []string{r.Cardinality.String(), r.Valid.At.QualifiedName(), r.Valid.From.QualifiedName(), to, r.Valid.ComparedType().String()}
			if d := cmp.Diff([]string{"many_to_one", c.at, c.from, c.to, c.compared}, got); d != "" {
				t.Error(d)
			}
			if r.SafeBackward() {
				t.Error("backwards the edge fans out")
			}
		})
	}
}

func TestValidity_RejectsWhatCannotBeCompared(t *testing.T) {
	for _, c := range []struct{ what, extra, payload, at, message string }{
		{"no at", "", `"valid": {"from": "since"}`, ".valid", "needs at"},
		{"no from", "", `"valid": {"at": "day"}`, ".valid", "needs from"},
		{"another key", "", `"valid": {"at": "day", "from": "since", "until": "until"}`, ".valid.until", "unknown key"},
		{"a text", "", `"valid": "day"`, ".valid", "must be an object"},
		{"a number for a field", "", `"valid": {"at": 1, "from": "since"}`, ".valid.at", "must be a string"},
		{"an unknown field", "", `"valid": {"at": "dya", "from": "since"}`, ".valid.at", "not a usable field of sales"},
		{"a field of the other dataset", "", `"valid": {"at": "since", "from": "since"}`, ".valid.at", "not a usable field of sales"},
		{"an undeclared type", "", `"valid": {"at": "some_day", "from": "since"}`, ".valid.at", "does not declare the datatype"},
		{"a text field", "", `"valid": {"at": "sku", "from": "since"}`, ".valid.at", "does not declare the datatype"},
		{"a field that is not a time", "", `"valid": {"at": "hidden", "from": "since"}`, ".valid.at", "not a time field"},
		{"an encoded field", "", `"valid": {"at": "day", "from": "code"}`, ".valid.from", "encoded as yyyyMMdd"},
		{"a level of detail", "", `"valid": {"at": "day", "from": "first_sale"}`, ".valid.from", "level of detail"},
		{"an instant with a day", "", `"valid": {"at": "seen_at", "from": "since"}`, ".valid", "DateTimeTz"},
		{"one_to_one", ", cardinality: one_to_one", `"valid": {"at": "day", "from": "since"}`, ".valid", "declares one_to_one"},
		{"many_to_many", "", `"cardinality": "many_to_many", "valid": {"at": "day", "from": "since"}`, ".valid", "declares many_to_many"},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, priced(priceEdge("r", c.extra, c.payload)))
			r := cat.Relationship("r")
			if r.Err == nil {
				t.Fatalf("no error, but %+v", r.Valid)
			}
			at := "relationships[0].custom_extensions[0].data" + c.at
			if r.Err.Code != "invalid_vendor_extension" || r.Err.Location != at || !strings.Contains(r.Err.Message, c.message) || !strings.Contains(r.Err.Hint, "#valid") {
				t.Errorf("%+v", r.Err)
			}
		})
	}
	t.Run("a self-relationship", func(t *testing.T) {
		cat := compiled(t, priced("  - {name: r, from: sales, to: sales, from_columns: [sku], to_columns: [sku], custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"valid\": {\"at\": \"day\", \"from\": \"day\"}}'}]}\n"))
		if err := cat.Relationship("r").Err; err == nil || !strings.Contains(err.Message, "itself") {
			t.Errorf("%+v", err)
		}
	})
	t.Run("a field that does not compile keeps its own error", func(t *testing.T) {
		cat := compiled(t, priced(priceEdge("r", "", `"valid": {"at": "broken", "from": "since"}`)))
		if err := cat.Relationship("r").Err; err == nil || err.Code != "unparseable_expression" {
			t.Errorf("%+v", err)
		}
	})
}

func TestValidity_CandidatesAreFieldsThatItTakes(t *testing.T) {
	for payload, want := range map[string][]string{
		`"valid": {"at": "dya", "from": "since"}`:         {"day", "paid_at", "seen_at"},
		`"valid": {"at": "sku", "from": "since"}`:         {"day", "paid_at", "seen_at"},
		`"valid": {"at": "day", "from": "code"}`:          {"since", "until", "seen_until"},
		`"valid": {"at": "day", "from": "first_sale"}`:    {"since", "until", "seen_until"},
		`"valid": {"at": "hidden", "from": "seen_until"}`: {"day", "paid_at", "seen_at"},
	} {
		t.Run(payload, func(t *testing.T) {
			err := compiled(t, priced(priceEdge("r", "", payload))).Relationship("r").Err
			if err == nil {
				t.Fatal("no error")
			}
			slices.Sort(err.Candidates)
			slices.Sort(want)
			if d := cmp.Diff(want, err.Candidates); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestValidity_UnderTheAliasIsUnknown(t *testing.T) {
	text := strings.ReplaceAll(priced(priceEdge("r", "", `"valid": {"at": "day", "from": "since"}`)), "SEMLAYER, data: '{\"v\": \"1.10\", \"valid", "DATUS, data: '{\"v\": \"1.9\", \"valid")
	r := compiled(t, text).Relationship("r")
	if r.Err == nil || r.Valid != nil || r.Cardinality != modelspec.UnprovenCardinality {
		t.Errorf("%+v", r)
	}
	ahead := compiled(t, strings.Replace(text, `"v": "1.9", "valid"`, `"v": "1.10", "valid"`, 1))
	if r := ahead.Relationship("r"); r.Err != nil || r.Valid != nil || r.Cardinality != modelspec.UnprovenCardinality {
		t.Errorf("%+v", r)
	}
	if len(ahead.Warnings) != 1 || ahead.Warnings[0].Code != "vendor_ext_version_ahead" {
		t.Errorf("%+v", ahead.Warnings)
	}
}
