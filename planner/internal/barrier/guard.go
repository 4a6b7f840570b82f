package barrier

import (
	"math"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Guard returns a plan whose conditions over ruled datasets wait for the rules. The catalog types the columns of tables.
func Guard(cat *catalog.Catalog, root plan.Node, caps plan.Capabilities) plan.Node {
	s := survey{guard: guard{cat: cat}}
	s.visit(root, true)
	if !s.canFail && !s.readsAdmittedRows {
		return root
	}
	g := guard{cat: cat, caps: caps, canFail: s.canFail}
	if s.canFail && s.demandsLists {
		g.onList = map[*plan.NamedExpr][]demand{}
		d := demands{guard: &g}
		d.visit(root, reads{outputs: make([]demand, len(root.Schema())), isOuter: true})
	}
	return plan.RewriteDown(root, g.guardNode)
}

// guardNode makes the conditions of a node that can fail wait, and the columns with demands. The conditions over an admitted table are above it, so
// that it is known whether one waits for its rule.
func (g *guard) guardNode(n plan.Node) plan.Node {
	if d, ok := n.(*plan.Derived); ok && d.Admitted != nil {
		switch {
		case !slices.Contains(g.waitedFor, d):
			return withoutRuleColumn(d)
		case g.caps.FiltersBeforeJoins && readsSeveralTables(d.Input):
			return apart(d)
		}
		return n
	}
	if !g.canFail {
		return n
	}
	switch n := n.(type) {
	case *plan.Project:
		if cols, changed := g.guardedColumns(n.Input, n.Cols); changed {
			out := *n
			out.Cols = cols
			return &out
		}
		return n
	case *plan.Aggregate:
		if keys, changed := g.guardedColumns(n.Input, n.Keys); changed {
			out := *n
			out.Keys = keys
			return &out
		}
		return n
	case *plan.GroupingSets:
		if keys, changed := g.guardedColumns(n.Input, n.Keys); changed {
			out := *n
			out.Keys = keys
			return &out
		}
		return n
	case *plan.HomeRows:
		groups, changesGroups := g.guardedColumns(n.Input, n.Groups)
		key, changesKey := g.guardedColumns(n.Input, n.Key)
		args, changesArgs := g.guardedColumns(n.Input, n.Args)
		if changesGroups || changesKey || changesArgs {
			out := *n
			out.Groups, out.Key, out.Args = groups, key, args
			return &out
		}
		return n
	case *plan.Snapshots:
		if cols, changed := g.guardedColumns(n.Input, n.Cols); changed {
			out := *n
			out.Cols = cols
			return &out
		}
		return n
	case *plan.Filter:
		return g.guardFilter(n)
	case *plan.SemiJoin:
		return g.guardSemiJoin(n)
	case *plan.Join:
		return g.guardJoin(n)
	default: // computes nothing that a condition is moved to
		return n
	}
}

// withoutRuleColumn returns an admitted table without the column of its rule, which nothing waits for; the table itself where it has no
// other column.
func withoutRuleColumn(d *plan.Derived) plan.Node {
	columns, ok := d.Input.(*plan.Project)
	if !ok || len(columns.Cols) < 2 {
		return d
	}
	rest, out := *columns, *d
	rest.Cols = slices.DeleteFunc(slices.Clone(columns.Cols), func(c plan.NamedExpr) bool { return c.Name == d.Admitted.Column })
	out.Input, out.Admitted = &rest, nil
	return &out
}

// apart returns a table that no engine merges with the SELECT that reads it, because it has a limit.
func apart(d *plan.Derived) plan.Node {
	out := *d
	out.Input = &plan.Limit{Input: d.Input, N: math.MaxInt64}
	return &out
}

func readsSeveralTables(n plan.Node) bool {
	_, ok := n.(*plan.Join)
	return ok || slices.ContainsFunc(n.Inputs(), readsSeveralTables)
}

// guard collects the rules that conditions wait for.
type guard struct {
	cat       *catalog.Catalog
	caps      plan.Capabilities
	canFail   bool // of some expression
	waitedFor []*plan.Derived
	// onList are the demands on the columns of a list, by its first column.
	onList map[*plan.NamedExpr][]demand
}

func (g *guard) guardFilter(n *plan.Filter) plan.Node {
	if n.Rule {
		return n
	}
	b := g.blockOf(n.Input)
	conds, changed := n.Conds, false
	for i, c := range n.Conds {
		waits := b.guardedCondition(c)
		if waits == c {
			continue
		}
		if !changed {
			conds, changed = slices.Clone(n.Conds), true
		}
		conds[i] = waits
	}
	if !changed {
		return n
	}
	out := *n
	out.Conds = conds
	return &out
}

func (g *guard) guardSemiJoin(n *plan.SemiJoin) plan.Node {
	b := g.blockOf(n.Input)
	value := b.guarded(n.Value)
	if value == n.Value {
		return n
	}
	out := *n
	out.Value = value
	return &out
}

// guardJoin guards the sides of an equality: each is computed on rows of its side.
func (g *guard) guardJoin(n *plan.Join) plan.Node {
	left, right := g.blockOf(n.Left), g.blockOf(n.Right)
	equalities, changed := n.On, false
	for i, on := range n.On {
		on.Left, on.Right = left.guarded(on.Left), right.guarded(on.Right)
		if on == n.On[i] {
			continue
		}
		if !changed {
			equalities, changed = slices.Clone(n.On), true
		}
		equalities[i] = on
	}
	valid := n.Valid
	if valid != nil {
		waits := *valid
		waits.At, waits.From, waits.To = left.guarded(waits.At), right.guarded(waits.From), right.guarded(waits.To)
		if waits != *valid {
			valid, changed = &waits, true
		}
	}
	if !changed {
		return n
	}
	out := *n
	out.On, out.Valid = equalities, valid
	return &out
}

// block is a node with what is below it down to the next SELECT, whose rules and tables are looked up when an expression needs them.
type block struct {
	guard *guard
	node  plan.Node
}

func (g *guard) blockOf(n plan.Node) block { return block{guard: g, node: n} }

// rule returns the rules below a node together, after those that were found before; nil for none. Of optional rows some are absent: their rule
// is NULL then.
func (g *guard) rule(n plan.Node, optional bool, found sqlexpr.Expr) sqlexpr.Expr {
	switch n := n.(type) {
	case *plan.Derived:
		if n.Admitted == nil {
			return found
		}
		if !slices.Contains(g.waitedFor, n) {
			g.waitedFor = append(g.waitedFor, n)
		}
		var rule sqlexpr.Expr = sqlexpr.NewTwoPartColumn(n.Alias, sqlexpr.Name{Text: n.Admitted.Column, Quoted: true})
		if optional {
			rule = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{X: rule}, R: rule}
		}
		return and(found, rule)
	case *plan.Join:
		return g.rule(n.Right, optional || n.Kind == plan.LeftJoin, g.rule(n.Left, optional, found))
	case *plan.Filter:
		if n.Rule {
			for _, c := range n.Conds {
				found = and(found, c)
			}
		}
		return g.rule(n.Input, optional, found)
	case *plan.SemiJoin:
		return g.rule(n.Input, optional, found)
	default: // another SELECT, or a table without a rule
		return found
	}
}

