package integration_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/datacheck"
	modelgen "github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

const jarsScript = `
CREATE TABLE jars (jar_id INTEGER, price DECIMAL(10,2), weight DOUBLE PRECISION, pieces INTEGER, shelf VARCHAR(20));
CREATE TABLE prices (price_id INTEGER, whole INTEGER, tenth DECIMAL(10,1), long_price DECIMAL(20,4));
INSERT INTO jars VALUES (1, 10.25, 0.5, 4, 'low'), (2, 99.99, 2.5, 6, 'top'), (3, 3.99, 1.5, NULL, NULL), (4, 1.5, NULL, 0, 'low');
INSERT INTO prices VALUES (1, 10, 1.5, 3.99), (2, 99, 99.9, 10.2501);
`

func jarsModel(metrics string) string {
	return modelOf([]string{
		modelDataset("jars", "jars", "    primary_key: [jar_id]\n", modelField("jar_id", "Integer", "", ""), modelField("price", "Decimal", "", ""),
			modelField("weight", "Float", "", ""), modelField("pieces", "Integer", "", ""), modelField("shelf", "String", "", ""),
			modelField("paid", "Decimal", "price + 0", ""), modelField("best", "Float", "GREATEST(price, weight)", "")),
		modelDataset("prices", "prices", "    primary_key: [price_id]\n", modelField("price_id", "Integer", "", ""), modelField("whole", "Integer", "", ""),
			modelField("tenth", "Decimal", "", ""), modelField("long_price", "Decimal", "", "")),
	}, "", metrics)
}

// TestNumbers_DecimalsBesideDoublesOnClickHouse chooses between decimals, integers and doubles, which ClickHouse gives no common type.
func TestNumbers_DecimalsBesideDoublesOnClickHouse(t *testing.T) {
	db := loadScriptOn(t, servers.ClickHouse(t), jarsScript)
	for aggregate, want := range map[string]string{
		"SUM(CASE WHEN jars.pieces > 3 THEN jars.price ELSE jars.weight END)":                                       "111.74",
		"SUM(CASE WHEN jars.pieces > 3 THEN jars.weight WHEN jars.pieces = 0 THEN jars.pieces ELSE jars.price END)": "6.99",
		"SUM(CASE jars.shelf WHEN 'low' THEN jars.price ELSE jars.weight END)":                                      "15.75",
		"SUM(IF(jars.pieces > 3, jars.price, jars.weight))":                                                         "111.74",
		"SUM(COALESCE(jars.weight, jars.price))":                                                                    "6",
		"CASE WHEN SUM(COALESCE(jars.price, jars.weight)) BETWEEN 115.729 AND 115.731 THEN 1 ELSE 0 END":            "1",
		"SUM(COALESCE(jars.pieces, jars.weight))":                                                                   "11.5",
		"CASE WHEN SUM(GREATEST(jars.price, jars.weight)) BETWEEN 115.729 AND 115.731 THEN 1 ELSE 0 END":            "1",
		"SUM(LEAST(jars.price, jars.weight) / 4)":                                                                   "1.5",
		"SUM(LEAST(jars.weight, jars.pieces))":                                                                      "4.5",
		"SUM(LEAST(jars.price, jars.pieces))":                                                                       "13.99",
		"CASE WHEN SUM(jars.best) BETWEEN 115.729 AND 115.731 THEN 1 ELSE 0 END":                                    "1",
		"LEAST(SUM(jars.price), SUM(jars.weight))":                                                                  "4.5",
		"GREATEST(SUM(jars.pieces), AVG(jars.weight))":                                                              "10",
		"LEAST(COUNT(jars.jar_id), SUM(jars.price), SUM(jars.weight))":                                              "4",
		"COALESCE(ROUND(SUM(jars.price) / SUM(jars.pieces), 2), AVG(jars.weight))":                                  "11.57",
		"CASE WHEN COUNT(jars.jar_id) > 9 THEN AVG(jars.weight) ELSE ROUND(SUM(jars.price) / 4, 1) END":             "28.9",
		"SUM(COALESCE(ROUND(jars.price / jars.pieces, 1), jars.weight))":                                            "20.8",
		"SUM(CASE WHEN jars.pieces > 3 THEN ROUND(jars.price / 2, 0) ELSE jars.weight END)":                         "56.5",
		"CASE WHEN COALESCE(SUM(jars.price * 0.5), SUM(jars.price)) BETWEEN 57.864 AND 57.866 THEN 1 ELSE 0 END":    "1",
		"COALESCE(SUM(jars.price), AVG(jars.price))":                                                                "115.73",
		"CASE WHEN COUNT(jars.jar_id) > 9 THEN AVG(jars.weight) ELSE SUM(jars.price) END":                           "115.73",
		"CASE WHEN COUNT(jars.jar_id) > 9 THEN SUM(jars.price) / 4 ELSE COUNT(jars.jar_id) END":                     "4",
		"SUM(CASE WHEN jars.price IN (10.25, 1.5) THEN jars.price ELSE jars.weight END)":                            "15.75",
		"SUM(CASE jars.price WHEN 99 THEN 1 WHEN 1.5 THEN 2 ELSE 0 END)":                                            "2",
	} {
		model := jarsModel("  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: " + quoteJSON(aggregate) + "}]}}\n")
		checkTotal(t, openModelOver(t, db, model), `"limit":1`, aggregate, want)
	}
}

