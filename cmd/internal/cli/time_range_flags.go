package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/planner/query"
)

// timeRangeFlags are the flags of the time range of a query.
type timeRangeFlags struct {
	start, end, last string
	timeDimension    string
}

// timeRangeFlagNames are the names of timeRangeFlags.
var timeRangeFlagNames = []string{"start", "end", "last", "time-dimension"}

func (q *timeRangeFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.start, "start", "", "first day of the time range")
	f.StringVar(&q.end, "end", "", "day after the time range")
	f.StringVar(&q.last, "last", "", "the last whole units of time as the time range: '3 month'")
	f.StringVar(&q.timeDimension, "time-dimension", "", "field of the time range, if the query has several time fields")
}

// addTimeRange writes the key time_range where a flag gives it.
func (q *timeRangeFlags) addTimeRange(o *jsonObjectWriter) error {
	if q.start == "" && q.end == "" && q.last == "" && q.timeDimension == "" {
		return nil
	}
	r := query.TimeRange{Start: q.start, End: q.end, Dimension: q.timeDimension}
	if q.last != "" {
		n, unit, ok := parseCountAndTimeUnit(q.last)
		if !ok {
			return newUsageError(fmt.Sprintf("--last takes a number and a unit, as in '3 month', not %q", q.last))
		}
		r.Last = &query.RelativeRange{N: n, Unit: unit}
	}
	o.addMember("time_range", r)
	return nil
}