func and(l, r sqlexpr.Expr) sqlexpr.Expr {
	if l == nil {
		return r
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpAnd, L: l, R: r}
}

// tableNamed returns the table below a node that has an alias: a scan, or another table in FROM; nil for none.
func tableNamed(n plan.Node, alias string) plan.Node {
	switch n := n.(type) {
	case *plan.Scan:
		if n.Alias == alias {
			return n
		}
	case *plan.Derived:
		if n.Alias == alias {
			return n
		}
	case *plan.Join:
		if found := tableNamed(n.Left, alias); found != nil {
			return found
		}
		return tableNamed(n.Right, alias)
	case *plan.Filter:
		return tableNamed(n.Input, alias)
	case *plan.SemiJoin:
		return tableNamed(n.Input, alias)
	default: // another SELECT
	}
	return nil
}

// guarded returns an expression that is NULL on rows that a rule does not admit, unless it cannot fail on them.
func (b *block) guarded(e sqlexpr.Expr) sqlexpr.Expr {
	if !sqlexpr.CanFail(e, b.typeOf) {
		return e
	}
	return b.waiting(e)
}

// guardedCondition is guarded of a condition.
func (b *block) guardedCondition(e sqlexpr.Expr) sqlexpr.Expr {
	if !sqlexpr.CanFailAsCondition(e, b.typeOf) {
		return e
	}
	return b.waiting(e)
}

// waiting returns an expression that is NULL on rows that a rule does not admit; the expression where the block has no rule.
func (b *block) waiting(e sqlexpr.Expr) sqlexpr.Expr {
	rule := b.guard.rule(b.node, false, nil)
	if rule == nil {
		return e
	}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: rule, Then: e}}}
}

// typeOf types a column of a table by the field that it is, and a column of the input by its place.
func (b *block) typeOf(e sqlexpr.Expr) sqlexpr.Type {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		if outputs := b.node.Schema(); ref.ID >= 0 && ref.ID < len(outputs) {
			return outputs[ref.ID].Type
		}
		return sqlexpr.TypeUnknown
	}
	column, ok := e.(*sqlexpr.Column)
	if !ok || len(column.Path) != 2 {
		return sqlexpr.TypeUnknown
	}
	name, dataset := column.Path[1].Text, ""
	switch table := tableNamed(b.node, column.Path[0].Text).(type) {
	case *plan.Scan:
		if table.Rollup == "" { // whose columns are not those of the dataset
			dataset = table.Dataset
		}
	case *plan.Derived:
		if table.Admitted == nil {
			return typeOfColumn(table.Schema(), name)
		}
		dataset = table.Admitted.Dataset
	default: // no table has the name
		return sqlexpr.TypeUnknown
	}
	d := b.guard.cat.Dataset(dataset)
	if d == nil {
		return sqlexpr.TypeUnknown
	}
	if t := typeOfFieldColumn(d.Fields, name); t != sqlexpr.TypeUnknown {
		return t
	}
	return typeOfFieldColumn(d.Plain, name)
}

func typeOfColumn(columns plan.Schema, name string) sqlexpr.Type {
	for _, c := range columns {
		if c.Name == name {
			return c.Type
		}
	}
	return sqlexpr.TypeUnknown
}

// typeOfFieldColumn returns the type of the first field that is a column.
func typeOfFieldColumn(fields []*catalog.Field, name string) sqlexpr.Type {
	for _, f := range fields {
		if f.Type == sqlexpr.TypeUnknown {
			continue
		}
		if own, ok := f.Expr.Default.(*sqlexpr.Column); ok && strings.EqualFold(own.Path[len(own.Path)-1].Text, name) {
			return f.Type
		}
	}
	return sqlexpr.TypeUnknown
}
