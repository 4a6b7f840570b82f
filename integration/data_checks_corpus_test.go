package integration_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
)

// The examples have no finding, except the orphans that two of them have on purpose: an item 9 that is not there, and
// the deleted customers, products and orders of the retailer, whose numbers are those of statements by hand.
func TestDataChecks_ExamplesAreClean(t *testing.T) {
	const orphans = "SELECT COUNT(*), COUNT(DISTINCT c) FROM "
	want := map[string][]string{"tpcds": {
		"warning relationship_unmatched at relationships[5].from_columns: 1 of 3 values (33.3 %) of web_sales.ws_item_sk have no row in item, in 1 of 3 rows, for example `9`",
	}, "retail": {
		"warning relationship_unmatched at relationships[0].from_columns: 5 of 405 values (1.2 %) of orders.customer_id have no row in customers, in 96 of 4790 rows, for example `9000`",
		"warning relationship_unmatched at relationships[1].from_columns: 1 of 61 values (1.6 %) of orders.product_id have no row in products, in 46 of 5000 rows, for example `900`",
		"warning relationship_unmatched at relationships[4].from_columns: 6 of 395 values (1.5 %) of returns.order_id have no row in orders, in 6 of 395 rows, for example `91027`",
	}}
	byHand := map[string]string{
		orphans + "(SELECT customer_id AS c FROM orders WHERE customer_id NOT IN (SELECT customer_id FROM customers))": "96 5",
		orphans + "(SELECT product_id AS c FROM orders WHERE product_id NOT IN (SELECT product_id FROM products))":     "46 1",
		orphans + "(SELECT order_id AS c FROM returns WHERE order_id NOT IN (SELECT order_id FROM orders))":            "6 6",
	}
	models, err := filepath.Glob("../examples/*/model.yaml")
	if err != nil || len(models) < 7 {
		t.Fatalf("%d examples: %v", len(models), err)
	}
	for _, path := range models {
		dir := filepath.Dir(path)
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "data.sql"))
			if err != nil {
				t.Fatal(err)
			}
			db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{string(data)}, Connections: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			model, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			expected := append([]string{}, want[name]...)
			if d := cmp.Diff(expected, findingTexts(checkData(t, db, string(model), datacheck.Options{MaxRows: datacheck.UnlimitedRows}))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if name != "retail" {
				return
			}
			for sql, numbers := range byHand {
				got, err := servers.QueryTable(t.Context(), db, sql, nil)
				if err != nil {
					t.Fatal(err)
				}
				if text := got.Rows[0][0].Text + " " + got.Rows[0][1].Text; text != numbers {
					t.Errorf("%s: %s, want %s", sql, text, numbers)
				}
			}
		})
	}
}

// deliberatelyMistypedModels are about columns whose types differ from the declared ones.
var deliberatelyMistypedModels = []string{"fixture/mistyped", "fixture/moments", "case/semi_additive/halves_of_the_last_day", "case/aggregates/means_of_distinct_doubles_declared_decimal", "case/lod/keys_of_different_types_compare_as_in_the_join"}

// Every model of the corpus is checked against its data without a failure of the check: expressions of all kinds,
// parameters, windows, levels of detail. The data are deliberately bad in places, so only faults of the check count. The
// short form checks one in three of the models that single cases have.
func TestDataChecks_CorpusIsAccepted(t *testing.T) {
	checked := map[string]bool{}
	for i, c := range cases(t) {
		model := []byte(c.Section("model.yaml"))
		if len(model) > 0 && i%3 > 0 && !isLongForm() {
			continue
		}
		key := dataKey(c)
		if len(model) > 0 {
			key = "case/" + c.Name
		}
		if checked[key] {
			continue
		}
		checked[key] = true
		if len(model) == 0 {
			var err error
			if model, err = os.ReadFile(filepath.Join(fixturesDir, c.Fixture, "model.yaml")); err != nil {
				t.Fatal(err)
			}
		}
		data, err := dataFor(c, "duckdb")
		if err != nil {
			t.Fatal(err)
		}
		v, err := engine.ValidateData(t.Context(), engine.Config{
			ModelText: model, Setup: []string{data}, Drivers: []warehouse.Driver{duckdb.Driver()},
		}, "", datacheck.Options{})
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		for _, i := range v.Issues {
			switch i.Code {
			case datacheck.CodeSourceNotFound, datacheck.CodeColumnNotFound, datacheck.CodeExpressionRejected, datacheck.CodeCheckIncomplete:
				t.Errorf("%s: %s at %s: %s", key, i.Code, i.Location, i.Message)
			case datacheck.CodeDatatypeMismatch:
				if !slices.Contains(deliberatelyMistypedModels, key) {
					t.Errorf("%s: %s: %s", key, i.Code, i.Message)
				}
			}
		}
	}
	if len(checked) < 20 {
		t.Errorf("only %d models", len(checked))
	}
}
