package compositions

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/sqlemit"
)

var (
	update        = flag.Bool("update", false, "write the statements of the listed compositions")
	statementsDir = flag.String("statements", "", "a folder into which the SQL of every composition is written")
)

// TestCompositions_SQLOfEveryDialectIsCurrent holds the SQL of the listed compositions in every dialect. With -update it
// writes them, with -statements those of all compositions.
func TestCompositions_SQLOfEveryDialectIsCurrent(t *testing.T) {
	p := newPlanner(t)
	statements := corpus.Statements{}
	for _, dialect := range sqlemit.DialectNames() {
		for topic, list := range topics() {
			for _, c := range list {
				s := newShop(t, p, dialect)
				planned := c.build(func(name string) relation { return s.from(t, name) }).rows.Plan()
				name := topic + "/" + strings.ReplaceAll(strings.ReplaceAll(c.name, ",", ""), " ", "_")
				statements.Add(dialect, name, statementOf(t, s, planned))
			}
		}
	}
	if *statementsDir != "" {
		if err := statements.Write(*statementsDir); err != nil {
			t.Fatal(err)
		}
	}
	statements.CheckGoldens(t, "testdata/dialects", *update)
}

// statementOf returns the SQL of a plan, or the code of what the dialect lacks.
func statementOf(t *testing.T, s *shop, planned *planner.Planned) string {
	t.Helper()
	sql, err := sqlemit.Emit(t.Context(), planned.Root, s.dialect, sqlemit.FormatOptions{Pretty: true})
	var refused *sqlemit.Error
	if errors.As(err, &refused) {
		return corpus.RejectedPrefix + refused.Code + ": " + refused.Message
	}
	if err != nil {
		t.Fatal(err)
	}
	return sql
}
