package outersql

// randomAggregate returns an aggregate over the columns with values of a type.
func (s *expressionScope) randomAggregate(t ColumnType) sqlInBothForms {
	out := s.randomUnfilteredAggregate(t)
	if s.randomOneIn(5) {
		s.recordConstruct("filter")
		out = out.appendSQL(fillPlaceholders(" FILTER (WHERE ?)", s.randomCondition(1)))
	}
	return out
}

func (s *expressionScope) randomUnfilteredAggregate(t ColumnType) sqlInBothForms {
	extreme := pickRandom(s.statementGenerator, []string{"MIN(?)", "MAX(?)"})
	switch {
	case t == ColumnTypeInteger && s.randomOneIn(2):
		return s.randomCount()
	case t.isNumber() && t != ColumnTypeDouble && s.randomOneIn(2):
		return fillPlaceholders("SUM(?)", s.randomExpression(t, 1))
	case t == ColumnTypeDouble && !s.randomOneIn(4):
		return fillPlaceholders("AVG(?)", s.randomExpression(pickRandom(s.statementGenerator, []ColumnType{ColumnTypeInteger, ColumnTypeDecimal}), 1))
	}
	return fillPlaceholders(extreme, s.randomExpression(t, 1))
}

func (s *expressionScope) randomCount() sqlInBothForms {
	t := s.randomColumnType()
	switch s.random.IntN(4) {
	case 0:
		return sameInBothForms("COUNT(*)")
	case 1:
		if t.isExact() {
			s.recordConstruct("count distinct")
			return fillPlaceholders("COUNT(DISTINCT ?)", s.randomExpression(t, 1))
		}
	case 2:
		return sameInBothForms("COUNT(1)")
	}
	return fillPlaceholders("COUNT(?)", s.randomLeafExpression(t))
}

// randomWindowFunction returns a window function with values of a type. In a SELECT with groups it is over the rows of the groups.
func (s *expressionScope) randomWindowFunction(t ColumnType) sqlInBothForms {
	s.recordConstruct("window")
	plain := &expressionScope{statementGenerator: s.statementGenerator, columns: s.columns, below: s.below}
	ordered, total := true, false
	var call sqlInBothForms
	switch n := s.random.IntN(6); {
	case t == ColumnTypeInteger && n == 0:
		call, total = sameInBothForms("ROW_NUMBER()"), true
	case t == ColumnTypeInteger && n == 1:
		call = sameInBothForms("RANK()")
	case t == ColumnTypeInteger && n == 2:
		call = sameInBothForms("DENSE_RANK()")
	case t == ColumnTypeInteger && n == 3:
		call, ordered = sameInBothForms(pickRandom(s.statementGenerator, []string{"COUNT(*)", "COUNT(1)"})), s.randomOneIn(2)
	case t == ColumnTypeDouble:
		call, ordered = fillPlaceholders("AVG(?)", plain.randomExpression(pickRandom(s.statementGenerator, []ColumnType{ColumnTypeInteger, ColumnTypeDecimal}), 1)), s.randomOneIn(2)
	case t.isNumber() && n < 5:
		call, ordered = fillPlaceholders("SUM(?)", plain.randomExpression(t, 1)), s.randomOneIn(2)
	default:
		call, ordered = fillPlaceholders(pickRandom(s.statementGenerator, []string{"MIN(?)", "MAX(?)"}), plain.randomExpression(t, 1)), s.randomOneIn(2)
	}
	ranks := call.statement == "RANK()" || call.statement == "DENSE_RANK()"
	frame := ""
	if ordered && !total && !ranks && s.randomOneIn(3) {
		s.recordConstruct("frame")
		total = true
		frame = pickRandom(s.statementGenerator, []string{" ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", " ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING", " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " ROWS 1 PRECEDING"})
	}
	var over []sqlInBothForms
	if s.randomOneIn(2) && len(s.columns) > 0 {
		if c := pickRandom(s.statementGenerator, s.columns); c.typ.isExact() {
			over = append(over, fillPlaceholders("PARTITION BY ?", c.sqlInBothForms))
		}
	}
	if ordered {
		over = append(over, fillPlaceholders("ORDER BY ?"+frame, s.randomWindowOrder(plain, total)))
	}
	return fillPlaceholders("? OVER (?)", call, joinWithSeparator(over, " "))
}

// randomWindowOrder returns the order of a window; a total one has all columns.
func (s *expressionScope) randomWindowOrder(plain *expressionScope, total bool) sqlInBothForms {
	var keys []sqlInBothForms
	t := s.randomColumnType()
	if !t.isExact() {
		t = ColumnTypeInteger
	}
	keys = append(keys, s.withRandomSortDirection(plain.randomExpression(t, 1)))
	if total {
		for _, c := range s.columns {
			keys = append(keys, s.withRandomSortDirection(c.sqlInBothForms))
		}
	}
	return joinWithSeparator(keys, ", ")
}

// withRandomSortDirection returns a key of an order with a direction and the place of NULL.
func (s *expressionScope) withRandomSortDirection(key sqlInBothForms) sqlInBothForms {
	direction := pickRandom(s.statementGenerator, []string{"", "", " ASC", " DESC", " DESC"})
	if s.randomOneIn(4) {
		s.recordConstruct("nulls first")
		return key.appendSQL(sameInBothForms(direction + " NULLS FIRST"))
	}
	return key.appendSQL(sqlInBothForms{direction + pickRandom(s.statementGenerator, []string{"", " NULLS LAST"}), direction + " NULLS LAST"})
}
