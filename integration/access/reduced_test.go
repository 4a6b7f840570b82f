package access

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

const withoutAmountPolicies = hiddenAmountPolicies + "    sql: true\n"

// A reader who does not see a field and a dataset gets the bytes that a model without them gives: in lists, in lineage, in errors.
func TestReducedModel_EqualsAModelWithoutWhatIsHidden(t *testing.T) {
	db := engines["duckdb"](t)
	reader, err := as(t, openWith(t, db, withoutAmountPolicies), withoutAmountPolicies, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(read(t, "testdata/orders_without_amount.yaml")), Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reduced.Close() })
	whole := openWith(t, db, "version: 1\n")
	differs := 0
	for name, ask := range map[string]func(*engine.Engine) any{
		"datasets":      func(e *engine.Engine) any { return e.Datasets() },
		"relationships": func(e *engine.Engine) any { return e.Relationships() },
		"relations":     func(e *engine.Engine) any { return e.Relations() },
		"saved queries": func(e *engine.Engine) any { return e.SavedQueries() },
		"metrics":       func(e *engine.Engine) any { return orError(e.Metrics(t.Context())) },
		"dimensions":    func(e *engine.Engine) any { return orError(e.Dimensions(t.Context(), "")) },
		"of a metric":   func(e *engine.Engine) any { return orError(e.Dimensions(t.Context(), "order_count")) },
		"of a hidden":   func(e *engine.Engine) any { return orError(e.Dimensions(t.Context(), "revenue")) },
		"lineage":       func(e *engine.Engine) any { return orError(e.Lineage(t.Context(), "")) },
		"definition":    func(e *engine.Engine) any { return orError(e.MetricDefinition(t.Context(), "unique_customers")) },
		"find": func(e *engine.Engine) any {
			return orError(e.Find(t.Context(), &query.FindQuery{Text: "amount of products"}))
		},
		"compatible": func(e *engine.Engine) any {
			return orError(e.CompatibleItems(t.Context(), &query.CompatibleQuery{}))
		},
	} {
		got, want := textOf(t, ask(reader.Engine)), textOf(t, ask(reduced))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if want != textOf(t, ask(whole)) {
			differs++
		}
	}
	if differs < 8 {
		t.Errorf("only %d lists differ from those of the whole model", differs)
	}
	for _, body := range []string{
		`{"metrics":["revenue"]}`, `{"metrics":["revenu"]}`, `{"metrics":["order_count"],"where_sql":"orders.amount > 1"}`,
		`{"metrics":["order_count"],"group_by":[{"field":"amount"}]}`, `{"metrics":["order_count"],"group_by":[{"field":"orders_products.category"}]}`,
		`{"metrics":["order_count"],"order_by":[{"key":"revenue"}]}`, `{"from":"products","fields":["products.category"]}`,
		`{"from":"orders","fields":["orders.amount"]}`, `{"sql":"SELECT amount FROM orders"}`, `{"sql":"SELECT * FROM products"}`, `{"sql":"SELECT MEASURE(revenue) FROM orders"}`,
		`{"metrics":["order_count",{"name":"x","expression":"SUM(orders.amount)"}]}`, `{"metrics":["order_count"],"with":[{"dataset":"orders","name":"amount","expression":"order_id + 1"}],"group_by":[{"field":"orders.amount"}],"order_by":[{"key":"amount"}]}`,
		`{"metrics":["order_count"],"group_by":[{"field":"customer_id"}]}`, `{"metrics":["order_count"],"group_by":[{"field":"product_id"}],"order_by":[{"key":"product_id"}]}`,
	} {
		got, want := outcome(t, reader, body), outcome(t, reduced, body)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

func orError[T any](v T, err error) any {
	if err != nil {
		return err
	}
	return v
}

func textOf(t *testing.T, v any) string {
	t.Helper()
	if err, ok := v.(error); ok {
		var coded engine.CodedError
		if !errors.As(err, &coded) {
			t.Fatal(err)
		}
		v = coded
	}
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// outcome returns the rows or the whole error of a query.
func outcome(t *testing.T, e prepare.Engine, body string) string {
	t.Helper()
	q := decode(t, body)
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		return textOf(t, err)
	}
	return string(result.Rows)
}
