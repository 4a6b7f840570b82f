package joins

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// castTextFieldForExactComparison casts the value of a text field to text, where text compares by code points
// only then.
func (t *Tree) castTextFieldForExactComparison(f *catalog.Field, e sqlexpr.Expr) sqlexpr.Expr {
	if !t.exact || !isTextField(f, t.dialect) {
		return e
	}
	return castToTextUnlessTextCast(e)
}

// CastTextForExactComparison does for a value of a type what castTextFieldForExactComparison does for that of a field.
func CastTextForExactComparison(e sqlexpr.Expr, typ sqlexpr.Type, caps plan.Capabilities) sqlexpr.Expr {
	if !caps.TextByCast || typ != sqlexpr.TypeString {
		return e
	}
	return castToTextUnlessTextCast(e)
}

// castToTextUnlessTextCast casts what is not such a cast already.
func castToTextUnlessTextCast(e sqlexpr.Expr) sqlexpr.Expr {
	if c, ok := e.(*sqlexpr.Cast); ok && c.To.Type == sqlexpr.TypeString {
		return e
	}
	return newTextCast(e)
}

// castColumnDeclaredAsText casts a column within the expression of a field, if another field declares
// it as text: the expression may compare it. A column that is a field by itself
// follows the type of that field. The column, of the dataset, is read as another one, whose name may be different.
func (t *Tree) castColumnDeclaredAsText(f *catalog.Field, column, read *sqlexpr.Column) sqlexpr.Expr {
	if !t.exact || f.Encoding != nil || plainColumnOfField(f, t.dialect) != nil {
		return read
	}
	text := false
	for _, other := range f.Dataset.Fields {
		if p := plainColumnOfField(other, t.dialect); p == nil || !isSameColumn(p, column) || other.Type == sqlexpr.TypeUnknown {
			continue
		}
		if !isTextField(other, t.dialect) {
			return read // one column with two types: nothing is known of it
		}
		text = true
	}
	if !text {
		return read
	}
	return newTextCast(read)
}

func newTextCast(e sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Cast{Position: sqlexpr.Position(e.Pos()), X: e, To: sqlexpr.TypeName{Type: sqlexpr.TypeString, Name: "VARCHAR"}}
}

// isTextField reports whether a field is declared or known to be text. A code that is read as
// a date is compared as one.
func isTextField(f *catalog.Field, dialect string) bool {
	if f.Encoding != nil {
		return false
	}
	switch sqlexpr.TypeOf(f.Expr.ForDialect(dialect), nil) {
	case sqlexpr.TypeString:
		return true
	case sqlexpr.TypeUnknown:
		return f.Type == sqlexpr.TypeString
	}
	return false
}

// plainColumnOfField returns the column that a field is, nil where it is computed.
func plainColumnOfField(f *catalog.Field, dialect string) *sqlexpr.Column {
	if f.LOD != nil || f.ErrorForDialect(dialect) != nil {
		return nil
	}
	c, _ := f.Expr.ForDialect(dialect).(*sqlexpr.Column)
	return c
}

func isSameColumn(a, b *sqlexpr.Column) bool {
	return strings.EqualFold(a.Path[len(a.Path)-1].Text, b.Path[len(b.Path)-1].Text)
}
