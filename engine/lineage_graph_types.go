package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

// MeasureAggregateNames lists the names that a measure's node can have as its aggregate.
func MeasureAggregateNames() []string { return catalog.MeasureAggregateNames() }

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
	LineageRelation = lineage.EdgeRelation
)

// The kinds of nodes.
const (
	LineageKindTable   = lineage.KindTable
	LineageKindDataset = lineage.KindDataset
	LineageKindField   = lineage.KindField
	LineageKindMeasure = lineage.KindMeasure
	LineageKindMetric  = lineage.KindMetric
)

// The relations, with the kinds that they connect.
const (
	LineageRelationSource     = lineage.RelationSource            // table to dataset
	LineageRelationContains   = lineage.RelationContains          // dataset to field
	LineageRelationReads      = lineage.RelationReads             // field to measure, or to a field computed from it
	LineageRelationRows       = lineage.RelationDatasetRows       // dataset to a measure of its rows
	LineageRelationAggregates = lineage.RelationAggregatesMeasure // measure to metric, or to a field with a level of detail
	LineageRelationDerives    = lineage.RelationDerives           // metric to a metric made of it
	LineageRelationGrain      = lineage.RelationGrain             // field to a field with a level of detail
	LineageRelationFilters    = lineage.RelationFilters           // field to a filtered metric or field
	LineageRelationTimeAxis   = lineage.RelationTimeAxis          // field to a window metric
	LineageRelationPartitions = lineage.RelationPartitions        // field to a window metric that leaves it out, or to one of snapshots for each value
	LineageRelationJoins      = lineage.RelationJoins             // dataset to the dataset that it refers to
)

// Lineage returns the graph of the whole model, or with a metric the part that
// it is made of: everything upstream of it, and the joins between its datasets.
// What did not compile is in the graph with its error and with what is known of
// its origin. An unknown metric is a *PlanError of code unknown_metric, and the end of
// ctx an *ExecuteError of code timeout.
func (e *Engine) Lineage(ctx context.Context, metric string) (*Lineage, error) {
	return describeAndConvertError(ctx, e, func(ctx context.Context) (*Lineage, error) {
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
