package engine

import (
	"context"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ExecuteSQL runs the text of one query as it is written and returns its rows; "" is the
// embedded database. It is for programs that compare the engine with other SQL, and no
// interface offers it. The text is a derived table of the statement, so that it can only
// read, and its rows come in no order. The error is that of ExecuteMetrics, or a *PlanError
// of code bad_request for a text that is not a query.
func (e *Engine) ExecuteSQL(ctx context.Context, connection, text string) (*Result, error) {
	source, err := modelspec.ParseSource(cutLeadingComments(text))
	if err != nil || source.Query == "" {
		return nil, &PlanError{Code: planerr.CodeBadRequest, Message: "the text is not one SELECT: " + planerr.Clip(text)}
	}
	t, err := e.target("", connection)
	if err != nil {
		return nil, err
	}
	if err := t.checkExecutable(); err != nil {
		return nil, err
	}
	// The new line ends a comment at the end of the text.
	return e.runInSlot(ctx, &compiled{target: t, sql: "SELECT * FROM (" + source.Query + "\n) AS expected"})
}

// cutLeadingComments returns the text from its first word on.
func cutLeadingComments(text string) string {
	for {
		text = strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "--"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		default:
			return text
		}
	}
}

// CheckAttribution plans an attribution and writes its SQL; nothing is run. Errors are as
// of Attribute.
func (e *Engine) CheckAttribution(ctx context.Context, q *AttributeQuery) error {
	t, err := e.target(q.Dialect, q.Connection)
	if err != nil {
		return err
	}
	_, _, err = e.compileAttribution(ctx, q, t)
	return err
}
