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
	guarded, g := root, guard{cat: cat}
	if s.canFail {
		g.waitedFor, g.onList = map[*plan.Derived]bool{}, map[*plan.NamedExpr][]demand{}
		if s.demandsLists {
			d := demands{guard: g}
			d.visit(root, reads{outputs: make([]demand, len(root.Schema())), isOuter: true})
		}
		guarded = g.guardAll(root)
	}
	if !s.readsAdmittedRows {
		return guarded
	}
	return plan.Rewrite(guarded, func(n plan.Node) plan.Node {
		d, ok := n.(*plan.Derived)
		switch {
		case !ok || d.Admitted == nil:
			return n
		case !g.waitedFor[d]:
			return withoutRuleColumn(d)
		case caps.FiltersBeforeJoins && readsSeveralTables(d.Input):
			return apart(d)
		}
		return n
	})
}

// guardAll makes the conditions that can fail wait, and the columns with demands.
func (g guard) guardAll(root plan.Node) plan.Node {
	return plan.Rewrite(root, func(n plan.Node) plan.Node {
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
	})
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
	waitedFor map[*plan.Derived]bool
	// onList are the demands on the columns of a list, by its first column.
	onList map[*plan.NamedExpr][]demand
}

func (g guard) guardFilter(n *plan.Filter) plan.Node {
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

func (g guard) guardSemiJoin(n *plan.SemiJoin) plan.Node {
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
func (g guard) guardJoin(n *plan.Join) plan.Node {
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

// block holds the rules and the tables below a node, down to the next SELECT. They are looked up
// when an expression needs them.
type block struct {
	guard   guard
	node    plan.Node
	isRead  bool
	rules   []sqlexpr.Expr
	tables  []*plan.Derived // whose rules are among them
	sources []blockSource
}

// blockSource is a table of a block: the rows of a dataset, or another table in FROM.
type blockSource struct {
	alias, dataset string
	derived        *plan.Derived
}

func (g guard) blockOf(n plan.Node) block { return block{guard: g, node: n} }

// load looks up the rules and tables below the node, once.
func (b *block) load() {
	if b.isRead {
		return
	}
	b.isRead, b.sources = true, make([]blockSource, 0, 4)
	b.read(b.node, false)
}

// read adds a node. Of optional rows some are absent: their rule is NULL then.
func (b *block) read(n plan.Node, optional bool) {
	switch n := n.(type) {
	case *plan.Scan:
		source := blockSource{alias: n.Alias, dataset: n.Dataset}
		if n.Rollup != "" { // whose columns are not those of the dataset
			source.dataset = ""
		}
		b.sources = append(b.sources, source)
	case *plan.Derived:
		if n.Admitted == nil {
			b.sources = append(b.sources, blockSource{alias: n.Alias, derived: n})
			return
		}
		b.sources = append(b.sources, blockSource{alias: n.Alias, dataset: n.Admitted.Dataset})
		var rule sqlexpr.Expr = sqlexpr.NewTwoPartColumn(n.Alias, sqlexpr.Name{Text: n.Admitted.Column, Quoted: true})
		if optional {
			rule = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{X: rule}, R: rule}
		}
		b.rules, b.tables = append(b.rules, rule), append(b.tables, n)
	case *plan.Join:
		b.read(n.Left, optional)
		b.read(n.Right, optional || n.Kind == plan.LeftJoin)
	case *plan.Filter:
		if n.Rule {
			b.rules = append(b.rules, n.Conds...)
		}
		b.read(n.Input, optional)
	case *plan.SemiJoin:
		b.read(n.Input, optional)
	default: // another SELECT
	}
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
	b.load()
	if len(b.rules) == 0 {
		return e
	}
	for _, t := range b.tables {
		b.guard.waitedFor[t] = true
	}
	rule := b.rules[0]
	for _, r := range b.rules[1:] {
		rule = &sqlexpr.Binary{Op: sqlexpr.OpAnd, L: rule, R: r}
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
	b.load()
	column, ok := e.(*sqlexpr.Column)
	if !ok || len(column.Path) != 2 {
		return sqlexpr.TypeUnknown
	}
	at := slices.IndexFunc(b.sources, func(s blockSource) bool { return s.alias == column.Path[0].Text })
	if at < 0 {
		return sqlexpr.TypeUnknown
	}
	if derived := b.sources[at].derived; derived != nil {
		for _, c := range derived.Schema() {
			if c.Name == column.Path[1].Text {
				return c.Type
			}
		}
		return sqlexpr.TypeUnknown
	}
	d := b.guard.cat.Dataset(b.sources[at].dataset)
	if d == nil {
		return sqlexpr.TypeUnknown
	}
	for _, fields := range [][]*catalog.Field{d.Fields, d.Plain} {
		for _, f := range fields {
			own, ok := f.Expr.Default.(*sqlexpr.Column)
			if ok && f.Type != sqlexpr.TypeUnknown && strings.EqualFold(own.Path[len(own.Path)-1].Text, column.Path[1].Text) {
				return f.Type
			}
		}
	}
	return sqlexpr.TypeUnknown
}
