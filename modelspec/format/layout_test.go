package format_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/format"
)

func TestFormat_WritesTheOneLayout(t *testing.T) {
	long := strings.Repeat("abcdefgh + ", 14)
	for _, c := range []struct{ what, text, want string }{
		{"keys in the order of the format, unknown keys last in their order",
			"zz: 1\nname: m\naa: 2\nversion: v\nmetrics: []\ndatasets: []\n",
			"version: v\nname: m\ndatasets: []\nmetrics: []\nzz: 1\naa: 2\n"},
		{"keys of every object",
			"semantic_model:\n- relationships:\n  - {to_columns: [a], to: x, cardinality: c, from_columns: [b], from: y, name: r}\n  datasets:\n  - fields:\n    - {datatype: T, dimension: {is_time: true}, expression: {dialects: []}, name: f}\n    source: s\n    unique_keys: []\n    primary_key: [a]\n    name: d\n  name: m\nversion: v\n",
			"version: v\nsemantic_model:\n  - name: m\n    datasets:\n      - name: d\n        source: s\n        primary_key: [a]\n        unique_keys: []\n        fields:\n          - {name: f, expression: {dialects: []}, dimension: {is_time: true}, datatype: T}\n    relationships:\n      - {name: r, from: y, to: x, from_columns: [b], to_columns: [a], cardinality: c}\n"},
		{"an empty line between datasets and between metrics, and only there",
			"name: m\ndatasets:\n\n\n- name: a\n\n\n  source: t\n- {name: b, source: t}\nmetrics:\n- name: x\n\n\n\n- name: y\n",
			"name: m\ndatasets:\n  - name: a\n\n    source: t\n\n  - name: b\n    source: t\nmetrics:\n  - name: x\n\n  - name: y\n"},
		{"an expression on one line while it fits",
			"metrics:\n- name: a\n  expression:\n    dialects:\n    - expression: SUM(x)\n      dialect: ANSI_SQL\n- name: b\n  expression: {dialects: [{dialect: A, expression: x}, {dialect: B, expression: y}]}\n- name: c\n  expression: " + long + "x\n",
			"metrics:\n  - name: a\n    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(x)}]}\n\n  - name: b\n    expression:\n      dialects:\n        - {dialect: A, expression: x}\n        - {dialect: B, expression: y}\n\n  - name: c\n    expression:\n      dialects:\n        - dialect: ANSI_SQL\n          expression: " + long + "x\n"},
		{"a number as an expression is SQL",
			"metrics: [{name: a, expression: 1}, {name: b, expression: true}, {name: c, expression: null}, {name: d, expression: 2024-01-01}]\n",
			"metrics:\n  - name: a\n    expression: {dialects: [{dialect: ANSI_SQL, expression: \"1\"}]}\n\n  - name: b\n    expression: {dialects: [{dialect: ANSI_SQL, expression: \"true\"}]}\n\n  - name: c\n    expression: null\n\n  - name: d\n    expression: {dialects: [{dialect: ANSI_SQL, expression: \"2024-01-01\"}]}\n"},
		{"a block text as an expression keeps its lines",
			"metrics:\n- name: a\n  expression: |\n    SUM(x)\n    + SUM(y)\n",
			"metrics:\n  - name: a\n    expression:\n      dialects:\n        - dialect: ANSI_SQL\n          expression: |\n            SUM(x)\n            + SUM(y)\n"},
		{"an expression outside of fields and metrics is not a short form", "expression: x\nname: m\ndatasets: []\n", "name: m\ndatasets: []\nexpression: x\n"},
		{"an object as data, in the order written",
			"name: m\ndatasets: []\ncustom_extensions:\n- vendor_name: SEMLAYER\n  data: # why\n    v: 1.10\n    z: [1, 0x10, 1.50, ~, yes, 'it''s']\n    a: {d: 2024-01-31, t: true} # tail\n",
			"name: m\ndatasets: []\ncustom_extensions:\n  - vendor_name: SEMLAYER\n    # tail\n    data: '{\"v\": \"1.10\", \"z\": [1, 16, 1.50, null, \"yes\", \"it''s\"], \"a\": {\"d\": \"2024-01-31\", \"t\": true}}'  # why\n"},
		{"numbers in data that JSON writes otherwise",
			"name: m\ndatasets: []\ncustom_extensions:\n  - {vendor_name: S, data: {a: [.5, -.5, +1.5, 5., 1_000.5, 1e3, -0.0]}}\n",
			"name: m\ndatasets: []\ncustom_extensions:\n  - {vendor_name: S, data: '{\"a\": [0.5, -0.5, 1.5, 5, 1000.5, 1e3, -0.0]}'}\n"},
		{"data that is no JSON stays",
			"name: m\ndatasets: []\ncustom_extensions:\n  - {vendor_name: S, data: {a: .inf}}\n  - {vendor_name: S, data: {a: !x y}}\n",
			"name: m\ndatasets: []\ncustom_extensions:\n  - {vendor_name: S, data: {a: .inf}}\n  - {vendor_name: S, data: {a: !x y}}\n"},
		{"quotes where YAML needs them",
			"name: 'm'\ndescription: \"a: b\"\nai_context: {a: 'yes', b: '1', c: \"it's\", d: 'x, y', e: \"q\\\"\\\\\", f: \"tab\\t\", g: '', h: '~', i: '2024-01-01', j: 'NULL', k: ' x', l: '- x', m: '#x', n: 'a #b', o: \"\\u00e9\", p: '0o7', q: '1_000', r: '12:30:45', s: '*x', t: '=', u: '.5', v: '<<', w: '\"q\"'}\n",
			"name: m\ndescription: \"a: b\"\nai_context:\n  a: \"yes\"\n  b: \"1\"\n  c: it's\n  d: x, y\n  e: q\"\\\n  f: \"tab\\t\"\n  g: \"\"\n  h: \"~\"\n  i: \"2024-01-01\"\n  j: \"NULL\"\n  k: \" x\"\n  l: \"- x\"\n  m: \"#x\"\n  n: \"a #b\"\n  o: é\n  p: \"0o7\"\n  q: \"1_000\"\n  r: \"12:30:45\"\n  s: \"*x\"\n  t: \"=\"\n  u: \".5\"\n  v: \"<<\"\n  w: '\"q\"'\n"},
		{"the schema line and the comments before the first key stay first",
			"# yaml-language-server: $schema=x.json\n# about the model\n\nname: m\nversion: v\n",
			"# yaml-language-server: $schema=x.json\n# about the model\n\nversion: v\nname: m\n"},
		{"comments move with their key",
			"# top\ndatasets:\n- source: t # of source\n  # before name\n  name: a # of name\n  # foot of a\n# before metrics\nmetrics: []\n# end\n",
			"# top\ndatasets:\n  # before name\n  - name: a  # of name\n    source: t  # of source\n    # foot of a\n# before metrics\nmetrics: []\n# end\n"},
		{"comments between items, below a null, inside brackets",
			"name: m\nmetrics:\n  # - name: x\ndatasets: [ # open\n  # first\n  {name: a, source: t}, # of a\n  # last\n]\nrelationships: [\n  # none\n]\n",
			"name: m\ndatasets:  # open\n  # first\n  # of a\n  - name: a\n    source: t\n  # last\n# none\nrelationships: []\nmetrics:\n  # - name: x\n"},
		{"an alias stays behind its anchor",
			"datasets:\n- source: &s t\n  name: *s\n- {source: b, name: a}\n",
			"datasets:\n  - source: &s t\n    name: *s\n\n  - name: a\n    source: b\n"},
		{"merge keys come first",
			"datasets:\n- &a {name: a, source: t}\n- source: u\n  <<: *a\n",
			"datasets:\n  - &a\n    name: a\n    source: t\n\n  - <<: *a\n    source: u\n"},
		{"a short form by an alias", "metrics:\n- {name: a, expression: &e SUM(x)}\n- {name: b, expression: *e}\n",
			"metrics:\n  - name: a\n    expression: {dialects: [{dialect: ANSI_SQL, expression: &e SUM(x)}]}\n\n  - name: b\n    expression: {dialects: [{dialect: ANSI_SQL, expression: *e}]}\n"},
		{"line ends of Windows and a byte order mark", "\xEF\xBB\xBFversion: v\r\nname:   m\r\n", "version: v\r\nname: m\r\n"},
		{"no line end", "name: m\nmetrics: []", "name: m\nmetrics: []\n"},
		{"a key given twice stays twice", "name: b\nversion: v\nname: a\nmetrics: []\n", "version: v\nname: b\nname: a\nmetrics: []\n"},
		{"a file of another kind keeps the order of its keys", "tests:\n- name: a\n  expect:   {rows: [{b: 1}]}\n", "tests:\n  - name: a\n    expect: {rows: [{b: 1}]}\n"},
		{"JSON stays JSON", `{"name":"m","version":"v","metrics":[{"expression":"SUM(x)","name":"a\u00e9","n":1.50,"custom_extensions":[{"data":{"v":1.9},"vendor_name":"S"}]}],"datasets":[]}`,
			"{\n  \"version\": \"v\",\n  \"name\": \"m\",\n  \"datasets\": [],\n  \"metrics\": [\n    {\n      \"name\": \"a\\u00e9\",\n      \"expression\": {\n        \"dialects\": [\n          {\n            \"dialect\": \"ANSI_SQL\",\n            \"expression\": \"SUM(x)\"\n          }\n        ]\n      },\n      \"custom_extensions\": [\n        {\n          \"vendor_name\": \"S\",\n          \"data\": \"{\\\"v\\\": \\\"1.9\\\"}\"\n        }\n      ],\n      \"n\": 1.50\n    }\n  ]\n}\n"},
	} {
		t.Run(c.what, func(t *testing.T) {
			out, err := format.Format([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(out)); diff != "" {
				t.Error(diff)
			}
			if again, err := format.Format(out); err != nil || string(again) != string(out) {
				t.Errorf("formatted twice: %v\n%s", err, again)
			}
		})
	}
}

func TestFormat_RejectsTextsThatItCannotKeep(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"no YAML", "a: [", "the text is not YAML"},
		{"a tab", "a:\n\tb: 1\n", "a tab is used for indentation"},
		{"two documents", "a: 1\n---\nb: 2\n", "a second YAML document begins here"},
		{"only comments", "# a\n", "the text holds only comments"},
		{"empty", " \n", "the text is empty"},
		{"not UTF-8", "a: \xff", "is not valid UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "is not valid UTF-8|UTF-16|NUL"},
		{"a line separator", "a: b\u2028c\n", "YAML reads the character U+2028 as the end of a line"},
		{"a key that is an object", "? {a: b}\n: c\n", "a key must be text"},
		{"too deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), "nested deeper than 64 levels"},
		{"too long", "a: " + strings.Repeat("x", 11<<20), "more than the limit"},
		{"too long when it is indented", "a: " + strings.Repeat("[", 60) + strings.Repeat("b, ", 100_000) + strings.Repeat("]", 60), "the formatted text would have"},
		{"JSON that is broken", `{"a": 1,`, "the text is not JSON"},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, err := format.Format([]byte(c.text))
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range strings.Split(c.want, "|") {
				if strings.Contains(err.Error(), want) {
					return
				}
			}
			t.Errorf("%v does not have %q", err, c.want)
		})
	}
}
