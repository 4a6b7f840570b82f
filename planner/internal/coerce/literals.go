package coerce

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// literalCoercer turns the strings that a condition compares with a date, a time or a
// number into literals of that type: order_date >= '2024-01-31' becomes order_date
// >= DATE '2024-01-31'. Some engines convert such strings implicitly, each in its
// own way, and some reject them; a typed literal means the same on all. A string
// that is not a value of the type stays as it is.
type literalCoercer struct {
	leaf NameTypeFunc
}

// rewriteUntilStable repeats until nothing changes: a call may have a type once its strings are
// typed.
func (t literalCoercer) rewriteUntilStable(e sqlexpr.Expr) sqlexpr.Expr {
	for {
		next := sqlexpr.Rewrite(e, t.rewriteNode)
		if next == e {
			return e
		}
		e = next
	}
}

// rewriteNode is for sqlexpr.Rewrite: nil where there is nothing to do.
func (t literalCoercer) rewriteNode(e sqlexpr.Expr) sqlexpr.Expr {
	typed := t.coerceNodeLiterals(e)
	if typed == nil {
		return nil
	}
	return sqlexpr.Rewrite(typed, t.rewriteNode)
}

func (t literalCoercer) coerceNodeLiterals(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Case:
		if e.Operand == nil {
			return nil
		}
		all := []sqlexpr.Expr{e.Operand}
		for _, w := range e.Whens {
			all = append(all, w.Cond)
		}
		if x := t.coerceComparands(all...); x != nil {
			c := &sqlexpr.Case{Position: e.Position, Operand: x[0], Whens: slices.Clone(e.Whens), Else: e.Else}
			for i := range c.Whens {
				c.Whens[i].Cond = x[i+1]
			}
			return c
		}
	case *sqlexpr.Call:
		switch e.Fn {
		case sqlexpr.FnCoalesce, sqlexpr.FnNullIf, sqlexpr.FnGreatest, sqlexpr.FnLeast:
			if x := t.coerceComparands(e.Args...); x != nil {
				c := *e
				c.Args = x
				return &c
			}
		}
	}
	return sqlexpr.ReplaceComparedValues(e, t.coerceComparands)
}

// coerceComparands returns values that are compared with each other with their texts typed
// like the first that is not a text; nil when that changes none.
func (t literalCoercer) coerceComparands(all ...sqlexpr.Expr) []sqlexpr.Expr {
	typ := sqlexpr.TypeUnknown
	for _, x := range all {
		if _, text := x.(*sqlexpr.String); !text {
			if typ = sqlexpr.TypeOf(x, t.leaf); typ != sqlexpr.TypeUnknown {
				break
			}
		}
	}
	var typed []sqlexpr.Expr
	for i, x := range all {
		s, ok := x.(*sqlexpr.String)
		if !ok {
			continue
		}
		if literal := stringAsLiteral(s, typ); literal != nil {
			if typed == nil {
				typed = slices.Clone(all)
			}
			typed[i] = literal
		}
	}
	return typed
}

// stringAsLiteral returns a string as a literal to compare with values of a type, nil if the
// string is not a value of the type.
func stringAsLiteral(s *sqlexpr.String, t sqlexpr.Type) sqlexpr.Expr {
	switch {
	case t.IsNumeric():
		if !sqlexpr.IsNumberText(s.Value) {
			return nil
		}
		if digits := s.Value[1:]; s.Value[0] == '-' {
			return &sqlexpr.Unary{Position: s.Position, Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Position: s.Position, Text: digits}}
		}
		return &sqlexpr.Number{Position: s.Position, Text: s.Value}
	case t == sqlexpr.TypeTime:
		return timeLiteralFromLayouts(s, sqlexpr.TypeTime, "15:04:05.999999999", "15:04:05.999999999")
	case t.IsDateOrTimestamp():
		return stringAsDateOrTimestamp(s, t)
	}
	return nil
}

const (
	dayLayout             = time.DateOnly
	timestampLayout       = "2006-01-02 15:04:05.999999999"
	timestampLayoutT      = "2006-01-02T15:04:05.999999999"
	zonedTimestampLayout  = "2006-01-02 15:04:05.999999999Z07:00"
	zonedTimestampLayoutT = "2006-01-02T15:04:05.999999999Z07:00"
)

// stringAsDateOrTimestamp keeps a time of day also beside a date, and a zone only beside values
// that have one: elsewhere clocks show UTC.
func stringAsDateOrTimestamp(s *sqlexpr.String, t sqlexpr.Type) sqlexpr.Expr {
	if t == sqlexpr.TypeDate {
		if day := timeLiteralFromLayouts(s, sqlexpr.TypeDate, dayLayout, dayLayout); day != nil {
			return day
		}
		t = sqlexpr.TypeTimestamp
	}
	if t == sqlexpr.TypeTimestampTZ {
		return timeLiteralFromLayouts(s, t, zonedTimestampLayout, zonedTimestampLayout, zonedTimestampLayoutT, timestampLayout, timestampLayoutT, dayLayout)
	}
	return timeLiteralFromLayouts(s, sqlexpr.TypeTimestamp, timestampLayout, timestampLayout, timestampLayoutT, dayLayout, zonedTimestampLayout, zonedTimestampLayoutT)
}

// timeLiteralFromLayouts reads the text by the first layout that fits and writes it in the
// normal form of its type.
func timeLiteralFromLayouts(s *sqlexpr.String, t sqlexpr.Type, normal string, layouts ...string) sqlexpr.Expr {
	for _, layout := range layouts {
		if value, err := time.Parse(layout, s.Value); err == nil {
			return &sqlexpr.TypedLiteral{Position: s.Position, Type: t, Value: value.UTC().Format(normal)}
		}
	}
	return nil
}

// NumberLiteral returns the text of a number as a literal.
func NumberLiteral(text string) sqlexpr.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}
	}
	return &sqlexpr.Number{Text: text}
}
