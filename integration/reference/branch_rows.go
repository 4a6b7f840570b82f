package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// measureLeaf is one aggregate of the query with all that decides its value.
type measureLeaf struct {
	measureInMetric
	second    *catalog.Measure // of a window function with two inputs; nil otherwise
	isOnce    bool             // each row of the home counts once in a group
	filters   []*catalog.Metric
	binding   paramValues
	timeRange timeRange
	// inputRange is a range of a field that is not the axis: a condition on the input.
	inputRange timeRange
	axis       *catalog.Field
	grain      sqlexpr.Grain // by which the axis is grouped
	period     *catalog.Period
}

// branchRow is a joined row of a branch that passed its filters.
type branchRow struct {
	row         joinedRow
	dims        []Value
	inTimeRange bool  // in the time range
	beforeEnd   bool  // before the end of the time range
	at          Value // the stored value of the axis, where it is grouped
	passedOver  bool  // of a snapshot that does not count
}

// branchRows returns the rows of a leaf's branch. ok is false when the branch cannot be
// computed.
func (e *evaluator) branchRows(l *measureLeaf) (list []branchRow, home string, ok bool) {
	sensitive, countsOnce := e.repetitionSensitivity(l)
	context, ofRoot := e.populationConditionsOfLeaf(l, sensitive)
	return e.branchRowsWithConditions(l, sensitive, countsOnce, context, ofRoot)
}

// repetitionSensitivity reports whether repetition of rows would falsify a leaf, and whether each row of its home counts
// once where it would.
func (e *evaluator) repetitionSensitivity(l *measureLeaf) (sensitive, countsOnce bool) {
	sensitive = l.measure.NonAdditive != nil || !ignoresRepeatedRows(l.measure.Agg) || l.second != nil && !ignoresRepeatedRows(l.second.Agg)
	countsOnce = sensitive && l.measure.NonAdditive == nil && e.countsOncePerGroup(l.measure.Home)
	return sensitive && !countsOnce, countsOnce
}