// TestNumbers_RoundedRatiosOnClickHouse rounds a ratio of groups, one of which has no divisor.
func TestNumbers_RoundedRatiosOnClickHouse(t *testing.T) {
	e := openModelOn(t, servers.ClickHouse(t), jarsModel(`  - {name: ratio, expression: {dialects: [{dialect: ANSI_SQL, expression: "ROUND(SUM(jars.price) / SUM(jars.pieces), 2)"}]}}
  - {name: whole, expression: {dialects: [{dialect: ANSI_SQL, expression: "ROUND(SUM(jars.price) / SUM(jars.pieces))"}]}}
  - {name: typed, expression: {dialects: [{dialect: ANSI_SQL, expression: "CAST(SUM(jars.price) / SUM(jars.pieces) AS DECIMAL(12, 1))"}]}}
  - {name: cut, expression: {dialects: [{dialect: ANSI_SQL, expression: "TRUNC(SUM(jars.price) / SUM(jars.pieces), 1)"}]}}
  - {name: whole_type, expression: {dialects: [{dialect: ANSI_SQL, expression: "CAST(SUM(jars.price) / SUM(jars.pieces) AS INTEGER)"}]}}
`), jarsScript)
	q, err := query.DecodeMetric([]byte(`{"connection":"w","metrics":["ratio","whole","typed","cut","whole_type"],"group_by":[{"field":"jars.shelf"}],"order_by":[{"key":"shelf"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	type ratios struct {
		Shelf                    *string
		Ratio, Whole, Typed, Cut *float64
		WholeType                *int64 `json:"whole_type"`
	}
	var got []ratios
	if err := json.Unmarshal(result.Rows, &got); err != nil {
		t.Fatal(err)
	}
	want := []ratios{
		{new("low"), new(2.94), new(3.0), new(2.9), new(2.9), new(int64(3))},
		{new("top"), new(16.67), new(17.0), new(16.7), new(16.6), new(int64(17))},
		{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, result.SQL)
	}
}

// TestMembers_DecimalsOnClickHouse looks for decimals among numbers of fewer digits, to whose type ClickHouse cuts them.
func TestMembers_DecimalsOnClickHouse(t *testing.T) {
	e := openModelOn(t, servers.ClickHouse(t), jarsModel(""), jarsScript)
	for condition, want := range map[string]string{
		"price IN (SELECT whole FROM prices)":                                    "0",
		"price NOT IN (SELECT whole FROM prices)":                                "4",
		"price IN (SELECT tenth FROM prices)":                                    "1",
		"price NOT IN (SELECT tenth FROM prices)":                                "3",
		"price IN (SELECT long_price FROM prices)":                               "1",
		"price NOT IN (SELECT long_price FROM prices)":                           "3",
		"paid IN (SELECT whole FROM prices)":                                     "0",
		"pieces IN (SELECT tenth FROM prices)":                                   "0",
		"weight IN (SELECT tenth FROM prices)":                                   "1",
		"price IN (SELECT MAX(whole) FROM prices)":                               "0",
		"price IN (SELECT tenth FROM prices UNION ALL SELECT whole FROM prices)": "1",
	} {
		sql := "SELECT COUNT(*) AS total FROM jars WHERE " + condition
		s, err := query.DecodeSQL([]byte(`{"connection":"w","sql":` + quoteJSON(sql) + `}`))
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		result, err := prepare.Rows(t.Context(), e, s)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		got, _ := json.Marshal(result.Rows)
		if diff := cmp.Diff(`[{"total":`+want+`}]`, string(got)); diff != "" {
			t.Errorf("%s: %s\n%s", sql, diff, result.SQL)
		}
	}
}

// TestIntegers_OfEveryWidthOnClickHouse sums and joins integers that have no type in common with doubles or with each other.
func TestIntegers_OfEveryWidthOnClickHouse(t *testing.T) {
	const script = `
CREATE TABLE shelves (shelf_id UInt64, load_grams Nullable(Int128), first_jar Int16, weight Nullable(Float64));
CREATE TABLE jars (jar_id INTEGER, shelf_id Nullable(Int32), height Nullable(UInt64));
INSERT INTO shelves VALUES (1, 5, 10, 0.5), (18446744073709551615, 7, 11, 1.5), (3, NULL, 12, NULL);
INSERT INTO jars VALUES (10, 1, 4), (11, 1, 6), (12, -1, NULL), (13, 3, 8);
`
	base := modelOf([]string{
		modelDataset("shelves", "shelves", "    primary_key: [shelf_id]\n", modelField("shelf_id", "Integer", "", ""), modelField("load_grams", "Integer", "", ""),
			modelField("first_jar", "Integer", "", ""), modelField("weight", "Float", "", "")),
		modelDataset("jars", "jars", "    primary_key: [jar_id]\n", modelField("jar_id", "Integer", "", ""), modelField("shelf_id", "Integer", "", ""), modelField("height", "Integer", "", "")),
	}, "  - {name: stands_on, from: jars, to: shelves, from_columns: [shelf_id], to_columns: [shelf_id]}\n", "METRICS")
	db := loadScriptOn(t, servers.ClickHouse(t), script)
	for aggregate, want := range map[string]string{
		"SUM(shelves.load_grams)":                                            "12",
		"SUM(DISTINCT shelves.load_grams)":                                   "12",
		"SUM(shelves.load_grams) / COUNT(shelves.shelf_id)":                  "4",
		"AVG(shelves.load_grams)":                                            "6",
		"MAX(shelves.load_grams) - MIN(shelves.load_grams)":                  "2",
		"SUM(shelves.first_jar)":                                             "33",
		"SUM(jars.height)":                                                   "18",
		"SUM(jars.height) - 20":                                              "-2",
		"SUM(CASE WHEN shelves.load_grams IS NOT NULL THEN jars.height END)": "10",
	} {
		model := strings.Replace(base, "METRICS", "  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: "+quoteJSON(aggregate)+"}]}}\n", 1)
		checkTotal(t, openModelOver(t, db, model), `"limit":1`, aggregate, want)
	}
	model := strings.Replace(base, "METRICS", "  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(jars.height)}]}}\n", 1)
	e := openModelOver(t, db, model)
	checkTotal(t, e, `"where_sql":"shelves.load_grams = 5"`, "a condition over the join", "10")
	checkTotal(t, e, `"where_sql":"shelves.shelf_id IS NULL"`, "rows without a shelf", "null")
}

// TestInit_IntegersOfEveryWidthOnClickHouse generates a model whose sums and relationships the warehouse accepts.
func TestInit_IntegersOfEveryWidthOnClickHouse(t *testing.T) {
	db := loadScriptOn(t, servers.ClickHouse(t), `
CREATE TABLE shelves (shelf_id UInt64, load_grams Nullable(Int128));
CREATE TABLE jars (jar_id UInt64, shelf_id Nullable(Int32), height Nullable(UInt64));
INSERT INTO shelves VALUES (1, 5), (2, 7), (3, NULL);
INSERT INTO jars VALUES (10, 1, 4), (11, 1, 6), (12, 2, NULL), (13, 3, 8);
`)
	out, err := modelgen.GenerateFromWarehouse(t.Context(), db, modelgen.Options{Name: "shelves"})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"SUM(shelves.load_grams)", "to: shelves"} {
		if !strings.Contains(string(out.Text), part) {
			t.Errorf("the model has no %s:\n%s", part, out.Text)
		}
	}
	if found := checkData(t, db, string(out.Text), datacheck.Options{}); len(found) > 0 {
		t.Errorf("%v\n%s", found, out.Text)
	}
}
