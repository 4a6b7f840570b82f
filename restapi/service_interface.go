package restapi

import (
	"context"

	"github.com/semlayer/semlayer/engine"
)

// Service is the part of an engine that the server uses; *engine.Engine implements it. Its
// methods are safe for concurrent use and their errors carry codes. Those that take a
// context return soon after it ends.
type Service interface {
	Model() engine.ModelInfo
	Capabilities() engine.Capabilities
	Datasets() []engine.DatasetInfo
	Metrics(context.Context) ([]engine.MetricInfo, error)
	Dimensions(ctx context.Context, metric string) ([]engine.DimensionInfo, error)
	Relationships() []engine.RelationshipInfo
	Findings() engine.Findings
	SavedQueries() []engine.SavedQueryInfo
	Connections() []engine.ConnectionInfo
	Find(context.Context, *engine.FindQuery) (*engine.FindResult, error)
	FieldValues(context.Context, *engine.ValuesQuery) (*engine.FieldValues, error)
	Lineage(ctx context.Context, metric string) (*engine.Lineage, error)
	Validate(ctx context.Context, model []byte) (*engine.Validation, error)
	CompatibleItems(context.Context, *engine.CompatibleQuery) (*engine.CompatibleItems, error)
	CompileMetrics(context.Context, *engine.MetricQuery) (*engine.Compiled, error)
	ExplainMetrics(context.Context, *engine.MetricQuery) (*engine.Explained, error)
	ExecuteMetrics(context.Context, *engine.MetricQuery) (*engine.Result, error)
	StreamMetrics(context.Context, *engine.MetricQuery) (*engine.Stream, error)
	Attribute(context.Context, *engine.AttributeQuery) (*engine.Attribution, error)
	CompileSelect(context.Context, *engine.DetailQuery) (*engine.Compiled, error)
	ExplainSelect(context.Context, *engine.DetailQuery) (*engine.Explained, error)
	ExecuteSelect(context.Context, *engine.DetailQuery) (*engine.Result, error)
	StreamSelect(context.Context, *engine.DetailQuery) (*engine.Stream, error)
	CompileSQL(context.Context, *engine.SQLStatement) (*engine.CompiledStatement, error)
	ExecuteSQL(context.Context, *engine.SQLStatement) (*engine.Result, error)
	StreamSQL(context.Context, *engine.SQLStatement) (*engine.Stream, error)
}
