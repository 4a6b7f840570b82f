package query

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// keySynonyms maps names that other query languages use to the keys that mean the
// same here, where no slip of the keyboard would lead to them.
var keySynonyms = map[string][]string{
	"aggregates": {"metrics"},
	"by":         {"field", "group_by", "key"},
	"columns":    {"fields"},
	"date_range": {"time_range"},
	"daterange":  {"time_range"},
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
	"name":           {"field", "key", "metric"},
	"order":          {"order_by"},
	"query":          {"sql", "q"},
	"question":       {"q"},
	"since":          {"start"},
	"sort":           {"order_by"},
	"statement":      {"sql"},
	"to":             {"end"},
	"until":          {"end"},
	"where":          {"where_sql"},
	"from_dataset":   {"from"},
	"granularity":    {"grain"},
	"args":           {"params"},
	"values":         {"params"},
}

// maxRetryBytes bounds a suggested retry, because it repeats the caller's text.
const maxRetryBytes = 16 << 10

// maxCorrections bounds how many names are looked up for one error.
const maxCorrections = 50

// maxErrorPatches bounds the corrections of a body that its own errors suggest.
const maxErrorPatches = 8

// correctBodyError returns the error of a body that does not decode. It reads the text again, because the corrections
// of unknown keys and of values of another shape need the whole of it, and suggests a patch with all of them, if the
// patched body decodes. reads checks whether a body does.
func correctBodyError(first error, body string, keys []bodyKey, reads func(body string) error) error {
	s := scanner{jsonLexer: jsonLexer{text: body}}
	root, err := s.readTree()
	if err == nil {
		err = s.expectEnd()
	}
	var unknown unknownKeySignal
	isUnknown := errors.As(first, &unknown)
	var refused *planerr.Error
	switch {
	case isUnknown && err != nil:
		return err
	case !isUnknown && (err != nil || !root.isObject() || !errors.As(first, &refused)):
		return first
	}
	var r keyCorrection
	r.correctObject(root, keys, "")
	isCorrected := r.unconvertibleKey == "" && r.applyPatchesOfErrors(root, reads)
	if isUnknown {
		e := &planerr.Error{Code: planerr.CodeUnknownQueryKey, Message: r.message, Candidates: r.candidates}
		if e.SuggestedRetry = r.jsonMergePatchText(); !isCorrected {
			e.SuggestedRetry = r.adviceWithoutPatch()
		}
		return e
	}
	if patch := r.jsonMergePatchText(); isCorrected && strings.HasPrefix(patch, "{") {
		refused.SuggestedRetry = patch
	}
	return refused
}

// applyPatchesOfErrors applies the patches that the errors of the corrected body suggest, until it decodes.
func (r *keyCorrection) applyPatchesOfErrors(root *jsonNode, reads func(body string) error) bool {
	for range maxErrorPatches {
		var text strings.Builder
		root.writeCompact(&text)
		err := reads(text.String())
		if err == nil {
			return true
		}
		var misspelt misspeltWordError
		if errors.As(err, &misspelt) && r.replaceValueAt(root, misspelt.path, &jsonNode{raw: misspelt.meant}) {
			continue
		}
		var refused *planerr.Error
		if !errors.As(err, &refused) || !strings.HasPrefix(refused.SuggestedRetry, "{") {
			return false
		}
		s := scanner{jsonLexer: jsonLexer{text: refused.SuggestedRetry}}
		patch, err := s.readTree()
		if err != nil {
			return false
		}
		for _, m := range patch.members {
			r.replaceValueOfKey(root, m)
		}
	}
	return false
}

// replaceValueAt puts a value into a place of the body, and reports whether the body has the place.
func (r *keyCorrection) replaceValueAt(root *jsonNode, path []jsonPathStep, value *jsonNode) bool {
	at := root
	for i, step := range path {
		inside := at.memberValue(step.key)
		if step.index >= 0 && step.index < len(at.items) {
			inside = at.items[step.index]
		}
		if inside == nil {
			return false
		}
		if at = inside; i == len(path)-1 {
			*at = *value
		}
	}
	r.replaceValueOfKey(root, jsonMember{path[0].key, root.memberValue(path[0].key)})
	return true
}

