package query

import "math"

// ListQuery requests a page of a list of objects of the model.
type ListQuery struct {
	Metric string // of a list of dimensions: only those that it accepts
	Search string // keeps the objects that it matches; "" keeps all
	Limit  int64  // 0 where it is not given
	Offset int64
	Detail bool // all that is known of each object
}

var listQueryKeyReaders = []keyReader[ListQuery]{
	{bodyKey{"search", bodyKeyValueText, nil}, func(s *scanner, q *ListQuery) error { return readSearch(s, &q.Search) }},
	{bodyKey{"offset", bodyKeyValueInteger, nil}, func(s *scanner, q *ListQuery) error { return s.readRowOffset(&q.Offset) }},
	{bodyKey{"limit", bodyKeyValueInteger, nil}, func(s *scanner, q *ListQuery) error { return readPositiveInteger(s, &q.Limit, math.MaxInt64) }},
	{bodyKey{"detail", bodyKeyValueBoolean, nil}, func(s *scanner, q *ListQuery) error { return s.readBool(&q.Detail) }},
}

var dimensionListKeyReaders = append([]keyReader[ListQuery]{
	{bodyKey{"metric", bodyKeyValueText, nil}, func(s *scanner, q *ListQuery) error { return s.readName(&q.Metric) }},
}, listQueryKeyReaders...)

var metricNameKeyReaders = dimensionListKeyReaders[:1]

// DecodeObjectListQuery reads the body of a request for a list of objects of the model; errors as of DecodeMetric.
func DecodeObjectListQuery(body []byte) (*ListQuery, error) {
	return decodeBody(body, listQueryKeyReaders)
}

// DecodeDimensionListQuery reads the body of a request for a list of dimensions; errors as of DecodeMetric.
func DecodeDimensionListQuery(body []byte) (*ListQuery, error) {
	return decodeBody(body, dimensionListKeyReaders)
}

// DecodeMetricName reads a body that names one metric; errors as of DecodeMetric.
func DecodeMetricName(body []byte) (string, error) {
	q, err := decodeAndCheckBody(body, metricNameKeyReaders, func(q *ListQuery) error {
		if q.Metric == "" {
			return badRequestError(`the body needs the key "metric", the name of a metric`)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return q.Metric, nil
}

// DecodeEmptyBody reads a body that has no keys; errors as of DecodeMetric.
func DecodeEmptyBody(body []byte) error {
	_, err := decodeBody(body, []keyReader[struct{}]{})
	return err
}
