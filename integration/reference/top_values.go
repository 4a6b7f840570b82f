package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// topValues are the values of a group-by that stay; the others become one value or go.
type topValues struct {
	dimension    int
	within       []int
	n, by        int
	ascending    bool
	label        Value
	dropsOthers  bool                       // the other values are not input
	keptByWithin map[string]map[string]bool // values by the group of within; nil until they are known
	fault        InjectedFault
	rank         *rankingRows // nil ranks over the input rows of the query

	// In the earlier range of compare a bucket has the values of the bucket that meets it.
	bucketGroup    int
	currentBuckets map[string]Value // nil in the range of the query
}

func (t *topValues) areKeptValuesKnown() bool { return t != nil && t.keptByWithin != nil }

// readTop finds the columns that top names and puts its Boolean after its dimension.
func (e *evaluator) readTop() {
	q := e.q.Top
	if q == nil {
		return
	}
	t := &topValues{dimension: e.groupByIndexNamed(q.Dimension), n: int(q.N), ascending: q.Desc != nil && !*q.Desc}
	if t.dimension < 0 {
		e.addMustRejectCode("unknown_dimension")
		return
	}
	if q.By != "" {
		t.by = slices.IndexFunc(e.columns, func(c metricColumn) bool { return strings.EqualFold(c.name, q.By) })
	}
	if t.by < 0 || t.by >= len(e.columns) {
		e.addMustRejectCode("unknown_order_key")
		return
	}
	if e.isWindowed(e.columns[t.by].metric) {
		e.addMustRejectCode("not_implemented")
	}
	if q.Other != nil {
		t.dropsOthers = q.Other.Off
		if q.Other.Label != "" && !q.Other.Off {
			t.label = q.Other.Label
			e.checkTopLabel(e.groups[t.dimension])
		}
	}
	if !t.dropsOthers {
		flag := groupByItem{name: e.groups[t.dimension].name + "__other", isOther: true, named: true}
		e.groups = slices.Insert(e.groups, t.dimension+1, flag)
	}
	for _, name := range q.Within {
		i := e.groupByIndexNamed(name)
		switch {
		case i < 0:
			e.addMustRejectCode("unknown_dimension")
			return
		case i == t.dimension, slices.Contains(t.within, i):
			e.addMustRejectCode("bad_request")
		}
		t.within = append(t.within, i)
	}
	for _, i := range append(slices.Clone(t.within), t.dimension) {
		if g := e.groups[i]; g.onAxis && g.isRaw() && e.hasMixedAxisTypes() {
			e.addMustRejectCode("not_implemented") // the values of one axis are not those of another
		}
	}
	e.top = t
}

// hasMixedAxisTypes reports whether the axes of measures have different types.
func (e *evaluator) hasMixedAxisTypes() bool {
	types := map[sqlexpr.Type]bool{}
	for _, m := range e.metrics {
		for _, l := range measuresOfMetric(m, nil) {
			if axis := e.timeAxisOf(l); axis != nil {
				types[axis.Type] = true
			}
		}
	}
	return len(types) > 1
}

// checkTopLabel rejects a label in a column that is not text.
func (e *evaluator) checkTopLabel(g groupByItem) {
	switch {
	case g.onAxis, g.grain != sqlexpr.GrainNone, g.field != nil && g.field.Datatype != "" && g.field.Datatype != modelspec.DatatypeString:
		e.addMustRejectCode("bad_request")
	case g.expr != nil, g.field.Datatype == "":
		e.addMayRejectCode("bad_request") // where the type of the expression is not text
	}
}

// groupByIndexNamed returns the index of a group-by by the name of its column; -1 when none has it.
func (e *evaluator) groupByIndexNamed(name string) int {
	return slices.IndexFunc(e.groups, func(g groupByItem) bool { return !g.isOther && strings.EqualFold(g.name, name) })
}

// rankTopValues ranks the values of the dimension by the rows of all branches, NULL apart. The
// rows are joined as for all columns: a row that an inner relationship drops is not ranked.
func (e *evaluator) rankTopValues() {
	t := e.top
	if t == nil {
		return
	}
	v := make(totalsLevel, len(e.groups))
	v[t.dimension] = true
	for _, i := range t.within {
		v[i] = true
	}
	restore := t.rank.use(e)
	all := e.evaluateLevel(v)
	restore()
	ranked := map[string][]string{} // keys of groups, by the group of within
	for key, dims := range all.groups {
		if dims[t.dimension] != nil {
			ranked[t.withinGroupKey(dims)] = append(ranked[t.withinGroupKey(dims)], key)
		}
	}
	t.keptByWithin, t.fault = map[string]map[string]bool{}, e.fault
	for group, keys := range ranked {
		slices.SortFunc(keys, func(a, b string) int {
			if order := t.compareRankingValues(all.columnValues[t.by](all.groups[a]), all.columnValues[t.by](all.groups[b])); order != 0 {
				return order
			}
			if e.fault == FaultWrongTopTieKept {
				return compareNullsLast(all.groups[b][t.dimension], all.groups[a][t.dimension])
			}
			return compareNullsLast(all.groups[a][t.dimension], all.groups[b][t.dimension])
		})
		t.keptByWithin[group] = map[string]bool{}
		for _, key := range keys[:min(t.n, len(keys))] {
			t.keptByWithin[group][groupKey(all.groups[key][t.dimension])] = true
		}
	}
}

// compareRankingValues orders two values of the ranking column, NULL last both ways.
func (t *topValues) compareRankingValues(a, b Value) int {
	order := compareNullsLast(a, b)
	if !t.ascending && a != nil && b != nil {
		order = -order
	}
	return order
}

func (t *topValues) withinGroupKey(dims []Value) string {
	var of []Value
	for _, i := range t.within {
		v := dims[i]
		if t.currentBuckets != nil && i == t.bucketGroup {
			v = t.currentBuckets[groupKey(v)]
		}
		of = append(of, v)
	}
	return groupKey(of...)
}

// replaceIfNotKept puts the value that stands for all others in the place of one that is not kept. ok
// is false for a row that is not input.
func (t *topValues) replaceIfNotKept(dims []Value) (ok bool) {
	if !t.areKeptValuesKnown() {
		return true
	}
	v := dims[t.dimension]
	other := (v != nil || t.fault == FaultTopNullCountedAsOther) && !t.keptByWithin[t.withinGroupKey(dims)][groupKey(v)]
	if t.dropsOthers {
		return !other
	}
	dims[t.dimension+1] = other
	if other {
		dims[t.dimension] = t.label
	}
	return true
}
