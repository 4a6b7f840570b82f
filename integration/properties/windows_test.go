package properties_test

import (
	"fmt"
	"slices"
	"strings"
)

// windowMetric adds a window over a plain aggregate, or over a filtered one.
func (r *maker) windowMetric() {
	base := pick(r, r.timedFirst(slices.DeleteFunc(r.plain(), func(x *metric) bool { return x.value == tolerant })))
	x := &metric{name: "win", expr: base.expr, homes: base.homes, windows: true, number: true, value: base.value}
	var window string
	switch r.IntN(7) {
	case 0, 1:
		window = r.offsetWindow(x)
	case 2:
		reach := `"periods": ` + r.count(x, 1)
		if len(x.params) == 0 && r.chance(40) {
			reach = r.span(x)
		}
		window = fmt.Sprintf(`{"type": "rolling", "function": "%s", %s%s}`, r.function(x), reach, r.full())
	case 3:
		window = fmt.Sprintf(`{"type": "cumulative", "function": "%s"%s}`, r.function(x), r.resetKey())
	case 4:
		window = r.frameWindow(x, base)
	case 5:
		window = r.rankWindow(x)
	default:
		window = r.valueWindow(x)
	}
	x.payload = `"window": ` + window
	if r.chance(15) {
		r.filterUnderWindow(x, base)
	}
	if r.chance(15) {
		x.payload += `, "fill_nulls_with": 7` // which a window's own nulls do not take
	}
	x.payload += paramsOf(x.params)
	r.add(x)
}

// filterUnderWindow gives a window a filtered base.
func (r *maker) filterUnderWindow(x, base *metric) {
	d := base.homes[0]
	where := r.predicate(d, func(f *field) string { return d.name + "." + f.name })
	x.expr = fallback(base.base, where)
	x.needs = append(x.needs, base.name)
	x.payload += fmt.Sprintf(`, "derive": {"type": "filter", "base": "%s", "where": %s}`, base.name, jsonText(where))
}

// function returns a window function of one input.
func (r *maker) function(x *metric) string {
	if r.chance(20) {
		x.value = tolerant
		return pick(r, []string{"stddev_pop", "stddev_samp", "var_pop", "var_samp"})
	}
	function := pick(r, []string{"sum", "avg", "min", "max", "count"})
	switch {
	case x.value != exact && (function == "sum" || function == "avg"):
		x.value = tolerant
	case function == "avg":
		x.value = rounded
	}
	return function
}

// count returns an integer, sometimes as a parameter.
func (r *maker) count(x *metric, least int) string {
	if len(x.params) == 0 && r.chance(20) {
		x.params = append(x.params, &param{name: "n", kind: "int", values: []string{"1", "2", "3"}, byDefault: "2"})
		return `":n"`
	}
	return fmt.Sprint(least + r.IntN(3))
}

// span returns a length of time that a window reaches back.
func (r *maker) span(x *metric) string {
	count, unit := r.count(x, 1), r.unit([]string{"day", "week", "month", "quarter", "year"})
	if r.chance(30) {
		long := pick(r, [][2]string{{"10", "day"}, {"28", "day"}, {"45", "day"}, {"6", "week"}, {"36", "hour"}, {"48", "hour"}})
		count, unit = long[0], long[1]
	}
	return fmt.Sprintf(`"span": {"count": %s, "granularity": "%s"}`, count, unit)
}

func (r *maker) full() string {
	if r.chance(25) {
		return `, "require_full_window": true`
	}
	return ""
}

func (r *maker) resetKey() string {
	if r.chance(40) {
		return `, "reset": "` + r.unit(resetGrains) + `"`
	}
	return ""
}

var resetGrains = []string{"week", "month", "quarter", "year"}

func (r *maker) offsetWindow(x *metric) string {
	x.value = rounded
	calculation := `, "calculation": "` + pick(r, []string{"value", "delta", "percent_change", "ratio"}) + `"`
	grain := r.unit([]string{"day", "week", "month", "month", "quarter", "year"})
	if r.chance(40) {
		return fmt.Sprintf(`{"type": "pop", "offset": "%d %s"%s}`, 1+r.IntN(2), grain, calculation)
	}
	return fmt.Sprintf(`{"offset": {"count": %s, "granularity": "%s", "direction": "%s"}%s}`, r.count(x, 1), grain, pick(r, []string{"back", "forward"}), calculation)
}