// replaceValueOfKey puts a value in place of that of a top-level key.
func (r *keyCorrection) replaceValueOfKey(root *jsonNode, m jsonMember) {
	for _, list := range []*[]jsonMember{&root.members, &r.changed} {
		at := slices.IndexFunc(*list, func(old jsonMember) bool { return old.key == m.key })
		if at < 0 {
			*list = append(*list, m)
			continue
		}
		(*list)[at] = m
	}
}

// keyCorrection renames or drops every unknown key of a body, and rewrites values of another shape
// where it is clear what they mean. The error names the first fault; its suggestion corrects them all at once.
type keyCorrection struct {
	message     string
	candidates  []string
	corrections int
	changed     []jsonMember // of the body: new names and new values
	removed     []string     // of the body: names that go
	// unconvertibleKey is a key whose value no known key takes as it is
	// written: without it the query would be another one.
	unconvertibleKey string
	knownKeys        []string // the keys of the object with the first unknown one
}

// correctObject corrects the object and those inside it; place is its path, "" for
// the body. It reports whether anything changed.
func (r *keyCorrection) correctObject(n *jsonNode, keys []bodyKey, place string) bool {
	taken := make(map[string]bool, len(keys))
	for _, m := range n.members {
		taken[m.key] = true
	}
	kept := make([]jsonMember, 0, len(n.members))
	changed := false
	for _, m := range n.members {
		name, value := m.key, m.value
		at := slices.IndexFunc(keys, func(k bodyKey) bool { return k.name == name })
		if at < 0 {
			if at = r.convertDirectionMember(&m, keys, taken); at < 0 {
				at = r.nearestKey(m, keys, taken)
			}
			r.recordFirstUnknownKey(name, at, place, keys)
			if place == "" {
				r.removed = append(r.removed, name)
			}
			if at < 0 {
				changed = true
				continue
			}
			m.key = keys[at].name
			taken[m.key] = true
		}
		if fits := m.value.convertToKeyShape(keys[at]); fits != nil {
			m.value = fits
		}
		kept = append(kept, m)
		inside := r.correctNested(m.value, keys[at], joinKeyPath(place, m.key))
		changedHere := inside || name != m.key || value != m.value
		changed = changed || changedHere
		if place == "" && changedHere {
			r.changed = append(r.changed, m)
		}
	}
	if len(kept) == 0 && len(n.members) > 0 && place != "" {
		r.unconvertibleKey = n.members[0].key
	}
	n.members = kept
	return changed
}

// correctNested corrects the objects inside a known key's value.
func (r *keyCorrection) correctNested(n *jsonNode, k bodyKey, place string) bool {
	changed := false
	switch {
	case (k.kind == bodyKeyValueFixedKeysObject || k.kind == bodyKeyValueObjectOrArray) && n.isObject():
		changed = r.correctObject(n, k.nested, place)
	case (k.kind == bodyKeyValueObjectArray || k.kind == bodyKeyValueTextOrObjectArray || k.kind == bodyKeyValueObjectOrArray) && n.open == '[':
		for i, item := range n.items {
			if column := convertColumnKeyedOrderItem(item, k); column != nil {
				r.recordFirstUnknownKey(item.members[0].key, 0, place+"["+strconv.Itoa(i)+"]", k.nested)
				n.items[i], changed = column, true
				continue
			}
			if plain := convertToPlainReference(item, k); plain != nil {
				if name := item.members[0].key; !slices.ContainsFunc(k.nested, func(nested bodyKey) bool { return nested.name == name }) {
					r.recordFirstUnknownKey(name, -1, place+"["+strconv.Itoa(i)+"]", k.nested)
				}
				n.items[i], changed = plain, true
				continue
			}
			if item.isObject() && r.correctObject(item, keysOfItem(k, item), place+"["+strconv.Itoa(i)+"]") {
				changed = true
			}
		}
	case k.kind == bodyKeyValueObjectMap && n.isObject():
		for _, m := range n.members {
			if m.value.isObject() && r.correctObject(m.value, k.nested, joinKeyPath(place, m.key)) {
				changed = true
			}
		}
	}
	return changed
}

