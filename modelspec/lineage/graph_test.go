package lineage_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

// compiled returns the catalog of a model file.
func compiled(t *testing.T, path string) *catalog.Catalog {
	t.Helper()
	doc, err := modelspec.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// whole returns the graph of a catalog.
func whole(t *testing.T, c *catalog.Catalog) *lineage.Graph {
	t.Helper()
	g, err := lineage.ModelGraph(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// part returns the graph of a metric.
func part(t *testing.T, c *catalog.Catalog, metric string) *lineage.Graph {
	t.Helper()
	g, err := lineage.MetricGraph(t.Context(), c, c.Metric(metric))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const shop = "testdata/lineage.yaml"

// drawn writes a graph in short: its ids, then its edges.
func drawn(l *lineage.Graph) []string {
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

func TestLineage_OfMetric(t *testing.T) {
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
			got, want := drawn(part(t, compiled(t, shop), c.metric)), append(slices.Clone(c.nodes), c.edges...)
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

func TestLineage_NodeDetails(t *testing.T) {
	t.Run("nodes carry their kind, name and what belongs to the kind", func(t *testing.T) {
		l := whole(t, compiled(t, shop))
		got := map[string]lineage.Node{}
		for _, n := range l.Nodes {
			got[n.ID] = n
		}
		for _, want := range []lineage.Node{
			{ID: "query:customers", Kind: lineage.KindTable, Name: "customers", Query: "SELECT * FROM crm.customers WHERE NOT deleted"},
			{ID: "field:orders.amount", Kind: lineage.KindField, Name: "orders.amount", Columns: []string{"price", "quantity"}},
			{ID: "measure:orders_amount_sum", Kind: lineage.KindMeasure, Name: "orders_amount_sum", Aggregate: "sum"},
			{ID: "field:orders.broken", Kind: lineage.KindField, Name: "orders.broken", Error: "unparseable_expression"},
		} {
			if d := cmp.Diff(want, got[want.ID]); d != "" {
				t.Error(d)
			}
		}
		for _, x := range l.Edges {
			if x.Relation == lineage.RelationJoins {
				want := lineage.Edge{
					From: "dataset:orders", To: "dataset:customers", Relation: lineage.RelationJoins, Relationship: "order_customer",
					On: []string{"orders.customer_id = customers.customer_id"},
				}
				if d := cmp.Diff(want, x); d != "" {
					t.Error(d)
				}
			}
		}
	})
}

func TestLineage_SharedTableIsOneNode(t *testing.T) {
	var got []string
	for _, x := range whole(t, compiled(t, shop)).Edges {
		if x.Relation == lineage.RelationSource {
			got = append(got, x.From+" "+x.To)
		}
	}
	if d := cmp.Diff([]string{"table:sales.orders dataset:orders", "query:customers dataset:customers", "table:sales.orders dataset:buyers"}, got); d != "" {
		t.Error(d)
	}
}

// Every metric that can be requested comes from some table, in every model at hand.
func TestLineage_EveryMetricReachesTable(t *testing.T) {
	models, err := filepath.Glob("../../integration/testdata/fixtures/*/model.yaml")
	if err != nil || len(models) < 10 {
		t.Fatal(models, err)
	}
	for _, path := range append(models, shop) {
		c := compiled(t, path)
		all := whole(t, c)
		if d := cmp.Diff(all, whole(t, c)); d != "" {
			t.Errorf("%s: the same model gives another graph: %s", path, d)
		}
		wellFormed(t, path, all)
		for _, m := range c.Metrics {
			g := part(t, c, m.Name)
			wellFormed(t, path+" "+m.Name, g)
			self := slices.IndexFunc(g.Nodes, func(n lineage.Node) bool { return n.ID == "metric:"+m.Name })
			if self < 0 || g.Nodes[self].Error == "" && g.Nodes[0].Kind != lineage.KindTable {
				t.Errorf("%s: %s comes from nowhere", path, m.Name)
			}
		}
	}
}

// wellFormed: ids differ, edges connect nodes, no edge appears twice, and but for
// joins no way leads back to where it began.
func wellFormed(t *testing.T, what string, l *lineage.Graph) {
	t.Helper()
	ids, edges := map[string]bool{}, map[string]bool{}
	into := map[string][]string{}
	for _, n := range l.Nodes {
		if ids[n.ID] {
			t.Errorf("%s: %s appears twice", what, n.ID)
		}
		ids[n.ID] = true
	}
	for _, x := range l.Edges {
		key := strings.Join([]string{x.From, x.To, string(x.Relation), x.Relationship}, " ")
		if !ids[x.From] || !ids[x.To] || edges[key] {
			t.Errorf("%s: the edge %s", what, key)
		}
		edges[key] = true
		if x.Relation != lineage.RelationJoins {
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
