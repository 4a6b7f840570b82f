package catalogue

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// translateSelect prints one SELECT. It returns the scope and the values of its items too, which ORDER BY
// reads.
func (r *translator) translateSelect(sel *parse.Select, outer *scope) (ducksql.Node, []*scopeColumn, *scope, []typedExpr, error) {
	s := &scope{outer: outer}
	if len(sel.From) > 0 || hasSetReturningItem(sel) {
		r.startManyRows()
	}
	from, err := r.translateFrom(sel.From, s)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	columns, err := r.translateSelectItems(sel.Items, s)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	items := make([]typedExpr, len(columns))
	printed := make([]ducksql.Node, len(columns))
	for i, c := range columns {
		items[i] = c.value
		printed[i] = ducksql.FillTemplate("? AS ?", c.value.node, numberedColumnName(i))
	}
	if len(printed) == 0 {
		printed = []ducksql.Node{ducksql.FillTemplate("1 AS ?", numberedColumnName(0))}
	}
	parts := []ducksql.Node{ducksql.FillTemplate("SELECT")}
	switch {
	case len(sel.DistinctOn) > 0:
		on, err := r.translateGroupKeys(sel.DistinctOn, columns, s)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		parts = append(parts, ducksql.FillTemplate("DISTINCT ON (?)", ducksql.CommaList(on)))
	case sel.Distinct:
		parts = append(parts, ducksql.FillTemplate("DISTINCT"))
	}
	parts = append(parts, ducksql.CommaList(printed))
	if from != nil {
		parts = append(parts, ducksql.FillTemplate("FROM ?", from))
	}
	clauses, err := r.translateWhereGroupHaving(sel, columns, s)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	printedSelect := ducksql.SeparatedList{Separator: " ", Nodes: append(parts, clauses...)}
	return markEmptyIf(selectGivesNoRows(sel, from), printedSelect), columnsSeenByOuterQuery(columns), s, items, nil
}

// columnsSeenByOuterQuery returns the columns as a query around the SELECT reads them.
func columnsSeenByOuterQuery(columns []*scopeColumn) []*scopeColumn {
	out := make([]*scopeColumn, len(columns))
	for i, c := range columns {
		result := *c
		result.value.node = numberedColumnName(i)
		if result.value.typ == unknownTypeOID {
			result.value.typ, result.untyped = textTypeOID, true
		}
		result.value.text, result.value.parameter = nil, 0
		out[i] = &result
	}
	return out
}

// translateWhereGroupHaving prints WHERE, GROUP BY and HAVING.
func (r *translator) translateWhereGroupHaving(sel *parse.Select, columns []*scopeColumn, s *scope) ([]ducksql.Node, error) {
	var out []ducksql.Node
	if sel.Where != nil {
		where, err := r.translateCondition(sel.Where, s)
		if err != nil {
			return nil, err
		}
		out = append(out, ducksql.FillTemplate("WHERE ?", where))
	}
	if len(sel.GroupBy) > 0 {
		keys, err := r.translateGroupKeys(sel.GroupBy, columns, s)
		if err != nil {
			return nil, err
		}
		out = append(out, ducksql.FillTemplate("GROUP BY ?", ducksql.CommaList(keys)))
	}
	if sel.Having != nil {
		having, err := r.translateCondition(sel.Having, s)
		if err != nil {
			return nil, err
		}
		out = append(out, ducksql.FillTemplate("HAVING ?", having))
	}
	return out, nil
}

// translateGroupKeys prints the keys of GROUP BY and DISTINCT ON: positions, names of the input, aliases, expressions.
func (r *translator) translateGroupKeys(keys []parse.Expr, columns []*scopeColumn, s *scope) ([]ducksql.Node, error) {
	out := make([]ducksql.Node, len(keys))
	for i, key := range keys {
		if n, ok := key.(*parse.Number); ok {
			c, err := selectedColumnAtPosition(n, columns)
			if err != nil {
				return nil, err
			}
			out[i] = c.value.node
			continue
		}
		v, err := r.translateExpr(key, s)
		if err != nil {
			c := columnByAlias(key, columns)
			if c == nil {
				return nil, err
			}
			v = c.value
		}
		out[i] = v.node
	}
	return out, nil
}

func selectedColumnAtPosition(n *parse.Number, columns []*scopeColumn) (*scopeColumn, error) {
	i, err := strconv.Atoi(n.Text)
	if err != nil || i < 1 || i > len(columns) {
		return nil, newStatementError(n, "42P10", "position "+n.Text+" is not in select list")
	}
	return columns[i-1], nil
}

// columnByAlias returns the only column that an expression names as its alias; nil for none.
func columnByAlias(x parse.Expr, columns []*scopeColumn) *scopeColumn {
	c, ok := x.(*parse.Column)
	if !ok || len(c.Path) != 1 {
		return nil
	}
	for _, col := range columns {
		if col.name == parse.FoldName(c.Path[0]) {
			return col
		}
	}
	return nil
}

