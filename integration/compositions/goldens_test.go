package compositions

import (
	"errors"
	"flag"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/sqlemit"
)

var update = flag.Bool("update", false, "write the statements of all dialects")

// TestCompositions_SQLOfEveryDialectIsCurrent prints every composition in every dialect; make grammars parses
// what no engine here runs.
func TestCompositions_SQLOfEveryDialectIsCurrent(t *testing.T) {
	p := newPlanner(t)
	for _, dialect := range sqlemit.DialectNames() {
		t.Run(dialect, func(t *testing.T) {
			got := map[string]string{}
			for topic, list := range topics() {
				for _, c := range list {
					s := newShop(t, p, dialect)
					planned := c.build(func(name string) relation { return s.from(t, name) }).rows.Plan()
					got[topic+"/"+strings.ReplaceAll(strings.ReplaceAll(c.name, ",", ""), " ", "_")] = statementOf(t, s, planned)
				}
			}
			dir := filepath.Join("testdata", "dialects", dialect)
			if *update {
				if err := corpus.WriteGoldenArchives(dir, got); err != nil {
					t.Fatal(err)
				}
			}
			want, err := corpus.ReadGoldenArchives(dir)
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(want, got) {
				t.Errorf("go test ./integration/compositions -update writes the files; - is there, + is printed now\n%s", cmp.Diff(want, got))
			}
		})
	}
}

// statementOf returns the SQL of a plan, or the code of what the dialect lacks.
func statementOf(t *testing.T, s *shop, planned *planner.Planned) string {
	t.Helper()
	sql, err := sqlemit.Emit(t.Context(), planned.Root, s.dialect, sqlemit.FormatOptions{Pretty: true})
	var refused *sqlemit.Error
	if errors.As(err, &refused) {
		return "refused: " + refused.Code + ": " + refused.Message + "\n"
	}
	if err != nil {
		t.Fatal(err)
	}
	return sql + "\n"
}
