package compile

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readMembers reads the dotted names of a field's entries: in the spelling of a
// dialect, addr.city is a member of the structure addr unless addr is a dataset.
func (c *compiler) readMembers(f *field) {
	f.source.Default = c.replaceMembers(f.ds, f.source.Default)
	for dialect, src := range f.source.ByDialect {
		f.source.ByDialect[dialect] = c.replaceMembers(f.ds, src)
	}
}

func (c *compiler) replaceMembers(d *dataset, src parsedSource) parsedSource {
	dialect := src.dialect()
	if dialect == "" {
		return src
	}
	src.expr = sqlexpr.Rewrite(src.expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if column, ok := e.(*sqlexpr.Column); ok {
			return c.memberExpr(d, column, dialect)
		}
		return nil
	})
	return src
}

// memberExpr is the member that a dotted name of a field's expression stands for; a name
// that a dataset qualifies is returned as it is.
func (c *compiler) memberExpr(d *dataset, column *sqlexpr.Column, dialect string) sqlexpr.Expr {
	path := column.Path
	if strings.EqualFold(path[0].Text, d.cat.Name) && len(path) > 2 {
		path = path[1:]
	} else if c.isQualified(path) {
		return column
	}
	var e sqlexpr.Expr = &sqlexpr.Column{At: column.At, Path: path[:1]}
	for _, name := range path[1:] {
		e = &sqlexpr.Member{At: column.At, Dialect: dialect, X: e, Field: name}
	}
	return e
}

// isQualified reports whether a name has one part or begins with a dataset.
func (c *compiler) isQualified(path []sqlexpr.Name) bool {
	if len(path) == 1 {
		return true
	}
	prefix := path[0].Text
	for _, name := range path[1:] {
		if c.byName[foldCase(prefix)] != nil {
			return true
		}
		prefix += "." + name.Text
	}
	return false
}
