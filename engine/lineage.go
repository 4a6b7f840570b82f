package engine

import (
	"context"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Lineage says what is made of what: a graph whose edges lead from the tables
// of a warehouse to the metrics.
//
//	table ─► dataset ─► field ─► measure ─► metric ─► metric
//
// Nodes stand by kind in this order, each kind as the model declares it or first
// uses it. The order of both lists is the model's alone: the same model gives the
// same bytes.
type Lineage struct {
	Nodes []LineageNode `json:"nodes"`
	Edges []LineageEdge `json:"edges"`
}

// LineageKind is a kind of node.
type LineageKind string

// The kinds of nodes.
const (
	LineageTable   LineageKind = "table"
	LineageDataset LineageKind = "dataset"
	LineageField   LineageKind = "field"
	LineageMeasure LineageKind = "measure"
	LineageMetric  LineageKind = "metric"
)

// LineageNode is one object of the model, or a table that it reads.
type LineageNode struct {
	// ID is the kind and the name, metric:revenue or field:orders.amount. It
	// stays while the object keeps its name.
	ID   string      `json:"id"`
	Kind LineageKind `json:"kind"`
	Name string      `json:"name"` // as queries and the model write it
	// Query is the text of a dataset's source that is no plain table; the node
	// stands for whatever it reads.
	Query string `json:"query,omitempty"`
	// Columns are those of the dataset's source that a field's expression reads.
	Columns []string `json:"columns,omitempty"`
	// Aggregate of a measure: sum, count, count_distinct, avg, min or max.
	Aggregate string `json:"aggregate,omitempty"`
	// Error is the code of the error that keeps the object from being used.
	Error string `json:"error,omitempty"`
}

// LineageRelation says how the target of an edge uses its origin.
type LineageRelation string

// The relations, with the kinds that they connect.
const (
	LineageSource     LineageRelation = "source"     // table to dataset
	LineageContains   LineageRelation = "contains"   // dataset to field
	LineageReads      LineageRelation = "reads"      // field to measure, or to a field computed from it
	LineageRows       LineageRelation = "rows"       // dataset to a measure of its rows
	LineageAggregates LineageRelation = "aggregates" // measure to metric, or to a field with a level of detail
	LineageDerives    LineageRelation = "derives"    // metric to a metric made of it
	LineageGrain      LineageRelation = "grain"      // field to a field with a level of detail
	LineageFilters    LineageRelation = "filters"    // field to a filtered metric or field
	LineageTimeAxis   LineageRelation = "time_axis"  // field to a window metric
	LineagePartitions LineageRelation = "partitions" // field to a window metric that leaves it out
	LineageJoins      LineageRelation = "joins"      // dataset to the dataset that it refers to
)

// LineageEdge leads from what is used to what uses it. A join leads from the
// dataset with the foreign key to the one with the key.
type LineageEdge struct {
	From     string          `json:"from"`
	To       string          `json:"to"`
	Relation LineageRelation `json:"relation"`
	// Relationship is the name of a join, and On its pairs of columns.
	Relationship string   `json:"relationship,omitempty"`
	On           []string `json:"on,omitempty"`
	Error        string   `json:"error,omitempty"` // as of a node
}

// Lineage returns the graph of the whole model, or with a metric the part that
// it is made of: everything upstream of it, and the joins between its datasets.
// What did not compile is in the graph with its error and with what is known of
// its origin. An unknown metric is a *PlanError of code unknown_metric, and the end of
// ctx an *ExecuteError of code timeout.
func (e *Engine) Lineage(ctx context.Context, metric string) (l *Lineage, err error) {
	defer e.contain(&err)
	m := e.cat.Metric(metric)
	if m == nil && metric != "" {
		return nil, e.unknownMetric(metric)
	}
	b, err := e.wholeLineage(ctx)
	switch {
	case err != nil:
		return nil, e.unplanned(ctx, err)
	case m == nil:
		return b.graph(), nil
	}
	return b.graph().upstreamOf(b.metrics[m]), nil
}

// upstreamOf keeps a node, what leads to it, and the joins between what is kept.
func (l *Lineage) upstreamOf(id string) *Lineage {
	into := map[string][]string{}
	for _, x := range l.Edges {
		if x.Relation != LineageJoins {
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
	out := &Lineage{Nodes: []LineageNode{}, Edges: []LineageEdge{}}
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

// lineage builds a graph.
type lineage struct {
	nodes map[LineageKind][]LineageNode
	edges []LineageEdge
	taken map[string]bool
	drawn map[string]bool // the edges, joins apart

	tables   map[string]string // id by the text of the source
	datasets map[*catalog.Dataset]string
	fields   map[*catalog.Field]string
	measures map[*catalog.Measure]string
	metrics  map[*catalog.Metric]string
}

func (b *lineage) graph() *Lineage {
	l := &Lineage{Nodes: []LineageNode{}, Edges: b.edges}
	for _, kind := range []LineageKind{LineageTable, LineageDataset, LineageField, LineageMeasure, LineageMetric} {
		l.Nodes = append(l.Nodes, b.nodes[kind]...)
	}
	return l
}

// add adds a node and returns its id, numbered where names run together.
func (b *lineage) add(prefix string, n LineageNode) string {
	n.ID = prefix + ":" + n.Name
	for i := 2; b.taken[n.ID]; i++ {
		n.ID = prefix + ":" + n.Name + "#" + strconv.Itoa(i)
	}
	b.taken[n.ID] = true
	b.nodes[n.Kind] = append(b.nodes[n.Kind], n)
	return n.ID
}

// link draws an edge once.
func (b *lineage) link(from, to string, relation LineageRelation) {
	x := LineageEdge{From: from, To: to, Relation: relation}
	key := from + "\x00" + to + "\x00" + string(relation)
	if !b.drawn[key] {
		b.drawn[key] = true
		b.edges = append(b.edges, x)
	}
}

func codeOfCompile(err *modelspec.CompileError) string {
	if err == nil {
		return ""
	}
	return err.Code
}
