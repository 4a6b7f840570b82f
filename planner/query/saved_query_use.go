package query

import (
	"reflect"
	"slices"
)

// The keys with special rules in a request that uses a saved query.
const (
	savedKey  = "saved"
	paramsKey = "params"
)

// bodyKeyWithValuePointer is a top-level key of a body and a pointer to the field that holds its value.
type bodyKeyWithValuePointer struct {
	key string
	at  any
}

func (q *MetricQuery) bodyMembers() []bodyKeyWithValuePointer {
	return []bodyKeyWithValuePointer{
		{"metrics", &q.Metrics},
		{groupByKey, &q.GroupBy},
		{"where_sql", &q.WhereSQL},
		{"context_filter", &q.ContextFilter},
		{"time_range", &q.TimeRange},
		{"time_ranges", &q.TimeRanges},
		{"order_by", &q.OrderBy},
		{"limit", &q.Limit},
		{"offset", &q.Offset},
		{paramsKey, &q.Params},
		{"dialect", &q.Dialect},
		{"pretty", &q.Pretty},
		{"connection", &q.Connection},
		{"with", &q.With},
		{"distinct", &q.Distinct},
		{"from", &q.From},
		{"totals", &q.Totals},
		{"shares", &q.Shares},
		{"compare", &q.Compare},
		{"top", &q.Top},
		{"fill", &q.Fill},
		{"fan_out", &q.FanOut},
		{"as_of", &q.AsOf},
		{"time_zone", &q.TimeZone},
		{"week_start", &q.WeekStart},
		{"hints", &q.Hints},
	}
}

func (q *DetailQuery) bodyMembers() []bodyKeyWithValuePointer {
	return []bodyKeyWithValuePointer{
		{"from", &q.From},
		{"fields", &q.Fields},
		{"where_sql", &q.WhereSQL},
		{"time_range", &q.TimeRange},
		{"order_by", &q.OrderBy},
		{"limit", &q.Limit},
		{"offset", &q.Offset},
		{paramsKey, &q.Params},
		{"dialect", &q.Dialect},
		{"pretty", &q.Pretty},
		{"connection", &q.Connection},
		{"with", &q.With},
		{"as_of", &q.AsOf},
		{"time_zone", &q.TimeZone},
		{"week_start", &q.WeekStart},
		{"hints", &q.Hints},
	}
}

func (q *AttributeQuery) bodyMembers() []bodyKeyWithValuePointer {
	return []bodyKeyWithValuePointer{
		{"metric", &q.Metric},
		{"dimensions", &q.Dimensions},
		{"baseline", &q.Baseline},
		{"current", &q.Current},
		{"where_sql", &q.WhereSQL},
		{"context_filter", &q.ContextFilter},
		{"time_dimension", &q.TimeDimension},
		{paramsKey, &q.Params},
		{"max_values_per_dimension", &q.MaxValuesPerDimension},
		{"top_n_dimensions", &q.TopNDimensions},
		{"top_n_values", &q.TopNValues},
		{"dialect", &q.Dialect},
		{"connection", &q.Connection},
		{"with", &q.With},
		{"time_zone", &q.TimeZone},
	}
}

