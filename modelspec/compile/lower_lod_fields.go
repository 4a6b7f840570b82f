package compile

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// lowerLODFields lowers the level-of-detail fields: aggregates like those of
// metrics, computed once per grain key.
func (c *compiler) lowerLODFields() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			if f.cat.Err == nil {
				c.lowerLODField(f)
			}
			if f.cat.Err != nil {
				f.cat.LOD = nil
			}
		}
	}
	c.checkLODCycles()
}

func (c *compiler) lowerLODField(f *fieldInProgress) {
	lod := f.ext.LOD
	if lod == nil {
		if len(f.ext.Params) > 0 {
			c.failField(f, invalidPayloadError(f.ext.Params[0].Place, "params", "parameters need a field with an lod block, which %s does not have", f.cat.QualifiedName()))
		}
		return
	}
	if !f.aggregates {
		c.failField(f, invalidPayloadError(lod.Place, "lod", "the expression of %s does not aggregate, so there is nothing to compute per grain", f.cat.QualifiedName()))
		return
	}
	f.cat.LOD = &catalog.LOD{Params: catalogParamsOf(f.ext.Params)}
	for _, ref := range lod.Grain {
		key, ok := c.findKeyFieldMaybeQualified(f.ds, ref.Name)
		switch {
		case !ok:
			c.failField(f, invalidReferenceError(ref, "lod", "the grain %q is not a field of %s", ref.Name, f.ds.cat.Name).errorWithCandidates(c, ref.Name, f.ds.fieldNames))
		case key.cat.Err != nil:
			c.failField(f, key.cat.Err)
		case key == f:
			c.failField(f, invalidReferenceError(ref, "lod", "%s cannot be its own grain", f.cat.QualifiedName()).CompileError)
		default:
			f.cat.LOD.Grain = append(f.cat.LOD.Grain, key.cat)
		}
	}
	c.lowerLODForms(f)
	if lod.Where != nil && f.cat.Err == nil {
		where, err := c.resolvePayloadPredicate(lod.Where, predicateScope{compiler: c, key: "lod", params: f.ext.Params, home: f.homeOfLOD(c), lod: f})
		if err != nil {
			c.failField(f, err)
		}
		f.cat.LOD.Where = where
	}
	c.checkLODPaths(f)
	c.checkParamsAgainstSlots(f.ext.Params, paramSlotsOfExpression(lod.Where), "lod", func(err *modelspec.CompileError) { c.failField(f, err) })
}

func (c *compiler) lowerLODForms(f *fieldInProgress) {
	lower := func(src parsedDialectEntry) (*catalog.ArithmeticOverOperands, *modelspec.CompileError) {
		l := &metricLowering{compiler: c, owner: f.doc.Place, src: src, form: &catalog.ArithmeticOverOperands{}, table: &c.measures, field: f}
		form, err := l.lowerToArithmeticForm()
		if err != nil {
			return nil, err
		}
		form.Expr = sqlexpr.ResolveOperatorTypes(form.Expr, operandTyper(form))
		for _, o := range form.Operands {
			if home := o.(*catalog.Measure).Home; !c.cat.ReachesSafely(home, f.ds.cat) {
				return nil, c.addAndReturnError(&modelspec.CompileError{
					Code: extension.CodeInvalidPayload, Location: f.ext.LOD.Location, Position: f.ext.LOD.Position,
					Message: fmt.Sprintf("%s aggregates %s, which does not reach %s many-to-one", f.cat.QualifiedName(), home.Name, f.ds.cat.Name),
					Hint:    c.unreachableLODHint(f.ds.cat, home) + "; see " + extension.DocumentationAnchor("lod"),
				})
			}
		}
		return form, nil
	}
	var err *modelspec.CompileError
	if f.cat.LOD.Measures.Default, err = lower(f.source.Default); err != nil {
		c.failField(f, err)
		return
	}
	for dialect, src := range f.source.ByDialect {
		form, err := lower(src)
		if err != nil {
			recordDialectError(&f.cat.ErrByDialect, dialect, err)
			continue
		}
		if f.cat.LOD.Measures.ByDialect == nil {
			f.cat.LOD.Measures.ByDialect = map[string]*catalog.ArithmeticOverOperands{}
		}
		f.cat.LOD.Measures.ByDialect[dialect] = form
	}
}

// homeOfLOD returns the dataset of the field's aggregates, where bare names of its
// predicate are resolved first.
func (f *fieldInProgress) homeOfLOD(c *compiler) *datasetInProgress {
	for _, o := range f.cat.LOD.Measures.Default.Operands {
		return c.datasetInProgressOfCatalogDataset(o.(*catalog.Measure).Home)
	}
	return f.ds
}

