package find

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitASCII_IsAsForAnyText(t *testing.T) {
	const letters = "abcXYZ019 _-.:'"
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]byte, r.IntN(12))
		for i := range text {
			text[i] = letters[r.IntN(len(letters))]
		}
		if d := cmp.Diff(splitUnicodeWords(string(text)), splitASCIIWords(string(text))); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	}
}
