package servers

import (
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
)

const tidbURLEnv = "SEMLAYER_TIDB_URL"

// TiDB returns the server that SEMLAYER_TIDB_URL names, mysql://user:password@host:port,
// whose user may make databases; without it the test is skipped. It takes the scripts
// of the MySQL family as they are.
func TiDB(tb testing.TB) *Server {
	tb.Helper()
	text := os.Getenv(tidbURLEnv)
	if text == "" {
		tb.Skip(tidbURLEnv + " names no server")
	}
	a, err := localdb.ParseURI(localdb.MySQL, text)
	if err != nil {
		tb.Fatalf("%s: %v", tidbURLEnv, err)
	}
	o := mysql.Options{Host: a.Host, Port: a.Port, User: a.User, Password: executor.NewSecret(a.Password), Dialect: "tidb", PoolSize: 1}
	version, err := serverVersion(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	if !strings.Contains(version, "TiDB") {
		tb.Fatalf("%s is not TiDB but %s", tidbURLEnv, version)
	}
	return newServerOfMySQLOptions(o, binaryCollation)
}
