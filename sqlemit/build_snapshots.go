package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// buildSnapshots adds the snapshots in the block that selects the columns:
//
//	SELECT k, day, x, MAX(day) OVER (PARTITION BY k) AS last_day FROM …
//	SELECT k, day, x, FIRST_VALUE(day) OVER (PARTITION BY k ORDER BY day DESC) AS last_day FROM …
func (w *writer) buildSnapshots(n *plan.Snapshots) *selectBlock {
	if n.By < 0 || n.By >= len(n.Cols) {
		w.recordInternalError("snapshots of a column that is not there")
		return nil
	}
	snapshots := &plan.Window{Input: &plan.Project{Input: n.Input, Cols: n.Cols}}
	for _, b := range n.Buckets {
		over := w.newSnapshotWindow(&sqlexpr.Ref{ID: n.By}, n.Latest)
		for _, p := range b.Partition {
			over.Partition = append(over.Partition, &sqlexpr.Ref{ID: p})
		}
		snapshots.Funcs = append(snapshots.Funcs, plan.NamedExpr{Name: b.Name, Expr: over, Type: n.Cols[n.By].Type})
	}
	return w.buildWindow(snapshots)
}

// newSnapshotWindow returns the last or the first value, without the part that it is of.
func (w *writer) newSnapshotWindow(by sqlexpr.Expr, latest bool) *sqlexpr.WindowCall {
	switch {
	case w.d.wholePartExtremesAreSlow:
		return &sqlexpr.WindowCall{Call: newCall(sqlexpr.FnFirstValue, by), Order: []sqlexpr.OrderItem{{X: by, Desc: latest}}}
	case latest:
		return &sqlexpr.WindowCall{Call: newCall(sqlexpr.FnMax, by)}
	}
	return &sqlexpr.WindowCall{Call: newCall(sqlexpr.FnMin, by)}
}
