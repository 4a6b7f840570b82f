package measure

import (
	"maps"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A span of time is counted back from the end of the bucket. Over buckets of a day or less it is the buckets after the bucket less the
// span. Over longer ones it is a number of buckets where these divide it evenly, and the range does not cut the last one. Otherwise each
// row is copied to the buckets whose spans have it.

const secondsOfDay = 24 * 60 * 60

// leastDaysOfGrain are the days of the shortest bucket.
var leastDaysOfGrain = map[sqlexpr.Grain]int{sqlexpr.GrainDay: 1, sqlexpr.GrainWeek: 7, sqlexpr.GrainMonth: 28, sqlexpr.GrainQuarter: 90, sqlexpr.GrainYear: 365}

// secondsOfGrain returns the length of a grain; 0 where it varies.
func secondsOfGrain(g sqlexpr.Grain) int { return max(g.Seconds(), g.Days()*secondsOfDay) }

// grainSpan returns the span of the window by a grain; nil without one.
func (w *Window) grainSpan() *catalog.WindowSpan {
	if span := w.Spec.Span(); span != nil && span.Period == nil {
		return span
	}
	return nil
}

// SpansBackFromEnd reports whether the window has a span that is counted back from the end of buckets that are longer than a day.
func (w *Window) SpansBackFromEnd(bucket sqlexpr.Grain) bool {
	return w.grainSpan() != nil && bucket > sqlexpr.GrainDay
}

// MaxCoveredBuckets returns the number of buckets of a grain that the window reaches over, the most where it varies or is
// not an integer; 0 where they are not a number of buckets.
func (w *Window) MaxCoveredBuckets(grain sqlexpr.Grain) (most int, varies bool) {
	if span := w.grainSpan(); span != nil {
		return bucketCountOfSpan(w.N, span.Grain, grain)
	}
	return w.N, false
}

// bucketCountOfSpan returns the number of buckets that a span reaches over, the most where the number varies or is not an integer.
// It is 0 where months are over buckets within a day.
func bucketCountOfSpan(n int, span, bucket sqlexpr.Grain) (most int, varies bool) {
	atLeast := func(total, length int) int { return (total + length - 1) / length }
	months, seconds := n*span.Months(), n*secondsOfGrain(span)
	switch {
	case bucket.IsWithinDay() && months > 0:
		return 0, false
	case bucket.IsWithinDay(), bucket == sqlexpr.GrainDay && months == 0:
		return atLeast(seconds, secondsOfGrain(bucket)), false
	case months > 0 && bucket.Months() > 0:
		return atLeast(months, bucket.Months()), months%bucket.Months() > 0
	case months > 0:
		return atLeast(min(31*months, 366*atLeast(months, 12)), bucket.Days()), true
	}
	isWholeWeeks := bucket == sqlexpr.GrainWeek && !span.IsWithinDay() && seconds%secondsOfGrain(bucket) == 0
	return atLeast(seconds, secondsOfDay*leastDaysOfGrain[bucket]), !isWholeWeeks
}

// lookbackOfBuckets returns how far back a window over a number of buckets, or a span, reads.
func (w *Window) lookbackOfBuckets(grain sqlexpr.Grain) ScanLookback {
	if w.Spec.Span() != nil && w.grainSpan() == nil {
		return ScanLookback{All: true}
	}
	most, varies := w.MaxCoveredBuckets(grain)
	if varies && most > 1 {
		return ScanLookback{n: w.N, grain: w.Spec.Span().Grain}
	}
	return ScanLookback{n: most - 1, grain: grain}.noneIfZero()
}

// readsSpanByUnits reports whether the units of the span of a rolling window are not the buckets.
func (w *Window) readsSpanByUnits(groups []scope.Group, noRangeFrames bool) bool {
	span, bucket := w.grainSpan(), groups[w.AxisGroup].Grain
	switch {
	case span == nil:
		return false
	case noRangeFrames || bucket > sqlexpr.GrainDay:
		return noRangeFrames || span.Grain != bucket
	}
	return span.Grain.Months() > 0 || secondsOfGrain(span.Grain) > secondsOfGrain(bucket)
}

// checkSpanFitsAxis rejects a span that is not made of times that the axis stores.
func (p WindowGroupByChecker) checkSpanFitsAxis() error {
	span := p.spec.Span()
	if span == nil || span.Period != nil || p.axis == nil {
		return nil
	}
	stored, months := p.axis.StoredGrain(), p.n*span.Grain.Months()
	if stored < sqlexpr.GrainDay || stored == sqlexpr.GrainDay && months > 0 {
		return nil
	}
	length, unit := p.n*secondsOfGrain(span.Grain), secondsOfGrain(stored)
	if unit == 0 {
		length, unit = months, stored.Months()
	}
	if length > 0 && length%unit == 0 {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeGrainTooFine, Metrics: []string{p.Owner}, SuggestedRetry: "leave out " + p.Owner, Fragment: retry.DropMetric(p.In, p.Owner),
		Message: p.metric.Name + " reaches back by " + strconv.Itoa(p.n) + " " + span.Grain.String() + "s, and " + p.axis.QualifiedName() + " stores each " + stored.String() + " as a whole",
	}
}

// readOfRollingInput returns how a rolling window reads its measure.
func (b windowBaseExpander) readOfRollingInput(p WindowGroupByChecker, measure *catalog.Measure) (InputRead, error) {
	w := b.w
	span := w.Spec.Span()
	if w.Spec.Rolling == nil || span == nil {
		return InputRead{}, nil
	}
	group := b.x.groups[w.AxisGroup]
	if err := p.checkSpanFitsAxis(); err != nil {
		return InputRead{}, err
	}
	if !group.CanCountBucketsIn(span.Unit()) || span.Period != group.Period {
		return InputRead{}, p.unsuitableUnitError(group, span.Unit(), "spans values by "+span.Unit().String())
	}
	most, _ := w.MaxCoveredBuckets(group.Grain)
	copies := w.readsSpanByUnits(b.x.groups, b.x.in.Target.Caps.NoRangeFrames)
	switch {
	case span.Period != nil && b.x.in.Target.Caps.NoRangeFrames:
		return InputRead{}, p.missingRangeFramesError()
	case most == 0:
		return InputRead{}, p.NotImplementedError(w.Metric.Name+" reaches back by "+span.Grain.String()+"s, which are not a number of buckets by "+group.Grain.String(), w.grainsWithFewEnoughBuckets(group.Grain))
	case copies && measure.NonAdditive != nil:
		return InputRead{}, p.unsuitableUnitError(group, span.Unit(), "spans snapshots by "+span.Unit().String())
	case copies && most > limits.RecomputedHolisticWindowPeriods:
		message := w.Metric.Name + " reaches over " + strconv.Itoa(most) + " buckets by " + group.Grain.String() + "; where the rows of each are read again, " + strconv.Itoa(limits.RecomputedHolisticWindowPeriods) + " are the most"
		return InputRead{}, p.NotImplementedError(message, w.grainsWithFewEnoughBuckets(group.Grain))
	case copies:
		return InputRead{Kind: ReadKindSpanUnits}, nil
	}
	return InputRead{}, nil
}

// CopyRowsOfSpans returns the expansion where some inputs of windows over spans read the rows of other buckets too: the range cuts the last
// bucket, so that a number of whole buckets is not the span.
func (all Expansion) CopyRowsOfSpans(in *scope.Env, isCut func(*Ref) bool) (Expansion, error) {
	var windows map[*Window]*Window
	for _, u := range all.MeasureRefs {
		w := u.InputOf
		switch {
		case w == nil || !u.Read.Kind.ReadsOwnBucket() || u.Measure.Stem == bucketRowCount || !isCut(u):
		case u.Measure.NonAdditive != nil:
			return Expansion{}, &planerr.Error{
				Code: planerr.CodeNotImplemented, Metrics: []string{w.Owner}, SuggestedRetry: "leave out " + w.Owner, Fragment: retry.DropMetric(in, w.Owner),
				Message: w.Metric.Name + " spans snapshots back from the end of the range, which cuts a bucket",
			}
		case windows[w] == nil:
			if windows == nil {
				windows = map[*Window]*Window{}
			}
			copied, base := *w, *w.Base
			base.Expanded, copied.Base = true, &base
			windows[w] = &copied
		}
	}
	if len(windows) == 0 {
		return all, nil
	}
	refs := make([]*Ref, len(all.MeasureRefs))
	for i, u := range all.MeasureRefs {
		if refs[i] = u; windows[u.Window] != nil || windows[u.InputOf] != nil {
			refs[i] = u.withCopiedRows(windows)
		}
	}
	all.MeasureRefs = refs
	return all.withRowMarkers(windows), nil
}

// withCopiedRows returns a measure reference of windows that copy rows.
func (u *Ref) withCopiedRows(windows map[*Window]*Window) *Ref {
	out := *u
	if w := windows[u.Window]; w != nil {
		out.Window = w
	}
	if w := windows[u.InputOf]; w != nil {
		out.InputOf = w
		switch {
		case !u.Read.Kind.ReadsOwnBucket() || u.Measure.Stem == bucketRowCount:
		case w.Spec.Rolling != nil:
			out.Read.Kind = ReadKindSpanUnits
		default:
			out.Read = readOfCopies(out)
		}
	}
	return &out
}

// withRowMarkers returns the expansion with a marker of the rows of each window that copies rows.
func (all Expansion) withRowMarkers(windows map[*Window]*Window) Expansion {
	for _, u := range slices.Clone(all.MeasureRefs) {
		w := u.Window
		if w == nil || !slices.Contains(slices.Collect(maps.Values(windows)), w) {
			continue
		}
		base := *w.Base
		base.Inputs = measureRefIndexesOfWindow(all.MeasureRefs, w)
		for _, h := range (&Window{Base: &base}).listInputRows(all.MeasureRefs) {
			if !containsRowMarker(all.MeasureRefs, w, h.home) {
				key := RefKey{Measure: rowMarkerMeasure(all.MeasureRefs, h.home), Axis: h.axis, Tag: u.Tag}
				all.MeasureRefs = append(all.MeasureRefs, &Ref{RefKey: key, Inner: h.inner, InputOf: w, Metrics: u.Metrics})
			}
		}
	}
	return all
}
