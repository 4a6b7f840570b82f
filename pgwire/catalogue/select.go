package catalogue

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// resolveSelect prints one SELECT. It returns the scope and the values of its items too, which ORDER BY
// reads.
func (r *resolver) resolveSelect(sel *parse.Select, outer *scope) (ducksql.Node, []*column, *scope, []value, error) {
	s := &scope{outer: outer}
	from, err := r.resolveFrom(sel.From, s)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	columns, err := r.resolveItems(sel.Items, s)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	items := make([]value, len(columns))
	printed := make([]ducksql.Node, len(columns))
	for i, c := range columns {
		items[i] = c.value
		printed[i] = ducksql.Apply("? AS ?", c.value.node, resultName(i))
	}
	if len(printed) == 0 {
		printed = []ducksql.Node{ducksql.Apply("1 AS ?", resultName(0))}
	}
	parts := []ducksql.Node{ducksql.Apply("SELECT")}
	switch {
	case len(sel.DistinctOn) > 0:
		on, err := r.resolveKeys(sel.DistinctOn, columns, s)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		parts = append(parts, ducksql.Apply("DISTINCT ON (?)", ducksql.Commas(on)))
	case sel.Distinct:
		parts = append(parts, ducksql.Apply("DISTINCT"))
	}
	parts = append(parts, ducksql.Commas(printed))
	if from != nil {
		parts = append(parts, ducksql.Apply("FROM ?", from))
	}
	clauses, err := r.resolveClauses(sel, columns, s)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	return ducksql.List{Separator: " ", Nodes: append(parts, clauses...)}, resultColumns(columns), s, items, nil
}

// resultColumns are the columns as a query around the SELECT reads them.
func resultColumns(columns []*column) []*column {
	out := make([]*column, len(columns))
	for i, c := range columns {
		result := *c
		result.value.node = resultName(i)
		if result.value.typ == typeUnknown {
			result.value.typ, result.untyped = typeText, true
		}
		result.value.text, result.value.parameter = nil, 0
		out[i] = &result
	}
	return out
}

// resolveClauses prints WHERE, GROUP BY and HAVING.
func (r *resolver) resolveClauses(sel *parse.Select, columns []*column, s *scope) ([]ducksql.Node, error) {
	var out []ducksql.Node
	if sel.Where != nil {
		where, err := r.resolveCondition(sel.Where, s)
		if err != nil {
			return nil, err
		}
		out = append(out, ducksql.Apply("WHERE ?", where))
	}
	if len(sel.GroupBy) > 0 {
		keys, err := r.resolveKeys(sel.GroupBy, columns, s)
		if err != nil {
			return nil, err
		}
		out = append(out, ducksql.Apply("GROUP BY ?", ducksql.Commas(keys)))
	}
	if sel.Having != nil {
		having, err := r.resolveCondition(sel.Having, s)
		if err != nil {
			return nil, err
		}
		out = append(out, ducksql.Apply("HAVING ?", having))
	}
	return out, nil
}

// resolveKeys prints the keys of GROUP BY and DISTINCT ON: positions, names of the input, aliases, expressions.
func (r *resolver) resolveKeys(keys []parse.Expr, columns []*column, s *scope) ([]ducksql.Node, error) {
	out := make([]ducksql.Node, len(keys))
	for i, key := range keys {
		if n, ok := key.(*parse.Number); ok {
			c, err := columnAt(n, columns)
			if err != nil {
				return nil, err
			}
			out[i] = c.value.node
			continue
		}
		v, err := r.resolveExpr(key, s)
		if err != nil {
			c := columnNamed(key, columns)
			if c == nil {
				return nil, err
			}
			v = c.value
		}
		out[i] = v.node
	}
	return out, nil
}

func columnAt(n *parse.Number, columns []*column) (*column, error) {
	i, err := strconv.Atoi(n.Text)
	if err != nil || i < 1 || i > len(columns) {
		return nil, newError(n, "42P10", "position "+n.Text+" is not in select list")
	}
	return columns[i-1], nil
}

// columnNamed is the only column that an expression names as its alias; nil for none.
func columnNamed(x parse.Expr, columns []*column) *column {
	c, ok := x.(*parse.Column)
	if !ok || len(c.Path) != 1 {
		return nil
	}
	for _, col := range columns {
		if col.name == fold(c.Path[0]) {
			return col
		}
	}
	return nil
}

