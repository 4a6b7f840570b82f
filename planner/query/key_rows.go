package query

import (
	"reflect"
	"slices"
)

// keyRow is one key of the body of a query. Decoding, writing, merging, retries, cache keys and the
// descriptions of every interface are loops over the rows of a body.
type keyRow[T any] struct {
	keyReader[T]
	at func(*T) any // a pointer to the field of the value; nil where a saved query has no such key
	KeyNotes
	bounds KeyBounds
}

// KeyNotes describe a key to the readers of the interfaces.
type KeyNotes struct {
	// Doc is the description in the OpenAPI document.
	Doc string
	// Hint is the description in the list of MCP's tools, for which every byte counts; "" where the name suffices.
	Hint string
	// Rank is the place in the list of MCP's tools; 0 for a key that it leaves out.
	Rank int
	// Expanded makes the list of MCP's tools describe the keys of the value.
	Expanded bool
	// Flag is the flag of the command line that gives the text of the key, or true; "" where the command reads the flag itself.
	Flag, FlagDoc string
	// WithoutDistinct marks a key that excludes distinct.
	WithoutDistinct bool
}

// KeyBounds are the values that a key accepts. A number that is 0 is not a bound, but for Least.
type KeyBounds struct {
	MinItems, MaxItems, MinLength, MaxLength int64
	Least, Most                              int64 // of an integer; Most is 0 where it has no bound
	Values                                   []string
	Null                                     bool // the OpenAPI document lists null
	Required                                 bool // no body is without the key
}

// newRow returns the row of a key whose value has a shape and stands in a field.
func newRow[T, V any](name string, shape valueShape[V], at func(*T) *V, notes KeyNotes) keyRow[T] {
	return keyRow[T]{
		keyReader[T]{bodyKey{name, shape.kind, shape.nested}, func(s *scanner, q *T) error { return shape.read(s, at(q)) }},
		func(q *T) any { return at(q) }, notes, shape.bounds,
	}
}

func readersOfRows[T any](rows []keyRow[T]) []keyReader[T] {
	out := make([]keyReader[T], len(rows))
	for i, r := range rows {
		out[i] = r.keyReader
	}
	return out
}

// isGiven reports whether the field that at points to holds a value.
func isGiven(at any) bool {
	v := reflect.ValueOf(at).Elem()
	if v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// setFromFragment sets the field that at points to as a retry does: to nothing for nil, to a value of its type, of
// the type that it points to, or to a list of the same items.
func setFromFragment(at, value any) bool {
	field := reflect.ValueOf(at).Elem()
	if value == nil {
		field.SetZero()
		return true
	}
	v := reflect.ValueOf(value)
	switch {
	case v.Type() == field.Type():
		field.Set(v)
	case field.Kind() == reflect.Pointer && v.Type() == field.Type().Elem():
		field.Set(reflect.New(v.Type()))
		field.Elem().Set(v)
	case field.Kind() == reflect.Slice && v.Type().ConvertibleTo(field.Type()) && v.Kind() == reflect.Slice:
		field.Set(v.Convert(field.Type()))
	default:
		return false
	}
	return true
}

// bodyWithSavedQuery is a body that may use a saved query.
type bodyWithSavedQuery[T any] interface {
	*T
	removedKeysOfSavedQuery() *[]string
	SavedUse() SavedQueryUse
}

// applyFragment sets the fields of the keys of a retry, and reports whether each of them is a key with such a value.
func applyFragment[T any, P bodyWithSavedQuery[T]](rows []keyRow[T], q T, fragment map[string]any) (T, bool) {
	for key, value := range fragment {
		i := slices.IndexFunc(rows, func(r keyRow[T]) bool { return r.name == key })
		if i < 0 || !setFromFragment(rows[i].at(&q), value) {
			return q, false
		}
		if P(&q).SavedUse().Name == "" || key == savedKey {
			continue
		}
		removed := slices.DeleteFunc(slices.Clone(*P(&q).removedKeysOfSavedQuery()), func(k string) bool { return k == key })
		if !isGiven(rows[i].at(&q)) && (key != paramsKey || value == nil) {
			removed = append(removed, key)
		}
		*P(&q).removedKeysOfSavedQuery() = removed
	}
	return q, true
}
