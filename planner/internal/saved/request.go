package saved

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Request is a body that may use a saved query.
type Request[Q any] interface {
	*Q
	SavedUse() query.SavedQueryUse
	MergeOverSaved(body *Q, params []query.ParamBinding) *Q
	ParamBindings() []query.ParamBinding
}

// RequestDecoder is what planning a kind of request needs.
type RequestDecoder[Q any] struct {
	Kind   catalog.SavedQueryKind
	Decode func([]byte) (*Q, error)
}

// The planes.
var (
	MetricRequestDecoder      = RequestDecoder[query.MetricQuery]{catalog.SavedKindMetrics, query.DecodeMetric}
	DetailRequestDecoder      = RequestDecoder[query.DetailQuery]{catalog.SavedKindDetail, query.DecodeDetail}
	AttributionRequestDecoder = RequestDecoder[query.AttributeQuery]{catalog.SavedKindAttribution, query.DecodeAttribute}
)

// PlanRequest plans the query that a request stands for: the request itself where it uses no saved
// query.
func PlanRequest[Q any, R Request[Q], P any](cat *catalog.Catalog, q R, plane RequestDecoder[Q], plan func(*Q) (P, error)) (P, error) {
	use := q.SavedUse()
	if use.Name == "" {
		return plan(q)
	}
	var none P
	b, err := bindSavedQuery(cat, use, plane.Kind)
	if err != nil {
		return none, err
	}
	text, err := b.printFilledBody()
	if err != nil {
		return none, err
	}
	body, err := plane.Decode(text)
	if err != nil {
		return none, b.savedBodyError(err)
	}
	b.base = R(body).ParamBindings()
	planned, err := plan(q.MergeOverSaved(body, b.mergedParams()))
	return planned, b.toRequestError(err)
}

// savedBodyError returns the error of a saved body that does not decode. Its retry would be one of the
// body, which no request can change.
func (b *savedQueryBinding) savedBodyError(err error) error {
	var e *planerr.Error
	if !errors.As(err, &e) {
		return err
	}
	here := *e
	here.Message = "the body of the saved query " + b.saved.Name + ": " + e.Message
	here.SuggestedRetry, here.Fragment = "", nil
	here.Candidates = slices.DeleteFunc(slices.Clone(e.Candidates), func(key string) bool { return slices.Contains(catalog.RequestOnlyBodyKeys(), key) })
	return &here
}
