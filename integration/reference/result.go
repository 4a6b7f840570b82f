package reference

import (
	"maps"
	"slices"
	"strings"
)

// readOutputs names the columns of the result.
func (e *evaluator) readOutputs() {
	for _, g := range e.groups {
		e.outputs = append(e.outputs, g.name)
	}
	for _, c := range e.columns {
		e.outputs = append(e.outputs, c.name)
	}
	e.outputs = append(e.outputs, e.readComparedColumns()...)
	e.outputs = append(e.outputs, e.readShares()...)
	taken := map[string]bool{}
	for _, name := range e.resultColumns() {
		if name = strings.ToLower(name); taken[name] {
			e.require("duplicate_output_name")
		}
		taken[name] = true
	}
}

// resultColumns are the outputs and, where there are totals, the level.
func (e *evaluator) resultColumns() []string {
	if len(e.totals) == 0 {
		return e.outputs
	}
	return append(slices.Clone(e.outputs), levelColumn)
}

// readOrder checks the sort keys.
func (e *evaluator) readOrder() {
	for _, o := range e.q.OrderBy {
		if e.outputIndex(o.Key) < 0 {
			e.require("unknown_order_key")
		}
	}
}

// outputIndex finds a column of the result by name.
func (e *evaluator) outputIndex(name string) int {
	return slices.IndexFunc(e.outputs, func(o string) bool { return strings.EqualFold(o, name) })
}

// assembleResult makes a row of each group that some branch has, and one in all when
// nothing is grouped; then the rows of the totals.
func (e *evaluator) assembleResult() *Result {
	out := &Result{Columns: e.resultColumns(), Ordered: len(e.q.OrderBy) > 0 || e.q.Limit != nil || e.q.Offset > 0}
	if e.fault == SharesOfShownRows {
		e.shownRows = e.shownGroups()
	}
	for _, row := range e.rowsAt(e.levelOfAllGroups()) {
		if !slices.ContainsFunc(e.resultConditions, func(c condition) bool { return !e.meetsResultCondition(c, row) }) {
			out.Rows = append(out.Rows, row)
		}
	}
	slices.SortFunc(out.Rows, e.rowOrder)
	out.Rows = skipRows(out.Rows, e.q.Offset)
	if e.q.Limit != nil {
		out.Rows = out.Rows[:min(len(out.Rows), int(*e.q.Limit))]
	}
	if len(e.totals) == 0 {
		return out
	}
	for i := range out.Rows {
		out.Rows[i] = append(out.Rows[i], 0.0)
	}
	for i, v := range e.totals {
		rows := e.rowsAt(v)
		if e.fault == TotalsOfRows {
			e.sumRowsIntoTotals(rows, v)
		}
		slices.SortFunc(rows, e.rowOrder)
		for _, row := range rows {
			out.Rows = append(out.Rows, append(row, float64(i+1)))
		}
	}
	return out
}

// rowsAt are the rows of a level: its groups, their values, what is compared with them and
// their shares.
func (e *evaluator) rowsAt(v level) (rows [][]Value) {
	current := e.evaluateLevel(v)
	groups := current.groups
	var previous levelResult
	if e.compare != nil {
		previous = e.previousAt(v)
		groups = e.compare.groupsOf(v, current.groups, previous.groups)
	}
	e.levelGroups = groups
	e.filledGroups = e.fill.filledGroups(e, v, groups)
	groups = maps.Clone(groups)
	maps.Copy(groups, e.filledGroups)
	for key, dims := range groups {
		row := slices.Clone(dims)
		var values []Value
		_, isFilled := e.filledGroups[key]
		for i, at := range current.columnValues {
			values = append(values, at(key))
			if isFilled {
				row = append(row, e.fill.valueOf(e, e.columns[i], values[i]))
			} else {
				row = append(row, values[i])
			}
		}
		if e.compare != nil {
			partner, ok := e.compare.previousKey(v, dims)
			for _, i := range e.compare.columns {
				var before Value
				if ok {
					before = previous.columnValues[i](partner)
				}
				row = append(row, comparisonValues(values[i], before)...)
			}
		}
		for _, s := range e.shares {
			row = append(row, e.shareOf(s, v, dims, values[s.column]))
		}
		rows = append(rows, row)
	}
	return rows
}

// previousAt are the compared columns in the previous range.
func (e *evaluator) previousAt(v level) levelResult {
	defer func(spans []timeRange, only []int) { e.timeRanges, e.columnSubset = spans, only }(e.timeRanges, e.columnSubset)
	e.timeRanges, e.columnSubset = e.compare.previousRanges, e.compare.columns
	e.compare.isPrevious = true
	defer func() { e.compare.isPrevious = false }()
	if e.top != nil && e.compare.bucketGroup >= 0 {
		e.top.bucketGroup, e.top.currentBuckets = e.compare.bucketGroup, e.compare.currentByPrevious()
		defer func() { e.top.currentBuckets = nil }()
	}
	return e.evaluateLevel(v)
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
