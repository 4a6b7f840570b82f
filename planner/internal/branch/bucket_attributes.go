package branch

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// BucketAttributes computes the attributes of buckets: rows that move to a bucket, or are added for one, have its attributes.
type BucketAttributes struct {
	query   *Query
	buckets scope.AxisBuckets
	axis    *catalog.Field
	field   *catalog.Field   // typed as the buckets are
	within  clock.TimeBounds // of the buckets
}

// AttributesOf returns the attributes of the buckets of an axis, which are in a span.
func (a *Query) AttributesOf(axis *catalog.Field, within clock.TimeBounds) BucketAttributes {
	b := BucketAttributes{query: a, buckets: a.In.BucketsOfAxis(a.Groups, axis), axis: axis, within: within}
	b.field = &catalog.Field{Type: axis.BucketType(a.Groups[b.buckets.Group].Grain)}
	return b
}

// Has reports whether a group-by is an attribute.
func (b BucketAttributes) Has(group int) bool { return b.buckets.IsAttribute(group) }

// MoveKeys replaces the bucket and its attributes among the keys of rows by those of another bucket; see KeyInBucket for the level.
func (b BucketAttributes) MoveKeys(keys []plan.NamedExpr, bucket, level sqlexpr.Expr) error {
	for i := range b.query.Groups {
		var err error
		switch {
		case i == b.buckets.Group:
			keys[i].Expr = bucket
		case b.Has(i):
			if keys[i].Expr, err = b.KeyInBucket(i, bucket, level); err != nil {
				return err
			}
		}
	}
	return nil
}

// KeyInBucket returns the key of an attribute in a bucket. It is the day, which Join replaces, where a table holds the values. The
// key is NULL at the levels that have the bucket without the attribute; level is nil for rows of one level.
func (b BucketAttributes) KeyInBucket(group int, bucket, level sqlexpr.Expr) (sqlexpr.Expr, error) {
	key, err := b.keyInBucket(b.query.Groups[group], b.query.Groups[b.buckets.Group], bucket)
	if err != nil || level == nil {
		return key, err
	}
	without := b.query.Levels.LevelsWithButNot(b.buckets.Group, group)
	if len(without) == 0 {
		return key, nil
	}
	return build.CaseWhen(&sqlexpr.Unary{Op: sqlexpr.OpNot, X: levels.IsOneOf(level, without)}, key), nil
}

func (b BucketAttributes) keyInBucket(g, bucketGroup scope.Group, bucket sqlexpr.Expr) (sqlexpr.Expr, error) {
	c := b.query.In.Times.Clock
	switch {
	case bucketGroup.Period != nil: // the period itself
		return bucket, nil
	case g.Part != sqlexpr.PartNone:
		return c.PartExpr(bucket, b.field, g.Part, b.within), nil
	case g.Expression != nil:
		e, err := build.RewriteRefs(g.Expression.Expr, func(ref int) (sqlexpr.Expr, error) {
			return b.startOfField(g.Expression.Refs[ref].Field, bucket), nil
		})
		return joins.GroupKeyOfValue(joins.CastTextForExactComparison(e, g.Type, b.query.In.Target.Caps), g.Type), err
	case b.isInTable(g) && bucketGroup.Grain >= sqlexpr.GrainDay:
		return bucket, nil
	case b.isInTable(g):
		return c.BucketExpr(bucket, b.field, sqlexpr.GrainDay, b.within), nil
	case g.HasStoredValue():
		return b.storedStart(bucket), nil
	}
	return c.BucketExpr(bucket, b.field, g.Grain, b.within), nil
}

// startOfField returns the start of a bucket as the axis stores it, or as a field of the clock shows it.
func (b BucketAttributes) startOfField(f *catalog.Field, bucket sqlexpr.Expr) sqlexpr.Expr {
	switch {
	case f.Shown == nil:
		return b.storedStart(bucket)
	case b.field.Type == sqlexpr.TypeTimestampTZ:
		return &sqlexpr.LocalTime{From: b.field.Type, Zone: sqlexpr.NewTimeZone(f.Shown.Zone), X: bucket}
	}
	return &sqlexpr.Cast{X: bucket, To: sqlexpr.TypeName{Type: sqlexpr.TypeTimestamp}}
}

