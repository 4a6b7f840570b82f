package modelspec

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// The index of a long text gives the places that a search from the beginning
// gives, for every offset at which a character begins.
func TestLineIndex_FindsWhatASearchFinds(t *testing.T) {
	pieces := []string{"a", "bc ", "\n", "é", "漢字", "🙂", "\n\n", "'x'", strings.Repeat("y", 127)}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b strings.Builder
		for b.Len() < minIndexedTextBytes+random.IntN(600) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		value := b.String()
		indexed := LocatedText{Value: value, lines: newLineIndex(value)}
		searched := LocatedText{Value: value}
		for offset := range len(value) + 1 {
			if offset < len(value) && !utf8.RuneStart(value[offset]) {
				continue
			}
			lines, column := indexed.lineAndColumnAt(offset)
			wantLines, wantColumn := searched.lineAndColumnAt(offset)
			if lines != wantLines || column != wantColumn {
				t.Fatalf("offset %d of %q: %d:%d, want %d:%d", offset, value, lines, column, wantLines, wantColumn)
			}
		}
	}
}