func (e *evaluator) branchRowsWithConditions(l *measureLeaf, sensitive, countsOnce bool, context, ofRoot []condition) (list []branchRow, home string, ok bool) {
	var targets []fieldTarget
	add := func(t fieldTarget) int {
		targets = append(targets, t)
		return len(targets) - 1
	}
	dims, axis := make([]int, len(e.groups)), -1
	of := map[*sqlexpr.Column]int{} // by column of a group-by that is an expression
	for i, g := range e.groups {
		for col, t := range g.fields {
			of[col] = add(t)
		}
		if g.isOther || g.expr != nil {
			continue
		}
		t := g.fieldTarget
		if g.onAxis {
			if t.field = l.axis; t.field == nil {
				return nil, "", false
			}
		}
		if dims[i] = add(t); g.groupsByAxis(l.axis) {
			axis = dims[i]
		}
	}
	ranged := -1
	if l.timeRange.hasStartOrEnd() {
		t := l.timeRange.fieldTarget
		if l.timeRange.onAxis {
			if t.field = l.axis; t.field == nil {
				return nil, "", false
			}
		}
		ranged = add(t)
	}
	bounded := -1
	if l.inputRange.hasStartOrEnd() {
		bounded = add(l.inputRange.fieldTarget)
	}
	conditions := slices.DeleteFunc(append(slices.Clone(context), e.rowConditions...), func(c condition) bool { return c.isRangeOf(l) || !e.actsFrom(c, l.measure.Home) })
	at := map[*sqlexpr.Column]int{}
	for _, c := range conditions {
		for col, t := range c.fields {
			at[col] = add(t)
		}
	}
	for _, f := range e.lodFieldsOfLeaf(l) {
		e.lodValueLookup(f) // whose own causes to reject count even where no row is left
	}
	r, ok := e.findJoinRoute(l.measure.Home, sensitive, targets)
	if !ok {
		return nil, "", false
	}
	l.isOnce = countsOnce && r.isFanning
	if !r.isFanning {
		ofRoot = nil
	}
	for _, c := range ofRoot {
		_, _, found := e.routeFromRoot(r.root, l.measure.Home, append(slices.Clone(targets), c.targets()...))
		switch found {
		case foundOnePath:
			for col, t := range c.fields {
				at[col] = add(t)
			}
			conditions = append(conditions, c)
			r, _, _ = e.routeFromRoot(r.root, l.measure.Home, targets) // l.isOnce is decided
		case foundSeveralPaths:
			e.addMustRejectCode("ambiguous_join_path")
			return nil, "", false
		}
	}
	read := func(row joinedRow, i int) Value {
		return e.fieldValue(targets[i].field, row[pathKey(r.targetPaths[i])])
	}
	joined := e.removeDroppedRows(e.joinAlongPaths(r.root, append(slices.Clone(r.targetPaths), r.homePath)), targets, func(i int) string { return pathKey(r.targetPaths[i]) })
	for _, row := range joined {
		if e.leafInnerJoinsDropRow(l, row[pathKey(r.homePath)]) {
			continue
		}
		if !meetsAllConditions(conditions, func(col *sqlexpr.Column) Value { return read(row, at[col]) }) {
			continue
		}
		if bounded >= 0 && !e.isInRange(l.inputRange, targets[bounded].field, read(row, bounded)) {
			continue
		}
		f := branchRow{row: row, inTimeRange: true, beforeEnd: true}
		if ranged >= 0 {
			until := l.timeRange
			until.start, until.startAt = nil, nil
			f.inTimeRange = e.isInRange(l.timeRange, targets[ranged].field, read(row, ranged))
			f.beforeEnd = e.isInRange(until, targets[ranged].field, read(row, ranged))
		}
		if axis >= 0 {
			f.at = decodeTimeCode(targets[axis].field, read(row, axis))
		}
		for i, g := range e.groups {
			switch {
			case g.isOther:
				f.dims = append(f.dims, false)
				continue
			case g.expr != nil:
				f.dims = append(f.dims, evalContext{column: func(col *sqlexpr.Column) Value { return read(row, of[col]) }}.eval(g.expr))
				continue
			}
			v := e.groupByValue(targets[dims[i]].field, g, read(row, dims[i]))
			if g.onAxis && g.isRaw() {
				v = e.convertToCommonAxisType(v)
			}
			f.dims = append(f.dims, v)
		}
		isCompared := e.compare.isInComparedBucket(f.dims)
		if l.window != nil {
			f.inTimeRange, isCompared = f.inTimeRange && isCompared, true // windows read other buckets
		}
		if !isCompared || !e.top.replaceIfNotKept(f.dims) {
			continue
		}
		f.dims = e.currentLevel.maskGroups(f.dims)
		list = append(list, f)
	}
	return list, pathKey(r.homePath), true
}

// convertToCommonAxisType converts a value of metric_time to the type that all measures share.
func (e *evaluator) convertToCommonAxisType(v Value) Value {
	m, ok := toTimestamp(v)
	if _, isText := v.(string); !ok || isText {
		return v
	}
	switch e.axisType {
	case sqlexpr.TypeTimestamp:
		return m
	case sqlexpr.TypeTimestampTZ:
		return TimestampTZ(m)
	}
	return v
}

func meetsAllConditions(conditions []condition, column func(*sqlexpr.Column) Value) bool {
	for _, c := range conditions {
		if !(evalContext{column: column}).isTrue(c.expr) {
			return false
		}
	}
	return true
}

// groupByValue returns the value of a group-by: the calendar bucket of a time field, or
// the stored value in its declared type.
func (e *evaluator) groupByValue(f *catalog.Field, g groupByItem, v Value) Value {
	if g.part != "" {
		return e.clock.partOfTime(f, g.part, decodeTimeCode(f, v))
	}
	if g.grain == sqlexpr.GrainNone {
		return coerceTimeToDeclaredType(f, v)
	}
	bucket := e.clock.bucketOfValue(f, g.grain, decodeTimeCode(f, v))
	if g.period == nil {
		return bucket
	}
	return e.readCalendarPeriods(g.period).startOfPeriod(bucket)
}

