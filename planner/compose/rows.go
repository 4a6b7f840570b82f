package compose

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// Column is a column of rows. Two columns may have one name.
type Column struct {
	Name string
	Type sqltype.Type
	// Metric is the metric whose values the column holds, and Kind what it holds of them; "" for another column.
	Metric string
	Kind   plan.ShareOrComparisonKind
}

// Rows are a relation. A value is never changed and may be used several times.
type Rows struct {
	node    plan.Node     // without order and limit; its columns begin with the visible ones
	columns []sizedColumn // of node
	visible int
	tail    orderAndLimit
	oneRow  rowCountBound
}

// sizedColumn is a column of a node. size is the number of operators that its expression has with those below it,
// estimateColumnValueTextBytes the estimated bytes of a value as text: both bound what nested expressions grow to.
type sizedColumn struct {
	Column
	size, textBytes int
}

// rowCountBound is what is known of the number of rows.
type rowCountBound uint8

const (
	unknownRowCount rowCountBound = iota
	oneRowAtMost
	exactlyOneRow
)

// orderAndLimit is the order and the limit of rows.
type orderAndLimit struct {
	keys   []plan.SortKey
	offset int64
	limit  *int64
}

func (t orderAndLimit) limitsRows() bool { return t.limit != nil || t.offset > 0 }

// Columns returns the columns in order.
func (r *Rows) Columns() []Column {
	out := make([]Column, r.visible)
	for i, c := range r.columns[:r.visible] {
		out[i] = c.Column
	}
	return out
}

// FirstColumns returns the same rows in the same order with the first columns only. The others may be sort keys.
func (r *Rows) FirstColumns(count int) *Rows {
	out := *r
	out.visible = min(count, r.visible)
	return &out
}

// LimitedRows returns the first rows after an offset, in their order. A nil limit keeps all.
func (r *Rows) LimitedRows(limit *int64, offset int64) *Rows {
	out := *r
	if r.tail.limitsRows() {
		out.node, out.tail = r.nodeOfVisibleColumns(), orderAndLimit{keys: r.tail.keys}
	}
	out.tail.limit, out.tail.offset = limit, offset
	if limit != nil {
		out.oneRow = out.oneRow.withLimit(*limit)
	}
	if offset > 0 {
		out.oneRow = min(out.oneRow, oneRowAtMost)
	}
	return &out
}

// Plan returns the statement that gives the rows. The columns of the plan have names that differ in more than case;
// Columns has the names that were requested.
func (r *Rows) Plan() *plan.PlannedQuery {
	root := r.applyOrderAndLimit()
	if r.visible < len(r.columns) {
		root = &plan.FirstColumns{Input: root, Count: r.visible}
	}
	out := &plan.PlannedQuery{Root: root, Columns: make([]plan.OutputColumn, r.visible)}
	for i, c := range root.Schema() {
		out.Columns[i] = plan.OutputColumn{Name: c.Name, Type: c.Type, Metric: r.columns[i].Metric, Kind: r.columns[i].Kind}
	}
	if r.tail.limit != nil {
		limit := *r.tail.limit
		out.Limit = &limit
	}
	return out
}

// applyOrderAndLimit adds order, offset and limit to the node.
func (r *Rows) applyOrderAndLimit() plan.Node {
	n := r.node
	keys := r.tail.keys
	if r.tail.limitsRows() {
		keys = r.deterministicSortKeys()
	}
	if len(keys) > 0 {
		n = &plan.Sort{Input: n, Keys: keys}
	}
	if r.tail.offset > 0 {
		n = &plan.Offset{Input: n, N: r.tail.offset}
	}
	if r.tail.limit != nil {
		n = &plan.Limit{Input: n, N: *r.tail.limit}
	}
	return n
}

// deterministicSortKeys returns the sort keys and then the other visible columns, so that a limit leaves nothing to chance.
func (r *Rows) deterministicSortKeys() []plan.SortKey {
	keys := r.tail.keys[:len(r.tail.keys):len(r.tail.keys)]
	sorted := make(map[int]bool, len(keys))
	for _, k := range keys {
		sorted[k.Col] = true
	}
	for i := range r.visible {
		if !sorted[i] {
			keys = append(keys, plan.SortKey{Col: i})
		}
	}
	return keys
}

// nodeOfVisibleColumns returns the node of the rows as a part of a statement: an order that chooses no rows is dropped.
func (r *Rows) nodeOfVisibleColumns() plan.Node {
	n := r.node
	if r.tail.limitsRows() {
		n = r.applyOrderAndLimit()
	}
	if r.visible == len(r.columns) {
		return n
	}
	return &plan.Project{Input: n, Cols: n.Schema()[:r.visible].ColumnRefs()}
}

// PlanNode returns the plan of the rows as a part of another plan: an order that chooses no rows is dropped.
func (r *Rows) PlanNode() plan.Node { return withDistinctColumnNames(r.nodeOfVisibleColumns()) }

// isWholeNode reports whether the rows are those of their node, with all of its columns.
func (r *Rows) isWholeNode() bool { return !r.tail.limitsRows() && r.visible == len(r.columns) }

// visibleColumns returns the columns as the input of a call.
func (r *Rows) visibleColumns() []sizedColumn { return r.columns[:r.visible] }

func newColumnRef(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }
