package extension

import "github.com/semlayer/semlayer/modelspec"

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
