package resolve

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TextCondition is a conjunct of a condition: a field is equal to a text, or to one of several.
type TextCondition struct {
	Ref   Ref
	Texts []*sqlexpr.String // as they stand in the condition
}

// FindTextConditions lists the conjuncts of a condition that compare a stored text with constants. find resolves a name;
// a name without a field is left out.
func FindTextConditions(condition sqlexpr.Expr, find func(parts []string) (Ref, bool)) []TextCondition {
	var out []TextCondition
	for _, e := range sqlexpr.SplitConjuncts(condition) {
		column, texts := comparedTexts(e)
		if column == nil {
			continue
		}
		ref, ok := find(NameTexts(column.Path))
		if ok && ref.Field.Type == sqlexpr.TypeString && ref.Field.Encoding == nil && ref.Field.LOD == nil {
			out = append(out, TextCondition{ref, texts})
		}
	}
	return out
}

// comparedTexts returns the column and the texts of an equality or of an IN list; nil for any other condition.
func comparedTexts(e sqlexpr.Expr) (*sqlexpr.Column, []*sqlexpr.String) {
	switch e := e.(type) {
	case *sqlexpr.Binary:
		if e.Op != sqlexpr.OpEq {
			return nil, nil
		}
		for _, sides := range [][2]sqlexpr.Expr{{e.L, e.R}, {e.R, e.L}} {
			column, isColumn := sides[0].(*sqlexpr.Column)
			text, isText := sides[1].(*sqlexpr.String)
			if isColumn && isText {
				return column, []*sqlexpr.String{text}
			}
		}
	case *sqlexpr.In:
		column, isColumn := e.X.(*sqlexpr.Column)
		if !isColumn || e.Not {
			return nil, nil
		}
		var texts []*sqlexpr.String
		for _, item := range e.Items {
			if text, ok := item.(*sqlexpr.String); ok {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			return column, texts
		}
	}
	return nil, nil
}

// PrintWithReplacedTexts prints a condition with other constants in place of some.
func PrintWithReplacedTexts(condition sqlexpr.Expr, replaced map[*sqlexpr.String]string) string {
	return sqlexpr.Format(sqlexpr.Rewrite(condition, func(e sqlexpr.Expr) sqlexpr.Expr {
		if s, ok := e.(*sqlexpr.String); ok {
			if text, other := replaced[s]; other {
				return &sqlexpr.String{Position: s.Position, Value: text}
			}
		}
		return nil
	}))
}
