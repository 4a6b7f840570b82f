package properties_test

import (
	"slices"
	"strings"
)

// statisticMark is a part of the names of the metrics that statisticMetric makes.
const statisticMark = "_stat_"

// over returns the aggregate over an argument. A function with %s holds the place of the argument.
func (a *aggregate) over(arg string) string {
	switch {
	case a.isStatistic():
		return strings.ReplaceAll(a.function, "%s", arg)
	case a.function == "COUNT DISTINCT":
		return "COUNT(DISTINCT " + arg + ")"
	}
	return a.function + "(" + arg + ")"
}

// statistic is an aggregate that is neither a sum, nor a count, nor a mean, nor an extreme.
type statistic struct {
	name, function string
	of             []kind
	number         bool
	// value is how far engines agree on it, of exact arguments.
	value exactness
	// computes: the value may differ from all arguments.
	computes bool
}

var (
	numeric   = []kind{whole, quarters}
	printable = []kind{text, whole} // the texts of other values differ between engines
	ordered   = []kind{text, whole, quarters, day, moment}
)

// fractions are those of percentiles. Of 0.5 the value has one binary digit more.
var fractions = []string{"0", "0.1", "0.25", "0.3", "0.5", "0.9", "1"}

// someStatistic picks an aggregate.
func (r *maker) someStatistic() statistic {
	down := pick(r, []string{"", "", " DESC"})
	fraction := pick(r, fractions)
	separator := pick(r, []string{"','", "', '", "''", "'it''s'", "'|'"})
	return pick(r, []statistic{
		{"median", "MEDIAN(%s)", numeric, true, exact, true},
		{"cont", "PERCENTILE_CONT(" + fraction + ") WITHIN GROUP (ORDER BY %s" + down + ")", numeric, true, tolerant, true},
		{"disc", "PERCENTILE_DISC(" + fraction + ") WITHIN GROUP (ORDER BY %s" + down + ")", numeric, true, exact, false},
		{"disc_of", "PERCENTILE_DISC(" + fraction + ") WITHIN GROUP (ORDER BY %s" + down + ")", ordered, false, exact, false},
		{"stddev", "STDDEV(%s)", numeric, true, tolerant, true},
		{"stddev_pop", "STDDEV_POP(%s)", numeric, true, tolerant, true},
		{"variance", "VARIANCE(%s)", numeric, true, tolerant, true},
		{"var_pop", "VAR_POP(%s)", numeric, true, tolerant, true},
		{"sum_distinct", "SUM(DISTINCT %s)", numeric, true, exact, true},
		{"avg_distinct", "AVG(DISTINCT %s)", numeric, true, rounded, true},
		{"any", "ANY_VALUE(%s)", ordered, false, exact, false},
		{"all_true", pick(r, []string{"BOOL_AND(%s)", "EVERY(%s)", "LOGICAL_AND(%s)"}), []kind{truth}, false, exact, false},
		{"some_true", pick(r, []string{"BOOL_OR(%s)", "LOGICAL_OR(%s)"}), []kind{truth}, false, exact, false},
		{"list", "LISTAGG(%s, " + separator + ")", printable, false, exact, false},
		{"list_down", "STRING_AGG(%s, " + separator + ") WITHIN GROUP (ORDER BY %s DESC)", printable, false, exact, false},
		{"list_distinct", "LISTAGG(DISTINCT %s, " + separator + ")", printable, false, exact, false},
	})
}

// statisticMetric adds a metric of an aggregate that is neither a sum nor a count, of some of its rows
// with FILTER or of all.
func (r *maker) statisticMetric(d *dataset) {
	if r.chance(10) {
		r.countIf(d)
		return
	}
	s := r.someStatistic()
	fields := withoutParams(d.fieldsOf(s.of...))
	if len(fields) == 0 {
		return
	}
	f := pick(r, fields)
	if strings.HasPrefix(s.name, "list") && !f.typed {
		return
	}
	a := &aggregate{s.function, d.name + "." + f.name, d}
	x := &metric{name: d.name + statisticMark + s.name, expr: a.over(a.arg), base: a, homes: []*dataset{d}, number: s.number, value: max(s.value, f.value)}
	if f.value != exact && s.computes {
		x.value = tolerant
	}
	if strings.HasPrefix(s.name, "list") && s.name != "list_distinct" && r.chance(40) {
		a.function = strings.Replace(s.function, "ORDER BY %s", "ORDER BY "+d.name+"."+pick(r, withoutParams(d.fieldsOf(ordered...))).name, 1)
		x.expr = a.over(a.arg)
	}
	if r.chance(25) {
		where := r.predicate(d, func(f *field) string { return d.name + "." + f.name })
		a.arg = "CASE WHEN " + where + " THEN " + a.arg + " END"
		x.expr += " FILTER (WHERE " + where + ")"
	}
	r.add(x)
}

// isList reports whether the metric makes a text without a bound, as no metric of a query may.
func (x *metric) isList() bool { return strings.Contains(x.name, statisticMark+"list") }

// countIf adds a count of the rows that meet a condition.
func (r *maker) countIf(d *dataset) {
	where := r.predicate(d, func(f *field) string { return d.name + "." + f.name })
	a := &aggregate{"COUNT", "CASE WHEN " + where + " THEN 1 END", d}
	x := &metric{name: d.name + statisticMark + "if", expr: "COUNT_IF(" + where + ")", base: a, homes: []*dataset{d}, number: true}
	if r.chance(50) {
		x.expr = "COUNT(*) FILTER (WHERE " + where + ")"
	}
	r.add(x)
}

// isStatistic reports whether the function is one of statistics.
func (a *aggregate) isStatistic() bool { return strings.Contains(a.function, "%s") }

// hasStatistic reports whether a question requests a metric that statisticMetric made.
func (q *question) hasStatistic() bool {
	return slices.ContainsFunc(q.Metrics, func(name string) bool { return strings.Contains(name, statisticMark) })
}
