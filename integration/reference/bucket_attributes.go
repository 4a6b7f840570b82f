package reference

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// bucketOfGroups is the group-by that makes the buckets of an axis, with the group-bys that have one value in each of them.
type bucketOfGroups struct {
	bucketGroup int // index of the group-by
	attributes  []int
	axis        *catalog.Field
}

// withoutBucket returns the values of a group without the bucket and its attributes.
func (b bucketOfGroups) withoutBucket(dims []Value) []Value {
	out := slices.Clone(dims)
	for _, i := range append([]int{b.bucketGroup}, b.attributes...) {
		out[i] = nil
	}
	return out
}

// withBucket returns the values of a group in another bucket, at a level that has the column of the bucket.
func (b bucketOfGroups) withBucket(e *evaluator, v totalsLevel, dims []Value, bucket Value) []Value {
	out := slices.Clone(dims)
	out[b.bucketGroup] = bucket
	for _, i := range b.attributes {
		if v.groupsBy(i) {
			out[i] = e.attributeOfBucket(e.groups[i], b.axis, bucket)
		}
	}
	return out
}

// groupsThatMakeBuckets leaves of some group-bys of one axis the one that makes its buckets, where the others are its
// attributes.
func (e *evaluator) groupsThatMakeBuckets(found []int) []int {
	finest := -1
	for _, i := range found {
		if g := e.groups[i]; g.makesBuckets() && (finest < 0 || e.isFiner(g, e.groups[finest])) {
			finest = i
		}
	}
	if finest < 0 {
		return found
	}
	axis := e.fieldOrTimeAxisOfGroupBy(e.groups[finest])
	return slices.DeleteFunc(slices.Clone(found), func(i int) bool {
		return i != finest && e.isOfSameTime(e.groups[i], e.groups[finest]) && e.isAttributeOfBucket(e.groups[i], axis, e.groups[finest])
	})
}

// makesBuckets reports whether a group-by groups a time by a grain.
func (g groupByItem) makesBuckets() bool { return g.grain != sqlexpr.GrainNone }

// attributesOfBucket lists the group-bys that have one value in each bucket of an axis.
func (e *evaluator) attributesOfBucket(bucketGroup int, axis *catalog.Field) bucketOfGroups {
	out := bucketOfGroups{bucketGroup: bucketGroup, axis: axis}
	for i, g := range e.groups {
		if i != bucketGroup && e.isOfSameTime(g, e.groups[bucketGroup]) && e.isAttributeOfBucket(g, axis, e.groups[bucketGroup]) {
			out.attributes = append(out.attributes, i)
		}
	}
	return out
}

// isOfSameTime reports whether a group-by is not metric_time beside buckets of another time.
func (e *evaluator) isOfSameTime(g, bucket groupByItem) bool {
	return !g.onAxis || bucket.onAxis || len(bucket.steps) == 0 && e.fieldOrTimeAxisOfGroupBy(g) == bucket.field
}

// isAttribute reports whether a group-by has one value in each bucket of the window.
func (p *windowPopulation) isAttribute(g groupByItem) bool {
	return p.axis >= 0 && p.e.isAttributeOfBucket(g, p.l.axis, p.e.groups[p.axis])
}

// isAttributeOfBucket reports whether each bucket of an axis lies within one value of a group-by.
func (e *evaluator) isAttributeOfBucket(g groupByItem, axis *catalog.Field, bucket groupByItem) bool {
	switch {
	case g.isOther, g.isLeftOut, axis == nil:
		return false
	case g.part != "":
		return e.isPartAttribute(g, axis, bucket)
	case g.expr != nil:
		return e.isExpressionAttribute(g, axis, bucket)
	case !g.groupsByAxis(axis):
		return e.isFieldOfDateDimension(g, axis, bucket)
	case g.grain == sqlexpr.GrainNone:
		return isStoredGrain(axis, bucket)
	case g.period != nil:
		return bucket.period == g.period || bucket.period == nil && e.dividesIntoPeriod(bucket.grain, g.period)
	}
	return bucket.period == nil && dividesInto(bucket.grain, g.grain)
}

// dividesInto reports whether each bucket of a grain lies within one of another grain.
func dividesInto(fine, coarse sqlexpr.Grain) bool {
	return fine == coarse || fine <= sqlexpr.GrainDay && fine < coarse || monthsOfGrain(fine) > 0 && fine < coarse
}

// dividesIntoPeriod reports whether each bucket of a grain lies within one period of a calendar: days do, and the
// grain that the period is declared to be made of.
func (e *evaluator) dividesIntoPeriod(fine sqlexpr.Grain, p *catalog.Period) bool {
	if fine <= sqlexpr.GrainDay {
		return true
	}
	if fine == sqlexpr.GrainWeek && e.clock.weekStart != time.Monday {
		return false // the period has whole weeks of the model
	}
	return p.Whole != sqlexpr.GrainNone && dividesInto(fine, p.Whole)
}

// isStoredGrain reports whether a bucket is one stored value of its field.
func isStoredGrain(axis *catalog.Field, bucket groupByItem) bool {
	stored := axis.Granularity
	if stored == sqlexpr.GrainNone && axis.Datatype == modelspec.DatatypeDate {
		stored = sqlexpr.GrainDay
	}
	return bucket.period == nil && bucket.grain == stored && axis.Encoding == nil
}

