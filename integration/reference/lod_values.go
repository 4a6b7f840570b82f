package reference

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// lodValue returns a level-of-detail field of a row of its carrier. Its table depends
// on the values of its parameters, and on which tables are being computed: a
// condition that needs one of those cannot apply inside.
func (e *evaluator) lodValue(f *catalog.Field, r Row) Value {
	return e.lodValueLookup(f)(e.lodGrainKey(f, r))
}

// lodValueLookup returns the table of a level-of-detail field.
func (e *evaluator) lodValueLookup(f *catalog.Field) func(key string) Value {
	name := f.QualifiedName() + paramValuesKey(e.binding)
	for _, outer := range e.lodStack {
		name += " in " + outer.QualifiedName()
	}
	at, ok := e.lodTables[name]
	if !ok {
		at = e.computeLOD(f)
		e.lodTables[name] = at
	}
	return at
}

func paramValuesKey(b paramValues) string {
	out := ""
	for _, name := range slices.Sorted(maps.Keys(b)) {
		out += " " + name + "=" + groupKey(b[name])
	}
	return out
}

func (e *evaluator) lodGrainKey(f *catalog.Field, r Row) string {
	var values []Value
	for _, g := range f.LOD.Grain {
		values = append(values, e.groupByValue(g, groupByItem{}, e.fieldValue(g, r)))
	}
	return groupKey(values...)
}

// computeLOD aggregates once per grain key, over the rows that belong to a row of
// the carrier and pass the field's own condition and the context.
func (e *evaluator) computeLOD(f *catalog.Field) func(key string) Value {
	e.lodStack = append(e.lodStack, f)
	defer func() { e.lodStack = e.lodStack[:len(e.lodStack)-1] }()
	form := f.LOD.Measures.ForDialect(expressionDialect)
	e.checkSingleLODHome(form)
	operands := make([]valuesByGroup, len(form.Operands))
	for i, o := range form.Operands {
		operands[i] = e.aggregateLODMeasure(f, o.(*catalog.Measure))
	}
	return func(key string) Value {
		return evalContext{ref: func(i int) Value { return operands[i].valueOfKey(key) }}.eval(form.Expr)
	}
}

// checkSingleLODHome rejects a field over two facts.
func (e *evaluator) checkSingleLODHome(form *catalog.ArithmeticOverOperands) {
	var homes []*catalog.Dataset
	for _, o := range form.Operands {
		if home := o.(*catalog.Measure).Home; !slices.Contains(homes, home) {
			homes = append(homes, home)
		}
	}
	if len(homes) > 1 {
		e.addMustRejectCode("not_implemented")
	}
}

func (e *evaluator) aggregateLODMeasure(f *catalog.Field, m *catalog.Measure) valuesByGroup {
	out := valuesByGroup{values: map[string]Value{}}
	if m.Agg.IsZeroOverNoRows() {
		out.missing = 0.0
	}
	var targets []fieldTarget
	add := func(t fieldTarget) int {
		targets = append(targets, t)
		return len(targets) - 1
	}
	carrier := add(lodFieldTargetFromHome(f, m.Home))
	own := map[int]int{} // by field, of the field's condition
	if f.LOD.Where != nil {
		sqlexpr.Walk(f.LOD.Where, func(x sqlexpr.Expr) bool {
			if ref, ok := x.(*sqlexpr.Ref); ok {
				own[ref.ID] = add(lodConditionTarget(e.cat.FieldByID(ref.ID)))
			}
			return true
		})
	}
	context := e.applicableConditions(m.Home)
	at := map[*sqlexpr.Column]int{}
	for _, c := range context {
		for col, t := range c.fields {
			at[col] = add(t)
		}
	}
	r, ok := e.findJoinRoute(m.Home, true, targets)
	if !ok {
		return out
	}
	groups := map[string][]branchRow{}
	rows := e.removeDroppedRows(e.joinAlongPaths(r.root, r.targetPaths), targets, func(i int) string { return pathKey(r.targetPaths[i]) })
	for _, row := range slices.DeleteFunc(rows, func(row joinedRow) bool { return e.measureInnerJoinsDropRow(m, row[""]) }) {
		read := func(i int) Value { return e.fieldValue(targets[i].field, row[pathKey(r.targetPaths[i])]) }
		owner := row[pathKey(r.targetPaths[carrier])]
		where := evalContext{ref: func(id int) Value { return read(own[id]) }, param: e.lodParamLookup(f)}
		if owner == nil || f.LOD.Where != nil && !where.isTrue(f.LOD.Where) || !meetsAllConditions(context, func(c *sqlexpr.Column) Value { return read(at[c]) }) {
			continue
		}
		key := e.lodGrainKey(f, owner)
		groups[key] = append(groups[key], branchRow{row: row})
	}
	for key, members := range groups {
		out.values[key] = e.aggregateGroup(m, nil, &measureLeaf{}, members, "")
	}
	return out
}

