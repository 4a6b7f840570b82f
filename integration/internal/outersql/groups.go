package outersql

import (
	"slices"
	"strconv"
	"strings"
)

// groupedSelect is a SELECT with GROUP BY, or with aggregates alone.
func (m *maker) groupedSelect(depth int, wanted []Type) selected {
	from := m.from(depth)
	below := &scope{maker: m, columns: m.readable(from)}
	s := &scope{maker: m, below: below, subqueries: true, depth: depth}
	groups := m.groups(s)
	out := selected{scope: s}
	var items []text
	if wanted == nil {
		items = m.groupItems(s, &out, groups)
	}
	for i, t := range m.itemTypes(s, wanted) {
		var e text
		switch {
		case i == 0 && len(groups) == 0:
			e = s.certainAggregate(t)
		case t != Truth && m.chance(8):
			e = s.window(t)
		default:
			e = s.value(t, 2)
		}
		items = append(items, m.item(&out, e, t))
	}
	out.rows = from.rows
	if len(groups) == 0 {
		m.has("one group")
		out.rows = 1
	}
	out.text = m.withWhere(fill("? FROM ?", m.selectItems(&out, items), from.text), &scope{maker: m, columns: below.columns, subqueries: true, depth: depth})
	if len(groups) > 0 {
		m.has("groups")
		out.text = fill("? GROUP BY ?", out.text, join(groups, ", "))
	}
	if m.chance(5) {
		m.has("having")
		out.text = fill("? HAVING ?", out.text, s.conjuncts())
	}
	return out
}

// groups are the expressions of GROUP BY, which are the columns of the scope then.
func (m *maker) groups(s *scope) []text {
	var out []text
	for range m.random.IntN(3) {
		t := s.below.comparable()
		if !t.isExact() {
			continue
		}
		e := s.below.value(t, m.random.IntN(2))
		if t == Truth {
			e = fill("(?)", e)
		}
		if s.below.reads(e) {
			s.columns = append(s.columns, column{text: e, typ: t})
			out = append(out, e)
		}
	}
	return out
}

// reads reports whether an expression has a column.
func (s *scope) reads(e text) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return strings.Contains(e.statement, c.statement) })
}

// groupItems are the groups as items; GROUP BY may name them by their number or their name.
func (m *maker) groupItems(s *scope, out *selected, groups []text) []text {
	var items []text
	for i, g := range groups {
		if m.chance(4) {
			continue
		}
		items = append(items, m.item(out, g, s.columns[i].typ))
		switch m.random.IntN(3) {
		case 0:
			groups[i] = same(strconv.Itoa(len(items)))
		case 1:
			groups[i] = same(out.columns[len(items)-1].name)
		}
	}
	return items
}

// certainAggregate is an expression with an aggregate.
func (s *scope) certainAggregate(t Type) text {
	if t == Truth {
		return fill("? > 2", s.below.aggregate(Integer))
	}
	return s.below.aggregate(t)
}
