package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

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
