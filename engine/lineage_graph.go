package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

// MeasureAggregates lists the names that a measure's node can have as its aggregate.
func MeasureAggregates() []string { return catalog.MeasureAggregates() }

// The graph of a model, under the names that users of the engine know.
type (
	// Lineage shows what is made of what. Its edges lead from the tables of a warehouse
	// to the metrics.
	Lineage = lineage.Graph
	// LineageNode is one object of the model, or a table that it reads.
	LineageNode = lineage.Node
	// LineageEdge leads from what is used to what uses it.
	LineageEdge = lineage.Edge
	// LineageKind is a kind of node.
	LineageKind = lineage.NodeKind
	// LineageRelation is how the target of an edge uses its origin.
	LineageRelation = lineage.Relation
)

// The kinds of nodes.
const (
	LineageTable   = lineage.KindTable
	LineageDataset = lineage.KindDataset
	LineageField   = lineage.KindField
	LineageMeasure = lineage.KindMeasure
	LineageMetric  = lineage.KindMetric
)

// The relations, with the kinds that they connect.
const (
	LineageSource     = lineage.RelationSource     // table to dataset
	LineageContains   = lineage.RelationContains   // dataset to field
	LineageReads      = lineage.RelationReads      // field to measure, or to a field computed from it
	LineageRows       = lineage.RelationRows       // dataset to a measure of its rows
	LineageAggregates = lineage.RelationAggregates // measure to metric, or to a field with a level of detail
	LineageDerives    = lineage.RelationDerives    // metric to a metric made of it
	LineageGrain      = lineage.RelationGrain      // field to a field with a level of detail
	LineageFilters    = lineage.RelationFilters    // field to a filtered metric or field
	LineageTimeAxis   = lineage.RelationTimeAxis   // field to a window metric
	LineagePartitions = lineage.RelationPartitions // field to a window metric that leaves it out
	LineageJoins      = lineage.RelationJoins      // dataset to the dataset that it refers to
)

// Lineage returns the graph of the whole model, or with a metric the part that
// it is made of: everything upstream of it, and the joins between its datasets.
// What did not compile is in the graph with its error and with what is known of
// its origin. An unknown metric is a *PlanError of code unknown_metric, and the end of
// ctx an *ExecuteError of code timeout.
func (e *Engine) Lineage(ctx context.Context, metric string) (*Lineage, error) {
	return describeWithCodedError(ctx, e, func(ctx context.Context) (*Lineage, error) {
		if metric == "" {
			return lineage.ModelGraph(ctx, e.cat)
		}
		m, err := e.describer.FindMetric(metric)
		if err != nil {
			return nil, err
		}
		return lineage.MetricGraph(ctx, e.cat, m)
	})
}
