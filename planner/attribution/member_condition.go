package attribution

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// NullText is how a NULL member prints. A member whose text is the same stays a
// separate member; their conditions differ.
const NullText = "(null)"

// DimensionValueText prints a dimension's value, a JSON scalar as decoded with UseNumber:
// nil, string, bool or json.Number.
func DimensionValueText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return formatGroupNumber(v)
	case bool:
		return strconv.FormatBool(v)
	default:
		return NullText
	}
}

// formatGroupNumber writes a number of the result. Zero has no sign: a group holds both, and
// which of them names it is the engine's whim.
func formatGroupNumber(n json.Number) string {
	if text := n.String(); strings.Trim(text, "-0.") != "" {
		return text
	}
	return strings.TrimPrefix(n.String(), "-")
}

// maxConditionBytes is the longest text that a query takes as its where_sql.
const maxConditionBytes = limits.ConditionBytes

// MemberConditionText returns the condition, as the text of a where_sql, that selects one
// member: where, the request's own condition (nil when it had none), and the
// dimension's value. It is "" for a value that no condition can name.
func MemberConditionText(where sqlexpr.Expr, dimension *sqlexpr.Column, t sqlexpr.Type, v any) string {
	member := memberCondition(dimension, t, v)
	if member == nil {
		return ""
	}
	text := sqlexpr.Format(sqlexpr.And(where, member))
	if len(text) > maxConditionBytes {
		return ""
	}
	return text
}

func memberCondition(dimension *sqlexpr.Column, t sqlexpr.Type, v any) sqlexpr.Expr {
	switch v := v.(type) {
	case nil:
		return &sqlexpr.IsNull{X: dimension}
	case bool:
		return newEqualityExpr(dimension, &sqlexpr.Bool{Value: v})
	case json.Number:
		if digits, negative := strings.CutPrefix(formatGroupNumber(v), "-"); negative {
			return newEqualityExpr(dimension, &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}})
		}
		return newEqualityExpr(dimension, &sqlexpr.Number{Text: formatGroupNumber(v)})
	case string:
		if strings.ContainsRune(v, 0) {
			return nil
		}
		return newEqualityExpr(dimension, literalOfDimensionValue(t, v))
	}
	return nil
}

func newEqualityExpr(l, r sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: l, R: r}
}

// literalOfDimensionValue writes a text of the result as a value of the dimension's type. What
// the expression language has no such literal for stays text, which engines
// read as the other side's type.
func literalOfDimensionValue(t sqlexpr.Type, text string) sqlexpr.Expr {
	value := &sqlexpr.String{Value: text}
	if t == sqlexpr.TypeTimestamp {
		// A warehouse may store as an instant what the model has as a plain
		// timestamp; sessions are in UTC.
		text = strings.TrimSuffix(text, "Z")
	}
	switch t {
	case sqlexpr.TypeDate, sqlexpr.TypeTime, sqlexpr.TypeTimestamp, sqlexpr.TypeTimestampTZ:
		typed, err := sqlexpr.Parse(sqlexpr.Format(&sqlexpr.TypedLiteral{Type: t, Value: text}))
		if err == nil {
			return typed
		}
	}
	return value
}
