package cube

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var errUnsupportedRollingWindow = errors.New("the rolling window has no counterpart")

// addRollingWindow makes a window that computes the measure over all of its rows, along the first time dimension of the cube. A
// window that does not end with its bucket is the value of a helper metric in another bucket. loss is how the
// measure differs from that of Cube.
func (p *projectImport) addRollingWindow(c *cube, measure *importer.Node, m *draft.Metric) (loss string, err error) {
	times := c.timeFields()
	if len(times) == 0 {
		return "", errors.New("its window needs a time dimension of its cube")
	}
	window := &rollingWindow{addsUp: slices.Contains(additiveMeasureTypes, snakeCaseMemberType(measure))}
	if loss, err = window.read(measure.Get("rolling_window")); err != nil {
		return "", err
	}
	m.Extension.Window = &draft.Window{Recompute: &window.rows}
	if len(times) > 1 {
		m.Extension.TimeDimension = sqlexpr.FormatPath(c.name, times[0])
		loss = importer.JoinReasons(loss, "its time is "+times[0]+", in Cube that of the query")
	}
	m.Extension.Grains = window.grains
	if window.distance.Count == 0 {
		return loss, nil
	}
	helper := &draft.Metric{
		Name: p.metricNames.ReserveFirstUnusedName(m.Name+"_window", c.name+"_"+m.Name+"_window"), Expression: m.Expression,
		Description: "A part of " + m.Name + ": its window, which that metric reads in another period.",
		Extension:   draft.MetricExtension{TimeDimension: m.Extension.TimeDimension, Window: m.Extension.Window},
	}
	p.model.Metrics = append(p.model.Metrics, helper)
	m.Expression = draft.ANSIExpression(sqlexpr.Format(metricColumn(helper.Name)))
	m.Extension.Window = offsetWindow(window.distance)
	return loss, nil
}

// timeFields lists the time dimensions of a cube.
func (c *cube) timeFields() []string {
	var out []string
	for _, f := range c.dataset.Fields {
		if f.Role == draft.FieldRoleTime {
			out = append(out, f.Name)
		}
	}
	return out
}

// offsetWindow returns the value of a metric so far away: later where the count is positive.
func offsetWindow(distance interval) *draft.Window {
	offset := &draft.WindowOffset{Count: distance.Count, Granularity: distance.Unit.String(), Direction: "forward"}
	if distance.Count < 0 {
		offset.Count, offset.Direction = -distance.Count, ""
	}
	return &draft.Window{Type: "pop", Offset: offset, Calculation: "value"}
}

// rollingWindow is a window of Cube: the rows that it has, in the bucket that is so far away, and the only grains at which it is
// that of Cube.
type rollingWindow struct {
	addsUp   bool // Cube aggregates the rows by the finer of the window's unit and the query's granularity, and then the window
	rows     draft.RecomputeWindow
	distance interval
	grains   []string
}

// additiveMeasureTypes are the types of measures whose values Cube adds up over periods.
var additiveMeasureTypes = []string{"sum", "count", "min", "max"}

// interval is a length of time.
type interval struct {
	Count int
	Unit  sqlexpr.Grain
}

func (w *rollingWindow) read(n *importer.Node) (loss string, err error) {
	switch kind := n.Get("type").String(); kind {
	case "to_date":
		return w.readToDate(n)
	case "", "fixed":
		return w.readFixed(n)
	}
	return "", errUnsupportedRollingWindow
}

func (w *rollingWindow) readToDate(n *importer.Node) (loss string, err error) {
	reset := n.Get("granularity").String()
	grain, known := sqlexpr.ParseGrain(reset)
	if !known || grain.IsWithinDay() || n.Get("trailing") != nil || n.Get("leading") != nil {
		return "", errUnsupportedRollingWindow
	}
	w.rows.Periods, w.rows.Reset = "unbounded", reset
	if grain > sqlexpr.GrainWeek && !w.addsUp {
		loss = "grouped by week, the value begins with the first week of the " + reset + ", and in Cube with its first day"
	}
	return loss, nil
}

