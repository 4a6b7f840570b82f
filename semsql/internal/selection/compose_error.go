package selection

import (
	"errors"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// codesByRefusalReason are the codes of what a composition rejects.
var codesByRefusalReason = map[compose.RefusalReason]string{
	compose.UngroupedColumn: sqlerror.CodeGroupByRequired, compose.NestedAggregate: codeNestedAggregate,
	compose.MisplacedAggregate: planerr.CodeAggregateInWhere, compose.MisplacedWindowCall: sqlerror.CodeUnsupported,
	compose.UnsupportedFunction: sqlerror.CodeUnsupported, compose.StringArgument: "unsupported_aggregate", compose.ScalarHasManyRows: sqlerror.CodeUnsupported, compose.ColumnCountMismatch: sqlerror.CodeSyntax,
	compose.ColumnTypeMismatch: sqlerror.CodeUnsupported, compose.DistinctOrderUnselected: sqlerror.CodeUnsupported, compose.StatementTooLarge: planerr.CodeBadRequest,
}

// locateComposeError returns the error of a composition at its place in the statement.
func locateComposeError(err error, at int) error {
	var e *compose.Error
	if !errors.As(err, &e) {
		return sqlerror.FromPlannerError(err, at)
	}
	if e.At != nil && e.At.Pos() > 0 {
		at = e.At.Pos()
	}
	out := sqlerror.New(codesByRefusalReason[e.Problem], at, e.Message)
	switch e.Problem {
	case compose.StatementTooLarge:
		out = out.WithSQLState(sqlerror.SQLStateTooComplex)
	case compose.StringArgument:
		out = out.WithHint(sqlexpr.NumberCastHint)
	case compose.DistinctOrderUnselected:
		out = out.WithSQLState(sqlerror.SQLStateInvalidColumnReference)
	}
	return out
}
