package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
)

// LOD is a level-of-detail block: Grain are fields of the carrying dataset, Via
// the relationships that lead to it from the aggregated one.
type LOD struct {
	modelspec.Place
	Grain []Ref
	Where *Expr // nil when absent
	Via   []Ref
}

func (o object) lod() *LOD {
	o.key = "lod"
	n := o.get("lod")
	if n == nil {
		return nil
	}
	via, readsVia := o.lookup("lod.via")
	keys := slices.DeleteFunc(lodShape.keys(), func(key string) bool { return key == "via" && !readsVia })
	in, ok := o.reader.object(n, keys...)
	if !ok {
		return nil
	}
	before := len(o.Errors)
	out := &LOD{Place: o.placeOf(n)}
	if grain := in.requireKey("grain", "the fields of the dataset that make up the grain key"); grain != nil {
		out.Grain = in.refs(grain, "fields")
	}
	if in.get("where") != nil {
		out.Where = in.expression("where", "a predicate")
	}
	if list := in.get("via"); list != nil && readsVia {
		o.warnNewerKey(list, via.Name, via.Since)
		out.Via = in.refs(list, "relationships")
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}

// refs reads a list of names of other objects, which must hold one at least.
func (o object) refs(n *node, what string) []Ref {
	if n.kind != kindList || len(n.list) == 0 {
		o.invalid(n, "%s must be a list of %s, is %s", valueLabel(n), what, n.describe())
		return nil
	}
	out := make([]Ref, len(n.list))
	for i, item := range n.list {
		out[i] = o.readRef(item)
	}
	return out
}
