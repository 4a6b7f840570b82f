package compile

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// resolveStructMembersInField reads the dotted names of a field's entries: in the spelling of a
// dialect, addr.city is a member of the structure addr unless addr is a dataset.
func (c *compiler) resolveStructMembersInField(f *fieldInProgress) {
	f.source.Default = c.replaceStructMembers(f.ds, f.source.Default)
	for dialect, src := range f.source.ByDialect {
		f.source.ByDialect[dialect] = c.replaceStructMembers(f.ds, src)
	}
}

func (c *compiler) replaceStructMembers(d *datasetInProgress, src parsedDialectEntry) parsedDialectEntry {
	dialect := src.nativeDialect()
	if dialect == "" {
		return src
	}
	src.expr = sqlexpr.Rewrite(src.expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if column, ok := e.(*sqlexpr.Column); ok {
			return c.structMemberOfName(d, column, dialect)
		}
		return nil
	})
	return src
}

// structMemberOfName returns the member that a dotted name of a field's expression stands for; a name
// that a dataset qualifies is returned as it is.
func (c *compiler) structMemberOfName(d *datasetInProgress, column *sqlexpr.Column, dialect string) sqlexpr.Expr {
	path := column.Path
	if strings.EqualFold(path[0].Text, d.cat.Name) && len(path) > 2 {
		path = path[1:]
	} else if c.isBareOrDatasetQualified(path) {
		return column
	}
	var e sqlexpr.Expr = &sqlexpr.Column{Position: column.Position, Path: path[:1]}
	for _, name := range path[1:] {
		e = &sqlexpr.StructMemberAccess{Position: column.Position, Dialect: dialect, X: e, Field: name}
	}
	return e
}

// isBareOrDatasetQualified reports whether a name has one part or begins with a dataset.
func (c *compiler) isBareOrDatasetQualified(path []sqlexpr.Name) bool {
	if len(path) == 1 {
		return true
	}
	prefix := path[0].Text
	for _, name := range path[1:] {
		if c.findDataset(prefix) != nil {
			return true
		}
		prefix += "." + name.Text
	}
	return false
}
