package extension

import "github.com/semlayer/semlayer/modelspec"

// LOD is a level-of-detail block: Grain are fields of the carrying dataset.
type LOD struct {
	modelspec.Place
	Grain []Ref
	Where *Expr // nil when absent
}

func (o object) lod() *LOD {
	o.key = "lod"
	n := o.get("lod")
	if n == nil {
		return nil
	}
	in, ok := o.reader.object(n, "grain", "where")
	if !ok {
		return nil
	}
	before := len(o.Errors)
	out := &LOD{Place: o.place(n)}
	grain := in.need("grain", "the fields of the dataset that make up the grain key")
	if grain != nil {
		if grain.kind != kindList || len(grain.list) == 0 {
			o.invalid(grain, "%s must be a list of fields, is %s", label(grain), grain.describe())
		}
		for _, item := range grain.list {
			out.Grain = append(out.Grain, o.refAt(item))
		}
	}
	if in.get("where") != nil {
		out.Where = in.expression("where", "a predicate")
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}
