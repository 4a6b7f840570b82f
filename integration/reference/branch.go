package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// measureLeaf is one aggregate of the query with all that decides its value.
type measureLeaf struct {
	leafUse
	second  *catalog.Measure // of a window function with two inputs; nil otherwise
	filters []*catalog.Metric
	bound   binding
	span    timeRange
	axis    *catalog.Field
	grain   sqlexpr.Grain // by which the axis is grouped
}

// branchRow is a joined row of a branch that passed its filters.
type branchRow struct {
	row    joinedRow
	dims   []Value
	inside bool // in the time range
}

// branchRows are the rows of a leaf's branch. ok is false when the branch cannot be
// computed.
func (e *evaluator) branchRows(l *measureLeaf) (list []branchRow, home string, ok bool) {
	sensitive := !l.measure.Agg.DuplicateInsensitive() || l.second != nil && !l.second.Agg.DuplicateInsensitive()
	var targets []target
	add := func(t target) int {
		targets = append(targets, t)
		return len(targets) - 1
	}
	dims := make([]int, len(e.groups))
	for i, g := range e.groups {
		t := g.target
		if g.onAxis {
			if t.field = l.axis; t.field == nil {
				return nil, "", false
			}
		}
		dims[i] = add(t)
	}
	ranged := -1
	if l.span.isBounded() {
		t := l.span.target
		if l.span.onAxis {
			if t.field = l.axis; t.field == nil {
				return nil, "", false
			}
		}
		ranged = add(t)
	}
	context, ofRoot := e.contextFor(l, sensitive)
	conditions := append(slices.Clone(context), e.input...)
	at := map[*sqlexpr.Column]int{}
	for _, c := range conditions {
		for col, t := range c.fields {
			at[col] = add(t)
		}
	}
	for _, f := range e.lodsOf(l) {
		e.lodAt(f) // whose own causes to refuse count even where no row is left
	}
	r, ok := e.routeFor(l.measure.Home, sensitive, targets)
	if !ok {
		return nil, "", false
	}
	for _, c := range ofRoot {
		if r.root == l.measure.Home {
			break
		}
		_, _, found := e.routeFromRoot(r.root, l.measure.Home, append(slices.Clone(targets), c.targets()...))
		switch found {
		case onePath:
			for col, t := range c.fields {
				at[col] = add(t)
			}
			conditions = append(conditions, c)
			r, _, _ = e.routeFromRoot(r.root, l.measure.Home, targets)
		case severalPaths:
			e.require("ambiguous_join_path")
			return nil, "", false
		}
	}
	read := func(row joinedRow, i int) Value { return e.value(targets[i].field, row[pathKey(r.to[i])]) }
	for _, row := range e.join(r.root, append(slices.Clone(r.to), r.home)) {
		if !meetsAll(conditions, func(col *sqlexpr.Column) Value { return read(row, at[col]) }) {
			continue
		}
		f := branchRow{row: row, inside: true}
		if ranged >= 0 {
			f.inside = l.span.includesField(targets[ranged].field, read(row, ranged))
		}
		for i, g := range e.groups {
			v := applyGrain(targets[dims[i]].field, g.grain, read(row, dims[i]))
			if g.onAxis && g.grain == sqlexpr.GrainNone {
				v = e.decimalAsDouble(v)
			}
			f.dims = append(f.dims, v)
		}
		list = append(list, f)
	}
	return list, pathKey(r.home), true
}

// decimalAsDouble converts a value of metric_time to the type that all measures share.
func (e *evaluator) decimalAsDouble(v Value) Value {
	m, ok := timestampOf(v)
	if _, isText := v.(string); !ok || isText {
		return v
	}
	switch e.stamped {
	case sqlexpr.TypeTimestamp:
		return m
	case sqlexpr.TypeTimestampTZ:
		return Zoned(m)
	}
	return v
}

func meetsAll(conditions []condition, column func(*sqlexpr.Column) Value) bool {
	for _, c := range conditions {
		if !(evalContext{column: column}).isTrue(c.expr) {
			return false
		}
	}
	return true
}

// applyGrain is the value of a group-by: the calendar bucket of a time field, or
// the stored value in its declared type.
func applyGrain(f *catalog.Field, g sqlexpr.Grain, v Value) Value {
	if g == sqlexpr.GrainNone {
		return coerceToDeclared(f, v)
	}
	d, ok := dayOf(decode(f, v))
	if !ok {
		return nil
	}
	return bucketStart(g, d)
}

// coerceToDeclared converts a day or a timestamp to the field's datatype, for any type that the column or
// the expression has.
func coerceToDeclared(f *catalog.Field, v Value) Value {
	m, ok := timestampOf(v)
	if _, isText := v.(string); !ok || isText {
		return v
	}
	switch f.Datatype {
	case "Date":
		return m.date()
	case "DateTime":
		return m
	case "DateTimeTz":
		return Zoned(m)
	}
	return v
}

// cells are the values of a leaf by group.
type cells struct {
	values  map[string]Value
	missing Value // of a group that the leaf does not have
}

func (c cells) value(key string) Value {
	if v, ok := c.values[key]; ok {
		return v
	}
	return c.missing
}

// aggregateByGroup aggregates a measure over the facts in range.
func (e *evaluator) aggregateByGroup(l *measureLeaf) cells {
	out := cells{values: map[string]Value{}}
	if l.measure.Agg.IsZeroOverNoRows() {
		out.missing = 0.0
	}
	rows, home, ok := e.branchRows(l)
	if !ok {
		return out
	}
	rows = slices.DeleteFunc(rows, func(f branchRow) bool { return !f.inside })
	for key, members := range groupRows(rows) {
		e.seen[key] = members[0].dims
		out.values[key] = e.aggregate(l.measure, l.filters, l, members, home)
	}
	return out
}

func groupRows(rows []branchRow) map[string][]branchRow {
	out := map[string][]branchRow{}
	for _, f := range rows {
		key := keyOf(f.dims...)
		out[key] = append(out[key], f)
	}
	return out
}

// aggregate computes a measure over the rows of one group. A row that one of the
// filters leaves out counts as NULL.
func (e *evaluator) aggregate(m *catalog.Measure, filters []*catalog.Metric, l *measureLeaf, members []branchRow, home string) Value {
	var args []Value
	for _, f := range members {
		r := f.row[home]
		vars := e.row(r)
		if r == nil {
			continue // the root has no such row: there is nothing to aggregate
		}
		kept := true
		for _, filter := range filters {
			vars.param = l.bound.metricLookup(filter)
			kept = kept && vars.isTrue(filter.Derive.Where)
		}
		switch {
		case !kept:
		case m.Arg == nil:
			args = append(args, true)
		default:
			if v := vars.eval(m.Arg); v != nil {
				args = append(args, v)
			}
		}
	}
	return reduce(m.Agg, args)
}

// reduce aggregates values none of which is NULL.
func reduce(agg catalog.Agg, args []Value) Value {
	switch agg {
	case catalog.AggCount:
		return float64(len(args))
	case catalog.AggCountDistinct:
		distinct := map[string]bool{}
		for _, a := range args {
			distinct[keyOf(a)] = true
		}
		return float64(len(distinct))
	}
	if len(args) == 0 {
		return nil
	}
	switch agg {
	case catalog.AggMin:
		return slices.MinFunc(args, compareNullsLast)
	case catalog.AggMax:
		return slices.MaxFunc(args, compareNullsLast)
	}
	sum := 0.0
	for _, a := range args {
		sum += floatOf(a)
	}
	if agg == catalog.AggAvg {
		return sum / float64(len(args))
	}
	return sum
}
