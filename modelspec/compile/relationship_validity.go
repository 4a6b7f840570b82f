package compile

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// addRelationshipValidity resolves `valid` of a relationship.
func (c *compiler) addRelationshipValidity(r *catalog.Relationship, from, to *datasetInProgress, block *extension.RelationshipValidity, declared modelspec.Cardinality) {
	err := c.resolveRelationshipValidity(r, from, to, block, declared)
	if err == nil {
		return
	}
	c.addErrorOnce(err)
	if r.Err == nil {
		r.Err = err
	}
}

func (c *compiler) resolveRelationshipValidity(r *catalog.Relationship, from, to *datasetInProgress, block *extension.RelationshipValidity, declared modelspec.Cardinality) *modelspec.CompileError {
	invalid := func(format string, args ...any) *modelspec.CompileError {
		return invalidPayloadError(block.Place, "valid", format, args...)
	}
	switch {
	case from == to:
		return invalid("the relationship %s joins %s to itself, and valid is for two datasets", r.Name, r.From.Name)
	case declared == modelspec.OneToOne || declared == modelspec.ManyToMany:
		return invalid("the relationship %s declares %s, and valid makes it many_to_one", r.Name, declared)
	}
	v := &catalog.RelationshipValidity{}
	for _, part := range []struct {
		ref     extension.ObjectRef
		dataset *datasetInProgress
		field   **catalog.Field
	}{{block.At, from, &v.At}, {block.From, to, &v.From}, {block.To, to, &v.To}} {
		if !part.ref.IsSet() {
			continue
		}
		f, err := c.resolveValidityField(r, part.ref, part.dataset)
		if err != nil {
			return err
		}
		*part.field = f
	}
	zoned := func(f *catalog.Field) bool { return f.Datatype == modelspec.DatatypeDateTimeTz }
	if fields := v.Fields(); slices.ContainsFunc(fields, zoned) && slices.ContainsFunc(fields, func(f *catalog.Field) bool { return !zoned(f) }) {
		return invalid("the relationship %s compares %s; either all fields of valid are DateTimeTz, or none is", r.Name, fieldDatatypesText(fields))
	}
	r.Valid = v
	return nil
}

// resolveValidityField resolves one field of `valid`.
func (c *compiler) resolveValidityField(r *catalog.Relationship, ref extension.ObjectRef, d *datasetInProgress) (*catalog.Field, *modelspec.CompileError) {
	f, ok := c.findKeyFieldMaybeQualified(d, ref.Name)
	if !ok {
		return nil, invalidReferenceError(ref, "valid", "valid of the relationship %s names %q, which is not a usable field of %s", r.Name, ref.Name, d.cat.Name).
			errorWithCandidates(c, ref.Name, d.validityFieldNames)
	}
	if f.cat.Err != nil {
		return nil, c.addAndReturnError(f.cat.Err)
	}
	if fault := validityFieldFault(f); fault != "" {
		return nil, invalidReferenceError(ref, "valid", "valid of the relationship %s names %s, which %s", r.Name, f.cat.QualifiedName(), fault).
			errorWithCandidates(c, ref.Name, d.validityFieldNames)
	}
	return f.cat, nil
}

// validityFieldFault returns why `valid` cannot name a field, "" if it can.
func validityFieldFault(f *fieldInProgress) string {
	switch {
	case f.ext.LOD != nil:
		return "is a level of detail"
	case f.joins:
		return "has its value from other datasets"
	case f.cat.Encoding != nil:
		return "is encoded as " + f.cat.Encoding.Text + ": declare a field that casts it to a date"
	case !f.cat.Datatype.LogicalType().IsDateOrTimestamp():
		return "does not declare the datatype Date, DateTime or DateTimeTz"
	case !f.cat.IsTime:
		return "is not a time field"
	}
	return ""
}

// validityFieldNames lists the fields that `valid` can name.
func (d *datasetInProgress) validityFieldNames() []string {
	var out []string
	list := d.list
	if d.model != nil {
		for f := range d.model.FieldsOf(d.cat) {
			list = append(list, newFieldInProgressFromCatalog(d, f))
		}
	}
	for _, f := range list {
		if f.cat.Err == nil && validityFieldFault(f) == "" {
			out = append(out, f.cat.Name)
		}
	}
	return out
}

func fieldDatatypesText(fields []*catalog.Field) string {
	text := ""
	for i, f := range fields {
		switch {
		case i > 0 && i == len(fields)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += f.QualifiedName() + " (" + f.Datatype.String() + ")"
	}
	return text
}
