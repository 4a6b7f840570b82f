package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// markTimeFields decides which fields are time fields and which of them is the
// primary one of its dataset.
func (c *compiler) markTimeFields() {
	for _, d := range c.datasets {
		var only *catalog.Field
		several := false
		for _, f := range d.list {
			c.markTimeField(f)
			if f.cat.IsTime {
				several = only != nil
				only = f.cat
			}
		}
		if !several {
			d.cat.PrimaryTime = only
		}
		if d.timeDimension.Set() {
			d.cat.PrimaryTime = c.primaryTime(d)
		}
	}
}

func (c *compiler) markTimeField(f *field) {
	switch f.cat.Datatype {
	case "Date", "Time", "DateTime", "DateTimeTz":
		f.cat.IsTime = true
	}
	explicit := f.doc.Dimension != nil && f.doc.Dimension.IsTime != nil
	if explicit {
		f.cat.IsTime = *f.doc.Dimension.IsTime
	}
	if f.ext.Granularity == sqlexpr.GrainNone {
		return
	}
	f.cat.Granularity = f.ext.Granularity
	if explicit && !f.cat.IsTime {
		err := c.fail(&modelspec.CompileError{
			Code: extension.CodeInvalid, Location: f.doc.At("dimension"), Position: f.doc.Dimension.Position,
			Message: fmt.Sprintf("the field %s.%s declares a time_granularity and is_time: false", f.ds.cat.Name, f.cat.Name),
			Hint:    "drop one of the two; see " + extension.Anchor("time_granularity"),
		})
		if f.cat.Err == nil {
			f.cat.Err = err
		}
		return
	}
	f.cat.IsTime = true
}

// primaryTime resolves the time field that a dataset's payload chooses.
func (c *compiler) primaryTime(d *dataset) *catalog.Field {
	ref := d.timeDimension
	invalid := func(format string, args ...any) *catalog.Field {
		c.fail(&modelspec.CompileError{
			Code: extension.CodeInvalid, Location: ref.Location, Position: ref.Position,
			Message: fmt.Sprintf(format, args...), Candidates: d.timeFields(),
			Hint: "name a time field of the dataset; see " + extension.Anchor("time_dimension"),
		})
		return nil
	}
	f, _ := c.fieldOf(d, ref.Name)
	switch {
	case f == nil:
		return invalid("the time_dimension %q is no field of %s", ref.Name, d.cat.Name)
	case !f.cat.IsTime:
		return invalid("the time_dimension %s.%s is no time field", d.cat.Name, f.cat.Name)
	}
	return f.cat
}

// fieldOf finds a field by a name that may be qualified by its own dataset.
func (c *compiler) fieldOf(d *dataset, name string) (f *field, ok bool) {
	key := fold(name)
	if prefix := fold(d.cat.Name) + "."; len(key) > len(prefix) && key[:len(prefix)] == prefix {
		key = key[len(prefix):]
	}
	f = d.fields[key]
	if f == nil || f.dropped {
		return nil, false
	}
	return f, true
}

func (d *dataset) timeFields() []string {
	var out []string
	for _, f := range d.list {
		if f.cat.IsTime {
			out = append(out, f.cat.Name)
		}
	}
	return out
}

var datatypes = map[string]sqlexpr.Type{
	"String": sqlexpr.TypeString, "Integer": sqlexpr.TypeInt, "Decimal": sqlexpr.TypeDecimal, "Float": sqlexpr.TypeFloat,
	"Boolean": sqlexpr.TypeBool, "Date": sqlexpr.TypeDate, "Time": sqlexpr.TypeTime,
	"DateTime": sqlexpr.TypeTimestamp, "DateTimeTz": sqlexpr.TypeTimestampTZ,
}

// typeFields gives every field its logical type: the declared one, else what
// its expression tells when nothing is known of the columns.
func (c *compiler) typeFields() {
	for _, d := range c.datasets {
		for _, f := range d.list {
			if f.cat.Datatype != "" {
				f.cat.Type = datatypes[f.cat.Datatype]
			} else if f.cat.Err == nil {
				f.cat.Type = sqlexpr.TypeOf(f.cat.Expr.Default, c.fieldLeaf)
			}
		}
	}
}

// fieldLeaf types the leaves of expressions that stand over fields.
func (c *compiler) fieldLeaf(e sqlexpr.Expr) sqlexpr.Type {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		return c.cat.Fields[ref.ID].Type
	}
	return sqlexpr.TypeUnknown
}
