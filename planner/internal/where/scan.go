package where

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
)

// Scan is how far around a time range a branch reads, so that windows over
// the shown buckets are right. With zero lookbacks it reads the range itself.
type Scan struct {
	Tag           int // the one tag that the branch serves; -1 for all
	Back, Forward measure.ScanLookback
	Grain         sqlexpr.Grain // of the shown buckets
	Group         int           // that carries them
}

// ReadsBeyondRange reports whether more is read than shown.
func (s Scan) ReadsBeyondRange() bool {
	return s.Back != measure.ScanLookback{} || s.Forward != measure.ScanLookback{}
}

// ScanOf returns the scan range of a measure reference. Plain measures read the range; a window
// reads beyond it where its family looks at neighbouring buckets.
func ScanOf(u *measure.Ref, groups []scope.Group, ranges []Range) Scan {
	s := Scan{Tag: -1}
	w := u.Window
	if u.InputOf != nil {
		w = u.InputOf
	}
	if w == nil || len(ranges) == 0 {
		return s
	}
	r := ranges[0]
	if u.Tag >= 0 {
		s.Tag = u.Tag
		r = ranges[u.Tag]
	}
	if w.AxisGroup < 0 || !r.OnAxis && (r.Ref.Field != u.Axis || len(r.Ref.Prefix) > 0) {
		return s
	}
	grain := groups[w.AxisGroup].Grain
	s.Back, s.Forward = w.Lookbacks(grain)
	if w.NeedsCalendarPeriods(groups[w.AxisGroup]) {
		s.Back, s.Forward = s.Back.UnboundedForCalendarPeriods(), s.Forward.UnboundedForCalendarPeriods()
	}
	if s.ReadsBeyondRange() {
		s.Grain, s.Group = grain, w.AxisGroup
	}
	return s
}