// isGiven reports whether a field holds a value.
func (m bodyKeyWithValuePointer) isGiven() bool {
	v := reflect.ValueOf(m.at).Elem()
	if v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// SavedQueryUse is how a request uses a saved query.
type SavedQueryUse struct {
	Name   string
	Params []ParamBinding
	// Replaced are the keys that the saved body does not supply, because the request gives
	// or removes them. Params is among them only when it is removed.
	Replaced []string
}

// SavedUse returns how the query uses a saved one; its Name is "" where it does not.
func (q *MetricQuery) SavedUse() SavedQueryUse {
	return newSavedQueryUse(q.Saved, q.Removed, q.Params, q.bodyMembers)
}

// SavedUse returns how the query uses a saved one; see MetricQuery.SavedUse.
func (q *DetailQuery) SavedUse() SavedQueryUse {
	return newSavedQueryUse(q.Saved, q.Removed, q.Params, q.bodyMembers)
}

// SavedUse returns how the query uses a saved one; see MetricQuery.SavedUse.
func (q *AttributeQuery) SavedUse() SavedQueryUse {
	return newSavedQueryUse(q.Saved, q.Removed, q.Params, q.bodyMembers)
}

func newSavedQueryUse(name string, removed []string, params []ParamBinding, members func() []bodyKeyWithValuePointer) SavedQueryUse {
	if name == "" {
		return SavedQueryUse{}
	}
	u := SavedQueryUse{Name: name, Params: params, Replaced: slices.Clone(removed)}
	for _, m := range members() {
		if m.key != paramsKey && m.isGiven() {
			u.Replaced = append(u.Replaced, m.key)
		}
	}
	return u
}

// MergeOverSaved returns the query that a request over a saved body is: the values of the request,
// and for each key that it does not give the value of the body. Params are given apart.
func (q *MetricQuery) MergeOverSaved(body *MetricQuery, params []ParamBinding) *MetricQuery {
	out := *q
	if len(out.Metrics) == 0 {
		out.InlineMetrics = body.InlineMetrics // with the names, which overlay copies
	}
	fillMissingMembers(out.bodyMembers(), body.bodyMembers())
	out.Params, out.Saved, out.Removed = params, "", nil
	return &out
}

// MergeOverSaved returns the query that a request over a saved body is; see MetricQuery.MergeOverSaved.
func (q *DetailQuery) MergeOverSaved(body *DetailQuery, params []ParamBinding) *DetailQuery {
	out := *q
	fillMissingMembers(out.bodyMembers(), body.bodyMembers())
	out.Params, out.Saved, out.Removed = params, "", nil
	return &out
}

// MergeOverSaved returns the query that a request over a saved body is; see MetricQuery.MergeOverSaved.
func (q *AttributeQuery) MergeOverSaved(body *AttributeQuery, params []ParamBinding) *AttributeQuery {
	out := *q
	fillMissingMembers(out.bodyMembers(), body.bodyMembers())
	out.Params, out.Saved, out.Removed = params, "", nil
	return &out
}

func fillMissingMembers(request, body []bodyKeyWithValuePointer) {
	for i, m := range request {
		if !m.isGiven() {
			reflect.ValueOf(m.at).Elem().Set(reflect.ValueOf(body[i].at).Elem())
		}
	}
}

// ParamBindings returns the params of a body.
func (q *MetricQuery) ParamBindings() []ParamBinding { return q.Params }

// ParamBindings returns the params of a body.
func (q *DetailQuery) ParamBindings() []ParamBinding { return q.Params }

// ParamBindings returns the params of a body.
func (q *AttributeQuery) ParamBindings() []ParamBinding { return q.Params }

func (q *MetricQuery) removedKeysOfSavedQuery() *[]string    { return &q.Removed }
func (q *DetailQuery) removedKeysOfSavedQuery() *[]string    { return &q.Removed }
func (q *AttributeQuery) removedKeysOfSavedQuery() *[]string { return &q.Removed }

// bodyWithSavedQuery is a body that may use a saved query.
type bodyWithSavedQuery[T any] interface {
	*T
	bodyMembers() []bodyKeyWithValuePointer
	removedKeysOfSavedQuery() *[]string
	SavedUse() SavedQueryUse
}

// decodeQuery reads the body of a query. Where it uses a saved query, the keys that the
// body has without a value are those that it removes.
func decodeQuery[T any, P bodyWithSavedQuery[T]](body []byte, fields []keyReader[T]) (*T, error) {
	q, err := decodeBody(body, fields)
	if err != nil || P(q).SavedUse().Name == "" {
		return q, err
	}
	s := scanner{jsonLexer: jsonLexer{text: string(body)}}
	root, err := s.readTree()
	if err != nil {
		return nil, err
	}
	for _, m := range P(q).bodyMembers() {
		if value := root.memberValue(m.key); value != nil && !m.isGiven() && (m.key != paramsKey || value.raw == "null") {
			*P(q).removedKeysOfSavedQuery() = append(*P(q).removedKeysOfSavedQuery(), m.key)
		}
	}
	return q, nil
}

// memberValue returns the value of a key of an object; nil when it has none.
func (n *jsonNode) memberValue(key string) *jsonNode {
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// removedKeysAfterPatch returns Removed of a query after a fragment has set a key of it.
func removedKeysAfterPatch[T any, P bodyWithSavedQuery[T]](q P, key string, value any) []string {
	if q.SavedUse().Name == "" || key == savedKey {
		return *q.removedKeysOfSavedQuery()
	}
	out := slices.DeleteFunc(slices.Clone(*q.removedKeysOfSavedQuery()), func(k string) bool { return k == key })
	for _, m := range q.bodyMembers() {
		if m.key == key && !m.isGiven() && (key != paramsKey || value == nil) {
			out = append(out, key)
		}
	}
	return out
}
