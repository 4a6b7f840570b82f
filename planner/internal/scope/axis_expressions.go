package scope

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// relationOfExpression returns what an expression is to the buckets. One over the axis alone is an attribute where the
// buckets are stored values, or where it reads the axis by units into which they divide. Functions stay on the clock of
// UTC, where a bucket of another zone is two days, unless they read what the query's clock shows. Their weeks begin on Monday.
func (a AxisBuckets) relationOfExpression(e *groupExpression) BucketRelation {
	c, onClock := a.in.Times.Clock, true
	for _, ref := range e.Refs {
		isShown := c.InstantsOf(ref.Field) == a.axis
		if ref.Field != a.axis && !isShown || len(ref.Prefix) > 0 {
			return RelationGroup
		}
		onClock = onClock && (isShown || !c.ForField(a.axis).HasZone())
	}
	if len(e.Refs) == 0 {
		return RelationGroup
	}
	switch {
	case a.Bucket().Period == nil && onClock && (a.areStoredValues() || !readsAxisOutside(e.Expr, a.dividesIntoRead)):
		return RelationAttribute
	case !readsAxisOutside(e.Expr, isPartOfTime):
		return RelationGroup
	}
	return RelationUnproven
}

// readsAxisOutside reports whether an expression over an axis reads it outside of some of its operands.
func readsAxisOutside(e sqlexpr.Expr, isInside func(sqlexpr.Expr) bool) bool {
	found := false
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		_, isAxis := x.(*sqlexpr.Ref)
		found = found || isAxis
		return !isInside(x)
	})
	return found
}

// dividesIntoRead reports whether each bucket lies within one value of an expression that is the start or a part of a unit.
func (a AxisBuckets) dividesIntoRead(e sqlexpr.Expr) bool {
	unit, _ := unitOfRead(e)
	if unit == sqlexpr.GrainWeek && a.Bucket().Grain == unit && !a.in.Times.Clock.WeekStartsOnMonday() {
		return false
	}
	return unit != sqlexpr.GrainNone && a.Bucket().Grain.Subdivides(unit)
}

// isPartOfTime reports whether an expression is a part of a time, such as its weekday.
func isPartOfTime(e sqlexpr.Expr) bool {
	unit, isPart := unitOfRead(e)
	return isPart && unit != sqlexpr.GrainNone
}

// BelongsToRange reports whether a group-by is an expression over an axis alone whose values do not come again in other ranges: it reads the axis
// otherwise than by parts such as the weekday. The year is not such a part.
func (g Group) BelongsToRange(axis *catalog.Field) bool {
	if g.Expression == nil || len(g.Expression.Refs) == 0 {
		return false
	}
	for _, ref := range g.Expression.Refs {
		isShown := ref.Field.Shown != nil && ref.Field.Shown.At == axis
		if ref.Field != axis && !isShown || len(ref.Prefix) > 0 {
			return false
		}
	}
	return readsAxisOutside(g.Expression.Expr, func(x sqlexpr.Expr) bool {
		unit, isPart := unitOfRead(x)
		return isPart && unit != sqlexpr.GrainNone && unit != sqlexpr.GrainYear
	})
}

// unitOfRead returns the unit of which an expression is the start or a part: GrainNone for any other expression.
func unitOfRead(e sqlexpr.Expr) (unit sqlexpr.Grain, isPart bool) {
	switch e := e.(type) {
	case *sqlexpr.Extract:
		return unitOfPart(e.Part), true
	case *sqlexpr.Cast:
		if e.To.Type == sqlexpr.TypeDate {
			return sqlexpr.GrainDay, false
		}
	case *sqlexpr.Call:
		if part, ok := e.Fn.ExtractPart(); ok {
			return unitOfPart(part), true
		}
		if text, ok := firstArgument(e).(*sqlexpr.String); ok && e.Fn == sqlexpr.FnDateTrunc {
			unit, _ = sqlexpr.ParseGrain(text.Value)
			return unit, false
		}
	}
	return sqlexpr.GrainNone, false
}

func firstArgument(c *sqlexpr.Call) sqlexpr.Expr {
	if len(c.Args) == 0 {
		return nil
	}
	return c.Args[0]
}

// unitOfPart returns the unit of which a part of a time is a number.
func unitOfPart(part string) sqlexpr.Grain {
	if part == "dayofyear" || part == "dayofweek" || part == "isodow" {
		return sqlexpr.GrainDay
	}
	unit, _ := sqlexpr.ParseGrain(part)
	return unit
}
