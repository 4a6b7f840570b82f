package pgwire

import (
	"context"
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/parse"
)

// Engine is the part of an engine that sessions use; *engine.Engine implements it.
type Engine interface {
	CatalogueModel
	Model() engine.ModelInfo
	DefaultTimeZone() string
	DescribeSQL(ctx context.Context, s *query.SQLStatement, tree *parse.Query, declared []string) (*engine.SQLStatementDescription, error)
	Prepare(context.Context, query.Body) (engine.Statement, error)
}

// Model is one revision of a model, which is a database of the server.
type Model struct {
	Name    string // of the database
	Service Engine
}

// Models are the databases of a server until the next Server.ReplaceModels.
type Models struct {
	List []Model
	// Default is the name of the model of sessions that name none; "" for none.
	Default string
}

func (m Models) checkModels() error {
	seen := map[string]bool{}
	for _, one := range m.List {
		switch {
		case one.Service == nil:
			return errors.New("a model has no service")
		case seen[one.Name]:
			return fmt.Errorf("two models are named %s", one.Name)
		}
		seen[one.Name] = true
	}
	return nil
}

// findModel returns the model of a name.
func (m *Models) findModel(name string) (Model, bool) {
	for _, one := range m.List {
		if one.Name == name {
			return one, true
		}
	}
	return Model{}, false
}

// checkCaller returns an error for a caller that reaches none of the models.
func (m *Models) checkCaller(c Caller) error {
	var first error
	for _, one := range m.List {
		err := c.checkModel(one.Name)
		if err == nil {
			return nil
		}
		if first == nil || errors.Is(first, errModelNotInPolicies) {
			first = err
		}
	}
	if first == nil {
		return nil
	}
	return newFatalSessionError(sqlstateInvalidAuthorization, first.Error())
}
