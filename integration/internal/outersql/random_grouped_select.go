package outersql

import (
	"slices"
	"strconv"
	"strings"
)

// randomGroupedSelect returns a SELECT with GROUP BY, or with aggregates alone.
func (m *statementGenerator) randomGroupedSelect(depth int, wanted []ColumnType) queryBeforeOrderBy {
	from := m.randomFrom(depth)
	below := &expressionScope{statementGenerator: m, columns: m.bareOrQualifiedColumns(from)}
	s := &expressionScope{statementGenerator: m, below: below, subqueries: true, depth: depth}
	groups := m.randomGroupByKeys(s)
	out := queryBeforeOrderBy{scope: s}
	var items []sqlInBothForms
	if wanted == nil {
		items = m.selectItemsForGroupByKeys(s, &out, groups)
	}
	for i, t := range m.randomItemTypes(s, wanted) {
		var e sqlInBothForms
		switch {
		case i == 0 && len(groups) == 0:
			e = s.randomAggregateExpression(t)
		case t != ColumnTypeBoolean && m.randomOneIn(8):
			e = s.randomWindowFunction(t)
		default:
			e = s.randomExpression(t, 2)
		}
		items = append(items, m.newSelectItem(&out, e, t))
	}
	out.rows = from.rows
	if len(groups) == 0 {
		m.recordConstruct("one group")
		out.rows = 1
	}
	out.sqlInBothForms = m.withOptionalWhere(fillPlaceholders("? FROM ?", m.selectClause(&out, items), from.sqlInBothForms), &expressionScope{statementGenerator: m, columns: below.columns, subqueries: true, depth: depth})
	if len(groups) > 0 {
		m.recordConstruct("groups")
		out.sqlInBothForms = fillPlaceholders("? GROUP BY ?", out.sqlInBothForms, m.randomGroupingSets(groups))
	}
	if m.randomOneIn(5) {
		m.recordConstruct("having")
		out.sqlInBothForms = fillPlaceholders("? HAVING ?", out.sqlInBothForms, s.randomConjunction())
	}
	return out
}

// randomGroupingSets returns the groups as one set or as several.
func (m *statementGenerator) randomGroupingSets(groups []sqlInBothForms) sqlInBothForms {
	list := joinWithSeparator(groups, ", ")
	if !m.randomOneIn(4) {
		return list
	}
	m.recordConstruct("grouping sets")
	return fillPlaceholders(pickRandom(m, []string{"ROLLUP (?)", "CUBE (?)", "GROUPING SETS ((?), ())"}), list)
}

// randomGroupByKeys returns the expressions of GROUP BY, which are the columns of the scope then.
func (m *statementGenerator) randomGroupByKeys(s *expressionScope) []sqlInBothForms {
	var out []sqlInBothForms
	for range m.random.IntN(3) {
		t := s.below.randomColumnType()
		if !t.isExact() {
			continue
		}
		e := s.below.randomExpression(t, m.random.IntN(2))
		if t == ColumnTypeBoolean {
			e = fillPlaceholders("(?)", e)
		}
		if s.below.readsAnyColumn(e) {
			s.columns = append(s.columns, column{sqlInBothForms: e, typ: t})
			out = append(out, e)
		}
	}
	return out
}

// readsAnyColumn reports whether an expression has a column.
func (s *expressionScope) readsAnyColumn(e sqlInBothForms) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return strings.Contains(e.statement, c.statement) })
}

// selectItemsForGroupByKeys returns the groups as items; GROUP BY may name them by their number or their name.
func (m *statementGenerator) selectItemsForGroupByKeys(s *expressionScope, out *queryBeforeOrderBy, groups []sqlInBothForms) []sqlInBothForms {
	var items []sqlInBothForms
	for i, g := range groups {
		if m.randomOneIn(4) {
			continue
		}
		items = append(items, m.newSelectItem(out, g, s.columns[i].typ))
		switch m.random.IntN(3) {
		case 0:
			groups[i] = sameInBothForms(strconv.Itoa(len(items)))
		case 1:
			groups[i] = sameInBothForms(out.columns[len(items)-1].name)
		}
	}
	return items
}

// randomAggregateExpression returns an expression with an aggregate.
func (s *expressionScope) randomAggregateExpression(t ColumnType) sqlInBothForms {
	if t == ColumnTypeBoolean {
		return fillPlaceholders("? > 2", s.below.randomAggregate(ColumnTypeInteger))
	}
	return s.below.randomAggregate(t)
}
