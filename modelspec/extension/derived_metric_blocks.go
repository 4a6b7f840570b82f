package extension

import "github.com/semlayer/semlayer/modelspec"

// DerivedMetricBlock is a derive block: the filter family has Base and Where, the compose
// family Expr.
type DerivedMetricBlock struct {
	modelspec.Place
	Filter bool
	Base   ObjectRef
	Where  *PayloadExpression
	Expr   *PayloadExpression
	Fill   string // number literal; "" when none
}

func (o payloadObjectReader) readDerivedMetricBlock() *DerivedMetricBlock {
	o.key = "derive"
	n := o.findMember("derive")
	if n == nil {
		return nil
	}
	before := len(o.Errors)
	d := o.readFilterOrComposeBlock(n)
	if len(o.Errors) > before {
		return nil
	}
	return d
}

func (o payloadObjectReader) readFilterOrComposeBlock(n *jsonNode) *DerivedMetricBlock {
	if n.kind != jsonObject {
		o.addInvalidError(n, "derive must be an object, is %s", n.describeKind())
		return nil
	}
	d := &DerivedMetricBlock{Place: o.placeOfNode(n)}
	in := payloadObjectReader{o.payloadReader, n}
	if in.findRequiredMember("type", "filter or compose") == nil {
		return nil
	}
	switch in.readTextOfClosedSet("type", "", "filter", "compose", "reagg") {
	case "filter":
		d.Filter = true
		o.payloadReader.openObject(n, filterBlockShape.memberNames()...)
		if b := in.findRequiredMember("base", "the metric to filter"); b != nil {
			d.Base = o.readObjectRef(b)
		}
		d.Where = in.readExpression("where", "a predicate over fields")
	case "compose":
		o.payloadReader.openObject(n, composeBlockShape.memberNames()...)
		d.Expr = in.readExpression("expr", "arithmetic over metrics")
		d.Fill = in.readNumberText("fill")
	case "reagg":
		o.addError(CodeNotImplemented, n.findMember("type"), "use an lod field, which aggregates per grain key", "the derive type reagg is reserved and not implemented")
	}
	return d
}
