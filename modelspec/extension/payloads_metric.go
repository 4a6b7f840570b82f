package extension

import "github.com/semlayer/semlayer/modelspec"

// Metric is a metric's payload.
type Metric struct {
	Dataset       Ref
	TimeDimension Ref
}

// ReadMetric reads a metric's payload.
func ReadMetric(owner modelspec.Place, entries []*modelspec.CustomExtension) (Metric, Diagnostics) {
	r, root := open(OnMetric, owner, entries)
	var out Metric
	if root != nil {
		o := object{r, root}
		out.Dataset = o.ref("dataset")
		out.TimeDimension = o.ref("time_dimension")
	}
	return out, r.close()
}
