package resolve

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// lowerCall turns a call of a function or of an aggregate into one of the expression language.
func (s *Scope) lowerCall(c *parse.Call) (sqlexpr.Expr, error) {
	if c.Over != nil && s.results {
		return s.lowerWindow(c)
	}
	if c.Over != nil {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.Pos(), "a window call has no meaning in this place").
			WithHint("select the rows in a derived table and write the window call around it")
	}
	if c.IsGrouping() {
		return s.lowerGroupingCall(c)
	}
	name := strings.ToLower(c.Function.Text)
	if rows, ok, err := s.readRowCountAggregate(name, c); ok || err != nil {
		return rows, err
	}
	if x, ok, err := s.readAggregatedMetric(name, c); ok || err != nil {
		return x, err
	}
	plain := withTextsUnderCasts(c)
	if x, ok, err := s.lowerPostgresCall(name, plain); ok || err != nil {
		return x, err
	}
	if name == "date_trunc" {
		if err := checkTruncPart(plain); err != nil {
			return nil, err
		}
	}
	out, err := s.newCall(name, plain)
	if err != nil {
		return nil, err
	}
	if name == "date_trunc" && !s.isBucketOfColumn(out) {
		return s.truncateOnSessionClock(out), nil
	}
	switch made := out.(type) {
	case *sqlexpr.Extract: // DATE_PART
		made.X = s.onSessionClock(made.X)
	case *sqlexpr.Call:
		if made.Fn == sqlexpr.FnUnknown {
			return nil, unknownFunctionError(c.Pos(), made.Name.Text)
		}
		if _, isPart := made.Fn.ExtractPart(); isPart {
			made.Args[0] = s.onSessionClock(made.Args[0])
		}
	}
	return out, s.checkAggregate(c, out)
}

// checkAggregate rejects an aggregate outside the language, over another, and over an expression that reads a metric.
func (s *Scope) checkAggregate(c *parse.Call, e sqlexpr.Expr) error {
	agg, ok := e.(*sqlexpr.Call)
	if !ok || sqlexpr.InfoOfFunction(agg.Fn).Class != sqlexpr.ClassAggregate {
		return nil
	}
	if _, known := catalog.AggOfCall(agg); !known {
		return sqlerror.New("unsupported_aggregate", c.Pos(), "the aggregate "+strings.ToUpper(c.Function.Text)+" is not supported").WithHint("the aggregates are " + strings.Join(catalog.AggregateFunctionNames(), ", "))
	}
	for _, arg := range agg.Args {
		if inner := sqlexpr.FirstAggregate(arg); inner != nil {
			return nestedAggregateError(c)
		}
		for ref := range s.Refs.ReferencesOf(arg) {
			switch {
			case ref.Kind == RowCountReferenceKind, ref.Kind == GroupingReferenceKind, ref.Marked:
				return nestedAggregateError(c)
			case ref.Kind == MetricReferenceKind:
				return s.metricAggregateMismatchError(c, ref.Metric)
			}
		}
	}
	return nil
}

func nestedAggregateError(c *parse.Call) error {
	return sqlerror.New("nested_aggregate", c.Pos(), "an aggregate is inside of the aggregate "+strings.ToUpper(c.Function.Text)).
		WithHint("group in a derived table and aggregate its rows")
}

func unknownFunctionError(at int, name string) error {
	e := sqlerror.New(planerr.CodeBadRequest, at, "the function "+planerr.ClipText(name)+" does not exist").WithSQLState(sqlerror.SQLStateUndefinedFunction)
	return e.WithCandidates(suggest.Nearest(name, sqlexpr.ScalarFunctionNames(), sqlerror.MaxCandidates)).WithHint(hintByMissingFunction[strings.ToLower(name)])
}

// hintByMissingFunction are the functions of PostgreSQL that another expression replaces.
var hintByMissingFunction = map[string]string{
	"date_bin": "DATE_TRUNC('hour', x) makes buckets of a unit, FLOOR(EXTRACT(EPOCH FROM x) / n) those of n seconds",
	"age":      "write DATEDIFF('day', start, end), or start - end for the days between two dates",

	"json_build_object": selectColumnsHint, "json_build_array": selectColumnsHint,
	"jsonb_build_object": selectColumnsHint, "jsonb_build_array": selectColumnsHint,
	"to_json": selectColumnsHint, "to_jsonb": selectColumnsHint, "row_to_json": selectColumnsHint,
}

const selectColumnsHint = "select the values as columns; POST /v1/sql/execute returns the rows of a statement as JSON"

// newCall lowers the operands of a call and returns the call of the language.
func (s *Scope) newCall(name string, c *parse.Call) (sqlexpr.Expr, error) {
	parts := sqlexpr.CallParts{Position: sqlexpr.Position(c.Pos()), Name: sqlexpr.Name{Text: name}, Distinct: c.Distinct}
	for i, arg := range c.Arguments {
		x, err := s.lowerArgument(name, i, arg)
		if err != nil {
			return nil, err
		}
		parts.Args = append(parts.Args, x)
	}
	order := slices.Concat(c.OrderBy, c.WithinGroup)
	if len(order) > 1 || len(order) == 1 && order[0].Nulls == parse.NullsFirst {
		return nil, sqlerror.New(sqlerror.CodeUnsupported, order[0].Pos(), "an aggregate orders by one expression, NULL last")
	}
	for _, o := range order {
		x, err := s.LowerExpr(o.X)
		if err != nil {
			return nil, err
		}
		parts.Order = append(parts.Order, sqlexpr.OrderItem{X: x, Desc: o.Desc})
	}
	if c.Filter != nil {
		var err error
		if parts.Filter, err = s.LowerExpr(c.Filter); err != nil {
			return nil, err
		}
	}
	out, err := s.newCallOfLiterals(parts)
	if err != nil {
		return nil, newExpressionError(c, err)
	}
	return out, nil
}

