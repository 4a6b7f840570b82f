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
	o.key = "valid"
	n := o.findMember("valid")
	if _, known := o.findKeyDefinitionForCarrier("valid"); n == nil || !known {
		return nil
	}
	in, ok := o.payloadReader.openObject(n, validityShape.memberNames()...)
	if !ok {
		return nil
	}
	before := len(o.Errors)
	out := &RelationshipValidity{Place: o.placeOfNode(n)}
	if at := in.findRequiredMember("at", "a time field of the dataset that the relationship leaves"); at != nil {
		out.At = in.readObjectRef(at)
	}
	if from := in.findRequiredMember("from", "a time field of the dataset that the relationship leads to"); from != nil {
		out.From = in.readObjectRef(from)
	}
	if to := in.findMember("to"); to != nil {
		out.To = in.readObjectRef(to)
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}
