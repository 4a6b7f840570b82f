package naming

import (
	"slices"
)

// Numbers numbers distinct keys in the order in which they are added.
type Numbers[K comparable] struct {
	keys []K
	ids  map[K]int // of many keys; a few are found as fast one by one
}

// NewNumbers returns an index for about so many keys.
func NewNumbers[K comparable](count int) Numbers[K] {
	return Numbers[K]{keys: make([]K, 0, min(count, maxKeysSearchedLinearly))}
}

// maxKeysSearchedLinearly is the number of keys that are compared one by one.
const maxKeysSearchedLinearly = 24

// Find returns the number of a key, and whether it has been added.
func (x Numbers[K]) Find(key K) (id int, known bool) {
	if x.ids == nil {
		id = slices.Index(x.keys, key)
		return id, id >= 0
	}
	id, known = x.ids[key]
	return id, known
}

// AddNewKey adds a key that is not there yet and returns its number.
func (x *Numbers[K]) AddNewKey(key K) int {
	id := len(x.keys)
	x.keys = append(x.keys, key)
	switch {
	case x.ids != nil:
		x.ids[key] = id
	case len(x.keys) > maxKeysSearchedLinearly:
		x.ids = make(map[K]int, 2*len(x.keys))
		for i, k := range x.keys {
			x.ids[k] = i
		}
	}
	return id
}

// AddIfAbsent adds a key, and reports whether it was not there yet.
func (x *Numbers[K]) AddIfAbsent(key K) bool {
	if _, known := x.Find(key); known {
		return false
	}
	x.AddNewKey(key)
	return true
}
