package mysql_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
)

// tidb reads SEMLAYER_TIDB_URL, mysql://user:password@host:port.
func tidb(t *testing.T) *localdb.Server {
	text := os.Getenv("SEMLAYER_TIDB_URL")
	if text == "" {
		t.Skip("SEMLAYER_TIDB_URL names no server")
	}
	a, err := localdb.ParseURI(localdb.MySQL, text)
	if err != nil {
		t.Fatal(err)
	}
	a.Engine = "tidb"
	if a.Database == "" {
		a.Database = "test"
	}
	return localdb.NewExternalServer(a, nil)
}

func TestConformance_TiDB(t *testing.T) {
	const (
		thousand = "WITH RECURSIVE d(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM d WHERE i < 999) "
		number   = "(a.i * 1000000 + b.i * 1000 + c.i)"
		billion  = " FROM d a, d b, d c LIMIT "
		million  = 1_000_000
	)
	// There is no geometry.
	known := values(arrow.PrimitiveTypes.Int64)
	known = slices.DeleteFunc(known, func(v executortest.ValueCase) bool { return strings.HasPrefix(v.SQL, "ST_") })
	conform(t, tidb(t), executortest.ConformanceBackend{
		Series: func(n int) string {
			if n > million { // a join has no order, and a sort would not stream
				return thousand + "SELECT " + number + " AS i" + billion + strconv.Itoa(n)
			}
			return thousand + "SELECT b.i * 1000 + c.i AS i FROM d b, d c WHERE b.i * 1000 + c.i < " + strconv.Itoa(n) + " ORDER BY i"
		},
		Slow: thousand + "SELECT SUM(a.i * b.i * c.i % 7) AS s FROM d a, d b, d c",
		// The probing side of a join comes about in its order.
		Failing: thousand + "SELECT CASE WHEN b.i = 300 THEN 9223372036854775807 + b.i ELSE b.i END AS i FROM d b, d c",
		Values: append(known,
			executortest.ValueCase{SQL: "CAST('-838:59:59' AS TIME(6))", JSON: `"-838:59:59"`, Type: arrow.BinaryTypes.String},
			executortest.ValueCase{SQL: `CAST('{"a": [1, null]}' AS JSON)`, JSON: `{"a": [1, null]}`, Type: arrow.BinaryTypes.String, Kind: executor.TextKindJSON}),
	})
}
