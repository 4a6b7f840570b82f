package properties_test

import (
	"fmt"
	"slices"
	"strings"
)

// addMetrics gives the model metrics of every sort: plain aggregates of each
// dataset, arithmetic of them, filters, composes and windows.
func (r *maker) addMetrics() {
	for _, d := range r.m.datasets {
		r.aggregates(d)
	}
	for range 4 {
		r.statisticMetric(pick(r, r.m.datasets))
	}
	for range 2 {
		r.joinedMetric()
	}
	for range 3 {
		r.arithmetic()
	}
	for range 3 {
		r.filterMetric()
	}
	for range 6 {
		r.windowMetric()
	}
	if r.snapshots {
		for range 3 {
			r.snapshotMetric([]string{"last", "last", "first", "min", "max", "avg"}, isAny)
		}
		r.snapshotMetric([]string{"last", "first"}, isExactSum)
	}
	for range 3 {
		r.recomputedMetric()
	}
	if r.running {
		r.runningMetric()
		r.windowPairs()
	}
	for range 2 {
		r.expressionWindow()
	}
	r.offsetOfWindow()
	for range 3 {
		r.compose()
	}
}

func (r *maker) add(x *metric) *metric {
	r.names++
	x.name = fmt.Sprintf("%s_%d", x.name, r.names)
	r.m.metrics = append(r.m.metrics, x)
	return x
}

// aggregates adds plain aggregates of a dataset.
func (r *maker) aggregates(d *dataset) {
	qualified := func(f *field) string { return d.name + "." + f.name }
	numbers := d.fieldsOf(whole, quarters)
	add := func(name, function, arg string, of ...*field) *metric {
		number, value := true, exact
		for _, f := range of {
			number = number && (f.kind == whole || f.kind == quarters)
			value = max(value, f.value)
		}
		switch {
		case strings.HasPrefix(function, "COUNT"):
			number, value = true, exact
		case value != exact && function != "MIN" && function != "MAX":
			value = tolerant
		case function == "AVG":
			value = rounded
		}
		a := &aggregate{function, arg, d}
		return r.add(&metric{name: d.name + "_" + name, expr: a.over(arg), base: a, homes: []*dataset{d}, number: number, value: value})
	}
	f, g := pick(r, numbers), pick(r, numbers)
	add("count", "COUNT", qualified(d.fields[0]))
	add("sum", "SUM", qualified(f), f)
	if r.chance(50) {
		add("sum_of", "SUM", fmt.Sprintf("CASE WHEN %s THEN %s END", r.predicate(d, qualified), qualified(g)), g)
	}
	if r.chance(30) {
		add("product", "SUM", qualified(f)+" * "+qualified(g), f, g)
	}
	if r.chance(60) {
		add("avg", "AVG", qualified(g), g)
	}
	for _, function := range []string{"MIN", "MAX"} {
		if r.chance(60) {
			f := pick(r, d.fieldsOf(text, whole, quarters, day, moment, zoned, whole))
			add(strings.ToLower(function), function, qualified(f), f)
		}
	}
	if r.chance(70) {
		add("distinct", "COUNT DISTINCT", qualified(pick(r, d.fieldsOf(text, whole, day, truth, quarters))))
	}
	if r.chance(40) {
		r.add(&metric{name: d.name + "_rows", expr: "COUNT(*)", payload: `"dataset": "` + d.name + `"`, homes: []*dataset{d}, number: true})
	}
	last := r.m.metrics[len(r.m.metrics)-1]
	if last.payload == "" && last.number && r.chance(30) {
		last.payload = `"fill_nulls_with": ` + pick(r, []string{"0", "-1", "2.5"})
	}
	if last.payload == "" && r.chance(6) {
		last.payload = `"grains": ` + pick(r, []string{`["day", "month"]`, `["week"]`, `["month", "quarter", "year"]`})
	}
	if times := d.fieldsOf(day, moment, zoned); len(times) > 0 && r.chance(25) {
		x := pick(r, r.m.metrics[len(r.m.metrics)-2:])
		if slices.Contains(x.homes, d) && x.payload == "" {
			x.payload = `"time_dimension": "` + qualified(pick(r, times)) + `"`
		}
	}
}

