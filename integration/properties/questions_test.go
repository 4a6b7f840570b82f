package properties_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/planner/query"
)

// question is the body of a metric query.
type question struct {
	Metrics       []string                   `json:"metrics,omitempty"`
	GroupBy       []query.GroupBy            `json:"group_by,omitempty"`
	WhereSQL      string                     `json:"where_sql,omitempty"`
	ContextFilter string                     `json:"context_filter,omitempty"`
	TimeRange     *query.TimeRange           `json:"time_range,omitempty"`
	TimeRanges    map[string]query.TimeRange `json:"time_ranges,omitempty"`
	Compare       query.Comparisons          `json:"compare,omitempty"`
	OrderBy       []query.OrderBy            `json:"order_by,omitempty"`
	Limit         *int                       `json:"limit,omitempty"`
	Offset        int                        `json:"offset,omitempty"`
	Params        map[string]json.RawMessage `json:"params,omitempty"`
	With          []query.LocalField         `json:"with,omitempty"`
	Distinct      bool                       `json:"distinct,omitempty"`
	From          string                     `json:"from,omitempty"`
	Totals        [][]string                 `json:"totals,omitempty"`
	Shares        []query.ShareRequest       `json:"shares,omitempty"`
	Top           *query.Top                 `json:"top,omitempty"`
	Fill          *query.Fill                `json:"fill,omitempty"`
	AsOf          string                     `json:"as_of,omitempty"`
	TimeZone      string                     `json:"time_zone,omitempty"`
	WeekStart     string                     `json:"week_start,omitempty"`
	FanOut        string                     `json:"fan_out,omitempty"`
	View          string                     `json:"view,omitempty"`
	Defaults      *bool                      `json:"defaults,omitempty"`
	Sequences     []json.RawMessage          `json:"sequences,omitempty"`

	inline map[string]query.InlineMetric // by the names in Metrics
	added  []string                      // columns that the keys of the question add
}

func (q *question) json() string { return jsonOf(q) }

// MarshalJSON writes the items of metrics, some of which have an expression.
func (q *question) MarshalJSON() ([]byte, error) {
	type plain question
	var items []any
	for _, name := range q.Metrics {
		if x, ok := q.inline[name]; ok {
			items = append(items, x)
		} else {
			items = append(items, name)
		}
	}
	return []byte(jsonOf(struct {
		Metrics []any `json:"metrics,omitempty"`
		*plain
	}{items, (*plain)(q)})), nil
}

