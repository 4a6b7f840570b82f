package outersql

import (
	"slices"
	"strconv"
	"strings"
)

// query is a SELECT or a set operation, with WITH, an order and a limit. wanted are the types of its columns; nil leaves
// them free.
func (m *maker) query(depth int, wanted []Type) result {
	visible := len(m.commons)
	var commons []text
	for depth > 0 && m.relations > 2 && len(commons) < 2 && m.chance(5) {
		commons = append(commons, m.newCommon(depth-1))
	}
	var out selected
	switch {
	case depth > 0 && m.relations > 1 && m.chance(5):
		out = m.setOperation(depth, wanted)
	case m.chance(2):
		out = m.groupedSelect(depth, wanted)
	default:
		out = m.plainSelect(depth, wanted)
	}
	r := m.withOrder(out)
	if len(commons) > 0 {
		r.text = fill("WITH ? ?", join(commons, ", "), r.text)
	}
	m.commons = m.commons[:visible]
	return r
}

// newCommon adds a table of WITH.
func (m *maker) newCommon(depth int) text {
	body := m.table(pick(m, m.tables))
	if m.chance(3) {
		body = m.query(depth, nil)
	} else {
		m.relations--
	}
	c := common{name: m.newName("w"), rows: body.rows}
	rename := !hasDistinctNames(body.columns) || m.chance(3)
	var names []text
	for _, col := range body.columns {
		if rename {
			col.name = m.newName("a")
		}
		names = append(names, same(col.name))
		c.columns = append(c.columns, col)
	}
	m.commons = append(m.commons, c)
	head := c.name
	if rename {
		head += "(" + join(names, ", ").statement + ")"
	}
	return fill(head+" AS (?)", body.text)
}

// setOperation is UNION, INTERSECT or EXCEPT of two queries.
func (m *maker) setOperation(depth int, wanted []Type) selected {
	left := m.operand(depth, wanted)
	var types []Type
	exact := true
	for _, c := range left.columns {
		types, exact = append(types, c.typ), exact && c.typ.isExact()
	}
	operators := []string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT", "UNION DISTINCT"}
	if !exact {
		operators = []string{"UNION ALL"}
	}
	operator := pick(m, operators)
	m.has("set operation")
	right := m.operand(depth, types)
	left.text = fill("? "+operator+" ?", left.text, right.text)
	return selected{result: result{text: left.text, columns: left.columns, rows: left.rows + right.rows}}
}

// operand is a side of a set operation.
func (m *maker) operand(depth int, wanted []Type) result {
	switch {
	case wanted == nil && m.chance(6):
		r := m.table(pick(m, m.tables))
		r.text = fill("(?)", r.text)
		return r
	case m.chance(3):
		r := m.query(depth-1, wanted)
		r.text = fill("(?)", r.text)
		return r
	case m.chance(2):
		return m.groupedSelect(depth-1, wanted).result
	}
	return m.plainSelect(depth-1, wanted).result
}

// withOrder adds ORDER BY, LIMIT and OFFSET. Where a limit is, the columns in order decide between equal keys: plain SQL
// has to write them.
func (m *maker) withOrder(s selected) result {
	out := s.result
	limited := m.chance(4)
	var keys []text
	if limited || m.chance(3) {
		keys = m.orderKeys(s)
	}
	var rest []text
	for i := range s.columns {
		rest = append(rest, same(strconv.Itoa(i+1)+" NULLS LAST"))
	}
	switch {
	case limited:
		m.has("limit")
		plain := join(slices.Concat(keys, rest), ", ").plain
		if len(keys) > 0 {
			out.statement += " ORDER BY " + join(keys, ", ").statement
		}
		out.text = text{out.statement, out.plain + " ORDER BY " + plain}.append(m.limit(&out))
		out.ordered = true
	case len(keys) > 0:
		m.has("order")
		if out.ordered = m.chance(2); out.ordered {
			keys = append(keys, rest...)
		}
		out.text = fill("? ORDER BY ?", out.text, join(keys, ", "))
	}
	return out
}

// limit is LIMIT and OFFSET.
func (m *maker) limit(of *result) text {
	n := m.random.IntN(20)
	of.rows = min(of.rows, n)
	out := " LIMIT " + strconv.Itoa(n)
	if m.chance(5) {
		out += " OFFSET " + strconv.Itoa(m.random.IntN(4))
	}
	if m.chance(10) {
		out = " OFFSET 1 ROWS FETCH FIRST " + strconv.Itoa(n) + " ROWS ONLY"
		return text{out, " LIMIT " + strconv.Itoa(n) + " OFFSET 1"}
	}
	return same(out)
}

// orderKeys are keys of ORDER BY: items by their number or name, and expressions that are not shown.
func (m *maker) orderKeys(s selected) []text {
	var out []text
	for range 1 + m.random.IntN(2) {
		at := m.random.IntN(len(s.columns))
		key := same(strconv.Itoa(at + 1))
		switch {
		case s.scope != nil && !s.distinct && m.chance(3):
			m.has("hidden order")
			key = s.scope.value(pick(m, []Type{Integer, Decimal, Text, Day}), 1)
			if !s.scope.reads(key) && !strings.Contains(key.plain, "(") {
				continue // a constant is the number of an item, or no order
			}
		case s.columns[at].name != "" && m.chance(2):
			key = same(s.columns[at].name)
		}
		out = append(out, (&scope{maker: m}).direct(key))
	}
	return out
}

func hasDistinctNames(columns []column) bool {
	seen := map[string]bool{}
	for _, c := range columns {
		if c.name == "" || seen[c.name] {
			return false
		}
		seen[c.name] = true
	}
	return true
}

// renamed are columns as those of a result.
func renamed(columns []column) []column {
	var out []column
	for _, c := range columns {
		out = append(out, column{same(c.name), c.name, c.typ})
	}
	return out
}

// readable are the columns of FROM as expressions write them: those whose name no other column has may be bare.
func (m *maker) readable(from relation) []column {
	count := map[string]int{}
	for _, c := range from.columns {
		count[c.name]++
	}
	var out []column
	for _, c := range from.columns {
		if count[c.name] == 1 && m.chance(2) {
			c.text = same(c.name)
		}
		out = append(out, c)
	}
	for _, c := range from.merged {
		if count[c.name] == 2 { // the two that USING joins
			out = append(out, c)
		}
	}
	return out
}
