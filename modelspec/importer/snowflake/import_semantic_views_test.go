package snowflake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/snowflake"
)

func noPlan(context.Context, []byte) (map[string]string, error) { return nil, nil }

func settle(t testing.TB, text string) (*importer.Result, error) {
	t.Helper()
	imported, err := snowflake.Read([]importer.SourceFile{{Name: "view.yaml", Text: []byte(text)}}, importer.Options{ModelName: "m"})
	if err != nil {
		return nil, err
	}
	return importer.FinishImport(t.Context(), imported, noPlan)
}

// orders returns a view of one table; a test adds keys to the table and to the view.
func orders(ofTable, ofView string) string {
	return "name: v\ntables:\n  - name: orders\n    base_table: {database: db, schema: s, table: t}\n    dimensions:\n" +
		"      - {name: id, expr: id}\n      - {name: amount, expr: total}\n" + ofTable + "\n" + ofView
}

const days = "    time_dimensions: [{name: day, expr: day, data_type: DATE}]\n"

// Each construct that is not kept whole is one entry with its reason.
func TestRead_ReportsLosses(t *testing.T) {
	for _, c := range []struct{ ofTable, ofView, want string }{
		{"    metrics: [{name: x, expr: MODE(amount)}]", "", "dropped metric orders.x"},
		{"    metrics: [{name: x, expr: SUM(SUM(amount)) OVER (ORDER BY id)}]", "", "dropped metric orders.x: its window function reads an expression, which has no counterpart"},
		{"    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{table: orders, dimension: id}]}]", "", "dropped metric orders.x: its non_additive_dimensions name id, which is not a time dimension of its table"},
		{days + "    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{table: lines, dimension: day}]}]", "", "dropped metric orders.x: its non_additive_dimensions name lines.day, which is not of its table"},
		{days + "    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{dimension: day}, {dimension: id}]}]", "", "dropped metric orders.x: several non_additive_dimensions have no counterpart"},
		{days + "    metrics: [{name: x, expr: SUM(amount) / 2, non_additive_dimensions: [{dimension: day}]}]", "", "dropped metric orders.x: non_additive_dimensions of a metric that is not a single aggregate have no counterpart"},
		{days + "    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{dimension: day, sort_direction: sideways}]}]", "", "dropped metric orders.x: the sort_direction sideways of non_additive_dimensions is not known"},
		{days + "    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{dimension: day, colour: red}]}]", "", "dropped metric key x.non_additive_dimensions.colour: the key is not known"},
		{days + "    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{dimension: day}]}]", "", "approximated metric orders.x: the rows of one last value of day count for all groups of a query, whose conditions do not move it, and rows without day never count"},
		{days + "    metrics: [{name: y, expr: SUM(amount)}]", "metrics: [{name: x, expr: orders.y * 2, non_additive_dimensions: [{table: orders, dimension: day}]}]", "dropped metric x: non_additive_dimensions of a metric of the view have no counterpart"},
		{"    metrics: [{name: x, expr: amount}]", "", "dropped metric orders.x: it names amount outside of an aggregate, which is not a metric"},
		{"    metrics: [{name: x, expr: SUM(amount)}, {name: y, expr: MAX(x)}]", "", "dropped metric orders.y: an aggregate of the metric x has no counterpart"},
		{"    metrics: [{name: x, expr: SUM(lines.amount)}]", "", "dropped metric orders.x: it names lines.amount, and the table is not in the input"},
		{"    metrics: [{name: x, expr: 'SUM('}]", "", "dropped metric orders.x: its expression cannot be read"},
		{"    metrics: [{name: x, expr: SUM(amount)}, {name: X, expr: MAX(amount)}]", "", "dropped metric orders.X: another metric has the same name"},
		{"    metrics: [{name: x, expr: SUM(amount), access_modifier: private_access}]", "", "approximated metric orders.x: a private metric is offered as any other"},
		{"    metrics: [{name: x, expr: SUM(amount)}]", "metrics: [{name: x, expr: orders.x * 2}]", "approximated metric orders.x: another metric has the same name"},
		{"    facts: [{name: f, expr: SUM(amount)}]", "", "dropped fact orders.f: it aggregates its own table, and a fact is a value of each row"},
		{"    facts: [{name: f, expr: SUM(lines.amount)}]", "", "dropped fact orders.f: it is a value of each row of orders, which has no primary key"},
		{"    primary_key: {columns: [id]}\n    facts: [{name: f, expr: SUM(lines.amount)}]", "", "dropped fact orders.f: it names lines.amount, and the table is not in the input"},
		{"    facts: [{name: f, expr: lines.x + 1}, {name: g, expr: f * 2}]", "", "dropped fact orders.g: it names f, which is dropped"},
		{"    facts: [{name: f, expr: lines.x + 1}]\n    metrics: [{name: x, expr: AVG(orders.f)}]", "", "dropped metric orders.x: it names f, which is dropped"},
		{"    measures: [{name: x, expr: amount, default_aggregation: mode}]", "", "dropped measure orders.x: the default aggregation mode has no counterpart"},
		{"    time_dimensions: [{name: f, expr: amount + 1}]", "", "approximated time_dimension orders.f: its expression names amount, which is taken for the element of that name, not for a column"},
		{"    facts: [{name: f, expr: customers.x + 1}]", "", "dropped fact orders.f: it names customers.x, and the table is not in the input"},
		{"    facts: [{name: f, expr: amount, access_modifier: private_access}]", "", "approximated fact orders.f: a private element is a field that queries cannot group by; its name is visible"},
		{"    facts: [{name: id, expr: amount}]", "", "dropped fact orders.id: another element of the table has the name"},
		{"    facts: [{name: f, expr: id, cortex_search_service: {service: x}}]", "", "dropped fact key orders.f.cortex_search_service: a search service has no counterpart"},
		{"    facts: [{name: f, expr: id, colour: red}]", "", "dropped fact key orders.f.colour: the key is not known"},
		{"", "relationships: [{name: r, left_table: orders, right_table: customers, relationship_columns: [{left_column: id, right_column: id}]}]", "dropped relationship r: the right_table customers is not in the input"},
		{"", "relationships: [{name: r, right_table: orders, relationship_columns: [{left_column: id, right_column: id}]}]", "dropped relationship r: it has no left_table"},
		{"", "relationships: [{name: r, left_table: orders, right_table: orders, relationship_type: many_to_many, relationship_columns: [{left_column: id, right_column: id}]}]", "dropped relationship r: the relationship type many_to_many has no counterpart"},
		{"", "relationships: [{name: r, left_table: orders, right_table: orders, join_type: cross, relationship_columns: [{left_column: id, right_column: id}]}]", "dropped relationship r: the join type cross has no counterpart"},
		{"", "relationships: [{name: r, left_table: orders, right_table: orders, relationship_columns: [{left_column: id, right_column: id}, {left_column: day, right_column: since, condition: asof}]}]", "dropped relationship r: a pair of its columns has the key condition, and a relationship joins equal values"},
		{"", "verified_queries: [{name: q, question: 'How many?', sql: SELECT 1}]", "approximated verified_query q: a statement has no semantic form: it is a test that is skipped, and its question an example"},
		{"", "verified_queries: [{name: q}]", "dropped verified_query q: it has no name or no SQL"},
		{"", "unheard_of: 1", "dropped semantic_model key v.unheard_of: the key is not known"},
	} {
		result, err := settle(t, orders(c.ofTable, c.ofView))
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		var losses []string
		found := 0
		for _, e := range result.Entries {
			if e.Outcome != importer.OutcomeExact {
				loss := strings.TrimSuffix(fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason), ": ")
				losses = append(losses, loss)
				if strings.HasPrefix(loss, c.want) {
					found++
				}
			}
		}
		if found != 1 {
			t.Errorf("want %q, got\n%s", c.want, strings.Join(losses, "\n"))
		}
	}
}

