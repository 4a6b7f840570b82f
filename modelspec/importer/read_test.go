package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// shape returns a node as text: kinds, texts and lines.
func shape(n *importer.Node) string {
	switch n.Kind {
	case importer.KindNull:
		return fmt.Sprintf("null:%d", n.Line)
	case importer.KindScalar:
		return fmt.Sprintf("%q:%d", n.Text, n.Line)
	case importer.KindList:
		var items []string
		for _, item := range n.Items {
			items = append(items, shape(item))
		}
		return fmt.Sprintf("[%s]:%d", strings.Join(items, " "), n.Line)
	}
	var members []string
	for _, m := range n.Members {
		members = append(members, fmt.Sprintf("%s:%d=%s", m.Key, m.Line, shape(m.Value)))
	}
	return fmt.Sprintf("{%s}:%d", strings.Join(members, " "), n.Line)
}

func TestRead_KeepsTheLinesOfYAMLAndJSON(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"YAML", "a: 1\nb:\n  - x\n  - 'y z'\nc: null\n", `{a:1="1":1 b:2=["x":3 "y z":4]:3 c:5=null:5}:1`},
		{"documents", "a: 1\n---\nb: 2\n", `{a:1="1":1}:1; {b:3="2":3}:3`},
		{"aliases", "a: &x {k: v}\nb: *x\n", `{a:1={k:1="v":1}:1 b:2={k:1="v":1}:1}:1`},
		{"merge keys", "a: &x {k: v, l: w}\nb:\n  <<: *x\n  k: own\n", `{a:1={k:1="v":1 l:1="w":1}:1 b:2={k:4="own":4 l:1="w":1}:3}:1`},
		{"JSON", "{\n \"a\": [1,\n  true, null],\n \"b\": {\"c\":\n \"d\\u00e9\"}}", `{a:2=["1":2 "true":3 null:3]:2 b:4={c:4="dé":5}:4}:1`},
		{"JSON with tabs", "\t{\t\"a\"\t:\t\"b\"\t}", `{a:1="b":1}:1`},
		{"a flow map of YAML", "{a: b}", `{a:1="b":1}:1`},
		{"byte order mark", "\uFEFFa: 1\n", `{a:1="1":1}:1`},
		{"comments only", "# a\n", ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			documents, err := importer.Read(importer.SourceFile{Name: "f", Text: []byte(c.text)}, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range documents {
				got = append(got, shape(d))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestRead_RefusesHostileText(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	long := strings.Repeat("y", 1<<20)
	for _, c := range []struct {
		name, text, message string
		line                int
	}{
		{"an alias bomb", bomb.String(), "keys and values", 0},
		{"long values that aliases repeat", "a: &a " + long + "\nb: [" + strings.TrimSuffix(strings.Repeat("*a, ", 20), ", ") + "]\n", "bytes", 1},
		{"a cycle", "a: &a [*a]\n", "inside of the value", 1},
		{"a cycle of merge keys", "a: &a\n  <<: *a\n", "", 2},
		{"deep YAML", strings.Repeat("[", 70) + strings.Repeat("]", 70), "deeper than 64", 1},
		{"deep JSON", strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70), "deeper than 64", 1},
		{"many values", "[" + strings.Repeat("1,", limits.ModelNodes) + "1]", "more than 1048576 keys and values", 1},
		{"not YAML", "a: b\n c: d\n", "not YAML", 2},
		{"not JSON", "{\"a\": 1,\n \"b\" 2}", "not JSON", 2},
		{"a key twice", "a: 1\nb: 2\na: 3\n", "given twice", 3},
		{"a key twice in JSON", "{\"a\": 1,\n\"a\": 2}", "given twice", 2},
		{"a key that is a list", "? [a]\n: b\n", "must be text", 1},
		{"a merge of texts", "<<: a\n", "takes maps", 1},
		{"NUL", "a: \x00\n", "not UTF-8", 0},
		{"not UTF-8", "a: \xff\n", "not UTF-8", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := importer.Read(importer.SourceFile{Name: "f.yml", Text: []byte(c.text)}, 0)
			var e *importer.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, c.message) || e.File != "f.yml" || c.line > 0 && e.Line != c.line {
				t.Fatalf("%v", err)
			}
		})
	}
}

func TestCheckSizes_BoundsFiles(t *testing.T) {
	big := make([]byte, importer.MaxFileBytes)
	if err := importer.CheckSourceSizes([]importer.SourceFile{{Text: big}}); err != nil {
		t.Errorf("a file at the limit: %v", err)
	}
	for name, sources := range map[string][]importer.SourceFile{
		"a file":   {{Name: "f", Text: make([]byte, importer.MaxFileBytes+1)}},
		"together": {{Text: big}, {Text: big}, {Text: big}, {Text: big}, {Text: big}, {Text: big}, {Text: big}},
		"files":    make([]importer.SourceFile, importer.MaxFiles+1),
	} {
		if err := importer.CheckSourceSizes(sources); err == nil {
			t.Errorf("%s above the limit: no error", name)
		}
	}
}

// FuzzRead: a text is documents or an *Error, in bounded time and space.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a: 1", "{\"a\": [1, null]}", "a: &a [*a]", "<<: *x", "- - - a", "? {a: b}\n: c", "--- a\n--- b", "{", "[1,", "\"", "%YAML 1.1\n---\na"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		documents, err := importer.Read(importer.SourceFile{Name: "f", Text: text}, 0)
		if e := (*importer.Error)(nil); err != nil && (!errors.As(err, &e) || e.Message == "") {
			t.Fatalf("%T: %v", err, err)
		}
		for _, d := range documents {
			if shape(d) == "" {
				t.Fatal("a document without a shape")
			}
		}
	})
}
