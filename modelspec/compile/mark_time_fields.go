package compile

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// markTimeFields decides which fields are time fields and which of them is the
// primary one of its dataset.
func (c *compiler) markTimeFields() {
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		if d.sequence == nil {
			c.markTimeFieldsOfDataset(d)
		}
	}
}

func (c *compiler) markTimeFieldsOfDataset(d *datasetInProgress) {
	var only *catalog.Field
	several := false
	for f := range cancel.EachUntilDone(c.ctx, d.list) {
		c.markTimeField(f)
		if f.cat.IsTime {
			several = only != nil
			only = f.cat
		}
	}
	if !several {
		d.cat.PrimaryTime = only
	}
	if d.timeDimension.IsSet() {
		d.cat.PrimaryTime = c.resolvePrimaryTime(d)
	}
}

func (c *compiler) markTimeField(f *fieldInProgress) {
	switch f.cat.Datatype {
	case modelspec.DatatypeDate, modelspec.DatatypeTime, modelspec.DatatypeDateTime, modelspec.DatatypeDateTimeTz:
		f.cat.IsTime = true
	}
	explicit := f.doc.Dimension != nil && f.doc.Dimension.IsTime != nil
	if explicit {
		f.cat.IsTime = *f.doc.Dimension.IsTime
	}
	f.cat.Granularity = f.ext.Granularity
	key := ""
	if f.ext.Time != nil {
		key = "time"
		c.addTimeFormat(f, f.ext.Time)
	} else if f.ext.Granularity != sqlexpr.GrainNone {
		key = "time_granularity"
	}
	if key != "" && explicit && !f.cat.IsTime {
		c.failField(f, invalidPayloadError(f.doc.Dimension.Place, key, "the field %s declares %s and is_time: false", f.cat.QualifiedName(), key))
		return
	}
	f.cat.IsTime = f.cat.IsTime || key != ""
	c.checkMisplacedTimeFormat(f)
}

// checkMisplacedTimeFormat looks at a format beside the time block: on a time field it is
// a layout that strayed and changes nothing, elsewhere it has no meaning.
func (c *compiler) checkMisplacedTimeFormat(f *fieldInProgress) {
	place := f.ext.Misplaced
	switch {
	case place == nil:
	case f.cat.IsTime:
		c.addWarning(CodeTimeFormatMisplaced, place.Location, place.Position,
			"the format of the time field %s is ignored; a storage layout belongs in time: {\"format\": …}", f.cat.QualifiedName())
	default:
		err := invalidPayloadError(*place, "format", "the key \"format\" does not belong on a field")
		err.Hint = "it belongs on a metric; " + err.Hint
		c.failField(f, err)
	}
}

// resolvePrimaryTime resolves the time field that a dataset's payload chooses.
func (c *compiler) resolvePrimaryTime(d *datasetInProgress) *catalog.Field {
	ref := d.timeDimension
	invalid := func(format string, args ...any) *catalog.Field {
		err := invalidReferenceError(ref, "time_dimension", format, args...)
		err.Candidates = d.timeFieldNames()
		c.addErrorOnce(err.CompileError)
		return nil
	}
	f, _ := c.findOwnFieldMaybeQualified(d, ref.Name)
	switch {
	case d.hidden[d.unqualifiedName(ref.Name)]:
		return nil
	case f == nil:
		return invalid("the time_dimension %q is not a field of %s", ref.Name, d.cat.Name)
	case !f.cat.IsTime:
		return invalid("the time_dimension %s is not a time field", f.cat.QualifiedName())
	}
	return f.cat
}

// findOwnFieldMaybeQualified finds a field by a name that may be qualified by its own dataset.
func (c *compiler) findOwnFieldMaybeQualified(d *datasetInProgress, name string) (f *fieldInProgress, ok bool) {
	f = d.findFieldByName(d.unqualifiedName(name))
	return f, f != nil && !f.dropped
}

// findKeyFieldMaybeQualified does so for a field that is read as a key.
func (c *compiler) findKeyFieldMaybeQualified(d *datasetInProgress, name string) (f *fieldInProgress, ok bool) {
	f = d.findKeyField(d.unqualifiedName(name))
	return f, f != nil && !f.dropped
}

// unqualifiedName returns a name, folded, without the dataset before it.
func (d *datasetInProgress) unqualifiedName(name string) string {
	return strings.TrimPrefix(foldCase(name), foldCase(d.cat.Name)+".")
}

func (d *datasetInProgress) timeFieldNames() []string {
	var out []string
	for _, f := range d.list {
		if f.cat.IsTime {
			out = append(out, f.cat.Name)
		}
	}
	return out
}
