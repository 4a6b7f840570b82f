package extension

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// ObjectRef is a name in a payload that stands for another object of the model.
type ObjectRef struct {
	Name string
	modelspec.Place
}

// IsSet reports whether the payload names something.
func (r ObjectRef) IsSet() bool { return r.Name != "" }

// Dataset is a dataset's payload.
type Dataset struct {
	TimeDimension ObjectRef
	Calendar      *Calendar // nil when absent
}

// Relationship is a relationship's payload; "", unproven or nil where it is silent.
type Relationship struct {
	JoinType    string
	Cardinality modelspec.Cardinality
	Valid       *RelationshipValidity
}

// ReadDataset reads a dataset's payload.
func ReadDataset(owner modelspec.Place, entries []*modelspec.CustomExtension) (Dataset, Diagnostics) {
	r, root := findPayloadAndReadEnvelope(CarrierDataset, owner, entries)
	var out Dataset
	if root != nil {
		o := r.rootReader(root)
		out.TimeDimension = o.readObjectRef("time_dimension")
		out.Calendar = o.readCalendarBlock()
	}
	return out, r.diagnosticsWithVersionWarning()
}

// joinTypes are the values of join_type.
var joinTypes = []string{"left", "inner"}

// ReadRelationship reads a relationship's payload.
func ReadRelationship(owner modelspec.Place, entries []*modelspec.CustomExtension) (Relationship, Diagnostics) {
	r, root := findPayloadAndReadEnvelope(CarrierRelationship, owner, entries)
	var out Relationship
	if root != nil {
		o := r.rootReader(root)
		out.JoinType = o.readText("join_type")
		out.Cardinality = modelspec.ParseCardinality(o.readText("cardinality"))
		out.Valid = o.readValidity()
	}
	return out, r.diagnosticsWithVersionWarning()
}

// Field is a field's payload. A member is nil or zero where it is silent.
type Field struct {
	Granularity sqlexpr.Grain
	IsDimension *bool
	Time        *TimeFormat
	LOD         *LOD
	Params      []Param
	// Misplaced is the place of a `format` that is beside `time` instead of
	// in it.
	Misplaced modelspec.Place
}

// ReadField reads a field's payload.
func ReadField(owner modelspec.Place, entries []*modelspec.CustomExtension) (Field, Diagnostics) {
	r, root := findPayloadAndReadEnvelope(CarrierField, owner, entries)
	var out Field
	if root != nil {
		o := r.rootReader(root)
		out.Granularity = o.readGrain("time_granularity")
		out.IsDimension = o.readBool("is_dimension")
		out.Time = o.readTimeBlock()
		out.LOD = o.readLODBlock()
		out.Params = o.readParams()
		if n := o.findMember("format"); n != nil {
			out.Misplaced = r.placeOfNode(n)
		}
	}
	return out, r.diagnosticsWithVersionWarning()
}

// RelationshipValidity limits the rows of a relationship's target to those that are valid at a time: a row
// matches where From ≤ At < To.
type RelationshipValidity struct {
	modelspec.Place
	At   ObjectRef // of the dataset that the relationship leaves
	From ObjectRef // of its target
	To   ObjectRef // of its target; not set where a row is valid until the next one of its key begins
}

// readValidity reads the block `valid`; nil when it is absent or flawed.
func (o payloadObjectReader) readValidity() *RelationshipValidity {
	n := o.findMember("valid")
	if _, known := o.findKeyDefinitionForCarrier("valid"); n == nil || !known {
		return nil
	}
	before := len(o.Errors)
	in, ok := o.openMember("valid")
	if !ok {
		return nil
	}
	out := &RelationshipValidity{Place: o.placeOfNode(n), At: in.readObjectRef("at"), From: in.readObjectRef("from"), To: in.readObjectRef("to")}
	if len(o.Errors) > before {
		return nil
	}
	return out
}
