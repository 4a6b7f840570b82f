package extension

import "github.com/semlayer/semlayer/modelspec"

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
