package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
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
	Label         string
	Freshness     ObjectRef // an aggregate; not set where the dataset declares none
	Sequence      *Sequence // nil when absent
}

// Relationship is a relationship's payload; left, unproven or nil where it is silent.
type Relationship struct {
	JoinType    catalog.JoinType
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
		out.Label = o.readText("label")
		out.Freshness = o.readObjectRef("freshness")
		out.Sequence = o.readSequenceBlock()
	}
	return out, r.diagnosticsWithVersionWarning()
}

// ReadRelationship reads a relationship's payload.
func ReadRelationship(owner modelspec.Place, entries []*modelspec.CustomExtension) (Relationship, Diagnostics) {
	r, root := findPayloadAndReadEnvelope(CarrierRelationship, owner, entries)
	var out Relationship
	if root != nil {
		o := r.rootReader(root)
		out.JoinType = catalog.ParseJoinType(o.readText("join_type"))
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
	Order       []string // of the values of a text, for people
	// Misplaced is the place of a `format` that is beside `time` instead of
	// in it; nil for none.
	Misplaced *modelspec.Place
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
		out.Order = o.readOrder()
		if n := o.findMember("format"); n != nil {
			out.Misplaced = new(r.placeOfNode(n))
		}
	}
	return out, r.diagnosticsWithVersionWarning()
}

// maxOrderedValues bounds the values of order.
const maxOrderedValues = 100

// readOrder reads the values of a text in the order of people; nil when the list is absent or flawed.
func (o payloadObjectReader) readOrder() []string {
	n := o.readMember("order")
	if n == nil {
		return nil
	}
	out := o.textsOfItems(n)
	if len(n.Content) > maxOrderedValues {
		o.addInvalidError(n, "order has %d values; it may have at most %d", len(n.Content), maxOrderedValues)
		return nil
	}
	for i, value := range out {
		if slices.Contains(out[:i], value) {
			o.addInvalidError(n.Content[i], "order has the value %q twice", value)
			return nil
		}
	}
	if len(out) < len(n.Content) { // one of them is flawed
		return nil
	}
	return out
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

// LOD is a level-of-detail block: Grain are fields of the carrying dataset, Via
// the relationships that lead to it from the aggregated one.
type LOD struct {
	modelspec.Place
	Grain []ObjectRef
	Where *PayloadExpression // nil when absent
	Via   []ObjectRef
}

func (o payloadObjectReader) readLODBlock() *LOD {
	before := len(o.Errors)
	in, ok := o.openMember("lod")
	if !ok {
		return nil
	}
	out := &LOD{Place: o.placeOfNode(in.n), Grain: in.readObjectRefList("grain")}
	if in.findMember("where") != nil {
		out.Where = in.readExpression("where", "a predicate")
	}
	out.Via = in.readObjectRefList("via")
	if len(o.Errors) > before {
		return nil
	}
	return out
}
