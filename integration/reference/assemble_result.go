package reference

import (
	"maps"
	"slices"
	"strings"
)

// readResultColumnNames names the columns of the result.
func (e *evaluator) readResultColumnNames() {
	for _, g := range e.groups {
		e.outputs = append(e.outputs, g.name)
	}
	for _, c := range e.columns {
		e.outputs = append(e.outputs, c.name)
	}
	e.outputs = append(e.outputs, e.readComparedColumns()...)
	e.outputs = append(e.outputs, e.readShareColumns()...)
	taken := map[string]bool{}
	for _, name := range e.resultColumns() {
		if name = strings.ToLower(name); taken[name] {
			e.addMustRejectCode("duplicate_output_name")
		}
		taken[name] = true
	}
}

// resultColumns returns the outputs and, where there are totals, the level.
func (e *evaluator) resultColumns() []string {
	if len(e.totals) == 0 {
		return e.outputs
	}
	return append(slices.Clone(e.outputs), levelColumn)
}

// readOrderBy checks the sort keys.
func (e *evaluator) readOrderBy() {
	for _, o := range e.q.OrderBy {
		if e.resultColumnIndex(o.Key) < 0 {
			e.addMustRejectCode("unknown_order_key")
		}
	}
}

// resultColumnIndex finds a column of the result by name.
func (e *evaluator) resultColumnIndex(name string) int {
	return slices.IndexFunc(e.outputs, func(o string) bool { return strings.EqualFold(o, name) })
}

// assembleResult makes a row of each group that some branch has, and one in all when
// nothing is grouped; then the rows of the totals.
func (e *evaluator) assembleResult() *Result {
	out := &Result{Columns: e.resultColumns(), Ordered: len(e.q.OrderBy) > 0 || e.q.Limit != nil || e.q.Offset > 0}
	if e.fault == FaultSharesOfShownRows {
		e.shownRows = e.rowsPassingResultConditions()
	}
	for _, row := range e.rowsOfLevel(e.levelOfAllGroups()) {
		if !slices.ContainsFunc(e.resultConditions, func(c condition) bool { return !e.meetsResultCondition(c, row) }) {
			out.Rows = append(out.Rows, row)
		}
	}
	slices.SortFunc(out.Rows, e.compareRows)
	out.Total = len(out.Rows)
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
		rows := e.rowsOfLevel(v)
		if e.fault == FaultTotalsSumRows {
			e.sumRowsIntoFaultyTotals(rows, v)
		}
		slices.SortFunc(rows, e.compareRows)
		for _, row := range rows {
			out.Rows = append(out.Rows, append(row, float64(i+1)))
		}
	}
	return out
}

// rowsOfLevel returns the rows of a level: its groups, their values, what is compared with them and
// their shares.
func (e *evaluator) rowsOfLevel(v totalsLevel) (rows [][]Value) {
	current := e.evaluateLevel(v)
	groups, groupsRead := current.groups, maps.Clone(current.groupsRead)
	previous := make([]levelResult, len(e.comparisons))
	for i, c := range e.comparisons {
		previous[i] = e.previousValuesOfLevel(c, v)
		maps.Copy(groupsRead, previous[i].groupsRead)
		groups = c.groupsOfEitherRange(e, v, groups, previous[i].groups)
	}
	e.levelGroups = groups
	e.filledGroups = e.fill.filledGroups(e, v, groups, groupsRead)
	groups = maps.Clone(groups)
	maps.Copy(groups, e.filledGroups)
	for key, dims := range groups {
		row := slices.Clone(dims)
		var values []Value
		_, isFilled := e.filledGroups[key]
		for i, at := range current.columnValues {
			values = append(values, at(dims))
			if isFilled {
				row = append(row, e.fill.valueOnFilledRow(e, e.columns[i], values[i]))
			} else {
				row = append(row, values[i])
			}
		}
		for n, c := range e.comparisons {
			partner, ok := c.previousGroup(e, v, dims)
			for _, i := range c.columns {
				var before Value
				if ok {
					before = previous[n].columnValues[i](partner)
				}
				row = append(row, comparisonColumnValues(values[i], before)...)
			}
		}
		for _, s := range e.shares {
			row = append(row, e.divideByLevelValue(s, v, dims, values[s.column]))
		}
		rows = append(rows, row)
	}
	return rows
}

// previousValuesOfLevel returns the columns of a comparison in its previous range.
func (e *evaluator) previousValuesOfLevel(c *periodComparison, v totalsLevel) levelResult {
	defer func(spans []timeRange, only []int) { e.timeRanges, e.columnSubset = spans, only }(e.timeRanges, e.columnSubset)
	e.timeRanges, e.columnSubset = c.previousRanges, c.columns
	e.compare = c
	defer func() { e.compare = nil }()
	if e.top != nil && e.compare.bucketGroup >= 0 {
		e.top.bucketGroup, e.top.currentBuckets = e.compare.bucketGroup, e.compare.currentBucketByPrevious()
		defer func() { e.top.currentBuckets = nil }()
	}
	return e.evaluateLevel(v)
}

// skipRows returns the rows after the first n.
func skipRows(rows [][]Value, n int64) [][]Value { return rows[min(int64(len(rows)), n):] }

// compareRows returns the order that the query requests, then that of the group-bys;
// NULL is last in both directions.
func (e *evaluator) compareRows(a, b []Value) int {
	for _, o := range e.q.OrderBy {
		i := e.resultColumnIndex(o.Key)
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
