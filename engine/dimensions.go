package engine

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// DimensionInfo describes one field that queries can group by.
type DimensionInfo struct {
	Name   string `json:"name"` // dataset.field; of a metric also rel.field and metric_time
	IsTime bool   `json:"is_time"`
	// IsDimension is the field's role; Source says where that comes from:
	// declared, inferred, inferred:time, inferred:measure, inferred:primary_key.
	IsDimension     bool   `json:"is_dimension"`
	Source          string `json:"source"`
	TimeGranularity string `json:"time_granularity,omitempty"`
	// Grains are those that a query may ask for, from fine to coarse.
	Grains      []string `json:"grains,omitempty"`
	Datatype    string   `json:"datatype,omitempty"`
	Description string   `json:"description,omitempty"`
	AIContext   any      `json:"ai_context,omitempty"`
}

// metricTime is the group-by that means each metric's own time axis.
const metricTime = "metric_time"

// Dimensions lists the fields of the model in its order. With a metric it lists
// what that metric can be grouped by: metric_time first when it has an axis,
// then every field it accepts, under the name that a query needs. An unknown
// metric is a *PlanError of code unknown_metric.
func (e *Engine) Dimensions(metric string) ([]DimensionInfo, error) {
	if metric != "" {
		return e.dimensionsOf(metric)
	}
	measured := e.measuredFields()
	out := make([]DimensionInfo, 0, len(e.cat.Fields))
	for _, f := range e.cat.Fields {
		out = append(out, describeField(f, measured))
	}
	return out, nil
}

func describeField(f *catalog.Field, measured map[*catalog.Field]bool) DimensionInfo {
	info := DimensionInfo{
		Name:        f.Qualified(),
		IsTime:      f.IsTime,
		Datatype:    f.Datatype,
		Description: f.Description,
		AIContext:   f.AIContext,
		Grains:      grainsOf(f),
	}
	info.IsDimension, info.Source = role(f, measured)
	if f.Granularity != sqlexpr.GrainNone {
		info.TimeGranularity = f.Granularity.String()
	}
	return info
}

// role says whether a field is a dimension and how that is known.
func role(f *catalog.Field, measured map[*catalog.Field]bool) (is bool, source string) {
	switch {
	case f.IsDimension != nil:
		return *f.IsDimension, "declared"
	case f.Declared:
		return true, "declared"
	case f.IsTime:
		return true, "inferred:time"
	case slices.ContainsFunc(f.Dataset.PrimaryKey, func(k string) bool { return strings.EqualFold(k, f.Name) }):
		return false, "inferred:primary_key"
	case measured[f]:
		return false, "inferred:measure"
	}
	return true, "inferred"
}

// measuredFields are the fields that some metric sums or averages.
func (e *Engine) measuredFields() map[*catalog.Field]bool {
	out := map[*catalog.Field]bool{}
	for _, m := range e.cat.Metrics {
		if m.Err != nil {
			continue
		}
		for _, l := range leaves(m) {
			if l.Agg != catalog.AggSum && l.Agg != catalog.AggAvg {
				continue
			}
			sqlexpr.Walk(l.Arg, func(x sqlexpr.Expr) bool {
				if r, ok := x.(*sqlexpr.Ref); ok {
					out[e.cat.Fields[r.ID]] = true
				}
				return true
			})
		}
	}
	return out
}

// grainsOf lists the grains that a time field takes.
func grainsOf(f *catalog.Field) []string {
	if f.Encoding == nil && (!f.IsTime || !f.Type.IsInstant() && f.Type != sqlexpr.TypeUnknown) {
		return nil
	}
	stored := f.Granularity
	if f.Encoding != nil {
		stored = max(stored, f.Encoding.Grain)
	}
	var out []string
	for _, name := range sqlexpr.GrainNames() {
		if g, _ := sqlexpr.ParseGrain(name); g >= stored {
			out = append(out, name)
		}
	}
	return out
}
