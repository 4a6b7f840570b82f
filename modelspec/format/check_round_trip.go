package format

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/internal/layout"
)

// checkRoundTrip reads a printed text again: it must hold the values and the comments of the
// document, and printing it must give the same text.
func checkRoundTrip(doc *layout.Document, text string) error {
	again, err := readDocument(text)
	if err != nil {
		return newLossyFormatError(err)
	}
	if root := again.Root.Value; root.Kind == layout.MappingNode {
		layout.AssignRoles(root)
	}
	if !hasEqualValues(doc.Root.Value, again.Root.Value) || !slices.Equal(textsOfAllComments(doc), textsOfAllComments(again)) || !slices.Equal(doc.Directives, again.Directives) {
		return newLossyFormatError(nil)
	}
	if root := again.Root.Value; root.Kind == layout.MappingNode {
		expandShortForms(root)
		layout.SortKeys(root)
	}
	if layout.Print(again) != text {
		return newLossyFormatError(nil)
	}
	return nil
}

func newLossyFormatError(cause error) error {
	message := "the text cannot be formatted without a change of its values or comments; it is left as it is"
	if loadErr := (*modelspec.LoadError)(nil); errors.As(cause, &loadErr) {
		message += " (" + loadErr.Message + ")"
	}
	return newParseError(0, 0, "%s", message)
}

// hasEqualValues compares two values without their layout.
func hasEqualValues(a, b *layout.Node) bool {
	if a.Kind != b.Kind || a.Anchor != b.Anchor || a.Tag != b.Tag && a.Kind == layout.ScalarNode || a.TagText != b.TagText || len(a.Entries) != len(b.Entries) {
		return false
	}
	if a.Kind != layout.ScalarNode && a.Kind != layout.AliasNode || a.Tag != "!!null" {
		if a.Value != b.Value {
			return false
		}
	}
	for i, e := range a.Entries {
		other := b.Entries[i]
		if (e.Key == nil) != (other.Key == nil) || e.Key != nil && !hasEqualValues(e.Key, other.Key) || !hasEqualValues(e.Value, other.Value) {
			return false
		}
	}
	return true
}

// textsOfAllComments lists all comments in the order of their text.
func textsOfAllComments(d *layout.Document) []string {
	var out []string
	add := func(c layout.Comment) { out = append(out, strings.TrimSpace(c.Text)) }
	for _, c := range slices.Concat(d.Prelude, d.Head, d.Foot) {
		add(c)
	}
	(&layout.Node{Entries: []*layout.Entry{d.Root}}).WalkComments(add)
	slices.Sort(out)
	return out
}
