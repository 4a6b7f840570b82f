package properties_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/planner/query"
)

// constructs are the keys that a random question may have.
var constructs = []string{"buckets", "inline", "expression", "with", "distinct", "compare", "top", "fill", "last", "time_zone", "week_start", "hours", "period", "statistic", "fan_out"}

func (q *question) keys() []string {
	hours := slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return isHours(g.Grain) })
	period := slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return isPeriod(g.Grain) })
	return present([]string{
		keyIf("buckets", bucketCount(q) > 1),
		keyIf("inline", len(q.inline) > 0), keyIf("with", len(q.With) > 0), keyIf("distinct", q.Distinct), keyIf("totals", q.Totals != nil),
		keyIf("expression", slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Expression != "" })),
		keyIf("shares", q.Shares != nil), keyIf("compare", q.Compare != nil), keyIf("top", q.Top != nil), keyIf("fill", q.Fill != nil),
		keyIf("last", q.isRelative()), keyIf("time_zone", q.TimeZone != ""), keyIf("week_start", q.WeekStart != ""), keyIf("hours", hours), keyIf("period", period),
		keyIf("statistic", q.hasStatistic()), keyIf("fan_out", q.FanOut != ""),
	})
}

func (q *detail) keys() []string {
	hours := slices.ContainsFunc(q.Fields, func(text string) bool {
		_, grain, _ := strings.Cut(text, ":")
		return isHours(grain)
	})
	period := slices.ContainsFunc(q.Fields, func(text string) bool {
		_, grain, _ := strings.Cut(text, ":")
		return isPeriod(grain)
	})
	return present([]string{
		keyIf("with", len(q.With) > 0), keyIf("last", q.TimeRange != nil && q.TimeRange.Last != nil),
		keyIf("time_zone", q.TimeZone != ""), keyIf("week_start", q.WeekStart != ""), keyIf("hours", hours), keyIf("period", period),
	})
}

func keyIf(key string, given bool) string {
	if given {
		return key
	}
	return ""
}

// isHours reports whether a grain is below the day.
func isHours(grain string) bool { return slices.Contains([]string{"hour", "minute", "second"}, grain) }

