package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

func TestNameCompleter_CompletesAsFarAsNamesAgree(t *testing.T) {
	names := newNameCompleter([]engine.RelationInfo{
		{Name: "firings", Columns: []engine.RelationColumn{{Name: "fired_on"}, {Name: "pieces"}, {Name: "pieces_total"}}},
		{Name: "studio", Columns: []engine.RelationColumn{{Name: "pieces"}, {Name: "Ärger"}}},
	})
	for _, c := range []struct {
		line, want string
		pos        int
		choices    []string
	}{
		{line: "SELECT stu", pos: 10, want: "SELECT studio"},
		{line: "SELECT fir", pos: 10, want: "SELECT fir", choices: []string{"fired_on", "firings"}},
		{line: "SELECT p FROM x", pos: 8, want: "SELECT pieces FROM x"},
		{line: "SELECT pieces", pos: 13, want: "SELECT pieces", choices: []string{"pieces", "pieces_total"}},
		{line: "SELECT pieces_t", pos: 15, want: "SELECT pieces_total"},
		{line: "SELECT studio.PIECES_", pos: 21, want: "SELECT studio.pieces_total"},
		{line: `\d STU`, pos: 6, want: `\d studio`},
		{line: `\d fi`, pos: 5, want: `\d firings`},
		{line: "SELECT nothing", pos: 14, want: "SELECT nothing"},
		{line: "SELECT ", pos: 7, want: "SELECT "},
		{line: "", pos: 0, want: ""},
		{line: "Är", pos: 3, want: "Ärger"},
	} {
		got, pos, choices := names.complete(c.line, c.pos)
		if got != c.want || pos != c.pos+len(got)-len(c.line) {
			t.Errorf("%q becomes %q with the cursor at %d, want %q", c.line, got, pos, c.want)
		}
		if d := cmp.Diff(c.choices, choices); d != "" {
			t.Errorf("%q: %s", c.line, d)
		}
	}
}
