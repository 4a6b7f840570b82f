package engine

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
)

// ColumnFormat is how the numbers of a column are shown to people. The values of a result
// never depend on it.
type ColumnFormat struct {
	// Format is number:DIGITS, percent, percent:DIGITS, currency:CODE, compact, any other text of
	// the model, or "".
	Format string
	// Unit is shown beside the number; "" for none.
	Unit string
	// Difference: the column holds changes of such numbers. Those of percents are points.
	Difference bool
}

// columnFormats lists the formats of columns, those of their metrics: shares and ratios of changes
// are percent. It is nil where no column has one.
func columnFormats(cat *catalog.Catalog, columns []planner.OutputColumn) []ColumnFormat {
	var out []ColumnFormat
	for i, c := range columns {
		f := columnFormat(cat, c)
		if f == (ColumnFormat{}) {
			continue
		}
		if out == nil {
			out = make([]ColumnFormat, len(columns))
		}
		out[i] = f
	}
	return out
}

func columnFormat(cat *catalog.Catalog, c planner.OutputColumn) ColumnFormat {
	switch c.Kind {
	case plan.KindShare, plan.KindChangeRatio:
		return ColumnFormat{Format: "percent"}
	}
	f := metricFormat(cat, c.Metric)
	f.Difference = c.Kind == plan.KindChange && f != (ColumnFormat{})
	return f
}

// metricFormat returns the format of a metric of the model; none for another.
func metricFormat(cat *catalog.Catalog, name string) ColumnFormat {
	if m := cat.Metric(name); m != nil {
		return ColumnFormat{Format: m.Format, Unit: m.Unit}
	}
	return ColumnFormat{}
}

// MetricFormat returns how the numbers of a metric are shown to people; no format for a metric that the model lacks.
func (e *Engine) MetricFormat(name string) ColumnFormat { return metricFormat(e.visible().cat, name) }
