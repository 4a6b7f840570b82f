package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

func (w *writer) buildWindow(n *plan.Window) *selectBlock {
	b := w.buildBlock(n.Input)
	if b == nil {
		return nil
	}
	if b.out == nil {
		w.recordInternalError("a window is directly over a table")
		return nil
	}
	if b.grouped || b.windowed || b.isLimitedOrOrdered() {
		if b = w.wrapInBlock(b); b == nil {
			return nil
		}
	}
	var specs []*sqlexpr.WindowCall
	input := b.out
	out := w.memory.newColumnScope(append(w.memory.newColumns(len(b.out.cols)+len(n.Funcs)), b.out.cols...))
	for _, f := range n.Funcs {
		if limit := w.d.windowSpecs; limit > 0 {
			all := appendUniqueWindowSpecs(specs, f.Expr)
			if len(all) > limit && len(specs) > 0 {
				b.windowed, b.out = true, out
				if b = w.wrapInBlock(b); b == nil {
					return nil
				}
				input, out = b.out, w.memory.newColumnScope(slices.Clone(b.out.cols))
				all = appendUniqueWindowSpecs(nil, f.Expr)
			}
			specs = all
		}
		out.cols = append(out.cols, outputColumn{name: f.Name, expr: f.Expr, scope: input, typ: f.Type})
	}
	b.windowed, b.out = true, out
	return b
}

// appendUniqueWindowSpecs adds the windows of an expression that differ from those listed in
// partition or order.
func appendUniqueWindowSpecs(specs []*sqlexpr.WindowCall, e sqlexpr.Expr) []*sqlexpr.WindowCall {
	specs = slices.Clip(specs)
	for o := range sqlexpr.Nodes[*sqlexpr.WindowCall](e) {
		if !slices.ContainsFunc(specs, func(s *sqlexpr.WindowCall) bool { return sameWindow(s, o) }) {
			specs = append(specs, o)
		}
	}
	return specs
}

func sameWindow(a, b *sqlexpr.WindowCall) bool {
	return slices.EqualFunc(a.Partition, b.Partition, sqlexpr.Equal) &&
		slices.EqualFunc(a.Order, b.Order, func(x, y sqlexpr.OrderItem) bool {
			return x.Desc == y.Desc && sqlexpr.Equal(x.X, y.X)
		})
}

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
