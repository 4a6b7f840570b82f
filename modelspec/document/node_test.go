package document_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/document"
)

func read(t *testing.T, text string) *document.Node {
	t.Helper()
	documents, err := document.ReadYAML([]byte(text), 1)
	if err != nil {
		t.Fatal(err)
	}
	return documents[0].Root
}

func TestCopy_KeepsWhatParsingNeeds(t *testing.T) {
	root := read(t, "a: [1, 'x']\nb: |\n  text\n")
	if len(root.Content) != 4 || root.Kind != document.MappingNode || root.Tag != "!!map" {
		t.Fatalf("%+v", root)
	}
	list, text := root.Content[1], root.Content[3]
	if list.Kind != document.SequenceNode || len(list.Content) != 2 || list.Content[0].Tag != "!!int" || list.Content[0].Value != "1" {
		t.Errorf("%+v", list)
	}
	if quoted := list.Content[1]; quoted.Style != document.SingleQuotedStyle || quoted.Line != 1 || quoted.Column != 8 {
		t.Errorf("%+v", quoted)
	}
	if text.Style != document.LiteralStyle || text.Value != "text\n" || text.Line != 2 || text.Column != 4 {
		t.Errorf("%+v", text)
	}
}

func TestCopy_AliasPointsAtAnchor(t *testing.T) {
	root := read(t, "a: &x {k: v}\nb: *x\n")
	if alias := root.Content[3]; alias.Kind != document.AliasNode || alias.Alias != root.Content[1] {
		t.Errorf("%+v", alias)
	}
}

func TestCopy_KeepsCircle(t *testing.T) {
	inner := read(t, "a: &x [*x]\n").Content[1]
	if alias := inner.Content[0]; alias.Alias != inner {
		t.Errorf("%+v", alias)
	}
}
