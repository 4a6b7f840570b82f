package relations_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/relations"
)

func compileModel(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range cat.Errors {
		t.Error(e)
	}
	return cat
}

func shopModel(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func columnTexts(r *relations.Relation) []string {
	var out []string
	for _, c := range r.Columns {
		out = append(out, c.Name+" "+c.Type.String())
	}
	return out
}

func TestNew_DatasetRelationsHaveFieldsThenTheirMetrics(t *testing.T) {
	s := relations.NewSchema(compileModel(t, shopModel(t)))
	want := []string{
		"order_id bigint", "customer_id bigint", "product_id bigint", "order_date date", "status text", "amount bigint",
		"revenue numeric", "order_count bigint", "unique_customers bigint", "avg_order_value double precision", "largest_order bigint",
		"mean_amount double precision", "completed_revenue numeric", "revenue_running numeric", "revenue_rank bigint", "large_revenue numeric", "typical_amount double precision",
	}
	if diff := cmp.Diff(want, columnTexts(s.Datasets[0])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"customer_id bigint", "region text", "signup_date date", "customer_count bigint"}, columnTexts(s.Datasets[1])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"orders", "customers", "products", "shop"}, s.Names()); diff != "" {
		t.Error(diff)
	}
}

func TestNew_WideRelationHasEverything(t *testing.T) {
	s := relations.NewSchema(compileModel(t, shopModel(t)))
	want := []string{
		"metric_time date",
		"order_id bigint", "orders__customer_id bigint", "orders__product_id bigint", "order_date date", "status text", "amount bigint",
		"customers__customer_id bigint", "region text", "signup_date date",
		"products__product_id bigint", "category text", "unit_cost bigint",
		"revenue numeric", "order_count bigint", "unique_customers bigint", "avg_order_value double precision", "total_margin numeric",
		"largest_order bigint", "mean_amount double precision", "customer_count bigint", "product_cost numeric", "completed_revenue numeric",
		"revenue_running numeric", "revenue_rank bigint", "large_revenue numeric", "typical_amount double precision",
	}
	if diff := cmp.Diff(want, columnTexts(s.Wide)); diff != "" {
		t.Error(diff)
	}
}

func TestNew_KeysAndComments(t *testing.T) {
	s := relations.NewSchema(compileModel(t, shopModel(t)))
	var got []string
	for _, r := range s.Relations() {
		got = append(got, r.Name+": "+r.Description)
		for _, k := range r.Keys {
			got = append(got, "key "+k.Name)
		}
		for _, k := range r.ForeignKeys {
			got = append(got, "foreign key "+k.Name+" to "+k.Target.Name+" "+k.TargetColumns[0].Name)
		}
		for _, c := range r.Columns {
			if c.NotNull {
				got = append(got, "not null "+c.Name)
			}
		}
	}
	want := []string{
		"orders: One row for each order.", "key orders_pkey",
		"foreign key orders_customers to customers customer_id", "foreign key orders_products to products product_id", "not null order_id",
		"customers: ", "key customers_pkey", "not null customer_id",
		"products: ", "key products_pkey", "key products_category_unit_cost_key", "not null product_id",
		"shop: The orders of a small shop.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c := s.Datasets[0].Columns[0]; c.Description != "Number of the order." {
		t.Errorf("description %q", c.Description)
	}
}

func TestFind_TakesEverySpelling(t *testing.T) {
	s := relations.NewSchema(compileModel(t, shopModel(t)))
	for _, c := range []struct {
		name sqlexpr.Name
		want string
	}{
		{sqlexpr.Name{Text: "REGION"}, "region"},
		{sqlexpr.Name{Text: "customers__region"}, "region"},
		{sqlexpr.Name{Text: "customers__region", Quoted: true}, "region"},
		{sqlexpr.Name{Text: "REGION", Quoted: true}, ""},
		{sqlexpr.Name{Text: "Customers__Customer_ID"}, "customers__customer_id"},
		{sqlexpr.Name{Text: "customer_id"}, "orders__customer_id customers__customer_id"},
		{sqlexpr.Name{Text: "nothing"}, ""},
	} {
		var got []string
		for _, column := range s.Wide.FindColumns(c.name) {
			got = append(got, column.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.name, got, c.want)
		}
	}
}

