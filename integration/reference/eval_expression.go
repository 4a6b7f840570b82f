package reference

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// evalContext resolves the leaves of an expression. A function that is nil has no
// leaf of its kind.
type evalContext struct {
	column func(*sqlexpr.Column) Value
	ref    func(id int) Value
	param  func(name string) Value
}

// unsupportedExprPanic is the panic of a text that the reference has no meaning for; Metrics
// turns it into an error.
type unsupportedExprPanic struct{ what string }

func failUnsupported(format string, args ...any) {
	panic(unsupportedExprPanic{fmt.Sprintf(format, args...)})
}

// eval is SQL's three-valued meaning of an expression.
func (v evalContext) eval(x sqlexpr.Expr) Value {
	switch x := x.(type) {
	case *sqlexpr.Column:
		return v.column(x)
	case *sqlexpr.Ref:
		return v.ref(x.ID)
	case *sqlexpr.Param:
		return v.param(x.Name)
	case *sqlexpr.Number:
		n, err := strconv.ParseFloat(x.Text, 64)
		if err != nil {
			failUnsupported("the number %s", x.Text)
		}
		return n
	case *sqlexpr.String:
		return x.Value
	case *sqlexpr.Bool:
		return x.Value
	case *sqlexpr.Null:
		return nil
	case *sqlexpr.TypedLiteral:
		t, err := ParseTime(x.Value)
		if err != nil {
			failUnsupported("the literal %s", x.Value)
		}
		return t
	case *sqlexpr.Unary:
		return evalUnary(x.Op, v.eval(x.X))
	case *sqlexpr.Binary:
		if by, ok := x.R.(*sqlexpr.Interval); ok {
			return evalInterval(x.Op, v.eval(x.L), by)
		}
		if by, ok := x.L.(*sqlexpr.Interval); ok && x.Op == sqlexpr.OpAdd {
			return evalInterval(x.Op, v.eval(x.R), by)
		}
		return evalBinary(x.Op, v.eval(x.L), v.eval(x.R))
	case *sqlexpr.SafeDivide:
		return evalBinary(sqlexpr.OpDiv, v.eval(x.L), v.eval(x.R))
	case *sqlexpr.Between:
		a := v.eval(x.X)
		return negateIf(x.Not, andValues(evalBinary(sqlexpr.OpGe, a, v.eval(x.Lo)), evalBinary(sqlexpr.OpLe, a, v.eval(x.Hi))))
	case *sqlexpr.In:
		return v.evalIn(x)
	case *sqlexpr.Like:
		return v.evalLike(x)
	case *sqlexpr.IsNull:
		return (v.eval(x.X) == nil) != x.Not
	case *sqlexpr.IsTruth:
		return (v.eval(x.X) == x.Want) != x.Not
	case *sqlexpr.Case:
		return v.evalCase(x)
	case *sqlexpr.Cast:
		if x.Try {
			return tryCastValue(v.eval(x.X), x.To)
		}
		return castValue(v.eval(x.X), x.To)
	case *sqlexpr.Bucket:
		if x.Grain != sqlexpr.GrainDay || x.Zone != nil {
			failUnsupported("%s", sqlexpr.Format(x))
		}
		value := v.eval(x.X)
		if at, isTime := toTimestamp(value); isTime {
			return at.toDate() // a Date field that another field names
		}
		return value
	case *sqlexpr.DeclaredTypeExpr:
		return v.eval(x.X)
	case *sqlexpr.Extract:
		return extractCalendarPart(x.Part, v.eval(x.X))
	case *sqlexpr.Call:
		return v.evalCall(x)
	}
	failUnsupported("%s", sqlexpr.Format(x))
	return nil
}

// isTrue reports whether a condition is true: neither false nor NULL.
func (v evalContext) isTrue(x sqlexpr.Expr) bool {
	value := v.eval(x)
	if _, isText := value.(string); isText {
		abstain("a text as a condition")
	}
	return isTrue(value)
}

func (v evalContext) evalIn(x *sqlexpr.In) Value {
	a := v.eval(x.X)
	var found Value = false
	for _, item := range x.Items {
		found = orValues(found, evalBinary(sqlexpr.OpEq, a, v.eval(item)))
	}
	return negateIf(x.Not, found)
}

func (v evalContext) evalCase(x *sqlexpr.Case) Value {
	for _, w := range x.Whens {
		cond := v.eval(w.Cond)
		if x.Operand != nil {
			cond = evalBinary(sqlexpr.OpEq, v.eval(x.Operand), cond)
		}
		if isTrue(cond) {
			return v.eval(w.Then)
		}
	}
	if x.Else == nil {
		return nil
	}
	return v.eval(x.Else)
}

func (v evalContext) evalLike(x *sqlexpr.Like) Value {
	a, pattern := v.eval(x.X), v.eval(x.Pattern)
	if a == nil || pattern == nil {
		return nil
	}
	text, glob := a.(string), pattern.(string)
	if x.Fold {
		text, glob = strings.ToLower(text), strings.ToLower(glob)
	}
	escape := "" // a backslash is itself
	if x.Escape != nil {
		escape, _ = v.eval(x.Escape).(string)
	}
	return negateIf(x.Not, matchesLike([]rune(text), []rune(glob), []rune(escape)))
}

