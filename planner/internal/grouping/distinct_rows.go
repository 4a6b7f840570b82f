package grouping

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// distinctRootRows makes the rows of the root distinct before their home is joined, where the branch reads few columns
// of them: the groups, and what the join to the home compares. The home is then joined once for each group that
// a row of it is in, in place of once for each row of the root:
//
//	Scan root ──Filter──► Aggregate by (k, key of the home) ──Join home──► HomeRows by k, key
//
// HomeRows is distinct, so that repeated rows of the root do not change it, and its counts are only compared with 0.
type distinctRootRows struct {
	alias   string           // of the root
	keys    [][]sqlexpr.Expr // of the root, its primary and unique keys
	columns []plan.NamedExpr
}

// makeRootRowsDistinct returns the joined rows and their keys over distinct rows of the root. It reports false
// where the rows are distinct anyway, where the branch reads more of the root, where collations may differ, and where an instant is
// a group: engines whose timestamps keep their zone would read its clock once more.
func (h *HomeRowCollector) makeRootRowsDistinct(joined plan.Node, keys []plan.NamedExpr) (plan.Node, []plan.NamedExpr, bool) {
	d, err := h.newDistinctRootRows()
	if err != nil || h.mayCollationsOfJoinDiffer() || slices.ContainsFunc(slices.Concat(h.columns, h.counts), func(c plan.NamedExpr) bool { return d.readsRoot(c.Expr) }) {
		return nil, nil, false
	}
	groups := slices.Clone(keys)
	for i, k := range keys {
		if !d.readsRoot(k.Expr) {
			continue
		}
		if !d.readsRootAlone(k.Expr) || k.Type == sqlexpr.TypeTimestampTZ {
			return nil, nil, false
		}
		d, groups[i].Expr = d.withColumn(k.Expr, k.Name, k.Type)
	}
	rows, ok := d.distinctBelowJoins(joined, nil)
	return rows, groups, ok
}

// mayCollationsOfJoinDiffer reports whether the joins down to the home may compare texts under the collations of both columns, which
// may find texts different that are equal under the collation of the root.
func (h *HomeRowCollector) mayCollationsOfJoinDiffer() bool {
	return slices.ContainsFunc(h.Plan.Routing.Home, func(s catalog.JoinStep) bool {
		return slices.ContainsFunc(slices.Concat(s.Rel.FromFields, s.Rel.ToFields), func(f *catalog.Field) bool {
			return f.Type == sqlexpr.TypeUnknown || f.Type == sqlexpr.TypeString && !h.Plan.Q.In.Target.Caps.TextByCast
		})
	})
}

func (h *HomeRowCollector) newDistinctRootRows() (distinctRootRows, error) {
	tree := h.Plan.Tree
	root := tree.Root()
	d := distinctRootRows{alias: root.Alias}
	for _, names := range append([][]string{root.Dataset.PrimaryKey}, root.Dataset.UniqueKeys...) {
		key := make([]sqlexpr.Expr, len(names))
		for i, name := range names {
			var err error
			if key[i], err = tree.KeyColumnExpr(root, name); err != nil {
				return d, err
			}
		}
		if len(key) > 0 {
			d.keys = append(d.keys, key)
		}
	}
	return d, nil
}

// distinctBelowJoins rewrites the joins and filters over the root, of which one join alone may read the root. filters are those
// above n that read the root alone, which move below the joins.
func (d distinctRootRows) distinctBelowJoins(n plan.Node, filters []*plan.Filter) (plan.Node, bool) {
	switch n := n.(type) {
	case *plan.Scan:
		if n.Alias != d.alias || len(d.columns) == 0 || d.holdsKey() {
			return nil, false
		}
		return d.distinctRows(n, filters), true
	case *plan.Filter:
		return d.distinctBelowFilter(n, filters)
	case *plan.Join:
		return d.distinctBelowJoin(n, filters)
	default:
		return nil, false
	}
}

// holdsKey reports whether the columns have a key of the root among them: no two rows of the root are equal in them.
func (d distinctRootRows) holdsKey() bool {
	isColumn := func(e sqlexpr.Expr) bool {
		return slices.ContainsFunc(d.columns, func(c plan.NamedExpr) bool { return sqlexpr.Equal(c.Expr, e) })
	}
	return slices.ContainsFunc(d.keys, func(key []sqlexpr.Expr) bool {
		return !slices.ContainsFunc(key, func(e sqlexpr.Expr) bool { return !isColumn(e) })
	})
}

