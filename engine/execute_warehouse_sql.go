package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ExecuteWarehouseSQL runs the text of one query of the warehouse, in its own SQL, as it is written and returns its rows; "" is the
// embedded database. It is for programs that compare the engine with other SQL, and no
// interface offers it. The text is a derived table of the statement, so that it can only
// read, and its rows come in no order. The error is that of Statement.Execute, or a *planerr.Error
// of code bad_request for a text that is not a query.
func (e *Engine) ExecuteWarehouseSQL(ctx context.Context, connection, text string) (*Result, error) {
	if e.rights != nil {
		return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "SQL of the warehouse reads whole tables, which no reader does"}
	}
	source, err := modelspec.ParseDatasetSource(text)
	if err != nil || source.Query == "" {
		return nil, &planerr.Error{Code: planerr.CodeBadRequest, Message: "the text is not one SELECT: " + planerr.ClipText(text)}
	}
	t, err := e.chooseCompileTarget("", connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	// The new line ends a comment at the end of the text.
	return e.executeInSlot(ctx, &compiledQuery{target: t, sql: "SELECT * FROM (" + source.Query + "\n) AS expected"})
}
