package extension

import "github.com/semlayer/semlayer/modelspec"

// Derive is a derive block: the filter family has Base and Where, the compose
// family Expr.
type Derive struct {
	modelspec.Place
	Filter bool
	Base   Ref
	Where  *Expr
	Expr   *Expr
	Fill   string // number literal; "" when none
}

func (o object) derive() *Derive {
	o.key = "derive"
	n := o.get("derive")
	if n == nil {
		return nil
	}
	before := len(o.Errors)
	d := o.readDerive(n)
	if len(o.Errors) > before {
		return nil
	}
	return d
}

func (o object) readDerive(n *node) *Derive {
	if n.kind != kindObject {
		o.invalid(n, "derive must be an object, is %s", n.describe())
		return nil
	}
	d := &Derive{Place: o.placeOf(n)}
	in := object{o.reader, n}
	if in.requireKey("type", "filter or compose") == nil {
		return nil
	}
	switch in.enum("type", "", "filter", "compose", "reagg") {
	case "filter":
		d.Filter = true
		o.reader.object(n, filterShape.keys()...)
		if b := in.requireKey("base", "the metric to filter"); b != nil {
			d.Base = o.readRef(b)
		}
		d.Where = in.expression("where", "a predicate over fields")
	case "compose":
		o.reader.object(n, composeShape.keys()...)
		d.Expr = in.expression("expr", "arithmetic over metrics")
		d.Fill = in.number("fill")
	case "reagg":
		o.fail(CodeNotImplemented, n.member("type"), "use an lod field, which aggregates per grain key", "the derive type reagg is reserved and not implemented")
	}
	return d
}
