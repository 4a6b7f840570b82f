package plainyaml_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/internal/plainyaml"
)

// fragments are pieces of YAML that make valid texts often enough when they
// are put together at random.
var fragments = []string{
	"a: ", "b:", "- ", "  ", "    ", "\n", "\n", "\n  ", "\n    ", "'x y'", "[", "]", "{", "}", ", ", "|\n", "|-\n", "# c",
	"\"q\\\"\"", "b", "c d", " ", ":", " : ", "1", "true", "-", "&x", "null", "-1", "''", "~", "(a)", "a/b", "x#y", "ü", "?", "!", "%",
	"x:y", "*", "@", "---\n", "a: b\n", "- a: b\n", "- [a, b]\n", "k: {a: b}\n", "k: 'v'\n", "l: |\n  x\n  y\n", "\n\n", "0x1", "1.5",
	"=", "<<: ", "...", "yes", "2024-01-01",
}

func TestParse_RandomTextsMatchLibrary(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	read := 0
	for range 150_000 {
		var b strings.Builder
		for range 2 + r.Intn(13) {
			b.WriteString(fragments[r.Intn(len(fragments))])
		}
		text := b.String()
		got, ok := plainyaml.Parse(&document.TreeBuilder{}, []byte(text))
		if !ok {
			continue
		}
		read++
		want, ok := reference([]byte(text))
		if !ok {
			t.Fatalf("read what the library refuses: %q", text)
		}
		if d := cmp.Diff(flat(want), flat(got)); d != "" {
			t.Fatalf("%q\n%s", text, d)
		}
	}
	if read < 500 {
		t.Errorf("only %d texts were plain", read)
	}
}