// resolveItems resolves the items of SELECT; a star becomes its columns.
func (r *resolver) resolveItems(items []*parse.Item, s *scope) ([]*column, error) {
	var out []*column
	for _, item := range items {
		if star, ok := item.X.(*parse.Star); ok {
			columns, err := expandStar(star, s)
			if err != nil {
				return nil, err
			}
			out = append(out, columns...)
			continue
		}
		if part, ok := item.X.(*parse.PartOf); ok && part.Name.Text == "" {
			columns, err := r.expandRecord(part, s)
			if err != nil {
				return nil, err
			}
			out = append(out, columns...)
			continue
		}
		v, err := r.resolveExpr(item.X, s)
		if err != nil {
			return nil, err
		}
		name := fold(item.Alias)
		if name == "" {
			name, _ = nameOfExpr(item.X)
		}
		out = append(out, &column{name: name, value: v})
	}
	return out, nil
}

// expandRecord is the columns of (x).*.
func (r *resolver) expandRecord(part *parse.PartOf, s *scope) ([]*column, error) {
	v, err := r.resolveExpr(part.X, s)
	if err != nil {
		return nil, err
	}
	if len(v.fields) == 0 {
		return nil, newUnsupportedError(part, "a star of this expression")
	}
	var out []*column
	for _, f := range v.fields {
		out = append(out, &column{name: f.name, value: partOf(v, f)})
	}
	return out, nil
}

// expandStar is the columns of * or t.*.
func expandStar(star *parse.Star, s *scope) ([]*column, error) {
	var out []*column
	if len(star.Qualifier) == 0 {
		for _, rel := range s.relations {
			out = appendShown(out, rel.merged)
			for _, c := range rel.columns {
				if !c.hidden && !coveredBy(c, s.relations) {
					out = append(out, c)
				}
			}
		}
		if len(s.relations) == 0 {
			return nil, newError(star, stateSyntax, "SELECT * with no tables specified is not valid")
		}
		return out, nil
	}
	name := fold(star.Qualifier[len(star.Qualifier)-1])
	for at := s; at != nil; at = at.outer {
		for _, rel := range at.relations {
			if rel.name == name {
				return appendShown(nil, rel.columns), nil
			}
		}
	}
	return nil, newError(star, stateUnknownTable, `missing FROM-clause entry for table "`+name+`"`)
}

// coveredBy reports whether a merged column of a join shows a column already.
func coveredBy(c *column, relations []*relation) bool {
	for _, rel := range relations {
		for _, m := range rel.merged {
			if m.name == c.name {
				return true
			}
		}
	}
	return false
}

func appendShown(out, columns []*column) []*column {
	for _, c := range columns {
		if !c.hidden {
			out = append(out, c)
		}
	}
	return out
}

// resolveQueryEnd prints ORDER BY, LIMIT and OFFSET.
func (r *resolver) resolveQueryEnd(q *parse.Query, columns []*column, s *scope, items []value) ([]ducksql.Node, error) {
	var out []ducksql.Node
	if len(q.OrderBy) > 0 {
		keys := make([]ducksql.Node, len(q.OrderBy))
		for i, o := range q.OrderBy {
			key, err := r.resolveOrderKey(o, columns, s, items)
			if err != nil {
				return nil, err
			}
			keys[i] = orderForm(key, o)
		}
		out = append(out, ducksql.Apply("ORDER BY ?", ducksql.Commas(keys)))
	}
	for _, clause := range []struct {
		form string
		x    parse.Expr
	}{{"LIMIT ?", q.Limit}, {"OFFSET ?", q.Offset}} {
		if clause.x == nil {
			continue
		}
		v, err := r.resolveExpr(clause.x, &scope{})
		if err != nil {
			return nil, err
		}
		if v, err = r.coerce(clause.x, v, typeInt8); err != nil {
			return nil, err
		}
		out = append(out, ducksql.Apply(clause.form, v.node))
	}
	return out, nil
}

// orderForm is a key of ORDER BY with the places of NULL that PostgreSQL has.
func orderForm(key ducksql.Node, o *parse.OrderItem) ducksql.Node {
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
		return ducksql.Apply("? DESC NULLS FIRST", key)
	case o.Desc:
		return ducksql.Apply("? DESC NULLS LAST", key)
	case first:
		return ducksql.Apply("? ASC NULLS FIRST", key)
	}
	return ducksql.Apply("? ASC NULLS LAST", key)
}

func (r *resolver) resolveOrderKey(o *parse.OrderItem, columns []*column, s *scope, items []value) (ducksql.Node, error) {
	x := o.X
	if c, ok := x.(*parse.Collated); ok {
		x = c.X
	}
	if n, ok := x.(*parse.Number); ok {
		if _, err := columnAt(n, columns); err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(n.Text)
		return ducksql.Number(i), err
	}
	if c := columnNamed(x, columns); c != nil {
		return ducksql.Number(slices.Index(columns, c) + 1), nil
	}
	if items == nil {
		return nil, newUnsupportedError(o, "ORDER BY an expression behind a set operation")
	}
	v, err := r.resolveExpr(x, s)
	return v.node, err
}
