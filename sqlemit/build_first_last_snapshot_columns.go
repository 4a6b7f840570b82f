package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// buildSnapshots adds the snapshots in the block that selects the columns:
//
//	SELECT k, day, x, MAX(day) OVER (PARTITION BY k) AS last_day FROM …
func (w *writer) buildSnapshots(n *plan.Snapshots) *selectBlock {
	if n.By < 0 || n.By >= len(n.Cols) {
		w.recordInternalError("snapshots of a column that is not there")
		return nil
	}
	fn := sqlexpr.FnMin
	if n.Latest {
		fn = sqlexpr.FnMax
	}
	snapshots := &plan.Window{Input: &plan.Project{Input: n.Input, Cols: n.Cols}}
	for _, b := range n.Buckets {
		over := &sqlexpr.WindowCall{Call: newCall(fn, &sqlexpr.Ref{ID: n.By})}
		for _, p := range b.Partition {
			over.Partition = append(over.Partition, &sqlexpr.Ref{ID: p})
		}
		snapshots.Funcs = append(snapshots.Funcs, plan.NamedExpr{Name: b.Name, Expr: over, Type: n.Cols[n.By].Type})
	}
	return w.buildWindow(snapshots)
}
