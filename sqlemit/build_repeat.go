package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/planner/plan"
)

// buildRepeat joins each row to the numbers of its copies:
//
//	FROM (SELECT k, x …) AS repeated CROSS JOIN (SELECT … AS n) AS numbers
func (w *writer) buildRepeat(n *plan.Repeat) *selectBlock {
	rows := w.wrapInBlock(w.buildBlock(n.Input))
	if rows == nil {
		return nil
	}
	numbers := w.wrapInBlock(w.buildIntegerSequence(&plan.Numbers{Name: n.Name, Count: n.Count}))
	if numbers == nil {
		return nil
	}
	cols := slices.Concat(rows.out.cols, numbers.out.cols)
	return w.memory.newBlock(selectBlock{from: crossJoin{tables: []fromSource{rows.from, numbers.from}}, out: w.memory.newColumnScope(cols)})
}
