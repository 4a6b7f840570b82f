package rollup

import (
	"iter"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// checkFilters tries the rule filter: the fields of the conditions are stored, or joined. Ranges of time have separate rules.
func checkFilters(c *candidate) *plan.RollupRejection {
	for _, cond := range c.Conditions {
		if cond.Dropped || cond.Interval != nil || isAbsorbed(c, cond) {
			continue
		}
		fieldOf := func(id int) Field {
			if id < 0 {
				return Field{}
			}
			return cond.Fields[id]
		}
		if readsLettersOf(c, cond.Expr, fieldOf) {
			return c.rejectAbout(plan.RollupRuleFilter, "", cond.Fields[cond.Read[0]].Field, func(name string) string {
				return "the rollup has one of several texts of " + name + " that the warehouse takes for equal, and a condition reads their letters"
			})
		}
		for _, id := range cond.Read {
			if f := cond.Fields[id]; !c.reaches(f) {
				return c.rejectAbout(plan.RollupRuleFilter, "", f.Field, func(name string) string {
					return "the rollup has no values of " + name + " by this path, which a condition reads"
				})
			}
		}
	}
	return nil
}

// isAbsorbed reports whether all rows of the table meet a conjunct, which is then one of the conditions of the rollup.
func isAbsorbed(c *candidate, cond Condition) bool {
	return slices.ContainsFunc(c.rollup.Where, func(w catalog.RollupCondition) bool { return isSameCondition(c, w, cond) })
}

// isSameCondition compares a condition of the rollup with a conjunct of the branch, by what they read of the base tables.
func isSameCondition(c *candidate, w catalog.RollupCondition, cond Condition) bool {
	if cond.IsMember {
		return false
	}
	own := overBase(c.trial, w.Expr)
	other := overTree(baseTree(c.trial), cond.Expr, func(id int) Field {
		if id < 0 {
			return Field{}
		}
		return cond.Fields[id]
	})
	return own != nil && other != nil && sqlexpr.Equal(sqlexpr.Normalize(own), sqlexpr.Normalize(other))
}

// checkWhere tries the rule where: the branch reads no row that the conditions of the rollup exclude.
func checkWhere(c *candidate) *plan.RollupRejection {
	c.read.Absorbed = nil
	for _, w := range c.rollup.Where {
		absorbed := false
		for _, cond := range c.Conditions {
			if !cond.Dropped && isSameCondition(c, w, cond) {
				c.read.Absorbed, absorbed = append(c.read.Absorbed, cond.Expr), true
			}
		}
		if !absorbed && !isImpliedByRange(c, w) {
			return c.reject(plan.RollupRuleWhere, w.Text, "the rollup has only rows with "+w.Text+", and the query has others too")
		}
	}
	return nil
}

// isImpliedByRange reports whether a condition of the rollup is a range of a time field, and the branch reads a part of that range alone.
func isImpliedByRange(c *candidate, w catalog.RollupCondition) bool {
	var refs resolve.Refs
	var paths []Field
	e := sqlexpr.RewriteRefs(w.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
		f := NewField(nil, c.In.Cat.FieldByID(r.ID))
		refs, paths = append(refs, resolve.Ref{Field: f.Field}), append(paths, f)
		return &sqlexpr.Ref{ID: len(refs) - 1}
	})
	id, interval, ok := where.RangeOfCondition(c.In, refs, e)
	if !ok {
		return false
	}
	field := paths[id]
	outer := interval.OnClock(c.In.Times.Clock.ForField(field.Field))
	within := func(i timerange.Interval) bool { return i.IsWithin(outer) }
	for _, r := range c.Ranges {
		if r.Filters && r.Field.IsSame(field) && !slices.ContainsFunc(r.Intervals, func(i timerange.Interval) bool { return !within(i) }) {
			return true
		}
	}
	for _, cond := range c.Conditions {
		if !cond.Dropped && cond.Interval != nil && cond.Fields[cond.Read[0]].IsSame(field) && within(*cond.Interval) {
			return true
		}
	}
	return false
}

