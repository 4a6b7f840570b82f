package compile

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

// resolveMetricTimeAxes resolves the time dimensions that metrics declare.
func (c *compiler) resolveMetricTimeAxes() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		snapshots := c.timeAxisOfSemiAdditiveMetric(m)
		if !m.ext.TimeDimension.IsSet() || c.isHiddenTimeAxis(m) {
			m.cat.TimeAxis = snapshots
			continue
		}
		axis, err := c.resolveTimeAxis(m)
		if err == nil {
			err = requireSnapshotFieldAsTimeDimension(m, axis, snapshots)
		}
		if err != nil {
			c.failMetric(m, err)
			continue
		}
		m.cat.TimeAxis = axis
	}
}

// resolveTimeAxis resolves a metric's own time dimension: `dataset.field`, or a field
// of one of the metric's datasets, or one that no other dataset has.
func (c *compiler) resolveTimeAxis(m *metricInProgress) (*catalog.Field, *modelspec.CompileError) {
	ref := m.ext.TimeDimension
	f := c.findFieldOfTimeDimensionName(m, ref.Name)
	switch {
	case f == nil:
		return nil, invalidReferenceError(ref, "time_dimension", "the time_dimension %q names no field, or several", ref.Name).
			errorWithCandidates(c, ref.Name, c.allTimeFieldNames)
	case !f.cat.IsTime:
		return nil, invalidReferenceError(ref, "time_dimension", "the time_dimension %s is not a time field", f.cat.QualifiedName()).
			errorWithCandidates(c, ref.Name, c.allTimeFieldNames)
	}
	return f.cat, nil
}

func (c *compiler) findFieldOfTimeDimensionName(m *metricInProgress, name string) *fieldInProgress {
	if qualifier, rest, ok := strings.Cut(name, "."); ok {
		if d := c.findDataset(qualifier); d != nil {
			f, _ := c.findOwnFieldMaybeQualified(d, rest)
			return f
		}
		return nil
	}
	var found []*fieldInProgress
	for _, home := range m.cat.Datasets {
		if f, ok := c.findOwnFieldMaybeQualified(c.datasetInProgressOfCatalogDataset(home), name); ok {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		found = c.fieldsOfBareName(name)
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// isHiddenTimeAxis reports whether the view of a reader hides the field that a metric declares as its time dimension.
func (c *compiler) isHiddenTimeAxis(m *metricInProgress) bool {
	if c.View == nil || c.findFieldOfTimeDimensionName(m, m.ext.TimeDimension.Name) != nil {
		return false
	}
	qualifier, name, ok := strings.Cut(m.ext.TimeDimension.Name, ".")
	if !ok {
		qualifier, name = "", qualifier
	}
	for _, d := range c.View.Model.Datasets {
		if d.Field(name) != nil && (qualifier == "" || strings.EqualFold(qualifier, d.Name)) {
			return true
		}
	}
	return false
}

func (c *compiler) allTimeFieldNames() []string {
	var out []string
	for f := range c.cat.AllFields() {
		if f.IsTime {
			out = append(out, f.Dataset.Name+"."+f.Name) // this key takes no quotes
		}
	}
	return out
}
