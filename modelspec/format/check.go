package format

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// check reads a printed text again: it must hold the values and the comments of the
// document, and printing it must give the same text.
func check(doc *document, text string) error {
	again, err := read(text)
	if err != nil {
		return cannotKeep(err)
	}
	if root := again.root.value; root.kind == mappingNode {
		assignRoles(root)
	}
	if !equal(doc.root.value, again.root.value) || !slices.Equal(doc.commentTexts(), again.commentTexts()) || !slices.Equal(doc.directives, again.directives) {
		return cannotKeep(nil)
	}
	if root := again.root.value; root.kind == mappingNode {
		expand(root)
		arrange(root)
	}
	if printDocument(again) != text {
		return cannotKeep(nil)
	}
	return nil
}

func cannotKeep(cause error) error {
	message := "the text cannot be formatted without a change of its values or comments; it is left as it is"
	if loadErr := (*modelspec.LoadError)(nil); errors.As(cause, &loadErr) {
		message += " (" + loadErr.Message + ")"
	}
	return failure(0, 0, "%s", message)
}

// equal compares two values without their layout.
func equal(a, b *node) bool {
	if a.kind != b.kind || a.anchor != b.anchor || a.tag != b.tag && a.kind == scalarNode || a.tagText != b.tagText || len(a.entries) != len(b.entries) {
		return false
	}
	if a.kind != scalarNode && a.kind != aliasNode || a.tag != "!!null" {
		if a.value != b.value {
			return false
		}
	}
	for i, e := range a.entries {
		other := b.entries[i]
		if (e.key == nil) != (other.key == nil) || e.key != nil && !equal(e.key, other.key) || !equal(e.value, other.value) {
			return false
		}
	}
	return true
}

// commentTexts lists all comments in the order of their text.
func (d *document) commentTexts() []string {
	var out []string
	add := func(c comment) { out = append(out, strings.TrimSpace(c.text)) }
	for _, c := range slices.Concat(d.prelude, d.head, d.foot) {
		add(c)
	}
	(&node{entries: []*entry{d.root}}).comments(add)
	slices.Sort(out)
	return out
}
