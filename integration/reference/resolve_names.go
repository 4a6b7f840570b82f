package reference

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

const metricTime = "metric_time"

// groupByItem is one item of group_by.
type groupByItem struct {
	fieldTarget
	onAxis bool // metric_time: the field is each measure's own
	grain  sqlexpr.Grain
	part   string          // a part of the time; "" for none
	period *catalog.Period // of a calendar, whose days the grain makes; nil otherwise
	name   string          // of the output column
	named  bool            // by the query
	// isOther marks the Boolean of the values that top does not keep. It follows its dimension.
	isOther bool
	// isLeftOut: the metric at another level that is computed does not keep it.
	isLeftOut bool
	expr      sqlexpr.Expr // of a group-by that is an expression; nil otherwise
	fields    map[*sqlexpr.Column]fieldTarget
}

// isRaw reports whether a group-by groups the stored values of a field.
func (g groupByItem) isRaw() bool { return g.grain == sqlexpr.GrainNone && g.part == "" }

func (e *evaluator) readMetrics() {
	if len(e.q.Metrics) == 0 {
		e.addMustRejectCode("empty_query")
	}
	for _, name := range e.q.Metrics {
		m := e.metricNamed(name)
		switch {
		case m == nil:
			e.addMustRejectCode("unknown_metric")
			continue
		case m.ErrorForDialect(expressionDialect) != nil:
			e.addMustRejectCode(m.ErrorForDialect(expressionDialect).Code)
			e.allowRejectionOfInlineMetric(name)
			continue
		}
		e.metrics = append(e.metrics, m)
		e.checkMetricInView(m, measuresOfMetric(m, nil))
		for _, l := range measuresOfMetric(m, nil) {
			if !slices.Contains(e.homes, l.measure.Home) {
				e.homes = append(e.homes, l.measure.Home)
			}
			e.windowed = e.windowed || l.window != nil
		}
	}
}

func (e *evaluator) readGroupBys() {
	for _, item := range e.q.GroupBy {
		g, ok := e.readGroupBy(item)
		if !ok {
			continue
		}
		if item.Grain != "" {
			e.readGrain(&g, item.Grain)
		}
		if item.Part != "" {
			e.readPart(&g, item)
		}
		if item.Name != "" {
			g.name, g.named = item.Name, true
		}
		e.groups = append(e.groups, g)
	}
	kinds, types := map[string]bool{}, map[bool]bool{}
	for _, m := range e.metrics {
		for _, l := range measuresOfMetric(m, nil) {
			axis := e.timeAxisOf(l)
			if axis == nil {
				continue
			}
			e.axisType = max(e.axisType, axis.Type)
			kinds[timeStorageKind(axis)] = true
			types[isInstantField(axis)] = true
		}
	}
	raw := slices.ContainsFunc(e.groups, func(g groupByItem) bool { return g.onAxis && g.isRaw() })
	if raw && len(kinds) > 1 {
		e.addMustRejectCode("not_implemented") // stored values of different kinds have no common column
	}
	fine := slices.ContainsFunc(e.groups, func(g groupByItem) bool { return g.onAxis && secondsOfGrain(g.grain) > 0 })
	if fine && len(types) > 1 {
		e.addMustRejectCode("not_implemented")
	}
}

// timeStorageKind names how a time field is stored.
func timeStorageKind(f *catalog.Field) string {
	switch {
	case f.Encoding != nil:
		return f.Encoding.Text + f.Type.String()
	case f.Type.IsDateOrTimestamp():
		return "time"
	}
	return f.Type.String()
}

func (e *evaluator) readGroupBy(item query.GroupBy) (groupByItem, bool) {
	text := item.Field
	if item.Expression != "" {
		return e.readExpressionGroupBy(item)
	}
	if strings.EqualFold(text, metricTime) {
		return groupByItem{onAxis: true, name: metricTime}, true
	}
	return e.groupByField(e.resolveTarget(splitReference(text)))
}

