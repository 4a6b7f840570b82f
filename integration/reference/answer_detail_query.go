package reference

import (
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// The rows that a detail query without a limit gets, and the most that any gets.
const (
	defaultDetailRows = 100
	maxDetailRows     = 10000
)

// AnswerDetailQuery answers a detail query over rows in memory: one row for each row of its
// root, in the order of its keys and then of all its columns. Errors are as of
// Metrics.
func AnswerDetailQuery(m *CompiledModel, data Data, q *query.DetailQuery) (*Result, error) {
	e := newEvaluator(m.Catalog, data, NoFault, &query.MetricQuery{
		With: q.With, WhereSQL: q.WhereSQL, TimeRange: q.TimeRange, OrderBy: q.OrderBy, Limit: q.Limit, Offset: q.Offset, Params: q.Params,
		AsOf: q.AsOf, TimeZone: q.TimeZone, WeekStart: q.WeekStart, Defaults: q.Defaults, Sequences: q.Sequences,
	})
	return recoverAbstention(func() (*Result, error) {
		var err error
		if e.cat, err = m.extendCatalog(e, q.With, nil, q.Sequences); err != nil {
			return nil, err
		}
		if err := e.toRejection(); err != nil {
			return nil, err
		}
		if !e.enterView(m, q.View) {
			return nil, e.toRejection()
		}
		e.readTimeZoneAndWeekStart()
		e.allowRejectionOfExpandedSize()
		e.checkLocalFields(q.With)
		return e.answerDetailQuery(q)
	})
}

func (e *evaluator) answerDetailQuery(q *query.DetailQuery) (*Result, error) {
	if e.root = e.datasetNamed(q.From); e.root == nil {
		e.addMustRejectCode("unknown_dataset")
		return nil, e.toRejection()
	}
	e.homes = []*catalog.Dataset{e.root}
	if len(q.Fields) == 0 {
		e.addMustRejectCode("unknown_dimension")
	}
	for _, text := range q.Fields {
		e.readProjectedField(text)
	}
	for _, x := range e.splitConjuncts(q.WhereSQL) {
		if c, ok := e.resolveCondition(x, false); ok {
			e.named.add(e, c)
			e.rowConditions = append(e.rowConditions, c)
		}
	}
	e.readViewConditions(func(c condition) { e.rowConditions = append(e.rowConditions, c) })
	e.rowConditions = slices.DeleteFunc(append(e.rowConditions, e.populationConditions...), func(c condition) bool { return !e.actsFrom(c, e.root) })
	e.populationConditions = nil
	for _, g := range e.groups {
		e.outputs = append(e.outputs, g.name)
	}
	e.readRanges()
	e.readOrderBy()
	e.checkParams()
	rows := e.projectRootRows()
	if err := e.toRejection(); err != nil {
		return nil, err
	}
	out := &Result{Rows: rows, Ordered: len(q.OrderBy) > 0 || q.Limit != nil || q.Offset > 0 || len(rows) > defaultDetailRows, May: slices.Sorted(maps.Keys(e.may))}
	out.Columns = e.outputs
	slices.SortFunc(out.Rows, e.compareRows)
	out.Total = len(out.Rows)
	limit := defaultDetailRows
	if q.Limit != nil {
		limit = min(int(*q.Limit), maxDetailRows)
	}
	out.Rows = skipRows(out.Rows, q.Offset)
	out.Rows = out.Rows[:min(len(out.Rows), limit)]
	return out, nil
}

// readProjectedField reads `reference`, `reference:grain` or `reference:part`.
func (e *evaluator) readProjectedField(text string) {
	text, unit, _ := strings.Cut(text, ":")
	t, ok := e.resolveTarget(splitReference(text))
	if !ok {
		return
	}
	g := groupByItem{fieldTarget: t, name: t.outputColumnName()}
	switch _, isPart := unitsOfParts[unit]; {
	case isPart && e.cat.Period(unit) == nil:
		e.readPart(&g, query.GroupBy{Part: unit})
	case unit != "":
		e.readGrain(&g, unit)
	}
	if slices.ContainsFunc(e.groups, func(o groupByItem) bool { return strings.EqualFold(o.name, g.name) }) {
		e.addMustRejectCode("duplicate_output_name")
	}
	e.groups = append(e.groups, g)
}

// resolveBareName finds the field of a name without a dataset: the root's, else that
// of the one dataset within reach that has it.
func (e *evaluator) resolveBareName(name string) (fieldTarget, bool) {
	if f := e.fieldNamed(e.root, name); f != nil {
		return e.requireExpressionForDialect(fieldTarget{field: f, inView: true})
	}
	all := e.fieldsNamed(name)
	if rel := e.relationshipOfBareName(name); rel != nil && len(all) == 0 {
		return e.resolveListedBareName(rel, name)
	}
	near := slices.DeleteFunc(slices.Clone(all), func(f *catalog.Field) bool {
		return len(e.followed(pathsBetween(e.cat, e.root, f.Dataset, isSafeStep), true)) == 0
	})
	switch {
	case len(near) == 1:
		return e.requireExpressionForDialect(fieldTarget{field: near[0], inView: true})
	case len(near) == 0 && e.metricNamed(name) != nil:
		e.addMustRejectCode("metric_in_detail_query")
		e.addMayRejectCode("unknown_dimension")
	case len(near) == 0 && len(all) == 1:
		return e.requireExpressionForDialect(fieldTarget{field: all[0], inView: true}) // there is no way to it
	case len(all) == 0:
		e.addMustRejectCode("unknown_dimension")
	default:
		e.addMustRejectCode("ambiguous_dimension")
	}
	return fieldTarget{}, false
}

// resolveDefaultRangeField finds the field of a range that names none: the only projected time
// field, else the root's primary one, else its only one.
func (e *evaluator) resolveDefaultRangeField(s *timeRange) bool {
	var projected []fieldTarget
	for _, g := range e.groups {
		if g.field.IsTime && !slices.ContainsFunc(projected, g.equals) {
			projected = append(projected, g.fieldTarget)
		}
	}
	own := slices.DeleteFunc(slices.Clone(e.root.Fields), func(f *catalog.Field) bool { return !f.IsTime })
	switch {
	case len(projected) == 1:
		s.fieldTarget = projected[0]
	case e.root.PrimaryTime != nil:
		s.field = e.root.PrimaryTime
	case len(own) == 1:
		s.field = own[0]
	default:
		e.addMustRejectCode("time_range_needs_dimension")
		return false
	}
	return e.checkRange(s.field, s)
}

// projectRootRows joins the projected fields to each row of the root.
func (e *evaluator) projectRootRows() [][]Value {
	var paths [][]joinStep
	var targets []fieldTarget
	ok := true
	way := func(t fieldTarget) string {
		path, found := e.safePath(e.root, t)
		switch {
		case found == foundOnePath:
			paths, targets = append(paths, path), append(targets, t)
			return pathKey(path)
		case found == foundSeveralPaths:
			e.addMustRejectCode("ambiguous_join_path")
		case !e.isReachableTogetherWithRoot(t.field.Dataset):
			e.addMustRejectCode("no_join_path")
		default:
			e.addMustRejectCode("detail_fanout")
		}
		ok = false
		return ""
	}
	places := make([]string, len(e.groups))
	for i, g := range e.groups {
		places[i] = way(g.fieldTarget)
	}
	at := map[*sqlexpr.Column]string{}
	for _, c := range e.rowConditions {
		for col, t := range c.fields {
			at[col] = way(t)
		}
	}
	ranged := ""
	s := e.timeRanges[0]
	if s.hasStartOrEnd() {
		ranged = way(s.fieldTarget)
	}
	for _, f := range e.lodFieldsOfQuery() {
		e.lodValueLookup(f)
	}
	if !ok || len(e.must) > 0 {
		return nil
	}
	rows := [][]Value{}
	for _, row := range e.removeDroppedRows(e.joinAlongPaths(e.root, paths), targets, func(i int) string { return pathKey(paths[i]) }) {
		read := func(col *sqlexpr.Column) Value {
			return e.fieldValue(fieldOfConditionColumn(e.rowConditions, col), row[at[col]])
		}
		if !meetsAllConditions(e.rowConditions, read) || s.hasStartOrEnd() && !e.isInRange(s, s.field, e.fieldValue(s.field, row[ranged])) {
			continue
		}
		var cells []Value
		for i, g := range e.groups {
			cells = append(cells, e.groupByValue(g.field, g, e.fieldValue(g.field, row[places[i]])))
		}
		rows = append(rows, cells)
	}
	return rows
}

// isReachableTogetherWithRoot reports whether some dataset leads both to the root and to another
// one, along edges as they are declared or along safe ones.
func (e *evaluator) isReachableTogetherWithRoot(d *catalog.Dataset) bool {
	return slices.ContainsFunc(e.cat.Datasets, func(r *catalog.Dataset) bool {
		for _, usable := range []func(joinStep) bool{isForwardStep, isSafeStep} {
			if len(pathsBetween(e.cat, r, e.root, usable)) > 0 && len(pathsBetween(e.cat, r, d, usable)) > 0 {
				return true
			}
		}
		return false
	})
}

func fieldOfConditionColumn(conditions []condition, col *sqlexpr.Column) *catalog.Field {
	for _, c := range conditions {
		if t, ok := c.fields[col]; ok {
			return t.field
		}
	}
	return nil
}
