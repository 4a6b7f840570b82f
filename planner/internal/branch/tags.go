package branch

import (
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// RangeOfTag returns the range of the tag of a window; false for a window that has a value outside of it too: one without a tag, and one
// that an offset reads at another bucket.
func (a *Query) RangeOfTag(u *measure.Ref) (where.Range, bool) {
	if u.Tag < 0 || a.Compare != nil || u.Window.Buckets < 0 || u.Window.MovedBy != nil {
		return where.Range{}, false
	}
	return where.RangeOfAxis(a.In, a.Ranges, a.Conds, u.Axis, u.Tag)
}

// DaysOfTag returns the days of the range of the tag of a window over periods of a calendar; false for any other window.
func (a *Query) DaysOfTag(u *measure.Ref) (timerange.Interval, bool) {
	r, ok := a.RangeOfTag(u)
	if !ok || a.Groups[u.Window.Buckets].Period == nil {
		return timerange.Interval{}, false
	}
	return compare.WholeDayInterval(r.Interval, a.In.Times.Clock.ForField(u.Axis)), true
}