func TestRead_WritesTheStandardForm(t *testing.T) {
	result, err := settle(t, orders(`    primary_key: {columns: [id]}
    filters: [{name: large, expr: total > 100}]
    metrics:
      - {name: sales, expr: SUM(amount), synonyms: [turnover], description: All of it.}
      - {name: rows_seen, expr: COUNT(*)}
      - {name: native, expr: "SUM(DIV0NULL(amount, fee))"}`, "metrics: [{name: per_order, expr: orders.sales / orders.rows_seen}]\nverified_queries: [{name: q, question: 'How much?', sql: 'SELECT sum(amount) FROM __orders'}]\ncustom_instructions: Be brief."))
	if err != nil {
		t.Fatal(err)
	}
	want := `version: 0.2.0.dev0
semantic_model:
  - name: m
    ai_context:
      instructions: Be brief.
      examples:
        - How much?
    datasets:
      - name: orders
        source: db.s.t
        primary_key: [id]
        fields:
          - name: id
            expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}
            dimension: {}
          - name: amount
            expression: {dialects: [{dialect: ANSI_SQL, expression: total}]}
            dimension: {}
          - name: large
            expression: {dialects: [{dialect: ANSI_SQL, expression: total > 100}]}
            datatype: Boolean
          - name: fee
            expression: {dialects: [{dialect: ANSI_SQL, expression: fee}]}
            custom_extensions:
              - vendor_name: SEMLAYER
                data: '{"v": "1.10", "is_dimension": false}'
    metrics:
      - name: sales
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
        description: All of it.
        ai_context:
          synonyms:
            - turnover

      - name: rows_seen
        expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(*)}]}
        custom_extensions:
          - vendor_name: SEMLAYER
            data: '{"v": "1.10", "dataset": "orders"}'

      - name: native
        expression: {dialects: [{dialect: SNOWFLAKE, expression: "SUM(DIV0NULL(orders.amount, orders.fee))"}]}

      - name: per_order
        expression: {dialects: [{dialect: ANSI_SQL, expression: sales / rows_seen}]}
`
	if diff := cmp.Diff(want, string(result.Model)); diff != "" {
		t.Error(diff)
	}
	if want := "tests:\n    - name: q\n      query:\n        metrics: []\n      skip: no semantic form\n      expect:\n        sql: SELECT sum(amount) FROM __orders\n"; want != string(result.Tests) {
		t.Errorf("tests are\n%s", result.Tests)
	}
}