// timedFirst leaves metrics whose homes have a time axis, mostly.
func (r *maker) timedFirst(metrics []*metric) []*metric {
	var out []*metric
	for _, x := range metrics {
		if !slices.ContainsFunc(x.homes, func(d *dataset) bool { return !d.timed() }) {
			out = append(out, x)
		}
	}
	if len(out) == 0 || r.chance(15) {
		return metrics
	}
	return out
}

// plain lists the metrics of one numeric aggregate.
func (r *maker) plain() []*metric {
	var out []*metric
	for _, x := range r.m.metrics {
		if x.base != nil && x.number && x.payload == "" {
			out = append(out, x)
		}
	}
	return out
}

// arithmetic adds a metric of two or three aggregates, of one home or several.
func (r *maker) arithmetic() {
	members := some(r, r.plain(), 2+r.IntN(2))
	if len(members) < 2 {
		return
	}
	x := &metric{name: "calc", number: true}
	a, b := members[0].expr, members[1].expr
	forms := []string{"%s - %s", "%s + %s", "%s * %s", "COALESCE(%s, 0) - %s", "ABS(%s) + %s"}
	if members[1].value != tolerant { // else a divisor that should be zero is almost zero
		forms = append(forms, "%s / %s", "%s / %s", "100 * %s / %s", "(%s - 1) / NULLIF(%s, 0)")
	}
	if members[0].value == exact && members[1].value == exact {
		forms = append(forms, "%s %% %s") // which jumps where the last digit of an operand differs
	}
	x.expr = fmt.Sprintf(pick(r, forms), a, b)
	x.homes = homesOf(members[:2])
	if len(members) == 3 {
		operator := pick(r, []string{"+", "/", "-"})
		if members[2].value == tolerant {
			operator = "-"
		}
		x.expr = fmt.Sprintf("(%s) %s %s", x.expr, operator, members[2].expr)
		x.homes = homesOf(members)
	}
	x.value = combined(members)
	if r.chance(30) {
		x.payload = `"fill_nulls_with": ` + pick(r, []string{"0", "-1"})
	}
	if r.chance(15) {
		var times []string
		for _, d := range r.m.datasets {
			for _, f := range d.fieldsOf(day, moment, zoned) {
				times = append(times, d.name+"."+f.name)
			}
		}
		if len(times) > 0 {
			x.payload = `"time_dimension": "` + pick(r, times) + `"`
		}
	}
	r.add(x)
}

// combined returns the exactness of arithmetic over its members.
func combined(members []*metric) exactness {
	value := rounded
	for _, m := range members {
		value = max(value, m.value)
	}
	return value
}

