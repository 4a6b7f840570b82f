package outersql

import (
	"slices"
	"strconv"
	"strings"
)

// randomSelectOrSetOperation returns a SELECT or a set operation, with WITH, an order and a limit. wanted are the types of its columns; nil leaves
// them free.
func (m *statementGenerator) randomSelectOrSetOperation(depth int, wanted []ColumnType) generatedQuery {
	visible := len(m.commons)
	var commons []sqlInBothForms
	for depth > 0 && m.relations > 2 && len(commons) < 2 && m.randomOneIn(5) {
		commons = append(commons, m.addCommonTable(depth-1))
	}
	var out queryBeforeOrderBy
	switch {
	case depth > 0 && m.relations > 1 && m.randomOneIn(5):
		out = m.randomSetOperation(depth, wanted)
	case m.randomOneIn(2):
		out = m.randomGroupedSelect(depth, wanted)
	default:
		out = m.randomUngroupedSelect(depth, wanted)
	}
	r := m.withOrderAndLimit(out)
	if len(commons) > 0 {
		r.sqlInBothForms = fillPlaceholders("WITH ? ?", joinWithSeparator(commons, ", "), r.sqlInBothForms)
	}
	m.commons = m.commons[:visible]
	return r
}

// addCommonTable adds a table of WITH.
func (m *statementGenerator) addCommonTable(depth int) sqlInBothForms {
	body := m.selectOfResultTable(pickRandom(m, m.tables))
	if m.randomOneIn(3) {
		body = m.randomSelectOrSetOperation(depth, nil)
	} else {
		m.relations--
	}
	c := commonTable{name: m.newName("w"), rows: body.rows}
	rename := !hasDistinctNames(body.columns) || m.randomOneIn(3)
	var names []sqlInBothForms
	for _, col := range body.columns {
		if rename {
			col.name = m.newName("a")
		}
		names = append(names, sameInBothForms(col.name))
		c.columns = append(c.columns, col)
	}
	m.commons = append(m.commons, c)
	head := c.name
	if rename {
		head += "(" + joinWithSeparator(names, ", ").statement + ")"
	}
	return fillPlaceholders(head+" AS (?)", body.sqlInBothForms)
}

// randomSetOperation is UNION, INTERSECT or EXCEPT of two queries.
func (m *statementGenerator) randomSetOperation(depth int, wanted []ColumnType) queryBeforeOrderBy {
	left := m.randomSetOperand(depth, wanted)
	var types []ColumnType
	exact := true
	for _, c := range left.columns {
		types, exact = append(types, c.typ), exact && c.typ.isExact()
	}
	operators := []string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT", "UNION DISTINCT"}
	if !exact {
		operators = []string{"UNION ALL"}
	}
	operator := pickRandom(m, operators)
	m.recordConstruct("set operation")
	if slices.Contains(types, ColumnTypeDecimal) {
		m.recordConstruct(MixedDecimalsConstruct)
	}
	right := m.randomSetOperand(depth, types)
	left.sqlInBothForms = fillPlaceholders("? "+operator+" ?", left.sqlInBothForms, right.sqlInBothForms)
	return queryBeforeOrderBy{generatedQuery: generatedQuery{sqlInBothForms: left.sqlInBothForms, columns: left.columns, rows: left.rows + right.rows}}
}

// randomSetOperand returns a side of a set operation.
func (m *statementGenerator) randomSetOperand(depth int, wanted []ColumnType) generatedQuery {
	switch {
	case wanted == nil && m.randomOneIn(6):
		r := m.selectOfResultTable(pickRandom(m, m.tables))
		r.sqlInBothForms = fillPlaceholders("(?)", r.sqlInBothForms)
		return r
	case m.randomOneIn(3):
		r := m.randomSelectOrSetOperation(depth-1, wanted)
		r.sqlInBothForms = fillPlaceholders("(?)", r.sqlInBothForms)
		return r
	case m.randomOneIn(2):
		return m.randomGroupedSelect(depth-1, wanted).generatedQuery
	}
	return m.randomUngroupedSelect(depth-1, wanted).generatedQuery
}