func matchesLike(text, glob, escape []rune) bool {
	switch {
	case len(glob) == 0:
		return len(text) == 0
	case len(escape) == 1 && glob[0] == escape[0] && len(glob) > 1:
		return len(text) > 0 && text[0] == glob[1] && matchesLike(text[1:], glob[2:], escape)
	case glob[0] == '%':
		return matchesLike(text, glob[1:], escape) || len(text) > 0 && matchesLike(text[1:], glob, escape)
	}
	return len(text) > 0 && (glob[0] == '_' || glob[0] == text[0]) && matchesLike(text[1:], glob[1:], escape)
}

func evalUnary(op sqlexpr.UnaryOp, a Value) Value {
	if a == nil {
		return nil
	}
	switch op {
	case sqlexpr.OpNot:
		return !a.(bool)
	case sqlexpr.OpNeg:
		return -toFloat(a)
	}
	return a
}

func negateIf(not bool, a Value) Value {
	if b, ok := a.(bool); ok && not {
		return !b
	}
	return a
}

// requireBool rejects a value that is neither true nor false.
func requireBool(a Value) {
	if _, ok := a.(bool); a != nil && !ok {
		abstain("a condition of %T", a)
	}
}

func andValues(a, b Value) Value {
	requireBool(a)
	requireBool(b)
	switch {
	case isFalse(a) || isFalse(b):
		return false
	case a == nil || b == nil:
		return nil
	}
	return true
}

func orValues(a, b Value) Value {
	requireBool(a)
	requireBool(b)
	switch {
	case isTrue(a) || isTrue(b):
		return true
	case a == nil || b == nil:
		return nil
	}
	return false
}

func evalBinary(op sqlexpr.BinaryOp, a, b Value) Value {
	switch op {
	case sqlexpr.OpAnd:
		return andValues(a, b)
	case sqlexpr.OpOr:
		return orValues(a, b)
	case sqlexpr.OpIsDistinctFrom:
		return groupKey(a) != groupKey(b)
	case sqlexpr.OpIsNotDistinctFrom:
		return groupKey(a) == groupKey(b)
	}
	if a == nil || b == nil {
		return nil
	}
	switch op {
	case sqlexpr.OpEq, sqlexpr.OpNe, sqlexpr.OpLt, sqlexpr.OpLe, sqlexpr.OpGt, sqlexpr.OpGe:
		return evalComparison(op, a, b)
	case sqlexpr.OpConcat:
		return FormatValue(a) + FormatValue(b)
	}
	return evalArithmetic(op, a, b)
}

func evalComparison(op sqlexpr.BinaryOp, a, b Value) Value {
	order, ok := compareNonNull(a, b)
	if !ok {
		abstain("a comparison of %T with %T", a, b)
	}
	switch op {
	case sqlexpr.OpEq:
		return order == 0
	case sqlexpr.OpNe:
		return order != 0
	case sqlexpr.OpLt:
		return order < 0
	case sqlexpr.OpLe:
		return order <= 0
	case sqlexpr.OpGt:
		return order > 0
	}
	return order >= 0
}

// evalArithmetic of numbers; a zero divisor gives NULL.
func evalArithmetic(op sqlexpr.BinaryOp, a, b Value) Value {
	if isDateOrTimestamp(a) || isDateOrTimestamp(b) {
		return evalDateArithmetic(op, a, b)
	}
	x, y := toFloat(a), toFloat(b)
	switch op {
	case sqlexpr.OpAdd:
		return x + y
	case sqlexpr.OpSub:
		return x - y
	case sqlexpr.OpMul:
		return x * y
	case sqlexpr.OpDiv:
		if y == 0 {
			return nil
		}
		return x / y
	case sqlexpr.OpMod:
		if y == 0 {
			return nil
		}
		return math.Mod(x, y)
	}
	failUnsupported("the operator %d", op)
	return nil
}

func isDateOrTimestamp(a Value) bool {
	switch a.(type) {
	case Date, Timestamp, TimestampTZ:
		return true
	}
	return false
}

// evalDateArithmetic is arithmetic of dates and integers.
func evalDateArithmetic(op sqlexpr.BinaryOp, a, b Value) Value {
	if _, is := a.(float64); is && op == sqlexpr.OpAdd {
		a, b = b, a
	}
	from, isDate := a.(Date)
	switch b := b.(type) {
	case Date:
		if isDate && op == sqlexpr.OpSub {
			return float64(from - b)
		}
	case float64:
		switch whole := Date(b); {
		case !isDate || float64(whole) != b:
		case op == sqlexpr.OpAdd:
			return from + whole
		case op == sqlexpr.OpSub:
			return from - whole
		}
	}
	abstain("arithmetic of %T and %T", a, b)
	return nil
}

// evalInterval moves a date or a timestamp by an interval.
func evalInterval(op sqlexpr.BinaryOp, a Value, by *sqlexpr.Interval) Value {
	count, err := strconv.ParseFloat(by.Count, 64)
	if err != nil || op != sqlexpr.OpAdd && op != sqlexpr.OpSub {
		failUnsupported("%s", sqlexpr.Format(by))
	}
	if op == sqlexpr.OpSub {
		count = -count
	}
	if a == nil {
		return nil
	}
	moved, ok := shiftByUnits(by.Unit, count, a)
	if !ok {
		failUnsupported("%s", sqlexpr.Format(by))
	}
	return moved
}

func toFloat(a Value) float64 {
	n, ok := a.(float64)
	if !ok {
		failUnsupported("arithmetic with %T", a)
	}
	return n
}

// isTrue and isFalse distinguish a truth value from the other one and from NULL.
func isTrue(v Value) bool {
	b, ok := v.(bool)
	return ok && b
}

func isFalse(v Value) bool {
	b, ok := v.(bool)
	return ok && !b
}
