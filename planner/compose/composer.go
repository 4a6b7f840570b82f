package compose

import (
	"strconv"

	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// Composer builds the plan of one statement.
type Composer struct {
	caps    plan.Capabilities
	dialect string
	tables  int // common tables so far
	aliases int // of joined rows so far
}

// New returns a composer for a target.
func New(t plan.Target) *Composer { return &Composer{caps: t.Caps, dialect: t.Dialect} }

// RowsOfQuery returns the rows of a finished query. types are those of its columns, as Planner.ResultTypes returns them; a
// shorter list leaves the others as the plan declares them. A column of type Date holds days from then on.
func (c *Composer) RowsOfQuery(p *plan.PlannedQuery, types []sqltype.Type) *Rows {
	node, end := splitOrderAndLimit(p.Root)
	node = truncateDateColumns(node)
	schema := node.Schema()
	r := &Rows{node: node, tail: end, visible: min(len(p.Columns), len(schema)), columns: make([]sizedColumn, len(schema)), oneRow: inferRowCount(p.Root)}
	if len(p.Columns) == 0 {
		r.visible = len(schema)
	}
	for i, s := range schema {
		t := sqltype.FromLogicalType(s.Type)
		if i < len(types) {
			t = types[i]
		}
		r.columns[i] = sizedColumn{Column: Column{Name: s.Name, Type: t}, size: 1, textBytes: estimateColumnValueTextBytes(node, i)}
		if i < len(p.Columns) {
			r.columns[i].Metric, r.columns[i].Kind = p.Columns[i].Metric, p.Columns[i].Kind
		}
	}
	return r
}

// splitOrderAndLimit takes order, offset and limit from a plan.
func splitOrderAndLimit(n plan.Node) (plan.Node, orderAndLimit) {
	var t orderAndLimit
	if limit, ok := n.(*plan.Limit); ok {
		t.limit = &limit.N
		n = limit.Input
	}
	if offset, ok := n.(*plan.Offset); ok {
		t.offset = offset.N
		n = offset.Input
	}
	if sort, ok := n.(*plan.Sort); ok {
		t.keys = sort.Keys
		n = sort.Input
	}
	return n, t
}

// MakeCommonTable makes the rows a common table expression (s1, s2, …), which the statement prints once, as often as it is
// read. It is for rows that have their own SELECT in the statement: those of a semantic select, and those of a WITH
// item.
func (c *Composer) MakeCommonTable(r *Rows) *Rows {
	if d, ok := r.node.(*plan.Derived); ok && d.Table != "" && r.isWholeNode() {
		return r
	}
	c.tables++
	name := "s" + strconv.Itoa(c.tables)
	return c.newDerivedRows(r, name, name)
}

// newDerivedRows returns a relation whose columns are those of a subquery; table is the name of its common table, "" for none.
func (c *Composer) newDerivedRows(r *Rows, alias, table string) *Rows {
	input := withDistinctColumnNames(r.nodeOfVisibleColumns())
	out := &Rows{
		node:    &plan.Derived{Input: input, Alias: alias, Shared: table != "", Table: table},
		columns: make([]sizedColumn, r.visible), visible: r.visible, oneRow: r.oneRow,
	}
	for i, col := range r.visibleColumns() {
		out.columns[i] = sizedColumn{Column: col.Column, size: 1, textBytes: col.textBytes}
	}
	return out
}

// newAlias returns an alias that no other table of the composition has.
func (c *Composer) newAlias() string {
	c.aliases++
	return "t" + strconv.Itoa(c.aliases)
}
