package reference

import (
	"slices"
	"strings"
)

const levelColumn = "level"

// readTotals finds the levels of the total rows.
func (e *evaluator) readTotals() {
	for _, names := range e.q.Totals {
		v, ok := e.levelOfColumns(names)
		if !ok {
			continue
		}
		if slices.Equal(v, e.levelOfAllGroups()) || slices.ContainsFunc(e.totals, func(o totalsLevel) bool { return slices.Equal(o, v) }) {
			e.addMustRejectCode("bad_request")
		}
		e.totals = append(e.totals, v)
	}
	if len(e.totals) > 32 {
		e.addMustRejectCode("bad_request")
	}
}

// shareOfLevel is the quotient of a column and its value at a level.
type shareOfLevel struct {
	column int
	of     totalsLevel
}

// readShareColumns lists the columns of shares, in the order in which they are requested.
func (e *evaluator) readShareColumns() (names []string) {
	if len(e.q.Shares) > 32 {
		e.addMustRejectCode("bad_request")
	}
	for _, s := range e.q.Shares {
		of, known := e.levelOfColumns(s.Of)
		for _, i := range e.metricColumnIndexesNamed(s.Metric) {
			if e.isWindowed(e.columns[i].metric) {
				e.addMustRejectCode("not_implemented")
			}
			if !known {
				continue
			}
			name := e.columns[i].name + "__share"
			for k, g := range e.groups {
				if of[k] && !g.isOther {
					name += "__" + g.name
				}
			}
			e.shares = append(e.shares, shareOfLevel{i, of})
			names = append(names, name)
		}
	}
	return names
}

// metricColumnIndexesNamed lists the metric columns that a name means: one of that name, or all of a metric.
func (e *evaluator) metricColumnIndexesNamed(name string) []int {
	var out []int
	for i, c := range e.columns {
		if strings.EqualFold(c.name, name) {
			return []int{i}
		}
		if strings.EqualFold(c.metric.Name, name) {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		e.addMustRejectCode("unknown_metric")
	}
	return out
}

// divideByLevelValue divides a value by that of the level which the share is of. It is NULL on a row of
// a level that does not have all columns of that one.
func (e *evaluator) divideByLevelValue(s shareOfLevel, v totalsLevel, dims []Value, value Value) Value {
	if !s.of.isSubsetOf(v) {
		return nil
	}
	base := e.evaluateLevel(s.of).columnValues[s.column](s.of.maskGroups(dims))
	if e.shownRows != nil {
		base = e.faultyShareBase(s, dims)
	}
	return divideOrNull(value, base)
}
