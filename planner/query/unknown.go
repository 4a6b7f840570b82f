package query

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// synonyms maps names that other query languages use to the keys that mean the
// same here, where no slip of the keyboard would lead to them.
var synonyms = map[string][]string{
	"aggregates": {"metrics"},
	"by":         {"field", "group_by", "key"},
	"column":     {"field", "key"},
	// A detail query has no population apart from its rows.
	"context_filter": {"where_sql"},
	"dimension":      {"field"},
	"dimensions":     {"group_by"},
	"field":          {"key"},
	"filter":         {"where_sql"},
	"filters":        {"where_sql"},
	"from":           {"start"},
	"having":         {"where_sql"},
	"measures":       {"metrics"},
	"metric":         {"metrics"},
	"name":           {"field", "key"},
	"order":          {"order_by"},
	"since":          {"start"},
	"sort":           {"order_by"},
	"to":             {"end"},
	"until":          {"end"},
	"where":          {"where_sql"},
	"from_dataset":   {"from"},
	"granularity":    {"grain"},
}

// maxRetryBytes bounds a suggested retry, because it repeats the caller's text.
const maxRetryBytes = 16 << 10

// maxCorrections bounds how many names are looked up for one error.
const maxCorrections = 50

// unknownKeyError reads the text of a body with an unknown key again and returns an error
// that lists the known keys and the body with the right ones. reads checks whether a
// body decodes.
func unknownKeyError(body string, keys []key, reads func(body string) error) error {
	s := scanner{tokens: tokens{text: body}}
	root, err := s.tree()
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return err
	}
	var r keyCorrection
	r.object(root, keys, "")
	e := &planerr.Error{Code: planerr.CodeUnknownQueryKey, Message: r.message, Candidates: r.candidates}
	var repaired strings.Builder
	root.print(&repaired)
	if e.SuggestedRetry = r.patchText(); r.lost != "" || reads(repaired.String()) != nil {
		e.SuggestedRetry = r.adviceText()
	}
	return e
}

// keyCorrection renames or drops every unknown key of a body. The error names the
// first one; its suggestion corrects them all at once.
type keyCorrection struct {
	message     string
	candidates  []string
	corrections int
	changed     []member // of the body: new names and new values
	removed     []string // of the body: names that go
	// lost is a key whose value no known key takes as it is
	// written: without it the query would be another one.
	lost string
	here []string // the keys of the object with the first unknown one
}

// object corrects the object and those inside it; place is its path, "" for
// the body. It reports whether anything changed.
func (r *keyCorrection) object(n *node, keys []key, place string) bool {
	taken := make(map[string]bool, len(keys))
	for _, m := range n.members {
		taken[m.key] = true
	}
	kept := make([]member, 0, len(n.members))
	changed := false
	for _, m := range n.members {
		name := m.key
		at := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
		if at < 0 {
			changed = true
			at = r.nearestKey(m, keys, taken)
			r.addCorrection(name, at, place, keys)
			if place == "" {
				r.removed = append(r.removed, name)
			}
			if at < 0 {
				continue
			}
			m.key, m.value = keys[at].name, m.value.convert(keys[at])
			taken[m.key] = true
		}
		kept = append(kept, m)
		inside := r.correctNested(m.value, keys[at], joinPlace(place, m.key))
		changed = changed || inside
		if place == "" && (inside || name != m.key) {
			r.changed = append(r.changed, m)
		}
	}
	if len(kept) == 0 && len(n.members) > 0 && place != "" {
		r.lost = n.members[0].key
	}
	n.members = kept
	return changed
}

// correctNested corrects the objects inside a known key's value.
func (r *keyCorrection) correctNested(n *node, k key, place string) bool {
	changed := false
	switch {
	case k.kind == objectKind && n.isObject():
		changed = r.object(n, k.nested, place)
	case k.kind == objectsKind && n.open == '[':
		for i, item := range n.items {
			if item.isObject() && r.object(item, k.nested, place+"["+strconv.Itoa(i)+"]") {
				changed = true
			}
		}
	case k.kind == objectsMapKind && n.isObject():
		for _, m := range n.members {
			if m.value.isObject() && r.object(m.value, k.nested, joinPlace(place, m.key)) {
				changed = true
			}
		}
	}
	return changed
}

// nearestKey is the index of the key that m was meant to be: one that the
// object does not have yet and that takes such a value; -1 when none is near.
func (r *keyCorrection) nearestKey(m member, keys []key, taken map[string]bool) int {
	if r.corrections++; r.corrections > maxCorrections {
		return -1
	}
	others := synonyms[strings.ToLower(m.key)]
	var free []string
	for i, k := range keys {
		known := slices.Contains(others, k.name)
		switch {
		case taken[k.name]:
			if known && k.name == "where_sql" {
				r.lost = m.key // a second condition
			}
			continue
		case m.value.convert(k) == nil:
			if known {
				r.lost = m.key
			}
			continue
		}
		if known {
			return i
		}
		free = append(free, k.name)
	}
	closest, ok := suggest.Closest(m.key, free)
	if !ok {
		return -1
	}
	return slices.IndexFunc(keys, func(k key) bool { return k.name == closest })
}

// addCorrection keeps the message and the candidates of the first unknown key.
func (r *keyCorrection) addCorrection(unknown string, better int, place string, keys []key) {
	if r.message != "" {
		return
	}
	where := "the query"
	if place != "" {
		where = planerr.Clip(place)
	}
	r.message = where + " has no key " + strconv.Quote(planerr.Clip(unknown))
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	r.here = names
	r.candidates = suggest.Nearest(unknown, names, suggest.Limit)
	if better < 0 {
		return
	}
	name := keys[better].name
	r.message += "; did you mean " + strconv.Quote(name) + "?"
	i := slices.Index(r.candidates, name)
	r.candidates = slices.Insert(slices.Delete(r.candidates, i, i+1), 0, name)
}

// patchText prints the correction as a patch: top-level keys with their new
// values, null for those that go.
func (r *keyCorrection) patchText() string {
	var b strings.Builder
	sep := byte('{')
	put := func(name string, value *node) {
		b.WriteByte(sep)
		sep = ','
		quote(&b, name)
		b.WriteByte(':')
		value.print(&b)
	}
	for _, m := range r.changed {
		put(m.key, m.value)
	}
	for _, name := range r.removed {
		put(name, &node{raw: "null"})
	}
	b.WriteByte('}')
	if b.Len() > maxRetryBytes {
		return "rename or remove: " + planerr.Clip(strings.Join(r.removed, ", "))
	}
	return b.String()
}

// adviceText say what to do where no patch can.
func (r *keyCorrection) adviceText() string {
	if r.lost != "" {
		return "write " + strconv.Quote(planerr.Clip(r.lost)) + " in terms of " + strings.Join(r.here, ", ")
	}
	return "use " + strings.Join(r.here, ", ")
}

func joinPlace(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}
