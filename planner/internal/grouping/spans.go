package grouping

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// Span is a span of time that is counted back from the end of the buckets of a window, and that is not a number of them.
type Span struct {
	branch *Planner
	n      int
	unit   sqlexpr.Grain
	bucket sqlexpr.Grain
	field  *catalog.Field // of the time of the rows
	time   sqlexpr.Expr
	clock  clock.Clock // of the field
	// cutEnd is the end of the range where it cuts the last bucket.
	cutEnd timerange.RangeBound
	isCut  bool
}

// spanInBucket is a span that is not longer than a bucket, counted back from the end of the bucket.
type spanInBucket struct {
	n     int
	unit  sqlexpr.Grain
	group int // that carries the buckets
}

// inSpanCondition returns the condition that a row lies in the span that ends with its bucket.
func (p *Planner) inSpanCondition(in spanInBucket) (sqlexpr.Expr, error) {
	key, err := p.groupKey(in.group)
	if err != nil {
		return nil, err
	}
	ref, grain := p.Br.GroupRef(p.Q.Groups[in.group]), p.Q.Groups[in.group].Grain
	e, field, err := timeOfSpan(p, ref, in.unit, grain)
	if err != nil {
		return nil, err
	}
	s := Span{branch: p, n: in.n, unit: in.unit, bucket: grain, field: field, time: e, clock: p.Q.In.Times.Clock.ForField(ref.Field)}
	if in.unit.IsWithinDay() {
		return &sqlexpr.Binary{Op: sqlexpr.OpLt, L: key.Expr, R: s.FirstBucketWithoutRow()}, nil
	}
	at, _ := s.TimeOfRow()
	start := build.TimeLater(in.unit, -in.n, build.TimeLater(grain, 1, key.Expr))
	return &sqlexpr.Binary{Op: sqlexpr.OpGe, L: at, R: start}, nil
}

// RepeatedRowsError returns the error of a window that reads the rows of a branch in another way than by buckets, where joins repeat them.
func (p *Planner) RepeatedRowsError(w *measure.Window) error {
	q := measure.WindowGroupByChecker{In: p.Q.In, Owner: w.Owner}
	return q.NotImplementedError(w.Metric.Name+" computes rows again that joins repeat", nil)
}

// NewSpan returns the span of the window that the branch copies rows for; nil where it is a number of buckets. It comes before the rows of the
// branch are planned.
func (p *Planner) NewSpan() (*Span, error) {
	u := p.Br.Members[0].Ref
	w := u.InputOf
	grain := p.Q.Groups[w.AxisGroup].Grain
	if !w.SpansBackFromEnd(grain) {
		return nil, nil
	}
	_, varies := w.MaxCoveredBuckets(grain)
	end, isCut := where.CutEnd(p.Q.In, u, p.Q.Groups, p.Q.Ranges, p.Q.Conds)
	if !varies && !isCut && w.Spec.Rolling == nil {
		return nil, nil
	}
	ref := p.Br.GroupRef(p.Q.Groups[w.AxisGroup])
	e, field, err := timeOfSpan(p, ref, w.Spec.Span().Grain, grain)
	if err != nil {
		return nil, err
	}
	if isCut && field != ref.Field {
		return nil, scope.InternalError("a span that a range cuts needs single times of %s", ref)
	}
	return &Span{
		branch: p, n: w.N, unit: w.Spec.Span().Grain, bucket: grain, field: field, time: e, clock: p.Q.In.Times.Clock.ForField(ref.Field), cutEnd: end, isCut: isCut,
	}, nil
}

// IsCut reports whether the range cuts the last bucket, so that its span ends with the range.
func (s *Span) IsCut() bool { return s.isCut }

// Unit returns the unit of the span.
func (s *Span) Unit() sqlexpr.Grain { return s.unit }

// ExtraBuckets returns the number of buckets that the span may reach over beyond that of its length: one where the range cuts the last.
func (s *Span) ExtraBuckets() int {
	if s.isCut {
		return 1
	}
	return 0
}

// TimeGrain returns the grain at which the units of the span tell times apart.
func (s *Span) TimeGrain() sqlexpr.Grain {
	stored := s.field.StoredGrain()
	switch {
	case s.unit.IsWithinDay() && stored < sqlexpr.GrainDay:
		return sqlexpr.GrainSecond
	case s.unit.Months() > 0 && s.bucket.Months() > 0:
		return sqlexpr.GrainMonth
	}
	return max(sqlexpr.GrainDay, stored)
}

// TimeOfRow returns the time of a row by the grain of times, and its type.
func (s *Span) TimeOfRow() (sqlexpr.Expr, sqlexpr.Type) {
	grain := s.TimeGrain()
	within := s.branch.NewBranchRangeConditions().timeBoundsRead(resolve.Ref{Field: s.field})
	return s.branch.Q.In.Times.Clock.BucketExpr(s.time, s.field, grain, within), s.field.BucketType(grain)
}

// FirstBucketWithoutRow returns the first bucket whose span does not have a row: the one that the time of the row lies in, later by the span.
func (s *Span) FirstBucketWithoutRow() sqlexpr.Expr {
	at, typ := s.TimeOfRow()
	n, unit := s.n, s.unit
	if unit.IsWithinDay() && typ == sqlexpr.TypeDate {
		n, unit = n*unit.Seconds()/(24*60*60), sqlexpr.GrainDay
	}
	later := build.TimeLater(unit, n, at)
	if unit.Months() > 0 && s.bucket.Months() == 0 { // the last day of which the span does not begin later
		ofNextDay := build.TimeLater(unit, n, build.TimeLater(sqlexpr.GrainDay, 1, at))
		later = build.Call(sqlexpr.FnGreatest, "GREATEST", later, build.TimeLater(sqlexpr.GrainDay, -1, ofNextDay))
	}
	until := s.branch.Q.In.Times.Clock.BucketExpr(later, &catalog.Field{Type: typ}, s.bucket, clock.TimeBounds{})
	if !s.isCut {
		return until
	}
	end := timerange.BucketEnd(s.clock, s.cutEnd.OnClock(s.clock), s.bucket).Time
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: s.IsFromCutStart(s.n), Then: s.dayLiteral(end)}}, Else: until}
}

// IsFromCutStart returns the condition that a row is not earlier than so many units before the end of a range that cuts the last bucket.
func (s *Span) IsFromCutStart(units int) sqlexpr.Expr {
	start := s.cutEnd.SpanStart(s.clock, s.unit, units)
	if !start.IsSet() {
		return &sqlexpr.IsNull{Not: true, X: s.time}
	}
	return sqlexpr.And(timerange.Interval{Start: start}.WithinConditions(s.time, s.field)...)
}

// LastBucket returns the first day of the bucket that the range cuts.
func (s *Span) LastBucket() sqlexpr.Expr {
	return s.dayLiteral(s.clock.FloorTime(s.cutEnd.OnClock(s.clock).Time, s.bucket))
}

// DayOf returns the day that the clock shows at a time of the type of the rows.
func (s *Span) DayOf(at sqlexpr.Expr) sqlexpr.Expr {
	instants := &catalog.Field{Type: s.field.BucketType(s.TimeGrain())}
	return s.branch.Q.In.Times.Clock.BucketExpr(at, instants, sqlexpr.GrainDay, clock.TimeBounds{})
}

func (s *Span) dayLiteral(start time.Time) sqlexpr.Expr {
	return timerange.BoundAt(s.clock.LocalTimeOfInstant(start)).Literal(sqlexpr.TypeDate)
}
