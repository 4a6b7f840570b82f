package extension

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
)

// DerivedMetricBlock is a derive block: the filter family has Base and Where, the compose
// family Expr.
type DerivedMetricBlock struct {
	modelspec.Place
	Filter bool
	Base   ObjectRef
	Where  *PayloadExpression
	Expr   *PayloadExpression
	Fill   string   // number literal; "" when none
	At     *AtBlock // of the family at, whose Expr it is the level of; nil for the others
}

// AtBlock is the level of a metric at another level.
type AtBlock struct {
	Include, Exclude, Only, Unfiltered []string
	HasOnly                            bool
	DropsRowConditions                 bool
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

func (o payloadObjectReader) readFilterOrComposeBlock(n *document.Node) *DerivedMetricBlock {
	if n.Kind != document.MappingNode {
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
	case "at":
		if !o.isMemberAllowedForVendor(&atFormMember) {
			o.addInvalidError(n.Member("type"), "derive.type is one of filter, compose, is \"at\"")
			return d
		}
		in, _ := o.openObject(n, &atBlockShape)
		d.Expr = in.readExpressionWithAggregates("expr", "an expression over metrics and aggregates")
		d.At = in.readAtBlock()
	case "reagg":
		hint := "use an lod field, which aggregates per grain key"
		if o.isMemberAllowedForVendor(&atFormMember) {
			hint = "use the type at, which aggregates the values of other groups, or an lod field, which aggregates per grain key"
		}
		o.addError(CodeNotImplemented, n.Member("type"), hint, "the derive type reagg is reserved and not implemented")
	}
	return d
}

// readAtBlock reads the level of a block of the type at.
func (o payloadObjectReader) readAtBlock() *AtBlock {
	out := &AtBlock{Include: o.readTextList("include"), Exclude: o.readTextList("exclude"), Only: o.readTextList("only"), HasOnly: o.findMember("only") != nil}
	exclude, unfiltered := o.findMember("exclude"), o.findMember("unfiltered")
	if exclude != nil && out.HasOnly {
		o.addInvalidError(exclude, "derive has exclude or only, not both")
	}
	if o.findMember("include") == nil && exclude == nil && !out.HasOnly && unfiltered == nil {
		o.addInvalidError(o.n, "derive of the type at needs include, exclude, only or unfiltered")
	}
	switch {
	case unfiltered == nil:
	case unfiltered.IsBool():
		if out.DropsRowConditions = unfiltered.Value == "true"; !out.DropsRowConditions {
			o.addInvalidError(unfiltered, "derive.unfiltered is true or a list of fields")
		}
	case o.checkShape(unfiltered, &unfilteredListShape):
		out.Unfiltered = o.textsOfItems(unfiltered)
	}
	return out
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
	out.Take = catalog.ParseSnapshotTake(in.readText("take"))
	out.Per = in.readObjectRefList("per")
	if per := in.findMember("per"); per != nil && len(o.Errors) == before && !out.Take.SelectsOneSnapshot() {
		o.addError(CodeInvalidPayload, per, "leave it out", "per is for first and last; %s aggregates each snapshot", out.Take)
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}