func homesOf(metrics []*metric) []*dataset {
	var out []*dataset
	for _, x := range metrics {
		for _, d := range x.homes {
			if !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// filterMetric adds a filtered aggregate, with a parameter or without.
func (r *maker) filterMetric() {
	base := pick(r, r.plain())
	if filtered := r.filtered(); len(filtered) > 0 && r.chance(25) {
		base = pick(r, filtered) // a filter of a filter
	}
	d := base.homes[0]
	bare := func(f *field) string { return d.name + "." + f.name }
	x := &metric{name: "only", homes: base.homes, number: true, needs: []string{base.name}, value: base.value}
	where := r.predicate(d, bare)
	filled := where
	if r.chance(60) {
		p, condition := r.parameter(d)
		x.params = append(x.params, p)
		if r.chance(40) {
			condition = "(" + condition + ") AND " + parens(where)
		}
		where = condition
		filled = strings.ReplaceAll(where, ":"+p.name, sqlOf(p, p.byDefault))
	}
	x.payload = fmt.Sprintf(`"derive": {"type": "filter", "base": "%s", "where": %s}%s`, base.name, jsonText(where), paramsOf(x.params))
	if x.filter = filled; base.filter != "" {
		x.filter = parens(base.filter) + " AND " + parens(filled)
		x.params = append(x.params, base.params...)
	}
	x.base, x.expr = base.base, fallback(base.base, x.filter)
	r.add(x)
}

// filtered lists the filtered aggregates.
func (r *maker) filtered() []*metric {
	var out []*metric
	for _, x := range r.m.metrics {
		if x.filter != "" {
			out = append(out, x)
		}
	}
	return out
}

// fallback returns the plain spelling of a filtered aggregate.
func fallback(a *aggregate, where string) string {
	return a.over(fmt.Sprintf("CASE WHEN %s THEN %s END", where, a.arg))
}

// parameter makes a parameter and a condition over a dataset that uses it.
func (r *maker) parameter(d *dataset) (*param, string) {
	r.names++
	p := &param{name: fmt.Sprintf("p%d", r.IntN(3))}
	at := ":" + p.name
	switch r.IntN(4) {
	case 0:
		p.kind, p.values = "string", []string{`"a"`, `"b"`, `"it's"`, `"x%y"`}
		p.byDefault = `"a"`
		return p, d.name + "." + d.name + "_kind = " + at
	case 1:
		if times := d.fieldsOf(day); len(times) > 0 {
			p.kind, p.values = "date", []string{`"2024-01-01"`, `"2024-02-10"`, `"2024-02-29"`}
			p.byDefault = `"2024-01-01"`
			return p, d.name + "." + pick(r, times).name + " >= " + at
		}
	case 2:
		if flags := d.fieldsOf(truth); len(flags) > 0 {
			p.kind, p.values = "bool", []string{"true", "false"}
			p.byDefault = "true"
			return p, d.name + "." + pick(r, flags).name + " = " + at
		}
	case 3:
		p.kind, p.values = "float", []string{"-1.5", "0", "2.25"}
		p.byDefault = "0"
		return p, d.name + "." + pick(r, d.fieldsOf(whole, quarters)).name + " > " + at
	}
	p.kind, p.values = "int", []string{"-2", "0", "1", "3"}
	p.byDefault = "1"
	return p, d.name + "." + pick(r, d.fieldsOf(whole)).name + " >= " + at
}

// sqlOf returns a parameter's value as a literal of SQL.
func sqlOf(p *param, value string) string {
	value = strings.Trim(value, `"`)
	switch p.kind {
	case "string":
		return quote(value)
	case "date":
		return "DATE " + quote(value)
	}
	return value
}

func paramsOf(params []*param) string {
	if len(params) == 0 {
		return ""
	}
	var list []string
	for _, p := range params {
		byDefault := ""
		if p.byDefault != "" {
			byDefault = `, "default": ` + p.byDefault
		}
		list = append(list, fmt.Sprintf(`{"name": "%s", "type": "%s"%s, "allowed": [%s]}`, p.name, p.kind, byDefault, strings.Join(p.values, ", ")))
	}
	return `, "params": [` + strings.Join(list, ", ") + "]"
}

// compose adds a compose of two metrics of any sort.
func (r *maker) compose() {
	var numeric []*metric
	for _, x := range r.m.metrics {
		if x.number {
			numeric = append(numeric, x)
		}
	}
	members := some(r, numeric, 2)
	x := &metric{name: "both", number: true, homes: homesOf(members), value: combined(members)}
	for _, m := range members {
		x.needs = append(x.needs, m.name)
		x.windows = x.windows || m.windows
		for _, p := range m.params {
			if !slices.ContainsFunc(x.params, func(o *param) bool { return o.name == p.name }) {
				x.params = append(x.params, p)
			}
		}
	}
	form := pick(r, []string{"%s / %s", "%s - %s", "%s + 2 * %s"})
	if members[1].value == tolerant {
		form = "%s - %s"
	}
	x.expr = fmt.Sprintf(form, members[0].name, members[1].name)
	if r.chance(50) {
		expr, fill := x.expr, ""
		if r.chance(60) {
			n := pick(r, []string{"0", "1"})
			fill = `, "fill": ` + n
			x.expr = fmt.Sprintf(form, "COALESCE("+members[0].name+", "+n+")", "COALESCE("+members[1].name+", "+n+")")
		}
		x.payload = fmt.Sprintf(`"derive": {"type": "compose", "expr": "%s"%s}`, expr, fill)
	}
	if r.chance(25) {
		if x.payload != "" {
			x.payload += ", "
		}
		x.payload += `"fill_nulls_with": 9`
	}
	r.add(x)
}
