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

// lowerLODs lowers the level-of-detail fields: aggregates like those of
// metrics, computed once per grain key.
func (c *compiler) lowerLODs() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		for f := range cancel.EachUntilDone(c.ctx, d.list) {
			if f.cat.Err == nil {
				c.lowerLOD(f)
			}
			if f.cat.Err != nil {
				f.cat.LOD = nil
			}
		}
	}
	c.checkLODCycles()
}

func (c *compiler) lowerLOD(f *field) {
	lod := f.ext.LOD
	if lod == nil {
		if len(f.ext.Params) > 0 {
			c.failField(f, invalidAt(f.ext.Params[0].Place, "params", "parameters need a field with an lod block, which %s does not have", f.cat.Qualified()))
		}
		return
	}
	if !f.aggregates {
		c.failField(f, invalidAt(lod.Place, "lod", "the expression of %s does not aggregate, so there is nothing to compute per grain", f.cat.Qualified()))
		return
	}
	f.cat.LOD = &catalog.LOD{Params: declaredParams(f.ext.Params)}
	for _, ref := range lod.Grain {
		key, ok := c.findField(f.ds, ref.Name)
		switch {
		case !ok:
			c.failField(f, invalidReference(ref, "lod", "the grain %q is not a field of %s", ref.Name, f.ds.cat.Name).errorWithCandidates(c, ref.Name, f.ds.fieldNames))
		case key.cat.Err != nil:
			c.failField(f, key.cat.Err)
		case key == f:
			c.failField(f, invalidReference(ref, "lod", "%s cannot be its own grain", f.cat.Qualified()).CompileError)
		default:
			f.cat.LOD.Grain = append(f.cat.LOD.Grain, key.cat)
		}
	}
	c.lowerLODForms(f)
	if lod.Where != nil && f.cat.Err == nil {
		where, err := c.resolvePredicate(lod.Where, predicateScope{compiler: c, key: "lod", params: f.ext.Params, home: f.lodHome(c)})
		if err != nil {
			c.failField(f, err)
		}
		f.cat.LOD.Where = where
	}
	c.checkLODPaths(f)
	c.checkSlots(f.ext.Params, slotsOf(lod.Where), "lod", func(err *modelspec.CompileError) { c.failField(f, err) })
}