// coerceTimeToDeclaredType converts a day or a timestamp to the field's datatype, for any type that the column or
// the expression has.
func coerceTimeToDeclaredType(f *catalog.Field, v Value) Value {
	m, ok := toTimestamp(v)
	if _, isText := v.(string); !ok || isText {
		return v
	}
	switch f.Datatype {
	case modelspec.DatatypeDate:
		return m.toDate()
	case modelspec.DatatypeDateTime:
		return m
	case modelspec.DatatypeDateTimeTz:
		return TimestampTZ(m)
	}
	return v
}

// valuesByGroup are the values of a leaf by group.
type valuesByGroup struct {
	values  map[string]Value
	missing Value // of a group that the leaf does not have
	// filledValue is the value of a group that no row has; nil where that is missing.
	filledValue func(dims []Value) Value
	isFilled    func(key string) bool
}

func (c valuesByGroup) valueOfKey(key string) Value {
	if v, ok := c.values[key]; ok {
		return v
	}
	return c.missing
}

func (c valuesByGroup) valueOfGroup(dims []Value) Value {
	key := groupKey(dims...)
	if _, ok := c.values[key]; !ok && c.filledValue != nil && c.isFilled(key) {
		return c.filledValue(dims)
	}
	return c.valueOfKey(key)
}

// aggregateByGroup aggregates a measure over the facts in range.
func (e *evaluator) aggregateByGroup(l *measureLeaf) valuesByGroup {
	out := valuesByGroup{values: map[string]Value{}}
	if l.measure.IsZeroOverNoRows() {
		out.missing = 0.0
	}
	rows, home, ok := e.branchRows(l)
	if !ok {
		return out
	}
	isRead := func(f branchRow) bool { return f.inTimeRange }
	if e.isBucketMoved && l.isRangeOnAxis() {
		isRead = func(f branchRow) bool { return l.sees(viewAll, f) }
	}
	rows = slices.DeleteFunc(rows, func(f branchRow) bool { return !isRead(f) })
	rows = e.markSnapshotRows(l, rows, home, isRead)
	for key, members := range groupRows(rows) {
		if !e.isBucketMoved || e.isMovedLevel {
			e.branchGroups[key] = members[0].dims
		}
		out.values[key] = e.aggregateLeafOverGroup(l, members, home)
	}
	return out
}

func groupRows(rows []branchRow) map[string][]branchRow {
	out := map[string][]branchRow{}
	for _, f := range rows {
		key := groupKey(f.dims...)
		out[key] = append(out[key], f)
	}
	return out
}

// aggregateGroup computes a measure over the rows of one group. A row that one of the
// filters leaves out counts as NULL.
func (e *evaluator) aggregateGroup(m *catalog.Measure, filters []*catalog.Metric, l *measureLeaf, members []branchRow, home string) Value {
	var args, orders []Value
	if l.isOnce && e.fault != FaultRepeatedRowsCounted {
		members = e.keepOncePerKey(m.Home, members, home)
	}
	for _, f := range members {
		r := f.row[home]
		vars := e.newRowEvalContext(r)
		if r == nil {
			continue // the root has no such row: there is nothing to aggregate
		}
		kept := !f.passedOver
		for _, filter := range filters {
			vars.param = l.binding.lookupForMetric(filter)
			kept = kept && vars.isTrue(filter.Derive.Where)
		}
		switch {
		case !kept:
		case m.Arg == nil:
			args = append(args, true)
		default:
			if v := vars.eval(m.Arg); v != nil {
				args, orders = append(args, v), append(orders, vars.listaggOrderValue(m, v))
			}
		}
	}
	if l.isOnce && e.fault == FaultEqualArgumentsCountedOnce && m.OrderBy == nil {
		args = distinctValues(args)
		orders = args
	}
	return aggregateValues(e.faultyMeasure(m), args, orders)
}
