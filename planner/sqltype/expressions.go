package sqltype

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TypeOfExpr returns the type of an expression over columns and references, whose types leaf returns. It is the type that
// PostgreSQL gives, but for division and AVG, which are double precision.
func TypeOfExpr(e sqlexpr.Expr, leaf func(sqlexpr.Expr) Type) Type {
	return typeInference{leaf: leaf}.typeOfExpr(e)
}

// typeInference is how the types of an expression are found. metric: arithmetic is that of a metric, whose
// results are numeric where they are not doubles.
type typeInference struct {
	leaf   func(sqlexpr.Expr) Type
	metric bool
}

func (t typeInference) typeOfExpr(e sqlexpr.Expr) Type {
	switch e := e.(type) {
	case *sqlexpr.Column, *sqlexpr.Ref:
		return t.leaf(e)
	case *sqlexpr.Number:
		return numberLiteralType(e.Text)
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return t.typeOfExpr(e.X)
		}
	case *sqlexpr.Binary:
		return t.typeOfBinary(e)
	case *sqlexpr.Case:
		return t.typeOfCase(e)
	case *sqlexpr.Cast:
		return castType(e.To)
	case *sqlexpr.Extract:
		return Numeric
	case *sqlexpr.Call:
		return t.typeOfCall(e)
	case *sqlexpr.WindowCall:
		return t.typeOfCall(e.Call)
	}
	return FromLogicalType(sqlexpr.TypeOf(e, t.logicalLeafType))
}

func (t typeInference) logicalLeafType(e sqlexpr.Expr) sqlexpr.Type {
	switch e.(type) {
	case *sqlexpr.Column, *sqlexpr.Ref:
		return t.leaf(e).Logical()
	}
	return sqlexpr.TypeUnknown
}

// numberLiteralType returns the type of a literal.
func numberLiteralType(text string) Type {
	switch {
	case strings.ContainsAny(text, "eE"):
		return Double
	case strings.Contains(text, "."):
		return Numeric
	}
	if _, err := strconv.ParseInt(text, 10, 32); err == nil {
		return Integer
	}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Bigint
	}
	return Numeric
}

func (t typeInference) typeOfBinary(e *sqlexpr.Binary) Type {
	switch e.Op {
	case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpMod:
	case sqlexpr.OpDiv:
		if t.isInterval(e) {
			return Unknown // which no column has
		}
		return Double
	case sqlexpr.OpConcat:
		return Text
	default:
		return Boolean
	}
	l, r := t.typeOfExpr(e.L), t.typeOfExpr(e.R)
	if l.IsNumber() && r.IsNumber() {
		sum := max(l, r)
		if t.metric {
			return max(sum, Numeric)
		}
		return sum
	}
	return t.typeOfTimeArithmetic(e, l, r)
}

// typeOfTimeArithmetic returns the type of a sum or a difference with a day or a point in time.
func (t typeInference) typeOfTimeArithmetic(e *sqlexpr.Binary, l, r Type) Type {
	leftSpan, rightSpan := t.isInterval(e.L), t.isInterval(e.R)
	switch {
	case rightSpan && l == Date, leftSpan && r == Date:
		return Timestamp
	case rightSpan && l.IsDateOrTimestamp():
		return l
	case leftSpan && r.IsDateOrTimestamp():
		return r
	case l == Date && r == Date && e.Op == sqlexpr.OpSub:
		return Integer
	case l == Date && r.IsNumber():
		return Date
	case r == Date && l.IsNumber() && e.Op == sqlexpr.OpAdd:
		return Date
	}
	return Unknown
}

// isInterval reports whether an expression is an interval, which no column of a result is: a constant, or one that is computed from
// constants and numbers.
func (t typeInference) isInterval(e sqlexpr.Expr) bool {
	switch e := e.(type) {
	case *sqlexpr.Interval:
		return true
	case *sqlexpr.Cast:
		return e.To.Type == sqlexpr.TypeInterval
	case *sqlexpr.Unary:
		return t.isInterval(e.X)
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpMul:
			return t.isInterval(e.L) != t.isInterval(e.R)
		case sqlexpr.OpDiv:
			return t.isInterval(e.L)
		case sqlexpr.OpAdd, sqlexpr.OpSub:
			return t.isInterval(e.L) && t.isInterval(e.R)
		}
	}
	return false
}

func (t typeInference) typeOfCase(e *sqlexpr.Case) Type {
	values := make([]sqlexpr.Expr, 0, len(e.Whens)+1)
	for _, w := range e.Whens {
		values = append(values, w.Then)
	}
	if e.Else != nil {
		values = append(values, e.Else)
	}
	return t.commonTypeOf(values)
}

// commonTypeOf returns the type that holds several values; a NULL fits any.
func (t typeInference) commonTypeOf(values []sqlexpr.Expr) Type {
	var out Type
	known := false
	for _, x := range values {
		if _, null := x.(*sqlexpr.Null); null {
			continue
		}
		own := t.typeOfExpr(x)
		if !known {
			out, known = own, true
			continue
		}
		both, ok := CommonType(out, own)
		if !ok || own == Unknown || out == Unknown {
			return Unknown
		}
		out = both
	}
	return out
}

// castType returns the type of a cast: of a type name that has a narrower type in PostgreSQL, that one.
func castType(to sqlexpr.TypeName) Type {
	if to.Type == sqlexpr.TypeInt {
		switch strings.ToUpper(to.Name) {
		case "INT", "INTEGER", "INT4", "SMALLINT", "INT2", "TINYINT":
			return Integer
		}
	}
	return FromLogicalType(to.Type)
}