func jsonOf(v any) string {
	b := new(strings.Builder)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func (q *question) clone() *question {
	c := *q
	c.Metrics, c.GroupBy, c.OrderBy = slices.Clone(q.Metrics), slices.Clone(q.GroupBy), slices.Clone(q.OrderBy)
	c.Params, c.TimeRanges = maps.Clone(q.Params), maps.Clone(q.TimeRanges)
	c.With, c.Totals, c.Shares = slices.Clone(q.With), slices.Clone(q.Totals), slices.Clone(q.Shares)
	return &c
}

// place is a field as a query can name it.
type place struct {
	ref   string // dataset.field, or a path of relationships
	name  string // of the output column without a grain
	field *field
	safe  bool // every home reaches it without making two rows of one
}

// places lists what the metrics of a query could be grouped and filtered by.
func (r *maker) places(homes []*dataset) []place {
	var out []place
	for _, d := range r.m.datasets {
		safe := !slices.ContainsFunc(homes, func(h *dataset) bool { return !r.reaches(h, d) })
		for _, f := range d.fields {
			out = append(out, place{d.name + "." + f.name, f.name, f, safe})
		}
	}
	for _, rel := range r.m.relations {
		if slices.Contains(homes, rel.from) {
			safe := rel.safe() && len(homes) == 1
			for _, f := range rel.to.fields {
				out = append(out, place{rel.name + "." + f.name, rel.name + "__" + f.name, f, safe})
			}
			for _, second := range r.m.relations {
				if second.from != rel.to || second.to == rel.from || second.from == second.to || rel.from == rel.to {
					continue
				}
				both := safe && second.safe()
				for _, f := range second.to.fields {
					out = append(out, place{rel.name + "." + second.name + "." + f.name, rel.name + "__" + second.name + "__" + f.name, f, both})
				}
			}
		}
	}
	return out
}

// reaches reports whether a dataset is reached from another by exactly one path
// that does not make two rows of one.
func (r *maker) reaches(from, to *dataset) bool { return len(r.safePaths(from, to)) == 1 }

// safePaths lists the paths of edges that lead from one row to at most one, as the
// names of their relationships.
func (r *maker) safePaths(from, to *dataset) [][]string {
	var found [][]string
	var walk func(at *dataset, seen []*dataset, path []string)
	walk = func(at *dataset, seen []*dataset, path []string) {
		if at == to {
			found = append(found, slices.Clone(path))
			return
		}
		seen = append(slices.Clone(seen), at)
		for _, rel := range r.m.relations {
			if rel.from == at && rel.safe() && !slices.Contains(seen, rel.to) {
				walk(rel.to, seen, append(path, rel.name))
			}
			if rel.to == at && rel.proves == "one_to_one" && !slices.Contains(seen, rel.from) {
				walk(rel.from, seen, append(path, rel.name))
			}
		}
	}
	walk(from, nil, nil)
	return found
}

// safe reports whether an edge leads from one row to at most one.
func (r *relation) safe() bool { return r.proves == "many_to_one" || r.proves == "one_to_one" }

// asked returns a query: mostly of metrics.
func (r *maker) asked() planeQuery {
	switch {
	case r.chance(20):
		return r.detailQuestion()
	case r.chance(8):
		return r.distinctQuestion()
	}
	return r.fullQuestion()
}

// question requests metrics with the keys that choose rows and groups.
func (r *maker) question() *question { return r.questionWith(false) }

// fullQuestion requests metrics with any keys.
func (r *maker) fullQuestion() *question { return r.questionWith(true) }

func (r *maker) questionWith(all bool) *question {
	return r.questionOf(&question{}, r.chosen(), all)
}

// questionOf requests some metrics, beside those that the question has.
func (r *maker) questionOf(q *question, metrics []*metric, all bool) *question {
	if all {
		local := 10
		if len(q.Sequences) > 0 {
			local = 0 // a level of detail cannot be over rows that only the question has
		}
		undo := r.localFields(&q.With, local)
		defer undo()
		for range 2 {
			if x := r.inlineMetric(metrics); x != nil && r.chance(11) {
				if q.inline == nil {
					q.inline = map[string]query.InlineMetric{}
				}
				metrics = append(metrics, x)
				q.inline[x.name] = itemOf(x)
			}
		}
	}
	for _, x := range metrics {
		q.Metrics = append(q.Metrics, x.name)
	}
	if r.chance(1) {
		q.Metrics = append(q.Metrics, pick(r, []string{q.Metrics[0], "no_such_metric"}))
	}
	homes := homesOf(metrics)
	places := r.places(homes)
	if all && r.chance(12) {
		q.FanOut = query.FanOutOncePerGroup
		places = r.withoutSafe(places)
	}
	windows := slices.ContainsFunc(metrics, func(x *metric) bool { return x.windows })
	timed := !slices.ContainsFunc(homes, func(d *dataset) bool { return !d.timed() })
	grouped, bucketed := r.groupBy(q, places, windows, timed)
	if text, ok := r.expressionOf(places); ok && all && r.chance(14) {
		q.GroupBy = append(q.GroupBy, query.GroupBy{Name: pick(r, []string{"x1", "Group"}), Expression: text})
	}
	r.timeRange(q, places, timed, all)
	r.bind(q, metrics)
	if all {
		r.filled(q, timed)
		r.comparison(q, metrics, timed)
		r.topValues(q, metrics)
		r.levels(q, metrics)
		q.TimeZone, q.WeekStart = r.clock()
		if !q.isRelative() {
			q.AsOf = ""
		}
	}
	r.filters(q, places, grouped, bucketed, metrics)
	r.orderBy(q, metrics)
	return q
}

// withoutSafe leaves mostly places that make several rows of one, and lets a question group
// and filter by them.
func (r *maker) withoutSafe(places []place) []place {
	var out []place
	for _, p := range places {
		if p.safe && r.chance(70) {
			continue
		}
		p.safe = true
		out = append(out, p)
	}
	if len(out) == 0 || r.chance(25) {
		return places
	}
	return out
}

// chosen picks the metrics of a query: mostly of few homes, so that most queries
// have a result.
func (r *maker) chosen() []*metric {
	first := r.m.metrics
	if r.chance(70) {
		first = r.timedFirst(first)
	}
	out := []*metric{pick(r, first)}
	for range r.IntN(3) {
		x := pick(r, r.m.metrics)
		if !slices.Contains(out, x) && (r.chance(50) || len(homesOf(append(slices.Clone(out), x))) == len(homesOf(out))) {
			out = append(out, x)
		}
	}
	return out
}

// columnNames are names that a query gives its columns: new ones, and one of a field.
var columnNames = []string{"g1", "g2", "Region", "amount"}

var grains = []string{"day", "week", "month", "month", "month", "quarter", "year"}

// grain returns a grain of a question, sometimes one below the day.
func (r *maker) grain() string {
	if r.chance(12) {
		return pick(r, []string{"hour", "hour", "hour", "hour", "minute", "second"})
	}
	return r.unit(grains)
}

// groupBy adds group-bys and returns the fields that are grouped as they are
// stored, and those that are grouped by a grain.
func (r *maker) groupBy(q *question, places []place, windows, timed bool) (grouped, bucketed []place) {
	taken := map[string]bool{}
	add := func(item query.GroupBy, output string) bool {
		if item.Grain != "" && item.Name == "" {
			output += "__" + item.Grain
		}
		if taken[output] && !r.chance(3) {
			return false
		}
		taken[output] = true
		q.GroupBy = append(q.GroupBy, item)
		return true
	}
	axis := 30
	if windows {
		axis = 95
	}
	if !timed {
		axis /= 10
	}
	if r.chance(axis) {
		grain := r.grain()
		add(query.GroupBy{Field: "metric_time", Grain: grain}, "metric_time")
		chance := 20
		if isPeriod(grain) {
			chance = 50
		}
		if r.chance(chance) {
			item, output := r.sameTime(places, grain)
			add(item, output)
		}
	} else if r.chance(5) {
		add(query.GroupBy{Field: "metric_time"}, "metric_time")
	}
	for range pick(r, []int{0, 1, 1, 1, 2, 2, 3}) {
		p, ok := r.place(places)
		if !ok {
			continue
		}
		item := query.GroupBy{Field: p.ref}
		if p.field.isTime() && r.chance(75) || r.chance(1) {
			item.Grain = r.grain()
		}
		if r.chance(10) && strings.Count(p.ref, ".") == 1 {
			item.Field = p.field.name
		}
		output := p.name
		if r.chance(10) {
			output = pick(r, columnNames)
			item.Name = output
		}
		switch {
		case !add(item, output):
		case item.Grain == "":
			grouped = append(grouped, p)
		case p.field.isTime():
			bucketed = append(bucketed, p)
		}
	}
	r.Shuffle(len(q.GroupBy), func(i, j int) { q.GroupBy[i], q.GroupBy[j] = q.GroupBy[j], q.GroupBy[i] })
	return grouped, bucketed
}

// sameTime returns a group-by that often reads the same time as buckets of metric_time: these buckets or coarser ones.
func (r *maker) sameTime(places []place, grain string) (query.GroupBy, string) {
	item, output := query.GroupBy{Field: "metric_time", Grain: grain}, "metric_time"
	times := slices.DeleteFunc(slices.Clone(places), func(p place) bool { return !p.safe || !p.field.isTime() })
	if len(times) > 0 && r.chance(40) {
		p := pick(r, times)
		item.Field, output = p.ref, p.name
	}
	if r.chance(40) {
		item.Grain = r.grain()
	} else if item.Field == "metric_time" {
		item.Name, output = "Same", "Same"
	}
	return item, output
}

func (f *field) isTime() bool {
	return f.kind == day || f.kind == moment || f.kind == zoned || f.encoded != ""
}

// place picks a field: mostly one that all homes reach.
func (r *maker) place(places []place) (place, bool) {
	wanted := slices.DeleteFunc(slices.Clone(places), func(p place) bool { return !p.safe })
	if r.chance(9) {
		wanted = places
	}
	if len(wanted) == 0 {
		return place{}, false
	}
	return pick(r, wanted), true
}

// filters adds conditions on the input and on the result.
func (r *maker) filters(q *question, places, grouped, bucketed []place, metrics []*metric) {
	var conjuncts []string
	if r.chance(35) {
		conjuncts = append(conjuncts, r.inputCondition(places))
	}
	onGroups := 20
	if slices.ContainsFunc(metrics, func(x *metric) bool { return x.windows }) {
		onGroups = 40 // which hides rows after the window
	}
	if r.chance(onGroups) && len(grouped) > 0 {
		conjuncts = append(conjuncts, r.inputCondition(grouped))
	}
	if r.chance(20) && len(bucketed) > 0 {
		conjuncts = append(conjuncts, r.inputCondition(bucketed))
	}
	if r.chance(20) {
		conjuncts = append(conjuncts, r.resultCondition(metrics, grouped, q))
	}
	if len(q.added) > 0 && r.chance(20) {
		conjuncts = append(conjuncts, r.addedCondition(pick(r, q.added)))
	}
	q.WhereSQL = strings.Join(present(conjuncts), " AND ")
	if r.chance(20) {
		q.ContextFilter = r.inputCondition(places)
	}
}

// inputCondition returns a condition on rows.
func (r *maker) inputCondition(from []place) string {
	var parts []string
	for range 1 + r.IntN(2) {
		p, ok := r.place(from)
		if !ok || p.field.kind == code || p.field.encoded != "" && r.chance(98) {
			continue
		}
		name := p.ref
		if r.chance(8) && strings.Count(name, ".") == 1 {
			name = p.field.name
		}
		parts = append(parts, r.test(p.field, name))
	}
	switch {
	case len(parts) == 2 && r.chance(40):
		return parens(strings.Join(parts, " OR "))
	case len(parts) > 0 && r.chance(15):
		return "NOT " + parens(parts[0])
	}
	return strings.Join(parts, " AND ")
}

// resultCondition returns a condition about the rows of the result. Its constants are
// such that no sum of quarters and no mean of few of them meets them.
func (r *maker) resultCondition(metrics []*metric, grouped []place, q *question) string {
	x := pick(r, metrics)
	name := x.name
	for _, tag := range slices.Sorted(maps.Keys(q.TimeRanges)) {
		if name == x.name && r.chance(90) {
			name += "__" + tag
		}
	}
	if !x.number || x.value == tolerant || r.chance(20) {
		return name + pick(r, []string{" IS NULL", " IS NOT NULL"})
	}
	bound := pick(r, []string{"-3.137", "0.0371", "4.713", "20.331"})
	out := fmt.Sprintf("%s %s %s", name, pick(r, []string{">", "<"}), bound)
	switch {
	case r.chance(15) && len(grouped) > 0:
		p := pick(r, grouped)
		if p.field.kind != code {
			return parens(out + " OR " + r.test(p.field, p.ref))
		}
	case r.chance(30):
		for _, g := range q.GroupBy {
			if g.Name != "" {
				return out + " AND " + g.Name + pick(r, []string{" IS NULL", " IS NOT NULL"})
			}
			if g.Field == "metric_time" && g.Grain != "" {
				return fmt.Sprintf("%s AND metric_time__%s >= DATE '2024-02-01'", out, g.Grain)
			}
		}
	}
	return out
}

// addedCondition returns a condition on a column that a key adds.
func (r *maker) addedCondition(name string) string {
	switch {
	case r.chance(25):
		return name + pick(r, []string{" IS NULL", " IS NOT NULL"})
	case strings.HasSuffix(name, "__other"):
		return pick(r, []string{name, "NOT " + name})
	}
	return name + pick(r, []string{" > 0.1371", " < 0.4713", " <> 1"})
}

var bounds = []string{"2023-12-01", "2023-12-18", "2024-01-01", "2024-01-10", "2024-01-31", "2024-02-01", "2024-02-29", "2024-03-01", "2024-04-01", "2024-05-01", "2024-02-15T12:00:00", "2024-12-30"}

// someRange makes a range. One of a question may be relative.
func (r *maker) someRange(of *question) query.TimeRange {
	if of != nil && r.chance(12) {
		of.AsOf = pick(r, bounds)
		last := &query.RelativeRange{N: int64(1 + r.IntN(4)), Unit: pick(r, []string{"hour", "day", "week", "month", "month", "quarter", "year", "minute"})}
		if r.chance(50) {
			complete := r.chance(30)
			last.Complete = &complete
		}
		return query.TimeRange{Last: last}
	}
	t := query.TimeRange{Start: pick(r, bounds), End: pick(r, bounds)}
	if t.Start > t.End && !r.chance(3) {
		t.Start, t.End = t.End, t.Start
	}
	if t.Start == t.End {
		t.End = "2024-06-01"
	}
	switch r.IntN(8) {
	case 0:
		t.Start = ""
	case 1:
		t.End = ""
	}
	return t
}

// timeRange adds a range or named ones.
func (r *maker) timeRange(q *question, places []place, timed, all bool) {
	var of *question
	if all {
		of = q
	}
	dimension := func() string {
		switch r.IntN(10) {
		case 0, 1, 2, 3:
			if timed {
				return "metric_time"
			}
		case 4:
			for range 20 {
				if p, ok := r.place(places); ok && p.field.isTime() {
					return p.ref
				}
			}
		}
		return ""
	}
	chance := r.IntN(100)
	if !timed && r.chance(70) {
		return
	}
	switch {
	case chance < 28:
		t := r.someRange(of)
		t.Dimension = dimension()
		q.TimeRange = &t
	case chance < 38:
		q.TimeRanges = map[string]query.TimeRange{}
		at := dimension()
		for _, tag := range some(r, []string{"now", "before", "t_3"}, 1+r.IntN(2)) {
			t := r.someRange(of)
			if r.chance(10) {
				at = dimension()
			}
			t.Dimension = at
			q.TimeRanges[tag] = t
		}
	}
}

// fieldParams lists the parameters of level-of-detail fields that a metric's
// expression names.
func (r *maker) fieldParams(x *metric) []*param {
	var out []*param
	for _, d := range r.m.datasets {
		for _, f := range d.fields {
			if strings.Contains(x.expr, d.name+"."+f.name) {
				out = append(out, f.params...)
			}
		}
	}
	return out
}

// bind gives values to parameters, sometimes several.
func (r *maker) bind(q *question, metrics []*metric) {
	for _, x := range metrics {
		for _, p := range append(slices.Clone(x.params), r.fieldParams(x)...) {
			if !r.chance(60) {
				continue
			}
			if q.Params == nil {
				q.Params = map[string]json.RawMessage{}
			}
			value := pick(r, p.values)
			if r.chance(40) {
				value = "[" + strings.Join(some(r, p.values, 1+r.IntN(3)), ", ") + "]"
			}
			q.Params[p.name] = json.RawMessage(value)
		}
	}
}

// orderBy sorts and cuts. Only names that are certain to be columns are keys.
func (r *maker) orderBy(q *question, metrics []*metric) {
	if r.chance(30) {
		var keys []string
		for _, g := range q.GroupBy {
			if g.Name != "" {
				keys = append(keys, g.Name)
			} else if g.Expression != "" {
				continue
			} else if i := strings.LastIndex(g.Field, "."); g.Grain == "" && strings.Count(g.Field, ".") <= 1 && r.m.dataset(strings.SplitN(g.Field, ".", 2)[0]) != nil {
				keys = append(keys, g.Field[i+1:])
			} else if g.Field == "metric_time" {
				keys = append(keys, strings.TrimSuffix("metric_time__"+g.Grain, "__"))
			}
		}
		for _, x := range metrics {
			name := x.name
			if x.value == tolerant {
				continue
			}
			for tag := range q.TimeRanges {
				keys = append(keys, name+"__"+tag)
			}
			if len(q.TimeRanges) == 0 {
				keys = append(keys, name)
			}
		}
		keys = append(keys, q.added...)
		slices.Sort(keys)
		for _, k := range some(r, keys, 1+r.IntN(2)) {
			q.OrderBy = append(q.OrderBy, query.OrderBy{Key: k, Desc: r.chance(50)})
		}
	}
	if r.chance(20) {
		n := r.IntN(6)
		q.Limit = &n
	}
	if r.chance(10) {
		q.Offset = r.IntN(4)
	}
}
