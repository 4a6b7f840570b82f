package engine

import (
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/planner/query"
)

// ListQuery requests a page of a list of objects of the model.
type ListQuery = query.ListQuery

// DecodeListQuery reads the JSON body of a request for a list; errors as of DecodeMetricQuery.
func DecodeListQuery(body []byte) (*ListQuery, error) { return query.DecodeObjectListQuery(body) }

// DecodeDimensionListQuery reads the JSON body of a request for a list of dimensions; errors as of DecodeMetricQuery.
func DecodeDimensionListQuery(body []byte) (*ListQuery, error) {
	return query.DecodeDimensionListQuery(body)
}

// DecodeMetricName reads a JSON body that names one metric; errors as of DecodeMetricQuery.
func DecodeMetricName(body []byte) (string, error) { return query.DecodeMetricName(body) }

// DecodeEmptyBody reads a JSON body that has no keys; errors as of DecodeMetricQuery.
func DecodeEmptyBody(body []byte) error { return query.DecodeEmptyBody(body) }

// DecodeLimitedSQLStatement reads the JSON body of a statement and a bound on its rows; errors as of DecodeMetricQuery.
func DecodeLimitedSQLStatement(body []byte) (*SQLStatement, error) {
	return query.DecodeSQLWithLimit(body)
}

// MatchingNames returns the names of the objects of a kind, such as metric, that a text matches as in Find.
func (e *Engine) MatchingNames(kind, text string) map[string]bool {
	for i, name := range find.KindNames() {
		if name == kind {
			return e.index().MatchingNames(find.Kind(i), text)
		}
	}
	return nil
}
