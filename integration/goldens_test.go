package integration_test

import (
	"context"
	"flag"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/sqlemit"
)

var statementsDir = flag.String("statements", "", "a folder into which plan and SQL of every case are written")

// TestCorpus_SQLOfEveryDialectIsCurrent holds the SQL of the listed cases in every dialect but DuckDB's, which stands in the
// cases, and the cases that single dialects reject. With -update it writes them, with -statements those of all cases.
func TestCorpus_SQLOfEveryDialectIsCurrent(t *testing.T) {
	statements := corpus.Statements{}
	for _, c := range cases(t) {
		for _, dialect := range sqlemit.DialectNames() {
			text, count, err := compileInDialect(t.Context(), subjectOf(t, c), c, dialect)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			statements.Add(dialect, c.Name, text)
			if count != "" {
				statements.Add(dialect, c.Name+"#count", count)
			}
		}
		if !c.ExpectsError() {
			texts, err := generate(t.Context(), subjectOf(t, c), c)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			statements.Add(corpus.PlanKey, c.Name, texts["plan.txt"])
		}
	}
	if *statementsDir != "" {
		if err := statements.Write(*statementsDir); err != nil {
			t.Fatal(err)
		}
	}
	statements.CheckGoldens(t, "testdata/dialects", *update, "duckdb")
}

// compileInDialect returns the SQL or the error of a case in a dialect, and the statement that counts its rows.
func compileInDialect(ctx context.Context, s *subject, c *corpus.Case, dialect string) (text, count string, err error) {
	_, compiled, err := s.compileFor(ctx, c, []byte(c.QueryJSON()), dialect, true)
	if err != nil {
		rejection, err := wireError(err)
		return corpus.RejectedPrefix + rejection.Code, "", err
	}
	return compiled.SQL, compiled.CountSQL, nil
}