// keysOfItem returns the keys that an item of a list takes.
func keysOfItem(k bodyKey, item *jsonNode) []bodyKey {
	if e := item.memberValue(expressionKey); k.name == groupByKey && e != nil && e.raw != "null" {
		return keysOfReaders(groupExpressionKeyReaders)
	}
	return k.nested
}

// nearestKey returns the index of the key that m was meant to be: one that the
// object does not have yet and that takes such a value; -1 when none is near.
func (r *keyCorrection) nearestKey(m jsonMember, keys []bodyKey, taken map[string]bool) int {
	if r.corrections++; r.corrections > maxCorrections {
		return -1
	}
	others := keySynonyms[strings.ToLower(m.key)]
	var free []string
	for i, k := range keys {
		known := slices.Contains(others, k.name)
		switch {
		case taken[k.name]:
			if known && k.name == "where_sql" {
				r.unconvertibleKey = m.key // a second condition
			}
			continue
		case m.value.convertToKeyShape(k) == nil:
			if known {
				r.unconvertibleKey = m.key
			}
			continue
		}
		if known {
			return i
		}
		free = append(free, k.name)
	}
	closest, ok := suggest.ClosestIfNear(m.key, free)
	if !ok {
		return -1
	}
	return slices.IndexFunc(keys, func(k bodyKey) bool { return k.name == closest })
}

// recordFirstUnknownKey keeps the message and the candidates of the first unknown key.
func (r *keyCorrection) recordFirstUnknownKey(unknown string, better int, place string, keys []bodyKey) {
	if r.message != "" {
		return
	}
	where := "the query"
	if place != "" {
		where = planerr.ClipText(place)
	}
	r.message = where + " has no key " + strconv.Quote(planerr.ClipText(unknown))
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	r.knownKeys = names
	r.candidates = suggest.Nearest(unknown, names, suggest.MaxCandidates)
	if better < 0 {
		return
	}
	name := keys[better].name
	r.message += "; did you mean " + strconv.Quote(name) + "?"
	others := slices.DeleteFunc(r.candidates, func(c string) bool { return c == name })
	r.candidates = slices.Insert(others[:min(len(others), suggest.MaxCandidates-1)], 0, name)
}

// jsonMergePatchText prints the correction as a patch: top-level keys with their new
// values, null for those that go.
func (r *keyCorrection) jsonMergePatchText() string {
	var b strings.Builder
	sep := byte('{')
	put := func(name string, value *jsonNode) {
		b.WriteByte(sep)
		sep = ','
		writeJSONString(&b, name)
		b.WriteByte(':')
		value.writeCompact(&b)
	}
	for _, m := range r.changed {
		put(m.key, m.value)
	}
	for _, name := range r.removed {
		put(name, &jsonNode{raw: "null"})
	}
	b.WriteByte('}')
	if b.Len() > maxRetryBytes {
		return "rename or remove: " + planerr.ClipText(strings.Join(r.removed, ", "))
	}
	return b.String()
}

// adviceWithoutPatch say what to do where no patch can.
func (r *keyCorrection) adviceWithoutPatch() string {
	if r.unconvertibleKey != "" {
		return "write " + strconv.Quote(planerr.ClipText(r.unconvertibleKey)) + " in terms of " + strings.Join(r.knownKeys, ", ")
	}
	return "use " + strings.Join(r.knownKeys, ", ")
}

func joinKeyPath(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}