// A dataset that has the model's name keeps it.
func TestNew_WideRelationGivesWay(t *testing.T) {
	s := relations.NewSchema(compileModel(t, strings.Replace(shopModel(t), "name: shop", "name: orders", 1)))
	if s.Wide.Name != "orders_all" {
		t.Error(s.Wide.Name)
	}
}

// A field keeps its name in the relation of its dataset; in the wide relation the metric does.
func TestNew_FieldAndMetricOfOneName(t *testing.T) {
	text := strings.Replace(shopModel(t), "{name: largest_order,", "{name: amount,", 1)
	s := relations.NewSchema(compileModel(t, text))
	for _, c := range s.Datasets[0].Columns {
		if c.Name == "amount" && c.Field == nil {
			t.Error("the metric amount is a column of orders")
		}
	}
	if found := s.Wide.FindColumns(sqlexpr.Name{Text: "amount"}); len(found) != 1 || found[0].Metric == nil {
		t.Errorf("amount is %v", found)
	}
	if found := s.Wide.FindColumns(sqlexpr.Name{Text: "orders__amount"}); len(found) != 1 || found[0].Name != "orders__amount" {
		t.Errorf("orders__amount is %v", found)
	}
}

// Two paths from a home give the fields of a dataset a column each.
func TestNew_RolesAreColumns(t *testing.T) {
	text := strings.Replace(shopModel(t), "    metrics:\n",
		"      - {name: referred_by, from: orders, to: customers, from_columns: [product_id], to_columns: [customer_id]}\n    metrics:\n", 1)
	s := relations.NewSchema(compileModel(t, text))
	var got []string
	for _, c := range s.Wide.Columns {
		if len(c.Path) > 0 {
			got = append(got, c.Name+" "+c.Type.String())
		}
	}
	want := []string{
		"orders_customers__customer_id bigint", "orders_customers__region text", "orders_customers__signup_date date",
		"referred_by__customer_id bigint", "referred_by__region text", "referred_by__signup_date date",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNew_ListsAtMostMaxColumns(t *testing.T) {
	var b strings.Builder
	for i := range relations.MaxListedColumns {
		b.WriteString("          - {name: f" + strings.Repeat("x", 1) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + ", expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}, datatype: String}\n")
	}
	text := strings.Replace(shopModel(t), "      - name: customers\n        source", b.String()+"      - name: customers\n        source", 1)
	s := relations.NewSchema(compileModel(t, text))
	if got := len(s.Wide.Columns); got != relations.MaxListedColumns {
		t.Errorf("%d columns", got)
	}
	if s.Wide.LeftOut == 0 || len(s.Wide.FindColumns(sqlexpr.Name{Text: "revenue"})) != 1 {
		t.Errorf("%d columns left out; revenue is not found", s.Wide.LeftOut)
	}
}

// A dataset with a relationship to itself has its own fields and those of the row that it leads to. Only the home of a
// metric has them: a path through another dataset does not continue along such a relationship.
func TestNew_WideRelationHasTheFieldsOfARelationshipToItself(t *testing.T) {
	const model = `version: 0.2.0.dev0
name: staff
datasets:
  - name: employees
    source: employees
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: boss_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: boss_id}]}}
  - name: sheets
    source: sheets
    primary_key: [sheet]
    fields:
      - {name: sheet, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: sheet}]}}
      - {name: worker_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: worker_id}]}}
relationships:
  - {name: boss, from: employees, to: employees, from_columns: [boss_id], to_columns: [id]}
  - {name: worker, from: sheets, to: employees, from_columns: [worker_id], to_columns: [id]}
metrics:
  - {name: headcount, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(employees.id)}]}}
  - {name: written, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sheets.sheet)}]}}
`
	want := []string{
		"id bigint", "boss_id bigint", "sheet bigint", "worker_id bigint", "boss__id bigint", "boss__boss_id bigint", "headcount bigint", "written bigint",
	}
	if diff := cmp.Diff(want, columnTexts(relations.NewSchema(compileModel(t, model)).Wide)); diff != "" {
		t.Error(diff)
	}
}
