package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// Each case has queries and the rollups that serve them; left are the rules by which branches are left out, of a line each.
func TestSuggestRollups_DeclaresWhatTheQueriesNeed(t *testing.T) {
	const (
		total = `{"expression":"SUM(orders.amount)","column":"orders_amount_sum"}`
		head  = `{"name":"orders_rollup","of":"orders"`
	)
	for _, c := range []struct{ queries, want, left string }{
		// Weeks and months meet in days; one finer unit alone is kept.
		{`{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"week"}]}
{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"month"}]}`, `[` + head + `,"group_by":[{"field":"orders.day","grain":"day"}],"measures":[` + total + `]}]`, ""},
		{`{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"year"}]}
{"metrics":["total"],"group_by":[{"field":"orders.day","grain":"quarter"}]}`, `[` + head + `,"group_by":[{"field":"orders.day","grain":"quarter"}],"measures":[` + total + `]}]`, ""},
		// The bounds of a range decide too.
		{`{"metrics":["total"],"group_by":[{"field":"orders.made","grain":"month"}],"time_range":{"start":"2024-02-01T06:00:00","dimension":"orders.made"}}`,
			`[` + head + `,"group_by":[{"field":"orders.made","grain":"hour"}],"measures":[` + total + `]}]`, ""},
		// A condition, and a value that is counted once, are stored as they are; AVG is a sum and a count.
		{`{"metrics":["mean"],"where_sql":"orders.status = 'open'"}
{"metrics":["buyers"]}`, `[` + head + `,"group_by":[{"field":"orders.status"},{"field":"orders.buyer_id"}],
"measures":[{"expression":"SUM(orders.amount)","column":"orders_amount_avg_sum"},{"expression":"COUNT(orders.amount)","column":"orders_amount_avg_count"}]}]`, ""},
		// One field by two paths is two.
		{`{"metrics":["total"],"group_by":[{"field":"buyer.region"}]}
{"metrics":["total"],"group_by":[{"field":"receiver.region"}]}`, `[` + head + `,"group_by":[{"field":"buyer.region"},{"field":"receiver.region"}],"measures":[` + total + `]}]`, ""},
		// A median has a table with its groups, of the rows that are asked; rows that an INNER relationship drops are another table's.
		{`{"metrics":["middle"],"group_by":[{"field":"orders.day","grain":"week"}],"where_sql":"orders.status = 'open'"}
{"metrics":["total"]}
{"metrics":["total"],"group_by":[{"field":"products.category"}]}`, `[` + head + `,"group_by":[{"field":"orders.day","grain":"week"}],
"measures":[{"expression":"MEDIAN(orders.amount)","column":"orders_amount_median"}],"where":"(orders.status = 'open')"},
{"name":"orders_rollup_2","of":"orders","measures":[` + total + `]},
{"name":"orders_rollup_3","of":"orders","group_by":[{"field":"products.category"}],"measures":[` + total + `]}]`, ""},
		// What no rollup serves is left out.
		{`{"metrics":["total"],"group_by":[{"field":"buyer.spent"}]}
{"metrics":["first_product"],"group_by":[{"field":"orders.status"}]}
{"metrics":["middle"],"group_by":[{"field":"orders.status"}],"totals":[[]]}
{"metrics":["nothing"]}`, `[]`, "1 lod_field, 2 fanned, 3 same_groups, 4 failed"},
	} {
		e := open(t, engine.Config{ModelText: []byte(read(t, "testdata/rolled.yaml")), Setup: []string{read(t, "testdata/rolled.sql")}})
		requests, err := engine.ReadQueries(strings.NewReader(c.queries))
		if err != nil {
			t.Fatal(err)
		}
		found, err := e.SuggestRollups(t.Context(), requests)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(found.Rollups)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(c.want, "\n", ""); strings.NewReplacer(`\u003e`, ">", `\u003c`, "<").Replace(string(got)) != want {
			t.Errorf("%s\n%s\nwant\n%s", c.queries, got, want)
		}
		if left := leftOutText(found); left != c.left {
			t.Errorf("%s\nleft out: %s\nwant %s", c.queries, left, c.left)
		}
	}
}

func leftOutText(found engine.RollupSuggestions) string {
	var out []string
	for _, b := range found.LeftOut {
		out = append(out, string(rune('0'+b.Line))+" "+b.Rule)
	}
	for _, f := range found.Failed {
		out = append(out, string(rune('0'+f.Line))+" failed")
	}
	return strings.Join(out, ", ")
}

// The three forms of a line are bodies, requests with a path, and lines of an audit log.
func TestReadQueries_ReadsBodiesAndLogs(t *testing.T) {
	got, err := engine.ReadQueries(strings.NewReader(`{"metrics":["total"]}
{"metric":"total","dimensions":["orders.status"]}
{"path":"/v1/query/explain","body":{"metrics":["mean"]}}
{"surface":"rest","route":"/v1/query/execute","request":{"metrics":["ids"]}}
{"path":"/v1/metrics","body":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, r := range got {
		texts = append(texts, r.Path+" "+string(r.Body))
	}
	want := `/v1/query/execute {"metrics":["total"]}
/v1/query/attribute {"metric":"total","dimensions":["orders.status"]}
/v1/query/explain {"metrics":["mean"]}
/v1/query/execute {"metrics":["ids"]}`
	if text := strings.Join(texts, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
