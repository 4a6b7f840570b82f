package query

import "math"

// ListQuery asks for a page of a list of objects of the model.
type ListQuery struct {
	Metric string // of a list of dimensions: only those that it accepts
	Search string // keeps the objects that it matches; "" keeps all
	Limit  int64  // 0 where it is not given
	Offset int64
	Detail bool // all that is known of each object
}

var listFields = []keyReader[ListQuery]{
	{bodyKey{"search", singleTextKind, nil}, func(s *scanner, q *ListQuery) error { return readSearch(s, &q.Search) }},
	{bodyKey{"offset", integerKind, nil}, func(s *scanner, q *ListQuery) error { return s.readOffset(&q.Offset) }},
	{bodyKey{"limit", integerKind, nil}, func(s *scanner, q *ListQuery) error { return readPositiveInteger(s, &q.Limit, math.MaxInt64) }},
	{bodyKey{"detail", booleanKind, nil}, func(s *scanner, q *ListQuery) error { return s.readBool(&q.Detail) }},
}

var dimensionListFields = append([]keyReader[ListQuery]{
	{bodyKey{"metric", singleTextKind, nil}, func(s *scanner, q *ListQuery) error { return s.readName(&q.Metric) }},
}, listFields...)

var describedMetricFields = dimensionListFields[:1]

// DecodeList reads the body of a request for a list; errors as of DecodeMetric.
func DecodeList(body []byte) (*ListQuery, error) { return decodeBody(body, listFields) }

// DecodeDimensionList reads the body of a request for a list of dimensions; errors as of DecodeMetric.
func DecodeDimensionList(body []byte) (*ListQuery, error) {
	return decodeBody(body, dimensionListFields)
}

// DecodeMetricName reads a body that names one metric; errors as of DecodeMetric.
func DecodeMetricName(body []byte) (string, error) {
	q, err := decodeCheckedBody(body, describedMetricFields, func(q *ListQuery) error {
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

// DecodeEmpty reads a body that has no keys; errors as of DecodeMetric.
func DecodeEmpty(body []byte) error {
	_, err := decodeBody(body, []keyReader[struct{}]{})
	return err
}