// failField lists the error and makes it the field's, unless the field has
// failed before.
func (c *compiler) failField(f *fieldInProgress, err *modelspec.CompileError) {
	c.addErrorOnce(err)
	if f.cat.Err == nil {
		f.cat.Err = err
	}
}

// checkLODCycles rejects level-of-detail fields that need themselves, and fails
// those that need a failed field with its error.
func (c *compiler) checkLODCycles() {
	states := make([]visitState, len(c.cat.Fields))
	var path []*catalog.Field
	var visit func(f *catalog.Field)
	visit = func(f *catalog.Field) {
		switch states[f.ID] {
		case stateVisited:
			return
		case stateBeingVisited:
			c.failFieldsOfLODCycle(path[slices.Index(path, f):])
			return
		}
		states[f.ID] = stateBeingVisited
		path = append(path, f)
		for _, e := range expressionsOfField(f) {
			for _, id := range fieldIDsInExpression(e) {
				other := c.cat.FieldByID(id).SourceField()
				visit(other)
				if other.Err != nil && f.Err == nil {
					f.Err = c.addAndReturnError(other.Err)
				}
			}
		}
		path = path[:len(path)-1]
		states[f.ID] = stateVisited
	}
	for f := range cancel.EachUntilDone(c.ctx, c.cat.Fields) {
		if f.LOD != nil || len(fieldIDsInExpression(f.Expr.Default)) > 0 {
			visit(f)
		}
	}
}

// expressionsOfField lists the expressions in which a field reads other fields.
func expressionsOfField(f *catalog.Field) []sqlexpr.Expr {
	out := []sqlexpr.Expr{f.Expr.Default}
	for _, e := range f.Expr.ByDialect {
		out = append(out, e)
	}
	if f.LOD == nil {
		return out
	}
	out = append(out, f.LOD.Where)
	variants := []*catalog.ArithmeticOverOperands{f.LOD.Measures.Default}
	for _, form := range f.LOD.Measures.ByDialect {
		variants = append(variants, form)
	}
	for _, form := range variants {
		if form == nil {
			continue
		}
		for _, o := range form.Operands {
			out = append(out, o.(*catalog.Measure).ArgumentAndOrderKey()...)
		}
	}
	return out
}

// fieldIDsInExpression lists the field IDs in an expression, each once.
func fieldIDsInExpression(e sqlexpr.Expr) []int {
	var out []int
	seen := map[int]bool{}
	for ref := range sqlexpr.Refs(e) {
		if !seen[ref.ID] {
			seen[ref.ID] = true
			out = append(out, ref.ID)
		}
	}
	return out
}

func (c *compiler) failFieldsOfLODCycle(circle []*catalog.Field) {
	first := c.datasets[circle[0].Dataset.ID].fields[foldCase(circle[0].Name)]
	err := c.addAndReturnError(&modelspec.CompileError{
		Code: CodeUnparseable, Location: first.doc.MemberLocation("expression"), Position: first.doc.Expression.Position,
		Message: "the level-of-detail fields need each other in a circle: " + cyclePathText(circle, (*catalog.Field).QualifiedName),
	})
	for _, f := range circle {
		if f.Err == nil {
			f.Err = err
		}
	}
}

func catalogParamsOf(params []extension.Param) []*catalog.Param {
	var out []*catalog.Param
	for _, p := range params {
		out = append(out, p.Param)
	}
	return out
}

func namesOfParams(params []extension.Param) []string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return out
}

func paramSlotsOfExpression(e *extension.PayloadExpression) []extension.NumberParamSlot {
	if e == nil {
		return nil
	}
	var out []extension.NumberParamSlot
	for _, p := range sqlexpr.ParamSlots(e.Expr) {
		out = append(out, extension.NumberParamSlot{Name: p.Name, Place: e.Place})
	}
	return out
}

// checkParamsAgainstSlots holds parameters and slots against each other: every slot needs a
// declaration, and a declaration without a slot is warned of.
func (c *compiler) checkParamsAgainstSlots(params []extension.Param, slots []extension.NumberParamSlot, key string, fail func(*modelspec.CompileError)) {
	used, declared := map[string]bool{}, map[string]bool{}
	for _, p := range params {
		declared[p.Name] = true
	}
	for _, s := range slots {
		used[s.Name] = true
		if !declared[s.Name] {
			err := invalidPayloadError(s.Place, key, "the slot :%s names no declared parameter", s.Name)
			err.Candidates = c.nearestCandidates(s.Name, func() []string { return namesOfParams(params) })
			fail(err)
		}
	}
	for _, p := range params {
		if !used[p.Name] {
			c.addWarning(CodeParamUnused, p.Location, p.Position, "the parameter %s is declared and no slot :%s uses it", p.Name, p.Name)
		}
	}
}
