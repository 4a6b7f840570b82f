package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
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
		o := payloadObjectReader{r, root}
		out.Dataset = o.readObjectRefMember("dataset")
		out.TimeDimension = o.readObjectRefMember("time_dimension")
		r.key = "fill_nulls_with"
		out.Fill = o.readNumberText("fill_nulls_with")
		out.Window = o.readWindowBlock()
		out.Derive = o.readDerivedMetricBlock()
		out.Measure = o.readMeasureRef()
		out.Params = o.readParams()
		out.NonAdditive = o.readNonAdditiveBlock()
		r.key = "subject_path"
		out.SubjectPath = o.readSubjectPath()
		r.key = "unit"
		out.Unit = o.readText("unit")
		r.key = "format"
		out.Format = o.readText("format")
		r.key = "label"
		out.Label = o.readText("label")
		r.key = "headline"
		out.Headline = o.readBoolOrFalse("headline")
		r.key = "better"
		out.Better = o.readTextOfClosedSet("better", "", betterDirectionValues...)
		r.key = "sql_aggregates"
		out.SQLAggregates = o.readTextsOfClosedSet("sql_aggregates", allowedAggregatesAroundMetric)
	}
	return out, r.diagnosticsWithVersionWarning()
}

// readMeasureRef reads {name}.
func (o payloadObjectReader) readMeasureRef() ObjectRef {
	o.key = "measure"
	n := o.findMember("measure")
	if n == nil {
		return ObjectRef{}
	}
	in, ok := o.payloadReader.openObject(n, measureNameBlockShape.memberNames()...)
	if !ok {
		return ObjectRef{}
	}
	name := in.findRequiredMember("name", "the measure's name")
	if name == nil {
		return ObjectRef{}
	}
	ref := o.readObjectRef(name)
	if ref.IsSet() && !identifierPattern.MatchString(ref.Name) {
		o.addInvalidError(name, "%q is not a name for a measure: letters, digits and _ only", ref.Name)
		return ObjectRef{}
	}
	return ref
}

// readSubjectPath takes a path as text or as a list of its steps.
func (o payloadObjectReader) readSubjectPath() any {
	n := o.findMember("subject_path")
	if n == nil {
		return nil
	}
	switch n.kind {
	case jsonString:
		if strings.TrimSpace(n.text) != "" {
			return n.text
		}
	case jsonList:
		steps := o.readTextList("subject_path")
		if len(steps) == len(n.list) {
			return steps
		}
		return nil
	}
	o.addInvalidError(n, "subject_path must be a string or a list of strings, is %s", n.describeKind())
	return nil
}