// isExpressionAttribute reports whether an expression over the axis alone has one value in each bucket.
func (e *evaluator) isExpressionAttribute(g groupByItem, axis *catalog.Field, bucket groupByItem) bool {
	if len(g.fields) == 0 || bucket.period != nil || e.clock.appliesToField(axis) {
		return false // functions stay on the clock of UTC, where a bucket of another zone is two days
	}
	for _, t := range g.fields {
		if !t.equals(fieldTarget{field: axis}) {
			return false
		}
	}
	if isStoredGrain(axis, bucket) {
		return true
	}
	constant := true
	sqlexpr.Walk(g.expr, func(x sqlexpr.Expr) bool {
		unit, reads := sqlexpr.GrainNone, false
		switch x := x.(type) {
		case *sqlexpr.Column:
			constant = false
		case *sqlexpr.Extract:
			unit, reads = unitOfPart(x.Part), true
		case *sqlexpr.Cast:
			unit, reads = sqlexpr.GrainDay, x.To.Type == sqlexpr.TypeDate
		case *sqlexpr.Call:
			unit, reads = unitOfCall(x)
		}
		within := reads && unit != sqlexpr.GrainNone && dividesInto(bucket.grain, unit)
		if unit == sqlexpr.GrainWeek && bucket.grain == unit && e.clock.weekStart != time.Monday {
			within = false // weeks of functions begin on Monday
		}
		return !within // what is inside has one value
	})
	return constant
}

// unitOfPart returns the unit of which a part of a time is a number.
func unitOfPart(part string) sqlexpr.Grain {
	switch part {
	case "dayofyear", "dayofweek", "isodow":
		return sqlexpr.GrainDay
	}
	g, _ := sqlexpr.ParseGrain(part)
	return g
}

// unitOfCall returns the unit of a function that truncates a time, or takes a part of it.
func unitOfCall(c *sqlexpr.Call) (unit sqlexpr.Grain, ok bool) {
	parts := map[sqlexpr.Func]string{
		sqlexpr.FnYear: "year", sqlexpr.FnQuarter: "quarter", sqlexpr.FnMonth: "month", sqlexpr.FnDay: "day", sqlexpr.FnHour: "hour",
		sqlexpr.FnMinute: "minute", sqlexpr.FnSecond: "second", sqlexpr.FnDayOfYear: "dayofyear", sqlexpr.FnDayOfWeek: "dayofweek",
	}
	if part, is := parts[c.Fn]; is {
		return unitOfPart(part), true
	}
	if c.Fn != sqlexpr.FnDateTrunc || len(c.Args) == 0 {
		return sqlexpr.GrainNone, false
	}
	text, _ := c.Args[0].(*sqlexpr.String)
	if text == nil {
		return sqlexpr.GrainNone, false
	}
	unit, ok = sqlexpr.ParseGrain(text.Value)
	return unit, ok
}

// dateDimensionStep returns the relationship that leads from the axis alone to the dataset of a field; nil when none does.
func (e *evaluator) dateDimensionStep(g groupByItem, axis *catalog.Field) *catalog.Relationship {
	if g.field == nil || axis.Datatype != modelspec.DatatypeDate {
		return nil
	}
	path, found := e.safePath(axis.Dataset, g.fieldTarget)
	if found != foundOnePath || len(path) != 1 || path[0].isReversed {
		return nil
	}
	if rel := path[0].rel; rel.From == axis.Dataset && len(rel.FromFields) == 1 && rel.FromFields[0] == axis && rel.Valid == nil {
		return rel
	}
	return nil
}

// isFieldOfDateDimension reports whether a field of the date dimension of the axis has one value in each bucket.
func (e *evaluator) isFieldOfDateDimension(g groupByItem, axis *catalog.Field, bucket groupByItem) bool {
	if g.onAxis || e.dateDimensionStep(g, axis) == nil || bucket.period != nil {
		return false
	}
	if bucket.grain == sqlexpr.GrainDay {
		return true
	}
	for _, p := range e.cat.Periods() {
		if p.Field == g.field && e.dividesIntoPeriod(bucket.grain, p) {
			return true
		}
	}
	return false
}

// storedBucketStart returns the start of a bucket as its field stores it.
func (e *evaluator) storedBucketStart(axis *catalog.Field, bucket Value) Value {
	at, ok := toTimestamp(bucket)
	switch {
	case !ok:
		return nil
	case axis.Encoding != nil:
		return encodeTimeCode(axis.Encoding, bucket)
	case e.clock.appliesToField(axis):
		start, _ := toTimestamp(e.clock.startInstantOfBucket(bucket))
		return TimestampTZ(start)
	}
	return coerceTimeToDeclaredType(axis, at)
}

// attributeOfBucket returns the value that a group-by has in a bucket.
func (e *evaluator) attributeOfBucket(g groupByItem, axis *catalog.Field, bucket Value) Value {
	stored := e.storedBucketStart(axis, bucket)
	switch {
	case g.expr != nil:
		return evalContext{column: func(*sqlexpr.Column) Value { return stored }}.eval(g.expr)
	case g.groupsByAxis(axis), g.part != "":
		return e.groupByValue(axis, g, stored)
	}
	key := e.dateDimensionStep(g, axis).ToFields[0]
	for _, r := range e.rowsOfDataset(key.Dataset) {
		if day := e.fieldValue(key, r); day != nil && stored != nil && compareNullsLast(day, stored) == 0 {
			return e.groupByValue(g.field, g, e.fieldValue(g.field, r))
		}
	}
	return nil
}