// lowerArgument lowers an argument; a part of a date that is written as a word is a text: DATEADD(day, 1, x).
func (s *Scope) lowerArgument(function string, i int, e parse.Expr) (sqlexpr.Expr, error) {
	if part, ok := datePartWord(function, i, e); ok {
		return &sqlexpr.String{Position: sqlexpr.Position(e.Pos()), Value: part}, nil
	}
	return s.LowerExpr(e)
}

// newExpressionError returns the error of an expression that the language does not have.
func newExpressionError(origin parse.Expr, err error) error {
	var syntax *sqlexpr.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	return sqlerror.New("unsupported_expression", origin.Pos(), syntax.Error()).WithHint(syntax.Hint)
}

// datePartWord returns the part of a date that is written as a word: DATEADD(day, 1, x).
func datePartWord(function string, argument int, e parse.Expr) (string, bool) {
	c, ok := e.(*parse.Column)
	if !ok || argument > 0 || function != "dateadd" && function != "datediff" || len(c.Path) != 1 || c.Path[0].Quoted {
		return "", false
	}
	return strings.ToLower(c.Path[0].Text), true
}

// checkTruncPart rejects parts of DATE_TRUNC that are not grains, and one that only a parameter gives.
func checkTruncPart(c *parse.Call) error {
	if len(c.Arguments) == 0 {
		return nil
	}
	part, ok := c.Arguments[0].(*parse.String)
	if ok {
		if _, known := sqlexpr.ParseGrain(strings.ToLower(part.Value)); known {
			return nil
		}
	}
	return sqlerror.New(sqlerror.CodeUnsupported, c.Arguments[0].Pos(), "DATE_TRUNC begins with one of its parts as text").WithCandidates(sqlexpr.GrainNames())
}

// isBucketOfColumn reports whether DATE_TRUNC is of a column of the model, which the query truncates by its own clock.
func (s *Scope) isBucketOfColumn(e sqlexpr.Expr) bool {
	call, ok := e.(*sqlexpr.Call)
	if !ok || len(call.Args) != 2 || s.results {
		return false
	}
	x := call.Args[1]
	if cast, isCast := x.(*sqlexpr.Cast); isCast {
		x = cast.X
	}
	if operand, onClock := s.OperandOfSessionClock(x); onClock {
		x = operand
	}
	_, ok = x.(*sqlexpr.Ref)
	return ok
}

// lowerPostgresCall reads functions of PostgreSQL that the language has under another form.
func (s *Scope) lowerPostgresCall(name string, c *parse.Call) (x sqlexpr.Expr, ok bool, err error) {
	plain := !c.Distinct && c.Filter == nil && len(c.OrderBy)+len(c.WithinGroup) == 0
	if !plain {
		return nil, false, nil
	}
	switch {
	case name == "date" && len(c.Arguments) == 1:
		x, err = s.lowerCast(&parse.Cast{Position: c.Position, X: c.Arguments[0], To: &parse.TypeName{Position: parse.Position(c.Position), Name: "date"}})
		return x, true, err
	case (name == "to_date" || name == "to_timestamp") && len(c.Arguments) == 2:
		x, err = s.lowerToDateOrToTimestamp(name, c)
		return x, true, err
	case name == "to_timestamp" && len(c.Arguments) == 1:
		x, ok := lowerEpochNumber(c)
		return x, ok, nil
	case name == "to_char" && len(c.Arguments) == 2:
		x, err = s.lowerToChar(c)
		return x, true, err
	case name == "make_date" && len(c.Arguments) == 3:
		x, err = lowerMakeDate(c)
		return x, true, err
	case name == "strpos" && len(c.Arguments) == 2:
		list, err := s.lowerExprs(c.Arguments)
		if err != nil {
			return nil, true, err
		}
		return newFunctionCall(c, sqlexpr.FnPosition, list[1], list[0]), true, nil
	case name == "floor" && len(c.Arguments) == 1:
		return s.lowerSecondsBucket(c)
	case name == "now" && len(c.Arguments) == 0:
		return s.lowerNow(c), true, nil
	case name == "timezone" && len(c.Arguments) == 2:
		x, err = s.lowerAtTimeZone(c)
		return x, true, err
	}
	return nil, false, nil
}

// newFunctionCall returns a call of a function of the language in the place of an expression.
func newFunctionCall(origin parse.Expr, fn sqlexpr.Func, args ...sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Position: sqlexpr.Position(origin.Pos()), Fn: fn, Name: sqlexpr.Name{Text: sqlexpr.InfoOfFunction(fn).Name}, Args: args}
}