// groupByField returns the group-by of a field that was found.
func (e *evaluator) groupByField(t fieldTarget, found bool) (groupByItem, bool) {
	if !found {
		return groupByItem{}, false
	}
	if t.field.IsDimension != nil && !*t.field.IsDimension {
		e.addMustRejectCode("unknown_dimension")
	}
	return groupByItem{fieldTarget: t, name: t.outputColumnName()}, true
}

// readGrain sets a grain. metric_time is checked when its fields are known.
func (e *evaluator) readGrain(g *groupByItem, text string) {
	grain, ok := sqlexpr.ParseGrain(text)
	if !ok {
		if g.period = e.cat.Period(text); g.period == nil {
			e.addMustRejectCode("bad_request")
			return
		}
		grain = sqlexpr.GrainDay
	}
	g.grain = grain
	g.name += "__" + text
	if !g.onAxis {
		e.checkGrain(g.field, grain)
	}
}

// checkGrain rejects a grain that a field does not take.
func (e *evaluator) checkGrain(f *catalog.Field, g sqlexpr.Grain) {
	stored := storedGrain(f)
	switch {
	case g == sqlexpr.GrainNone:
	case !f.IsTime, f.Encoding == nil && (f.Datatype == modelspec.DatatypeInteger || f.Datatype == modelspec.DatatypeString || f.Datatype == modelspec.DatatypeTime):
		e.addMustRejectCode("grain_on_non_time_dimension")
	case stored == sqlexpr.GrainWeek && monthsOfGrain(g) > 0:
		abstain("months of a field that stores weeks")
	case g < stored, secondsOfGrain(g) > 0 && !storesTimeOfDay(f, g):
		e.addMustRejectCode("grain_too_fine")
	case g == sqlexpr.GrainWeek && stored == sqlexpr.GrainWeek && e.clock.weekStart != time.Monday:
		e.addMustRejectCode("grain_too_fine")
	}
}

func storedGrain(f *catalog.Field) sqlexpr.Grain {
	if f.Encoding != nil {
		return f.Encoding.Grain
	}
	return f.Granularity
}

// storesTimeOfDay reports whether a field tells buckets apart that are finer than a day.
func storesTimeOfDay(f *catalog.Field, g sqlexpr.Grain) bool {
	switch {
	case f.Encoding == nil:
		return f.Datatype != modelspec.DatatypeDate && f.Type != sqlexpr.TypeDate
	case f.Encoding.Epoch != "":
		return f.Encoding.Epoch != "days"
	}
	token := map[string]string{"hour": "HH", "minute": "mm", "second": "ss"}[g.String()]
	return slices.ContainsFunc(f.Encoding.Layout, func(p catalog.TimeLayoutPart) bool { return p.Token == token })
}

// outputColumnName returns the name of the column of a plain group-by.
func (t fieldTarget) outputColumnName() string {
	name := ""
	for _, s := range t.steps {
		name += s.rel.Name + "__"
	}
	return name + t.field.Name
}

// splitReference splits a reference at its dots. Names with characters that SQL would
// quote may be written without quotes.
func splitReference(text string) []string {
	x, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if c, ok := x.(*sqlexpr.Column); ok && err == nil {
		return partsOfColumnReference(c)
	}
	return strings.Split(text, ".")
}

func partsOfColumnReference(c *sqlexpr.Column) []string {
	var out []string
	for _, n := range c.Path {
		out = append(out, n.Text)
	}
	return out
}

