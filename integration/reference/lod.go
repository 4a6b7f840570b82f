package reference

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// lodValue is a level-of-detail field of a row of its carrier. Its table depends
// on the values of its parameters, and on which tables are being computed: a
// condition that needs one of those cannot apply inside.
func (e *evaluator) lodValue(f *catalog.Field, r Row) Value {
	return e.lodTable(f)(e.grainKey(f, r))
}

// lodTable is the table of a level-of-detail field.
func (e *evaluator) lodTable(f *catalog.Field) func(key string) Value {
	name := f.QualifiedName() + bindingKey(e.binding)
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

func bindingKey(b binding) string {
	out := ""
	for _, name := range slices.Sorted(maps.Keys(b)) {
		out += " " + name + "=" + keyOf(b[name])
	}
	return out
}

func (e *evaluator) grainKey(f *catalog.Field, r Row) string {
	var values []Value
	for _, g := range f.LOD.Grain {
		values = append(values, e.applyGrain(g, groupByItem{}, e.fieldValue(g, r)))
	}
	return keyOf(values...)
}

// computeLOD aggregates once per grain key, over the rows that belong to a row of
// the carrier and pass the field's own condition and the context.
func (e *evaluator) computeLOD(f *catalog.Field) func(key string) Value {
	e.lodStack = append(e.lodStack, f)
	defer func() { e.lodStack = e.lodStack[:len(e.lodStack)-1] }()
	form := f.LOD.Measures.ForDialect(expressionDialect)
	e.checkLODHomes(form)
	operands := make([]groupValues, len(form.Operands))
	for i, o := range form.Operands {
		operands[i] = e.lodMeasure(f, o.(*catalog.Measure))
	}
	return func(key string) Value {
		return evalContext{ref: func(i int) Value { return operands[i].value(key) }}.eval(form.Expr)
	}
}

// checkLODHomes refuses a field over two facts.
func (e *evaluator) checkLODHomes(form *catalog.ArithmeticForm) {
	var homes []*catalog.Dataset
	for _, o := range form.Operands {
		if home := o.(*catalog.Measure).Home; !slices.Contains(homes, home) {
			homes = append(homes, home)
		}
	}
	if len(homes) > 1 {
		e.require("not_implemented")
	}
}

func (e *evaluator) lodMeasure(f *catalog.Field, m *catalog.Measure) groupValues {
	out := groupValues{values: map[string]Value{}}
	if m.Agg.IsZeroOverNoRows() {
		out.missing = 0.0
	}
	var targets []target
	add := func(t target) int {
		targets = append(targets, t)
		return len(targets) - 1
	}
	carrier := add(carrierTarget(f, m.Home))
	own := map[int]int{} // by field, of the field's condition
	if f.LOD.Where != nil {
		sqlexpr.Walk(f.LOD.Where, func(x sqlexpr.Expr) bool {
			if ref, ok := x.(*sqlexpr.Ref); ok {
				own[ref.ID] = add(conditionTarget(e.cat.FieldByID(ref.ID)))
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
	r, ok := e.findRoute(m.Home, true, targets)
	if !ok {
		return out
	}
	groups := map[string][]branchRow{}
	rows := e.keepRows(e.join(r.root, r.targetPaths), targets, func(i int) string { return pathKey(r.targetPaths[i]) })
	for _, row := range slices.DeleteFunc(rows, func(row joinedRow) bool { return e.measureDropsRow(m, row[""]) }) {
		read := func(i int) Value { return e.fieldValue(targets[i].field, row[pathKey(r.targetPaths[i])]) }
		owner := row[pathKey(r.targetPaths[carrier])]
		where := evalContext{ref: func(id int) Value { return read(own[id]) }, param: e.lodParams(f)}
		if owner == nil || f.LOD.Where != nil && !where.isTrue(f.LOD.Where) || !meetsAll(context, func(c *sqlexpr.Column) Value { return read(at[c]) }) {
			continue
		}
		key := e.grainKey(f, owner)
		groups[key] = append(groups[key], branchRow{row: row})
	}
	for key, members := range groups {
		out.values[key] = e.aggregate(m, nil, &measureLeaf{}, members, "")
	}
	return out
}

// conditionTarget is the field that the condition of a level of detail reads.
func conditionTarget(f *catalog.Field) target {
	if f.Joined == nil {
		return target{field: f}
	}
	t := target{field: f.Joined.Field, sourceDataset: f.Dataset}
	for _, s := range f.Joined.Path {
		t.steps = append(t.steps, step{s.Rel, s.Reverse})
	}
	return t
}

// carrierTarget is the row of the carrier to which a row of a home belongs, by the
// relationships of `via` where the field names them.
func carrierTarget(f *catalog.Field, home *catalog.Dataset) target {
	if len(f.LOD.Via) == 0 {
		return target{field: f}
	}
	return target{field: f, sourceDataset: home, steps: stepsOfVia(f, home)}
}

// stepsOfVia follows the relationships of `via` from a home, in the directions that
// their names leave open.
func stepsOfVia(f *catalog.Field, home *catalog.Dataset) []step {
	var rels []*catalog.Relationship
	for _, s := range f.LOD.Via {
		rels = append(rels, s.Rel)
	}
	for _, start := range []step{{rels[0], false}, {rels[0], true}} {
		if steps, ok := chainRelationships(start, rels); ok && start.sourceDataset() == home {
			return steps
		}
	}
	abstain("a level of detail whose via does not leave %s", home.Name)
	return nil
}

// pathToLOD finds the path of safe steps from a home to a dataset. Inside of a level of
// detail with `via` that path decides for the datasets on it, and for those that
// every path reaches through the carrier.
func (e *evaluator) pathToLOD(home, to *catalog.Dataset) ([]step, pathFinding) {
	paths := pathsBetween(e.cat, home, to, isSafe)
	if len(paths) < 2 || len(e.lodStack) == 0 || len(e.lodStack[len(e.lodStack)-1].LOD.Via) == 0 {
		return singlePath(paths)
	}
	f := e.lodStack[len(e.lodStack)-1]
	via := stepsOfVia(f, home)
	for i := range via {
		if via[i].targetDataset() == to {
			return via[:i+1], onePath
		}
	}
	var along [][]step
	for _, p := range paths {
		if !slices.ContainsFunc(p, func(s step) bool { return s.targetDataset() == f.Dataset }) {
			return nil, severalPaths
		}
		if slices.Equal(p[:min(len(p), len(via))], via) {
			along = append(along, p)
		}
	}
	if len(along) == 0 {
		return nil, severalPaths
	}
	return singlePath(along)
}

// populationConditionsOf lists the conjuncts of context_filter that filter the rows of a
// leaf's branch. One that its home does not reach does its work inside the
// level-of-detail fields that it reads, if it can; such a one filters the rows of
// another root as well, where the branch has one that reaches it. A sensitive branch
// has no other root.
func (e *evaluator) populationConditionsOf(l *measureLeaf, sensitive bool) (own, ofRoot []condition) {
	read := e.lodsOf(l)
	ours := len(read)
	for _, m := range e.metrics {
		for _, use := range measureUsesOf(m, nil) {
			if use.measure.Home == l.measure.Home {
				read = lodsOfUse(e.cat, read, use)
			}
		}
	}
	if len(read) == 0 {
		return e.populationConditions, nil
	}
	for _, c := range e.populationConditions {
		if e.reachesCondition(c, l.measure.Home) {
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
			e.require("no_join_path")
			e.allow("fan_out_risk")
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

func (e *evaluator) reachesCondition(c condition, home *catalog.Dataset) bool {
	return !slices.ContainsFunc(c.targets(), func(t target) bool {
		_, found := e.safePath(home, t)
		return found == noPath || found == unusablePath
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
			needed = lodsUnder(e.cat, needed, t.field)
		}
		circular := slices.ContainsFunc(needed, func(f *catalog.Field) bool { return slices.Contains(e.lodStack, f) })
		unambiguous := !slices.ContainsFunc(c.targets(), func(t target) bool {
			_, found := e.safePath(home, t)
			return found != onePath
		})
		if !circular && unambiguous {
			out = append(out, c)
		}
	}
	return out
}

// lodsUnder adds the level-of-detail fields that a field's value needs.
func lodsUnder(cat *catalog.Catalog, out []*catalog.Field, f *catalog.Field) []*catalog.Field {
	switch {
	case f == nil || slices.Contains(out, f):
		return out
	case f.Joined != nil:
		return lodsUnder(cat, out, f.Joined.Field)
	case f.LOD == nil:
		return lodsIn(cat, out, f.Expr.ForDialect(expressionDialect))
	}
	out = lodsIn(cat, append(out, f), f.LOD.Where)
	for _, g := range f.LOD.Grain {
		out = lodsUnder(cat, out, g)
	}
	for _, o := range f.LOD.Measures.ForDialect(expressionDialect).Operands {
		out = lodsOfMeasure(cat, out, o.(*catalog.Measure))
	}
	return out
}

func lodsOfMeasure(cat *catalog.Catalog, out []*catalog.Field, m *catalog.Measure) []*catalog.Field {
	return lodsIn(cat, lodsIn(cat, out, m.Arg), m.OrderBy)
}

func lodsIn(cat *catalog.Catalog, out []*catalog.Field, x sqlexpr.Expr) []*catalog.Field {
	sqlexpr.Walk(x, func(n sqlexpr.Expr) bool {
		if ref, ok := n.(*sqlexpr.Ref); ok {
			out = lodsUnder(cat, out, cat.FieldByID(ref.ID))
		}
		return true
	})
	return out
}

// lodsOfQuery lists the level-of-detail fields that group-bys and conditions
// read.
func (e *evaluator) lodsOfQuery() []*catalog.Field {
	var out []*catalog.Field
	for _, g := range e.groups {
		for _, t := range g.reads() {
			out = lodsUnder(e.cat, out, t.field)
		}
	}
	for _, c := range slices.Concat(e.populationConditions, e.rowConditions, e.resultConditions) {
		for _, t := range c.targets() {
			out = lodsUnder(e.cat, out, t.field)
		}
	}
	return out
}

// lodsOf lists the level-of-detail fields that a leaf's branch reads.
func (e *evaluator) lodsOf(l *measureLeaf) []*catalog.Field {
	return lodsOfUse(e.cat, e.lodsOfQuery(), l.measureUse)
}

func lodsOfUse(cat *catalog.Catalog, out []*catalog.Field, use measureUse) []*catalog.Field {
	out = lodsOfMeasure(cat, out, use.measure)
	_, filters := rootMeasure(use.chain[len(use.chain)-1])
	for _, f := range filters {
		out = lodsIn(cat, out, f.Derive.Where)
	}
	return out
}

// aggregatesLOD reports whether a measure aggregates a level-of-detail field.
func (e *evaluator) aggregatesLOD(m *catalog.Measure) bool {
	return len(lodsOfMeasure(e.cat, nil, m)) > 0
}

// lodParam reports whether a level-of-detail field that the query reads declares
// a parameter.
func (e *evaluator) lodParam(name string) bool {
	read := e.lodsOfQuery()
	for _, m := range e.metrics {
		for _, use := range measureUsesOf(m, nil) {
			read = lodsOfUse(e.cat, read, use)
		}
	}
	return slices.ContainsFunc(read, func(f *catalog.Field) bool {
		return slices.ContainsFunc(f.LOD.Params, func(p *catalog.Param) bool { return p.Name == name })
	})
}

// lodParams gives the values of a field's parameters: those of the column that is
// computed, else what the query binds.
func (e *evaluator) lodParams(f *catalog.Field) func(string) Value {
	bound := binding{}
	for _, p := range f.LOD.Params {
		given := e.bindingOf(p.Name)
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
	return bound.lookup(f.LOD.Params)
}
