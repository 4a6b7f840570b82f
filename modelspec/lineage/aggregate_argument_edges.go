package lineage

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// addAggregateArgumentEdges draws the fields that the argument of an aggregate refers to, and reports whether there
// are any of its home that are part of the value: those of its filter, and those of other datasets that a
// condition reads, filter it.
func (b *graphBuilder) addAggregateArgumentEdges(e sqlexpr.Expr, to string) (found bool) {
	read, filters := map[int]bool{}, map[int]bool{}
	separateJoinedValueAndCaseConditionFields(e, false, read, filters)
	collectFilterFields(e, read, filters)
	for r := range sqlexpr.Refs(e) {
		if filters[r.ID] && !read[r.ID] {
			b.addReferencedFieldEdges(r, to, RelationFilters)
			continue
		}
		b.addReferencedFieldEdges(r, to, RelationReads)
		found = found || r.ID >= 0
	}
	return found
}

// collectFilterFields notes the fields of the home that a FILTER, which is a CASE of one condition without ELSE,
// and its value read.
func collectFilterFields(e sqlexpr.Expr, read, filters map[int]bool) {
	filter, ok := e.(*sqlexpr.Case)
	if !ok || filter.Operand != nil || filter.Else != nil || len(filter.Whens) != 1 {
		return
	}
	note := func(e sqlexpr.Expr, ids map[int]bool) {
		for r := range sqlexpr.Refs(e) {
			if r.ID >= 0 {
				ids[r.ID] = true
			}
		}
	}
	note(filter.Whens[0].Cond, filters)
	note(filter.Whens[0].Then, read)
}

// separateJoinedValueAndCaseConditionFields notes which joined fields of an expression become part of its value, and which decide in
// the conditions of a CASE.
func separateJoinedValueAndCaseConditionFields(e sqlexpr.Expr, decides bool, read, filters map[int]bool) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			switch {
			case x.ID >= 0:
			case decides:
				filters[x.ID] = true
			default:
				read[x.ID] = true
			}
		case *sqlexpr.Case:
			separateJoinedValueAndCaseConditionFields(x.Operand, true, read, filters)
			for _, w := range x.Whens {
				separateJoinedValueAndCaseConditionFields(w.Cond, true, read, filters)
				separateJoinedValueAndCaseConditionFields(w.Then, decides, read, filters)
			}
			separateJoinedValueAndCaseConditionFields(x.Else, decides, read, filters)
			return false
		}
		return true
	})
}
