package outersql

// scope is what the expressions of a SELECT read.
type scope struct {
	*maker
	columns []column
	// below are the columns under the aggregates of a SELECT with groups; nil where nothing is aggregated.
	below *scope
	// subqueries: a value may be that of a subquery.
	subqueries bool
	depth      int // of further subqueries
}

// columnsOf are the columns of one type.
func (s *scope) columnsOf(types ...Type) []column {
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

// leaf is a column, an aggregate, a subquery or a constant.
func (s *scope) leaf(t Type) text {
	columns := s.columnsOf(t)
	switch {
	case s.subqueries && s.depth > 0 && s.relations > 1 && t != Truth && s.chance(14):
		return s.scalarSubquery(t)
	case s.below != nil && t != Truth && (len(columns) == 0 || s.chance(2)):
		return s.below.aggregate(t)
	case len(columns) > 0 && !s.chance(8):
		return pick(s.maker, columns).text
	}
	return s.constant(t)
}

// constant is a literal, often of a value that some result has.
func (s *scope) constant(t Type) text {
	if values := s.values[t]; len(values) > 0 && !s.chance(4) {
		return same(pick(s.maker, values))
	}
	switch t {
	case Integer:
		return same(pick(s.maker, []string{"0", "1", "2", "3", "7", "50", "100"}))
	case Decimal:
		return same(pick(s.maker, []string{"0.5", "1.25", "10.0", "99.9"}))
	case Double:
		return fill("? / ?", s.constant(Integer), same("4"))
	case Text:
		return same(pick(s.maker, []string{"'a'", "'east'", "'completed'", "''", "'x_%'"}))
	case Day:
		return same(pick(s.maker, []string{"DATE '2024-01-31'", "DATE '2024-02-10'", "DATE '2023-12-01'"}))
	case Moment:
		return same(pick(s.maker, []string{"TIMESTAMP '2024-01-31 00:00:00'", "TIMESTAMP '2024-02-10 11:30:00'"}))
	}
	return same(pick(s.maker, []string{"TRUE", "FALSE"}))
}

// value is a random expression of a type.
func (s *scope) value(t Type, depth int) text {
	if depth == 0 || s.chance(2) {
		return s.leaf(t)
	}
	depth--
	if t != Truth && s.chance(4) {
		return s.choice(t, depth)
	}
	switch t {
	case Integer:
		return s.integer(depth)
	case Decimal:
		return s.decimal(depth)
	case Double:
		return s.quotient(depth)
	case Text:
		return s.word(depth)
	case Day:
		return fill("CAST(DATE_TRUNC("+pick(s.maker, []string{"'month'", "'week'", "'year'"})+", ?) AS DATE)", s.leaf(Day))
	case Truth:
		return s.condition(depth)
	}
	return s.leaf(t)
}

// choice is a value that conditions choose.
func (s *scope) choice(t Type, depth int) text {
	s.has("choice")
	switch s.random.IntN(4) {
	case 0:
		return fill("COALESCE(?, ?)", s.value(t, depth), s.constant(t))
	case 1:
		return fill("NULLIF(?, ?)", s.value(t, depth), s.constant(t))
	case 2:
		return fill("CASE WHEN ? THEN ? END", s.condition(depth), s.value(t, depth))
	}
	return fill("CASE WHEN ? THEN ? WHEN ? THEN ? ELSE ? END", s.condition(depth), s.value(t, depth), s.condition(depth), s.leaf(t), s.leaf(t))
}

func (s *scope) integer(depth int) text {
	switch s.random.IntN(7) {
	case 0:
		return fill("(? + ?)", s.value(Integer, depth), s.value(Integer, depth))
	case 1:
		return fill("(? - ?)", s.value(Integer, depth), s.value(Integer, depth))
	case 2:
		return fill("? * 3", s.leaf(Integer))
	case 3:
		return fill("ABS(?)", s.value(Integer, depth))
	case 4:
		return fill("LENGTH(?)", s.value(Text, depth))
	case 5:
		return fill("EXTRACT("+pick(s.maker, []string{"YEAR", "MONTH", "DAY"})+" FROM ?)", s.leaf(Day))
	}
	return fill("(-?)", s.leaf(Integer))
}

func (s *scope) decimal(depth int) text {
	switch s.random.IntN(4) {
	case 0:
		return fill("(? + ?)", s.value(Decimal, depth), s.value(Integer, depth))
	case 1:
		return fill("(? - ?)", s.value(Decimal, depth), s.value(Decimal, depth))
	case 2:
		return fill("? * 0.5", s.leaf(Decimal))
	}
	return fill("ABS(?)", s.value(Decimal, depth))
}

// quotient is a division: real, and NULL for a divisor of zero.
func (s *scope) quotient(depth int) text {
	numbers := []Type{Integer, Decimal, Double}
	if s.chance(4) {
		return fill("(? + ?)", s.value(Double, depth), s.value(pick(s.maker, numbers), depth))
	}
	s.has("division")
	over, under := s.value(pick(s.maker, numbers), depth), s.value(pick(s.maker, numbers), depth)
	return text{
		"(" + over.statement + ") / (" + under.statement + ")",
		"(CAST(" + over.plain + " AS DOUBLE) / NULLIF(" + under.plain + ", 0))",
	}
}

func (s *scope) word(depth int) text {
	switch s.random.IntN(6) {
	case 0:
		return fill("UPPER(?)", s.value(Text, depth))
	case 1:
		return fill("LOWER(?)", s.value(Text, depth))
	case 2:
		return fill("(? || ?)", s.value(Text, depth), s.leaf(Text))
	case 3:
		return fill("SUBSTRING(?, 1, 3)", s.value(Text, depth))
	case 4:
		return fill("REPLACE(?, 'e', 'E')", s.value(Text, depth))
	}
	return fill("CAST(? AS VARCHAR)", s.leaf(Integer))
}

// scalarSubquery is the value of a subquery of one row.
func (s *scope) scalarSubquery(t Type) text {
	s.has("scalar subquery")
	from := s.from(0)
	inner := &scope{maker: s.maker, columns: s.readable(from)}
	out := fill("SELECT ? FROM ?", inner.aggregate(t), from.text)
	return fill("(?)", s.withWhere(out, inner))
}
