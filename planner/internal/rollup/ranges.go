package rollup

import (
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// DescribeRanges lists the parts of time that a branch reads, and those that decide which rows count: the ranges of its query, and what windows read
// around them. With periods, compare has an earlier range whose days only the warehouse has.
func DescribeRanges(in *scope.Env, ranges []where.Range, scan where.Scan, periods bool, field func(where.Range) Field) []Range {
	d := rangeDescription{in, scan, field}
	var out []Range
	switch {
	case len(ranges) == 0:
	case !in.HasSeveralRanges():
		one := d.describe(ranges[0], "time_range")
		one.Filters, one.Given = !d.isScanned(one), true
		out = append(out, one)
	case periods:
		for _, r := range ranges {
			out = append(out, d.describe(r, "time_range"))
		}
	default:
		out = d.describeTags(ranges)
	}
	if scan.Beyond {
		shown := d.describe(scan.Range(), "time_range")
		out = append(out, Range{Field: shown.Field, Text: "the range that windows read", Intervals: []timerange.Interval{scan.Interval()}, Filters: true}, shown)
	}
	return out
}

// rangeDescription describes the ranges of a query for one branch.
type rangeDescription struct {
	in    *scope.Env
	scan  where.Scan
	field func(where.Range) Field
}

func (d rangeDescription) describe(r where.Range, text string) Range {
	f := d.field(r)
	return Range{Field: f, Text: text, Intervals: []timerange.Interval{r.Interval.OnClock(d.in.Times.Clock.ForField(f.Field))}}
}

// isScanned reports whether windows read more of the field of a range than the range, which is then not a condition on the rows.
func (d rangeDescription) isScanned(r Range) bool {
	return d.scan.Beyond && d.field(d.scan.Range()).IsSame(r.Field)
}

// describeTags lists the ranges of tags: a branch reads that of its tag, or those of all. A row lies in one of them, over any of their fields.
func (d rangeDescription) describeTags(ranges []where.Range) []Range {
	var out []Range
	for _, r := range d.scan.RangesRead(ranges) {
		text := "time_range"
		if d.in.Query.Compare == nil {
			text = "time_ranges." + r.Tag
		}
		next := d.describe(r, text)
		if n := len(out); n > 0 && out[n-1].Field.IsSame(next.Field) {
			out[n-1].Intervals = append(out[n-1].Intervals, next.Intervals...)
			continue
		}
		out = append(out, next)
	}
	if len(out) == 1 {
		out[0].Filters = !d.isScanned(out[0])
	}
	return out
}
