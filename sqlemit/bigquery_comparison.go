package sqlemit

import (
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// BigQuery compares a timestamp with a zone neither with one without nor with a day.
// Beside it both get a zone, which is UTC. An operand of unknown type may be any of
// the three:
//
//   - a day or a midnight is printed as a string, which BigQuery converts to the type of the
//     other operand;
//
//   - any other timestamp as a string does not convert to a day, so the other operand is
//     cast. As BigQuery skips partitions only by the bare column, a coarse comparison of the
//     day is added:
//
//     x >= '2024-02-29' AND CAST(x AS DATETIME) >= DATETIME '2024-02-29 20:00:00'
func rewriteBigqueryComparison(w *writer, e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Binary:
		if t := onlyTimestampLiteral(w, e.L, e.R); t != nil && e.Op.IsComparison() {
			return compareUnknownWithTimestamp(e, t)
		}
	case *sqlexpr.Between:
		if onlyTimestampLiteral(w, e.X, e.Lo, e.Hi) != nil {
			both := newBinary(sqlexpr.OpAnd, newBinary(sqlexpr.OpGe, e.X, e.Lo), newBinary(sqlexpr.OpLe, e.X, e.Hi))
			if e.Not {
				both = &sqlexpr.Unary{Position: e.Position, Op: sqlexpr.OpNot, X: both}
			}
			return both
		}
	case *sqlexpr.In:
		if onlyTimestampLiteral(w, append([]sqlexpr.Expr{e.X}, e.Items...)...) != nil {
			return &sqlexpr.In{Position: e.Position, Not: e.Not, X: newCast(e.X, sqlexpr.TypeTimestamp), Items: e.Items}
		}
	}
	if x := sqlexpr.ReplaceComparedValues(e, func(all ...sqlexpr.Expr) []sqlexpr.Expr { return bigqueryComparableValues(w, all...) }); x != nil {
		return x
	}
	return e
}

// onlyTimestampLiteral returns the literal of a timestamp that is not a midnight, if it is compared
// only with literals and operands of unknown type; otherwise nil.
func onlyTimestampLiteral(w *writer, all ...sqlexpr.Expr) (timestamp *sqlexpr.TypedLiteral) {
	unknown := false
	for _, x := range all {
		t, literal := x.(*sqlexpr.TypedLiteral)
		_, null := x.(*sqlexpr.Null)
		switch {
		case !literal && !null && bigqueryTypeOfExpression(w, x) != sqlexpr.TypeUnknown:
			return nil
		case literal && t.Type == sqlexpr.TypeTimestampTZ:
			return nil
		case literal && t.Type == sqlexpr.TypeTimestamp && !strings.HasSuffix(t.Value, midnightSuffix):
			timestamp = t
		case !literal:
			unknown = unknown || !null
		}
	}
	if !unknown {
		return nil
	}
	return timestamp
}

// compareUnknownWithTimestamp compares something of an unknown type with a timestamp.
func compareUnknownWithTimestamp(e *sqlexpr.Binary, timestamp *sqlexpr.TypedLiteral) sqlexpr.Expr {
	x, after := e.L, e.Op == sqlexpr.OpGe || e.Op == sqlexpr.OpGt
	exact := &sqlexpr.Binary{Position: e.Position, Op: e.Op, L: newCast(e.L, sqlexpr.TypeTimestamp), R: e.R}
	before := e.Op == sqlexpr.OpLe || e.Op == sqlexpr.OpLt
	if e.L == sqlexpr.Expr(timestamp) {
		x, after, before = e.R, before, after
		exact.L, exact.R = e.L, newCast(e.R, sqlexpr.TypeTimestamp)
	}
	day, err := time.Parse(time.DateOnly, timestamp.Value[:min(len(time.DateOnly), len(timestamp.Value))])
	op := sqlexpr.OpGe
	switch next := day.AddDate(0, 0, 1); {
	case err != nil, !after && (!before || next.Year() > 9999):
		return exact
	case before:
		day, op = next, sqlexpr.OpLt
	}
	return newBinary(sqlexpr.OpAnd, newBinary(op, x, newStringLiteral(day.Format(time.DateOnly))), exact)
}

// bigqueryTypeOfExpression returns the type of an expression, which is a timestamp without a zone, if not
// a day, where it is moved or truncated.
func bigqueryTypeOfExpression(w *writer, x sqlexpr.Expr) sqlexpr.Type {
	t := w.typeOf(x)
	if t == sqlexpr.TypeUnknown && sqlexpr.IsShiftedOrTruncatedTime(x) {
		return sqlexpr.TypeTimestamp
	}
	return t
}

// bigqueryComparableValues converts values that are compared with each other to types that BigQuery
// can compare; it returns nil if they need no conversion.
func bigqueryComparableValues(w *writer, all ...sqlexpr.Expr) []sqlexpr.Expr {
	var zoned, unknown, plain, computed bool
	for _, x := range all {
		_, literal := x.(*sqlexpr.TypedLiteral)
		switch bigqueryTypeOfExpression(w, x) {
		case sqlexpr.TypeTimestampTZ:
			zoned = true
		case sqlexpr.TypeDate, sqlexpr.TypeTimestamp:
			plain = true
			computed = computed || !literal
		case sqlexpr.TypeUnknown:
			_, null := x.(*sqlexpr.Null)
			unknown = unknown || !null
		}
	}
	if !plain || !zoned && (!unknown || computed) {
		return nil
	}
	out := make([]sqlexpr.Expr, len(all))
	for i, x := range all {
		out[i] = x
		if t := bigqueryTypeOfExpression(w, x); t != sqlexpr.TypeDate && t != sqlexpr.TypeTimestamp {
			continue
		}
		literal, ok := x.(*sqlexpr.TypedLiteral)
		switch {
		case !zoned:
			out[i] = &sqlexpr.String{Position: literal.Position, Value: strings.TrimSuffix(literal.Value, midnightSuffix)}
		case !ok:
			out[i] = newCast(x, sqlexpr.TypeTimestampTZ)
		case literal.Type == sqlexpr.TypeDate:
			out[i] = &sqlexpr.TypedLiteral{Position: literal.Position, Type: sqlexpr.TypeTimestampTZ, Value: literal.Value + midnightSuffix + "Z"}
		default:
			out[i] = &sqlexpr.TypedLiteral{Position: literal.Position, Type: sqlexpr.TypeTimestampTZ, Value: literal.Value + "Z"}
		}
	}
	return out
}
