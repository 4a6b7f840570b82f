package diff_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/diff"
)

// shop is the model that the mutants change.
const shop = `version: 0.2.0.dev0
name: shop
description: A shop.
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "ordered_on"}'}]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: net, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount - 1}]}}
      - {name: status, datatype: String, label: Status, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}}
      - {name: ordered_on, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: ordered_on}]}}
      - {name: shipped_on, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: shipped_on}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_granularity": "day"}'}]}
  - name: customers
    source: customers
    primary_key: [customer_id]
    unique_keys: [[email]]
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: email, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: email}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - name: lifetime_value
        datatype: Decimal
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "orders.status = ''paid''"}}'}]
relationships:
  - {name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
metrics:
  - name: revenue
    description: What customers paid.
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "unit": "EUR", "fill_nulls_with": 0}'}]
  - {name: order_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.order_id)}]}}
  - {name: average_order, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / order_count}]}}
  - name: large
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN orders.amount >= 50 THEN orders.amount END)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount >= :floor"}, "params": [{"name": "floor", "type": "int", "default": 50, "allowed": [10, 50]}]}'}]
  - name: trend
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "rolling", "function": "sum", "periods": 3}}'}]
`

func model(t testing.TB, text string) diff.Model {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	issues, err := modelspec.Validate(context.Background(), doc)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return diff.Model{Catalog: cat, Document: doc, Issues: issues}
}

