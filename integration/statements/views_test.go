package statements

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// shopViews are views of the shop.
const shopViews = `
    custom_extensions:
      - vendor_name: SEMLAYER
        data: >-
          {"v": "1.10", "views": [
            {"name": "everything"},
            {"name": "sales", "description": "Completed orders.", "metrics": ["revenue", "order_count"], "fields": ["orders.status", "customers.region", "orders_products.category"],
             "where": "orders.status = 'completed'", "filters": ["customers.region = 'nowhere'"]},
            {"name": "people", "metrics": ["customer_count", "revenue"], "fields": ["customers.region"], "where": "orders.status = 'completed'"},
            {"name": "no_dates", "except": ["orders.order_date", "products.*"]}]}
`

func newViewShop(t *testing.T) *shop {
	t.Helper()
	text := string(readFile(t, "../../semsql/testdata/shop.yaml")) + shopViews
	return newShopOfModel(t, text, orders(t))
}

func newShopOfModel(t *testing.T, text, data string) *shop {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{data}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &shop{model: semsql.New(cat), plans: planner.New(cat), db: db}
}

// A view of everything is the model.
func TestViews_OfEverythingAreTheModel(t *testing.T) {
	s := newViewShop(t)
	wide, view := s.model.Relations().Wide, s.model.Relations().Views[0]
	if len(wide.Columns) != len(view.Columns) {
		t.Fatalf("%d columns, want %d", len(view.Columns), len(wide.Columns))
	}
	for i, c := range wide.Columns {
		if v := view.Columns[i]; v.Name != c.Name || v.Type != c.Type || v.Field != c.Field || v.Metric != c.Metric || len(v.Path) != len(c.Path) {
			t.Errorf("column %s is %s", c.Name, v.Name)
		}
	}
	statements := 0
	for _, c := range readCases(t, "testdata") {
		if !strings.Contains(c.sql, " shop") || strings.HasPrefix(c.outcome, "error ") {
			continue
		}
		sql, params := splitParams(c.sql)
		compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql, Params: params}, targetOf(dialect(t, "duckdb")))
		if err != nil {
			t.Fatal(sql, err)
		}
		inView := strings.NewReplacer("FROM shop", "FROM everything", "JOIN shop", "JOIN everything", "SEMANTIC_VIEW(shop", "SEMANTIC_VIEW(everything", "public.shop", "public.everything", "shop.", "everything.").Replace(sql)
		if strings.Contains(strings.ToLower(inView), "shop") {
			continue
		}
		other, err := s.model.Compile(t.Context(), semsql.Statement{SQL: inView, Params: params}, targetOf(dialect(t, "duckdb")))
		if err != nil {
			t.Errorf("%s\n%v", inView, err)
			continue
		}
		statements++
		if diff := cmp.Diff(emitted(t, compiled), emitted(t, other)); diff != "" {
			t.Errorf("%s\n%s", sql, diff)
		}
	}
	if statements < 35 {
		t.Errorf("%d statements", statements)
	}
}

