package ranked

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// rankedRows are the input rows of a group with their ranks: the projected columns, keys first, and
// the windows over them. The windows come after the columns, whose number is known at the end:
// until then a reference to a window is negative.
type rankedRows struct {
	input plan.Node
	cols  []plan.NamedExpr
	ranks []plan.NamedExpr
	names usedNames
	nkeys int
}

func newRankedRows(input plan.Node, keys []plan.NamedExpr) *rankedRows {
	r := &rankedRows{input: input, names: usedNamesOf(keys), nkeys: len(keys)}
	r.cols = append(r.cols, keys...)
	return r
}

// findOrAddProjectedColumn returns a reference to a projected column of an expression over the input, which is
// added where it is missing. The keys count only under their own names.
func (r *rankedRows) findOrAddProjectedColumn(e sqlexpr.Expr) *sqlexpr.Ref {
	for i := r.nkeys; i < len(r.cols); i++ {
		if sqlexpr.Equal(r.cols[i].Expr, e) {
			return &sqlexpr.Ref{ID: i}
		}
	}
	r.cols = append(r.cols, plan.NamedExpr{Name: r.names.takeUniqueName("x"), Expr: e, Type: r.typeOf(e)})
	return &sqlexpr.Ref{ID: len(r.cols) - 1}
}

func (r *rankedRows) typeOf(e sqlexpr.Expr) sqlexpr.Type {
	schema := r.input.Schema()
	return sqlexpr.TypeOf(e, func(x sqlexpr.Expr) sqlexpr.Type {
		if ref, ok := x.(*sqlexpr.Ref); ok && ref.ID < len(schema) {
			return schema[ref.ID].Type
		}
		return sqlexpr.TypeUnknown
	})
}

// addRankColumn returns a reference to a window column. It is negative until node is called.
func (r *rankedRows) addRankColumn(name string, over *sqlexpr.WindowCall) *sqlexpr.Ref {
	for i, c := range r.ranks {
		if sqlexpr.Equal(c.Expr, over) {
			return &sqlexpr.Ref{ID: -1 - i}
		}
	}
	r.ranks = append(r.ranks, plan.NamedExpr{Name: r.names.takeUniqueName(name), Expr: over, Type: sqlexpr.TypeInt})
	return &sqlexpr.Ref{ID: -len(r.ranks)}
}

// levelKeys returns references to the keys of a set, which its groups are made of.
func (r *rankedRows) levelKeys(set []int) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(set))
	for i, key := range set {
		out[i] = &sqlexpr.Ref{ID: key}
	}
	return out
}

// keysAboveRows returns the keys of the grouping above the rows.
func (r *rankedRows) keysAboveRows(keys []plan.NamedExpr) []plan.NamedExpr {
	out := make([]plan.NamedExpr, len(keys))
	for i, k := range keys {
		k.Expr = &sqlexpr.Ref{ID: i}
		out[i] = k
	}
	return out
}

// buildNode returns the rows as a plan.
func (r *rankedRows) buildNode() plan.Node {
	return &plan.Window{Input: &plan.Project{Input: r.input, Cols: r.cols}, Funcs: r.ranks}
}

// rebindRankRefs turns the references to windows into those that they have above node.
func (r *rankedRows) rebindRankRefs(measures []plan.NamedExpr) []plan.NamedExpr {
	for i, m := range measures {
		measures[i].Expr = sqlexpr.Rewrite(m.Expr, func(x sqlexpr.Expr) sqlexpr.Expr {
			if ref, ok := x.(*sqlexpr.Ref); ok && ref.ID < 0 {
				return &sqlexpr.Ref{ID: len(r.cols) - 1 - ref.ID}
			}
			return nil
		})
	}
	return measures
}
