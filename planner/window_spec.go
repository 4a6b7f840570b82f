package planner

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// windowFuncs maps the function names of the window block to the functions of
// the expression language.
var windowFuncs = map[string]sqlexpr.Func{
	"sum": sqlexpr.FnSum, "avg": sqlexpr.FnAvg, "min": sqlexpr.FnMin, "max": sqlexpr.FnMax, "count": sqlexpr.FnCount,
	"stddev_pop": sqlexpr.FnStddevPop, "stddev_samp": sqlexpr.FnStddevSamp, "var_pop": sqlexpr.FnVarPop, "var_samp": sqlexpr.FnVarSamp,
	"covar_pop": sqlexpr.FnCovarPop, "covar_samp": sqlexpr.FnCovarSamp, "corr": sqlexpr.FnCorr,
	"row_number": sqlexpr.FnRowNumber, "rank": sqlexpr.FnRank, "dense_rank": sqlexpr.FnDenseRank, "ntile": sqlexpr.FnNtile,
	"percent_rank": sqlexpr.FnPercentRank, "cume_dist": sqlexpr.FnCumeDist,
	"first_value": sqlexpr.FnFirstValue, "last_value": sqlexpr.FnLastValue, "nth_value": sqlexpr.FnNthValue,
}

// function is the window's function; an offset reads its one row by MAX.
func (w *window) function() string {
	if w.spec.Offset != nil {
		return "max"
	}
	return w.spec.Function()
}

// checkWindowFunction refuses a function, or a kind of frame, that the target
// does not have.
func (b *build) checkWindowFunction(w *window) error {
	name := w.function()
	fn, ok := windowFuncs[name]
	if !ok {
		return internal("window function %s of metric %s", name, w.metric.Name)
	}
	var missing string
	switch {
	case b.target.Caps.NoWindow.Has(fn):
		missing = "the window function " + name
	case b.target.Caps.NoRangeFrames && w.byDistance():
		missing = "window frames by calendar distance"
	default:
		return nil
	}
	e := &planerr.Error{
		Code:           planerr.CodeDialectUnsupportedWindowFunction,
		Message:        "dialect " + b.target.Dialect + " has no " + missing + ", which " + w.metric.Name + " needs",
		Metrics:        []string{w.owner},
		SuggestedRetry: "leave out " + w.owner + ", or query a connection of another dialect",
	}
	if rest := without(b.q.Metrics, w.owner); len(rest) > 0 && len(rest) < len(b.q.Metrics) {
		e.Fragment = map[string]any{"metrics": rest}
	}
	return e
}

// byDistance reports whether the frame counts calendar buckets or values rather
// than rows.
func (w *window) byDistance() bool {
	s := w.spec
	return s.Offset != nil || s.Rolling != nil || s.Frame != nil && s.Frame.Range && !s.Frame.Unbounded && !s.Frame.PartitionScope
}

func without(names []string, drop string) []string {
	var out []string
	for _, n := range names {
		if n != drop {
			out = append(out, n)
		}
	}
	return out
}

// stride is an offset of n granularities in buckets of the queried grain. By
// day, months are not a whole number of buckets: then month is true and the
// stride counts months between equal days of the month.
func stride(n int, of, queried sqlexpr.Grain) (buckets int, month, ok bool) {
	months := map[sqlexpr.Grain]int{sqlexpr.GrainMonth: 1, sqlexpr.GrainQuarter: 3, sqlexpr.GrainYear: 12}
	days := map[sqlexpr.Grain]int{sqlexpr.GrainDay: 1, sqlexpr.GrainWeek: 7}
	switch {
	case days[of] > 0 && days[queried] > 0:
		total := n * days[of]
		return total / days[queried], false, total%days[queried] == 0
	case months[of] > 0 && months[queried] > 0:
		total := n * months[of]
		return total / months[queried], false, total%months[queried] == 0
	case months[of] > 0 && queried == sqlexpr.GrainDay:
		return n * months[of], true, true
	}
	return 0, false, false
}

func (b *build) checkOffset(w *window, group int) error {
	o := w.spec.Offset
	grain := b.groups[group].grain
	if _, _, ok := stride(w.n, o.Grain, grain); ok {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: w.metric.Name + " looks " + o.Grain.String() + "s away, which is no whole number of buckets by " +
			grain.String(),
		Metrics:  []string{w.owner},
		Fragment: map[string]any{"group_by": b.regrain(group, o.Grain)},
	}
}