// groupNames returns the names of the columns that a question groups by.
func (r *maker) groupNames(q *question) []string {
	var out []string
	for _, g := range q.GroupBy {
		if name := r.groupName(g); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func (r *maker) groupName(g query.GroupBy) string {
	if g.Name != "" {
		return g.Name
	}
	path := strings.Split(g.Field, ".")
	if len(path) == 2 && r.m.dataset(path[0]) != nil {
		path = path[1:]
	}
	name := strings.Join(path, "__")
	if g.Grain != "" {
		name += "__" + g.Grain
	}
	return name
}

// isList reports whether a list of values makes several columns of a metric.
func (r *maker) isList(q *question, x *metric) bool {
	return slices.ContainsFunc(append(slices.Clone(x.params), r.fieldParams(x)...), func(p *param) bool {
		return strings.HasPrefix(string(q.Params[p.name]), "[")
	})
}

// columnOf returns a column of a metric; ok is false where the values of parameters name it.
func (r *maker) columnOf(q *question, x *metric) (name string, ok bool) {
	if r.isList(q, x) {
		return "", false
	}
	if tags := slices.Sorted(maps.Keys(q.TimeRanges)); len(tags) > 0 {
		return x.name + "__" + pick(r, tags), true
	}
	return x.name, true
}

// levels adds totals and shares.
func (r *maker) levels(q *question, metrics []*metric) {
	names, chance := r.groupNames(q), 18
	if bucketCount(q) > 1 {
		chance = 50 // some levels are without buckets that others have
	}
	if len(names) > 0 && r.chance(chance) {
		seen := map[string]bool{}
		for range 1 + r.IntN(3) {
			set := some(r, names, r.IntN(len(names)))
			key := strings.Join(slices.Sorted(slices.Values(set)), ",")
			if !seen[key] {
				q.Totals = append(q.Totals, set)
			}
			seen[key] = true
		}
	}
	if !r.chance(16) {
		return
	}
	for _, x := range some(r, metrics, 1+r.IntN(2)) {
		if !x.number || x.windows && r.chance(95) {
			continue
		}
		name := x.name
		if column, ok := r.columnOf(q, x); ok && r.chance(30) {
			name = column
		}
		var of []string
		if r.chance(50) {
			of = some(r, names, r.IntN(len(names)+1))
		}
		q.Shares = append(q.Shares, query.ShareRequest{Metric: name, Of: of})
		if r.chance(70) {
			if column, ok := r.columnOf(q, x); ok && column == name && x.value != tolerant {
				q.added = append(q.added, r.shareName(q, name, of))
			}
		}
	}
}

// bucketCount returns the number of group-bys with a grain.
func bucketCount(q *question) int {
	n := 0
	for _, g := range q.GroupBy {
		n += asInt(g.Grain != "")
	}
	return n
}

// shareName returns the column of a share, whose columns are in the order of the group-bys.
func (r *maker) shareName(q *question, column string, of []string) string {
	name := column + "__share"
	for _, g := range r.groupNames(q) {
		if slices.Contains(of, g) {
			name += "__" + g
		}
	}
	return name
}

// topValues keeps some values of a column.
func (r *maker) topValues(q *question, metrics []*metric) {
	if len(q.GroupBy) == 0 || !r.chance(18) {
		return
	}
	if slices.ContainsFunc(metrics, func(x *metric) bool { return x.windows }) && r.chance(60) {
		return
	}
	names := r.groupNames(q)
	top := &query.Top{Dimension: pick(r, names), N: int64(1 + r.IntN(3))}
	if first := metrics[0]; first.value == tolerant || first.windows && r.chance(95) || r.isList(q, first) || r.chance(50) {
		ranking := slices.DeleteFunc(slices.Clone(metrics), func(x *metric) bool {
			return x.value == tolerant || x.windows && r.chance(95) || r.isList(q, x) || !x.number
		})
		if len(ranking) == 0 {
			return
		}
		top.By, _ = r.columnOf(q, pick(r, ranking))
	} else if !first.number {
		return
	}
	if r.chance(50) {
		desc := r.chance(30)
		top.Desc = &desc
	}
	if r.chance(40) {
		others := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == top.Dimension })
		top.Within = some(r, others, r.IntN(3))
	}
	switch r.IntN(5) {
	case 0:
		top.Other = &query.TopOther{Off: true}
	case 1, 2:
		if r.isTextColumn(q, top.Dimension) || r.chance(2) {
			top.Other = &query.TopOther{Label: pick(r, []string{"rest", "a", "x%y"})}
		}
	}
	q.Top = top
	if top.Other == nil || !top.Other.Off {
		q.added = append(q.added, top.Dimension+"__other")
	}
}

// isTextColumn reports whether a column groups by a text.
func (r *maker) isTextColumn(q *question, name string) bool {
	for _, g := range q.GroupBy {
		if r.groupName(g) != name || g.Grain != "" || g.Expression != "" {
			continue
		}
		last := g.Field[strings.LastIndex(g.Field, ".")+1:]
		for _, d := range r.m.datasets {
			if f := d.field(last); f != nil && (f.kind != text || !f.typed || f.encoded != "") {
				return false
			}
		}
		return true
	}
	return false
}

// wholeRange gives a question a range with both bounds.
func (r *maker) wholeRange(q *question, dimension string) {
	for q.TimeRange == nil || q.TimeRange.Last == nil && (q.TimeRange.Start == "" || q.TimeRange.End == "") {
		t := r.someRange(q)
		if q.TimeRange != nil {
			t.Dimension = q.TimeRange.Dimension
		} else {
			t.Dimension = dimension
		}
		q.TimeRange = &t
	}
}

