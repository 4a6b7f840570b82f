package mysql_test

import (
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
)

func served() executortest.ServerBackend {
	return executortest.ServerBackend{
		Start:  localdb.StartMariaDB,
		Shared: servers.MariaDB,
		Open:   openWith,
		OpenTLS: func(t testing.TB, a localdb.Address) executor.Executor {
			o := options(a)
			o.TLS = "true"
			return open(t, o)
		},
		Series:   func(n int) string { return "SELECT seq AS i FROM seq_0_to_" + strconv.Itoa(n-1) },
		Slow:     "SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_200000 a, seq_1_to_200000 b",
		Sleep:    "SELECT SLEEP(61)",
		Sleeping: "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(61)%'",
		// The server sends its response before it removes the statement from its list.
		NoColumns: "SET @a = 1",
	}
}

func TestServer_DriverConventions(t *testing.T) { executortest.TestServerDriver(t, served()) }

func TestFaults_NeverReportSuccess(t *testing.T) { executortest.TestServerFaults(t, served()) }
