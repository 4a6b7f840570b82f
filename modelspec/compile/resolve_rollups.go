package compile

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addRollups resolves the rollups of the model. One that has an error is left out.
func (c *compiler) addRollups() {
	for doc := range cancel.EachUntilDone(c.ctx, c.rollups) {
		own := *c // whose findings are restated as those of the rollup
		own.errors, own.listed = nil, nil
		r := rollupResolver{compiler: &own, doc: doc, out: &catalog.Rollup{
			Place: doc.Place, Name: doc.Name, MaxAge: int64(doc.MaxAge), Rows: int64(doc.Rows), Connections: doc.Connections, Local: doc.Local, Description: doc.Description,
		}}
		r.resolve()
		c.measures = own.measures
		if len(r.found) == 0 {
			c.cat.AddRollup(r.out)
			continue
		}
		if c.View != nil {
			continue // it needs what the reader does not see
		}
		for _, e := range r.found {
			c.addErrorOnce(e)
		}
	}
}

// rollupResolver resolves one rollup.
type rollupResolver struct {
	*compiler
	doc   *extension.Rollup
	home  *datasetInProgress
	out   *catalog.Rollup
	found []*modelspec.CompileError
}

func (r *rollupResolver) resolve() {
	if r.home = r.findDataset(r.doc.Of.Name); r.home == nil {
		r.found = append(r.found, invalidReferenceError(r.doc.Of, rollupsKey, "the rollup %s is of %q, which is not a dataset", r.doc.Name, r.doc.Of.Name).errorWithCandidates(r.compiler, r.doc.Of.Name, r.datasetNames))
		return
	}
	if r.home.cat.Sequence != nil {
		r.fail(r.doc.Of.Place, "", "is of %s, which is a sequence: its rows are made of those of its steps", r.home.cat.Name)
		return
	}
	r.out.Of = r.home.cat
	r.resolveSource()
	for _, g := range r.doc.Groups {
		r.resolveGroup(g)
	}
	for _, m := range r.doc.Measures {
		r.resolveMeasure(m)
	}
	r.checkColumns()
	r.resolveWhere()
	r.resolveAsOf()
	r.resolveRefresh()
}

const rollupsKey = "rollups"

// fail lists an error of a part of the rollup.
func (r *rollupResolver) fail(place modelspec.Place, hint, format string, args ...any) {
	e := invalidPayloadError(place, rollupsKey, "the rollup "+r.doc.Name+" "+format, args...)
	if hint != "" {
		e.Hint = hint + "; " + e.Hint
	}
	r.found = append(r.found, e)
}

// restate lists an error that another pass found as one of a part of the rollup.
func (r *rollupResolver) restate(place modelspec.Place, what string, err *modelspec.CompileError) {
	r.fail(place, err.Hint, "cannot use %s: %s", what, err.Message)
	r.found[len(r.found)-1].Candidates = err.Candidates
}

func (r *rollupResolver) resolveSource() {
	r.out.SourceText = r.doc.Source.Name
	place := r.doc.Source.Place
	if !r.doc.Source.IsSet() {
		r.out.SourceText, place = r.doc.Name, r.doc.Place
	}
	source, err := modelspec.ParseDatasetSource(r.out.SourceText)
	switch {
	case err != nil:
		r.fail(place, "name a table or a view", "has no source: %s", err)
	case source.Query != "":
		r.fail(place, "name a table or a view that holds the rows", "has a query as its source")
	}
	r.out.Source = source
}

// resolveGroup resolves a field that the rows are grouped by.
func (r *rollupResolver) resolveGroup(doc extension.RollupGroup) {
	f, namesPath := r.resolveField(doc.Field)
	if f == nil {
		return
	}
	source := f.SourceField()
	if doc.Grain != sqlexpr.GrainNone && !slices.Contains(source.Grains(), doc.Grain) {
		hint := "leave out the grain"
		if grains := source.Grains(); len(grains) > 0 {
			names := make([]string, len(grains))
			for i, g := range grains {
				names[i] = g.String()
			}
			hint = "its grains are " + strings.Join(names, ", ")
		}
		r.fail(doc.Field.Place, hint, "groups %s by %s, which the field does not take", doc.Field.Name, doc.Grain)
		return
	}
	column := doc.Column
	if column == "" {
		column = source.Name
		if namesPath {
			column = strings.Join(append(relationshipNamesOfPath(f.Joined.Path), source.Name), "__")
		}
		if doc.Grain != sqlexpr.GrainNone {
			column += "__" + doc.Grain.String()
		}
	}
	if slices.ContainsFunc(r.out.Groups, func(g catalog.RollupGroup) bool { return g.Field == f && g.Grain == doc.Grain }) {
		r.fail(doc.Field.Place, "leave one of them out", "groups by %s twice", doc.Field.Name)
		return
	}
	r.out.Groups = append(r.out.Groups, catalog.RollupGroup{Field: f, Text: doc.Field.Name, Grain: doc.Grain, Column: column})
}

