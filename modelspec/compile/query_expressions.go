package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// The codes of what a query adds to a model that a model cannot have. The planner reports them.
const (
	CodeUnsupportedExpressionInQuery = "unsupported_expression"
	CodeUnknownMetricInQuery         = "unknown_metric"
	CodeUnknownDimensionInQuery      = "unknown_dimension"
	CodeUnknownRelationshipInQuery   = "unknown_relationship"
	CodeDuplicateOutputNameInQuery   = "duplicate_output_name"
	CodeBadRequest                   = "bad_request"
)

// ParseQueryScalarExpr parses an expression of a query over the values of one row. It rejects what a query's
// text may not hold, and aggregates, windows and subqueries.
func ParseQueryScalarExpr(text, location string) (sqlexpr.Expr, *modelspec.CompileError) {
	e, err := parseMetricQueryExpression(text, location, sqlexpr.ScalarFunctionNames)
	if err != nil {
		return nil, err
	}
	return e, refuseNonRowExpression(e, location)
}

// parseMetricQueryExpression parses an expression that comes with a query: within the limits of a condition,
// over functions of the language alone, without parameter slots. Functions lists the names that
// its place may call.
func parseMetricQueryExpression(text, location string, functions func() []string) (sqlexpr.Expr, *modelspec.CompileError) {
	e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if err != nil {
		failure := expressionSyntaxError(location, modelspec.LocatedText{Value: text}, err)
		if syntax := (*sqlexpr.SyntaxError)(nil); errors.As(err, &syntax) && syntax.Unsupported {
			failure.Code = CodeUnsupportedExpressionInQuery
		}
		return nil, failure
	}
	switch x := sqlexpr.FirstParamOrUnknownCall(e).(type) {
	case *sqlexpr.Param:
		return nil, unsupportedExpressionError(location, "write the value itself, and bind metric parameters in params",
			"%s is a parameter slot; slots belong to the metrics of a model", quoteExpr(x))
	case *sqlexpr.Call:
		if hint := sqlexpr.HintForEngineForm(x); hint != "" {
			return nil, unsupportedExpressionError(location, hint, "%s is called in a form that depends on the engine", shortenText(strings.ToUpper(x.Name.Text)))
		}
		failure := unsupportedExpressionError(location, "", "%s is not a function of the expression language", shortenText(strings.ToUpper(x.Name.Text)))
		failure.Candidates = suggest.Nearest(x.Name.Text, functions(), suggest.MaxCandidates)
		return nil, failure
	}
	return e, nil
}

// estimateTextFunctionCost checks what the text functions of an expression cost for a row, and estimates the
// bytes of its value. A name of another text of the query stands for the text that this one makes: a chain of texts
// that each double would grow without end.
func (c *compiler) estimateTextFunctionCost(e sqlexpr.Expr, f *fieldInProgress, location string) (int, *modelspec.CompileError) {
	bytes, problem := sqlexpr.CheckTextFunctionCostAndValueBytes(e, sqlexpr.QueryLimits(), func(name sqlexpr.Expr) int {
		column, ok := name.(*sqlexpr.Column)
		if !ok {
			return 0
		}
		return c.estimateNamedTextBytes(column, f)
	})
	if problem != nil {
		return 0, unsupportedExpressionError(location, problem.Hint, "with the texts of the query that it names, %s", problem.Problem)
	}
	return bytes, nil
}

// estimateNamedTextBytes returns the estimate for what a name may stand for: a metric of the query, a field of the
// same dataset as f, or any field.
func (c *compiler) estimateNamedTextBytes(column *sqlexpr.Column, f *fieldInProgress) int {
	bytes := 0
	name := column.Path[len(column.Path)-1]
	if len(column.Path) == 1 {
		if m := c.findMetricByName(name.Text); m != nil {
			bytes = m.cat.TextBytes
		}
		if f != nil {
			if own := f.ds.findFieldOfIdentifier(name); own != nil {
				bytes = max(bytes, own.cat.TextBytes)
			}
		}
		for _, named := range c.fieldsOfBareName(name.Text) {
			bytes = max(bytes, named.cat.TextBytes)
		}
		return bytes
	}
	if named, err := c.resolveFieldReference(column); err == nil {
		bytes = max(bytes, named.field.cat.TextBytes)
	}
	return bytes
}

// refuseNonRowExpression rejects what is not a value of one row.
func refuseNonRowExpression(e sqlexpr.Expr, location string) *modelspec.CompileError {
	if q := sqlexpr.FirstSubquery(e); q != nil {
		return unsupportedExpressionError(location, "name fields, or let the source of the dataset select the value", "the expression holds a subquery: %s", quoteExpr(q))
	}
	if w := sqlexpr.FirstWindowCall(e); w != nil {
		return unsupportedExpressionError(location, "declare a window on a metric of the model", "the expression holds a window function: %s", quoteExpr(w))
	}
	if a := sqlexpr.FirstAggregate(e); a != nil {
		failure := unsupportedExpressionError(location, "name a field with an lod grain, which aggregates for each of its keys", "the expression holds the aggregate %s", quoteExpr(a))
		failure.Candidates = suggest.Nearest(a.Name.Text, sqlexpr.ScalarFunctionNames(), suggest.MaxCandidates)
		return failure
	}
	return nil
}

func unsupportedExpressionError(location, hint, format string, args ...any) *modelspec.CompileError {
	return queryPartError(CodeUnsupportedExpressionInQuery, location, hint, format, args...)
}

// queryPartError returns the error of a part of a query.
func queryPartError(code, location, hint, format string, args ...any) *modelspec.CompileError {
	return &modelspec.CompileError{Code: code, Location: location, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// functionNamesAllowedInMetrics lists the functions that a metric may call.
func functionNamesAllowedInMetrics() []string {
	return append(catalog.AggregateFunctionNames(), sqlexpr.ScalarFunctionNames()...)
}

// refuseListaggInQuery rejects the aggregates that belong in a model: the text that LISTAGG makes has
// no bound.
func refuseListaggInQuery(e sqlexpr.Expr, location string) *modelspec.CompileError {
	if !sqlexpr.HasNode(e, func(c *sqlexpr.Call) bool { return c.Fn == sqlexpr.FnListagg }) {
		return nil
	}
	out := unsupportedExpressionError(location, "declare the metric in the model", "LISTAGG makes a text without a bound, which only a metric of the model may do")
	out.Candidates = slices.DeleteFunc(catalog.AggregateFunctionNames(), func(name string) bool { return name == "LISTAGG" })
	return out
}
