package describe

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Dimension describes one field that queries can group by.
type Dimension struct {
	Name   string `json:"name"` // dataset.field; of a metric also rel.field and metric_time
	IsTime bool   `json:"is_time"`
	// IsDimension is the field's role; Source names the origin of the role:
	// declared, inferred, inferred:time, inferred:measure, inferred:primary_key.
	IsDimension     bool   `json:"is_dimension"`
	Source          string `json:"source"`
	TimeGranularity string `json:"time_granularity,omitempty"`
	// Grains are those that a query may request, from fine to coarse, and then the periods of calendars.
	Grains []string `json:"grains,omitempty"`
	// Parts are the parts of a time that a query may request in place of a grain.
	Parts    []string `json:"parts,omitempty"`
	Datatype string   `json:"datatype,omitempty"`
	Label    string   `json:"label,omitempty"` // for people
	// Folder is the path of the folder that a view has it in, with a slash between folders.
	Folder string `json:"folder,omitempty"`
	// Order has values of a text in the order of people; others follow.
	Order       []string `json:"order,omitempty"`
	Description string   `json:"description,omitempty"`
	AIContext   any      `json:"ai_context,omitempty"`
}

// metricTimeName is the group-by that means each metric's own time axis.
const metricTimeName = "metric_time"

// Dimensions lists the fields of the model in its order. With a metric it lists
// what that metric can be grouped by: metric_time first when it has an axis,
// then every field it accepts, under the name that a query needs. An unknown
// metric is a *planerr.Error of code unknown_metric. What a metric accepts costs the
// planning of a query for each field and grain; the error is that of ctx, when it ends
// first.
func (d *Describer) Dimensions(ctx context.Context, metric string) ([]Dimension, error) {
	if metric != "" {
		return d.groupableDimensions(ctx, metric)
	}
	shown := d.catalog.ShownFields()
	out := make([]Dimension, 0, len(shown))
	for _, f := range shown {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out = append(out, d.describeField(f.Field, f.Text()))
	}
	return out, nil
}

// describeField describes a field under one of its names.
func (d *Describer) describeField(f *catalog.Field, name string) Dimension {
	info := Dimension{
		Name:        name,
		IsTime:      f.IsTime,
		Datatype:    f.Datatype.String(),
		Order:       f.Order,
		Description: f.Description,
		AIContext:   f.AIContext,
		Grains:      d.catalog.BucketUnitNamesOfField(f),
	}
	info.Label, info.Folder = d.labelAndFolder(name, f.Label)
	for _, p := range f.TimeParts() {
		info.Parts = append(info.Parts, p.String())
	}
	info.IsDimension, info.Source = f.DimensionRoleAndSource()
	if f.Granularity != sqlexpr.GrainNone {
		info.TimeGranularity = f.Granularity.String()
	}
	return info
}
