package timerange

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInterval_MergesTouching(t *testing.T) {
	at := func(day int) RangeBound {
		if day == 0 {
			return RangeBound{}
		}
		return BoundAt(time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC))
	}
	for _, c := range []struct {
		name string
		in   [][2]int // first and last day; 0 is open
		want [][2]int
	}{
		{"one", [][2]int{{1, 5}}, [][2]int{{1, 5}}},
		{"that meet", [][2]int{{5, 9}, {1, 5}}, [][2]int{{1, 9}}},
		{"that overlap", [][2]int{{1, 6}, {5, 9}}, [][2]int{{1, 9}}},
		{"one in another", [][2]int{{1, 9}, {3, 4}}, [][2]int{{1, 9}}},
		{"the same twice", [][2]int{{1, 5}, {1, 5}}, [][2]int{{1, 5}}},
		{"apart", [][2]int{{7, 9}, {1, 5}}, [][2]int{{1, 5}, {7, 9}}},
		{"three, two of them together", [][2]int{{1, 3}, {8, 9}, {3, 5}}, [][2]int{{1, 5}, {8, 9}}},
		{"open to the left", [][2]int{{4, 5}, {0, 3}}, [][2]int{{0, 3}, {4, 5}}},
		{"open to the right", [][2]int{{4, 0}, {1, 3}, {6, 7}}, [][2]int{{1, 3}, {4, 0}}},
		{"all of time", [][2]int{{3, 0}, {0, 3}}, [][2]int{{0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ranges []Interval
			for _, r := range c.in {
				ranges = append(ranges, Interval{at(r[0]), at(r[1])})
			}
			var got [][2]int
			for _, i := range MergeIntervals(ranges) {
				day := func(i RangeBound) int {
					if !i.IsSet() {
						return 0
					}
					return i.Day()
				}
				got = append(got, [2]int{day(i.Start), day(i.End)})
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
