package describe

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCutDefinition_KeepsShortOnesAndCutsLongOnes(t *testing.T) {
	whole := strings.Repeat("a", maxListedDefinitionBytes)
	if got := cutDefinition(whole); got != whole {
		t.Errorf("a definition of %d bytes has %d", len(whole), len(got))
	}
	for _, text := range []string{whole + "b", whole[1:] + "éé"} {
		got := cutDefinition(text)
		if len(got) > maxListedDefinitionBytes+len("…") || !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
			t.Errorf("%d bytes became %d, which end in %q", len(text), len(got), got[len(got)-5:])
		}
	}
}
