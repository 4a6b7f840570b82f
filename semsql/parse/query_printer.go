package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

func appendQuery(dst []byte, q *Query) []byte {
	if len(q.With) > 0 {
		dst = append(dst, "WITH "...)
		if q.Recursive {
			dst = append(dst, "RECURSIVE "...)
		}
		dst = appendCommaSeparated(dst, q.With)
		dst = append(dst, ' ')
	}
	dst = appendQueryBody(dst, q.Body)
	if len(q.OrderBy) > 0 {
		dst = appendCommaSeparated(append(dst, " ORDER BY "...), q.OrderBy)
	}
	if q.Limit != nil {
		dst = appendExpr(append(dst, " LIMIT "...), q.Limit, sqlexpr.PrecedenceOr)
	}
	if q.Offset != nil {
		dst = appendExpr(append(dst, " OFFSET "...), q.Offset, sqlexpr.PrecedenceOr)
	}
	return dst
}

// appendQueryBody prints a body; a query inside of another is in parentheses.
func appendQueryBody(dst []byte, b QueryBody) []byte {
	if q, ok := b.(*Query); ok {
		return append(appendQuery(append(dst, '('), q), ')')
	}
	return AppendCanonical(dst, b)
}

func appendCommonTable(dst []byte, c *CommonTable) []byte {
	dst = appendName(dst, c.Name, false)
	if len(c.Columns) > 0 {
		dst = append(dst, ' ')
		dst = appendNamesInParens(dst, c.Columns)
	}
	return append(appendQuery(append(dst, " AS ("...), c.Query), ')')
}

func appendSetOperation(dst []byte, s *SetOperation) []byte {
	dst = appendSetOperand(dst, s.Left, precedenceOfSetOperator(s.Operator))
	dst = append(append(append(dst, ' '), s.Operator.String()...), ' ')
	if s.All {
		dst = append(dst, "ALL "...)
	}
	return appendSetOperand(dst, s.Right, precedenceOfSetOperator(s.Operator)+1)
}

// appendSetOperand prints an operand, in parentheses if it binds less close than lowest.
func appendSetOperand(dst []byte, b QueryBody, lowest int) []byte {
	if s, ok := b.(*SetOperation); ok && precedenceOfSetOperator(s.Operator) < lowest {
		return append(appendSetOperation(append(dst, '('), s), ')')
	}
	return appendQueryBody(dst, b)
}

func appendSelect(dst []byte, s *Select) []byte {
	dst = append(dst, "SELECT "...)
	if s.Distinct {
		dst = append(dst, "DISTINCT "...)
	}
	if len(s.DistinctOn) > 0 {
		dst = append(appendCommaSeparated(append(dst, "ON ("...), s.DistinctOn), ") "...)
	}
	dst = appendCommaSeparated(dst, s.Items)
	if len(s.From) > 0 {
		dst = appendCommaSeparated(append(dst, " FROM "...), s.From)
	}
	if s.Where != nil {
		dst = appendExpr(append(dst, " WHERE "...), s.Where, sqlexpr.PrecedenceOr)
	}
	if len(s.GroupBy) > 0 {
		dst = appendCommaSeparated(append(dst, " GROUP BY "...), s.GroupBy)
	}
	if s.Having != nil {
		dst = appendExpr(append(dst, " HAVING "...), s.Having, sqlexpr.PrecedenceOr)
	}
	return dst
}

func appendSelectItem(dst []byte, i *SelectItem) []byte {
	dst = appendExpr(dst, i.X, sqlexpr.PrecedenceOr)
	if i.Alias.Text != "" {
		dst = appendName(append(dst, " AS "...), i.Alias, true)
	}
	return dst
}

func appendOrderItem(dst []byte, o *OrderItem) []byte {
	dst = appendExpr(dst, o.X, sqlexpr.PrecedenceOr)
	if o.Desc {
		dst = append(dst, " DESC"...)
	}
	switch o.Nulls {
	case NullsFirst:
		dst = append(dst, " NULLS FIRST"...)
	case NullsLast:
		dst = append(dst, " NULLS LAST"...)
	case NullsDefault:
	}
	return dst
}

func appendRelation(dst []byte, r Relation) []byte {
	switch r := r.(type) {
	case *Table:
		return appendAlias(appendPath(dst, r.Path), r.Alias)
	case *DerivedTable:
		if r.Lateral {
			dst = append(dst, "LATERAL "...)
		}
		dst = append(appendQuery(append(dst, '('), r.Query), ')')
		return appendAlias(dst, r.Alias)
	case *Join:
		return appendJoin(dst, r)
	case *SemanticView:
		return appendSemanticView(dst, r)
	case CatalogueRelation:
		return appendCatalogueRelation(dst, r)
	default:
		return dst
	}
}

func appendAlias(dst []byte, a *TableAlias) []byte {
	if a == nil {
		return dst
	}
	return appendTableAlias(append(dst, " AS "...), a)
}

func appendTableAlias(dst []byte, a *TableAlias) []byte {
	dst = appendName(dst, a.Name, false)
	if len(a.Columns) > 0 {
		dst = append(dst, ' ')
		dst = appendNamesInParens(dst, a.Columns)
	}
	return dst
}

func appendJoin(dst []byte, j *Join) []byte {
	dst = append(appendRelation(dst, j.Left), ' ')
	if j.Natural {
		dst = append(dst, "NATURAL "...)
	}
	dst = append(append(dst, j.Kind.String()...), " JOIN "...)
	if right, ok := j.Right.(*Join); ok {
		dst = append(appendJoin(append(dst, '('), right), ')')
	} else {
		dst = appendRelation(dst, j.Right)
	}
	if j.On != nil {
		dst = appendExpr(append(dst, " ON "...), j.On, sqlexpr.PrecedenceOr)
	}
	if len(j.Using) > 0 {
		dst = appendNamesInParens(append(dst, " USING "...), j.Using)
	}
	return dst
}

func appendSemanticView(dst []byte, v *SemanticView) []byte {
	dst = appendPath(append(dst, "SEMANTIC_VIEW("...), v.Model)
	if len(v.Dimensions) > 0 {
		dst = appendCommaSeparated(append(dst, " DIMENSIONS "...), v.Dimensions)
	}
	if len(v.Facts) > 0 {
		dst = appendCommaSeparated(append(dst, " FACTS "...), v.Facts)
	}
	if len(v.Metrics) > 0 {
		dst = appendCommaSeparated(append(dst, " METRICS "...), v.Metrics)
	}
	if v.Where != nil {
		dst = appendExpr(append(dst, " WHERE "...), v.Where, sqlexpr.PrecedenceOr)
	}
	return appendAlias(append(dst, ')'), v.Alias)
}