// resolveField resolves a field that the rows of the home lead to, and reports whether the name begins with relationships; nil for one that a rollup
// cannot hold. All names of the field at the end of one path resolve to one field.
func (r *rollupResolver) resolveField(ref extension.ObjectRef) (f *catalog.Field, namesPath bool) {
	e, err := sqlexpr.Parse(ref.Name)
	column, isName := e.(*sqlexpr.Column)
	if err != nil || !isName {
		r.fail(ref.Place, "", "names %q, which is not the name of a field", ref.Name)
		return nil, false
	}
	named, failure := r.resolveFieldReference(column, r.home.cat)
	if failure != nil {
		r.restate(ref.Place, ref.Name, failure)
		return nil, false
	}
	id, failure := r.fieldIDOfReference(r.home.cat, named, r.safePaths)
	if failure != nil {
		r.restate(ref.Place, ref.Name, failure)
		return nil, false
	}
	f = r.cat.FieldByID(id)
	if f.SourceField().IsNoDimension() {
		r.fail(ref.Place, "leave the field out", "groups by %s, which is declared not to be a dimension", f.SourceField().QualifiedName())
		return nil, false
	}
	if !r.checkStoredField(ref.Place, f) {
		return nil, false
	}
	return f, len(named.prefix) > 0
}

// checkStoredField rejects a field whose values a table of rows of the home cannot hold for every query.
func (r *rollupResolver) checkStoredField(place modelspec.Place, f *catalog.Field) bool {
	source := f.SourceField()
	switch {
	case source.Err != nil:
		r.restate(place, source.QualifiedName(), source.Err)
	case source.LOD != nil || len(r.cat.AppendLODFieldsOfField(nil, source, "")) > 0:
		r.fail(place, "leave the field out", "reads %s, which is computed from rows of other groups", source.QualifiedName())
	case source.IsVolatile():
		r.fail(place, "leave the field out", "reads %s, whose value depends on the time of the query or on the engine", source.QualifiedName())
	default:
		return true
	}
	return false
}

// resolveMeasure resolves an aggregate of rows of the home.
func (r *rollupResolver) resolveMeasure(doc extension.RollupMeasure) {
	ref, named := doc.Expression, false
	var m *catalog.Measure
	if doc.Measure.IsSet() {
		ref, named = doc.Measure, true
		if m = r.measureNamed(ref.Name); m == nil {
			r.found = append(r.found, invalidReferenceError(ref, rollupsKey, "the rollup %s names the measure %q, which the model does not have", r.doc.Name, ref.Name).errorWithCandidates(r.compiler, ref.Name, r.measureNames))
			return
		}
	} else if m = r.lowerMeasure(ref); m == nil {
		return
	}
	switch {
	case m.Home != r.home.cat:
		r.fail(ref.Place, "give "+m.Home.Name+" a separate rollup", "is of %s, and %s aggregates rows of %s", r.home.cat.Name, ref.Name, m.Home.Name)
		return
	case m.NonAdditive != nil:
		r.fail(ref.Place, "store an aggregate of plain rows", "stores %s, which is over snapshots", ref.Name)
		return
	}
	for _, e := range m.ArgumentAndOrderKey() {
		if sqlexpr.IsVolatile(e) {
			r.fail(ref.Place, "aggregate fields", "stores %s, which has a function of the present time or outside of the language", ref.Name)
			return
		}
		for _, id := range fieldIDsInExpression(e) {
			if !r.checkStoredField(ref.Place, r.cat.FieldByID(id)) {
				return
			}
		}
	}
	column := doc.Column
	if column == "" {
		column = m.Name
	}
	r.out.Measures = append(r.out.Measures, catalog.RollupMeasure{Measure: m, Text: ref.Name, Named: named, Column: column})
}

func (r *rollupResolver) measureNamed(name string) *catalog.Measure {
	for _, m := range r.measures.list {
		if strings.EqualFold(m.Name, name) {
			return m
		}
	}
	return nil
}

func (r *rollupResolver) measureNames() []string {
	out := make([]string, 0, len(r.measures.list))
	for _, m := range r.measures.list {
		out = append(out, m.Name)
	}
	return out
}

