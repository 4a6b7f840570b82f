package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// enterView puts the query into the view that it names. ok is false where the model has no such view.
func (e *evaluator) enterView(m *CompiledModel, name string) (ok bool) {
	if name == "" {
		return true
	}
	if e.view = e.cat.View(name); e.view == nil {
		if m.Catalog.View(name) != nil {
			abstain("a view of the model whose bare names the fields of the query make ambiguous")
		}
		e.addMustRejectCode("unknown_view")
		e.addMayRejectCode("conflicting_keys") // which comes first
		return false
	}
	if e.view.Err != nil {
		e.addMustRejectCode(e.view.Err.Code)
		e.addMayRejectCode("conflicting_keys")
		return false
	}
	if !e.viewIsWhole() && len(e.q.With)+len(e.q.InlineMetrics) > 0 {
		abstain("texts of a query in a view, whose names are compiled with those of the model")
	}
	if !e.viewIsWhole() && len(e.q.Sequences) > 0 {
		abstain("sequences of a query in a view")
	}
	if e.q.Distinct && (!e.viewIsWhole() || e.view.Where.Named != "" || len(e.view.Filters) > 0 || e.view.TimeRange != "") {
		abstain("distinct groups in a view")
	}
	return true
}

// viewIsWhole reports whether the view has every name of the model, and follows every relationship.
func (e *evaluator) viewIsWhole() bool {
	return e.view.AllFields && len(e.view.Except) == 0 && e.view.AllJoins && len(e.view.Metrics) == len(e.cat.Metrics)
}

// metricNamed finds a metric by a name of the query.
func (e *evaluator) metricNamed(name string) *catalog.Metric {
	m := e.cat.Metric(name)
	if m == nil || e.view != nil && !e.view.HasMetric(m) {
		return nil
	}
	return m
}

// datasetNamed finds a dataset by a name of the query: a view has those that it shows a field of.
func (e *evaluator) datasetNamed(name string) *catalog.Dataset {
	d := e.cat.Dataset(name)
	if d == nil || e.view != nil && !slices.ContainsFunc(d.Fields, e.view.ShowsFieldOfDataset) {
		return nil
	}
	return d
}

// fieldNamed finds a field of a dataset by a name of the query.
func (e *evaluator) fieldNamed(d *catalog.Dataset, name string) *catalog.Field {
	f := d.Field(name)
	if f == nil || e.view != nil && !e.view.ShowsFieldOfDataset(f) {
		return nil
	}
	return f
}

// fieldsNamed lists the fields of a bare name.
func (e *evaluator) fieldsNamed(name string) []*catalog.Field {
	all := e.cat.FieldsNamed(name)
	if e.view == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(f *catalog.Field) bool { return !e.view.ShowsFieldOfDataset(f) })
}

