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
	Views() []describe.View
	Findings() engine.Findings
	SavedQueries() []describe.SavedQuery
	Rollups(context.Context) []describe.Rollup
	Connections() []engine.ConnectionInfo
	LikelyConnection() string
	CheckConnections(context.Context) ([]engine.ConnectionStatus, error)
	Find(context.Context, *query.FindQuery) (*engine.FindResult, error)
	FieldValues(context.Context, *query.ValuesQuery) (*engine.FieldValues, error)
	Lineage(ctx context.Context, metric string) (*lineage.Graph, error)
	Validate(ctx context.Context, model []byte) (*engine.Validation, error)
	CompatibleItems(context.Context, *query.CompatibleQuery) (*engine.CompatibleItems, error)
	Prepare(context.Context, query.Body) (engine.Statement, error)
	Attribute(context.Context, *query.AttributeQuery) (*engine.Attribution, error)
}