// storedStart returns the start of a bucket as the axis stores it.
func (b BucketAttributes) storedStart(bucket sqlexpr.Expr) sqlexpr.Expr {
	switch {
	case b.axis.Type == sqlexpr.TypeDate:
		return sqlexpr.DayOf(bucket)
	case b.axis.Type == b.field.Type || !b.axis.Type.IsDateOrTimestamp():
		return bucket
	}
	return &sqlexpr.Cast{X: bucket, To: sqlexpr.TypeName{Type: b.axis.Type}}
}

// isInTable reports whether a table holds the values of an attribute: that of a calendar, or the date dimension.
func (b BucketAttributes) isInTable(g scope.Group) bool {
	if g.Part != sqlexpr.PartNone || g.Expression != nil {
		return false
	}
	return g.Period != nil && b.query.Groups[b.buckets.Group].Period == nil || !g.ReadsAxis(b.axis)
}

// NeedsJoin reports whether a table holds the values of an attribute.
func (b BucketAttributes) NeedsJoin() bool {
	for i, g := range b.query.Groups {
		if b.Has(i) && b.isInTable(g) {
			return true
		}
	}
	return false
}

// Join replaces the days in the columns of attributes that tables hold by their values.
//
//	rows ─► join the days of calendars and date dimensions ─► values
func (b BucketAttributes) Join(rows *plan.Project, alias, why string, names *naming.Namer) (*plan.Project, error) {
	if !b.NeedsJoin() {
		return rows, nil
	}
	in := &plan.Derived{Input: rows, Alias: alias, Why: why}
	cols := build.DerivedColumns(in)
	var from plan.Node = in
	for i, g := range b.query.Groups {
		if !b.Has(i) || !b.isInTable(g) {
			continue
		}
		if !g.ReadsAxis(b.axis) {
			d, err := b.dateDimensionTable(g, names)
			if err != nil {
				return nil, err
			}
			on := []plan.JoinEquality{{Left: cols[i].Expr, Right: build.DerivedColumn(d, 0)}}
			from = &plan.Join{Left: from, Right: d, Kind: plan.LeftJoin, On: on, Cardinality: "one row per day"}
			cols[i].Expr = build.DerivedColumn(d, 1)
		}
		if g.Period == nil {
			continue
		}
		days, err := b.query.In.NewPeriodPlanner().PlanDayTable(g.Period)
		if err != nil {
			return nil, err
		}
		t := periods.NewDayTable(g.Period, days, names.UniqueName(g.Period.Name), cols[i].Expr)
		from, cols[i].Expr = t.Join(from), t.FirstDayOfPeriod()
	}
	return &plan.Project{Input: from, Cols: cols}, nil
}

// dateDimensionTable returns a row for each day of the date dimension: the day, and the key of a group-by that is a field of it.
func (b BucketAttributes) dateDimensionTable(g scope.Group, names *naming.Namer) (*plan.Derived, error) {
	step, _ := b.buckets.DateDimensionStep(g)
	key, in := step.Rel.ToFields[0], b.query.In
	tree := joins.New(in.Cat, in.Target.Dialect, in.Target.Caps, key.Dataset, b.query.Lod.NewTables(nil))
	day, err := tree.FieldExpr(tree.Root(), key, "")
	if err != nil {
		return nil, err
	}
	value, err := tree.FieldExpr(tree.Root(), g.Ref.Field, "")
	if err != nil {
		return nil, err
	}
	if g.HasBuckets() {
		value = in.Times.Clock.BucketExpr(value, g.Ref.Field, g.Grain, clock.TimeBounds{})
	} else {
		value = joins.TruncateDateFieldToDay(value, g.Ref.Field)
	}
	from, err := tree.Plan()
	if err != nil {
		return nil, err
	}
	day = in.Times.Clock.BucketExpr(day, key, sqlexpr.GrainDay, clock.TimeBounds{})
	cols := []plan.NamedExpr{{Name: "day", Expr: day, Type: sqlexpr.TypeDate}, {Name: "value", Expr: value, Type: g.Type}}
	return &plan.Derived{Input: &plan.Project{Input: from, Cols: cols}, Alias: names.UniqueName(key.Dataset.Name), Why: "date dimension"}, nil
}
