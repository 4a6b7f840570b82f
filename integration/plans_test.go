package integration_test

import (
	"context"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/corpus"
)

var update = flag.Bool("update", false, "write the generated parts of the cases again")

// TestCorpus_PlansAndSQLAreCurrent holds the plan and the SQL that each case
// shows. With -update it writes them instead.
func TestCorpus_PlansAndSQLAreCurrent(t *testing.T) {
	for _, c := range cases(t) {
		c.RunSubtest(t, func(t *testing.T) {
			texts, err := generate(t.Context(), subjectOf(t, c), c)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := c.UpdateGeneratedSections(texts); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(c.GeneratedTextBySection(), texts); diff != "" {
				t.Fatalf("look whether the change is meant, then run go test -update\n%s", diff)
			}
		})
	}
}

// generate returns the generated parts of a case: nothing for an error.
func generate(ctx context.Context, s *subject, c *corpus.Case) (map[string]string, error) {
	texts := map[string]string{}
	if c.ExpectsError() {
		return texts, nil
	}
	body := []byte(c.QueryJSON())
	_, compiled, err := s.compileFor(ctx, c, body, "duckdb", true)
	if err != nil {
		return nil, err
	}
	texts["duckdb.sql"] = compiled.SQL + "\n"
	if compiled.CountSQL != "" {
		texts["count.duckdb.sql"] = compiled.CountSQL + "\n"
	}
	q, err := decode(c, body, "", false)
	if err != nil {
		return nil, err
	}
	explained, err := q.explain(ctx, s)
	if err != nil {
		return nil, err
	}
	texts["plan.txt"] = explained.Plan
	return texts, nil
}
