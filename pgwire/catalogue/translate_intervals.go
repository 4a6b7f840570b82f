package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// computedIntervalType is the type of intervals that DuckDB holds as such.
const computedIntervalType uint32 = 2

func newIntervalExpr(text string) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("CAST(? AS INTERVAL)", ducksql.TextLiteral(strings.TrimSpace(text))), typ: computedIntervalType}
}

// translateIntervalArithmetic prints a sum of times and intervals, and a multiple of an interval; ok is false for other operands.
func translateIntervalArithmetic(op string, left, right typedExpr) (v typedExpr, ok bool) {
	left, right = asComputedInterval(left), asComputedInterval(right)
	isTime := func(t uint32) bool { return t == dateTypeOID || t == timestampTypeOID || t == timestamptzTypeOID }
	timeType := func(t uint32) uint32 {
		if t == dateTypeOID {
			return timestampTypeOID
		}
		return t
	}
	isInstant := func(t uint32) bool { return t == timestampTypeOID || t == timestamptzTypeOID }
	result := uint32(0)
	switch l, r := left.typ, right.typ; {
	case r == computedIntervalType && isTime(l) && (op == "+" || op == "-"):
		result = timeType(l)
	case l == computedIntervalType && isTime(r) && op == "+":
		result = timeType(r)
	case l == dateTypeOID && r == dateTypeOID && op == "-":
		return typedExpr{node: ducksql.FillTemplate("CAST((? - ?) AS INTEGER)", left.node, right.node), typ: int4TypeOID}, true
	case isInstant(l) && isTime(r) && op == "-", isTime(l) && isInstant(r) && op == "-":
		result = computedIntervalType
	case l == computedIntervalType && r == computedIntervalType && (op == "+" || op == "-"),
		l == computedIntervalType && isIntegerType(r) && op == "*", r == computedIntervalType && isIntegerType(l) && op == "*":
		result = computedIntervalType
	}
	if result == 0 {
		return typedExpr{}, false
	}
	return typedExpr{node: ducksql.FillTemplate("(? "+op+" ?)", left.node, right.node), typ: result}, true
}

// asComputedInterval returns an interval that is held as text, as casts make it, as one to compute with.
func asComputedInterval(v typedExpr) typedExpr {
	if v.typ == intervalTypeOID {
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS INTERVAL)", v.node), typ: computedIntervalType}
	}
	return v
}
