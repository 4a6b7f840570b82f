package reference

import (
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// evaluateDistinctGroups lists the groups that the rows of one dataset have.
func (e *evaluator) evaluateDistinctGroups() (*Result, error) {
	if len(e.q.Metrics) > 0 || len(e.q.Totals) > 0 || len(e.q.Shares) > 0 || e.q.Compare != nil || e.q.Top != nil || e.q.Fill != nil || len(e.q.TimeRanges) > 0 || e.q.FanOut != "" {
		e.addMustRejectCode("conflicting_keys")
		return nil, e.toRejection()
	}
	if len(e.q.GroupBy) == 0 {
		e.addMustRejectCode("empty_query")
	}
	e.homes = e.cat.Datasets // a path of relationships may leave any of them
	e.readGroupBys()
	e.readResultColumnNames()
	e.readDistinctConditions()
	var ranged fieldTarget
	dated := e.q.TimeRange != nil && e.q.TimeRange.Dimension != ""
	if dated && strings.EqualFold(e.q.TimeRange.Dimension, metricTime) {
		e.addMustRejectCode("unknown_dimension")
	} else if dated {
		ranged, dated = e.resolveTarget(splitReference(e.q.TimeRange.Dimension))
	}
	if err := e.toRejection(); err != nil {
		return nil, err
	}
	named := e.fieldsNamedInGroupsAndConditions()
	if dated {
		named = append(named, ranged)
	}
	if e.root = e.findDistinctRoot(named); e.root == nil {
		return nil, e.toRejection()
	}
	e.homes = []*catalog.Dataset{e.root}
	e.readDistinctRange(dated, ranged)
	e.readOrderBy()
	e.checkParams()
	rows := e.groupKeysOfRootRows()
	if err := e.toRejection(); err != nil {
		return nil, err
	}
	out := &Result{Columns: e.outputs, Ordered: len(e.q.OrderBy) > 0 || e.q.Limit != nil || e.q.Offset > 0, May: slices.Sorted(maps.Keys(e.may))}
	slices.SortFunc(rows, e.compareRows)
	out.Total = len(rows)
	out.Rows = skipRows(rows, e.q.Offset)
	if e.q.Limit != nil {
		out.Rows = out.Rows[:min(len(out.Rows), int(*e.q.Limit))]
	}
	return out, nil
}

// readDistinctConditions reads the filters, all of which are conditions on rows.
func (e *evaluator) readDistinctConditions() {
	if slices.ContainsFunc(e.groups, func(g groupByItem) bool { return g.onAxis }) {
		e.addMustRejectCode("unknown_dimension")
	}
	for _, x := range e.splitConjuncts(e.q.ContextFilter) {
		if c, ok := e.resolveCondition(x, false); ok {
			e.populationConditions = append(e.populationConditions, c)
		}
	}
	for _, x := range e.splitConjuncts(e.q.WhereSQL) {
		if c, ok := e.resolveCondition(x, true); ok {
			e.rowConditions = append(e.rowConditions, c)
		}
	}
}

// readDistinctRange reads the range, which means what it means to the rows of a dataset.
func (e *evaluator) readDistinctRange(dated bool, field fieldTarget) {
	e.timeRanges = []timeRange{{}}
	if e.q.TimeRange == nil {
		return
	}
	s := timeRange{}
	if !e.readRangeBoundsOrPeriod(&s, *e.q.TimeRange) || !dated && !e.resolveDefaultRangeField(&s) {
		return
	}
	if dated {
		s.fieldTarget = field
		e.checkRange(s.field, &s)
	}
	e.timeRanges[0] = s
}

// fieldsNamedInGroupsAndConditions lists the fields that group-bys and conditions name.
func (e *evaluator) fieldsNamedInGroupsAndConditions() []fieldTarget {
	var out []fieldTarget
	for _, g := range e.groups {
		out = append(out, g.targetsRead()...)
	}
	for _, c := range slices.Concat(e.populationConditions, e.rowConditions) {
		out = append(out, c.targets()...)
	}
	return out
}

// findDistinctRoot finds the dataset whose rows have the groups.
func (e *evaluator) findDistinctRoot(named []fieldTarget) *catalog.Dataset {
	if e.q.From != "" {
		root := e.cat.Dataset(e.q.From)
		if root == nil {
			e.addMustRejectCode("unknown_dataset")
		} else if _, how := e.countJoinsFrom(root, named); how == foundNoPath {
			e.addMustRejectCode("no_join_path")
			return nil
		}
		return root
	}
	var inside []*catalog.Dataset
	for _, t := range named {
		for _, d := range []*catalog.Dataset{t.field.Dataset, t.sourceDataset} {
			if d != nil && !slices.Contains(inside, d) {
				inside = append(inside, d)
			}
		}
	}
	if root := e.findRootReachingAll(inside, named); root != nil || len(e.must) > 0 {
		return root
	}
	var best []*catalog.Dataset
	fewest := 0
	for _, d := range e.cat.Datasets {
		joins, how := e.countJoinsFrom(d, named)
		switch {
		case slices.Contains(inside, d), how == foundNoPath:
		case how == foundSeveralPaths:
			abstain("a root from which several paths lead on")
		case len(best) == 0 || joins < fewest:
			best, fewest = []*catalog.Dataset{d}, joins
		case joins == fewest:
			best = append(best, d)
		}
	}
	switch len(best) {
	case 0:
		e.addMustRejectCode("no_join_path")
		if slices.ContainsFunc(named, func(t fieldTarget) bool { return len(t.steps) > 0 }) {
			e.addMayRejectCode("ambiguous_join_path") // where several paths lead to an unsafe first step
		}
		return nil
	case 1:
		return best[0]
	}
	e.addMustRejectCode("ambiguous_join_path")
	return nil
}

// findRootReachingAll finds the only named dataset that reaches all others. If two reach each other, it
// is the one whose edges lead to the other as they are declared.
func (e *evaluator) findRootReachingAll(inside []*catalog.Dataset, named []fieldTarget) *catalog.Dataset {
	var found []*catalog.Dataset
	for _, d := range inside {
		if _, how := e.countJoinsFrom(d, named); how != foundNoPath {
			found = append(found, d)
		}
	}
	if len(found) < 2 {
		if len(found) == 1 {
			return found[0]
		}
		return nil
	}
	declared := slices.DeleteFunc(slices.Clone(found), func(d *catalog.Dataset) bool {
		return slices.ContainsFunc(found, func(o *catalog.Dataset) bool { return len(pathsBetween(e.cat, d, o, isForwardStep)) == 0 })
	})
	if len(declared) != 1 {
		e.addMustRejectCode("ambiguous_join_path")
		return nil
	}
	return declared[0]
}

// countJoinsFrom counts the joins that lead from a dataset to all fields along safe edges.
func (e *evaluator) countJoinsFrom(root *catalog.Dataset, named []fieldTarget) (joins int, how pathSearchResult) {
	places := map[string]bool{}
	for _, t := range named {
		path, found := e.safePath(root, t)
		switch found {
		case foundNoPath, foundUnusablePath:
			return 0, foundNoPath
		case foundSeveralPaths:
			if slices.ContainsFunc(t.steps, func(s joinStep) bool { return !isSafeStep(s) }) {
				return 0, foundNoPath
			}
			how = foundSeveralPaths
		}
		for i := range path {
			places[pathKey(path[:i+1])] = true
		}
	}
	return len(places), how
}

// groupKeysOfRootRows returns the groups of the rows of the root.
func (e *evaluator) groupKeysOfRootRows() [][]Value {
	var paths [][]joinStep
	var targets []fieldTarget
	place := map[string]string{}
	way := func(t fieldTarget) string {
		path, found := e.safePath(e.root, t)
		switch found {
		case foundSeveralPaths:
			e.addMustRejectCode("ambiguous_join_path")
		case foundNoPath, foundUnusablePath:
			e.addMustRejectCode("no_join_path")
		}
		paths, targets = append(paths, path), append(targets, t)
		return pathKey(path)
	}
	at := map[*sqlexpr.Column]string{}
	fields := map[*sqlexpr.Column]fieldTarget{}
	for i, g := range e.groups {
		if g.expr == nil {
			place[g.name] = way(e.groups[i].fieldTarget)
		}
		for col, t := range g.fields {
			at[col], fields[col] = way(t), t
		}
	}
	for _, c := range slices.Concat(e.populationConditions, e.rowConditions) {
		for col, t := range c.fields {
			at[col], fields[col] = way(t), t
		}
	}
	ranged, s := "", e.timeRanges[0]
	if s.hasStartOrEnd() && s.field != nil {
		ranged = way(s.fieldTarget)
	}
	for _, f := range e.lodFieldsOfQuery() {
		e.lodValueLookup(f)
	}
	if len(e.must) > 0 {
		return nil
	}
	var out [][]Value
	seen := map[string]bool{}
	for _, row := range e.removeDroppedRows(e.joinAlongPaths(e.root, paths), targets, func(i int) string { return pathKey(paths[i]) }) {
		read := func(col *sqlexpr.Column) Value { return e.fieldValue(fields[col].field, row[at[col]]) }
		var dims []Value
		for _, g := range e.groups {
			if g.expr != nil {
				dims = append(dims, evalContext{column: read}.eval(g.expr))
			} else {
				dims = append(dims, e.groupByValue(g.field, g, e.fieldValue(g.field, row[place[g.name]])))
			}
		}
		condition := func(col *sqlexpr.Column) Value {
			for _, c := range e.rowConditions {
				if name, ok := c.outputs[col]; ok {
					return dims[e.resultColumnIndex(name)]
				}
			}
			return read(col)
		}
		key := groupKey(dims...)
		if seen[key] || !meetsAllConditions(e.populationConditions, read) || !meetsAllConditions(e.rowConditions, condition) || s.hasStartOrEnd() && !e.isInRange(s, s.field, e.fieldValue(s.field, row[ranged])) {
			continue
		}
		seen[key] = true
		out = append(out, dims)
	}
	return out
}
