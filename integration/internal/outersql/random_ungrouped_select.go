package outersql

import "slices"

// generatedQuery is a SELECT or a set operation.
type generatedQuery struct {
	sqlInBothForms
	columns []column
	rows    int
	ordered bool
}

// queryBeforeOrderBy is a SELECT before its ORDER BY.
type queryBeforeOrderBy struct {
	generatedQuery
	scope    *expressionScope // of ORDER BY; nil for a set operation
	distinct bool
}

// randomUngroupedSelect returns a SELECT without groups. wanted are the types of its items; nil leaves them free.
func (m *statementGenerator) randomUngroupedSelect(depth int, wanted []ColumnType) queryBeforeOrderBy {
	from := m.randomFrom(depth)
	s := &expressionScope{statementGenerator: m, columns: m.bareOrQualifiedColumns(from), subqueries: true, depth: depth}
	if wanted == nil && len(from.merged) == 0 && m.randomOneIn(6) && hasDistinctNames(from.columns) {
		m.recordConstruct("star")
		out := queryBeforeOrderBy{generatedQuery: generatedQuery{sqlInBothForms: fillPlaceholders("SELECT * FROM ?", from.sqlInBothForms), columns: unqualifiedResultColumns(from.columns), rows: from.rows}, scope: s}
		out.sqlInBothForms = m.withOptionalWhere(out.sqlInBothForms, s)
		return out
	}
	var items []sqlInBothForms
	out := queryBeforeOrderBy{scope: s}
	for _, t := range m.randomItemTypes(s, wanted) {
		var e sqlInBothForms
		if t != ColumnTypeBoolean && m.randomOneIn(6) {
			e = s.randomWindowFunction(t)
		} else {
			e = s.randomExpression(t, 2)
		}
		items = append(items, m.newSelectItem(&out, e, t))
	}
	out.rows = from.rows
	out.sqlInBothForms = m.withOptionalWhere(fillPlaceholders("? FROM ?", m.selectClause(&out, items), from.sqlInBothForms), s)
	return out
}

// withOptionalWhere adds WHERE to some texts.
func (m *statementGenerator) withOptionalWhere(t sqlInBothForms, s *expressionScope) sqlInBothForms {
	if !m.randomOneIn(3) {
		return t
	}
	return fillPlaceholders("? WHERE ?", t, s.randomConjunction())
}

// selectClause is SELECT with its items, DISTINCT where every value of theirs is exact.
func (m *statementGenerator) selectClause(out *queryBeforeOrderBy, items []sqlInBothForms) sqlInBothForms {
	exact := !slices.ContainsFunc(out.columns, func(c column) bool { return !c.typ.isExact() })
	if out.distinct = exact && m.randomOneIn(6); out.distinct {
		m.recordConstruct("distinct")
		return fillPlaceholders("SELECT DISTINCT ?", joinWithSeparator(items, ", "))
	}
	return fillPlaceholders("SELECT ?", joinWithSeparator(items, ", "))
}

// newSelectItem returns an item of SELECT under a new name.
func (m *statementGenerator) newSelectItem(out *queryBeforeOrderBy, e sqlInBothForms, t ColumnType) sqlInBothForms {
	name := m.newName("c")
	out.columns = append(out.columns, column{sameInBothForms(name), name, t})
	return fillPlaceholders("? AS "+name, e)
}

// randomItemTypes returns the types of items: those that are wanted, or some of the columns and a few others.
func (m *statementGenerator) randomItemTypes(s *expressionScope, wanted []ColumnType) []ColumnType {
	if wanted != nil {
		return wanted
	}
	var out []ColumnType
	for range 1 + m.random.IntN(4) {
		if len(s.columns) > 0 && !m.randomOneIn(4) {
			out = append(out, pickRandom(m, s.columns).typ)
		} else {
			out = append(out, pickRandom(m, []ColumnType{ColumnTypeInteger, ColumnTypeDecimal, ColumnTypeDouble, ColumnTypeText, ColumnTypeDate, ColumnTypeBoolean}))
		}
	}
	return out
}
