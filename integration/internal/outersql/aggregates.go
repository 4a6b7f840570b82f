package outersql

// aggregate is an aggregate over the columns with values of a type.
func (s *scope) aggregate(t Type) text {
	out := s.plainAggregate(t)
	if s.chance(5) {
		s.has("filter")
		out = out.append(fill(" FILTER (WHERE ?)", s.condition(1)))
	}
	return out
}

func (s *scope) plainAggregate(t Type) text {
	extreme := pick(s.maker, []string{"MIN(?)", "MAX(?)"})
	switch {
	case t == Integer && s.chance(2):
		return s.count()
	case t.isNumber() && t != Double && s.chance(2):
		return fill("SUM(?)", s.value(t, 1))
	case t == Double && !s.chance(4):
		return fill("AVG(?)", s.value(pick(s.maker, []Type{Integer, Decimal}), 1))
	}
	return fill(extreme, s.value(t, 1))
}

func (s *scope) count() text {
	t := s.comparable()
	switch s.random.IntN(4) {
	case 0:
		return same("COUNT(*)")
	case 1:
		if t.isExact() {
			s.has("count distinct")
			return fill("COUNT(DISTINCT ?)", s.value(t, 1))
		}
	case 2:
		return same("COUNT(1)")
	}
	return fill("COUNT(?)", s.leaf(t))
}

// window is a window function with values of a type. Of a SELECT with groups it is over their rows.
func (s *scope) window(t Type) text {
	s.has("window")
	plain := &scope{maker: s.maker, columns: s.columns, below: s.below}
	ordered, total := true, false
	var call text
	switch n := s.random.IntN(6); {
	case t == Integer && n == 0:
		call, total = same("ROW_NUMBER()"), true
	case t == Integer && n == 1:
		call = same("RANK()")
	case t == Integer && n == 2:
		call = same("DENSE_RANK()")
	case t == Integer && n == 3:
		call, ordered = same(pick(s.maker, []string{"COUNT(*)", "COUNT(1)"})), s.chance(2)
	case t == Double:
		call, ordered = fill("AVG(?)", plain.value(pick(s.maker, []Type{Integer, Decimal}), 1)), s.chance(2)
	case t.isNumber() && n < 5:
		call, ordered = fill("SUM(?)", plain.value(t, 1)), s.chance(2)
	default:
		call, ordered = fill(pick(s.maker, []string{"MIN(?)", "MAX(?)"}), plain.value(t, 1)), s.chance(2)
	}
	ranks := call.statement == "RANK()" || call.statement == "DENSE_RANK()"
	frame := ""
	if ordered && !total && !ranks && s.chance(3) {
		s.has("frame")
		total = true
		frame = pick(s.maker, []string{" ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", " ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING", " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " ROWS 1 PRECEDING"})
	}
	var over []text
	if s.chance(2) && len(s.columns) > 0 {
		if c := pick(s.maker, s.columns); c.typ.isExact() {
			over = append(over, fill("PARTITION BY ?", c.text))
		}
	}
	if ordered {
		over = append(over, fill("ORDER BY ?"+frame, s.windowOrder(plain, total)))
	}
	return fill("? OVER (?)", call, join(over, " "))
}

// windowOrder is the order of a window; a total one has all columns.
func (s *scope) windowOrder(plain *scope, total bool) text {
	var keys []text
	t := s.comparable()
	if !t.isExact() {
		t = Integer
	}
	keys = append(keys, s.direct(plain.value(t, 1)))
	if total {
		for _, c := range s.columns {
			keys = append(keys, s.direct(c.text))
		}
	}
	return join(keys, ", ")
}

// direct is a key of an order with a direction and the place of NULL.
func (s *scope) direct(key text) text {
	direction := pick(s.maker, []string{"", "", " ASC", " DESC", " DESC"})
	if s.chance(4) {
		s.has("nulls first")
		return key.append(same(direction + " NULLS FIRST"))
	}
	return key.append(text{direction + pick(s.maker, []string{"", " NULLS LAST"}), direction + " NULLS LAST"})
}
