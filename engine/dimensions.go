package engine

import (
	"context"

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
// metric is a *PlanError of code unknown_metric, and the end of ctx an *ExecuteError of
// code timeout: what a metric accepts costs the planning of a query for each field and
// grain.
func (e *Engine) Dimensions(ctx context.Context, metric string) (out []DimensionInfo, err error) {
	defer e.contain(&err)
	if metric != "" {
		return e.dimensionsOf(ctx, metric)
	}
	out = make([]DimensionInfo, 0, len(e.cat.Fields))
	for _, f := range e.cat.Fields {
		if err := ctx.Err(); err != nil {
			return nil, e.unplanned(ctx, err)
		}
		out = append(out, describeField(f))
	}
	return out, nil
}

func describeField(f *catalog.Field) DimensionInfo {
	info := DimensionInfo{
		Name:        f.Qualified(),
		IsTime:      f.IsTime,
		Datatype:    f.Datatype,
		Description: f.Description,
		AIContext:   f.AIContext,
		Grains:      grainNames(f),
	}
	info.IsDimension, info.Source = f.Role()
	if f.Granularity != sqlexpr.GrainNone {
		info.TimeGranularity = f.Granularity.String()
	}
	return info
}

// grainNames lists the grains that a field takes.
func grainNames(f *catalog.Field) []string {
	var out []string
	for _, g := range f.Grains() {
		out = append(out, g.String())
	}
	return out
}
