package compile

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// normalizeAggregates returns the same tree for equivalent expressions over aggregates. To
// the rules of sqlexpr.Normalize it adds those of aggregates: nested
// conditions without ELSE are one, what a COUNT counts does not matter as long
// as it is a constant, and a COUNT is never null.
func normalizeAggregates(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Normalize(sqlexpr.Rewrite(sqlexpr.Normalize(e), normalizeAggregateCall))
}

func normalizeAggregateCall(e sqlexpr.Expr) sqlexpr.Expr {
	call, ok := e.(*sqlexpr.Call)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	if call.Fn == sqlexpr.FnCoalesce && len(call.Args) == 2 && isCountCall(call.Args[0]) && isNumberLiteralWithText(call.Args[1], "0") {
		return sqlexpr.Rewrite(call.Args[0], normalizeAggregateCall)
	}
	if sqlexpr.InfoOfFunction(call.Fn).Class != sqlexpr.ClassAggregate {
		return nil
	}
	arg := mergeCasesNestedInThen(call.Args[0])
	if c, ok := arg.(*sqlexpr.Case); ok && isCountCall(call) && !call.Distinct && len(c.Whens) == 1 && c.Else == nil && isLiteral(c.Whens[0].Then) {
		arg = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: c.Whens[0].Cond, Then: &sqlexpr.Number{Text: "1"}}}}
	}
	args := slices.Clone(call.Args)
	args[0] = arg
	return &sqlexpr.Call{Fn: call.Fn, Name: call.Name, Distinct: call.Distinct, Star: call.Star, Desc: call.Desc, Args: args}
}

// mergeCasesNestedInThen folds CASE WHEN a THEN CASE WHEN b THEN x END END into
// CASE WHEN a AND b THEN x END.
func mergeCasesNestedInThen(e sqlexpr.Expr) sqlexpr.Expr {
	outer, ok := matchSingleWhenCase(e)
	if !ok {
		return e
	}
	inner, ok := matchSingleWhenCase(mergeCasesNestedInThen(outer.Whens[0].Then))
	if !ok {
		return e
	}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: sqlexpr.And(outer.Whens[0].Cond, inner.Whens[0].Cond), Then: inner.Whens[0].Then}}}
}

// matchSingleWhenCase returns e as a searched CASE of one arm and no ELSE.
func matchSingleWhenCase(e sqlexpr.Expr) (*sqlexpr.Case, bool) {
	c, ok := e.(*sqlexpr.Case)
	return c, ok && c.Operand == nil && len(c.Whens) == 1 && c.Else == nil
}

func isCountCall(e sqlexpr.Expr) bool {
	call, ok := e.(*sqlexpr.Call)
	return ok && call.Fn == sqlexpr.FnCount
}

func isNumberLiteralWithText(e sqlexpr.Expr, text string) bool {
	n, ok := e.(*sqlexpr.Number)
	return ok && n.Text == text
}

func isLiteral(e sqlexpr.Expr) bool {
	switch e.(type) {
	case *sqlexpr.Number, *sqlexpr.String, *sqlexpr.Bool:
		return true
	}
	return false
}

// newNumberLiteral returns a number of a payload as a literal of the language.
func newNumberLiteral(text string) sqlexpr.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}
	}
	return &sqlexpr.Number{Text: text}
}

// formatWithFieldNames prints an expression over aggregates with the names of its fields.
func (c *compiler) formatWithFieldNames(e sqlexpr.Expr) string {
	return sqlexpr.Format(sqlexpr.Rewrite(e, func(n sqlexpr.Expr) sqlexpr.Expr {
		switch n := n.(type) {
		case *sqlexpr.Ref:
			return c.cat.FieldByID(n.ID).QualifiedNameExpr()
		case *sqlexpr.Call:
			if len(n.Args) != 1 {
				return nil
			}
			if column, ok := n.Args[0].(*sqlexpr.Column); ok && column.Path[len(column.Path)-1].Text == "*" {
				return &sqlexpr.Call{Fn: n.Fn, Name: n.Name, Star: true}
			}
		}
		return nil
	}))
}