func emitted(t *testing.T, c *semsql.CompiledStatement) string {
	t.Helper()
	text, err := sqlemit.Emit(t.Context(), c.Planned.Root, dialect(t, "duckdb"), sqlemit.FormatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The where of a view always acts, and its defaults do not: a statement has its own conditions.
func TestViews_HaveTheirNamesAndTheirCondition(t *testing.T) {
	s := newViewShop(t)
	for sql, want := range map[string]string{
		"SELECT region, MEASURE(revenue) AS r, order_count AS n FROM sales GROUP BY 1":                             "region | r | n\neast | 270 | 3\nwest | 80 | 1",
		"SELECT region, MEASURE(revenue) AS r FROM shop WHERE status = 'completed' GROUP BY 1":                     "region | r\neast | 270\nwest | 80",
		"SELECT orders_products__category AS c, MEASURE(revenue) AS r FROM sales WHERE region = 'east' GROUP BY 1": "c | r\nbooks | 220\ntoys | 50",
		"SELECT c, SUM(r) AS r FROM (SELECT status AS c, revenue AS r FROM sales) t GROUP BY 1":                    "c | r\ncompleted | 350",
		"SELECT MEASURE(customer_count) AS n FROM people":                                                          "n\n3",
		"SELECT COUNT(customers.*) AS n FROM people":                                                               "n\n3",
		"SELECT MEASURE(customer_count) AS n, MEASURE(revenue) AS r FROM people":                                   "n | r\n3 | 350",
		"SELECT MEASURE(revenue) AS r FROM people":                                                                 "r\n350",
		"SELECT region FROM sales":               "region\neast\nwest",
		"SELECT COUNT(orders.*) AS n FROM sales": "n\n4",
		"SELECT * FROM SEMANTIC_VIEW(sales DIMENSIONS customers.region, orders_products.category METRICS revenue) v":                                                                                                 "region | orders_products__category | revenue\neast | books | 220\neast | toys | 50\nwest | books | 80",
		"SELECT region, MEASURE(revenue) AS r FROM sales GROUP BY ROLLUP (region)":                                                                                                                                   "region | r\neast | 270\nwest | 80\n∅ | 350",
		"SELECT a.region AS g, a.r AS r, b.r AS all_r FROM (SELECT region, MEASURE(revenue) AS r FROM sales GROUP BY 1) a JOIN (SELECT region, MEASURE(revenue) AS r FROM shop GROUP BY 1) b ON a.region = b.region": "g | r | all_r\neast | 270 | 340\nwest | 80 | 110",
	} {
		wanted, err := table.FromText(want)
		if err != nil {
			t.Fatal(err)
		}
		got := s.answerSQL(t, sql)
		got.Columns = wanted.Columns
		if diff := table.Diff(wanted, got, false); diff != "" {
			t.Errorf("%s\n%s", sql, diff)
		}
	}
	for sql, code := range map[string]string{
		"SELECT category, MEASURE(revenue) FROM sales GROUP BY 1":           "unknown_column",
		"SELECT products.category, MEASURE(revenue) FROM sales GROUP BY 1":  "unknown_column",
		"SELECT MEASURE(largest_order) FROM sales":                          "unknown_metric",
		"SELECT COUNT(products.*) FROM sales":                               "unknown_column",
		"SELECT order_date FROM no_dates":                                   "unknown_column",
		"SELECT * FROM SEMANTIC_VIEW(sales DIMENSIONS products.category) v": "unknown_column",
		"SELECT * FROM SEMANTIC_VIEW(sales METRICS orders.largest_order) v": "unknown_column",
		"SELECT * FROM SEMANTIC_VIEW(sale METRICS revenue) v":               "unknown_dataset",
		"SELECT s.region FROM sales s JOIN orders o ON s.region = o.status": "sql_unsupported",
	} {
		_, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb")))
		var e *semsql.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v, want %s", sql, err, code)
		}
	}
}

// The relationships that a view follows lead to a field to which the model has two paths.
func TestViews_FollowTheirJoins(t *testing.T) {
	s := newShopOfModel(t, `version: 0.2.0.dev0
name: trips
datasets:
  - name: trips
    source: trips
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
      - {name: start, expression: {dialects: [{dialect: ANSI_SQL, expression: start}]}, datatype: Integer}
      - {name: stop, expression: {dialects: [{dialect: ANSI_SQL, expression: stop}]}, datatype: Integer}
  - name: places
    source: places
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
      - {name: town, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}, datatype: String}
relationships:
  - {name: from_place, from: trips, to: places, from_columns: [start], to_columns: [id]}
  - {name: to_place, from: trips, to: places, from_columns: [stop], to_columns: [id]}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(trips.id)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "views": [{"name": "departures", "fields": ["places.town"], "joins": ["from_place"]}, {"name": "arrivals", "fields": ["places.town"], "joins": ["to_place"]},
        {"name": "both", "fields": ["places.town"]}]}
`, "CREATE TABLE trips AS SELECT * FROM (VALUES (1, 1, 2), (2, 1, 1), (3, 2, 1)) t(id, start, stop); CREATE TABLE places AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) t(id, town);")
	for sql, want := range map[string]string{
		"SELECT town, n FROM departures GROUP BY 1":            "town | n\na | 2\nb | 1",
		"SELECT town, n FROM arrivals GROUP BY 1 HAVING n = 1": "town | n\nb | 1",
		"SELECT places.town, n FROM arrivals GROUP BY 1":       "town | n\na | 2\nb | 1",
	} {
		wanted, err := table.FromText(want)
		if err != nil {
			t.Fatal(err)
		}
		got := s.answerSQL(t, sql)
		got.Columns = wanted.Columns
		if diff := table.Diff(wanted, got, false); diff != "" {
			t.Errorf("%s\n%s", sql, diff)
		}
	}
	// The path of the plain model is ambiguous, and a view without one path is not a relation.
	for _, sql := range []string{"SELECT town, n FROM trips_all GROUP BY 1", "SELECT town, n FROM both GROUP BY 1"} {
		if _, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb"))); err == nil {
			t.Errorf("%s is accepted", sql)
		}
	}
}