func (c *compiler) lowerLODForms(f *field) {
	lower := func(src parsedSource) (*catalog.Form, *modelspec.CompileError) {
		l := &metricLowering{compiler: c, owner: f.doc.Place, src: src, form: &catalog.Form{}, table: &c.measures, field: f}
		form, err := l.lowerForm()
		if err != nil {
			return nil, err
		}
		form.Expr = sqlexpr.ResolveOperatorTypes(form.Expr, operandTypes(form))
		for _, o := range form.Operands {
			if home := o.(*catalog.Measure).Home; !c.cat.Reaches(home, f.ds.cat) {
				return nil, c.addError(&modelspec.CompileError{
					Code: extension.CodeInvalid, Location: f.ext.LOD.Location, Position: f.ext.LOD.Position,
					Message: fmt.Sprintf("%s aggregates %s, which does not reach %s many-to-one", f.cat.Qualified(), home.Name, f.ds.cat.Name),
					Hint:    c.unreachedHint(f.ds.cat, home) + "; see " + extension.Anchor("lod"),
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
			setDialectError(&f.cat.ErrByDialect, dialect, err)
			continue
		}
		if f.cat.LOD.Measures.ByDialect == nil {
			f.cat.LOD.Measures.ByDialect = map[string]*catalog.Form{}
		}
		f.cat.LOD.Measures.ByDialect[dialect] = form
	}
}

// lodHome is the dataset of the field's aggregates, where bare names of its
// predicate are resolved first.
func (f *field) lodHome(c *compiler) *dataset {
	for _, o := range f.cat.LOD.Measures.Default.Operands {
		return c.datasets[o.(*catalog.Measure).Home.ID]
	}
	return f.ds
}

// failField lists the error and makes it the field's, unless the field has
// failed before.
func (c *compiler) failField(f *field, err *modelspec.CompileError) {
	c.recordError(err)
	if f.cat.Err == nil {
		f.cat.Err = err
	}
}

// checkLODCycles refuses level-of-detail fields that need themselves, and fails
// those that need a failed field with its error.
func (c *compiler) checkLODCycles() {
	states := make([]visitState, len(c.cat.Fields))
	var path []*catalog.Field
	var visit func(f *catalog.Field)
	visit = func(f *catalog.Field) {
		switch states[f.ID] {
		case stateDone:
			return
		case stateActive:
			c.lodCycle(path[slices.Index(path, f):])
			return
		}
		states[f.ID] = stateActive
		path = append(path, f)
		for _, e := range fieldTrees(f) {
			for _, id := range fieldIDs(e) {
				other := c.cat.Fields[id]
				visit(other)
				if other.Err != nil && f.Err == nil {
					f.Err = c.addError(other.Err)
				}
			}
		}
		path = path[:len(path)-1]
		states[f.ID] = stateDone
	}
	for f := range cancel.EachUntilDone(c.ctx, c.cat.Fields) {
		if f.LOD != nil || len(fieldIDs(f.Expr.Default)) > 0 {
			visit(f)
		}
	}
}

// fieldTrees lists the expressions in which a field reads other fields.
func fieldTrees(f *catalog.Field) []sqlexpr.Expr {
	out := []sqlexpr.Expr{f.Expr.Default}
	for _, e := range f.Expr.ByDialect {
		out = append(out, e)
	}
	if f.LOD == nil {
		return out
	}
	out = append(out, f.LOD.Where)
	variants := []*catalog.Form{f.LOD.Measures.Default}
	for _, form := range f.LOD.Measures.ByDialect {
		variants = append(variants, form)
	}
	for _, form := range variants {
		if form == nil {
			continue
		}
		for _, o := range form.Operands {
			out = append(out, o.(*catalog.Measure).Arg)
		}
	}
	return out
}

// fieldIDs lists the field IDs in an expression, each once.
func fieldIDs(e sqlexpr.Expr) []int {
	var out []int
	seen := map[int]bool{}
	sqlexpr.Walk(e, func(n sqlexpr.Expr) bool {
		if ref, ok := n.(*sqlexpr.Ref); ok && !seen[ref.ID] {
			seen[ref.ID] = true
			out = append(out, ref.ID)
		}
		return true
	})
	return out
}

func (c *compiler) lodCycle(circle []*catalog.Field) {
	first := c.datasets[circle[0].Dataset.ID].fields[foldCase(circle[0].Name)]
	err := c.addError(&modelspec.CompileError{
		Code: CodeUnparseable, Location: first.doc.At("expression"), Position: first.doc.Expression.Position,
		Message: "the level-of-detail fields need each other in a circle: " + cyclePath(circle, (*catalog.Field).Qualified),
	})
	for _, f := range circle {
		if f.Err == nil {
			f.Err = err
		}
	}
}

func declaredParams(params []extension.Param) []*catalog.Param {
	var out []*catalog.Param
	for _, p := range params {
		out = append(out, p.Param)
	}
	return out
}

func paramNames(params []extension.Param) []string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return out
}

func slotsOf(e *extension.Expr) []extension.Slot {
	if e == nil {
		return nil
	}
	var out []extension.Slot
	for _, p := range sqlexpr.Params(e.Expr) {
		out = append(out, extension.Slot{Name: p.Name, Place: e.Place})
	}
	return out
}

// checkSlots holds parameters and slots against each other: every slot needs a
// declaration, and a declaration without a slot is warned of.
func (c *compiler) checkSlots(params []extension.Param, slots []extension.Slot, key string, fail func(*modelspec.CompileError)) {
	used, declared := map[string]bool{}, map[string]bool{}
	for _, p := range params {
		declared[p.Name] = true
	}
	for _, s := range slots {
		used[s.Name] = true
		if !declared[s.Name] {
			err := invalidAt(s.Place, key, "the slot :%s names no declared parameter", s.Name)
			err.Candidates = c.nearest(s.Name, func() []string { return paramNames(params) })
			fail(err)
		}
	}
	for _, p := range params {
		if !used[p.Name] {
			c.warn(CodeParamUnused, p.Location, p.Position, "the parameter %s is declared and no slot :%s uses it", p.Name, p.Name)
		}
	}
}
