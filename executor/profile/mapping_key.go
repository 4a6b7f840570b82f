package profile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/modelspec/document"
)

// maxKeyMembers bounds the members of a key whose value is a mapping.
const maxKeyMembers = 100

// readMappingKey returns the value of a key that is a mapping; nil without it.
func (r *profileReader) readMappingKey(key string, kind KeyType) *document.Node {
	if !slices.Contains(r.known, key) {
		r.known = append(r.known, key)
	}
	r.keyDescription(key).Type = kind
	n := r.values[key]
	if n == nil || n.IsNull() {
		return nil
	}
	return n
}

// readMembers reads the members of a mapping; one that the function does not take is a problem. Names are the members that there are, nil
// where their names are free.
func (r *profileReader) readMembers(key string, n *document.Node, within string, names []string, take func(name string, value *document.Node) bool) {
	if n.Kind != document.MappingNode {
		r.addProblem(key, strings.TrimSpace(within+" must be a mapping of keys to values"), "")
		return
	}
	list, twice, ok := (&yamlMappingReader{maxKeyMembers}).listMembers(n)
	if !ok || len(twice) > 0 {
		r.addProblem(key, strings.TrimSpace(within+" has a key twice, or too many of them"), "")
		return
	}
	for _, m := range list {
		if take(m.key, m.value) {
			continue
		}
		hint := nearestWordHint(m.key, names)
		if key == sessionKey && names == nil {
			hint = "the name of a setting has a dot, as in app.tenant"
		}
		r.addProblem(key, "has "+redactUnsafeKeyName(m.key)+", which is not one of its keys", hint)
	}
}

// readUncheckedTextOfMember reads a text within the value of a key, with its variables replaced.
func (r *profileReader) readUncheckedTextOfMember(key string, n *document.Node) string {
	whole := r.values[key]
	r.values[key] = n
	text := r.readUncheckedText(key)
	r.values[key] = whole
	return text
}

// readTextOfMember reads a text without control characters within the value of a key.
func (r *profileReader) readTextOfMember(key string, n *document.Node) string {
	text := r.readUncheckedTextOfMember(key, n)
	if strings.ContainsFunc(text, unicode.IsControl) {
		r.addProblem(key, "holds a control character, such as a line break", "")
		return ""
	}
	return text
}
