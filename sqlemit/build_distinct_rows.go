package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// The distinct rows of a home dataset are groups by all of their columns:
//
//	SELECT k, key, x FROM … GROUP BY 1, 2, 3
//
// Where the query has several levels, each set of groups has the key and the arguments too.
func (w *writer) buildDistinctHomeRows(n *plan.HomeRows) *selectBlock {
	keys := n.Keys()
	if n.Level == "" {
		return w.buildAggregate(&plan.Aggregate{Input: n.Input, Keys: keys, Measures: n.Counts})
	}
	sets := make([][]int, len(n.Sets))
	for i, set := range n.Sets {
		sets[i] = slices.Clone(set)
		for at := len(n.Groups); at < len(keys); at++ {
			sets[i] = append(sets[i], at)
		}
	}
	b := w.buildGroupingSets(&plan.GroupingSets{Input: n.Input, Keys: keys, Sets: sets, Level: n.Level, Measures: n.Counts})
	if total := indexOfEmptyGroupingSet(n.Sets); b != nil && total >= 0 {
		return w.addEmptyTotalRow(b, len(keys), total)
	}
	return b
}

// addEmptyTotalRow adds a row of NULLs of the level without groups, which gives the level its one group
// over no rows.
func (w *writer) addEmptyTotalRow(b *selectBlock, level, total int) *selectBlock {
	makeColumnNamesUnique(b.out.cols)
	empty := make([]outputColumn, len(b.out.cols))
	for i := range empty {
		empty[i] = outputColumn{name: b.out.cols[i].name, expr: &sqlexpr.Null{}, typ: b.out.cols[i].typ}
	}
	empty[level].expr = newIntegerConstant(int64(total))
	u := &blockUnion{arms: []*selectBlock{b, {from: noTable{}, out: w.memory.newColumnScope(empty)}}, alias: w.uniqueAlias("levels")}
	return w.memory.newBlock(selectBlock{from: u, out: w.memory.newColumnScope(w.outerColumnsOfDerived(u.alias, b.out.cols))})
}
