package outersql

import "slices"

// relation is an item of FROM with the columns that it offers, in the order of a star.
type relation struct {
	text
	columns []column
	merged  []column // those of USING, which have no qualifier
	rows    int      // the most that it has
}

// common is a table of WITH.
type common struct {
	name    string
	columns []column
	rows    int
}

// maxJoinedRows bounds the rows of a join.
const maxJoinedRows = 20_000

// from is the FROM of a SELECT.
func (m *maker) from(depth int) relation {
	out := m.source(depth)
	for m.relations > 0 && m.chance(3) {
		if m.chance(4) {
			out = m.joinedUsing(out)
			continue
		}
		right := m.source(depth - 1)
		if out.rows*right.rows > maxJoinedRows {
			break
		}
		out = m.joined(out, right)
	}
	if m.relations > 0 && m.chance(12) {
		if right := m.source(0); out.rows*right.rows <= maxJoinedRows {
			out = relation{text: fill("?, ?", out.text, right.text), columns: slices.Concat(out.columns, right.columns), merged: out.merged, rows: out.rows * right.rows}
		}
	}
	return out
}

// source is a result, a common table or a derived table, under a new alias.
func (m *maker) source(depth int) relation {
	m.relations--
	switch {
	case len(m.commons) > 0 && m.chance(2):
		return m.commonTable(pick(m, m.commons))
	case depth > 0 && m.relations > 0 && m.chance(3):
		m.has("derived table")
		return m.aliased(m.query(depth-1, nil))
	}
	return m.aliased(m.table(pick(m, m.tables)))
}

// table is the SELECT of a result.
func (m *maker) table(t Table) result {
	out := result{text: text{t.Select, "SELECT * FROM " + t.Name}, rows: t.Rows}
	for _, c := range t.Columns {
		out.columns = append(out.columns, column{typ: c.Type})
		m.values[c.Type] = append(m.values[c.Type], c.Values...)
	}
	return out
}

// aliased is a derived table.
func (m *maker) aliased(r result) relation {
	alias := m.newName("t")
	rename := m.chance(4) || slices.ContainsFunc(r.columns, func(c column) bool { return c.name == "" })
	out := relation{text: fill("(?) AS ?", r.text, same(alias)), rows: r.rows}
	var names []text
	for _, c := range r.columns {
		if rename {
			c.name = m.newName("a")
		}
		names = append(names, same(c.name))
		out.columns = append(out.columns, column{same(alias + "." + c.name), c.name, c.typ})
	}
	if rename {
		out.text = out.append(fill("(?)", join(names, ", ")))
	}
	return out
}

func (m *maker) commonTable(c common) relation {
	m.has("with")
	alias := m.newName("t")
	out := relation{text: same(c.name + " AS " + alias), rows: c.rows}
	for _, col := range c.columns {
		out.columns = append(out.columns, column{same(alias + "." + col.name), col.name, col.typ})
	}
	return out
}

// joined joins two relations.
func (m *maker) joined(left, right relation) relation {
	out := relation{columns: slices.Concat(left.columns, right.columns), merged: left.merged, rows: left.rows * right.rows}
	pairs := m.pairs(left, right)
	if len(pairs) == 0 || m.chance(8) {
		m.has("cross join")
		out.text = fill("(? CROSS JOIN ?)", left.text, right.text)
		return out
	}
	m.has("join")
	kind := pick(m, []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "LEFT JOIN", "RIGHT JOIN"})
	on := pick(m, pairs)
	if m.chance(4) {
		on = fill("? AND ?", on, pick(m, pairs))
	}
	out.rows += left.rows + right.rows
	out.text = fill("(? "+kind+" ? ON ?)", left.text, right.text, on)
	return out
}

// pairs are equalities between two relations.
func (m *maker) pairs(left, right relation) []text {
	var out []text
	for _, l := range left.columns {
		for _, r := range right.columns {
			if l.typ != r.typ || !l.typ.isExact() {
				continue
			}
			sides := []text{l.text, r.text}
			if m.chance(2) {
				slices.Reverse(sides)
			}
			format := "? = ?"
			if l.typ == Text && m.chance(4) {
				format = "LOWER(?) = ?"
			} else if l.typ == Integer && m.chance(4) {
				format = "? = ? + 1"
			}
			out = append(out, fill(format, sides...))
		}
	}
	return out
}

// joinedUsing joins a result that has a column with the name of one of the relation, where it finds one.
func (m *maker) joinedUsing(left relation) relation {
	c, t := pick(m, left.columns), pick(m, m.tables)
	at := slices.IndexFunc(t.Columns, func(of Column) bool { return of.Type == c.typ })
	named := 0
	for _, other := range left.columns {
		if other.name == c.name {
			named++
		}
	}
	if at < 0 || named > 1 || !c.typ.isExact() || left.rows*t.Rows > maxJoinedRows {
		return left
	}
	m.has("using")
	m.relations--
	alias := m.newName("t")
	out := relation{columns: left.columns, merged: append(slices.Clone(left.merged), column{same(c.name), c.name, c.typ}), rows: left.rows*t.Rows + left.rows + t.Rows}
	var names []text
	for i, of := range t.Columns {
		name := m.newName("a")
		if i == at {
			name = c.name
		}
		names = append(names, same(name))
		out.columns = append(slices.Clip(out.columns), column{same(alias + "." + name), name, of.Type})
	}
	kind := pick(m, []string{"JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN"})
	out.text = fill("(? "+kind+" (?) AS "+alias+"(?) USING ("+c.name+"))", left.text, m.table(t).text, join(names, ", "))
	return out
}
