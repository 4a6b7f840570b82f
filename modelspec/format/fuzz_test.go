package format_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/format"
)

// FuzzFormat: a text that is formatted stays the same when it is formatted again, and a model
// that loads holds the same after it. No text of ordinary YAML is rejected.
func FuzzFormat(f *testing.F) {
	for _, seed := range oddTexts {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, err := format.Format([]byte(text))
		if err != nil {
			// Odd tags and directives may be rejected.
			var n yaml.Node
			if !strings.ContainsAny(text, "!%") && yaml.Unmarshal([]byte(text), &n) == nil && strings.Contains(err.Error(), "cannot be formatted") {
				t.Errorf("%s\n%q", err, text)
			}
			return
		}
		again, err := format.Format(out)
		if err != nil || !bytes.Equal(out, again) {
			t.Errorf("%q becomes\n%s\nand then %v\n%s", text, out, err, again)
		}
		before, err := modelspec.Parse([]byte(text))
		if err != nil {
			return
		}
		issues, err := modelspec.Validate(t.Context(), before)
		if err != nil || slices.ContainsFunc(issues, func(i modelspec.Issue) bool { return i.Severity == modelspec.SeverityError }) {
			return
		}
		after, err := modelspec.Parse(out)
		if err != nil {
			t.Fatalf("%q becomes\n%s\nwhich does not load: %v", text, out, err)
		}
		if diff := cmp.Diff(before, after, withoutPlaces); diff != "" {
			t.Errorf("%q becomes\n%s\nwhich holds something else:\n%s", text, out, diff)
		}
	})
}

// oddTexts are texts with comments, anchors and scalars in places that formatters forget.
var oddTexts = []string{
	"# c\nversion: 1 # d\n",
	"semantic_model:\n- name: a\n  datasets: []\n  # foot\nversion: x\n",
	"a: |\n  text\n  # not a comment\n# comment\nb: >-\n  folded\n\n    more\nc: |+\n  x\n\n\nd: 1\n",
	"a: [ # open\n  b, # in\n  # own\n] # close\n",
	"a: &x {b: c}\nd: *x\ne: {<<: *x, f: g}\n",
	"name: m\nmetrics:\n- expression: &e SUM(a)\n  name: b\n- {name: c, expression: *e}\n",
	"datasets:\n  - name: d\n    fields: [{expression: x, name: y}]\n    custom_extensions:\n    - data: {v: 1.10, a: [1, 'x', null, 2024-01-01, {b: true}]} # c\n      vendor_name: SEMLAYER\n",
	"a: 'it''s' \nb: \"q\\\"\\n\"\nc: yes\nd: 'yes'\ne: '1'\nf: '2024-01-01'\ng: 0x10\nh: '1:30'\ni: ~\nj:\nk: ''\n",
	"a: plain text\n  goes on\n\n  and on # tail\nb: 'quoted\n  text'\nc: \"with \\\n  escape\"\n",
	"- - a\n  - b # c\n  # d\n- ? k\n  : v\n-\n- !!str 5\n- &n\n- !t {a: b}\n",
	"%YAML 1.2\n# before\n--- # marker\na: b\n...\n# after\n",
	"a:\n  # only a comment\nb:\n    # deep\n  # less\n# head of c\nc: x\n   # under\n",
	"é: ü # ö\n日本: [\"\u00e9\", '\\']\n",
	"a: b\r\nc: d\r\n",
	"{\"version\": \"1\", \"name\": \"m\", \"a\": [1, {}, []]}",
	"{a: b, c: [d, {e: f}]}",
	"[a: b, {c}, [d, ]]",
	"a: |2\n    x\n   y\nb: >1\n\n   z\n",
	"version: 0.2.0.dev0\nname: m\ndatasets:\n- {name: d, source: t, fields: [{name: a, expression: {dialects: [{dialect: ANSI_SQL, expression: a}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\"}'}]}]}\nmetrics:\n# c\n- name: n\n  expression:\n    dialects:\n    - dialect: ANSI_SQL\n      expression: >-\n        SUM(d.a)\n        + 1\n",
	"a: b: c", "\t", "a: *b", "\xff", "a: \"", "# only", "---\n---\n",
}
