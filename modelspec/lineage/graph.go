package lineage

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Graph shows what is made of what. Its edges lead from the tables
// of a warehouse to the metrics and the rollups.
//
//	table ─► dataset ─► field ─► measure ─► metric ─► metric
//	  └──────────┴────────┴─► rollup
//
// Nodes are listed by kind in this order, each kind as the model declares it or first
// uses it. The order of both lists is the model's alone: the same model gives the
// same bytes.
type Graph struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// NodeKind is a kind of node.
type NodeKind string

// The kinds of nodes.
const (
	KindTable   NodeKind = "table"
	KindDataset NodeKind = "dataset"
	KindField   NodeKind = "field"
	KindMeasure NodeKind = "measure"
	KindMetric  NodeKind = "metric"
	KindRollup  NodeKind = "rollup"
)

// Node is one object of the model, or a table that it reads.
type Node struct {
	// ID is the kind and the name, metric:revenue or field:orders.amount. It
	// stays while the object keeps its name.
	ID   string   `json:"id"`
	Kind NodeKind `json:"kind"`
	Name string   `json:"name"` // as queries and the model write it
	// Query is the text of a dataset's source that is not a plain table; the node
	// represents the tables that it reads.
	Query string `json:"query,omitempty"`
	// Columns are those of the dataset's source that a field's expression reads.
	Columns []string `json:"columns,omitempty"`
	// Aggregate of a measure: sum, count_distinct, percentile_cont and the others of catalog.Agg.Name.
	Aggregate string `json:"aggregate,omitempty"`
	// Error is the code of the error that keeps the object from being used.
	Error string `json:"error,omitempty"`
}

// EdgeRelation is how the target of an edge uses its origin.
type EdgeRelation string

// The relations, with the kinds that they connect.
const (
	RelationSource            EdgeRelation = "source"     // table to dataset or rollup, and dataset of a step to a sequence
	RelationContains          EdgeRelation = "contains"   // dataset to field
	RelationReads             EdgeRelation = "reads"      // field to measure, to a field computed from it, or to a rollup
	RelationDatasetRows       EdgeRelation = "rows"       // dataset to a measure of its rows, or to a rollup
	RelationAggregatesMeasure EdgeRelation = "aggregates" // measure to metric, or to a field with a level of detail
	RelationDerives           EdgeRelation = "derives"    // metric to a metric made of it
	RelationGrain             EdgeRelation = "grain"      // field to a field with a level of detail
	RelationFilters           EdgeRelation = "filters"    // field to a filtered metric, field or rollup
	RelationTimeAxis          EdgeRelation = "time_axis"  // field to a window metric: its axis, or the period of a calendar that it counts; or to one of snapshots
	RelationPartitions        EdgeRelation = "partitions" // field to a window metric that leaves it out, or to one of snapshots for each value
	RelationJoins             EdgeRelation = "joins"      // dataset to the dataset that it refers to
)

// Edge leads from what is used to what uses it. A join leads from the
// dataset with the foreign key to the one with the key.
type Edge struct {
	From     string       `json:"from"`
	To       string       `json:"to"`
	Relation EdgeRelation `json:"relation"`
	// Relationship is the name of a join, and On its pairs of columns.
	Relationship string   `json:"relationship,omitempty"`
	On           []string `json:"on,omitempty"`
	Error        string   `json:"error,omitempty"` // as of a node
}

// ModelGraph returns the graph of a whole model. An object that did not compile is in the graph with its
// error and the known part of its origin. The error is that of ctx, when it ends
// first.
func ModelGraph(ctx context.Context, c *catalog.Catalog) (*Graph, error) {
	b, err := buildGraphOfCatalog(ctx, c)
	if err != nil {
		return nil, err
	}
	return b.buildSortedGraph(), nil
}

// MetricGraph returns the part of the graph that a metric of the model is made of:
// everything upstream of it, and the joins between its datasets.
func MetricGraph(ctx context.Context, c *catalog.Catalog, m *catalog.Metric) (*Graph, error) {
	b, err := buildGraphOfCatalog(ctx, c)
	if err != nil {
		return nil, err
	}
	return b.buildSortedGraph().cutToUpstreamOf(b.metrics[m], b.crossed), nil
}

// cutToUpstreamOf keeps a node, what leads to it, the datasets that joins cross on the way, and the joins between what is kept.
func (l *Graph) cutToUpstreamOf(id string, crossed map[string][]string) *Graph {
	into := map[string][]string{}
	for to, datasets := range crossed {
		into[to] = slices.Clone(datasets)
	}
	for _, x := range l.Edges {
		if x.Relation != RelationJoins {
			into[x.To] = append(into[x.To], x.From)
		}
	}
	keep := map[string]bool{id: true}
	for todo := []string{id}; len(todo) > 0; {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range into[last] {
			if !keep[from] {
				keep[from] = true
				todo = append(todo, from)
			}
		}
	}
	out := &Graph{Nodes: []Node{}, Edges: []Edge{}}
	for _, n := range l.Nodes {
		if keep[n.ID] {
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, x := range l.Edges {
		if keep[x.From] && keep[x.To] {
			out.Edges = append(out.Edges, x)
		}
	}
	return out
}

// WithoutSources returns the graph without the tables of the warehouse and their columns.
func (l *Graph) WithoutSources() *Graph {
	out := &Graph{Nodes: make([]Node, 0, len(l.Nodes)), Edges: make([]Edge, 0, len(l.Edges))}
	for _, n := range l.Nodes {
		if n.Kind != KindTable {
			n.Columns = nil
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, e := range l.Edges {
		if e.Relation != RelationSource {
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}
