package outersql

// comparable is a type that some column has, or that constants have.
func (s *scope) comparable() Type {
	if len(s.columns) > 0 && !s.chance(5) {
		return pick(s.maker, s.columns).typ
	}
	return pick(s.maker, []Type{Integer, Decimal, Text, Day})
}

// condition is a random condition.
func (s *scope) condition(depth int) text {
	if depth > 0 && s.chance(3) {
		switch s.random.IntN(4) {
		case 0:
			return fill("(? AND ?)", s.condition(depth-1), s.condition(depth-1))
		case 1:
			return fill("(? OR ?)", s.condition(depth-1), s.condition(depth-1))
		case 2:
			return fill("NOT (?)", s.condition(depth-1))
		}
		return fill("(?) IS "+pick(s.maker, []string{"TRUE", "NOT TRUE", "FALSE", "NOT FALSE"}), s.condition(depth-1))
	}
	t := s.comparable()
	switch n := s.random.IntN(8); {
	case t == Truth:
		return fill("? = ?", s.leaf(Truth), s.constant(Truth))
	case n == 0:
		return fill("? IS"+pick(s.maker, []string{"", " NOT"})+" NULL", s.leaf(t))
	case n == 1:
		return fill("? BETWEEN ? AND ?", s.value(t, depth), s.constant(t), s.constant(t))
	case n == 2 && t.isExact():
		return fill("?"+pick(s.maker, []string{"", " NOT"})+" IN (?, ?, ?)", s.value(t, depth), s.constant(t), s.constant(t), s.constant(t))
	case n == 3 && t == Text:
		return fill("? "+pick(s.maker, []string{"LIKE", "NOT LIKE"})+" "+pick(s.maker, []string{"'%e%'", "'c%'", "'_a%'"}), s.value(Text, depth))
	case n == 4 && t.isExact():
		return fill("? IS"+pick(s.maker, []string{"", " NOT"})+" DISTINCT FROM ?", s.leaf(t), s.value(t, depth))
	case n == 5 && t.isNumber():
		return fill("? "+s.order()+" ?", s.value(t, depth), s.value(pick(s.maker, []Type{Integer, Decimal}), depth))
	case n == 6 && t.isExact():
		return fill("? "+pick(s.maker, []string{"=", "<>"})+" ?", s.value(t, depth), s.value(t, depth))
	}
	return fill("? "+s.order()+" ?", s.value(t, depth), s.value(t, depth))
}

// order is an operator that orders.
func (s *scope) order() string { return pick(s.maker, []string{"<", "<=", ">", ">="}) }

// conjuncts are conditions of WHERE or HAVING, of which some are IN with a subquery.
func (s *scope) conjuncts() text {
	out := []text{s.condition(2)}
	if s.chance(4) {
		out = append(out, s.condition(1))
	}
	if s.depth > 0 && s.relations > 1 && s.chance(3) {
		out = append(out, s.among())
	}
	return join(out, " AND ")
}

// among is the condition that a value is among the rows of a subquery, or is not.
func (s *scope) among() text {
	t := s.comparable()
	if !t.isExact() || t == Truth {
		t = Integer
	}
	s.has("in a subquery")
	value := (&scope{maker: s.maker, columns: s.columns, below: s.below}).value(t, 1)
	rows := s.query(s.depth-1, []Type{t})
	switch s.random.IntN(3) {
	case 0:
		return fill("? IN (?)", value, rows.text)
	case 1:
		return fill("NOT ? IN (?)", value, rows.text)
	}
	return fill("? NOT IN (?)", value, rows.text)
}
