package outersql

// expressionScope is what the expressions of a SELECT read.
type expressionScope struct {
	*statementGenerator
	columns []column
	// below are the columns under the aggregates of a SELECT with groups; nil where nothing is aggregated.
	below *expressionScope
	// subqueries: a value may be that of a subquery.
	subqueries bool
	depth      int // of further subqueries
}

// columnsOfTypes returns the columns of one type.
func (s *expressionScope) columnsOfTypes(types ...ColumnType) []column {
	var out []column
	for _, c := range s.columns {
		for _, t := range types {
			if c.typ == t {
				out = append(out, c)
			}
		}
	}
	return out
}

// randomLeafExpression returns a column, an aggregate, a subquery or a constant.
func (s *expressionScope) randomLeafExpression(t ColumnType) sqlInBothForms {
	columns := s.columnsOfTypes(t)
	switch {
	case s.subqueries && s.depth > 0 && s.relations > 1 && t != ColumnTypeBoolean && s.randomOneIn(14):
		return s.randomScalarSubquery(t)
	case s.below != nil && t != ColumnTypeBoolean && (len(columns) == 0 || s.randomOneIn(2)):
		return s.below.randomAggregate(t)
	case len(columns) > 0 && !s.randomOneIn(8):
		return pickRandom(s.statementGenerator, columns).sqlInBothForms
	}
	return s.randomConstant(t)
}

// randomConstant returns a literal, often of a value that some result has.
func (s *expressionScope) randomConstant(t ColumnType) sqlInBothForms {
	if values := s.values[t]; len(values) > 0 && !s.randomOneIn(4) {
		return sameInBothForms(pickRandom(s.statementGenerator, values))
	}
	switch t {
	case ColumnTypeInteger:
		return sameInBothForms(pickRandom(s.statementGenerator, []string{"0", "1", "2", "3", "7", "50", "100"}))
	case ColumnTypeDecimal:
		return sameInBothForms(pickRandom(s.statementGenerator, []string{"0.5", "2.5", "10.0", "99.9"}))
	case ColumnTypeDouble:
		return fillPlaceholders("? / ?", s.randomConstant(ColumnTypeInteger), sameInBothForms("4"))
	case ColumnTypeText:
		return sameInBothForms(pickRandom(s.statementGenerator, []string{"'a'", "'east'", "'completed'", "''", "'x_%'"}))
	case ColumnTypeDate:
		return sameInBothForms(pickRandom(s.statementGenerator, []string{"DATE '2024-01-31'", "DATE '2024-02-10'", "DATE '2023-12-01'"}))
	case ColumnTypeTimestamp:
		return sameInBothForms(pickRandom(s.statementGenerator, []string{"TIMESTAMP '2024-01-31 00:00:00'", "TIMESTAMP '2024-02-10 11:30:00'"}))
	}
	return sameInBothForms(pickRandom(s.statementGenerator, []string{"TRUE", "FALSE"}))
}

// randomExpression returns a random expression of a type.
func (s *expressionScope) randomExpression(t ColumnType, depth int) sqlInBothForms {
	if depth == 0 || s.randomOneIn(2) {
		return s.randomLeafExpression(t)
	}
	depth--
	if t != ColumnTypeBoolean && s.randomOneIn(4) {
		return s.randomConditionalExpression(t, depth)
	}
	switch t {
	case ColumnTypeInteger:
		return s.randomIntegerExpression(depth)
	case ColumnTypeDecimal:
		return s.randomDecimalExpression(depth)
	case ColumnTypeDouble:
		return s.randomDoubleExpression(depth)
	case ColumnTypeText:
		return s.randomTextExpression(depth)
	case ColumnTypeDate:
		return fillPlaceholders("CAST(DATE_TRUNC("+pickRandom(s.statementGenerator, []string{"'month'", "'week'", "'year'"})+", ?) AS DATE)", s.randomLeafExpression(ColumnTypeDate))
	case ColumnTypeBoolean:
		return s.randomCondition(depth)
	}
	return s.randomLeafExpression(t)
}

// randomConditionalExpression returns a value that conditions choose.
func (s *expressionScope) randomConditionalExpression(t ColumnType, depth int) sqlInBothForms {
	s.recordConstruct("choice")
	if t == ColumnTypeDecimal {
		s.recordConstruct(MixedDecimalsConstruct)
	}
	switch s.random.IntN(4) {
	case 0:
		return fillPlaceholders("COALESCE(?, ?)", s.randomExpression(t, depth), s.randomConstant(t))
	case 1:
		return fillPlaceholders("NULLIF(?, ?)", s.randomExpression(t, depth), s.randomConstant(t))
	case 2:
		return fillPlaceholders("CASE WHEN ? THEN ? END", s.randomCondition(depth), s.randomExpression(t, depth))
	}
	return fillPlaceholders("CASE WHEN ? THEN ? WHEN ? THEN ? ELSE ? END", s.randomCondition(depth), s.randomExpression(t, depth), s.randomCondition(depth), s.randomLeafExpression(t), s.randomLeafExpression(t))
}

