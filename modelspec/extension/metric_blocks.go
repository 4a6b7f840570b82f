package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

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
		o.addTypeError(n, "an object")
		return nil
	}
	d := &DerivedMetricBlock{Place: o.placeOfNode(n)}
	form := payloadObjectReader{o.payloadReader, n, &derivedFormShape}.readText("type")
	switch form {
	case "filter":
		in, _ := o.openObject(n, &filterBlockShape)
		d.Filter, d.Base = true, in.readObjectRef("base")
		d.Where = in.readExpression("where", "a predicate over fields")
	case "compose":
		in, _ := o.openObject(n, &composeBlockShape)
		d.Expr = in.readExpression("expr", "arithmetic over metrics")
		d.Fill = in.readText("fill")
	case "reagg":
		o.addError(CodeNotImplemented, n.findMember("type"), "use an lod field, which aggregates per grain key", "the derive type reagg is reserved and not implemented")
	}
	return d
}

// NonAdditiveBlock is a non_additive block: which snapshots of a bucket the aggregate is over.
type NonAdditiveBlock struct {
	modelspec.Place
	By   ObjectRef
	Take catalog.SnapshotTakeAggregation
	Per  []ObjectRef
}

func (o payloadObjectReader) readNonAdditiveBlock() *NonAdditiveBlock {
	before := len(o.Errors)
	in, ok := o.openMember("non_additive")
	if !ok {
		return nil
	}
	out := &NonAdditiveBlock{Place: o.placeOfNode(in.n), By: in.readObjectRef("by")}
	out.Take = catalog.SnapshotTakeAggregation(slices.Index(catalog.SnapshotTakeNames(), in.readText("take")))
	out.Per = in.readObjectRefList("per")
	if per := in.findMember("per"); per != nil && len(o.Errors) == before && !out.Take.SelectsOneSnapshot() {
		o.addError(CodeInvalidPayload, per, "leave it out", "per is for first and last; %s aggregates each snapshot", out.Take)
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}
