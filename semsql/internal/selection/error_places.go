package selection

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// locatePlanError returns the error of a query of rows at its place in the statement.
func (r *rowsQuery) locatePlanError(err error) error {
	out := sqlerror.FromPlannerError(err, r.syntax.Pos())
	var e *sqlerror.Error
	var planned *planerr.Error
	if errors.As(err, &planned) && errors.As(out, &e) {
		e.Position = r.conditionPosition(planned, e.Position)
		return e.WithSuggestedStatement(r.suggestedStatement(planned))
	}
	return out
}

// locatePlanError returns the error of a query at its place in the statement. For a window whose time axis is not grouped the
// retry groups by its months.
func (q *metricQuery) locatePlanError(err error) error {
	out := sqlerror.FromPlannerError(err, q.syntax.Pos())
	var e *sqlerror.Error
	var planned *planerr.Error
	if errors.As(err, &planned) && errors.As(out, &e) {
		e.Position = q.conditionPosition(planned, q.errorPosition(planned))
		if statement := q.suggestedStatement(planned); statement != "" {
			return e.WithSuggestedStatement(statement)
		}
	}
	if !errors.As(out, &e) || e.Code != planerr.CodeUnknownDimension || q.view != nil {
		return out
	}
	for _, m := range q.measures {
		if m.ref.Metric == nil || !m.ref.Metric.NeedsTimeAxis(q.Dialect) {
			continue
		}
		axis := relations.MetricTime
		if q.WideSource() == nil {
			field := m.ref.Metric.TimeAxisField()
			if field == nil || field.Dataset != q.Root {
				return out
			}
			axis = field.Name
		}
		e.Position = m.at
		grouped := *q.syntax
		month := dateTruncCall("month", &parse.Column{Path: []parse.Name{{Text: axis}}})
		grouped.GroupBy = append(append([]parse.Expr(nil), grouped.GroupBy...), month)
		return e.WithMetrics(m.ref.Metric.Name).WithSuggestedStatement(q.FormatWithReplacedPart(q.syntax, func() parse.Node { return &grouped }))
	}
	return out
}

// conditionPosition returns the position of WHERE's condition, or of HAVING's, for an error of the planner about a condition.
func (c *selectClauses) conditionPosition(e *planerr.Error, otherwise int) int {
	switch {
	case !sqlerror.IsAboutCondition(e):
	case c.syntax.Where != nil && c.syntax.Where.Pos() > 0:
		return c.syntax.Where.Pos()
	case c.syntax.Having != nil && c.syntax.Having.Pos() > 0:
		return c.syntax.Having.Pos()
	}
	return otherwise
}

// errorPosition returns the position in the statement that an error of the planner concerns: the group that a retry changes, or a metric.
func (q *metricQuery) errorPosition(e *planerr.Error) int {
	if body, ok := q.body.ApplyRetryFragment(e.Fragment); ok && e.Fragment != nil {
		for i, g := range q.body.GroupBy {
			if at := q.groups[i].expr.Pos(); i < len(body.GroupBy) && body.GroupBy[i] != g && at > 0 {
				return at
			}
		}
	}
	for i, m := range q.measures {
		if slices.Contains(e.Metrics, q.names[len(q.groups)+i]) && m.at > 0 {
			return m.at
		}
	}
	return q.syntax.Pos()
}

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
