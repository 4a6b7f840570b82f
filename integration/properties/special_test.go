package properties_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/integration/reference"
)

// layouts are the ways in which a time code is stored, and how a day looks in
// each.
var layouts = []struct {
	format  string
	numeric bool
	code    func(time.Time) string
}{
	{"yyyyMMdd", true, func(t time.Time) string { return t.Format("20060102") }},
	{"yyyyMMdd", false, func(t time.Time) string { return t.Format("20060102") }},
	{"yyyy-MM", false, func(t time.Time) string { return t.Format("2006-01") }},
	{"yyyyMM", true, func(t time.Time) string { return t.Format("200601") }},
	{"yyyy-MM-dd HH:mm:ss", false, func(t time.Time) string { return t.Format("2006-01-02 15:04:05") }},
	{"yyyyQ", true, func(t time.Time) string { return fmt.Sprint(t.Year(), (int(t.Month())+2)/3) }},
	{"yyyy''W''ww", false, func(t time.Time) string {
		year, week := t.ISOWeek()
		return fmt.Sprintf("%04dW%02d", year, week)
	}},
	{"epoch_days", true, func(t time.Time) string { return strconv.FormatInt(t.Unix()/86400, 10) }},
	{"epoch_seconds", true, func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }},
	{"epoch_millis", true, func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }},
}

// encode makes a time field one that stores codes.
func (r *maker) encode(d *dataset, f *field) {
	layout := r.IntN(len(layouts))
	l := layouts[layout]
	f.encoded, f.kind, f.typed = strconv.Itoa(layout), text, true
	sqlType := "VARCHAR"
	if l.numeric {
		f.kind, sqlType = code, "BIGINT"
	}
	d.columns[len(d.columns)-1].sqlType = sqlType
	f.payload = fmt.Sprintf(`"requires": ["time"], "time": {"format": "%s"}`, strings.ReplaceAll(l.format, "''", "'"))
}

// codeOf returns a stored time code; now and then one that stands for no time.
func (r *maker) codeOf(f *field) reference.Value {
	layout, err := strconv.Atoi(f.encoded)
	if err != nil {
		panic(err)
	}
	l := layouts[layout]
	t := time.UnixMicro(int64(r.timestamp())).UTC()
	text := l.code(t)
	if l.format == "yyyyQ" {
		text = strings.ReplaceAll(text, " ", "")
	}
	if r.chance(3) && !strings.HasPrefix(l.format, "epoch") {
		text = pick(r, []string{"20241399", "202413", "1", "20245"})
	}
	if !l.numeric {
		return text
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// lodField adds a level-of-detail field over a dataset that reaches this one, or
// over this one itself.
func (r *maker) lodField(d *dataset) {
	var facts []*dataset
	for _, h := range r.m.datasets {
		if len(r.safePaths(h, d)) > 0 {
			facts = append(facts, h)
		}
	}
	h := pick(r, facts)
	via := r.via(h, d)
	name := func(f *field) string { return h.name + "." + f.name }
	numbers := h.exactNumbers()
	r.names++
	f := &field{name: fmt.Sprintf("%s_lod%d", d.name, r.names), kind: quarters}
	switch r.IntN(5) {
	case 0:
		f.expr, f.kind = "COUNT("+name(h.fields[0])+")", whole
	case 1:
		f.expr = "MAX(" + name(pick(r, numbers)) + ")"
	case 2:
		f.expr = fmt.Sprintf("SUM(%s) - COUNT(%s)", name(pick(r, numbers)), name(h.fields[0]))
	case 3:
		f.expr, f.kind = "COUNT(DISTINCT "+name(pick(r, h.fieldsOf(text, whole)))+")", whole
	default:
		f.expr = "SUM(" + name(pick(r, numbers)) + ")"
	}
	grain := d.fields[0].name
	if r.chance(30) {
		grain = d.name + "_kind"
	}
	where := ""
	if r.chance(40) {
		condition := r.predicate(h, name)
		if r.chance(30) && (len(via) == 0 || h != d) { // of the carrier's row
			condition = r.predicate(d, func(f *field) string { return d.name + "." + f.name })
		}
		if r.chance(50) {
			p, slot := r.parameter(h)
			f.params, condition = []*param{p}, slot
		}
		where = `, "where": ` + jsonText(condition)
	}
	path := ""
	if len(via) > 0 {
		path = `, "via": ["` + strings.Join(via, `", "`) + `"]`
	}
	f.payload = fmt.Sprintf(`"lod": {"grain": ["%s"]%s%s}`, grain, where, path)
	d.fields = append(d.fields, f)
	if r.chance(40) {
		d.fields = append(d.fields, &field{
			name: f.name + "_tier", kind: text, typed: true, expr: fmt.Sprintf("CASE WHEN %s > 5.3 THEN 'much' WHEN %s <= 5.3 THEN 'little' END", f.name, f.name),
		})
	}
}

// via names the path from the rows that a level of detail aggregates to its carrier:
// where several lead there, and sometimes where one does or where the dataset leads to
// itself.
func (r *maker) via(from, to *dataset) []string {
	paths := r.safePaths(from, to)
	if len(paths) > 1 || r.chance(20) {
		return pick(r, paths)
	}
	for _, rel := range r.m.relations {
		if from == to && rel.from == to && rel.to == to && r.chance(50) {
			return []string{rel.name}
		}
	}
	return nil
}

// exactNumbers returns the fields whose sums are exact.
func (d *dataset) exactNumbers() []*field {
	return slices.DeleteFunc(d.fieldsOf(whole, quarters), func(f *field) bool { return f.value != exact })
}
