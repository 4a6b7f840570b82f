package query

import (
	"maps"
	"reflect"
	"slices"
)

// The keys with special rules in a request that uses a saved query.
const (
	savedKey  = "saved"
	paramsKey = "params"
)

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
	return newSavedQueryUse(q.Saved, q.Removed, q.Params, metricQueryRows, q)
}

// SavedUse returns how the query uses a saved one; see MetricQuery.SavedUse.
func (q *DetailQuery) SavedUse() SavedQueryUse {
	return newSavedQueryUse(q.Saved, q.Removed, q.Params, detailQueryRows, q)
}

// SavedUse returns how the query uses a saved one; see MetricQuery.SavedUse.
func (q *AttributeQuery) SavedUse() SavedQueryUse {
	return newSavedQueryUse(q.Saved, q.Removed, q.Params, attributeQueryRows, q)
}

func newSavedQueryUse[T any](name string, removed []string, params []ParamBinding, rows []keyRow[T], q *T) SavedQueryUse {
	if name == "" {
		return SavedQueryUse{}
	}
	u := SavedQueryUse{Name: name, Params: params, Replaced: slices.Clone(removed)}
	for _, r := range rows {
		if r.name != paramsKey && r.name != savedKey && isGiven(r.at(q)) {
			u.Replaced = append(u.Replaced, r.name)
		}
	}
	return u
}

// MergeOverSaved returns the query that a request over a saved body is: the values of the request,
// and for each key that it does not give the value of the body. Params are given apart.
func (q *MetricQuery) MergeOverSaved(body *MetricQuery, params []ParamBinding) *MetricQuery {
	out := *q
	if len(out.Metrics) == 0 {
		out.InlineMetrics = body.InlineMetrics // with the names, which fillMissingKeys copies
	}
	fillMissingKeys(metricQueryRows, &out, body)
	out.Params, out.Saved, out.Removed = params, "", nil
	return &out
}

// MergeOverSaved returns the query that a request over a saved body is; see MetricQuery.MergeOverSaved.
func (q *DetailQuery) MergeOverSaved(body *DetailQuery, params []ParamBinding) *DetailQuery {
	out := *q
	fillMissingKeys(detailQueryRows, &out, body)
	out.Params, out.Saved, out.Removed = params, "", nil
	return &out
}

// MergeOverSaved returns the query that a request over a saved body is; see MetricQuery.MergeOverSaved.
func (q *AttributeQuery) MergeOverSaved(body *AttributeQuery, params []ParamBinding) *AttributeQuery {
	out := *q
	fillMissingKeys(attributeQueryRows, &out, body)
	out.Params, out.Saved, out.Removed = params, "", nil
	return &out
}

func fillMissingKeys[T any](rows []keyRow[T], request, body *T) {
	for _, r := range rows {
		if at := r.at(request); !isGiven(at) {
			reflect.ValueOf(at).Elem().Set(reflect.ValueOf(r.at(body)).Elem())
		}
	}
}

// ApplyRetryFragment returns the query with top-level keys replaced, as merging a
// suggested_retry fragment does; a nil value removes the key. It reports false
// for a key that the body lacks, and for a value of another type.
func (q MetricQuery) ApplyRetryFragment(fragment map[string]any) (MetricQuery, bool) {
	rest := maps.Clone(fragment)
	if items, ok := rest["metrics"].(MetricItems); ok {
		q.InlineMetrics, rest["metrics"] = items.Inline, items.Names
	} else if _, ok := rest["metrics"]; ok {
		q.InlineMetrics = nil
	}
	return applyFragment(metricQueryRows, q, rest)
}

// ApplyRetryFragment returns the query with top-level keys replaced; see MetricQuery.ApplyRetryFragment.
func (q DetailQuery) ApplyRetryFragment(fragment map[string]any) (DetailQuery, bool) {
	return applyFragment(detailQueryRows, q, fragment)
}

// ApplyRetryFragment returns the query with top-level keys replaced; see MetricQuery.ApplyRetryFragment.
func (q AttributeQuery) ApplyRetryFragment(fragment map[string]any) (AttributeQuery, bool) {
	return applyFragment(attributeQueryRows, q, fragment)
}

// KeyExcludedByDistinct returns the first key of the query that excludes distinct; "" without one.
func (q *MetricQuery) KeyExcludedByDistinct() string {
	for _, r := range metricQueryRows {
		if r.WithoutDistinct && isGiven(r.at(q)) {
			return r.name
		}
	}
	return ""
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

// memberValue returns the value of a key of an object; nil when it has none.
func (n *jsonNode) memberValue(key string) *jsonNode {
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}
