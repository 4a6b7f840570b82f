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