// relationshipOfBareName returns the relationship by which alone a view has the field of a bare name; nil where it has none, or several.
func (e *evaluator) relationshipOfBareName(name string) *catalog.Relationship {
	var found []*catalog.Relationship
	if e.view != nil {
		for _, f := range e.view.Fields {
			if f.Rel != nil && strings.EqualFold(f.Field.Name, name) {
				found = append(found, f.Rel)
			}
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// resolveListedBareName finds the field that a view has by a relationship alone, under its bare name: the name has no path to blame.
func (e *evaluator) resolveListedBareName(rel *catalog.Relationship, name string) (fieldTarget, bool) {
	t, ok := e.resolveRelationshipPath([]string{rel.Name}, name)
	if !ok {
		e.addMayRejectCode("no_join_path")
		e.addMayRejectCode("fan_out_risk")
	}
	return t, ok
}

// relationshipNamed finds a relationship by a name of the query: a view has those that it follows, and those of its fields.
func (e *evaluator) relationshipNamed(name string) *catalog.Relationship {
	r := e.cat.Relationship(name)
	if r == nil || e.view == nil || e.view.FollowsRelationship(r) || slices.ContainsFunc(e.view.Fields, func(f catalog.ViewField) bool { return f.Rel == r }) {
		return r
	}
	return nil
}

// fieldAfter finds the field of a name at the end of named relationships.
func (e *evaluator) fieldAfter(steps []joinStep, name string) *catalog.Field {
	last := steps[len(steps)-1]
	f := last.targetDataset().Field(name)
	if f == nil || e.view == nil {
		return f
	}
	listed := catalog.ViewField{Field: f, Rel: last.rel}
	if slices.Contains(e.view.Fields, listed) || e.view.FollowsRelationship(last.rel) && e.view.ShowsFieldOfDataset(f) && !slices.Contains(e.view.Except, listed) {
		return f
	}
	return nil
}

// followed leaves the paths that a reference of the query, or of the conditions of its view, may follow.
func (e *evaluator) followed(paths [][]joinStep, inView bool) [][]joinStep {
	if e.view == nil || !inView {
		return paths
	}
	return slices.DeleteFunc(paths, func(path []joinStep) bool {
		return slices.ContainsFunc(path, func(s joinStep) bool { return !e.view.FollowsRelationship(s.rel) })
	})
}

// checkMetricInView gives up on a metric whose level names fields: they are names of the model, and the query has those of the view.
func (e *evaluator) checkMetricInView(m *catalog.Metric, uses []measureInMetric) {
	if e.view == nil || e.viewIsWhole() {
		return
	}
	of := []*catalog.Metric{m}
	for _, use := range uses {
		of = append(of, use.chain...)
	}
	for _, m := range of {
		if m.At != nil && len(m.At.Unfiltered) > 0 {
			abstain("names of a level in a view")
		}
	}
}

// hasViewDefaults reports whether filters and the range of the view act where the query leaves them.
func (e *evaluator) hasViewDefaults() bool {
	return e.view != nil && (e.q.Defaults == nil || *e.q.Defaults)
}

// viewReadsPresent reports whether the view has a condition or a range that depends on the present time.
func (e *evaluator) viewReadsPresent() bool {
	if e.view == nil {
		return false
	}
	conditions := []catalog.ViewCondition{e.view.Where}
	if e.hasViewDefaults() {
		conditions = append(conditions, e.view.Filters...)
	}
	ofCondition := slices.ContainsFunc(conditions, func(c catalog.ViewCondition) bool { return readsPresent(c.Named) })
	return ofCondition || e.hasViewDefaults() && strings.Contains(e.view.TimeRange, `"last"`)
}

// viewConjuncts returns the conjuncts of a condition of the view.
func (e *evaluator) viewConjuncts(c catalog.ViewCondition) []condition {
	var out []condition
	for _, x := range e.splitConjuncts(c.Named) {
		made := condition{expr: x, fields: map[*sqlexpr.Column]fieldTarget{}, outputs: map[*sqlexpr.Column]string{}, ofView: true}
		for _, col := range sqlexpr.ColumnReferences(x) {
			made.fields[col] = e.targetInModel(partsOfColumnReference(col))
		}
		out = append(out, made)
	}
	return out
}

// targetInModel resolves a name of a condition of the view.
func (e *evaluator) targetInModel(path []string) fieldTarget {
	name := path[len(path)-1]
	if d := e.cat.Dataset(path[0]); d != nil && len(path) == 2 {
		return fieldTarget{field: d.Field(name), inView: true}
	}
	var rels []*catalog.Relationship
	for _, n := range path[:len(path)-1] {
		rels = append(rels, e.cat.Relationship(n))
	}
	steps, ok := chainRelationships(joinStep{rels[0], false}, rels)
	if !ok {
		abstain("a condition of a view along a relationship backwards")
	}
	return fieldTarget{field: steps[len(steps)-1].targetDataset().Field(name), sourceDataset: rels[0].From, steps: steps, inView: true}
}

// namedByRequest are the fields that the conditions of the request name, and whether they name metric_time.
type namedByRequest struct {
	fields []fieldTarget
	axis   bool
}

// add adds the names of a condition.
func (n *namedByRequest) add(e *evaluator, c condition) {
	n.fields = append(n.fields, c.targets()...)
	for _, output := range c.outputs {
		for _, g := range e.groups {
			if strings.EqualFold(g.name, output) {
				n.fields, n.axis = append(n.fields, g.targetsRead()...), n.axis || g.onAxis
			}
		}
	}
}

// has reports whether a field is named: by the same path, or where one of the names has none.
func (n *namedByRequest) has(t fieldTarget) bool {
	return slices.ContainsFunc(n.fields, func(o fieldTarget) bool {
		return o.field == t.field && (len(o.steps) == 0 || len(t.steps) == 0 || o.equals(t))
	})
}

// readViewConditions adds the conditions of the view, where the request leaves them.
func (e *evaluator) readViewConditions(add func(condition)) {
	if e.view == nil {
		return
	}
	e.populationConditions = append(e.populationConditions, e.viewConjuncts(e.view.Where)...)
	if !e.hasViewDefaults() {
		return
	}
	for _, filter := range e.view.Filters {
		conjuncts := e.viewConjuncts(filter)
		givesWay := slices.ContainsFunc(conjuncts, func(c condition) bool { return slices.ContainsFunc(c.targets(), e.named.has) })
		for _, c := range conjuncts {
			if !givesWay {
				add(c)
			}
		}
	}
}

// readViewFilter adds a condition that the view has by default to those on rows.
func (e *evaluator) readViewFilter(c condition) {
	if e.windowed {
		if _, onResult := e.conditionOnResult(c); onResult {
			abstain("a filter of a view that hides rows beside a window")
		}
	}
	if e.q.Top != nil && e.q.Top.Rank != nil {
		abstain("a ranking by other conditions under a filter of a view")
	}
	e.readTimeCondition(c)
}

// actsFrom reports whether a condition acts on the rows of a home: one of the view where they lead to its fields.
func (e *evaluator) actsFrom(c condition, home *catalog.Dataset) bool {
	return !c.ofView || e.reachesConditionTargets(c, home)
}

// readViewRange makes the range of the view that of the query, where the request leaves it.
func (e *evaluator) readViewRange() {
	if !e.hasViewDefaults() || e.view.TimeRange == "" || e.q.TimeRange != nil || len(e.q.TimeRanges) > 0 {
		return
	}
	body, err := query.DecodeMetric([]byte(`{"time_range": ` + e.view.TimeRange + `}`))
	if err != nil {
		failUnsupported("the range of a view: %s", err)
	}
	r := *body.TimeRange
	s := timeRange{ofView: true}
	var reached bool
	switch {
	case r.Dimension != "" && r.Dimension != metricTime:
		s.fieldTarget = e.targetInModel(splitReference(r.Dimension))
		reached = slices.ContainsFunc(e.homes, func(home *catalog.Dataset) bool { return e.isRangeReached(s, home) }) && !e.named.has(s.fieldTarget)
	case e.root != nil:
		if s.field = e.root.PrimaryTime; s.field != nil {
			reached = !e.named.has(s.fieldTarget)
		}
	default:
		r.Dimension, s.onAxis = metricTime, true
		axes := e.axesOfQuery()
		reached = len(axes) > 0 && !e.named.axis && !slices.ContainsFunc(axes, e.named.has)
	}
	if !reached || !e.readRangeBoundsOrPeriod(&s, r) || !s.onAxis && !e.checkRange(s.field, &s) {
		return
	}
	if e.q.Top != nil && e.q.Top.Rank != nil {
		abstain("a ranking by another range than that of a view")
	}
	q := *e.q
	q.TimeRange, e.q, e.timeRanges = &r, &q, []timeRange{s}
}

func (e *evaluator) isRangeReached(s timeRange, home *catalog.Dataset) bool {
	_, found := e.safePath(home, s.fieldTarget)
	return found == foundOnePath || found == foundSeveralPaths
}

// rangeOfLeaf returns the range of a leaf: that of a view acts where its rows lead to the field.
func (e *evaluator) rangeOfLeaf(s timeRange, l *measureLeaf) timeRange {
	if s.ofView && (s.onAxis && l.axis == nil || !s.onAxis && !e.isRangeReached(s, l.measure.Home)) {
		if e.q.Compare != nil {
			e.addMustRejectCode("time_range_required") // which has nothing to compare
		}
		return timeRange{tag: s.tag}
	}
	return s
}
