package importer

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// columnAlias is a column under a second name, because a field of the dataset has its name with another meaning.
type columnAlias struct{ column, alias sqlexpr.Name }

// AliasShadowedColumns returns the expression of an element with other names for the columns that fields of the dataset hide. The source
// of the dataset becomes a query that has these columns under both names. added are their fields, which queries cannot group by.
func (c *ReferencedColumns) AliasShadowedColumns(d *draft.Dataset, element, expression string) (text string, added []*draft.Field) {
	e, err := ParseSQL(expression, c.Dialect)
	if err != nil {
		return expression, nil
	}
	isChanged := false
	e = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok || len(column.Path) != 1 && c.Dialect == "" || !c.isShadowed(element, column.Path[0].Text) {
			return nil
		}
		isChanged = true
		alias, isNew := c.aliasOf(column.Path[0])
		renamed := &sqlexpr.Column{Path: []sqlexpr.Name{alias}}
		path := &sqlexpr.Column{Path: append([]sqlexpr.Name{alias}, column.Path[1:]...)}
		if isNew {
			c.AddElementExpression(alias.Text, sqlexpr.Format(renamed))
			added = append(added, &draft.Field{Name: alias.Text, Expression: draft.ANSIExpression(sqlexpr.Format(renamed)), IsDimension: new(false)})
		}
		return path
	})
	if !isChanged {
		return expression, nil
	}
	if c.Source == "" {
		c.Source = d.Source
	}
	d.Source = c.sourceWithAliases()
	return sqlexpr.Format(e), added
}

// aliasOf returns the second name of a column.
func (c *ReferencedColumns) aliasOf(column sqlexpr.Name) (alias sqlexpr.Name, isNew bool) {
	for _, known := range c.aliases {
		isSame := known.column == column || !known.column.Quoted && !column.Quoted && strings.EqualFold(known.column.Text, column.Text)
		if isSame {
			return known.alias, false
		}
	}
	alias = sqlexpr.Name{Text: column.Text + "_column", Quoted: column.Quoted}
	for !c.IsNameFree(alias.Text) {
		alias.Text += "_column"
	}
	c.aliases = append(c.aliases, columnAlias{column, alias})
	return alias, true
}

// sourceWithAliases returns the query of all columns of the source with the aliases.
func (c *ReferencedColumns) sourceWithAliases() string {
	from := c.Source
	if source, err := modelspec.ParseDatasetSource(from); err == nil && source.Query != "" {
		from = "(" + source.Query + "\n) AS source_rows"
	}
	var columns []string
	for _, a := range c.aliases {
		for _, n := range []sqlexpr.Name{a.column, a.alias} {
			columns = append(columns, sqlexpr.Format(&sqlexpr.Column{Path: []sqlexpr.Name{n}}))
		}
	}
	if strings.Contains(from, "`") { // names of BigQuery, MySQL and Databricks, where double quotes make texts
		for i, column := range columns {
			columns[i] = strings.ReplaceAll(column, `"`, "`")
		}
	}
	out := "SELECT *"
	for pair := range slices.Chunk(columns, 2) {
		out += ", " + pair[0] + " AS " + pair[1]
	}
	return out + " FROM " + from
}
