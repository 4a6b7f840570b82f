package executortest_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/sqlite"
)

func ExampleQueryRowsJSON() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: ":memory:"})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := executortest.QueryRowsJSON(ctx, db, "SELECT 1 AS i UNION ALL SELECT 2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows)
	// Output:
	// [{"i":1},{"i":2}]
}

// A driver's test runs the conformance suite on it. This example is compiled and not run:
// the suite needs a testing.T.
func ExampleRunConformance() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T)
		executortest.RunConformance(t, executortest.ConformanceBackend{
			Dialect: "sqlite",
			Open: func(t testing.TB, connections int) executor.Executor {
				e, err := sqlite.Open(t.Context(), sqlite.Options{Path: ":memory:", Connections: connections})
				if err != nil {
					t.Fatal(err)
				}
				return e
			},
			Series: func(n int) string {
				return fmt.Sprintf("WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT i FROM s", n-1)
			},
		})
	}
}
