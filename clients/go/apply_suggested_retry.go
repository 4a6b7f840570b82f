package client

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// ApplySuggestedRetry returns the query that SuggestedRetry requests: each key of the JSON
// fragment replaces that of the query as a whole, and null removes it, from the saved
// query too. q is left
// as it is. It reports false, and returns q, if the suggestion is in words or is
// not a fragment of a metric query.
func (e *Error) ApplySuggestedRetry(q MetricQuery) (MetricQuery, bool) {
	return mergeQueryFragment(e.SuggestedRetry, q)
}

// ApplySuggestedRetryToDetail is ApplySuggestedRetry for detail queries.
func (e *Error) ApplySuggestedRetryToDetail(q DetailQuery) (DetailQuery, bool) {
	return mergeQueryFragment(e.SuggestedRetry, q)
}

// ApplySuggestedRetryToAttribute is ApplySuggestedRetry for attributions.
func (e *Error) ApplySuggestedRetryToAttribute(q AttributeQuery) (AttributeQuery, bool) {
	return mergeQueryFragment(e.SuggestedRetry, q)
}

func mergeQueryFragment[Q any](fragment string, q Q) (Q, bool) {
	patched := q
	found := false
	err := visitObjectMembers([]byte(fragment), func(key string, value json.RawMessage) error {
		found = true
		return setQueryField(reflect.ValueOf(&patched).Elem(), key, value)
	})
	if err != nil || !found {
		return q, false
	}
	return patched, true
}

// updateRemovedKeyOfSavedQuery keeps Removed of a query that uses a saved one in step with a key of a fragment.
func updateRemovedKeyOfSavedQuery(query reflect.Value, key string, removed bool) {
	field := query.FieldByName("Removed")
	if key == "saved" || query.FieldByName("Saved").IsZero() {
		return
	}
	var out []string
	for i := range field.Len() {
		if name := field.Index(i).String(); name != key {
			out = append(out, name)
		}
	}
	if removed {
		out = append(out, key)
	}
	field.Set(reflect.ValueOf(out))
}

// setQueryField sets the field of the query that key names. The field is emptied
// first, so that nothing is written into memory that the old query shares.
func setQueryField(query reflect.Value, key string, value json.RawMessage) error {
	for i := range query.NumField() {
		name, _, _ := strings.Cut(query.Type().Field(i).Tag.Get("json"), ",")
		if name != key {
			continue
		}
		query.Field(i).SetZero()
		updateRemovedKeyOfSavedQuery(query, key, string(value) == "null")
		if q, ok := query.Addr().Interface().(*MetricQuery); ok && key == "metrics" {
			names, inline, err := decodeMetricsArray(value)
			q.Metrics, q.InlineMetrics = names, inline
			return err
		}
		return unmarshalStrict(value, query.Field(i).Addr().Interface())
	}
	if string(value) == "null" {
		return nil // the query cannot have had it
	}
	return errors.New("the query has no key " + key)
}