func entries(t testing.TB, before, after string) []diff.Entry {
	t.Helper()
	out, err := diff.Compare(t.Context(), model(t, before), model(t, after))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// edited replaces parts of the shop, each of which it must have.
func edited(t testing.TB, pairs ...string) string {
	t.Helper()
	text := shop
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the model has no %q", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// line returns the whole line of the shop that contains a text.
func line(part string) string {
	for l := range strings.Lines(shop) {
		if strings.Contains(l, part) {
			return l
		}
	}
	panic("no line with " + part)
}

// block returns the lines of the shop from one that begins with a text to the next of its depth.
func block(first string) string {
	_, rest, _ := strings.Cut(shop, first+"\n")
	indent := len(first) - len(strings.TrimLeft(first, " "))
	out := first + "\n"
	for l := range strings.Lines(rest) {
		if len(l)-len(strings.TrimLeft(l, " ")) <= indent {
			break
		}
		out += l
	}
	return out
}

// Every kind of change has a mutant: its entry, with the metrics that it affects.
func TestCompare_ClassOfEachChange(t *testing.T) {
	for _, c := range []struct {
		edit []string
		want string // class object name what: affected; because
	}{
		// Breaking: something is gone.
		{[]string{line("name: order_count"), "", "revenue / order_count", "revenue / 2"}, "breaking metric order_count removed"},
		{[]string{block("  - name: trend"), ""}, "breaking metric trend removed"},
		{[]string{line("name: status"), "", block("      - name: lifetime_value"), ""}, "breaking field orders.status removed"},
		{[]string{line("name: buyer"), "", block("      - name: lifetime_value"), ""}, "breaking relationship buyer removed: average_order large order_count revenue trend"},
		{[]string{line("name: amount"), ""}, "breaking field orders.amount removed: average_order large revenue trend"},
		{[]string{`, "params": [{"name": "floor", "type": "int", "default": 50, "allowed": [10, 50]}]`, "", "amount >= :floor", "amount >= 50"}, "breaking parameter large.floor removed"},
		// Breaking: something is no longer accepted.
		{[]string{"name: region,", `name: region, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "is_dimension": false}'}],`}, "breaking field customers.region groupable"},
		{[]string{`"default": 50, `, ""}, "breaking parameter large.floor default: large"},
		{[]string{`"allowed": [10, 50]`, `"allowed": [50]`}, "breaking parameter large.floor domain"},
		{[]string{`"allowed": [10, 50]`, `"min": 20, "max": 90`}, "breaking parameter large.floor domain"},
		{[]string{`"type": "int"`, `"type": "float"`}, "breaking parameter large.floor datatype: large"},
		{[]string{`"allowed": [10, 50]}`, `"allowed": [10, 50]}, {"name": "top", "type": "int", "allowed": [60, 70]}`, "amount >= :floor", "amount >= :floor AND amount < :top"}, "breaking parameter large.top added"},
		{[]string{"name: amount, datatype: Decimal", "name: amount, datatype: Float"}, "breaking field orders.amount datatype: average_order large revenue trend"},
		{[]string{"name: ordered_on, datatype: Date", "name: ordered_on, datatype: DateTime"}, "breaking field orders.ordered_on datatype"},
		{[]string{"name: shipped_on, datatype: Date", "name: shipped_on, datatype: Date, dimension: {is_time: false}", `, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_granularity": "day"}'}]`, ""}, "breaking field orders.shipped_on grains"},
		{[]string{`"time_granularity": "day"`, `"time_granularity": "month"`}, "breaking field orders.shipped_on grains"},
		{[]string{"    primary_key: [customer_id]\n", ""}, "breaking dataset customers primary_key: average_order large order_count revenue trend"},
		{[]string{"to_columns: [customer_id]}", "to_columns: [customer_id], cardinality: many_to_many}"}, "breaking relationship buyer cardinality: average_order large order_count revenue trend"},
		{[]string{"from: orders, to: customers,", "from: customers, to: orders,"}, "breaking relationship buyer from: average_order large order_count revenue trend"},
		{[]string{`, "time_dimension": "ordered_on"`, ""}, "breaking dataset orders time_dimension: average_order large order_count revenue trend"},
		{[]string{"SUM(orders.amount)}]}\n    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"unit\"", "SUM(orders.nowhere)}]}\n    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"unit\""}, "breaking metric revenue error: average_order large"},
		{[]string{"expression: amount - 1", "expression: amount -"}, "breaking field orders.net error"},
		{[]string{"version: 0.2.0.dev0", "version: 0.3.0"}, "breaking model shop error"},
		{[]string{"name: order_count,", "name: Order_Count,"}, "breaking metric Order_Count name"},
		// Changed: another meaning.
		{[]string{"{name: region,", "{name: Region,"}, "changed field customers.Region name"},
		{[]string{"source: orders\n", "source: sales.orders\n"}, "changed dataset orders source: average_order large order_count revenue trend"},
		{[]string{"expression: amount}", "expression: amount / 100}"}, "changed field orders.amount expression: average_order large revenue trend"},
		{[]string{"expression: amount}", "expression: amount / 100}"}, "changed field orders.net expression; expression of field orders.amount changed"},
		{[]string{"COUNT(orders.order_id)", "COUNT(DISTINCT orders.order_id)"}, "changed metric order_count expression: average_order"},
		{[]string{"revenue / order_count", "revenue * order_count"}, "changed metric average_order expression"},
		{[]string{"amount >= :floor", "amount > :floor", "amount >= 50 THEN", "amount > 50 THEN"}, "changed metric large filter"},
		{[]string{"orders.status = ''paid''", "orders.status = ''sent''"}, "changed field customers.lifetime_value filter"},
		{[]string{`"grain": ["customer_id"]`, `"grain": ["email"]`}, "changed field customers.lifetime_value level_of_detail"},
		{[]string{`"periods": 3`, `"periods": 4`}, "changed metric trend window"},
		{[]string{`"fill_nulls_with": 0`, `"fill_nulls_with": 1`}, "changed metric revenue fill: average_order large"},
		{[]string{`"unit": "EUR"`, `"unit": "USD"`}, "changed metric revenue unit"},
		{[]string{`"default": 50`, `"default": 10`, "amount >= 50 THEN", "amount >= 10 THEN"}, "changed parameter large.floor default: large"},
		{[]string{`"time_dimension": "ordered_on"`, `"time_dimension": "shipped_on"`}, "changed dataset orders time_dimension: average_order large order_count revenue trend"},
		{[]string{"from_columns: [customer_id], to_columns: [customer_id]", "from_columns: [order_id], to_columns: [customer_id]"}, "changed relationship buyer columns"},
		{[]string{"to_columns: [customer_id]}", `to_columns: [customer_id], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "join_type": "inner"}'}]}`}, "changed relationship buyer join_type"},
		{[]string{"to_columns: [customer_id]}", "to_columns: [customer_id], cardinality: one_to_one}"}, "changed relationship buyer cardinality"},
		{[]string{"datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}", `datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time": {"format": "yyyyMMdd"}}'}]`}, "changed field orders.order_id time_format: average_order order_count"},
		{[]string{"    primary_key: [order_id]\n", ""}, "changed dataset orders primary_key"},
		{[]string{line("name: region"), line("name: region") + strings.Replace(line("name: region"), "name: region", "name: status", 1)}, "changed field orders.status bare_name; field customers.status was added"},
		// Compatible.
		{[]string{`"v": "1.9", "unit": "EUR"`, `"v": "1.10", "label": "Sales", "unit": "EUR"`}, "compatible metric revenue label"},
		{[]string{`"v": "1.9", "unit": "EUR"`, `"v": "1.10", "headline": true, "unit": "EUR"`}, "compatible metric revenue headline"},
		{[]string{`"v": "1.9", "unit": "EUR"`, `"v": "1.10", "better": "up", "unit": "EUR"`}, "compatible metric revenue better"},
		{[]string{`"v": "1.9", "unit": "EUR"`, `"v": "1.10", "sql_aggregates": ["sum", "max"], "unit": "EUR"`}, "compatible metric revenue sql_aggregates"},
		{[]string{`"v": "1.9", "unit": "EUR"`, `"v": "1.10", "grains": ["day", "month"], "unit": "EUR"`}, "breaking metric revenue grains: average_order large"},
		{[]string{"metrics:\n", "metrics:\n  - {name: biggest, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(orders.amount)}]}}\n"}, "compatible metric biggest added"},
		{[]string{"A shop.", "A store."}, "compatible model shop description"},
		{[]string{"What customers paid.", "What customers paid in all."}, "compatible metric revenue description"},
		{[]string{"label: Status", "label: State"}, "compatible field orders.status label"},
		{[]string{"name: region,", "name: region, ai_context: {synonyms: [area]},"}, "compatible field customers.region ai_context"},
		{[]string{`"allowed": [10, 50]`, `"allowed": [10, 50, 90]`}, "compatible parameter large.floor domain"},
		{[]string{`"allowed": [10, 50]`, `"min": 1, "max": 90`}, "compatible parameter large.floor domain"},
		{[]string{"unique_keys: [[email]]", "unique_keys: [[email], [region]]"}, "compatible dataset customers unique_keys"},
		{[]string{`"time_granularity": "day"`, `"is_dimension": true`}, "compatible field orders.shipped_on groupable"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if c.want == "compatible field orders.shipped_on groupable" {
				c.edit = nil
			}
			found := entries(t, shop, edited(t, c.edit...))
			if c.edit == nil {
				found = entries(t, edited(t, `"time_granularity": "day"`, `"is_dimension": false`), edited(t, `"time_granularity": "day"`, `"is_dimension": true`))
			}
			if got := summaries(found); !slices.Contains(got, c.want) {
				t.Errorf("no such entry; the entries are\n%s", strings.Join(got, "\n"))
			}
			if c.want[:4] != "brea" && found[0].Class == diff.ClassBreaking {
				t.Errorf("breaking too:\n%s", strings.Join(summaries(found), "\n"))
			}
		})
	}
}

// The rows of a dataset without metrics reach others too: a query may add a metric of them.
func TestCompare_SecondPathFromADatasetWithoutMetricsIsBreaking(t *testing.T) {
	const refunds = "  - name: refunds\n    source: refunds\n    fields:\n      - {name: refunded_to, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: refunded_to}]}}\n"
	const path = "  - {name: refunded, from: refunds, to: customers, from_columns: [refunded_to], to_columns: [customer_id]}\n"
	one := edited(t, "  - name: customers\n", refunds+"  - name: customers\n", "relationships:\n", "relationships:\n"+path)
	two := strings.Replace(one, path, path+strings.Replace(path, "name: refunded", "name: refunded_again", 1), 1)
	want := []string{"breaking dataset customers reached; relationship refunded_again was added", "compatible relationship refunded_again added"}
	if d := cmp.Diff(want, summaries(entries(t, one, two))); d != "" {
		t.Error(d)
	}
}

// A query that groups by the only time field needs no dimension in its time range. With another
// field as the time dimension it needs one.
func TestCompare_FirstTimeDimensionBesideAnotherTimeFieldIsBreaking(t *testing.T) {
	without := edited(t, `, "time_dimension": "ordered_on"`, "")
	if got := summaries(entries(t, without, shop)); !strings.HasPrefix(got[0], "breaking dataset orders time_dimension") {
		t.Error(got)
	}
}

func summaries(list []diff.Entry) []string {
	var out []string
	for _, e := range list {
		s := fmt.Sprintf("%s %s %s %s", e.Class, e.Object, e.Name, e.Property)
		if len(e.Affects) > 0 {
			s += ": " + strings.Join(e.Affects, " ")
		}
		if e.Because != "" {
			s += "; " + e.Because
		}
		out = append(out, s)
	}
	return out
}

// Two spellings of one meaning are equal.
func TestCompare_SpellingsAreNoDifference(t *testing.T) {
	for name, edit := range map[string][]string{
		"a term in parentheses":       {"expression: amount - 1", "expression: (amount - 1)"},
		"a comparison turned round":   {"orders.amount >= 50", "50 <= amount"},
		"case of a function":          {"SUM(orders.amount)}]}\n    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"window\"", "sum(amount)}]}\n    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"window\""},
		"a bare column":               {"COUNT(orders.order_id)", "COUNT(order_id)"},
		"a named measure":             {`"unit": "EUR"`, `"unit": "EUR", "measure": {"name": "sales"}`},
		"the join type's default":     {"to_columns: [customer_id]}", `to_columns: [customer_id], custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "join_type": "left"}'}]}`},
		"the proven cardinality":      {"to_columns: [customer_id]}", "to_columns: [customer_id], cardinality: many_to_one}"},
		"the fill of a count":         {"expression: COUNT(orders.order_id)}]}", `expression: COUNT(orders.order_id)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "fill_nulls_with": 0}'}]`},
		"a repeated dialect entry":    {"expression: amount - 1}", "expression: amount - 1}, {dialect: DUCKDB, expression: (amount) - 1}"},
		"the time axis of a metric":   {`"unit": "EUR"`, `"unit": "EUR", "time_dimension": "orders.ordered_on"`},
		"a default of a window":       {`"periods": 3`, `"periods": 3, "require_full_window": false`},
		"values of a domain in order": {`"allowed": [10, 50]`, `"allowed": [50, 10]`},
		"a comment":                   {"name: shop\n", "name: shop # the only one\n"},
		"the time role of a date":     {"name: ordered_on, datatype: Date", "name: ordered_on, datatype: Date, dimension: {is_time: true}"},
	} {
		t.Run(name, func(t *testing.T) {
			if found := entries(t, shop, edited(t, edit...)); len(found) > 0 {
				t.Errorf("%v", summaries(found))
			}
		})
	}
}

func TestCompare_OrderOfObjectsIsNoDifference(t *testing.T) {
	count := line("name: order_count")
	moved := strings.Replace(edited(t, count, ""), "metrics:\n", "metrics:\n"+count, 1)
	customers := block("  - name: customers")
	moved = strings.Replace(strings.Replace(moved, customers, "", 1), "datasets:\n", "datasets:\n"+customers, 1)
	if found := entries(t, shop, moved); len(found) > 0 {
		t.Errorf("%v", summaries(found))
	}
}

func TestCompare_RenamedObjectsAreRemovedAndAddedWithAHint(t *testing.T) {
	renamed := edited(t, "name: order_count", "name: orders_placed", "revenue / order_count", "revenue / orders_placed")
	want := []string{"breaking metric order_count removed", "compatible metric orders_placed added"}
	found := entries(t, shop, renamed)
	if diff := cmp.Diff(want, summaries(found)); diff != "" {
		t.Fatal(diff)
	}
	if found[0].RenamedFromHint != "orders_placed" || found[1].RenamedFromHint != "order_count" {
		t.Errorf("hints %q and %q", found[0].RenamedFromHint, found[1].RenamedFromHint)
	}
	other := edited(t, "name: order_count", "name: orders_placed", "revenue / order_count", "revenue / orders_placed", "COUNT(orders.order_id)", "COUNT(orders.status)")
	for _, e := range entries(t, shop, other) {
		if e.RenamedFromHint != "" {
			t.Errorf("%s has another meaning than %s", e.Name, e.RenamedFromHint)
		}
	}
}

func TestCompare_EntriesHaveTheirPlace(t *testing.T) {
	found := entries(t, shop, edited(t, "name: shop\n", "name: shop\n\n", line("name: status"), "", block("      - name: lifetime_value"), "", `"unit": "EUR"`, `"unit": "USD"`))
	for _, e := range found {
		switch e.Name {
		case "orders.status":
			if e.Location != "datasets[0].fields[4]" || !e.InOld || e.Position.Line != 14 {
				t.Errorf("orders.status is removed at %q %+v", e.Location, e.Position)
			}
		case "revenue":
			if e.Location != "metrics[0]" || e.InOld || e.Position.Line != 28 {
				t.Errorf("revenue has another unit at %q %+v", e.Location, e.Position)
			}
		}
	}
	if len(found) != 3 {
		t.Errorf("%v", summaries(found))
	}
}

func TestCompare_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := diff.Compare(ctx, model(t, shop), model(t, edited(t, line("name: buyer"), ""))); err == nil {
		t.Error("no error of the context")
	}
}
