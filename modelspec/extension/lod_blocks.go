package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// LOD is a level-of-detail block: Grain are fields of the carrying dataset, Via
// the relationships that lead to it from the aggregated one.
type LOD struct {
	modelspec.Place
	Grain []ObjectRef
	Where *PayloadExpression // nil when absent
	Via   []ObjectRef
}

func (o payloadObjectReader) readLODBlock() *LOD {
	o.key = "lod"
	n := o.findMember("lod")
	if n == nil {
		return nil
	}
	via, readsVia := o.findKeyDefinitionForCarrier("lod.via")
	keys := slices.DeleteFunc(lodShape.memberNames(), func(key string) bool { return key == "via" && !readsVia })
	in, ok := o.payloadReader.openObject(n, keys...)
	if !ok {
		return nil
	}
	before := len(o.Errors)
	out := &LOD{Place: o.placeOfNode(n)}
	if grain := in.findRequiredMember("grain", "the fields of the dataset that make up the grain key"); grain != nil {
		out.Grain = in.readObjectRefList(grain, "fields")
	}
	if in.findMember("where") != nil {
		out.Where = in.readExpression("where", "a predicate")
	}
	if list := in.findMember("via"); list != nil && readsVia {
		o.warnIfKeyNewerThanDeclaredVersion(list, via.Name, via.Since)
		out.Via = in.readObjectRefList(list, "relationships")
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}

// readObjectRefList reads a list of names of other objects, which must hold one at least.
func (o payloadObjectReader) readObjectRefList(n *jsonNode, what string) []ObjectRef {
	switch {
	case n.kind != jsonList:
		o.addInvalidError(n, "%s must be a list of %s, is %s", pathForMessage(n), what, n.describeKind())
		return nil
	case len(n.list) == 0:
		o.addInvalidError(n, "%s must be a list of one or more %s, is empty", pathForMessage(n), what)
		return nil
	}
	out := make([]ObjectRef, len(n.list))
	for i, item := range n.list {
		out[i] = o.readObjectRef(item)
	}
	return out
}
