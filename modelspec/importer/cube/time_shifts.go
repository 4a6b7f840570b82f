package cube

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// timeShiftKey is the key of a measure whose value is that of other measures in another period.
const timeShiftKey = "time_shift"

var errUnsupportedTimeShift = errors.New("a time shift that is not one interval, or of other than a number over measures, has no counterpart")

// addTimeShift makes a calculated measure the value of its SQL in another period. loss is how it differs from that of Cube.
func (p *projectImport) addTimeShift(c *cube, n *importer.Node, m *draft.Metric) (loss string, err error) {
	list := n.Get(timeShiftKey)
	if list == nil {
		return "", nil
	}
	isOtherStage := slices.ContainsFunc([]string{"group_by", "reduce_by", "add_group_by", "order_by"}, func(key string) bool { return n.Get(key) != nil })
	if snakeCaseMemberType(n) != "number" || isOtherStage || len(list.Items) != 1 {
		return "", errUnsupportedTimeShift
	}
	shift := list.Items[0]
	distance, err := parseInterval(shift.Get("interval").String())
	if kind := shift.Get("type").String(); err != nil || shift.Get("name") != nil || kind != "" && kind != "prior" && kind != "next" {
		return "", errUnsupportedTimeShift
	} else if kind != "next" {
		distance.Count = -distance.Count
	}
	times := c.timeFields()
	name := strings.TrimPrefix(strings.TrimPrefix(strings.Trim(shift.Get("time_dimension").String(), "{}"), "CUBE."), c.name+".")
	switch {
	case len(times) == 0:
		return "", errors.New("its time shift needs a time dimension of its cube")
	case name != "" && !slices.Contains(times, name):
		return "", errors.New("its time shift is of " + name + ", which is not a time dimension of its cube")
	case name == "" && len(times) > 1:
		loss = "its time is " + times[0] + ", in Cube each of the query"
	}
	if len(times) > 1 {
		m.Extension.TimeDimension = sqlexpr.FormatPath(c.name, cmp.Or(name, times[0]))
	}
	m.Extension.Window = offsetWindow(distance)
	if distance.Unit >= sqlexpr.GrainMonth {
		loss = importer.JoinReasons(loss, "grouped by day, a day is compared with the same day alone, and in Cube the last day of a shorter month with all days to the end of the longer one")
	}
	return loss, nil
}
