package outersql

import "slices"

// fromItem is an item of FROM with the columns that it offers, in the order of a star.
type fromItem struct {
	sqlInBothForms
	columns []column
	merged  []column // those of USING, which have no qualifier
	rows    int      // the most that it has
}

// commonTable is a table of WITH.
type commonTable struct {
	name    string
	columns []column
	rows    int
}

// maxJoinedRows bounds the rows of a join.
const maxJoinedRows = 20_000

// randomFrom returns the FROM of a SELECT.
func (m *statementGenerator) randomFrom(depth int) fromItem {
	out := m.randomFromItem(depth)
	for m.relations > 0 && m.randomOneIn(3) {
		if m.randomOneIn(4) {
			out = m.randomJoinUsing(out)
			continue
		}
		right := m.randomFromItem(depth - 1)
		if out.rows*right.rows > maxJoinedRows {
			break
		}
		out = m.randomJoin(out, right)
	}
	if m.relations > 0 && m.randomOneIn(12) {
		if right := m.randomFromItem(0); out.rows*right.rows <= maxJoinedRows {
			out = fromItem{sqlInBothForms: fillPlaceholders("?, ?", out.sqlInBothForms, right.sqlInBothForms), columns: slices.Concat(out.columns, right.columns), merged: out.merged, rows: out.rows * right.rows}
		}
	}
	return out
}

// randomFromItem returns a result, a common table or a derived table, under a new alias.
func (m *statementGenerator) randomFromItem(depth int) fromItem {
	m.relations--
	switch {
	case len(m.commons) > 0 && m.randomOneIn(2):
		return m.fromItemOfCommonTable(pickRandom(m, m.commons))
	case depth > 0 && m.relations > 0 && m.randomOneIn(3):
		m.recordConstruct("derived table")
		return m.asDerivedTable(m.randomSelectOrSetOperation(depth-1, nil))
	}
	return m.asDerivedTable(m.selectOfResultTable(pickRandom(m, m.tables)))
}

// selectOfResultTable returns the SELECT of a result.
func (m *statementGenerator) selectOfResultTable(t ResultTable) generatedQuery {
	out := generatedQuery{sqlInBothForms: sqlInBothForms{t.Select, "SELECT * FROM " + t.Name}, rows: t.Rows}
	for _, c := range t.Columns {
		out.columns = append(out.columns, column{typ: c.Type})
		m.values[c.Type] = append(m.values[c.Type], c.Values...)
	}
	return out
}

// asDerivedTable returns a derived table.
func (m *statementGenerator) asDerivedTable(r generatedQuery) fromItem {
	alias := m.newName("t")
	rename := m.randomOneIn(4) || slices.ContainsFunc(r.columns, func(c column) bool { return c.name == "" })
	out := fromItem{sqlInBothForms: fillPlaceholders("(?) AS ?", r.sqlInBothForms, sameInBothForms(alias)), rows: r.rows}
	var names []sqlInBothForms
	for _, c := range r.columns {
		if rename {
			c.name = m.newName("a")
		}
		names = append(names, sameInBothForms(c.name))
		out.columns = append(out.columns, column{sameInBothForms(alias + "." + c.name), c.name, c.typ})
	}
	if rename {
		out.sqlInBothForms = out.appendSQL(fillPlaceholders("(?)", joinWithSeparator(names, ", ")))
	}
	return out
}

func (m *statementGenerator) fromItemOfCommonTable(c commonTable) fromItem {
	m.recordConstruct("with")
	alias := m.newName("t")
	out := fromItem{sqlInBothForms: sameInBothForms(c.name + " AS " + alias), rows: c.rows}
	for _, col := range c.columns {
		out.columns = append(out.columns, column{sameInBothForms(alias + "." + col.name), col.name, col.typ})
	}
	return out
}

// randomJoin joins two relations.
func (m *statementGenerator) randomJoin(left, right fromItem) fromItem {
	out := fromItem{columns: slices.Concat(left.columns, right.columns), merged: left.merged, rows: left.rows * right.rows}
	pairs := m.possibleJoinEqualities(left, right)
	if len(pairs) == 0 || m.randomOneIn(8) {
		m.recordConstruct("cross join")
		out.sqlInBothForms = fillPlaceholders("(? CROSS JOIN ?)", left.sqlInBothForms, right.sqlInBothForms)
		return out
	}
	m.recordConstruct("join")
	kind := pickRandom(m, []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "LEFT JOIN", "RIGHT JOIN"})
	on := pickRandom(m, pairs)
	if m.randomOneIn(4) {
		on = fillPlaceholders("? AND ?", on, pickRandom(m, pairs))
	}
	out.rows += left.rows + right.rows
	out.sqlInBothForms = fillPlaceholders("(? "+kind+" ? ON ?)", left.sqlInBothForms, right.sqlInBothForms, on)
	return out
}

// possibleJoinEqualities returns equalities between two relations.
func (m *statementGenerator) possibleJoinEqualities(left, right fromItem) []sqlInBothForms {
	var out []sqlInBothForms
	for _, l := range left.columns {
		for _, r := range right.columns {
			if l.typ != r.typ || !l.typ.isExact() {
				continue
			}
			sides := []sqlInBothForms{l.sqlInBothForms, r.sqlInBothForms}
			if m.randomOneIn(2) {
				slices.Reverse(sides)
			}
			format := "? = ?"
			if l.typ == ColumnTypeText && m.randomOneIn(4) {
				format = "LOWER(?) = ?"
			} else if l.typ == ColumnTypeInteger && m.randomOneIn(4) {
				format = "? = ? + 1"
			}
			out = append(out, fillPlaceholders(format, sides...))
		}
	}
	return out
}

// randomJoinUsing joins a result that has a column with the name of one of the relation, where it finds one.
func (m *statementGenerator) randomJoinUsing(left fromItem) fromItem {
	c, t := pickRandom(m, left.columns), pickRandom(m, m.tables)
	at := slices.IndexFunc(t.Columns, func(of ResultColumn) bool { return of.Type == c.typ })
	named := 0
	for _, other := range left.columns {
		if other.name == c.name {
			named++
		}
	}
	if at < 0 || named > 1 || !c.typ.isExact() || left.rows*t.Rows > maxJoinedRows {
		return left
	}
	m.recordConstruct("using")
	m.relations--
	alias := m.newName("t")
	out := fromItem{columns: left.columns, merged: append(slices.Clone(left.merged), column{sameInBothForms(c.name), c.name, c.typ}), rows: left.rows*t.Rows + left.rows + t.Rows}
	var names []sqlInBothForms
	for i, of := range t.Columns {
		name := m.newName("a")
		if i == at {
			name = c.name
		}
		names = append(names, sameInBothForms(name))
		out.columns = append(slices.Clip(out.columns), column{sameInBothForms(alias + "." + name), name, of.Type})
	}
	kind := pickRandom(m, []string{"JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN"})
	out.sqlInBothForms = fillPlaceholders("(? "+kind+" (?) AS "+alias+"(?) USING ("+c.name+"))", left.sqlInBothForms, m.selectOfResultTable(t).sqlInBothForms, joinWithSeparator(names, ", "))
	return out
}
