package metric

import (
	"slices"
)

// distinctKeyNumbers numbers distinct keys in the order in which they are added.
type distinctKeyNumbers[K comparable] struct {
	keys []K
	ids  map[K]int // of many keys; a few are found as fast one by one
}

// newDistinctKeyNumbers returns an index for about so many keys.
func newDistinctKeyNumbers[K comparable](count int) distinctKeyNumbers[K] {
	return distinctKeyNumbers[K]{keys: make([]K, 0, min(count, maxKeysSearchedLinearly))}
}

// maxKeysSearchedLinearly is the number of keys that are compared one by one.
const maxKeysSearchedLinearly = 24

// find returns the number of a key, and whether it has been added.
func (x distinctKeyNumbers[K]) find(key K) (id int, known bool) {
	if x.ids == nil {
		id = slices.Index(x.keys, key)
		return id, id >= 0
	}
	id, known = x.ids[key]
	return id, known
}

// addNewKey adds a key that is not there yet and returns its number.
func (x *distinctKeyNumbers[K]) addNewKey(key K) int {
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

// addIfAbsent adds a key, and reports whether it was not there yet.
func (x *distinctKeyNumbers[K]) addIfAbsent(key K) bool {
	if _, known := x.find(key); known {
		return false
	}
	x.addNewKey(key)
	return true
}