// withOrderAndLimit adds ORDER BY, LIMIT and OFFSET. Where a limit is, the columns in order decide between equal keys: plain SQL
// has to write them.
func (m *statementGenerator) withOrderAndLimit(s queryBeforeOrderBy) generatedQuery {
	out := s.generatedQuery
	limited := m.randomOneIn(4)
	var keys []sqlInBothForms
	if limited || m.randomOneIn(3) {
		keys = m.randomOrderKeys(s)
	}
	var rest []sqlInBothForms
	for i := range s.columns {
		rest = append(rest, sameInBothForms(strconv.Itoa(i+1)+" NULLS LAST"))
	}
	switch {
	case limited:
		m.recordConstruct("limit")
		plain := joinWithSeparator(slices.Concat(keys, rest), ", ").plain
		if len(keys) > 0 {
			out.statement += " ORDER BY " + joinWithSeparator(keys, ", ").statement
		}
		out.sqlInBothForms = sqlInBothForms{out.statement, out.plain + " ORDER BY " + plain}.appendSQL(m.randomLimit(&out))
		out.ordered = true
	case len(keys) > 0:
		m.recordConstruct("order")
		if out.ordered = m.randomOneIn(2); out.ordered {
			keys = append(keys, rest...)
		}
		out.sqlInBothForms = fillPlaceholders("? ORDER BY ?", out.sqlInBothForms, joinWithSeparator(keys, ", "))
	}
	return out
}

// randomLimit is LIMIT and OFFSET.
func (m *statementGenerator) randomLimit(of *generatedQuery) sqlInBothForms {
	n := m.random.IntN(20)
	of.rows = min(of.rows, n)
	out := " LIMIT " + strconv.Itoa(n)
	if m.randomOneIn(5) {
		out += " OFFSET " + strconv.Itoa(m.random.IntN(4))
	}
	if m.randomOneIn(10) {
		out = " OFFSET 1 ROWS FETCH FIRST " + strconv.Itoa(n) + " ROWS ONLY"
		return sqlInBothForms{out, " LIMIT " + strconv.Itoa(n) + " OFFSET 1"}
	}
	return sameInBothForms(out)
}

// randomOrderKeys returns keys of ORDER BY: items by their number or name, and expressions that are not shown.
func (m *statementGenerator) randomOrderKeys(s queryBeforeOrderBy) []sqlInBothForms {
	var out []sqlInBothForms
	for range 1 + m.random.IntN(2) {
		at := m.random.IntN(len(s.columns))
		key := sameInBothForms(strconv.Itoa(at + 1))
		switch {
		case s.scope != nil && !s.distinct && m.randomOneIn(3):
			m.recordConstruct("hidden order")
			key = s.scope.randomExpression(pickRandom(m, []ColumnType{ColumnTypeInteger, ColumnTypeDecimal, ColumnTypeText, ColumnTypeDate}), 1)
			if !s.scope.readsAnyColumn(key) && (!strings.Contains(key.plain, "(") || strings.HasPrefix(key.plain, "(-")) {
				continue // a constant, (-1) too, is the number of an item, or no order
			}
		case s.columns[at].name != "" && m.randomOneIn(2):
			key = sameInBothForms(s.columns[at].name)
		}
		out = append(out, (&expressionScope{statementGenerator: m}).withRandomSortDirection(key))
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

// unqualifiedResultColumns returns the columns of a FROM item, named as those of the result of SELECT *.
func unqualifiedResultColumns(columns []column) []column {
	var out []column
	for _, c := range columns {
		out = append(out, column{sameInBothForms(c.name), c.name, c.typ})
	}
	return out
}

// bareOrQualifiedColumns returns the columns of FROM as expressions write them: those whose name no other column has may be bare.
func (m *statementGenerator) bareOrQualifiedColumns(from fromItem) []column {
	count := map[string]int{}
	for _, c := range from.columns {
		count[c.name]++
	}
	var out []column
	for _, c := range from.columns {
		if count[c.name] == 1 && m.randomOneIn(2) {
			c.sqlInBothForms = sameInBothForms(c.name)
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
