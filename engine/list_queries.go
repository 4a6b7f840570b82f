package engine

import (
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/planner/query"
)

// ListQuery asks for a page of a list of objects of the model.
type ListQuery = query.ListQuery

// DecodeList reads the JSON body of a request for a list; errors as of DecodeMetric.
func DecodeList(body []byte) (*ListQuery, error) { return query.DecodeList(body) }

// DecodeDimensionList reads the JSON body of a request for a list of dimensions; errors as of DecodeMetric.
func DecodeDimensionList(body []byte) (*ListQuery, error) { return query.DecodeDimensionList(body) }

// DecodeMetricName reads a JSON body that names one metric; errors as of DecodeMetric.
func DecodeMetricName(body []byte) (string, error) { return query.DecodeMetricName(body) }

// DecodeEmpty reads a JSON body that has no keys; errors as of DecodeMetric.
func DecodeEmpty(body []byte) error { return query.DecodeEmpty(body) }

// DecodeLimitedSQL reads the JSON body of a statement and a bound on its rows; errors as of DecodeMetric.
func DecodeLimitedSQL(body []byte) (*SQLStatement, error) { return query.DecodeLimitedSQL(body) }

// MatchingNames returns the names of the objects of a kind, such as metric, that a text matches as in Find.
func (e *Engine) MatchingNames(kind, text string) map[string]bool {
	for i, name := range find.KindNames() {
		if name == kind {
			return e.index().Matching(find.Kind(i), text)
		}
	}
	return nil
}
