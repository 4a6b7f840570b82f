package outersql

// randomColumnType returns a type that some column has, or that constants have.
func (s *expressionScope) randomColumnType() ColumnType {
	if len(s.columns) > 0 && !s.randomOneIn(5) {
		return pickRandom(s.statementGenerator, s.columns).typ
	}
	return pickRandom(s.statementGenerator, []ColumnType{ColumnTypeInteger, ColumnTypeDecimal, ColumnTypeText, ColumnTypeDate})
}

// randomCondition returns a random condition.
func (s *expressionScope) randomCondition(depth int) sqlInBothForms {
	if depth > 0 && s.randomOneIn(3) {
		switch s.random.IntN(4) {
		case 0:
			return fillPlaceholders("(? AND ?)", s.randomCondition(depth-1), s.randomCondition(depth-1))
		case 1:
			return fillPlaceholders("(? OR ?)", s.randomCondition(depth-1), s.randomCondition(depth-1))
		case 2:
			return fillPlaceholders("NOT (?)", s.randomCondition(depth-1))
		}
		return fillPlaceholders("(?) IS "+pickRandom(s.statementGenerator, []string{"TRUE", "NOT TRUE", "FALSE", "NOT FALSE"}), s.randomCondition(depth-1))
	}
	t := s.randomColumnType()
	switch n := s.random.IntN(8); {
	case t == ColumnTypeBoolean:
		return fillPlaceholders("? = ?", s.randomLeafExpression(ColumnTypeBoolean), s.randomConstant(ColumnTypeBoolean))
	case n == 0:
		return fillPlaceholders("? IS"+pickRandom(s.statementGenerator, []string{"", " NOT"})+" NULL", s.randomLeafExpression(t))
	case n == 1:
		return fillPlaceholders("? BETWEEN ? AND ?", s.randomExpression(t, depth), s.randomConstant(t), s.randomConstant(t))
	case n == 2 && t.isExact():
		return fillPlaceholders("?"+pickRandom(s.statementGenerator, []string{"", " NOT"})+" IN (?, ?, ?)", s.randomExpression(t, depth), s.randomConstant(t), s.randomConstant(t), s.randomConstant(t))
	case n == 3 && t == ColumnTypeText:
		return fillPlaceholders("? "+pickRandom(s.statementGenerator, []string{"LIKE", "NOT LIKE"})+" "+pickRandom(s.statementGenerator, []string{"'%e%'", "'c%'", "'_a%'"}), s.randomExpression(ColumnTypeText, depth))
	case n == 4 && t.isExact():
		return fillPlaceholders("? IS"+pickRandom(s.statementGenerator, []string{"", " NOT"})+" DISTINCT FROM ?", s.randomLeafExpression(t), s.randomExpression(t, depth))
	case n == 5 && t.isNumber():
		return fillPlaceholders("? "+s.randomInequalityOperator()+" ?", s.randomExpression(t, depth), s.randomExpression(pickRandom(s.statementGenerator, []ColumnType{ColumnTypeInteger, ColumnTypeDecimal}), depth))
	case n == 6 && t.isExact():
		return fillPlaceholders("? "+pickRandom(s.statementGenerator, []string{"=", "<>"})+" ?", s.randomExpression(t, depth), s.randomExpression(t, depth))
	}
	return fillPlaceholders("? "+s.randomInequalityOperator()+" ?", s.randomExpression(t, depth), s.randomExpression(t, depth))
}

// randomInequalityOperator returns an operator that orders.
func (s *expressionScope) randomInequalityOperator() string {
	return pickRandom(s.statementGenerator, []string{"<", "<=", ">", ">="})
}

// randomConjunction returns conditions of WHERE or HAVING, of which some are IN with a subquery.
func (s *expressionScope) randomConjunction() sqlInBothForms {
	out := []sqlInBothForms{s.randomCondition(2)}
	if s.randomOneIn(4) {
		out = append(out, s.randomCondition(1))
	}
	if s.depth > 0 && s.relations > 1 && s.randomOneIn(3) {
		out = append(out, s.randomInSubquery())
	}
	return joinWithSeparator(out, " AND ")
}

// randomInSubquery returns the condition that a value is among the rows of a subquery, or is not.
func (s *expressionScope) randomInSubquery() sqlInBothForms {
	t := s.randomColumnType()
	if !t.isExact() || t == ColumnTypeBoolean {
		t = ColumnTypeInteger
	}
	s.recordConstruct("in a subquery")
	value := (&expressionScope{statementGenerator: s.statementGenerator, columns: s.columns, below: s.below}).randomExpression(t, 1)
	rows := s.randomSelectOrSetOperation(s.depth-1, []ColumnType{t})
	switch s.random.IntN(3) {
	case 0:
		return fillPlaceholders("? IN (?)", value, rows.sqlInBothForms)
	case 1:
		return fillPlaceholders("NOT ? IN (?)", value, rows.sqlInBothForms)
	}
	return fillPlaceholders("? NOT IN (?)", value, rows.sqlInBothForms)
}
