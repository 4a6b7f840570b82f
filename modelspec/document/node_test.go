package document_test

import (
	"fmt"
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

func TestReadJSON_ReturnsTheTextBeforeAMistake(t *testing.T) {
	for text, want := range map[string]int{ // values, keys included
		`{"a": [1, 2], "b": "x`: 6, // without the string that does not end
		`{"a": [1, 2,, 3]}`:     5,
		`{"a": {"b": 1} "c"}`:   5,
		`[1, tru`:               3,
		`[] []`:                 1,
		`x`:                     0,
		``:                      0,
	} {
		root, err := document.ReadJSON([]byte(text), document.TreeLimits{Nodes: 100, Depth: 100})
		if err == nil {
			t.Errorf("%s: no error", text)
		}
		if got := count(root); got != want {
			t.Errorf("%s: %d values, not %d", text, got, want)
		}
	}
}

func count(n *document.Node) int {
	if n == nil {
		return 0
	}
	total := 1
	for _, child := range n.Content {
		total += count(child)
	}
	return total
}

func TestPathTo_FindsEveryValue(t *testing.T) {
	root := read(t, "a: 1\nb:\n  - x\n  - c: {d: [2, 3], e: []}\nf: {}\n")
	for path, value := range map[string]*document.Node{
		"": root, ".a": root.Member("a"), ".b[0]": root.Member("b").Content[0], ".b[1].c": root.Member("b").Content[1].Member("c"),
		".b[1].c.d[1]": root.Member("b").Content[1].Member("c").Member("d").Content[1], ".b[1].c.e": root.Member("b").Content[1].Member("c").Member("e"),
		".f": root.Member("f"),
	} {
		if got := root.PathTo(value); got != path {
			t.Errorf("%s: %s", path, got)
		}
	}
	if n := root.Member("g"); n != nil {
		t.Error("a key that is not there has a value")
	}
}

func TestFirstBadKey(t *testing.T) {
	many := "{"
	for i := range 50 {
		many += fmt.Sprintf("k%d: 1, ", i)
	}
	for text, want := range map[string][2]int{ // the columns of the key and of the earlier one
		"{a: 1, b: 2}":         {0, 0},
		"{a: 1, b: 2, a: 3}":   {14, 2},
		"{a: 1, [b]: 2, a: 3}": {8, 0},
		many + "k3: 2}":        {len(many) + 1, 23},
		many + "[x]: 2}":       {len(many) + 1, 0},
		many + "k50: 2}":       {0, 0},
	} {
		var got [2]int
		key, earlier := read(t, text).FirstBadKey()
		if key != nil {
			got[0] = int(key.Column)
		}
		if earlier != nil {
			got[1] = int(earlier.Column)
		}
		if got != want {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}