func (d distinctRootRows) distinctBelowFilter(n *plan.Filter, filters []*plan.Filter) (plan.Node, bool) {
	var moved, kept []sqlexpr.Expr
	for _, c := range n.Conds {
		switch {
		case d.readsRootAlone(c):
			moved = append(moved, c)
		case d.readsRoot(c):
			return nil, false
		default:
			kept = append(kept, c)
		}
	}
	if len(moved) > 0 {
		filters = append(filters, &plan.Filter{Conds: moved, Why: n.Why})
	}
	input, ok := d.distinctBelowJoins(n.Input, filters)
	if !ok || len(kept) == 0 {
		return input, ok
	}
	return &plan.Filter{Input: input, Conds: kept, Why: n.Why}, true
}

func (d distinctRootRows) distinctBelowJoin(n *plan.Join, filters []*plan.Filter) (plan.Node, bool) {
	if n.Valid != nil && d.readsRoot(n.Valid.At) {
		return nil, false
	}
	out := *n
	if slices.ContainsFunc(n.On, func(on plan.JoinEquality) bool { return d.readsRoot(on.Left) }) {
		if _, isFirst := inputOfFilters(n.Left).(*plan.Scan); !isFirst {
			return nil, false
		}
		out.On = slices.Clone(n.On)
		for i, on := range n.On {
			if !d.readsRootAlone(on.Left) {
				return nil, false
			}
			d, out.On[i].Left = d.withColumn(on.Left, argumentColumnName(on.Left), sqlexpr.TypeOf(on.Left, nil))
		}
	}
	var ok bool
	out.Left, ok = d.distinctBelowJoins(n.Left, filters)
	return &out, ok
}

// inputOfFilters returns the node below the filters that n begins with.
func inputOfFilters(n plan.Node) plan.Node {
	for {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n
		}
		n = f.Input
	}
}

// distinctRows returns the distinct values of the columns, under the alias of the root. The filters are those that were above, the outer one
// first.
func (d distinctRootRows) distinctRows(root *plan.Scan, filters []*plan.Filter) plan.Node {
	var rows plan.Node = root
	for _, f := range slices.Backward(filters) {
		rows = &plan.Filter{Input: rows, Conds: f.Conds, Why: f.Why}
	}
	rows = &plan.Aggregate{Input: rows, Keys: d.columns}
	return &plan.Derived{Input: rows, Alias: root.Alias, Why: "distinct rows of " + root.Dataset}
}

// withColumn returns the distinct rows with a column for an expression over the root, and what reads it above them.
func (d distinctRootRows) withColumn(e sqlexpr.Expr, name string, typ sqlexpr.Type) (distinctRootRows, sqlexpr.Expr) {
	at := slices.IndexFunc(d.columns, func(c plan.NamedExpr) bool { return sqlexpr.Equal(c.Expr, e) })
	if at < 0 {
		at = len(d.columns)
		name = naming.Unused(name, func(name string) bool {
			return slices.ContainsFunc(d.columns, func(c plan.NamedExpr) bool { return strings.EqualFold(c.Name, name) })
		})
		d.columns = append(slices.Clip(d.columns), plan.NamedExpr{Name: name, Expr: e, Type: typ})
	}
	column := sqlexpr.NewTwoPartColumn(d.alias, sqlexpr.Name{Text: d.columns[at].Name, Quoted: true})
	if typ == sqlexpr.TypeUnknown {
		return d, column
	}
	return d, &sqlexpr.DeclaredTypeExpr{X: column, Type: typ, ReadsClock: true}
}

// readsRoot reports whether an expression reads a column of the root.
func (d distinctRootRows) readsRoot(e sqlexpr.Expr) bool {
	return slices.ContainsFunc(sqlexpr.ColumnReferences(e), d.isOfRoot)
}

// readsRootAlone reports whether an expression reads columns of the root, and no others.
func (d distinctRootRows) readsRootAlone(e sqlexpr.Expr) bool {
	columns := sqlexpr.ColumnReferences(e)
	return len(columns) > 0 && !slices.ContainsFunc(columns, func(c *sqlexpr.Column) bool { return !d.isOfRoot(c) })
}

func (d distinctRootRows) isOfRoot(c *sqlexpr.Column) bool { return c.Path[0].Text == d.alias }
