package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
)

// Metric is a metric's payload. A member is nil or zero where it is silent.
type Metric struct {
	Dataset       ObjectRef
	TimeDimension ObjectRef
	Fill          string // number literal
	Window        *Window
	Derive        *DerivedMetricBlock
	Measure       ObjectRef // the name of the metric's single measure
	Params        []Param
	NonAdditive   *NonAdditiveBlock
	SubjectPath   any
	Unit, Format  string
	Label         string
	Headline      bool
	Better        string // up, down or ""
	SQLAggregates []string
	Grains        []ObjectRef // grains and periods of calendars
}

// betterDirectionValues are the values of better.
var betterDirectionValues = []string{"up", "down"}

// allowedAggregatesAroundMetric are the values of sql_aggregates.
var allowedAggregatesAroundMetric = []string{"sum", "count", "avg", "min", "max"}

// ReadMetric reads a metric's payload.
func ReadMetric(owner modelspec.Place, entries []*modelspec.CustomExtension) (Metric, Diagnostics) {
	r, root := findPayloadAndReadEnvelope(CarrierMetric, owner, entries)
	var out Metric
	if root != nil {
		o := r.rootReader(root)
		out.Dataset = o.readObjectRef("dataset")
		out.TimeDimension = o.readObjectRef("time_dimension")
		out.Fill = o.readText("fill_nulls_with")
		out.Window = o.readWindowBlock()
		out.Derive = o.readDerivedMetricBlock()
		if in, ok := o.openMember("measure"); ok {
			out.Measure = in.readObjectRef("name")
		}
		out.Params = o.readParams()
		out.NonAdditive = o.readNonAdditiveBlock()
		out.SubjectPath = o.readSubjectPath()
		out.Unit = o.readText("unit")
		out.Format = o.readText("format")
		out.Label = o.readText("label")
		out.Headline = o.readBoolOrFalse("headline")
		out.Better = o.readText("better")
		out.SQLAggregates = o.readTextList("sql_aggregates")
		out.Grains = o.readGrainsOrPeriods("grains")
	}
	return out, r.diagnosticsWithVersionWarning()
}

// readSubjectPath takes a path as text or as a list of its steps.
func (o payloadObjectReader) readSubjectPath() any {
	n := o.findMember("subject_path")
	switch {
	case n == nil:
		return nil
	case n.IsText() && strings.TrimSpace(n.Value) != "":
		return n.Value
	case n.Kind == document.SequenceNode:
		o.checkShape(n, &subjectPathStepsShape)
		if steps := o.textsOfItems(n); len(steps) == len(n.Content) {
			return steps
		}
		return nil
	}
	o.addInvalidError(n, "subject_path must be a string or a list of strings, is %s", describeValue(n))
	return nil
}
