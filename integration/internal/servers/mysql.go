package servers

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
)

// MariaDB returns the shared MariaDB server.
func MariaDB(tb testing.TB, shared *localdb.SharedServers) *Server {
	tb.Helper()
	return newServerOfMySQLOptions(mysqlOptions(tb, shared.MariaDB(tb)), binaryCollation)
}

// CaseInsensitiveMariaDB returns the shared MariaDB server, whose tables compare text as they do
// unless they are declared otherwise.
func CaseInsensitiveMariaDB(tb testing.TB, shared *localdb.SharedServers) *Server {
	tb.Helper()
	return newServerOfMySQLOptions(mysqlOptions(tb, shared.MariaDB(tb)), "utf8mb4_general_ci")
}

// MySQL returns the shared MySQL server.
func MySQL(tb testing.TB, shared *localdb.SharedServers) *Server {
	tb.Helper()
	return newServerOfMySQLOptions(mysqlOptions(tb, shared.MySQL(tb)), binaryCollation)
}

func mysqlOptions(tb testing.TB, s *localdb.Server) mysql.Options {
	tb.Helper()
	o := mysql.Options{Host: s.Host, Port: s.Port, User: s.User, Password: executor.NewSecret(s.Password), Dialect: string(s.Engine), PoolSize: 1}
	version, err := serverVersion(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	// A DSN may name the other one, and then its dialect would go untested.
	if strings.Contains(version, "MariaDB") != (s.Engine == localdb.MariaDB) {
		tb.Fatalf("%s is not %s but %s", localdb.DSNVariableName(s.Engine), s.Engine, version)
	}
	return o
}

// binaryCollation compares text byte by byte, as the other engines do.
const binaryCollation = "utf8mb4_bin"

// newServerOfMySQLOptions keeps each script in a separate database, whose text compares by a
// collation.
func newServerOfMySQLOptions(o mysql.Options, collation string) *Server {
	return &Server{
		Dialect: o.Dialect,
		load: func(ctx context.Context, name, script string) (executor.Executor, error) {
			if err := loadMySQL(ctx, o, name, collation, script); err != nil {
				return nil, err
			}
			of := o
			of.Database = name
			return mysql.Open(of)
		},
		drop: func(ctx context.Context, name string) error {
			return mysqlExec(ctx, o, "", "DROP DATABASE "+name)
		},
	}
}

// openMySQLSession opens a session in which double quotes make names and backslashes are
// characters, as the scripts expect.
func openMySQLSession(o mysql.Options, database string) (*sql.DB, error) {
	c := driver.NewConfig()
	c.User, c.Passwd, c.Net, c.DBName = o.User, o.Password.Reveal(), "tcp", database
	c.Addr = net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
	c.MultiStatements = true
	c.Params = map[string]string{"time_zone": "'+00:00'", "sql_mode": "'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES'"}
	connector, err := driver.NewConnector(c)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

func serverVersion(ctx context.Context, o mysql.Options) (version string, err error) {
	db, err := openMySQLSession(o, "")
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	return version, db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version)
}

func mysqlExec(ctx context.Context, o mysql.Options, database string, scripts ...string) error {
	db, err := openMySQLSession(o, database)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	for _, script := range scripts {
		if _, err := db.ExecContext(ctx, script); err != nil {
			return fmt.Errorf("%w\n%.300s", err, script)
		}
	}
	return nil
}

func loadMySQL(ctx context.Context, o mysql.Options, name, collation, script string) error {
	err := mysqlExec(ctx, o, "", "DROP DATABASE IF EXISTS "+name, "CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE "+collation)
	if err != nil || script == "" {
		return err
	}
	return mysqlExec(ctx, o, name, script)
}

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
