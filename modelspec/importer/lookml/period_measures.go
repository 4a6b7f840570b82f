package lookml

import (
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// periodOverPeriodType is the type of a measure that compares another one with an earlier period.
const periodOverPeriodType = "period_over_period"

// calculationByKind are the calculations of the kinds of such measures.
var calculationByKind = map[string]string{"": "value", "previous": "value", "difference": "delta", "relative_change": "percent_change"}

// buildPeriodOverPeriodMetric makes an offset by one period of the measure that is compared, along the time that it names.
func (m *measure) buildPeriodOverPeriodMetric(out *draft.Metric, measures map[string]*measure) error {
	full := func(key string) string {
		if name := m.block.valueOfKey(key); strings.Contains(name, ".") {
			return name
		}
		return m.view.name + "." + m.block.valueOfKey(key)
	}
	base := measures[full("based_on")]
	if base == nil || base.failed || base == m {
		return fmt.Errorf("it compares %s, which is not an imported measure", full("based_on"))
	}
	name, isOwn := strings.CutPrefix(full("based_on_time"), m.view.name+".")
	d, _ := m.view.findDimension(name)
	if !isOwn || base.view != m.view || d == nil || !d.isGroup || !d.added {
		return fmt.Errorf("its time %s is not a group of type time of the view, or its measure is of another view", name)
	}
	period := m.block.valueOfKey("period")
	if period == "date" {
		period = "day"
	}
	grain, known := sqlexpr.ParseGrain(period)
	calculation := calculationByKind[m.block.valueOfKey("kind")]
	switch {
	case !known || grain.IsWithinDay() || calculation == "":
		return fmt.Errorf("the comparison %q with the %q before has no counterpart", m.block.valueOfKey("kind"), period)
	case m.block.isYes("value_to_date"):
		return errors.New("the comparison of a period to date has no counterpart")
	case grain >= sqlexpr.GrainMonth:
		m.loss = "a day that the " + period + " before does not have, such as 31 February, is compared with nothing"
	}
	out.Expression = draft.ANSIExpression(sqlexpr.Format(metricColumn(base.became)))
	out.Extension.Window = &draft.Window{Type: "pop", Offset: &draft.WindowOffset{Count: 1, Granularity: period}, Calculation: calculation}
	if axis := m.view.dataset.TimeDimension; axis != d.name {
		out.Extension.TimeDimension = sqlexpr.FormatPath(m.view.name, d.name)
	}
	return nil
}
