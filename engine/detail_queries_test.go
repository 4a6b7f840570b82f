package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/query"
)

func detail(t *testing.T, body string) *query.DetailQuery {
	t.Helper()
	q, err := query.DecodeDetail([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestSelect_ReturnsRows(t *testing.T) {
	r, err := askRows(t.Context(), shop(t), detail(t,
		`{"from":"orders","fields":["order_id","customers.region","order_date:month"],"where_sql":"products.category = 'books'","order_by":[{"key":"order_id","desc":true}],"limit":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"order_id", "region", "order_date__month"}, r.Columns); d != "" {
		t.Error(d)
	}
	want := `[{"order_id":6,"region":"east","order_date__month":"2024-03-01"},{"order_id":5,"region":"east","order_date__month":"2024-02-01"}]`
	if d := cmp.Diff(want, string(r.Rows)); d != "" {
		t.Error(d)
	}
}

func TestSelect_CompilesToOneStatement(t *testing.T) {
	c, err := askSQL(t.Context(), shop(t), detail(t, `{"from":"orders","fields":["order_id","customers.region"],"dialect":"postgres"}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Dialect != "postgres" || strings.Count(c.SQL, "SELECT") != 1 || !strings.HasSuffix(c.SQL, "LIMIT 100") || c.Outputs != nil {
		t.Errorf("%+v", c)
	}
}

func TestSelect_Explain(t *testing.T) {
	x, err := askPlan(t.Context(), shop(t), detail(t, `{"from":"orders","fields":["order_id"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(x.Plan, "Limit 100\n") {
		t.Error(x.Plan)
	}
}

func TestSelect_RejectsUnknownDialectAndConnection(t *testing.T) {
	for body, code := range map[string]string{
		`{"from":"orders","fields":["order_id"],"dialect":"postgres"}`:   "bad_request",
		`{"from":"orders","fields":["order_id"],"dialect":"klingon"}`:    "bad_request",
		`{"from":"orders","fields":["order_id"],"connection":"nowhere"}`: "config",
		`{"from":"customers","fields":["orders.amount"]}`:                "detail_fanout",
	} {
		_, err := askRows(t.Context(), shop(t), detail(t, body))
		if codeOf(err) != code {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// TestSelect_KeepsRootRowCount counts rows against every dataset and
// join of the model.
func TestSelect_KeepsRootRowCount(t *testing.T) {
	t.Run("a detail query has as many rows as its root dataset, whatever it joins", func(t *testing.T) {
		e := shop(t)
		for _, c := range []struct {
			from   string
			fields []string
			where  string
			rows   int
		}{
			{"orders", []string{"order_id"}, "", 6},
			{"orders", []string{"order_id", "customers.region", "products.category"}, "", 6},
			{"orders", []string{"customers.region"}, "", 6},
			{"orders", []string{"status"}, "products.category = 'books'", 4},
			{"customers", []string{"region"}, "", 3},
			{"products", []string{"category"}, "", 3},
		} {
			body, err := json.Marshal(map[string]any{"from": c.from, "fields": c.fields, "where_sql": c.where, "limit": 10000})
			if err != nil {
				t.Fatal(err)
			}
			r, err := askRows(t.Context(), e, detail(t, string(body)))
			if err != nil {
				t.Fatal(err)
			}
			if r.RowCount != c.rows {
				t.Errorf("%s: %d rows, want %d", body, r.RowCount, c.rows)
			}
		}
	})
}