// A measure may have the name of its column, and one without an aggregate is a value of each row.
func TestRead_ReadsTheMeasuresOfSemanticModels(t *testing.T) {
	result, err := settle(t, orders(`    measures:
      - {name: units, expr: UNITS, default_aggregation: sum}
      - {name: mean_units, expr: orders.units, default_aggregation: avg}
      - {name: cost, expr: units * price, default_aggregation: sum}
      - {name: largest_cost, expr: MAX(cost)}
      - {name: profit, expr: total - cost}
      - {name: profits, expr: SUM(profit)}`, ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			t.Errorf("%+v", e)
		}
	}
	for _, want := range []string{
		"expression: SUM(orders.UNITS)", "expression: AVG(orders.UNITS)", "expression: SUM(orders.UNITS * orders.price)", "expression: MAX(orders.cost)",
		"- name: cost\n            expression: {dialects: [{dialect: ANSI_SQL, expression: units * price}]}",
		"- name: profit\n            expression: {dialects: [{dialect: ANSI_SQL, expression: total - cost}]}", "expression: SUM(orders.profit)",
	} {
		if !strings.Contains(string(result.Model), want) {
			t.Errorf("no %q in\n%s", want, result.Model)
		}
	}
}

// A time dimension whose values are not points in time, such as years, is a plain dimension.
func TestRead_MetricsNameTheColumnsOfRelatedTables(t *testing.T) {
	result, err := settle(t, `
name: m
tables:
  - name: orders
    base_table: {table: orders}
    dimensions: [{name: buyer, expr: buyer, data_type: NUMBER}]
    facts: [{name: amount, expr: amount, data_type: NUMBER}]
    metrics: [{name: north, expr: "SUM(CASE WHEN customers.region = 'north' THEN orders.amount END)"}]
  - name: customers
    base_table: {table: customers}
    primary_key: {columns: [id]}
    dimensions: [{name: id, expr: id, data_type: NUMBER}, {name: region, expr: region, data_type: TEXT}]
relationships:
  - {name: bought_by, left_table: orders, right_table: customers, relationship_columns: [{left_column: buyer, right_column: id}], join_type: left_outer, relationship_type: many_to_one}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			t.Errorf("%+v", e)
		}
	}
	if want := "SUM(CASE WHEN customers.region = 'north' THEN orders.amount END)"; !strings.Contains(string(result.Model), want) {
		t.Errorf("no %s in\n%s", want, result.Model)
	}
}

func TestRead_TimesAreDatesAndTimes(t *testing.T) {
	for datatype, want := range map[string]string{"DATE": "dimension: {is_time: true}", "TIMESTAMP_NTZ": "dimension: {is_time: true}", "NUMBER": "dimension: {}"} {
		result, err := settle(t, orders("    time_dimensions: [{name: at, expr: at, data_type: "+datatype+"}]", ""))
		if err != nil {
			t.Fatal(err)
		}
		if field := "expression: at}]}\n            " + want + "\n"; !strings.Contains(string(result.Model), field) {
			t.Errorf("%s: no %q in\n%s", datatype, field, result.Model)
		}
	}
}

func TestRead_RefusesOtherTexts(t *testing.T) {
	for _, text := range []string{"", "just text", "[", "\x00", "tables: 1", "tables: [1, {}, {name: }]", "name: v\ntables: []", strings.Repeat("[", 5000), "a: &a [*a]"} {
		_, err := settle(t, text)
		if refused := (*importer.Error)(nil); !errors.As(err, &refused) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// FuzzRead: any text is rejected with an error of the importer, or imported as a model that
// compiles.
func FuzzRead(f *testing.F) {
	f.Add(orders("    metrics: [{name: x, expr: SUM(amount)}]", "metrics: [{name: y, expr: orders.x / 2}]"))
	f.Add(orders("    facts: [{name: f, expr: amount + 1}]\n    filters: [{name: g, expr: f > 1}]", "relationships: [{name: r, left_table: orders, right_table: orders, relationship_columns: [{left_column: id, right_column: amount}]}]"))
	f.Add(orders("    primary_key: {columns: [id]}\n    facts: [{name: f, expr: SUM(lines.x)}, {name: g, expr: orders.f + 1}]\n    measures: [{name: u, expr: U, default_aggregation: sum}, {name: w, expr: u * 2}, {name: z, expr: AVG(w)}]", ""))
	f.Fuzz(func(t *testing.T, text string) {
		_, err := settle(t, text)
		if refused := (*importer.Error)(nil); err != nil && !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
	})
}

// Rows in the order of a non-additive dimension: the last ones count, which are the first ones of a descending order.
func TestRead_KeepsSnapshots(t *testing.T) {
	for direction, take := range map[string]string{"": "last", ", sort_direction: ascending, null_order: first": "last", ", sort_direction: descending": "first"} {
		result, err := settle(t, orders(days+"    metrics: [{name: x, expr: SUM(amount), non_additive_dimensions: [{table: orders, dimension: day"+direction+"}]}]", ""))
		if err != nil {
			t.Fatal(err)
		}
		want := `data: '{"v": "1.10", "requires": ["non_additive"], "non_additive": {"by": "day", "take": "` + take + `"}}'`
		if !strings.Contains(string(result.Model), want) {
			t.Errorf("%s: want %s in\n%s", direction, want, result.Model)
		}
	}
}

const twoTables = `name: v
tables:
  - name: orders
    base_table: {table: orders}
    facts: [{name: age, expr: buyers.years}, {name: older, expr: age + 1}, {name: self, expr: buyers.other}, {name: total, expr: buyers.spent}]
    metrics: [{name: x, expr: SUM(buyers.years)}]
  - name: buyers
    base_table: {table: buyers}
    primary_key: {columns: [id]}
    facts: [{name: spent, expr: SUM(orders.amount)}, {name: other, expr: orders.self}]
relationships:
  - {name: bought_by, left_table: orders, right_table: buyers, relationship_columns: [{left_column: buyer, right_column: id}]}
`

// A metric aggregates the rows of its table, also where it names only columns of another one.
func TestRead_MetricsAggregateTheRowsOfTheirTable(t *testing.T) {
	for _, c := range []struct {
		of   string
		more string
		want []string
	}{
		{"one relationship", "", []string{
			"exact fact orders.age", "exact fact orders.older", "exact metric orders.x",
			"dropped fact orders.self: its expression names itself", "dropped fact buyers.other: its expression names itself",
			"dropped fact orders.total: it names spent, which aggregates another table",
		}},
		{"two relationships", "  - {name: paid_by, left_table: orders, right_table: buyers, relationship_columns: [{left_column: payer, right_column: id}]}\n", []string{
			"dropped metric orders.x: it names buyers.years, and several relationships lead from orders to buyers",
			"dropped fact orders.age: it names buyers.years, and several relationships lead from orders to buyers",
		}},
	} {
		t.Run(c.of, func(t *testing.T) {
			result, err := settle(t, twoTables+c.more)
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]bool{}
			for _, e := range result.Entries {
				found[strings.TrimSuffix(fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason), ": ")] = true
			}
			for _, want := range c.want {
				if !found[want] {
					t.Errorf("no %q in %v", want, found)
				}
			}
			if c.more == "" && !strings.Contains(string(result.Model), "SUM(bought_by.years)") {
				t.Errorf("the metric does not aggregate orders:\n%s", result.Model)
			}
		})
	}
}
