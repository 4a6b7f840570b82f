package query

import "strings"

// WithDirectionOfKey returns the order whose key holds the direction too, as in "revenue desc" or "-revenue", with the
// direction apart; ok is false for any other key.
func (o OrderBy) WithDirectionOfKey() (out OrderBy, ok bool) {
	if key, isDescending := strings.CutPrefix(o.Key, "-"); isDescending && key != "" {
		o.Key, o.Desc = key, true
		return o, true
	}
	at := strings.LastIndexAny(o.Key, " \t")
	key := strings.TrimSpace(o.Key[:max(at, 0)])
	switch direction := strings.ToLower(o.Key[at+1:]); {
	case key == "":
		return o, false
	case direction == "desc" || direction == "asc":
		o.Key, o.Desc = key, direction == "desc"
		return o, true
	}
	return o, false
}