// resolveTarget finds the field that a reference means.
func (e *evaluator) resolveTarget(path []string) (fieldTarget, bool) {
	name := path[len(path)-1]
	switch d := e.datasetNamed(path[0]); {
	case len(path) == 1 && e.root != nil:
		return e.resolveBareName(name)
	case len(path) == 1:
		fields := e.fieldsNamed(name)
		if rel := e.relationshipOfBareName(name); rel != nil && len(fields) == 0 {
			return e.resolveListedBareName(rel, name)
		}
		if len(fields) > 1 {
			e.addMustRejectCode("ambiguous_dimension")
		} else if len(fields) == 0 {
			e.addMustRejectCode("unknown_dimension")
		}
		if len(fields) != 1 {
			return fieldTarget{}, false
		}
		return e.requireExpressionForDialect(fieldTarget{field: fields[0], inView: true})
	case d != nil && len(path) == 2:
		f := e.fieldNamed(d, name)
		if f == nil {
			e.addMustRejectCode("unknown_dimension")
			return fieldTarget{}, false
		}
		return e.requireExpressionForDialect(fieldTarget{field: f, inView: true})
	}
	return e.resolveRelationshipPath(path[:len(path)-1], name)
}

func (e *evaluator) requireExpressionForDialect(t fieldTarget) (fieldTarget, bool) {
	if err := t.field.ErrorForDialect(expressionDialect); err != nil {
		e.addMustRejectCode(err.Code)
		return t, false
	}
	return t, true
}

// resolveRelationshipPath follows the relationships that a reference names from the home that
// they leave.
func (e *evaluator) resolveRelationshipPath(names []string, field string) (fieldTarget, bool) {
	var rels []*catalog.Relationship
	for _, n := range names {
		rel := e.relationshipNamed(n)
		if rel == nil {
			if len(names) == 1 {
				e.addMustRejectCode("unknown_dimension")
			} else {
				e.addMustRejectCode("unknown_relationship")
			}
			return fieldTarget{}, false
		}
		rels = append(rels, rel)
	}
	var found []fieldTarget
	chained := false
	for _, start := range []joinStep{{rels[0], false}, {rels[0], true}} {
		steps, ok := chainRelationships(start, rels)
		if !ok {
			continue
		}
		if !slices.Contains(e.homes, start.sourceDataset()) {
			if e.view != nil && !e.view.AllJoins {
				abstain("a relationship of a view that leaves no home")
			}
			continue
		}
		chained = true
		if f := e.fieldAfter(steps, field); f != nil {
			found = append(found, fieldTarget{field: f, sourceDataset: start.sourceDataset(), steps: steps, inView: true})
		}
		if rels[0].IsSelfJoin() {
			break
		}
	}
	if e.q.Distinct && len(found) > 1 {
		found = slices.DeleteFunc(found, func(t fieldTarget) bool { return !strings.EqualFold(t.sourceDataset.Name, e.q.From) })
	}
	switch {
	case len(found) > 1:
		abstain("a one-to-one relationship that leaves two homes")
	case len(found) == 1:
		return e.requireExpressionForDialect(found[0])
	case chained && e.q.Distinct:
		abstain("a one-to-one relationship that leaves a dataset on either side")
	case chained:
		e.addMustRejectCode("unknown_dimension")
		e.addMayRejectCode("invalid_relationship_path")
	default:
		e.addMustRejectCode("invalid_relationship_path")
		e.addMayRejectCode("unknown_dimension")
	}
	return fieldTarget{}, false
}

// chainRelationships chains relationships. Backwards only one-to-one ones are followed, and
// no dataset is visited twice, but for a single step along a self-relationship.
func chainRelationships(start joinStep, rels []*catalog.Relationship) ([]joinStep, bool) {
	if start.isReversed && !isSafeStep(start) {
		return nil, false
	}
	steps := []joinStep{start}
	seen := []*catalog.Dataset{start.sourceDataset(), start.targetDataset()}
	if start.rel.IsSelfJoin() {
		return steps, len(rels) == 1
	}
	for _, rel := range rels[1:] {
		at := steps[len(steps)-1].targetDataset()
		s := joinStep{rel, false}
		if rel.From != at {
			s.isReversed = true
		}
		if s.sourceDataset() != at || s.isReversed && !isSafeStep(s) || slices.Contains(seen, s.targetDataset()) {
			return nil, false
		}
		steps, seen = append(steps, s), append(seen, s.targetDataset())
	}
	return steps, true
}
