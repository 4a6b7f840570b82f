package query

import (
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/planner/planerr"
)

var (
	metricQueryKeyReaders    = readersOfRows(metricQueryRows)
	detailQueryKeyReaders    = readersOfRows(detailQueryRows)
	attributeQueryKeyReaders = readersOfRows(attributeQueryRows)
)

// DecodeMetric reads the body of compile, explain and execute. The error is a
// *planerr.Error of code bad_request or unknown_query_key.
func DecodeMetric(body []byte) (*MetricQuery, error) {
	return decodeQuery(body, metricQueryKeyReaders, metricQueryRows)
}

// DecodeDetail reads the body of the detail plane; errors as of DecodeMetric.
func DecodeDetail(body []byte) (*DetailQuery, error) {
	return decodeQuery(body, detailQueryKeyReaders, detailQueryRows)
}

// DecodeAttribute reads the body of an attribution; errors as of DecodeMetric.
func DecodeAttribute(body []byte) (*AttributeQuery, error) {
	return decodeQuery(body, attributeQueryKeyReaders, attributeQueryRows)
}

// decodeQuery reads the body of a query. Where it uses a saved query, the keys that the
// body has without a value are those that it removes.
func decodeQuery[T any, P bodyWithSavedQuery[T]](body []byte, readers []keyReader[T], rows []keyRow[T]) (*T, error) {
	q, err := decodeBody(body, readers)
	if err != nil || P(q).SavedUse().Name == "" {
		return q, err
	}
	s := scanner{jsonLexer: jsonLexer{text: string(body)}}
	root, err := s.readTree()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		value := root.memberValue(r.name)
		if r.at != nil && value != nil && !isGiven(r.at(q)) && (r.name != paramsKey || value.raw == "null") {
			*P(q).removedKeysOfSavedQuery() = append(*P(q).removedKeysOfSavedQuery(), r.name)
		}
	}
	return q, nil
}

// validateBody is the body of a request to validate a model.
type validateBody struct{ model *string }

var validateBodyKeyReaders = []keyReader[validateBody]{
	{bodyKey{"model", bodyKeyValueText, nil}, func(s *scanner, b *validateBody) error {
		b.model = new(string)
		return s.readRequiredText(b.model, "a string, the text of a model")
	}},
}

// DecodeValidateBody reads the body of validate, {"model": text}, and returns the
// text. The error is a *planerr.Error of code bad_request.
func DecodeValidateBody(body []byte) (string, error) {
	into, err := decodeBody(body, validateBodyKeyReaders)
	var e *planerr.Error
	if errors.As(err, &e) && e.Code == planerr.CodeUnknownQueryKey {
		e.Code, e.SuggestedRetry = planerr.CodeBadRequest, ""
		e.Message = "the body takes the one key " + strconv.Quote("model")
	}
	if err != nil {
		return "", err
	}
	if into.model == nil {
		return "", badRequestError(`the body needs the key "model", the text of a model`)
	}
	return *into.model, nil
}
