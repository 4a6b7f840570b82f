package ranked

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// ReplaceMissingAggregates replaces the aggregates of a plan that a target lacks by aggregates over ranks. A plan without
// such aggregates is returned as it is.
func ReplaceMissingAggregates(root plan.Node, caps *plan.Capabilities) plan.Node {
	return plan.Rewrite(root, func(n plan.Node) plan.Node {
		switch n := n.(type) {
		case *plan.Aggregate:
			return rewriteAggregateWithRanks(n, caps)
		case *plan.GroupingSets:
			return rewriteGroupingSetsWithRanks(n, caps)
		default: // no other node has aggregates
			return n
		}
	})
}

// rewriteAggregateWithRanks computes the measures of a group over ranks within the group.
func rewriteAggregateWithRanks(n *plan.Aggregate, caps *plan.Capabilities) plan.Node {
	lacks := findMissingCapabilities(caps, n.Measures)
	if !lacks.anyNeedsRanks(n.Measures) {
		return n
	}
	r := newRankedRows(n.Input, n.Keys)
	level := r.levelKeys(indexesBelow(len(n.Keys)))
	measures := make([]plan.NamedExpr, len(n.Measures))
	for i, m := range n.Measures {
		m.Expr = r.rewriteMeasure(m.Expr, lacks, level)
		measures[i] = m
	}
	out := *n
	out.Input, out.Keys, out.Measures = r.buildNode(), r.keysAboveRows(n.Keys), r.rebindRankRefs(measures)
	return &out
}

// rewriteGroupingSetsWithRanks does the same for several levels, each of which ranks its own groups: a measure is
// computed for each level, and the level of the row chooses.
func rewriteGroupingSetsWithRanks(n *plan.GroupingSets, caps *plan.Capabilities) plan.Node {
	lacks := findMissingCapabilities(caps, n.Measures)
	if !lacks.anyNeedsRanks(n.Measures) {
		return n
	}
	r := newRankedRows(n.Input, n.Keys)
	out := *n
	out.Measures = nil
	level := &sqlexpr.Ref{ID: len(n.Keys)}
	cols := make([]plan.NamedExpr, 0, len(n.Keys)+1+len(n.Measures))
	for i, c := range n.Schema()[:len(n.Keys)+1] {
		cols = append(cols, plan.NamedExpr{Name: c.Name, Expr: &sqlexpr.Ref{ID: i}, Type: c.Type})
	}
	add := func(m plan.NamedExpr) *sqlexpr.Ref {
		out.Measures = append(out.Measures, m)
		return &sqlexpr.Ref{ID: len(n.Keys) + len(out.Measures)}
	}
	names := usedNamesOf(slices.Concat(n.Keys, n.Measures))
	names[n.Level] = true
	for _, m := range n.Measures {
		if !lacks.exprNeedsRanks(m.Expr) {
			cols = append(cols, plan.NamedExpr{Name: m.Name, Type: m.Type, Expr: add(plan.NamedExpr{Name: m.Name, Type: m.Type, Expr: r.rewriteMeasure(m.Expr, lacks, nil)})})
			continue
		}
		chosen := &sqlexpr.Case{}
		for i, set := range n.Sets {
			value := add(plan.NamedExpr{Name: names.takeUniqueName(m.Name + "_" + strconv.Itoa(i)), Type: m.Type, Expr: r.rewriteMeasure(m.Expr, lacks, r.levelKeys(set))})
			at := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: level, R: newIntegerLiteral(int64(i))}
			chosen.Whens = append(chosen.Whens, sqlexpr.When{Cond: at, Then: value})
		}
		cols = append(cols, plan.NamedExpr{Name: m.Name, Expr: chosen, Type: m.Type})
	}
	out.Input, out.Keys, out.Measures = r.buildNode(), r.keysAboveRows(n.Keys), r.rebindRankRefs(out.Measures)
	return &plan.Project{Input: &out, Cols: cols}
}

func indexesBelow(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func newIntegerLiteral(n int64) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: strconv.FormatInt(-n, 10)}}
	}
	return &sqlexpr.Number{Text: strconv.FormatInt(n, 10)}
}

// usedNames are names that are taken.
type usedNames map[string]bool

func usedNamesOf(cols []plan.NamedExpr) usedNames {
	out := usedNames{}
	for _, c := range cols {
		out[c.Name] = true
	}
	return out
}

// takeUniqueName returns a name that is not taken yet, and takes it.
func (u usedNames) takeUniqueName(name string) string {
	out := name
	for i := 2; u[out]; i++ {
		out = name + "_" + strconv.Itoa(i)
	}
	u[out] = true
	return out
}
