package lookml

import (
	"slices"
	"strings"
)

// rowConditionKeys are the keys of explores and joins whose conditions leave out rows of each query.
var rowConditionKeys = []string{"sql_always_where", "sql_always_having", "always_filter", "conditionally_filter", "sql_where"}

// isAccessKey reports whether a key restricts rows or fields to some users.
func isAccessKey(key string) bool { return strings.Contains(key, "access") }

// lossOfRestrictions returns how a construct whose conditions and access rules are dropped differs from that of Looker; "" where
// it has none. Conditions that are kept do not count.
func lossOfRestrictions(b *block, kept ...*block) string {
	var keys []string
	for _, item := range b.items {
		if slices.Contains(kept, item) {
			continue
		}
		if (isAccessKey(item.key) || slices.Contains(rowConditionKeys, item.key)) && !slices.Contains(keys, item.key) {
			keys = append(keys, item.key)
		}
	}
	if len(keys) == 0 {
		return ""
	}
	return "the " + b.key + " " + b.name + " is restricted in Looker by " + strings.Join(keys, ", ") + ", and here it is not"
}
