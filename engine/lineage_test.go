package engine_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

func lineage(t *testing.T, metric string) *engine.Lineage {
	t.Helper()
	l, err := open(t, engine.Config{ModelPath: "testdata/lineage.yaml"}).Lineage(t.Context(), metric)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// drawn writes a graph in short: its ids, then its edges.
func drawn(l *engine.Lineage) []string {
	var out []string
	for _, n := range l.Nodes {
		id := n.ID
		if n.Error != "" {
			id += " !" + n.Error
		}
		out = append(out, id)
	}
	for _, x := range l.Edges {
		out = append(out, x.From+" "+string(x.Relation)+" "+x.To)
	}
	return out
}

func TestTheOriginOfAMetric(t *testing.T) {
	orders := []string{"table:sales.orders source dataset:orders"}
	amount := append(slices.Clone(orders), "dataset:orders contains field:orders.amount")
	revenue := "measure:orders_amount_sum"
	for _, c := range []struct {
		metric string
		nodes  []string
		edges  []string
	}{
		{
			"revenue",
			[]string{"table:sales.orders", "dataset:orders", "field:orders.amount", revenue, "metric:revenue"},
			append(slices.Clone(amount), "field:orders.amount reads "+revenue, revenue+" aggregates metric:revenue"),
		},
		{
			"average",
			[]string{"table:sales.orders", "dataset:orders", "field:orders.order_id", "field:orders.amount", revenue, "measure:orders_order_id_count", "metric:average"},
			append(slices.Clone(orders),
				"dataset:orders contains field:orders.order_id", "dataset:orders contains field:orders.amount",
				"field:orders.amount reads "+revenue, "field:orders.order_id reads measure:orders_order_id_count",
				revenue+" aggregates metric:average", "measure:orders_order_id_count aggregates metric:average"),
		},
		{ // a filter: its base, and the field of its condition
			"paid",
			[]string{"table:sales.orders", "dataset:orders", "field:orders.status", "field:orders.amount", revenue, "metric:revenue", "metric:paid"},
			append(slices.Clone(amount), "dataset:orders contains field:orders.status",
				"field:orders.amount reads "+revenue, revenue+" aggregates metric:revenue",
				"metric:revenue derives metric:paid", "field:orders.status filters metric:paid"),
		},
		{ // a compose: its members, and what they are made of
			"unpaid",
			[]string{"table:sales.orders", "dataset:orders", "field:orders.status", "field:orders.amount", revenue, "metric:revenue", "metric:paid", "metric:unpaid"},
			append(slices.Clone(amount), "dataset:orders contains field:orders.status",
				"field:orders.amount reads "+revenue, revenue+" aggregates metric:revenue",
				"metric:revenue derives metric:paid", "field:orders.status filters metric:paid",
				"metric:revenue derives metric:unpaid", "metric:paid derives metric:unpaid"),
		},
		{ // a window along time
			"running",
			[]string{"table:sales.orders", "dataset:orders", "field:orders.order_date", "field:orders.amount", revenue, "metric:running"},
			append(slices.Clone(amount), "dataset:orders contains field:orders.order_date",
				"field:orders.amount reads "+revenue, revenue+" aggregates metric:running", "field:orders.order_date time_axis metric:running"),
		},
		{ // a window that leaves a dimension of another dataset out: the join is part of it
			"place",
			[]string{"table:sales.orders", "query:customers", "dataset:orders", "dataset:customers", "field:orders.amount", "field:customers.region", revenue, "metric:place"},
			append(slices.Clone(amount), "query:customers source dataset:customers", "dataset:customers contains field:customers.region",
				"dataset:orders joins dataset:customers", "field:orders.amount reads "+revenue, revenue+" aggregates metric:place",
				"field:customers.region partitions metric:place"),
		},
		{ // a level of detail: from a measure back to a field
			"mean_lifetime",
			[]string{"table:sales.orders", "query:customers", "dataset:orders", "dataset:customers", "field:orders.status", "field:orders.amount",
				"field:customers.customer_id", "field:customers.lifetime", revenue, "measure:customers_lifetime_avg", "metric:mean_lifetime"},
			append(slices.Clone(amount), "query:customers source dataset:customers", "dataset:orders joins dataset:customers",
				"dataset:orders contains field:orders.status", "dataset:customers contains field:customers.customer_id",
				"dataset:customers contains field:customers.lifetime", "field:customers.customer_id grain field:customers.lifetime",
				"field:orders.amount reads "+revenue, revenue+" aggregates field:customers.lifetime",
				"field:orders.status filters field:customers.lifetime", "field:customers.lifetime reads measure:customers_lifetime_avg",
				"measure:customers_lifetime_avg aggregates metric:mean_lifetime"),
		},
		{"unfinished", []string{"metric:unfinished !not_an_aggregate"}, nil},
	} {
		t.Run(c.metric, func(t *testing.T) {
			got, want := drawn(lineage(t, c.metric)), append(slices.Clone(c.nodes), c.edges...)
			if d := cmp.Diff(want[:len(c.nodes)], got[:min(len(c.nodes), len(got))]); d != "" {
				t.Error(d)
			}
			slices.Sort(got)
			slices.Sort(want)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNodesSayWhatTheyAre(t *testing.T) {
	l := lineage(t, "")
	got := map[string]engine.LineageNode{}
	for _, n := range l.Nodes {
		got[n.ID] = n
	}
	for _, want := range []engine.LineageNode{
		{ID: "query:customers", Kind: engine.LineageTable, Name: "customers", Query: "SELECT * FROM crm.customers WHERE NOT deleted"},
		{ID: "field:orders.amount", Kind: engine.LineageField, Name: "orders.amount", Columns: []string{"price", "quantity"}},
		{ID: "measure:orders_amount_sum", Kind: engine.LineageMeasure, Name: "orders_amount_sum", Aggregate: "sum"},
		{ID: "field:orders.broken", Kind: engine.LineageField, Name: "orders.broken", Error: "unparseable_expression"},
	} {
		if d := cmp.Diff(want, got[want.ID]); d != "" {
			t.Error(d)
		}
	}
	for _, x := range l.Edges {
		if x.Relation == engine.LineageJoins {
			want := engine.LineageEdge{
				From: "dataset:orders", To: "dataset:customers", Relation: engine.LineageJoins, Relationship: "order_customer",
				On: []string{"orders.customer_id = customers.customer_id"},
			}
			if d := cmp.Diff(want, x); d != "" {
				t.Error(d)
			}
		}
	}
}

func TestDatasetsOverOneTableShareIt(t *testing.T) {
	var got []string
	for _, x := range lineage(t, "").Edges {
		if x.Relation == engine.LineageSource {
			got = append(got, x.From+" "+x.To)
		}
	}
	if d := cmp.Diff([]string{"table:sales.orders dataset:orders", "query:customers dataset:customers", "table:sales.orders dataset:buyers"}, got); d != "" {
		t.Error(d)
	}
}

func TestLineageOfAnUnknownMetricSuggests(t *testing.T) {
	_, err := open(t, engine.Config{ModelPath: "testdata/lineage.yaml"}).Lineage(t.Context(), "revenu")
	var plan *engine.PlanError
	if !errors.As(err, &plan) || plan.Code != "unknown_metric" || !slices.Contains(plan.Candidates, "revenue") {
		t.Error(err)
	}
}

// Every metric that can be asked for comes from some table, in every model at hand.
func TestEveryMetricReachesATable(t *testing.T) {
	models, err := filepath.Glob("../integration/testdata/fixtures/*/model.yaml")
	if err != nil || len(models) < 10 {
		t.Fatal(models, err)
	}
	for _, path := range append(models, "testdata/lineage.yaml", "testdata/orders.yaml") {
		e := open(t, engine.Config{ModelPath: path})
		whole, err := e.Lineage(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.Lineage(t.Context(), "")
		if d := cmp.Diff(whole, again); d != "" || err != nil {
			t.Errorf("%s: the same model gives another graph: %s", path, d)
		}
		wellFormed(t, path, whole)
		for _, m := range metricsOf(t, e) {
			part, err := e.Lineage(t.Context(), m.Name)
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, path+" "+m.Name, part)
			self := slices.IndexFunc(part.Nodes, func(n engine.LineageNode) bool { return n.ID == "metric:"+m.Name })
			if self < 0 || part.Nodes[self].Error == "" && part.Nodes[0].Kind != engine.LineageTable {
				t.Errorf("%s: %s comes from nowhere", path, m.Name)
			}
		}
	}
}

// wellFormed: ids differ, edges connect nodes, no edge stands twice, and but for
// joins no way leads back to where it began.
func wellFormed(t *testing.T, what string, l *engine.Lineage) {
	t.Helper()
	ids, edges := map[string]bool{}, map[string]bool{}
	into := map[string][]string{}
	for _, n := range l.Nodes {
		if ids[n.ID] {
			t.Errorf("%s: %s stands twice", what, n.ID)
		}
		ids[n.ID] = true
	}
	for _, x := range l.Edges {
		key := strings.Join([]string{x.From, x.To, string(x.Relation), x.Relationship}, " ")
		if !ids[x.From] || !ids[x.To] || edges[key] {
			t.Errorf("%s: the edge %s", what, key)
		}
		edges[key] = true
		if x.Relation != engine.LineageJoins {
			into[x.To] = append(into[x.To], x.From)
		}
	}
	state := map[string]int{}
	var visit func(string)
	visit = func(id string) {
		switch state[id] {
		case 1:
			t.Errorf("%s: %s comes from itself", what, id)
		case 0:
			state[id] = 1
			for _, from := range into[id] {
				visit(from)
			}
		}
		state[id] = 2
	}
	for id := range ids {
		visit(id)
	}
}
