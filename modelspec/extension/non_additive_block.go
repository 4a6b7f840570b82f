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
	o.key = "non_additive"
	n := o.findMember("non_additive")
	if n == nil {
		return nil
	}
	before := len(o.Errors)
	in, ok := o.payloadReader.openObject(n, nonAdditiveShape.memberNames()...)
	if !ok {
		return nil
	}
	out := &NonAdditiveBlock{Place: o.placeOfNode(n)}
	if by := in.findRequiredMember("by", "a time field of the aggregated dataset"); by != nil {
		out.By = o.readObjectRef(by)
	}
	if in.findRequiredMember("take", "first, last, min, max or avg") != nil {
		out.Take = catalog.SnapshotTakeAggregation(slices.Index(catalog.SnapshotTakeNames(), in.readTextOfClosedSet("take", "first", catalog.SnapshotTakeNames()...)))
	}
	if per := in.findMember("per"); per != nil {
		out.Per = in.readObjectRefList(per, "fields")
		if !out.Take.SelectsOneSnapshot() && len(o.Errors) == before {
			o.addError(CodeInvalidPayload, per, "leave it out", "per is for first and last; %s aggregates each snapshot", out.Take)
		}
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}
