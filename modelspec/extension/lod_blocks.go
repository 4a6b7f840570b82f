package extension

import "github.com/semlayer/semlayer/modelspec"

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
