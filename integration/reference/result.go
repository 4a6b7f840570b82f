package reference

import (
	"slices"
	"strings"
)

// readOrder checks the sort keys.
func (e *evaluator) readOrder() {
	for _, o := range e.q.OrderBy {
		if e.outputIndex(o.Key) < 0 {
			e.require("unknown_order_key")
		}
	}
}

// outputIndex finds a result column by name: the group-bys, then the metrics.
func (e *evaluator) outputIndex(name string) int {
	for i, g := range e.groups {
		if strings.EqualFold(g.name, name) {
			return i
		}
	}
	for i, c := range e.columns {
		if strings.EqualFold(c.name, name) {
			return len(e.groups) + i
		}
	}
	return -1
}

// assembleResult makes a row of each group that some branch has, and one in all when
// nothing is grouped.
func (e *evaluator) assembleResult(values []func(string) Value) *Result {
	out := &Result{Ordered: len(e.q.OrderBy) > 0 || e.q.Limit != nil || e.q.Offset > 0}
	for _, g := range e.groups {
		out.Columns = append(out.Columns, g.name)
	}
	for _, c := range e.columns {
		out.Columns = append(out.Columns, c.name)
	}
	groups := e.seen
	if len(e.groups) == 0 {
		groups = map[string][]Value{keyOf(): nil}
	}
	for key, dims := range groups {
		var cells []Value
		for _, at := range values {
			cells = append(cells, at(key))
		}
		if slices.ContainsFunc(e.output, func(c condition) bool { return !e.meetsResultCondition(c, dims, cells) }) {
			continue
		}
		out.Rows = append(out.Rows, append(slices.Clone(dims), cells...))
	}
	slices.SortFunc(out.Rows, e.rowOrder)
	out.Rows = skipRows(out.Rows, e.q.Offset)
	if e.q.Limit != nil {
		out.Rows = out.Rows[:min(len(out.Rows), int(*e.q.Limit))]
	}
	return out
}

// skipRows returns the rows behind the first n.
func skipRows(rows [][]Value, n int64) [][]Value { return rows[min(int64(len(rows)), n):] }

// rowOrder is the order that the query asks for, then that of the group-bys;
// NULL is last in both directions.
func (e *evaluator) rowOrder(a, b []Value) int {
	for _, o := range e.q.OrderBy {
		i := e.outputIndex(o.Key)
		order := compareNullsLast(a[i], b[i])
		if o.Desc && a[i] != nil && b[i] != nil {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	n := len(e.groups)
	return slices.CompareFunc(a[:n], b[:n], compareNullsLast)
}