// translateSelectItems resolves the items of SELECT; a star becomes its columns.
func (r *translator) translateSelectItems(items []*parse.SelectItem, s *scope) ([]*scopeColumn, error) {
	var out []*scopeColumn
	for _, item := range items {
		if star, ok := item.X.(*parse.Star); ok {
			columns, err := expandStar(star, s)
			if err != nil {
				return nil, err
			}
			out = append(out, columns...)
			continue
		}
		if part, ok := item.X.(*parse.FieldSelection); ok && part.Name.Text == "" {
			columns, err := r.expandRecordStar(part, s)
			if err != nil {
				return nil, err
			}
			out = append(out, columns...)
			continue
		}
		v, err := r.translateExpr(item.X, s)
		if err != nil {
			return nil, err
		}
		name := parse.FoldName(item.Alias)
		if name == "" {
			name = parse.ColumnName(item.X)
		}
		out = append(out, &scopeColumn{name: name, value: v})
	}
	return out, nil
}

// expandRecordStar returns the columns of (x).*.
func (r *translator) expandRecordStar(part *parse.FieldSelection, s *scope) ([]*scopeColumn, error) {
	v, err := r.translateExpr(part.X, s)
	if err != nil {
		return nil, err
	}
	if len(v.fields) == 0 {
		return nil, newUnsupportedError(part, "a star of this expression")
	}
	var out []*scopeColumn
	for _, f := range v.fields {
		out = append(out, &scopeColumn{name: f.name, value: extractRecordField(v, f)})
	}
	return out, nil
}

// expandStar returns the columns of * or t.*.
func expandStar(star *parse.Star, s *scope) ([]*scopeColumn, error) {
	var out []*scopeColumn
	if len(star.Qualifier) == 0 {
		for _, rel := range s.relations {
			out = appendVisibleColumns(out, rel.merged)
			for _, c := range rel.columns {
				if !c.hidden && !isCoveredByMergedColumn(c, s.relations) {
					out = append(out, c)
				}
			}
		}
		if len(s.relations) == 0 {
			return nil, newStatementError(star, sqlstateSyntaxError, "SELECT * with no tables specified is not valid")
		}
		return out, nil
	}
	name := parse.FoldName(star.Qualifier[len(star.Qualifier)-1])
	for at := s; at != nil; at = at.outer {
		for _, rel := range at.relations {
			if rel.name == name {
				return appendVisibleColumns(nil, rel.columns), nil
			}
		}
	}
	return nil, newStatementError(star, sqlstateUndefinedTable, `missing FROM-clause entry for table "`+name+`"`)
}

// isCoveredByMergedColumn reports whether a merged column of a join shows a column already.
func isCoveredByMergedColumn(c *scopeColumn, relations []*scopeRelation) bool {
	for _, rel := range relations {
		for _, m := range rel.merged {
			if m.name == c.name {
				return true
			}
		}
	}
	return false
}

func appendVisibleColumns(out, columns []*scopeColumn) []*scopeColumn {
	for _, c := range columns {
		if !c.hidden {
			out = append(out, c)
		}
	}
	return out
}

// translateOrderLimitOffset prints ORDER BY, LIMIT and OFFSET.
func (r *translator) translateOrderLimitOffset(q *parse.Query, columns []*scopeColumn, s *scope, items []typedExpr) ([]ducksql.Node, error) {
	var out []ducksql.Node
	if len(q.OrderBy) > 0 {
		keys := make([]ducksql.Node, len(q.OrderBy))
		for i, o := range q.OrderBy {
			key, err := r.translateQueryOrderKey(o, columns, s, items)
			if err != nil {
				return nil, err
			}
			keys[i] = addNullsOrder(key, o)
		}
		out = append(out, ducksql.FillTemplate("ORDER BY ?", ducksql.CommaList(keys)))
	}
	for _, clause := range []struct {
		form string
		x    parse.Expr
	}{{"LIMIT ?", q.Limit}, {"OFFSET ?", q.Offset}} {
		if clause.x == nil {
			continue
		}
		v, err := r.translateExpr(clause.x, &scope{})
		if err != nil {
			return nil, err
		}
		if v, err = r.coerceToType(clause.x, v, int8TypeOID); err != nil {
			return nil, err
		}
		out = append(out, ducksql.FillTemplate(clause.form, v.node))
	}
	return out, nil
}

// addNullsOrder returns a key of ORDER BY with the places of NULL that PostgreSQL has.
func addNullsOrder(key ducksql.Node, o *parse.OrderItem) ducksql.Node {
	first := o.Desc
	switch o.Nulls {
	case parse.NullsFirst:
		first = true
	case parse.NullsLast:
		first = false
	case parse.NullsDefault:
	}
	switch {
	case o.Desc && first:
		return ducksql.FillTemplate("? DESC NULLS FIRST", key)
	case o.Desc:
		return ducksql.FillTemplate("? DESC NULLS LAST", key)
	case first:
		return ducksql.FillTemplate("? ASC NULLS FIRST", key)
	}
	return ducksql.FillTemplate("? ASC NULLS LAST", key)
}

func (r *translator) translateQueryOrderKey(o *parse.OrderItem, columns []*scopeColumn, s *scope, items []typedExpr) (ducksql.Node, error) {
	x := o.X
	if c, ok := x.(*parse.Collated); ok {
		x = c.X
	}
	if n, ok := x.(*parse.Number); ok {
		if _, err := selectedColumnAtPosition(n, columns); err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(n.Text)
		return ducksql.IntegerLiteral(i), err
	}
	if c := columnByAlias(x, columns); c != nil {
		return ducksql.IntegerLiteral(slices.Index(columns, c) + 1), nil
	}
	if items == nil {
		return nil, newUnsupportedError(o, "ORDER BY an expression after a set operation")
	}
	v, err := r.translateExpr(x, s)
	return v.node, err
}