// readFixed reads a window from trailing before a point to leading after it: the end of the bucket, or its start. The window that
// ends with a bucket is the sum of both, and the bucket is leading later. From the start of a bucket it is one
// shorter, so that the length of the bucket is a part of the meaning.
func (w *rollingWindow) readFixed(n *importer.Node) (loss string, err error) {
	trailing, isUnbounded, err := readWindowBound(n.Get("trailing"))
	if err != nil {
		return "", err
	}
	leading, isEndless, err := readWindowBound(n.Get("leading"))
	if err != nil {
		return "", err
	}
	if isEndless {
		return "", errors.New("a window without an end has no counterpart")
	}
	offset := n.Get("offset").String()
	unit := min(trailing.unitOr(leading), leading.unitOr(trailing))
	if unit == sqlexpr.GrainNone {
		if !isUnbounded {
			return "", errUnsupportedRollingWindow
		}
		unit = sqlexpr.GrainDay
	}
	if offset == "start" {
		unit = bucketUnit(unit)
		w.grains = []string{unit.String()}
	} else if offset != "" && offset != "end" {
		return "", errUnsupportedRollingWindow
	}
	before, isWhole := trailing.in(unit)
	after, isAlsoWhole := leading.in(unit)
	switch {
	case !isWhole || !isAlsoWhole:
		return "", errors.New("a window of unlike units has no counterpart")
	case isUnbounded:
		w.rows.Periods = "unbounded"
	case before+after < 1:
		return "", errUnsupportedRollingWindow
	default:
		w.rows.Span = &draft.WindowOffset{Count: before + after, Granularity: unit.String()}
	}
	w.distance = interval{after, unit}
	if offset == "start" {
		w.distance.Count--
		return "", nil
	}
	if !isUnbounded {
		loss = w.lossOfUnit(unit)
	}
	if unit >= sqlexpr.GrainMonth && after > 0 {
		loss = importer.JoinReasons(loss, "grouped by day, a day has no value where there is no such day "+strconv.Itoa(leading.Count)+" "+leading.Unit.String()+" later")
	}
	return loss, nil
}

// lossOfUnit returns at which granularities a window of a unit has other rows than in Cube.
func (w *rollingWindow) lossOfUnit(unit sqlexpr.Grain) string {
	switch {
	case unit >= sqlexpr.GrainMonth && w.addsUp:
		return "grouped by week, a window that ends with a shorter month may begin up to three days later"
	case unit >= sqlexpr.GrainMonth:
		return "the values are the same grouped by day; a longer period that ends with a shorter month may have a window that begins up to three days later"
	case unit == sqlexpr.GrainWeek && w.addsUp:
		return "the values are the same grouped by day and week; a longer period counts in Cube the weeks that begin in its window"
	}
	return ""
}

// bucketUnit returns the grain of the buckets in whose counts a unit is whole: days of weeks, months of quarters and years.
func bucketUnit(unit sqlexpr.Grain) sqlexpr.Grain {
	switch {
	case unit.IsWithinDay():
		return unit
	case unit <= sqlexpr.GrainWeek:
		return sqlexpr.GrainDay
	}
	return sqlexpr.GrainMonth
}

// readWindowBound reads one side of a window: a length, or unbounded.
func readWindowBound(n *importer.Node) (length interval, isUnbounded bool, err error) {
	switch {
	case n == nil:
		return interval{}, false, nil
	case n.String() == "unbounded":
		return interval{}, true, nil
	}
	length, err = parseInterval(n.String())
	return length, false, err
}

// parseInterval reads a length: 7 day.
func parseInterval(text string) (interval, error) {
	parts := strings.Fields(text)
	if len(parts) != 2 {
		return interval{}, errUnsupportedRollingWindow
	}
	count, err := strconv.Atoi(parts[0])
	unit, known := sqlexpr.ParseGrain(strings.TrimSuffix(parts[1], "s"))
	if err != nil || count < 1 || count > maxIntervalCount || !known {
		return interval{}, errUnsupportedRollingWindow
	}
	return interval{count, unit}, nil
}

// maxIntervalCount bounds the count of an interval, whose sums and products are then no overflow.
const maxIntervalCount = 1_000_000

func (i interval) unitOr(other interval) sqlexpr.Grain {
	if i.Count > 0 {
		return i.Unit
	}
	return other.Unit
}

// in returns the length in another unit, which divides into its own.
func (i interval) in(unit sqlexpr.Grain) (count int, isWhole bool) {
	for _, size := range []func(sqlexpr.Grain) int{sqlexpr.Grain.Seconds, sqlexpr.Grain.Days, sqlexpr.Grain.Months} {
		if own, other := size(i.Unit), size(unit); own > 0 && other > 0 {
			return i.Count * own / other, i.Count*own%other == 0
		}
	}
	return 0, i.Count == 0
}
