package coerce

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// checkOperandTypes rejects a condition whose operands do not fit each other, as far as
// their types are known, or, of a condition, a value that is not one: engines either reject such a comparison or convert in
// their own ways, and the same query must give the same rows everywhere.
func checkOperandTypes(key string, e sqlexpr.Expr, leaf NameTypeFunc, condition bool) error {
	c := typeMismatchFinder{leaf: leaf}
	if condition {
		c.checkBoolean(e)
	}
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		c.checkNode(x)
		return c.problem == ""
	})
	if c.problem == "" {
		return nil
	}
	return &planerr.Error{Code: planerr.CodeUnsupportedFilter, Message: key + ": " + c.problem, SuggestedRetry: c.retry, ImpossibleConversion: c.conversion}
}

type typeMismatchFinder struct {
	leaf           NameTypeFunc
	problem, retry string
	conversion     bool // the problem is an impossible conversion
}

func (c *typeMismatchFinder) typeOf(e sqlexpr.Expr) sqlexpr.Type { return sqlexpr.TypeOf(e, c.leaf) }

func (c *typeMismatchFinder) recordProblem(problem, retry string) {
	if c.problem == "" {
		c.problem, c.retry = problem, retry
	}
}

// checkBoolean requires a boolean.
func (c *typeMismatchFinder) checkBoolean(e sqlexpr.Expr) {
	if t := c.typeOf(e); t != sqlexpr.TypeBool && t != sqlexpr.TypeUnknown {
		c.recordProblem("a value of type "+t.String()+" is used as a condition", "compare the value with another one")
	}
}

func (c *typeMismatchFinder) checkNode(e sqlexpr.Expr) {
	if x := sqlexpr.FindImpossibleConversion(e, c.leaf); x != nil {
		c.conversion = c.problem == ""
		c.recordProblem(x.Message, x.Advice)
	}
	switch e := e.(type) {
	case *sqlexpr.Unary:
		if e.Op == sqlexpr.OpNot {
			c.checkBoolean(e.X)
		}
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpAnd, sqlexpr.OpOr:
			c.checkBoolean(e.L)
			c.checkBoolean(e.R)
		case sqlexpr.OpEq, sqlexpr.OpNe, sqlexpr.OpLt, sqlexpr.OpLe, sqlexpr.OpGt, sqlexpr.OpGe, sqlexpr.OpIsDistinctFrom, sqlexpr.OpIsNotDistinctFrom:
			c.checkComparison(e.L, e.R)
		case sqlexpr.OpAdd, sqlexpr.OpSub:
			c.checkTimeArithmetic(e)
		}
	case *sqlexpr.Between:
		c.checkComparison(e.X, e.Lo)
		c.checkComparison(e.X, e.Hi)
	case *sqlexpr.In:
		for _, item := range e.Items {
			c.checkComparison(e.X, item)
		}
	case *sqlexpr.Case:
		for _, w := range e.Whens {
			if e.Operand != nil {
				c.checkComparison(e.Operand, w.Cond)
			} else {
				c.checkBoolean(w.Cond)
			}
		}
	}
}

// checkTimeArithmetic requires units beside a date or time: days as a number beside a date, and
// beside anything else an interval. Between timestamps some engines find an
// interval, some a number, and some nothing.
func (c *typeMismatchFinder) checkTimeArithmetic(e *sqlexpr.Binary) {
	l, r := c.typeOf(e.L), c.typeOf(e.R)
	clock := func(t sqlexpr.Type) bool { return t.IsDateOrTimestamp() || t == sqlexpr.TypeTime }
	date, integer := sqlexpr.TypeDate, sqlexpr.TypeInt
	switch {
	case !clock(l) && !clock(r), l == sqlexpr.TypeUnknown, r == sqlexpr.TypeUnknown, l == sqlexpr.TypeInterval, r == sqlexpr.TypeInterval:
	case l == date && r == integer, e.Op == sqlexpr.OpAdd && l == integer && r == date, e.Op == sqlexpr.OpSub && l == date && r == date:
	case e.Op == sqlexpr.OpSub && clock(l) && clock(r):
		c.recordProblem("the difference of a "+l.String()+" and a "+r.String()+" has no unit", "count what lies between them: DATEDIFF('second', start, end)")
	case e.Op == sqlexpr.OpSub:
		c.recordProblem("a "+r.String()+" cannot be taken from a "+l.String(), "name the unit: DATEADD('day', -1, date), or date - INTERVAL '1' DAY")
	default:
		c.recordProblem("a "+l.String()+" and a "+r.String()+" cannot be added", "name the unit: DATEADD('day', 1, date), or date + INTERVAL '1' DAY")
	}
}

// checkComparison requires two values of one family; a text literal passes as a number or
// a date when it reads as one.
func (c *typeMismatchFinder) checkComparison(l, r sqlexpr.Expr) {
	a, z := comparableFamily(c.typeOf(l)), comparableFamily(c.typeOf(r))
	if a == z || a == "" || z == "" || literalParsesAs(l, z) || literalParsesAs(r, a) {
		return
	}
	retry := "compare values of one kind"
	if a == "boolean" || z == "boolean" {
		retry = "compare with TRUE or FALSE"
	}
	c.recordProblem("a value of type "+c.typeOf(l).String()+" is compared with one of type "+c.typeOf(r).String(), retry)
}

// comparableFamily groups the types that compare with each other; "" is unknown.
func comparableFamily(t sqlexpr.Type) string {
	switch {
	case t.IsNumeric():
		return "number"
	case t.IsDateOrTimestamp():
		return "date"
	case t == sqlexpr.TypeUnknown:
		return ""
	default:
		return t.String()
	}
}

func literalParsesAs(e sqlexpr.Expr, family string) bool {
	s, ok := e.(*sqlexpr.String)
	if !ok {
		return false
	}
	switch family {
	case "number":
		return sqlexpr.IsNumberText(s.Value)
	case "date":
		for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04:05.999999", time.RFC3339} {
			if _, err := time.Parse(layout, s.Value); err == nil {
				return true
			}
		}
		return false
	case "time":
		_, err := time.Parse(time.TimeOnly, s.Value)
		return err == nil
	default:
		return false
	}
}
