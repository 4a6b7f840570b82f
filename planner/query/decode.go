package query

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