// checkRangeFields tries the rule range_field: the field of each range is stored, or joined.
func checkRangeFields(c *candidate) *plan.RollupRejection {
	for r := range c.allRanges() {
		if !c.isStored(r.Field) && !c.reaches(r.Field) {
			return c.rejectAbout(plan.RollupRuleRangeField, "", r.Field.Field, func(name string) string {
				return "the rollup has no column of " + name + " by this path, which " + r.Text + " is over"
			})
		}
	}
	return nil
}

// checkRangeEdges tries the rule range_edge: the bounds of each range are the first instants of stored periods.
func checkRangeEdges(c *candidate) *plan.RollupRejection {
	c.read.Buckets = nil
	for r := range c.allRanges() {
		if c.reaches(r.Field) {
			continue
		}
		s, ok := c.bucketsWithEdges(r.Field)
		if !ok {
			return c.rejectAbout(plan.RollupRuleRangeEdge, "", r.Field.Field, func(string) string {
				return "a bound of " + r.Text + " lies within one of the " + storedGrainsText(c, r.Field) + " of the rollup"
			})
		}
		if _, known := c.read.BucketsOf(r.Field); !known {
			c.read.Buckets = append(c.read.Buckets, s)
		}
	}
	return nil
}

// allRanges returns the ranges of the branch, with the conjuncts that are ranges and that some row of the table may not meet.
func (c *candidate) allRanges() iter.Seq[Range] {
	return func(yield func(Range) bool) {
		for _, r := range c.ranges {
			if (r.of == nil || !isAbsorbed(c, *r.of)) && !yield(r.Range) {
				return
			}
		}
	}
}

// bucketsWithEdges returns the stored buckets of a field of which no bound of a range over it divides one.
func (c *candidate) bucketsWithEdges(f Field) (joins.StoredField, bool) {
	if !hasClockOfModel(c.trial, f) {
		return joins.StoredField{}, false
	}
	for s := range c.stored(f) {
		if areAligned(c, f, s.Grain) {
			return s, true
		}
	}
	return joins.StoredField{}, false
}

// areAligned reports whether the bounds of the ranges over a field are first instants of buckets of the rollup.
func areAligned(c *candidate, f Field, stored sqlexpr.Grain) bool {
	for r := range c.allRanges() {
		if r.Field.IsSame(f) && !c.isAligned(r, stored) {
			return false
		}
	}
	return true
}

// isAligned reports whether the bounds of a range are first instants of buckets of the rollup.
func (c *candidate) isAligned(r Range, stored sqlexpr.Grain) bool {
	times := c.model.ForField(r.Field.Field)
	for _, i := range r.Intervals {
		for _, bound := range []timerange.RangeBound{i.Start, i.End} {
			if bound.IsSet() && !times.FloorTime(bound.Time, stored).Equal(bound.Time) {
				return false
			}
		}
	}
	return true
}

// AlignedInterval returns the time range of a branch with the bounds of whole buckets of a rollup around it, on the clock of the query; ok is false
// where the branch has another range too.
func AlignedInterval(b *Branch, name string) (timerange.Interval, bool) {
	r := b.In.Cat.Rollup(name)
	t, err := newTrial(b)
	if r == nil || err != nil {
		return timerange.Interval{}, false
	}
	c := &candidate{trial: t}
	c.begin(r)
	at := slices.IndexFunc(b.Ranges, func(r Range) bool { return r.Given })
	if at < 0 || len(b.Ranges[at].Intervals) != 1 {
		return timerange.Interval{}, false
	}
	given := b.Ranges[at]
	i := slices.IndexFunc(r.Groups, func(g catalog.RollupGroup) bool { return given.Field.isOf(&g) })
	if i < 0 || !hasClockOfModel(c.trial, given.Field) {
		return timerange.Interval{}, false
	}
	times, grain, out := t.model.ForField(given.Field.Field), c.table().Fields[i].Grain, given.Intervals[0]
	if out.Start.IsSet() {
		out.Start = timerange.BoundAt(times.LocalTimeOfInstant(times.FloorTime(out.Start.Time, grain)))
	}
	if out.End.IsSet() {
		out.End = timerange.BoundAt(times.LocalTimeOfInstant(times.CeilTime(out.End.Time, grain)))
	}
	return out, true
}