// lodConditionTarget returns the field that the condition of a level of detail reads.
func lodConditionTarget(f *catalog.Field) fieldTarget {
	if f.Joined == nil {
		return fieldTarget{field: f}
	}
	t := fieldTarget{field: f.Joined.Field, sourceDataset: f.Dataset}
	for _, s := range f.Joined.Path {
		t.steps = append(t.steps, joinStep{s.Rel, s.Reverse})
	}
	return t
}

// lodFieldTargetFromHome returns the row of the carrier to which a row of a home belongs, by the
// relationships of `via` where the field names them.
func lodFieldTargetFromHome(f *catalog.Field, home *catalog.Dataset) fieldTarget {
	if len(f.LOD.Via) == 0 {
		return fieldTarget{field: f}
	}
	return fieldTarget{field: f, sourceDataset: home, steps: lodViaSteps(f, home)}
}

// lodViaSteps follows the relationships of `via` from a home, in the directions that
// their names leave open.
func lodViaSteps(f *catalog.Field, home *catalog.Dataset) []joinStep {
	var rels []*catalog.Relationship
	for _, s := range f.LOD.Via {
		rels = append(rels, s.Rel)
	}
	for _, start := range []joinStep{{rels[0], false}, {rels[0], true}} {
		if steps, ok := chainRelationships(start, rels); ok && start.sourceDataset() == home {
			return steps
		}
	}
	abstain("a level of detail whose via does not leave %s", home.Name)
	return nil
}

// safePathWithinLOD finds the path of safe steps from a home to a dataset. Inside of a level of
// detail with `via` that path decides for the datasets on it, and for those that
// every path reaches through the carrier.
func (e *evaluator) safePathWithinLOD(home, to *catalog.Dataset, inView bool) ([]joinStep, pathSearchResult) {
	paths := e.followed(pathsBetween(e.cat, home, to, isSafeStep), inView)
	if len(paths) < 2 || len(e.lodStack) == 0 || len(e.lodStack[len(e.lodStack)-1].LOD.Via) == 0 {
		return singlePath(paths)
	}
	f := e.lodStack[len(e.lodStack)-1]
	via := lodViaSteps(f, home)
	for i := range via {
		if via[i].targetDataset() == to {
			return via[:i+1], foundOnePath
		}
	}
	var along [][]joinStep
	for _, p := range paths {
		if !slices.ContainsFunc(p, func(s joinStep) bool { return s.targetDataset() == f.Dataset }) {
			return nil, foundSeveralPaths
		}
		if slices.Equal(p[:min(len(p), len(via))], via) {
			along = append(along, p)
		}
	}
	if len(along) == 0 {
		return nil, foundSeveralPaths
	}
	return singlePath(along)
}

// populationConditionsOfLeaf lists the conjuncts of context_filter that filter the rows of a
// leaf's branch. One that its home does not reach does its work inside the
// level-of-detail fields that it reads, if it can; such a one filters the rows of
// another root as well, where the branch has one that reaches it. A sensitive branch
// has no other root.
func (e *evaluator) populationConditionsOfLeaf(l *measureLeaf, sensitive bool) (own, ofRoot []condition) {
	read := e.lodFieldsOfLeaf(l)
	ours := len(read)
	for _, m := range e.metrics {
		for _, use := range measuresOfMetric(m, nil) {
			if use.measure.Home == l.measure.Home {
				read = lodFieldsOfMeasureUse(e.cat, read, use)
			}
		}
	}
	conditions := slices.DeleteFunc(slices.Clone(e.populationConditions), func(c condition) bool { return e.choosesStepsOf(c, l.measure.Home) || !e.actsFrom(c, l.measure.Home) })
	if len(read) == 0 {
		return conditions, nil
	}
	for _, c := range conditions {
		if e.reachesConditionTargets(c, l.measure.Home) {
			own = append(own, c)
			continue
		}
		at := slices.IndexFunc(read, func(f *catalog.Field) bool {
			return slices.ContainsFunc(f.LOD.Measures.ForDialect(expressionDialect).Operands, func(o catalog.Operand) bool {
				e.lodStack = append(e.lodStack, f)
				defer func() { e.lodStack = e.lodStack[:len(e.lodStack)-1] }()
				return len(e.applicableConditions(o.(*catalog.Measure).Home, c)) > 0
			})
		})
		switch {
		case at < 0 && sensitive:
			e.addMustRejectCode("no_join_path")
			e.addMayRejectCode("fan_out_risk")
		case at < 0:
			own = append(own, c)
		case at >= ours:
			abstain("a condition that only another measure's level of detail applies")
		default:
			ofRoot = append(ofRoot, c)
		}
	}
	return own, ofRoot
}

func (e *evaluator) reachesConditionTargets(c condition, home *catalog.Dataset) bool {
	return !slices.ContainsFunc(c.targets(), func(t fieldTarget) bool {
		_, found := e.safePath(home, t)
		return found == foundNoPath || found == foundUnusablePath
	})
}

