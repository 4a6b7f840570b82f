package imports_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// The days of the time spines.
const spineStart, spineEnd = "2019-01-01", "2022-01-01"

// grains are the granularities of MetricFlow that a query has, from the finest.
var grains = []string{"millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// translate returns the query of a question. It names fields by their datasets, or by the relationships that lead to
// them.
func (m *manifest) translate(q *question, byRelationship bool, expressions map[string]string) (map[string]any, error) {
	if q.repeated {
		return nil, fmt.Errorf("rows that are equal are one group")
	}
	r := &questionTranslator{manifest: m, question: q, out: map[string]any{}, byRelationship: byRelationship, expressions: expressions}
	if len(q.metrics) > 0 {
		homes := m.findMeasures(q.metrics[0])
		if len(homes) == 0 {
			return nil, fmt.Errorf("the measures of %s are not found", q.metrics[0])
		}
		r.home = homes[0]
	}
	return r.out, r.translate()
}

// questionTranslator makes the query of one question.
type questionTranslator struct {
	manifest *manifest
	question *question
	home     measureHome
	out      map[string]any
	// timeGrain is the grain of the column of the time axis, timeColumn its name, "" without one.
	timeGrain, timeColumn string
	columns               map[string]string // by the names in order_bys
	byRelationship        bool
	expressions           map[string]string // of the imported metrics
	fields                []any             // that the query adds
}

func (r *questionTranslator) translate() error {
	q := r.question
	r.columns = map[string]string{}
	var groups, metrics []any
	for _, g := range q.groups {
		group, err := r.translateGroup(g)
		if err != nil {
			return err
		}
		groups = append(groups, group...)
	}
	for i, name := range q.metrics {
		r.columns[name] = q.aliases[i]
		if q.aliases[i] != name {
			metrics = append(metrics, map[string]any{"name": q.aliases[i], "expression": name})
		} else {
			metrics = append(metrics, name)
		}
	}
	switch {
	case q.extremes:
		for _, g := range groups {
			metrics = append(metrics, extremeMetrics(g.(map[string]any))...)
		}
		groups = nil
	case len(q.metrics) == 0:
		r.out["distinct"] = true
	}
	if len(groups) > 0 {
		r.out["group_by"] = groups
	}
	if len(metrics) > 0 {
		r.out["metrics"] = metrics
	}
	if err := r.translateConditions(); err != nil {
		return err
	}
	r.translateOrder()
	return nil
}

// extremeMetrics returns the smallest and the largest value of a group.
func extremeMetrics(group map[string]any) []any {
	var out []any
	for _, f := range []string{"MIN", "MAX"} {
		expression := fmt.Sprint(group["field"])
		if grain, ok := group["grain"]; ok {
			expression = fmt.Sprintf("DATE_TRUNC('%s', %s)", grain, expression)
		}
		out = append(out, map[string]any{"name": fmt.Sprintf("%s__%s", group["name"], strings.ToLower(f)), "expression": f + "(" + expression + ")"})
	}
	return out
}

// translateGroup returns one group of a query. The columns have the names of MetricFlow.
func (r *questionTranslator) translateGroup(g questionGroup) ([]any, error) {
	p, err := r.resolve(g.name, g.grain)
	if err != nil {
		return nil, err
	}
	name := p.column
	if g.part != "" {
		name = strings.TrimSuffix(p.column, "__"+p.grain) + "__extract_" + g.part
		field := p.field
		if field == "metric_time" {
			field = r.home.model.name + "." + r.home.axis
		}
		return []any{map[string]any{"name": name, "expression": partExpression(g.part, field)}}, nil
	}
	group := map[string]any{"field": p.field, "name": name}
	if p.grain != "" {
		group["grain"] = p.grain
	}
	r.columns[g.name] = name
	if p.isAxis && r.timeColumn == "" {
		r.timeColumn, r.timeGrain = name, p.grain
	}
	return []any{group}, nil
}

func partExpression(part, field string) string {
	if part == "dow" {
		return fmt.Sprintf("CASE WHEN EXTRACT(dow FROM %[1]s) = 0 THEN 7 ELSE EXTRACT(dow FROM %[1]s) END", field)
	}
	return fmt.Sprintf("EXTRACT(%s FROM %s)", part, field)
}

// resolvedPath is the field of a path such as listing__user__home_state, and the name of its column.
type resolvedPath struct {
	field, grain, column string
	isAxis               bool
}

// resolve finds the field of a path: entities, the name of a dimension or an entity, and a grain.
func (r *questionTranslator) resolve(path, grain string) (resolvedPath, error) {
	segments := strings.Split(path, "__")
	if last := segments[len(segments)-1]; len(segments) > 1 && (slices.Contains(grains, last) || slices.Contains(r.manifest.periods, last)) {
		grain, segments = last, segments[:len(segments)-1]
	}
	if segments[0] == "metric_time" {
		return r.resolveAxis(grain)
	}
	name := segments[len(segments)-1]
	entity := ""
	if len(segments) > 1 {
		entity = segments[len(segments)-2]
	}
	model := r.findModel(entity, name)
	if model == nil {
		return resolvedPath{}, fmt.Errorf("%s is not found", path)
	}
	p := resolvedPath{field: model.name + "." + name, grain: grain, column: strings.Join(segments, "__")}
	if home := r.home.model; home != nil && model != home && r.byRelationship {
		if relationships, target := r.manifest.walk(home, segments[:len(segments)-1], name); target != nil {
			model, p.field = target, strings.Join(append(relationships, name), ".")
		}
	}
	if stored, isDimension := model.dimensions[name]; isDimension && stored != "" {
		if p.grain == "" {
			p.grain = stored
		}
		p.column += "__" + p.grain
		p.isAxis = model == r.home.model && name == r.home.axis && len(segments) <= 2
		if p.isAxis {
			p.field = "metric_time"
		}
	}
	return p, nil
}

// resolveAxis returns the time axis of the metrics, without metrics the time spine.
func (r *questionTranslator) resolveAxis(grain string) (resolvedPath, error) {
	if grain == "" {
		grain = r.defaultGrain()
	}
	if len(r.question.metrics) > 0 {
		return resolvedPath{"metric_time", grain, "metric_time__" + grain, true}, nil
	}
	if table := r.manifest.spines[grain]; table != "" && slices.Contains(grains[1:4], grain) {
		return resolvedPath{table + ".ts", grain, "metric_time__" + grain, true}, nil
	}
	if r.manifest.spine == "" || slices.Contains(grains[:4], grain) {
		return resolvedPath{}, fmt.Errorf("the time spine of %s is not imported", grain)
	}
	return resolvedPath{r.manifest.spine + ".ds", grain, "metric_time__" + grain, true}, nil
}

// walk follows entities from a model to the one that has a name: the relationships have the names that imports
// give them.
func (m *manifest) walk(from *sourceModel, entities []string, name string) ([]string, *sourceModel) {
	if len(entities) == 0 {
		_, isDimension := from.dimensions[name]
		_, isEntity := from.entities[name]
		if isDimension || isEntity {
			return nil, from
		}
		return nil, nil
	}
	if from.primary == entities[0] && from.entities[entities[0]] != "foreign" {
		if path, target := m.walk(from, entities[1:], name); target != nil {
			return path, target
		}
	}
	if from.entities[entities[0]] == "" {
		return nil, nil
	}
	for _, to := range m.models {
		if kind := to.entities[entities[0]]; to == from || kind == "" || kind == "foreign" {
			continue
		}
		if path, target := m.walk(to, entities[1:], name); target != nil {
			return append([]string{from.name + "_" + to.name}, path...), target
		}
	}
	return nil, nil
}

// findModel returns the model that has a name behind an entity, the home first.
func (r *questionTranslator) findModel(entity, name string) *sourceModel {
	has := func(s *sourceModel) bool {
		_, isDimension := s.dimensions[name]
		_, isEntity := s.entities[name]
		owns := s.primary == entity || s.entities[entity] == "unique" || s.entities[entity] == "natural"
		return (isDimension || isEntity) && (owns && entity != "" || entity == "" && isEntity)
	}
	if home := r.home.model; home != nil && has(home) {
		return home
	}
	for _, s := range r.manifest.models {
		if has(s) && (entity != "" || s.primary == name) {
			return s
		}
	}
	return nil
}

// defaultGrain returns the grain of a time axis that has none in the question: of its metrics the coarsest.
func (r *questionTranslator) defaultGrain() string {
	out := "day"
	for _, name := range r.question.metrics {
		grain := strings.ToLower(r.manifest.metrics[name].Get("time_granularity").String())
		if grain == "" {
			for _, home := range r.manifest.findMeasures(name) {
				grain = coarser(grain, home.model.dimensions[home.axis])
			}
			grain = coarser(grain, "day")
		}
		if slices.Index(grains, grain) < slices.Index(grains, "day") && len(r.question.metrics) == 1 {
			out = grain
			continue
		}
		out = coarser(out, grain)
	}
	return out
}

func coarser(a, b string) string {
	if slices.Index(grains, a) > slices.Index(grains, b) {
		return a
	}
	return b
}

// translateConditions makes the condition, the range and the filling of a query.
func (r *questionTranslator) translateConditions() error {
	q := r.question
	var conditions []string
	if q.where != "" {
		where, err := renderTemplate(strings.TrimSpace(q.where), r.whereFunctions())
		if err != nil {
			return err
		}
		conditions = append(conditions, where)
	}
	if q.from != "" {
		bounds, err := r.rangeOf(q.from, q.to)
		if err != nil {
			return err
		}
		if len(q.metrics) > 0 {
			bounds["dimension"] = "metric_time"
		}
		r.out["time_range"] = bounds
	}
	if r.timeColumn != "" && len(q.metrics) > 0 {
		conditions = append(conditions, r.fillTimes()...)
	}
	if r.out["fill"] == nil && len(q.groups) > 0 && r.hasFilter() {
		conditions = append(conditions, r.valueCondition())
	}
	if len(conditions) > 1 {
		for i := range conditions {
			conditions[i] = "(" + conditions[i] + ")"
		}
	}
	if len(conditions) > 0 {
		r.out["where_sql"] = strings.Join(conditions, " AND ")
	}
	return nil
}

// fillTimes adds the times without data where MetricFlow joins a time spine. A metric over a window has rows for
// the times at which it has a value: a condition hides the others.
func (r *questionTranslator) fillTimes() []string {
	isFilled, isWindow := false, false
	for _, name := range r.question.metrics {
		isFilled = isFilled || r.manifest.contains(name, func(n *importer.Node) bool { return n.Get("join_to_timespine").IsTrue() })
		isWindow = isWindow || r.manifest.contains(name, func(n *importer.Node) bool {
			return n.Get("type").String() == "cumulative" || n.Get("offset_window") != nil || n.Get("offset_to_grain") != nil
		})
	}
	if !isFilled && !isWindow {
		return nil
	}
	r.out["fill"] = map[string]any{}
	if r.out["time_range"] == nil {
		start, end := spineStart, spineEnd
		if slices.Contains(grains[:4], r.timeGrain) {
			start, end = "2019-12-28", "2020-01-04"
		}
		r.out["time_range"] = map[string]any{"start": start, "end": end}
		r.out["limit"] = 10000
	}
	if isFilled {
		return nil
	}
	return []string{r.valueCondition()}
}

// hasFilter reports whether a metric has a filter. MetricFlow has no row for a group in which nothing passes it.
func (r *questionTranslator) hasFilter() bool {
	return slices.ContainsFunc(r.question.metrics, r.manifest.isFiltered)
}

// isFiltered reports whether a metric, or all that it is made of, has a filter.
func (m *manifest) isFiltered(metric string) bool {
	n := m.metrics[metric]
	params := n.Get("type_params")
	if n.Get("filter") != nil || params.Get("measure").Get("filter") != nil {
		return true
	}
	members := items(params.Get("metrics"))
	return len(members) > 0 && !slices.ContainsFunc(members, func(in *importer.Node) bool {
		name := in.String() + in.Get("name").String()
		return in.Get("filter") == nil && !m.isFiltered(name)
	})
}

// valueCondition hides the rows at which no metric has a value.
func (r *questionTranslator) valueCondition() string {
	var values []string
	for _, name := range r.question.metrics {
		condition := name + " IS NOT NULL"
		if homes := r.manifest.findMeasures(name); len(homes) > 0 && strings.HasPrefix(homes[0].aggregate, "count") {
			condition = name + " > 0"
		}
		values = append(values, condition)
	}
	return strings.Join(values, " OR ")
}

// rangeOf returns a range of whole periods: MetricFlow widens the range of a question to the grain of its times.
func (r *questionTranslator) rangeOf(from, to string) (map[string]any, error) {
	grain := r.timeGrain
	if grain == "" || slices.Contains(r.manifest.periods, grain) {
		grain = r.defaultGrain()
	}
	start, err := floorTime(from, grain)
	if err != nil {
		return nil, err
	}
	last, err := floorTime(to, grain)
	if err != nil {
		return nil, err
	}
	layout := time.DateOnly
	if slices.Index(grains, grain) < slices.Index(grains, "day") {
		layout = "2006-01-02T15:04:05"
	}
	return map[string]any{"start": start.Format(layout), "end": addGrain(last, grain).Format(layout)}, nil
}

func floorTime(text, grain string) (time.Time, error) {
	layout := time.DateOnly
	if len(text) > len(layout) {
		layout = time.DateTime
	}
	t, err := time.Parse(layout, text)
	switch grain {
	case "second":
	case "minute":
		t = t.Truncate(time.Minute)
	case "hour":
		t = t.Truncate(time.Hour)
	case "week":
		t = t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	case "month":
		t = t.AddDate(0, 0, 1-t.Day())
	case "quarter":
		t = time.Date(t.Year(), (t.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	case "year":
		t = time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		t = t.Truncate(24 * time.Hour)
	}
	return t, err
}

func addGrain(t time.Time, grain string) time.Time {
	switch grain {
	case "second":
		return t.Add(time.Second)
	case "minute":
		return t.Add(time.Minute)
	case "hour":
		return t.Add(time.Hour)
	case "week":
		return t.AddDate(0, 0, 7)
	case "month":
		return t.AddDate(0, 1, 0)
	case "quarter":
		return t.AddDate(0, 3, 0)
	case "year":
		return t.AddDate(1, 0, 0)
	}
	return t.AddDate(0, 0, 1)
}

func (r *questionTranslator) translateOrder() {
	q := r.question
	var keys []any
	for _, key := range q.order {
		name := strings.TrimPrefix(key, "-")
		column := r.columns[name]
		if column == "" {
			column = name
		}
		keys = append(keys, map[string]any{"key": column, "desc": key != name})
	}
	if len(keys) > 0 {
		r.out["order_by"] = keys
	}
	if q.limit > 0 {
		r.out["limit"] = q.limit
	}
}

// whereFunctions print the condition of a question in the language of a query.
func (r *questionTranslator) whereFunctions() map[string]templateFunction {
	reference := func(args []string, _ map[string]string) (string, error) {
		grain := ""
		if len(args) > 1 && (slices.Contains(grains, args[1]) || slices.Contains(r.manifest.periods, args[1])) {
			grain = args[1]
		}
		return r.conditionField(args[0], grain)
	}
	constraint := constraintSQL("%s", "DATE '%s'")
	return map[string]templateFunction{
		"render_dimension_template":      reference,
		"render_time_dimension_template": reference,
		"render_entity_template":         reference,
		"cast_to_ts":                     formatSQL("DATE '%[1]s'"),
		"render_time_constraint": func(args []string, named map[string]string) (string, error) {
			if strings.Contains(args[0], "__") && !strings.Contains(args[0], ".") {
				field, err := r.conditionField(args[0], "")
				if err != nil {
					return "", err
				}
				args = append([]string{field}, args[1:]...)
			}
			return constraint(args, named)
		},
		"render_metric_template": r.metricField,
	}
}

// metricField adds the field of a condition on a metric: the metric at the level of detail of an entity.
func (r *questionTranslator) metricField(args []string, _ map[string]string) (string, error) {
	metric, entity := args[0], args[1][strings.LastIndex(args[1], "__")+1:]
	if i := strings.LastIndex(args[1], "__"); i >= 0 {
		entity = args[1][i+2:]
	}
	carrier := r.home.model
	if carrier == nil || carrier.primary != entity {
		carrier = nil
		for _, s := range r.manifest.models {
			if carrier == nil && s.entities[entity] == "primary" {
				carrier = s
			}
		}
	}
	if carrier == nil || r.expressions[metric] == "" {
		return "", fmt.Errorf("%s by %s is not found", metric, entity)
	}
	name := metric + "_by_" + entity
	r.fields = append(r.fields, map[string]any{
		"dataset": carrier.name, "name": name, "expression": expandMetrics(r.expressions[metric], r.expressions), "lod": map[string]any{"grain": []string{entity}},
	})
	r.out["with"] = r.fields
	return carrier.name + "." + name, nil
}

var namePattern = regexp.MustCompile(`[a-z_0-9.]+`)

// expandMetrics writes out the metrics that an expression names.
func expandMetrics(expression string, expressions map[string]string) string {
	return namePattern.ReplaceAllStringFunc(expression, func(name string) string {
		if inner, ok := expressions[name]; ok {
			return "(" + expandMetrics(inner, expressions) + ")"
		}
		return name
	})
}

// conditionField returns the field of a path in a condition: the column of a group, else the field itself.
func (r *questionTranslator) conditionField(path, grain string) (string, error) {
	p, err := r.resolve(path, grain)
	if err != nil {
		return "", err
	}
	for _, column := range r.columns {
		if column == p.column && p.grain != "" {
			return column, nil
		}
	}
	if slices.Contains(r.manifest.periods, p.grain) {
		return "", fmt.Errorf("a condition on %s needs a group by it", p.column)
	}
	field := p.field
	if field == "metric_time" {
		field = r.home.model.name + "." + r.home.axis
	}
	return field, nil
}
