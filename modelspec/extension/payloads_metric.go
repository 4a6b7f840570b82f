package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// Metric is a metric's payload. A member is nil or zero where it is silent.
type Metric struct {
	Dataset       Ref
	TimeDimension Ref
	Fill          string // number literal
	Window        *Window
	Derive        *Derive
	Measure       Ref // the name of the metric's single measure
	Params        []Param
	SubjectPath   any
	Unit, Format  string
}

// ReadMetric reads a metric's payload.
func ReadMetric(owner modelspec.Place, entries []*modelspec.CustomExtension) (Metric, Diagnostics) {
	r, root := openPayload(OnMetric, owner, entries)
	var out Metric
	if root != nil {
		o := object{r, root}
		out.Dataset = o.ref("dataset")
		out.TimeDimension = o.ref("time_dimension")
		r.key = "fill_nulls_with"
		out.Fill = o.number("fill_nulls_with")
		out.Window = o.window()
		out.Derive = o.derive()
		out.Measure = o.measure()
		out.Params = o.params()
		r.key = "subject_path"
		out.SubjectPath = o.readSubjectPath()
		r.key = "unit"
		out.Unit = o.str("unit")
		r.key = "format"
		out.Format = o.str("format")
	}
	return out, r.finish()
}

// measure reads {name}.
func (o object) measure() Ref {
	o.key = "measure"
	n := o.get("measure")
	if n == nil {
		return Ref{}
	}
	in, ok := o.reader.object(n, measureShape.keys()...)
	if !ok {
		return Ref{}
	}
	name := in.requireKey("name", "the measure's name")
	if name == nil {
		return Ref{}
	}
	ref := o.readRef(name)
	if ref.Set() && !identifier.MatchString(ref.Name) {
		o.invalid(name, "%q is not a name for a measure: letters, digits and _ only", ref.Name)
		return Ref{}
	}
	return ref
}

// readSubjectPath takes a path as text or as a list of its steps.
func (o object) readSubjectPath() any {
	n := o.get("subject_path")
	if n == nil {
		return nil
	}
	switch n.kind {
	case kindString:
		if strings.TrimSpace(n.text) != "" {
			return n.text
		}
	case kindList:
		steps := o.texts("subject_path")
		if len(steps) == len(n.list) {
			return steps
		}
		return nil
	}
	o.invalid(n, "subject_path must be a string or a list of strings, is %s", n.describe())
	return nil
}
