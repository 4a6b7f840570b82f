package plainyaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/plainyaml"
)

// flat returns a tree as one line per node, without what Parse does not keep.
func flat(n *document.Node) []string {
	const scalars = document.SingleQuotedStyle | document.DoubleQuotedStyle | document.LiteralStyle | document.FoldedStyle
	out := []string{fmt.Sprintf("%d:%d kind %d %s %q style %d", n.Line, n.Column, n.Kind, n.Tag, n.Value, n.Style&scalars)}
	for _, c := range n.Content {
		for _, line := range flat(c) {
			out = append(out, "  "+line)
		}
	}
	return out
}

// reference returns what yaml.v3 makes of a text that holds one document; ok is
// false when it makes nothing of it.
func reference(text []byte) (root *document.Node, ok bool) {
	documents, err := document.ReadYAML(text, 2)
	if err != nil || len(documents) != 1 {
		return nil, false
	}
	return documents[0].Root, true
}

const model = `# a model
version: 0.2.0.dev0

semantic_model:
  - name: shop   # the name
    description: "it's \"quoted\" \\ here"
    note: 'it''s'
    ai_context:
      instructions: |
        first

          indented
        last
      synonyms: [a b, "c, d", 'e', 1, 2.5, true, null, 2024-01-01, [], {}]
    datasets:
    - name: orders
      source: main.orders
      primary_key: [order_id]
      fields:
      - {name: x, expression: {dialects: [{dialect: ANSI_SQL, expression: 'CASE WHEN a = 1 THEN b END'}]}}
      -
        name: y
        expression:
          dialects:
            - dialect: ANSI_SQL
              expression: SUM(a) / COUNT(DISTINCT b)
            # trailing
            - dialect: DUCKDB
              expression: |-
                a
                + b

    üname: nope
`

func TestParse_MatchesLibrary(t *testing.T) {
	for what, text := range map[string]string{
		"a model":            strings.Replace(model, "    üname: nope\n", "", 1),
		"a document marker":  "---\na: b\n",
		"no final line feed": "a: b",
		"types":              "a: 1\nb: 0x1f\nc: 1e3\nd: .5\ne: yes\nf: True\ng: -3\nh: 1_000\ni: 12:30\nj: 2024-01-01T00:00:00Z\nk: (x)\nl: ünï\nm: .inf\nn: 0o17\n",
		"blank lines":        "a:\n\n  b: c\n\n\n  d: e\n\nf: g\n\n",
		"a list at the root": "- a\n- b: c\n  d: e\n-   f: g\n    h: i\n",
		"literals":           "a: |\n  x\n\n  y\n\nb: |-\n    z\n    # no comment\nc: d\n",
	} {
		t.Run(what, func(t *testing.T) {
			got, ok := plainyaml.Parse(&document.TreeBuilder{}, []byte(text))
			if !ok {
				t.Fatal("not read")
			}
			want, ok := reference([]byte(text))
			if !ok {
				t.Fatal("the library does not read it")
			}
			if d := cmp.Diff(flat(want), flat(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParse_LeavesOtherYAMLToLibrary(t *testing.T) {
	for _, text := range []string{
		"", "# nothing\n", "scalar\n", "a:\n", "a:\nb: c\n", "a: &x b\n", "a: *x\n", "a: !!str b\n", "a: >\n  b\n",
		"a: b\n  c\n", "a: b: c\n", "a: 'b\n  c'\n", "a: [b,\n  c]\n", "a: \"\\u0041\"\n", "a:\tb\n", "a: b\r\n", "? a\n: b\n",
		"a: b\n---\nc: d\n", "a: b\n...\n", "%YAML 1.2\n---\na: b\n", "- - a\n", "-\n", "a: |2\n  b\n", "a: |+\n  b\n", "a: [b, ]\n",
		"a: {b}\n", "a: {b:c}\n", "'a': b\n", "a: @b\n", "a: - b\n", "a: b\n c: d\n", "  a: b\n c: d\n", "  ---\na: b\n", "a: |\n\n  b\n", "a: |\n  b",
		"a: 'b' c\n", "a: [b] c\n", "<<: {a: b}\n", model,
	} {
		if n, ok := plainyaml.Parse(&document.TreeBuilder{}, []byte(text)); ok {
			t.Errorf("%q was read as %v", text, flat(n))
		}
	}
}

// FuzzParse_MatchesLibrary: what Parse reads, yaml.v3 reads, and in the same way.
func FuzzParse_MatchesLibrary(f *testing.F) {
	f.Add([]byte(model))
	f.Add([]byte(strings.Replace(model, "    üname: nope\n", "", 1)))
	for _, seed := range []string{
		"a: 1\nb:\n- c\n- d: 'e'\n", "a: {b: [c, \"d\"]} # e\n", "a: |\n  b\n   c\nd: e\n", "- a: b\n  c:\n    - d\n-\n  e: f\n", "a: -1\nb: .5\nc: (d)\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := plainyaml.Parse(&document.TreeBuilder{}, text)
		if !ok {
			return
		}
		want, ok := reference(text)
		if !ok {
			t.Fatalf("read what the library refuses: %q", text)
		}
		if d := cmp.Diff(flat(want), flat(got)); d != "" {
			t.Errorf("%q\n%s", text, d)
		}
	})
}
