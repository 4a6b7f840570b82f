package joins

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// exactText casts the value of a text field to text, where text compares by code points
// only then.
func (t *Tree) exactText(f *catalog.Field, e sqlexpr.Expr) sqlexpr.Expr {
	if !t.exact || !isText(f, t.dialect) {
		return e
	}
	if c, ok := e.(*sqlexpr.Cast); ok && c.To.Type == sqlexpr.TypeString {
		return e
	}
	return textCast(e)
}

// exactColumn casts a column within the expression of a field, if another field declares
// it as text: the expression may compare it. A column that is a field by itself
// follows the type of that field.
func (t *Tree) exactColumn(f *catalog.Field, c *sqlexpr.Column) sqlexpr.Expr {
	if !t.exact || f.Encoding != nil || plainColumn(f, t.dialect) != nil {
		return c
	}
	text := false
	for _, other := range f.Dataset.Fields {
		if p := plainColumn(other, t.dialect); p == nil || !sameColumn(p, c) || other.Type == sqlexpr.TypeUnknown {
			continue
		}
		if !isText(other, t.dialect) {
			return c // one column with two types: nothing is known of it
		}
		text = true
	}
	if !text {
		return c
	}
	return textCast(c)
}

func textCast(e sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Cast{At: sqlexpr.At(e.Pos()), X: e, To: sqlexpr.TypeName{Type: sqlexpr.TypeString, Name: "VARCHAR"}}
}

// isText reports whether a field is declared or known to be text. A code that is read as
// a date is compared as one.
func isText(f *catalog.Field, dialect string) bool {
	if f.Encoding != nil {
		return false
	}
	switch sqlexpr.TypeOf(f.Expr.For(dialect), nil) {
	case sqlexpr.TypeString:
		return true
	case sqlexpr.TypeUnknown:
		return f.Type == sqlexpr.TypeString
	}
	return false
}

// plainColumn is the column that a field is, nil where it is computed.
func plainColumn(f *catalog.Field, dialect string) *sqlexpr.Column {
	if f.LOD != nil || f.ErrFor(dialect) != nil {
		return nil
	}
	c, _ := f.Expr.For(dialect).(*sqlexpr.Column)
	return c
}

func sameColumn(a, b *sqlexpr.Column) bool {
	return strings.EqualFold(a.Path[len(a.Path)-1].Text, b.Path[len(b.Path)-1].Text)
}
