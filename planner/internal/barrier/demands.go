package barrier

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// demand is what an engine may do with a column of a table before the rule. It moves a condition into the table that it reads, and computes
// it there beside the rule: `(SELECT a * 2 AS n FROM t WHERE rule GROUP BY 1) WHERE n > 5` as `FROM t WHERE rule AND a * 2 > 5`. It
// computes a column of a table within another SELECT before the joins that the rule needs, as PostgreSQL does below grouping sets.
type demand uint8

const (
	notRead    demand = iota
	isCompared        // the column is computed, and nothing that can fail from it
	isComputed        // something that can fail is computed from the column
)

// demands collects the demands on the columns of a plan.
type demands struct {
	guard    *guard
	onShared map[plan.Node][]demand // by the input of a shared table
}

// columnName is a column of a table in FROM.
type columnName struct{ alias, name string }

// reads are the demands on the columns of a node: its outputs by position, and those of the tables in it. The visit of a node owns them.
type reads struct {
	outputs []demand
	columns []columnDemand
	isOuter bool // the node is in the outermost SELECT
}

type columnDemand struct {
	columnName
	at demand
}

func (r reads) clone() reads {
	return reads{slices.Clone(r.outputs), slices.Clone(r.columns), r.isOuter}
}

// onColumn returns the demand on a column of a table.
func (r reads) onColumn(name columnName) demand {
	for _, c := range r.columns {
		if c.columnName == name {
			return c.at
		}
	}
	return notRead
}

// add notes that conditions demand an expression.
func (r *reads) add(e sqlexpr.Expr, at demand, b *block) {
	if at != notRead && sqlexpr.CanFail(e, b.typeOf) {
		at = isComputed
	}
	if e == nil || at == notRead {
		return
	}
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			if x.ID >= 0 && x.ID < len(r.outputs) {
				r.outputs[x.ID] = max(r.outputs[x.ID], at)
			}
		case *sqlexpr.Column:
			if len(x.Path) == 2 {
				r.addColumn(columnName{x.Path[0].Text, x.Path[1].Text}, at)
			}
		}
		return true
	})
}

func (r *reads) addColumn(name columnName, at demand) {
	for i := range r.columns {
		if r.columns[i].columnName == name {
			r.columns[i].at = max(r.columns[i].at, at)
			return
		}
	}
	r.columns = append(r.columns, columnDemand{name, at})
}

// visit carries the demands on a node to what it reads.
func (d *demands) visit(n plan.Node, on reads) {
	switch n := n.(type) {
	case *plan.Filter:
		if n.Rule {
			d.visit(n.Input, on)
			return
		}
		b := d.guard.blockOf(n.Input)
		for _, c := range n.Conds {
			at := isCompared
			if sqlexpr.CanFailAsCondition(c, b.typeOf) {
				at = isComputed
			}
			on.add(c, at, &b)
		}
		d.visit(n.Input, on)
	case *plan.SemiJoin:
		b := d.guard.blockOf(n.Input)
		on.add(n.Value, isCompared, &b)
		d.visit(n.Input, on)
		d.visit(n.Rows, reads{outputs: []demand{isCompared}})
	case *plan.Join:
		b := d.guard.blockOf(n)
		for _, e := range n.On {
			on.add(e.Left, isCompared, &b)
			on.add(e.Right, isCompared, &b)
		}
		if n.Valid != nil {
			for _, e := range n.Valid.Conditions() {
				on.add(e, isCompared, &b)
			}
		}
		d.visit(n.Left, on.clone())
		d.visit(n.Right, on)
	case *plan.Derived:
		d.visitTable(n, on)
	case *plan.Project:
		d.visitLists(n.Input, on, n.Cols)
	case *plan.Aggregate:
		d.visitLists(n.Input, on, n.Keys)
	case *plan.GroupingSets:
		d.visitLists(n.Input, reads{outputs: on.outputs}, n.Keys)
	case *plan.HomeRows:
		d.visitLists(n.Input, reads{outputs: on.outputs}, n.Groups, n.Key, n.Args)
	case *plan.Snapshots:
		d.visitLists(n.Input, reads{outputs: on.outputs}, n.Cols)
	case *plan.Combine:
		next := n.Keys
		for _, branch := range n.Branches {
			own := next + len(branch.Schema()) - n.Keys
			outputs := slices.Concat(on.outputs[:n.Keys], on.outputs[next:own])
			for k := range n.Keys {
				outputs[k] = max(outputs[k], isCompared) // with those of the others
			}
			next = own
			d.visit(branch, reads{outputs: outputs})
		}
	case *plan.Union:
		for _, rows := range n.Rows {
			d.visit(rows, reads{outputs: slices.Clone(on.outputs)})
		}
	case *plan.FirstColumns:
		hidden := make([]demand, len(n.Input.Schema())-n.Count)
		d.visit(n.Input, reads{append(slices.Clone(on.outputs), hidden...), on.columns, on.isOuter})
	case *plan.Window:
		d.visit(n.Input, reads{outputs: on.outputs[:len(n.Input.Schema())]})
	default: // the columns of the input come first, and no condition is computed
		for _, in := range n.Inputs() {
			d.visit(in, reads{on.outputs[:len(in.Schema()):len(in.Schema())], on.columns, on.isOuter}.clone())
		}
	}
}

