package integration_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/sqlemit"
)

const dialectsDir = "testdata/dialects"

// shownByCases are the dialects whose SQL stands in the cases.
var shownByCases = []string{"duckdb", "postgres", "mysql"}

// TestCorpus_SQLOfEveryDialectIsCurrent holds what each other dialect makes of
// each case: its SQL, the name of a dialect with the same SQL, or the code of the
// error. With -update it writes them instead.
func TestCorpus_SQLOfEveryDialectIsCurrent(t *testing.T) {
	for _, dialect := range sqlemit.DialectNames() {
		if slices.Contains(shownByCases, dialect) {
			continue
		}
		t.Run(dialect, func(t *testing.T) {
			texts := map[string]string{}
			for _, c := range cases(t) {
				text, err := compileInDialect(t.Context(), subjectOf(t, c), c, dialect)
				if err != nil {
					t.Fatalf("%s: %v", c.Name, err)
				}
				texts[c.Name] = text
			}
			dir := filepath.Join(dialectsDir, dialect)
			if *update {
				if err := corpus.WriteGoldenArchives(dir, texts); err != nil {
					t.Fatal(err)
				}
				return
			}
			golden, err := corpus.ReadGoldenArchives(dir)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(golden, texts); diff != "" {
				t.Fatalf("look whether the change is meant, then run go test -update\n%s", diff)
			}
		})
	}
}

// compileInDialect returns the SQL or the error of a case in a dialect.
func compileInDialect(ctx context.Context, s *subject, c *corpus.Case, dialect string) (string, error) {
	_, compiled, err := s.compileFor(ctx, c, []byte(c.QueryJSON()), dialect, true)
	if err != nil {
		refusal, err := wireError(err)
		return "refused: " + refusal.Code + "\n", err
	}
	sql := compiled.SQL + "\n"
	shown := c.GeneratedTextBySection()
	for _, other := range shownByCases {
		if shown[other+".sql"] == sql {
			return "as " + other + "\n", nil
		}
	}
	return sql, nil
}