func (s *expressionScope) randomIntegerExpression(depth int) sqlInBothForms {
	switch s.random.IntN(7) {
	case 0:
		return fillPlaceholders("(? + ?)", s.randomExpression(ColumnTypeInteger, depth), s.randomExpression(ColumnTypeInteger, depth))
	case 1:
		return fillPlaceholders("(? - ?)", s.randomExpression(ColumnTypeInteger, depth), s.randomExpression(ColumnTypeInteger, depth))
	case 2:
		return fillPlaceholders("? * 3", s.randomLeafExpression(ColumnTypeInteger))
	case 3:
		return fillPlaceholders("ABS(?)", s.randomExpression(ColumnTypeInteger, depth))
	case 4:
		return fillPlaceholders("LENGTH(?)", s.randomExpression(ColumnTypeText, depth))
	case 5:
		return fillPlaceholders("EXTRACT("+pickRandom(s.statementGenerator, []string{"YEAR", "MONTH", "DAY"})+" FROM ?)", s.randomLeafExpression(ColumnTypeDate))
	}
	return fillPlaceholders("(-?)", s.randomLeafExpression(ColumnTypeInteger))
}

func (s *expressionScope) randomDecimalExpression(depth int) sqlInBothForms {
	switch s.random.IntN(4) {
	case 0:
		return fillPlaceholders("(? + ?)", s.randomExpression(ColumnTypeDecimal, depth), s.randomExpression(ColumnTypeInteger, depth))
	case 1:
		return fillPlaceholders("(? - ?)", s.randomExpression(ColumnTypeDecimal, depth), s.randomExpression(ColumnTypeDecimal, depth))
	case 2:
		return fillPlaceholders("? * 0.5", s.randomLeafExpression(ColumnTypeDecimal))
	}
	return fillPlaceholders("ABS(?)", s.randomExpression(ColumnTypeDecimal, depth))
}

// randomDoubleExpression returns a division: real, and NULL for a divisor of zero.
func (s *expressionScope) randomDoubleExpression(depth int) sqlInBothForms {
	numbers := []ColumnType{ColumnTypeInteger, ColumnTypeDecimal, ColumnTypeDouble}
	if s.randomOneIn(4) {
		return fillPlaceholders("(? + ?)", s.randomExpression(ColumnTypeDouble, depth), s.randomExpression(pickRandom(s.statementGenerator, numbers), depth))
	}
	s.recordConstruct("division")
	over, under := s.randomExpression(pickRandom(s.statementGenerator, numbers), depth), s.randomExpression(pickRandom(s.statementGenerator, numbers), depth)
	return sqlInBothForms{
		"(" + over.statement + ") / (" + under.statement + ")",
		"(CAST(" + over.plain + " AS DOUBLE) / NULLIF(" + under.plain + ", 0))",
	}
}

func (s *expressionScope) randomTextExpression(depth int) sqlInBothForms {
	switch s.random.IntN(6) {
	case 0:
		return fillPlaceholders("UPPER(?)", s.randomExpression(ColumnTypeText, depth))
	case 1:
		return fillPlaceholders("LOWER(?)", s.randomExpression(ColumnTypeText, depth))
	case 2:
		return fillPlaceholders("(? || ?)", s.randomExpression(ColumnTypeText, depth), s.randomLeafExpression(ColumnTypeText))
	case 3:
		return fillPlaceholders("SUBSTRING(?, 1, 3)", s.randomExpression(ColumnTypeText, depth))
	case 4:
		return fillPlaceholders("REPLACE(?, 'e', 'E')", s.randomExpression(ColumnTypeText, depth))
	}
	return fillPlaceholders("CAST(? AS VARCHAR)", s.randomLeafExpression(ColumnTypeInteger))
}

// randomScalarSubquery returns the value of a subquery of one row.
func (s *expressionScope) randomScalarSubquery(t ColumnType) sqlInBothForms {
	s.recordConstruct("scalar subquery")
	from := s.randomFrom(0)
	inner := &expressionScope{statementGenerator: s.statementGenerator, columns: s.bareOrQualifiedColumns(from)}
	out := fillPlaceholders("SELECT ? FROM ?", inner.randomAggregate(t), from.sqlInBothForms)
	return fillPlaceholders("(?)", s.withOptionalWhere(out, inner))
}
