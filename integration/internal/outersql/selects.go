package outersql

import "slices"

// result is a SELECT or a set operation.
type result struct {
	text
	columns []column
	rows    int
	ordered bool
}

// selected is a SELECT before its ORDER BY.
type selected struct {
	result
	scope    *scope // of ORDER BY; nil for a set operation
	distinct bool
}

// plainSelect is a SELECT without groups. wanted are the types of its items; nil leaves them free.
func (m *maker) plainSelect(depth int, wanted []Type) selected {
	from := m.from(depth)
	s := &scope{maker: m, columns: m.readable(from), subqueries: true, depth: depth}
	if wanted == nil && len(from.merged) == 0 && m.chance(6) && hasDistinctNames(from.columns) {
		m.has("star")
		out := selected{result: result{text: fill("SELECT * FROM ?", from.text), columns: renamed(from.columns), rows: from.rows}, scope: s}
		out.text = m.withWhere(out.text, s)
		return out
	}
	var items []text
	out := selected{scope: s}
	for _, t := range m.itemTypes(s, wanted) {
		var e text
		if t != Truth && m.chance(6) {
			e = s.window(t)
		} else {
			e = s.value(t, 2)
		}
		items = append(items, m.item(&out, e, t))
	}
	out.rows = from.rows
	out.text = m.withWhere(fill("? FROM ?", m.selectItems(&out, items), from.text), s)
	return out
}

// withWhere adds WHERE to some texts.
func (m *maker) withWhere(t text, s *scope) text {
	if !m.chance(3) {
		return t
	}
	return fill("? WHERE ?", t, s.conjuncts())
}

// selectItems is SELECT with its items, DISTINCT where every value of theirs is exact.
func (m *maker) selectItems(out *selected, items []text) text {
	exact := !slices.ContainsFunc(out.columns, func(c column) bool { return !c.typ.isExact() })
	if out.distinct = exact && m.chance(6); out.distinct {
		m.has("distinct")
		return fill("SELECT DISTINCT ?", join(items, ", "))
	}
	return fill("SELECT ?", join(items, ", "))
}

// item is an item of SELECT under a new name.
func (m *maker) item(out *selected, e text, t Type) text {
	name := m.newName("c")
	out.columns = append(out.columns, column{same(name), name, t})
	return fill("? AS "+name, e)
}

// itemTypes are the types of items: those that are wanted, or some of the columns and a few others.
func (m *maker) itemTypes(s *scope, wanted []Type) []Type {
	if wanted != nil {
		return wanted
	}
	var out []Type
	for range 1 + m.random.IntN(4) {
		if len(s.columns) > 0 && !m.chance(4) {
			out = append(out, pick(m, s.columns).typ)
		} else {
			out = append(out, pick(m, []Type{Integer, Decimal, Double, Text, Day, Truth}))
		}
	}
	return out
}