// comparison compares numbers with an earlier range.
func (r *maker) comparison(q *question, metrics []*metric, timed bool) {
	if !r.chance(16) || len(q.TimeRanges) > 0 && r.chance(95) {
		return
	}
	compared := slices.DeleteFunc(slices.Clone(metrics), func(x *metric) bool {
		return !x.number || x.value == tolerant || x.windows && r.chance(97)
	})
	if len(compared) == 0 {
		return
	}
	dimension := ""
	if timed {
		dimension = "metric_time"
	}
	if r.chance(97) {
		r.wholeRange(q, dimension)
	}
	names := []string{""}
	if r.chance(35) {
		names = some(r, []string{"", "ly", "2", "Other"}, 2+r.IntN(3))
		if r.chance(3) {
			names[1] = strings.ToLower(names[0])
		}
	}
	for _, name := range names {
		q.Compare = append(q.Compare, r.oneComparison(q, metrics, compared, name))
	}
}

// oneComparison compares some of the numbers with one earlier range.
func (r *maker) oneComparison(q *question, metrics, compared []*metric, name string) query.Compare {
	c := query.Compare{Name: name}
	if len(compared) < len(metrics) || r.chance(30) {
		for _, x := range some(r, compared, 1+r.IntN(len(compared))) {
			c.Metrics = append(c.Metrics, x.name)
		}
	}
	if r.chance(30) {
		from := pick(r, []string{"2023-12-01", "2023-12-31", "2024-01-15", "2024-02-01", "2024-02-29T06:00:00"})
		c.Range = &query.TimeRange{Start: from, End: pick(r, []string{"2024-03-01", "2024-03-31", "2024-05-01", "2025-02-01"})}
	} else {
		unit := r.unit(grains)
		for _, g := range q.GroupBy {
			if g.Grain != "" && r.chance(80) {
				unit = g.Grain
			}
		}
		c.Offset = &query.PeriodOffset{Count: int64(1 + r.IntN(3)), Unit: unit}
	}
	for _, x := range compared {
		if (len(c.Metrics) == 0 || slices.Contains(c.Metrics, x.name)) && !r.isList(q, x) {
			q.added = append(q.added, c.ColumnName(x.name, pick(r, []string{"previous", "change", "change_ratio"})))
		}
	}
	return c
}

// filled makes the time axis dense.
func (r *maker) filled(q *question, timed bool) {
	if !r.chance(14) || len(q.TimeRanges) > 0 && r.chance(95) {
		return
	}
	grained := slices.DeleteFunc(slices.Clone(q.GroupBy), func(g query.GroupBy) bool { return g.Grain == "" })
	if len(grained) == 0 && timed {
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: "metric_time", Grain: r.unit(grains)})
		grained = q.GroupBy[len(q.GroupBy)-1:]
	}
	if len(grained) == 0 && r.chance(90) {
		return
	}
	if len(grained) > 1 && r.chance(90) {
		q.GroupBy = slices.DeleteFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Grain != "" && r.groupName(g) != r.groupName(grained[0]) })
	}
	if r.chance(97) {
		if len(grained) > 0 {
			q.TimeRange = nil
			r.wholeRange(q, grained[0].Field)
		}
	}
	q.Fill = &query.Fill{}
	if r.chance(40) {
		q.Fill.Value = pick(r, []string{"0", "-1", "2.5"})
	}
}

