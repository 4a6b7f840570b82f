package statements

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/outersql"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// No value is known to be not among rows of which one is NULL: on no engine.
func TestNotIn_NullAmongTheRowsLeavesNothing(t *testing.T) {
	p := &partsOfModel{fixture: openFixture(t, &corpus.Case{Fixture: "sale"}), fixtureName: "sale"}
	t.Cleanup(func() { _ = p.db.Close() })
	s := outersql.Statement{SQL: `SELECT shop FROM (SELECT shop, kind FROM sale LIMIT 100) AS t GROUP BY shop
HAVING MIN(99.9) + COUNT(kind) NOT IN (SELECT CASE WHEN shop IS NOT NULL THEN 0.5 END FROM (SELECT shop FROM sale LIMIT 100) AS u)`}
	p.compareEverywhere(t, s, "shop")
}

// A constant is compared with what a window function of the subquery gives: on every engine.
func TestNotIn_ReadsWindowFunctions(t *testing.T) {
	p := &partsOfModel{fixture: openFixture(t, &corpus.Case{Fixture: "sale"}), fixtureName: "sale"}
	t.Cleanup(func() { _ = p.db.Close() })
	p.compareEverywhere(t, outersql.Statement{SQL: `SELECT COUNT(*) AS n FROM (SELECT shop FROM sale LIMIT 100) AS t
WHERE 5 NOT IN (SELECT DENSE_RANK() OVER (ORDER BY kind) FROM (SELECT kind FROM sale LIMIT 100) AS u)`}, "n\n6")
	p.compareEverywhere(t, outersql.Statement{SQL: `SELECT COUNT(*) AS n FROM (SELECT shop FROM sale LIMIT 100) AS t
WHERE 2 IN (SELECT DENSE_RANK() OVER (ORDER BY kind) FROM (SELECT kind FROM sale LIMIT 100) AS u)`}, "n\n6")
	p.compareEverywhere(t, outersql.Statement{SQL: `SELECT COUNT(*) AS n FROM (SELECT shop FROM sale LIMIT 100) AS t
WHERE 5 IN (SELECT DENSE_RANK() OVER (ORDER BY kind) FROM (SELECT kind FROM sale LIMIT 100) AS u)`}, "n\n0")
}

// A window that a constant orders leaves the order of the next one alone: on every engine.
func TestWindows_ConstantsOrderNothing(t *testing.T) {
	p := &partsOfModel{fixture: openFixture(t, &corpus.Case{Fixture: "sale"}), fixtureName: "sale"}
	t.Cleanup(func() { _ = p.db.Close() })
	p.compareEverywhere(t, outersql.Statement{SQL: `SELECT SUM(n) OVER (ORDER BY ABS(50)) AS k, MIN(shop) OVER (ORDER BY shop DESC) AS m
FROM (SELECT shop, COUNT(*) AS n FROM sale GROUP BY shop) AS t`}, "k | m\n6 | A\n6 | A\n6 | B")
}

// compareEverywhere compares the rows of a statement on every engine with rows as text.
func (p *partsOfModel) compareEverywhere(t *testing.T, s outersql.Statement, rows string) {
	t.Helper()
	want, err := table.FromText(rows)
	if err != nil {
		t.Fatal(err)
	}
	if problem := p.compareOuter(t, s, want); problem != "" {
		t.Error(problem)
	}
	for _, e := range otherEngines(t) {
		if problem := e.compareOuter(t, p, s, want); problem != "" {
			t.Errorf("%s: %s", e.Dialect, problem)
		}
	}
}
