package resolve

import (
	"strconv"
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
		return nil, sqlerror.New(sqlerror.CodeUnsupported, c.CharacterPosition(), "a window call has no meaning in this place").
			WithHint("select the rows in a derived table and write the window call around it")
	}
	name := strings.ToLower(c.Function.Text)
	if rows, ok, err := s.readRowCountAggregate(name, c); ok || err != nil {
		return rows, err
	}
	if x, ok, err := s.readAggregatedMetric(name, c); ok || err != nil {
		return x, err
	}
	if x, ok, err := s.lowerPostgresCall(name, c); ok || err != nil {
		return x, err
	}
	if name == "date_trunc" {
		if err := checkTruncPart(c); err != nil {
			return nil, err
		}
	}
	b := callTemplateWriter{scope: s, origin: c}
	if err := b.writeCall(name, c); err != nil {
		return nil, err
	}
	out, err := parseExpressionTemplate(c, b.text.String(), b.operands...)
	if err != nil {
		return nil, err
	}
	if foreign, ok := sqlexpr.FirstParamOrUnknownCall(out).(*sqlexpr.Call); ok {
		return nil, unknownFunctionError(c.CharacterPosition(), foreign.Name.Text)
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
		return sqlerror.New("unsupported_aggregate", c.CharacterPosition(), "the aggregate "+strings.ToUpper(c.Function.Text)+" is not supported").WithHint("the aggregates are " + strings.Join(catalog.AggregateFunctionNames(), ", "))
	}
	for _, arg := range agg.Args {
		if inner := sqlexpr.FirstAggregate(arg); inner != nil {
			return nestedAggregateError(c)
		}
		for ref := range s.Refs.ReferencesOf(arg) {
			switch {
			case ref.Kind == RowCountReferenceKind, ref.Marked:
				return nestedAggregateError(c)
			case ref.Kind == MetricReferenceKind:
				return s.metricAggregateMismatchError(c, ref.Metric)
			}
		}
	}
	return nil
}

func nestedAggregateError(c *parse.Call) error {
	return sqlerror.New("nested_aggregate", c.CharacterPosition(), "an aggregate is inside of the aggregate "+strings.ToUpper(c.Function.Text)).
		WithHint("group in a derived table and aggregate its rows")
}

func unknownFunctionError(at int, name string) error {
	e := sqlerror.New(planerr.CodeBadRequest, at, "the function "+planerr.ClipText(name)+" does not exist").WithSQLState(sqlerror.SQLStateUndefinedFunction)
	return e.WithCandidates(suggest.Nearest(name, sqlexpr.ScalarFunctionNames(), sqlerror.MaxCandidates))
}

// callTemplateWriter writes a call as a text of the expression language: literals as they are, other operands as slots.
type callTemplateWriter struct {
	scope    *Scope
	origin   *parse.Call
	text     strings.Builder
	operands []sqlexpr.Expr
}

func (b *callTemplateWriter) writeCall(name string, c *parse.Call) error {
	b.text.WriteString(plainWordsOrUnknownWord(name))
	b.text.WriteByte('(')
	if c.Distinct {
		b.text.WriteString("DISTINCT ")
	}
	for i, arg := range c.Arguments {
		if i > 0 {
			b.text.WriteString(", ")
		}
		if part, ok := datePartWord(name, i, arg); ok {
			b.text.WriteString(quoteAsTextLiteral(part))
		} else if err := b.writeOperand(arg); err != nil {
			return err
		}
	}
	b.text.WriteByte(')')
	if err := b.writeOrderBy(append(append([]*parse.OrderItem(nil), c.OrderBy...), c.WithinGroup...)); err != nil {
		return err
	}
	if c.Filter == nil {
		return nil
	}
	b.text.WriteString(" FILTER (WHERE ")
	if err := b.writeOperand(c.Filter); err != nil {
		return err
	}
	b.text.WriteByte(')')
	return nil
}

func (b *callTemplateWriter) writeOperand(e parse.Expr) error {
	x, err := b.scope.LowerExpr(e)
	if err != nil {
		return err
	}
	if isLiteral(x) {
		b.text.Write(sqlexpr.AppendFormatted(nil, x))
		return nil
	}
	b.text.WriteString(":a" + strconv.Itoa(len(b.operands)))
	b.operands = append(b.operands, x)
	return nil
}

// writeOrderBy writes what an ordered aggregate orders by.
func (b *callTemplateWriter) writeOrderBy(items []*parse.OrderItem) error {
	if len(items) == 0 {
		return nil
	}
	if len(items) > 1 || items[0].Nulls != parse.NullsDefault {
		return sqlerror.New(sqlerror.CodeUnsupported, items[0].CharacterPosition(), "an aggregate orders by one expression, NULL last")
	}
	b.text.WriteString(" WITHIN GROUP (ORDER BY ")
	if err := b.writeOperand(items[0].X); err != nil {
		return err
	}
	if items[0].Desc {
		b.text.WriteString(" DESC")
	}
	b.text.WriteByte(')')
	return nil
}

// isLiteral reports whether an expression is a literal, possibly negated.
func isLiteral(e sqlexpr.Expr) bool {
	switch e := e.(type) {
	case *sqlexpr.Number, *sqlexpr.String, *sqlexpr.Bool, *sqlexpr.Null, *sqlexpr.TypedLiteral, *sqlexpr.Interval:
		return true
	case *sqlexpr.Unary:
		_, number := e.X.(*sqlexpr.Number)
		return number && e.Op != sqlexpr.OpNot
	}
	return false
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
	return sqlerror.New(sqlerror.CodeUnsupported, c.Arguments[0].CharacterPosition(), "DATE_TRUNC begins with one of its parts as text").WithCandidates(sqlexpr.GrainNames())
}

// lowerPostgresCall reads functions of PostgreSQL that the language has under another form.
func (s *Scope) lowerPostgresCall(name string, c *parse.Call) (x sqlexpr.Expr, ok bool, err error) {
	plain := !c.Distinct && c.Filter == nil && len(c.OrderBy)+len(c.WithinGroup) == 0
	if !plain {
		return nil, false, nil
	}
	switch {
	case name == "date" && len(c.Arguments) == 1:
		x, err = s.lowerCast(&parse.Cast{Pos: c.Pos, X: c.Arguments[0], To: &parse.TypeName{Pos: c.Pos, Name: "date"}})
		return x, true, err
	case (name == "to_date" || name == "to_timestamp") && len(c.Arguments) == 2:
		x, err = s.lowerToDateOrToTimestamp(name, c)
		return x, true, err
	case name == "strpos" && len(c.Arguments) == 2:
		list, err := s.lowerExprs(c.Arguments)
		if err != nil {
			return nil, true, err
		}
		x, err = parseExpressionTemplate(c, "POSITION(:a1, :a0)", list...)
		return x, true, err
	case name == "floor" && len(c.Arguments) == 1:
		return s.lowerSecondsBucket(c)
	case name == "now" && len(c.Arguments) == 0:
		x, err = parseExpressionTemplate(c, "CURRENT_TIMESTAMP")
		return x, true, err
	}
	return nil, false, nil
}