// inlineMetric makes a metric of the question: of the same sorts as those of the model.
func (r *maker) inlineMetric(chosen []*metric) *metric {
	before := r.m.metrics
	defer func() { r.m.metrics = before }()
	switch r.IntN(4) {
	case 0:
		r.aggregates(pick(r, homesOf(chosen)))
	case 1:
		r.statisticMetric(pick(r, homesOf(chosen)))
	case 2:
		r.arithmetic()
	default:
		members := slices.DeleteFunc(slices.Clone(chosen), func(x *metric) bool { return !x.number })
		if len(members) == 0 {
			return nil
		}
		a, b := pick(r, members), pick(r, members)
		x := &metric{name: "of", number: true, homes: homesOf([]*metric{a, b}), value: combined([]*metric{a, b}), windows: a.windows || b.windows, params: slices.Concat(a.params, b.params)}
		form := "%s + 3 * %s"
		if b.value != tolerant {
			form = pick(r, []string{form, "%s / %s", "CASE WHEN %s > 2.137 THEN 1 ELSE %s END"})
		}
		if a.value == tolerant && strings.HasPrefix(form, "CASE") {
			form = "%s - %s"
		}
		x.expr = fmt.Sprintf(form, a.name, b.name)
		r.add(x)
	}
	added := slices.DeleteFunc(slices.Clone(r.m.metrics[len(before):]), (*metric).isList)
	if len(added) == 0 {
		return nil
	}
	x := *pick(r, added)
	if x.payload != "" && !strings.HasPrefix(x.payload, `"dataset"`) && !strings.HasPrefix(x.payload, `"time_dimension"`) {
		x.payload = ""
	}
	return &x
}

// itemOf returns a metric as an item of metrics.
func itemOf(x *metric) query.InlineMetric {
	var payload struct {
		Dataset       string `json:"dataset"`
		TimeDimension string `json:"time_dimension"`
	}
	if err := json.Unmarshal([]byte("{"+x.payload+"}"), &payload); err != nil {
		panic(err)
	}
	return query.InlineMetric{Name: x.name, Expression: x.expr, Dataset: payload.Dataset, TimeDimension: payload.TimeDimension}
}

// expressionOf returns a group expression over fields.
func (r *maker) expressionOf(places []place) (string, bool) {
	usable := slices.DeleteFunc(slices.Clone(places), func(p place) bool {
		return p.field.kind == code || p.field.encoded != "" || strings.Contains(p.field.payload, "is_dimension") || p.field.value != exact || !p.field.typed && p.field.expr == p.field.name
	})
	p, ok := r.place(usable)
	if !ok {
		return "", false
	}
	x := p.ref
	switch p.field.kind {
	case text:
		return pick(r, []string{
			fmt.Sprintf("COALESCE(%s, 'none')", x), fmt.Sprintf("UPPER(%s)", x), fmt.Sprintf("CASE WHEN %s IN ('a', 'b') THEN 'few' ELSE 'many' END", x), fmt.Sprintf("CONCAT(%s, '-', %s)", x, x), fmt.Sprintf("LENGTH(%s)", x),
		}), true
	case truth:
		return pick(r, []string{"NOT " + x, fmt.Sprintf("COALESCE(%s, FALSE)", x)}), true
	case whole:
		return pick(r, []string{fmt.Sprintf("%s * 2", x), fmt.Sprintf("CASE WHEN %s > 1 THEN 'high' WHEN %s <= 1 THEN 'low' END", x, x), fmt.Sprintf("COALESCE(%s, 0)", x), fmt.Sprintf("ABS(%s)", x)}), true
	case day, moment, zoned:
		return pick(r, []string{fmt.Sprintf("EXTRACT(MONTH FROM %s)", x), fmt.Sprintf("YEAR(%s)", x), fmt.Sprintf("CASE WHEN %s < DATE '2024-02-01' THEN 'early' ELSE 'late' END", x)}), true
	}
	if other, ok := r.place(usable); ok && r.chance(50) {
		return fmt.Sprintf("CASE WHEN %s IS NULL OR %s IS NULL THEN 'part' ELSE 'both' END", x, other.ref), true
	}
	return r.test(p.field, x), true
}