func (r *maker) frameWindow(x, base *metric) string {
	var keys []string
	function := r.function(x)
	if r.chance(15) && base.value == exact { // what does not vary must not vary in the last digit
		var seconds []*metric
		for _, o := range r.plain() {
			if o.homes[0] == base.homes[0] && o != base && o.value == exact {
				seconds = append(seconds, o)
			}
		}
		if len(seconds) > 0 {
			function, x.value = pick(r, []string{"covar_pop", "covar_samp", "corr"}), tolerant
			second := pick(r, seconds)
			keys = append(keys, `"second": "`+second.name+`"`)
			x.needs = append(x.needs, second.name)
		}
	}
	keys = append(keys, `"function": "`+function+`"`)
	if r.chance(30) {
		keys = append(keys, `"scope": "partition"`)
		return `{"frame": {` + strings.Join(append(keys, r.partition(x)...), ", ") + "}}"
	}
	byValue := r.chance(25)
	if byValue {
		keys = append(keys, `"order": {"by": "value", "direction": "`+pick(r, []string{"asc", "desc"})+`"}`)
	} else if r.chance(20) {
		keys = append(keys, `"order": {"by": "time", "direction": "`+pick(r, []string{"asc", "desc"})+`"}`)
	}
	if r.chance(30) {
		keys = append(keys, `"preceding": "unbounded"`)
	} else {
		keys = append(keys, `"preceding": `+r.count(x, 0))
		keys = append(keys, strings.TrimPrefix(r.full(), ", "))
	}
	if r.chance(35) {
		keys = append(keys, `"units": "range"`)
	}
	if !byValue {
		keys = append(keys, strings.TrimPrefix(r.resetKey(), ", "))
	}
	keys = append(keys, r.partition(x)...)
	return `{"frame": {` + strings.Join(present(keys), ", ") + "}}"
}

func present(keys []string) []string {
	var out []string
	for _, k := range keys {
		if k != "" {
			out = append(out, k)
		}
	}
	return out
}

func (r *maker) partition(x *metric) []string {
	switch r.IntN(6) {
	case 0:
		return []string{`"partition": {"mode": "none"}`}
	case 1:
		return []string{`"partition": {"mode": "time_bucket"}`}
	case 2:
		d := pick(r, x.homes)
		return []string{`"partition": {"mode": "query_dimensions_except", "exclude": ["` + d.name + "." + d.name + `_kind"]}`}
	case 3:
		return []string{`"partition": {"mode": "query_dimensions"}`}
	}
	return nil
}

func (r *maker) order(usual string) []string {
	if r.chance(50) {
		return nil
	}
	by := usual
	if r.chance(50) {
		by = pick(r, []string{"time", "value"})
	}
	return []string{`"order": {"by": "` + by + `", "direction": "` + pick(r, []string{"asc", "desc"}) + `"}`}
}

func (r *maker) rankWindow(x *metric) string {
	function := pick(r, []string{"row_number", "rank", "dense_rank", "ntile", "percent_rank", "cume_dist"})
	keys := []string{`"function": "` + function + `"`}
	if function == "ntile" {
		keys = append(keys, `"buckets": `+r.count(x, 1))
	}
	return `{"rank": {` + strings.Join(append(append(keys, r.order("value")...), r.partition(x)...), ", ") + "}}"
}

func (r *maker) valueWindow(x *metric) string {
	function := pick(r, []string{"first_value", "last_value", "nth_value"})
	keys := []string{`"function": "` + function + `"`}
	if function == "nth_value" {
		keys = append(keys, `"n": `+r.count(x, 1))
	}
	return `{"value": {` + strings.Join(append(append(keys, r.order("time")...), r.partition(x)...), ", ") + "}}"
}
