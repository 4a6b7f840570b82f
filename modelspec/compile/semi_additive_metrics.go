package compile

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// uniqueNonAdditiveBlocks holds each non_additive block once, so that equal aggregates are one measure.
type uniqueNonAdditiveBlocks map[string]*catalog.SemiAdditiveRule

// lowerSemiAdditiveForm lowers the expression of a metric with a non_additive block, which is one
// plain aggregate, to its semi-additive measure.
func (c *compiler) lowerSemiAdditiveForm(m *metricInProgress, src parsedDialectEntry, home *datasetInProgress) (*catalog.ArithmeticOverOperands, *modelspec.CompileError) {
	scratch := newUniqueMeasureTable()
	form, err := c.lowerMetricExpression(m, src, home, &scratch)
	if err != nil {
		return nil, err
	}
	block := m.ext.NonAdditive
	plain := soleMeasureOfForm(form)
	if plain == nil {
		err := invalidPayloadError(block.Place, "non_additive", "the metric %s is not a single aggregate; non_additive needs one", m.cat.Name)
		err.Hint = "declare the aggregate as a separate metric with non_additive, and combine it in a compose; " + err.Hint
		return nil, err
	}
	n, err := c.resolveNonAdditive(block, plain.Home)
	if err == nil {
		err = checkTypeForSnapshotTake(block, plain)
	}
	if err != nil {
		return nil, err
	}
	form.Operands[0] = c.measures.getOrAddMeasure(newSemiAdditiveMeasure(plain, n))
	return form, nil
}

// newSemiAdditiveMeasure returns the aggregate of a plain measure over snapshots.
func newSemiAdditiveMeasure(plain *catalog.Measure, n *catalog.SemiAdditiveRule) *catalog.Measure {
	m := *plain
	m.NonAdditive = n
	if n.Take == catalog.SnapshotTakeAvgValue {
		m.Type = sqlexpr.TypeFloat
	}
	return &m
}

// checkTypeForSnapshotTake rejects the mean of what is not a number, and an order of truth values.
func checkTypeForSnapshotTake(block *extension.NonAdditiveBlock, plain *catalog.Measure) *modelspec.CompileError {
	known := plain.Type != sqlexpr.TypeUnknown
	switch {
	case block.Take.SelectsOneSnapshot():
	case known && block.Take == catalog.SnapshotTakeAvgValue && !plain.Type.IsNumeric(), plain.Type == sqlexpr.TypeBool:
		return invalidPayloadError(block.Place, "non_additive", "take %s needs a number of each snapshot, and the aggregate is a %s", block.Take, plain.Type)
	}
	return nil
}

// resolveNonAdditive resolves the fields of a block for an aggregate at a home.
func (c *compiler) resolveNonAdditive(block *extension.NonAdditiveBlock, home *catalog.Dataset) (*catalog.SemiAdditiveRule, *modelspec.CompileError) {
	by, err := c.resolveSnapshotTimeField(block.By, home)
	if err != nil {
		return nil, err
	}
	n := &catalog.SemiAdditiveRule{By: by, Take: block.Take}
	key := fmt.Sprintf("%d %s", by.ID, n.Take)
	for _, ref := range block.Per {
		per, err := snapshotEntityResolver{c, home, by}.resolveEntityField(ref)
		if err == nil {
			err = checkSnapshotEntity(ref, n, per)
		}
		if err != nil {
			return nil, err
		}
		n.Per = append(n.Per, per)
		key += fmt.Sprintf(" %d", per.Field.ID)
		for _, s := range per.Path {
			key += fmt.Sprintf(".%d", s.Rel.ID)
		}
	}
	if known := c.snapshots[key]; known != nil {
		return known, nil
	}
	if c.snapshots == nil {
		c.snapshots = uniqueNonAdditiveBlocks{}
	}
	c.snapshots[key] = n
	return n, nil
}

// resolveSnapshotTimeField finds the time field of the home that `by` names.
func (c *compiler) resolveSnapshotTimeField(ref extension.ObjectRef, home *catalog.Dataset) (*catalog.Field, *modelspec.CompileError) {
	names := func() []string {
		var out []string
		for _, f := range home.Fields {
			if f.IsTime && isIndependentOfParams(f) {
				out = append(out, f.Name)
			}
		}
		return out
	}
	parts, ok := splitReferenceIntoNames(ref)
	if len(parts) == 2 && c.findDataset(parts[0].Text) == c.datasetInProgressOfCatalogDataset(home) {
		parts = parts[1:]
	}
	if !ok || len(parts) != 1 {
		return nil, invalidReferenceError(ref, "non_additive", "by %q is not a field of %s", ref.Name, home.Name).errorWithCandidates(c, ref.Name, names)
	}
	f := c.datasetInProgressOfCatalogDataset(home).findFieldOfIdentifier(parts[0])
	if f == nil {
		return nil, invalidReferenceError(ref, "non_additive", "the dataset %s has no field %q", home.Name, ref.Name).errorWithCandidates(c, ref.Name, names)
	}
	if !f.cat.IsTime {
		return nil, invalidReferenceError(ref, "non_additive", "by %s is not a time field", f.cat.QualifiedName()).errorWithCandidates(c, ref.Name, names)
	}
	return f.cat, c.refuseParameterizedSnapshotField(ref, f.cat)
}