// localFields adds up to two fields of a question to datasets of the model. undo takes them away
// again.
func (r *maker) localFields(with *[]query.LocalField, percent int) (undo func()) {
	undo = func() {}
	for range 2 {
		if r.chance(percent) {
			first, second := undo, r.localField(with)
			undo = func() { second(); first() }
		}
	}
	return undo
}

// localField adds a field of a question to a dataset of the model.
func (r *maker) localField(with *[]query.LocalField) (undo func()) {
	d := pick(r, r.m.datasets)
	before := d.fields
	undo = func() { d.fields = before }
	for range 8 {
		d.fields = slices.Clone(before)
		level := d.name + "_level"
		if r.chance(60) || d.field(level) == nil {
			r.lodField(d)
		} else {
			r.names++
			d.fields = append(d.fields, pick(r, []*field{
				{name: fmt.Sprint("own", r.names), expr: fmt.Sprintf("COALESCE(%s_kind, 'none')", d.name), kind: text},
				{name: fmt.Sprint("own", r.names), expr: fmt.Sprintf("%s + 1", level), kind: whole},
				{name: fmt.Sprint("own", r.names), expr: fmt.Sprintf("CASE WHEN %s > 2 THEN 'high' ELSE 'low' END", level), kind: text},
			}))
		}
		added := d.fields[len(before):]
		if slices.ContainsFunc(added, func(f *field) bool { return len(f.params) > 0 }) {
			continue
		}
		for _, f := range added {
			f.typed = false
			local := query.LocalField{Dataset: d.name, Name: f.name, Expression: f.expr}
			if f.payload != "" {
				var payload struct {
					LOD struct {
						Grain []string `json:"grain"`
						Where string   `json:"where"`
						Via   []string `json:"via"`
					} `json:"lod"`
				}
				if err := json.Unmarshal([]byte("{"+f.payload+"}"), &payload); err != nil {
					panic(err)
				}
				local.LOD = &query.LocalLOD{Grain: payload.LOD.Grain, Where: payload.LOD.Where, Via: payload.LOD.Via}
			}
			*with = append(*with, local)
		}
		return undo
	}
	d.fields = before
	return undo
}

var zones = []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu", "UTC"}

var weekStarts = []string{"monday", "sunday", "saturday", "wednesday"}

// clock gives a question a time zone and a start of weeks.
func (r *maker) clock() (zone, week string) {
	if r.chance(14) {
		zone = pick(r, zones)
	}
	if r.chance(10) {
		week = pick(r, weekStarts)
	}
	return zone, week
}

// isRelative reports whether a range of a question counts back from as_of.
func (q *question) isRelative() bool {
	for _, t := range q.TimeRanges {
		if t.Last != nil {
			return true
		}
	}
	return q.TimeRange != nil && q.TimeRange.Last != nil
}

// distinctQuestion requests the groups that rows have.
func (r *maker) distinctQuestion() *question {
	q := &question{Distinct: true}
	root := pick(r, r.m.datasets)
	undo := r.localFields(&q.With, 15)
	defer undo()
	places := r.places([]*dataset{root})
	grouped, _ := r.groupBy(q, places, false, false)
	if len(q.GroupBy) == 0 {
		p, ok := r.place(places)
		if !ok {
			p = places[0]
		}
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: p.ref})
	}
	if r.chance(40) {
		q.WhereSQL = r.inputCondition(places)
	}
	if r.chance(15) {
		q.ContextFilter = r.inputCondition(places)
	}
	if r.chance(50) {
		q.From = root.name
	}
	if len(grouped) > 0 && r.chance(10) {
		q.WhereSQL = strings.Join(present([]string{q.WhereSQL, r.inputCondition(grouped)}), " AND ")
	}
	if r.chance(25) {
		t := r.someRange(q)
		if p, ok := r.place(places); ok && p.field.isTime() {
			t.Dimension = p.ref
		}
		q.TimeRange = &t
	}
	q.TimeZone, q.WeekStart = r.clock()
	r.orderBy(q, nil)
	return q
}
