package resolve

import (
	"errors"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ParseCondition parses a condition of a query and rejects what a query's text
// may not hold: subqueries, windows, aggregates, parameter slots, functions
// outside the expression language. Key names the condition in messages.
func ParseCondition(key, text string) (sqlexpr.Expr, error) {
	e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if err != nil {
		return nil, unsupportedFilterError(key+": "+syntaxErrorText(err), "")
	}
	if sq := sqlexpr.FirstSubquery(e); sq != nil {
		return nil, unsupportedFilterError(key+" holds a subquery", "compare with literal values, for example field IN ('a', 'b')")
	}
	if w := sqlexpr.FirstWindowCall(e); w != nil {
		return nil, unsupportedFilterError(key+" holds a window function", "declare a metric with a window, select it, and name it in where_sql")
	}
	if a := sqlexpr.FirstAggregate(e); a != nil {
		return nil, aggregateInWhereError(key, a)
	}
	switch x := sqlexpr.FirstParamOrUnknownCall(e).(type) {
	case *sqlexpr.Param:
		return nil, unsupportedFilterError(key+" holds the parameter slot :"+x.Name+"; slots belong to metrics", "write the value itself, and bind metric parameters in params")
	case *sqlexpr.Call:
		name := x.Name.Text
		if hint := sqlexpr.HintForEngineForm(x); hint != "" {
			return nil, unsupportedFilterError(key+" calls "+strings.ToUpper(name)+" in a form that depends on the engine", hint)
		}
		err := unsupportedFilterError(key+" calls "+strings.ToUpper(name)+", which is not in the expression language", "")
		err.Candidates = suggest.Nearest(name, sqlexpr.ScalarFunctionNames(), MaxCandidates)
		return nil, err
	}
	if t := sqlexpr.TypeOf(e, func(sqlexpr.Expr) sqlexpr.Type { return sqlexpr.TypeUnknown }); t != sqlexpr.TypeUnknown && t != sqlexpr.TypeBool {
		if _, null := e.(*sqlexpr.Null); !null {
			return nil, unsupportedFilterError(key+" is not a condition: "+sqlexpr.Format(e)+" is of type "+t.String(), "compare it with another value")
		}
	}
	return e, nil
}

// CheckTextFunctionCost checks what the text functions of a resolved condition cost for a row, where it names
// texts that the query makes. nameBytes estimates what a reference stands for.
func CheckTextFunctionCost(key string, e sqlexpr.Expr, nameBytes func(sqlexpr.Expr) int) error {
	if _, over := sqlexpr.CheckTextFunctionCostAndValueBytes(e, sqlexpr.QueryLimits(), nameBytes); over != nil {
		return unsupportedFilterError(key+": with the texts of the query that it names, "+over.Problem, over.Hint)
	}
	return nil
}

func syntaxErrorText(err error) string {
	var syntax *sqlexpr.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Error()
	}
	return err.Error()
}

func unsupportedFilterError(message, retry string) *planerr.Error {
	return &planerr.Error{Code: planerr.CodeUnsupportedFilter, Message: message, SuggestedRetry: retry}
}

func aggregateInWhereError(key string, a *sqlexpr.Call) error {
	text := sqlexpr.Format(a)
	return &planerr.Error{
		Code:           planerr.CodeAggregateInWhere,
		Message:        key + " holds the aggregate " + text,
		SuggestedRetry: "declare a metric with the expression " + text + ", select it in metrics, and name it in where_sql",
	}
}