// visitTable carries the demands on the columns of a table into it. What reads an admitted table waits for its rule in place.
func (d *demands) visitTable(n *plan.Derived, on reads) {
	if columns, ok := n.Input.(*plan.Project); ok && n.Admitted != nil {
		d.visit(columns.Input, reads{outputs: make([]demand, len(columns.Input.Schema()))})
		return
	}
	outputs := make([]demand, len(n.Schema()))
	copy(outputs, on.outputs) // of a table that is read alone
	for i, c := range n.Schema() {
		outputs[i] = max(outputs[i], on.onColumn(columnName{n.Alias, c.Name}))
	}
	if n.Shared {
		known, ok := d.onShared[n.Input]
		for i, at := range known {
			outputs[i] = max(outputs[i], at)
		}
		if ok && slices.Equal(outputs, known) {
			return
		}
		if d.onShared == nil {
			d.onShared = map[plan.Node][]demand{}
		}
		d.onShared[n.Input] = slices.Clone(outputs)
	}
	d.visit(n.Input, reads{outputs: outputs})
}

// visitLists notes the demands on lists of columns, which come first in the outputs of a node, and carries them to its input.
func (d *demands) visitLists(input plan.Node, on reads, lists ...[]plan.NamedExpr) {
	outputs := on.outputs
	on = reads{outputs: make([]demand, len(input.Schema())), isOuter: on.isOuter}
	b := d.guard.blockOf(input)
	for _, list := range lists {
		if len(list) == 0 {
			continue
		}
		known := d.guard.onList[&list[0]]
		if known == nil {
			known = make([]demand, len(list))
			d.guard.onList[&list[0]] = known
		}
		for i, c := range list {
			at := outputs[i]
			if !on.isOuter {
				at = max(at, isCompared)
			}
			known[i] = max(known[i], at)
			on.add(c.Expr, at, &b)
		}
		outputs = outputs[len(list):]
	}
	d.visit(input, on)
}

// guardedColumns returns the columns of a list, and whether they changed: those on which something is demanded are NULL on rows that a rule
// does not admit.
func (g *guard) guardedColumns(input plan.Node, list []plan.NamedExpr) (out []plan.NamedExpr, changed bool) {
	if len(list) == 0 || !slices.ContainsFunc(g.onList[&list[0]], func(at demand) bool { return at != notRead }) {
		return list, false
	}
	b := g.blockOf(input)
	out = list
	for i, at := range g.onList[&list[0]] {
		e := list[i].Expr
		switch {
		case at == isCompared:
			e = b.guarded(e)
		case at == isComputed && len(sqlexpr.ColumnReferences(e)) > 0:
			e = b.waiting(e)
		}
		if e == list[i].Expr {
			continue
		}
		if !changed {
			out, changed = slices.Clone(list), true
		}
		out[i].Expr = e
	}
	return out, changed
}
