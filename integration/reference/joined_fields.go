package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// joinedFieldValue returns a field of another dataset that an expression over a row reads: that of the one row
// to which the relationships lead, NULL where one of them leads nowhere.
func (e *evaluator) joinedFieldValue(j *catalog.JoinedField, r Row) Value {
	partner, _ := e.partnerRowOf(j, r)
	return e.fieldValue(j.Field, partner)
}

// partnerRowOf follows the relationships of a joined field from a row. dropped reports that a relationship
// declared inner leads nowhere: the row is not there for what reads the field.
func (e *evaluator) partnerRowOf(j *catalog.JoinedField, r Row) (partner Row, dropped bool) {
	for _, s := range j.Path {
		found := e.rowsJoinedByStep(joinStep{s.Rel, s.Reverse}, r)
		if r = nil; len(found) > 0 {
			r = found[0]
		}
		if r == nil && (s.Rel.JoinType == catalog.JoinInner || e.fault == FaultOrphanRowsDropped) {
			return nil, true
		}
	}
	return r, false
}

// fieldInnerJoinsDropRow reports whether the reading of a field of a row drops the row.
func (e *evaluator) fieldInnerJoinsDropRow(f *catalog.Field, r Row) bool {
	if j := f.Joined; j != nil {
		partner, dropped := e.partnerRowOf(j, r)
		return dropped || e.fieldInnerJoinsDropRow(j.Field, partner)
	}
	if f.LOD != nil {
		return slices.ContainsFunc(f.LOD.Grain, func(key *catalog.Field) bool { return e.fieldInnerJoinsDropRow(key, r) })
	}
	return e.exprInnerJoinsDropRow(f.Expr.ForDialect(expressionDialect), r)
}

// exprInnerJoinsDropRow reports whether the evaluation of an expression over the fields of a row drops the row.
func (e *evaluator) exprInnerJoinsDropRow(x sqlexpr.Expr, r Row) bool {
	drops := false
	sqlexpr.Walk(x, func(n sqlexpr.Expr) bool {
		if ref, ok := n.(*sqlexpr.Ref); ok {
			drops = drops || e.fieldInnerJoinsDropRow(e.cat.FieldByID(ref.ID), r)
		}
		return !drops
	})
	return drops
}

// measureInnerJoinsDropRow reports whether what a measure aggregates, or orders by, drops a row.
func (e *evaluator) measureInnerJoinsDropRow(m *catalog.Measure, r Row) bool {
	return e.exprInnerJoinsDropRow(m.Arg, r) || m.OrderBy != nil && e.exprInnerJoinsDropRow(m.OrderBy, r)
}

// leafInnerJoinsDropRow reports whether the aggregates of a leaf drop a row of their home.
func (e *evaluator) leafInnerJoinsDropRow(l *measureLeaf, r Row) bool {
	if e.measureInnerJoinsDropRow(l.measure, r) || l.second != nil && e.measureInnerJoinsDropRow(l.second, r) {
		return true
	}
	return slices.ContainsFunc(l.filters, func(m *catalog.Metric) bool { return e.exprInnerJoinsDropRow(m.Derive.Where, r) })
}

// removeDroppedRows leaves out the joined rows that the reading of targets drops. Places are where the targets are.
func (e *evaluator) removeDroppedRows(rows []joinedRow, targets []fieldTarget, places func(i int) string) []joinedRow {
	return slices.DeleteFunc(rows, func(row joinedRow) bool {
		for i, t := range targets {
			if e.fieldInnerJoinsDropRow(t.field, row[places(i)]) {
				return true
			}
		}
		return false
	})
}