// refuseParameterizedSnapshotField rejects a field whose values depend on the parameters of a query.
func (c *compiler) refuseParameterizedSnapshotField(ref extension.ObjectRef, f *catalog.Field) *modelspec.CompileError {
	if f.Err != nil {
		return f.Err
	}
	if !isIndependentOfParams(f) {
		return invalidReferenceError(ref, "non_additive", "%s has parameters; non_additive takes fields without any", f.QualifiedName()).CompileError
	}
	return nil
}

// isIndependentOfParams reports whether a field has one value in each row for all parameters of a query.
func isIndependentOfParams(f *catalog.Field) bool {
	return f.Err == nil && (f.LOD == nil || len(f.LOD.Params) == 0)
}

// splitReferenceIntoNames returns the parts of a name with dots.
func splitReferenceIntoNames(ref extension.ObjectRef) ([]sqlexpr.Name, bool) {
	e, err := sqlexpr.Parse(ref.Name)
	column, ok := e.(*sqlexpr.Column)
	if err != nil || !ok {
		return nil, false
	}
	return column.Path, true
}

// timeAxisOfSemiAdditiveMetric returns the time axis of a metric that is one semi-additive measure, filtered or not;
// nil for other metrics.
func (c *compiler) timeAxisOfSemiAdditiveMetric(m *metricInProgress) *catalog.Field {
	if root := c.soleMeasureUnderWindow(m); root != nil && root.NonAdditive != nil {
		return root.NonAdditive.By
	}
	return nil
}

// requireSnapshotFieldAsTimeDimension rejects a declared time dimension other than the snapshots.
func requireSnapshotFieldAsTimeDimension(m *metricInProgress, declared, snapshots *catalog.Field) *modelspec.CompileError {
	if snapshots == nil || declared == snapshots {
		return nil
	}
	return invalidReferenceError(m.ext.TimeDimension, "non_additive", "the time_dimension of %s is %s, and the snapshots of its non_additive aggregate are of %s",
		m.cat.Name, declared.QualifiedName(), snapshots.QualifiedName()).CompileError
}

// checkWindowOverSnapshots rejects a window that makes one number of the values of several buckets in
// another way than by choosing one of them.
func (c *compiler) checkWindowOverSnapshots(m *metricInProgress, w *extension.Window) {
	spec := w.Spec
	if spec.Rolling == nil && spec.Cumulative == nil && spec.Frame == nil {
		return
	}
	if f := spec.Function(); f != sqlexpr.FnMin && f != sqlexpr.FnMax {
		c.failWindowOverSnapshots(m, w, "use the function min or max",
			"the window of %s takes the %s of semi-additive values, which do not add up over time; min and max choose one of them", m.cat.Name, f)
	}
}

// refuseRecomputedSnapshots refuses a window that computes a semi-additive aggregate of its metric again.
func (c *compiler) refuseRecomputedSnapshots(m *metricInProgress, w *extension.Window) {
	if w.Spec.Recompute == nil || m.cat.Err != nil {
		return
	}
	if !slices.ContainsFunc(m.cat.LeafMeasures(), (*catalog.Measure).IsSemiAdditive) {
		return
	}
	hint := "declare the metric without this window"
	if c.soleMeasureUnderWindow(m) != nil {
		hint = "use a rolling or cumulative window with the function min or max"
	}
	c.failWindowOverSnapshots(m, w, hint, "the window of %s recomputes a semi-additive metric over several buckets, each of which has its own snapshot", m.cat.Name)
}

func (c *compiler) failWindowOverSnapshots(m *metricInProgress, w *extension.Window, hint, format string, args ...any) {
	c.failMetric(m, &modelspec.CompileError{
		Code: extension.CodeNotImplemented, Location: w.Location, Position: w.Position, Message: fmt.Sprintf(format, args...),
		Hint: hint + "; see " + extension.DocumentationAnchor("window"),
	})
}
