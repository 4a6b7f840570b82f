package sqlemit

import "github.com/semlayer/semlayer/planner/plan"

// buildKeptLeadingColumns selects fewer columns. Where a column that is not selected is a sort key, the block
// around the input orders and limits the rows:
//
//	SELECT a FROM (SELECT a, b …) AS selected ORDER BY selected.b LIMIT 3
func (w *writer) buildKeptLeadingColumns(n *plan.FirstColumns) *selectBlock {
	b := w.buildBlock(n.Input)
	if b == nil {
		return nil
	}
	if b.out == nil || n.Count > len(b.out.cols) {
		w.recordInternalError("more columns are kept than there are")
		return nil
	}
	if sortsByColumnAtOrAfter(b.order, n.Count) || b.sorted != nil || b.grouped && !canProjectInPlace(b, n.Schema().ColumnRefs()) {
		rows := *b
		b.order, b.hasLimit, b.offset = nil, false, 0
		if b = w.wrapInBlock(b); b == nil {
			return nil
		}
		b.sorted, b.order = b.out, rows.order
		b.hasLimit, b.limit, b.offset = rows.hasLimit, rows.limit, rows.offset
	}
	b.out = w.memory.newColumnScope(b.out.cols[:n.Count:n.Count])
	return b
}

func sortsByColumnAtOrAfter(keys []plan.SortKey, first int) bool {
	for _, k := range keys {
		if k.Col >= first {
			return true
		}
	}
	return false
}