// lowerMeasure lowers the text of an aggregate; nil for anything else.
func (r *rollupResolver) lowerMeasure(ref extension.ObjectRef) *catalog.Measure {
	e, err := sqlexpr.Parse(ref.Name)
	if err != nil {
		r.fail(ref.Place, "write one aggregate, such as SUM("+r.home.cat.Name+".amount)", "stores %s, which does not parse: %s", ref.Name, err)
		return nil
	}
	known := len(r.measures.list)
	l := &metricLowering{compiler: r.compiler, owner: ref.Place, src: newDialectEntryOfQueryExpression(e, ref.Name), home: r.home, form: &catalog.ArithmeticOverOperands{}, table: &r.measures}
	l.starry = true // COUNT(*) is of the home, and another home has another error
	form, failure := l.lowerToArithmeticForm()
	if failure != nil {
		r.restate(ref.Place, ref.Name, failure)
		return nil
	}
	m := soleMeasureOfForm(form)
	if m == nil {
		r.fail(ref.Place, "store each aggregate in a separate column", "stores %s, which is not a single aggregate", ref.Name)
		return nil
	}
	for _, added := range r.measures.list[known:] {
		r.nameMeasure(added)
	}
	return m
}

// checkColumns rejects two columns of one name.
func (r *rollupResolver) checkColumns() {
	seen := map[string]bool{}
	for _, name := range r.out.Columns() {
		if seen[foldCase(name)] {
			r.fail(r.doc.Place, "give each of them a column", "has two columns named %q (names compare without regard to case)", name)
		}
		seen[foldCase(name)] = true
	}
}

func (r *rollupResolver) resolveWhere() {
	ref := r.doc.Where
	if !ref.IsSet() {
		return
	}
	r.out.WhereText = ref.Name
	e, err := sqlexpr.Parse(ref.Name)
	if err != nil {
		r.fail(ref.Place, "", "has the condition %q, which does not parse: %s", ref.Name, err)
		return
	}
	if failure := refuseNonRowExpression(e, ""); failure != nil {
		r.restate(ref.Place, "its condition", failure)
		return
	}
	if slots := sqlexpr.ParamSlots(e); len(slots) > 0 {
		r.fail(ref.Place, "write the value itself", "has the parameter slot :%s in its condition", slots[0].Name)
		return
	}
	if sqlexpr.IsVolatile(e) {
		r.fail(ref.Place, "compare fields with values", "has a function of the present time or outside of the language in its condition")
		return
	}
	resolved, failure := r.resolvePayloadPredicate(&extension.PayloadExpression{Text: ref.Name, Expr: e, Place: ref.Place}, predicateScope{compiler: r.compiler, key: rollupsKey, home: r.home})
	if failure != nil {
		r.restate(ref.Place, "its condition", failure)
		return
	}
	for _, id := range fieldIDsInExpression(resolved) {
		if !r.checkStoredField(ref.Place, r.cat.FieldByID(id)) {
			return
		}
	}
	texts := sqlexpr.SplitConjuncts(e)
	for i, part := range sqlexpr.SplitConjuncts(resolved) {
		r.out.Where = append(r.out.Where, catalog.RollupCondition{Text: sqlexpr.Format(texts[i]), Expr: part})
	}
}

// resolveAsOf reads an aggregate over columns of the table.
func (r *rollupResolver) resolveAsOf() {
	ref := r.doc.AsOf
	if !ref.IsSet() {
		return
	}
	e, err := sqlexpr.Parse(ref.Name)
	if err != nil {
		r.fail(ref.Place, "", "has the as_of %q, which does not parse: %s", ref.Name, err)
		return
	}
	if !isAggregateOfColumns(e) {
		r.fail(ref.Place, "write an aggregate over columns of the table, such as MIN(built_at)", "has the as_of %q, which is not an aggregate", ref.Name)
		return
	}
	r.out.AsOf, r.out.AsOfText = e, ref.Name
}

func (r *rollupResolver) resolveRefresh() {
	doc := r.doc.Refresh
	if doc == nil {
		return
	}
	out := &catalog.RollupRefresh{Partition: doc.Partition, Group: -1, Lookback: doc.Lookback, Fresh: doc.Fresh}
	r.out.Refresh = out
	if doc.Partition != sqlexpr.GrainNone {
		out.Group = slices.IndexFunc(r.out.Groups, func(g catalog.RollupGroup) bool {
			f := g.Field.SourceField()
			return f.AllowsTimeGrains() && max(g.Grain, f.StoredGrain()).Subdivides(doc.Partition)
		})
		if out.Group < 0 {
			r.fail(doc.Place, "group by a time field whose grain divides "+doc.Partition.String(), "is refreshed by %s, and none of its groups is a time within one", doc.Partition)
		}
	}
	columns := r.out.Columns()
	for _, index := range doc.Indexes {
		var names []string
		for _, ref := range index {
			at := slices.IndexFunc(columns, func(name string) bool { return strings.EqualFold(name, ref.Name) })
			if at < 0 {
				r.found = append(r.found, invalidReferenceError(ref, rollupsKey, "the rollup %s has an index over %q, which is not one of its columns", r.doc.Name, ref.Name).errorWithCandidates(r.compiler, ref.Name, func() []string { return columns }))
				continue
			}
			names = append(names, columns[at])
		}
		out.Indexes = append(out.Indexes, names)
	}
}