// applicableConditions lists the conjuncts, of context_filter by default, that apply to
// the rows of a dataset: it reaches all that they name, and they do not need a
// table that is being computed.
func (e *evaluator) applicableConditions(home *catalog.Dataset, from ...condition) []condition {
	if from == nil {
		from = e.populationConditions
	}
	var out []condition
	for _, c := range from {
		var needed []*catalog.Field
		for _, t := range c.targets() {
			needed = lodFieldsUnderField(e.cat, needed, t.field)
		}
		circular := slices.ContainsFunc(needed, func(f *catalog.Field) bool { return slices.Contains(e.lodStack, f) })
		unambiguous := !slices.ContainsFunc(c.targets(), func(t fieldTarget) bool {
			_, found := e.safePath(home, t)
			return found != foundOnePath
		})
		if !circular && unambiguous {
			out = append(out, c)
		}
	}
	return out
}

// lodFieldsUnderField adds the level-of-detail fields that a field's value needs.
func lodFieldsUnderField(cat *catalog.Catalog, out []*catalog.Field, f *catalog.Field) []*catalog.Field {
	switch {
	case f == nil || slices.Contains(out, f):
		return out
	case f.Joined != nil:
		return lodFieldsUnderField(cat, out, f.Joined.Field)
	case f.LOD == nil:
		return lodFieldsInExpression(cat, out, f.Expr.ForDialect(expressionDialect))
	}
	out = lodFieldsInExpression(cat, append(out, f), f.LOD.Where)
	for _, g := range f.LOD.Grain {
		out = lodFieldsUnderField(cat, out, g)
	}
	for _, o := range f.LOD.Measures.ForDialect(expressionDialect).Operands {
		out = lodFieldsOfMeasure(cat, out, o.(*catalog.Measure))
	}
	return out
}

func lodFieldsOfMeasure(cat *catalog.Catalog, out []*catalog.Field, m *catalog.Measure) []*catalog.Field {
	return lodFieldsInExpression(cat, lodFieldsInExpression(cat, out, m.Arg), m.OrderBy)
}

func lodFieldsInExpression(cat *catalog.Catalog, out []*catalog.Field, x sqlexpr.Expr) []*catalog.Field {
	sqlexpr.Walk(x, func(n sqlexpr.Expr) bool {
		if ref, ok := n.(*sqlexpr.Ref); ok {
			out = lodFieldsUnderField(cat, out, cat.FieldByID(ref.ID))
		}
		return true
	})
	return out
}

// lodFieldsOfQuery lists the level-of-detail fields that group-bys and conditions
// read.
func (e *evaluator) lodFieldsOfQuery() []*catalog.Field {
	var out []*catalog.Field
	for _, g := range e.groups {
		for _, t := range g.targetsRead() {
			out = lodFieldsUnderField(e.cat, out, t.field)
		}
	}
	for _, c := range slices.Concat(e.populationConditions, e.rowConditions, e.resultConditions) {
		for _, t := range c.targets() {
			out = lodFieldsUnderField(e.cat, out, t.field)
		}
	}
	return out
}

// lodFieldsOfLeaf lists the level-of-detail fields that a leaf's branch reads.
func (e *evaluator) lodFieldsOfLeaf(l *measureLeaf) []*catalog.Field {
	return lodFieldsOfMeasureUse(e.cat, e.lodFieldsOfQuery(), l.measureInMetric)
}

func lodFieldsOfMeasureUse(cat *catalog.Catalog, out []*catalog.Field, use measureInMetric) []*catalog.Field {
	out = lodFieldsOfMeasure(cat, out, use.measure)
	for _, f := range filteringMetrics(use.chain[len(use.chain)-1]) {
		out = lodFieldsInExpression(cat, out, f.Derive.Where)
	}
	return out
}

// aggregatesLOD reports whether a measure aggregates a level-of-detail field.
func (e *evaluator) aggregatesLOD(m *catalog.Measure) bool {
	return len(lodFieldsOfMeasure(e.cat, nil, m)) > 0
}

// isParamOfLODFieldInQuery reports whether a level-of-detail field that the query reads declares
// a parameter.
func (e *evaluator) isParamOfLODFieldInQuery(name string) bool {
	read := e.lodFieldsOfQuery()
	for _, m := range e.metrics {
		for _, use := range measuresOfMetric(m, nil) {
			read = lodFieldsOfMeasureUse(e.cat, read, use)
		}
	}
	return slices.ContainsFunc(read, func(f *catalog.Field) bool {
		return slices.ContainsFunc(f.LOD.Params, func(p *catalog.Param) bool { return p.Name == name })
	})
}

// lodParamLookup gives the values of a field's parameters: those of the column that is
// computed, else what the query binds.
func (e *evaluator) lodParamLookup(f *catalog.Field) func(string) Value {
	bound := paramValues{}
	for _, p := range f.LOD.Params {
		given := e.bindingOfParam(p.Name)
		v, ok := e.binding[p.Name]
		switch {
		case ok:
			bound[p.Name] = v
		case e.paramsUnknown:
			bound[p.Name] = nil
		case given != nil && given.List:
			abstain("a list for a parameter of a level-of-detail field")
		case given != nil:
			bound[p.Name], _ = parameterValue(p, given.Values[0])
		}
	}
	return bound.lookupForParams(f.LOD.Params)
}
