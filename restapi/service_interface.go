package restapi

import (
	"context"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/planner/query"
)

// Service is the part of an engine that the server uses; *engine.Engine implements it. Its
// methods are safe for concurrent use and their errors carry codes. Those that take a
// context return soon after it ends.
type Service interface {
	Model() engine.ModelInfo
	Capabilities() engine.Capabilities
	Datasets() []describe.Dataset
	Metrics(context.Context) ([]describe.Metric, error)
	Dimensions(ctx context.Context, metric string) ([]describe.Dimension, error)
	Relationships() []describe.Relationship
	Findings() engine.Findings
	SavedQueries() []describe.SavedQuery
	Connections() []engine.ConnectionInfo
	Find(context.Context, *query.FindQuery) (*engine.FindResult, error)
	FieldValues(context.Context, *query.ValuesQuery) (*engine.FieldValues, error)
	Lineage(ctx context.Context, metric string) (*lineage.Graph, error)
	Validate(ctx context.Context, model []byte) (*engine.Validation, error)
	CompatibleItems(context.Context, *query.CompatibleQuery) (*engine.CompatibleItems, error)
	CompileMetrics(context.Context, *query.MetricQuery) (*engine.Compiled, error)
	ExplainMetrics(context.Context, *query.MetricQuery) (*engine.Explained, error)
	ExecuteMetrics(context.Context, *query.MetricQuery) (*engine.Result, error)
	StreamMetrics(context.Context, *query.MetricQuery) (*engine.Stream, error)
	Attribute(context.Context, *query.AttributeQuery) (*engine.Attribution, error)
	CompileSelect(context.Context, *query.DetailQuery) (*engine.Compiled, error)
	ExplainSelect(context.Context, *query.DetailQuery) (*engine.Explained, error)
	ExecuteSelect(context.Context, *query.DetailQuery) (*engine.Result, error)
	StreamSelect(context.Context, *query.DetailQuery) (*engine.Stream, error)
	CompileSQL(context.Context, *query.SQLStatement) (*engine.CompiledStatement, error)
	ExecuteSQL(context.Context, *query.SQLStatement) (*engine.Result, error)
	StreamSQL(context.Context, *query.SQLStatement) (*engine.Stream, error)
}
