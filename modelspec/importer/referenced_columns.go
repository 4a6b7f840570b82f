package importer

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// ReferencedColumns are the columns of a table that the expressions of its elements name. In
// other tools an expression names columns of the table only; here a name may mean a field
// of the dataset as well, and the field comes first.
type ReferencedColumns struct {
	// Dialect is the dialect of the expressions, "" where they are portable.
	Dialect string
	// Source is the table or the query in the quotes of the other tool. "" is the source of the dataset.
	Source string

	used    map[string][]string // the elements whose expressions name a column
	fields  map[string]string   // the expression of each element, by name
	aliases []columnAlias
}

// AddElementExpression adds an element and the columns of its expression. An expression without an element
// has the name "".
func (c *ReferencedColumns) AddElementExpression(name, expression string) {
	if c.used == nil {
		c.used, c.fields = map[string][]string{}, map[string]string{}
	}
	for _, column := range c.findOwnColumns(expression) {
		c.used[column] = append(c.used[column], strings.ToLower(name))
	}
	if name != "" {
		if _, known := c.fields[strings.ToLower(name)]; !known {
			c.fields[strings.ToLower(name)] = expression
		}
	}
}

// ReplaceElementExpression gives a known element the expression that its field has.
func (c *ReferencedColumns) ReplaceElementExpression(name, expression string) {
	c.fields[strings.ToLower(name)] = expression
}

// FindShadowedColumn finds a column that the expression of an element names and that is the name of
// another element with another meaning.
func (c *ReferencedColumns) FindShadowedColumn(name, expression string) (column string, hidden bool) {
	for _, column := range c.findOwnColumns(expression) {
		if c.isShadowed(name, column) {
			return column, true
		}
	}
	return "", false
}

// isShadowed reports whether a column that the expression of an element names is the name of another element with another meaning.
func (c *ReferencedColumns) isShadowed(element, column string) bool {
	other, isField := c.fields[strings.ToLower(column)]
	if !isField || strings.EqualFold(column, element) {
		return false
	}
	bare, ok := ColumnOfExpression(other)
	return !ok || !strings.EqualFold(bare, column)
}

// IsNameFree reports whether a new field can have a name: no element has it, and no expression
// names a column so.
func (c *ReferencedColumns) IsNameFree(name string) bool {
	_, isField := c.fields[strings.ToLower(name)]
	return !isField && len(c.used[strings.ToLower(name)]) == 0
}

// IsColumnSharedWithOthers reports whether the expression of an element is a column that has its name, and that
// expressions of other elements name too.
func (c *ReferencedColumns) IsColumnSharedWithOthers(name, expression string) bool {
	column, ok := ColumnOfExpression(expression)
	return ok && strings.EqualFold(column, name) &&
		slices.ContainsFunc(c.used[strings.ToLower(name)], func(other string) bool { return other != strings.ToLower(name) })
}

// findOwnColumns lists the columns of the table that an expression names, in lower case: those without a qualifier, and in a text of a
// dialect those whose members it names. It returns nothing for a text that is not an expression: its field does not compile.
func (c *ReferencedColumns) findOwnColumns(expression string) []string {
	e, err := ParseSQL(expression, c.Dialect)
	if err != nil {
		return nil
	}
	var out []string
	for _, column := range sqlexpr.ColumnReferences(e) {
		if len(column.Path) == 1 || c.Dialect != "" {
			out = append(out, strings.ToLower(column.Path[0].Text))
		}
	}
	return out
}

// ColumnOfExpression returns the column that is the whole of an expression.
func ColumnOfExpression(expression string) (string, bool) {
	e, err := sqlexpr.Parse(expression)
	if err != nil {
		return "", false
	}
	column, ok := e.(*sqlexpr.Column)
	if !ok || len(column.Path) != 1 {
		return "", false
	}
	return column.Path[0].Text, true
}

// IsNullForNullColumns reports whether the expression of a field is certainly NULL over columns that are
// all NULL. Tools that join tables in one statement compute another field over the rows without a
// partner too, where a field of a dataset is NULL. dialect is that of the input.
func IsNullForNullColumns(f *draft.Field, dialect string) bool {
	if f == nil || len(f.Expression) == 0 {
		return false
	}
	e, err := ParseSQL(f.Expression[0].Text, dialect)
	return err == nil && sqlexpr.IsNullForNullColumns(e)
}
