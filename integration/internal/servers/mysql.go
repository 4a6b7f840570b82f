package servers

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
)

const mysqlDSN = "SEMLAYER_MYSQL_DSN"

// MySQL is the server of the environment (mysql://user:password@host:port) or a
// MariaDB that is started for the run. Which of the two dialects it speaks, the
// server says.
func MySQL(tb testing.TB, shared *localdb.Shared) *Server {
	tb.Helper()
	o := mysql.Options{PoolSize: 1}
	if dsn := os.Getenv(mysqlDSN); dsn != "" {
		if err := fromURI(&o, dsn); err != nil {
			tb.Fatal(err)
		}
	} else {
		s := shared.MariaDB(tb)
		o.Host, o.Port, o.User, o.Password = s.Host, s.Port, s.User, executor.NewSecret(s.Password)
	}
	version, err := serverVersion(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	out := &Server{Dialect: "mysql"}
	if strings.Contains(version, "MariaDB") {
		out.Dialect = "mariadb"
	}
	out.load = func(ctx context.Context, name, script string) (executor.Executor, error) {
		if err := loadMySQL(ctx, o, name, script); err != nil {
			return nil, err
		}
		of := o
		of.Database = name
		return mysql.Open(of)
	}
	out.drop = func(ctx context.Context, name string) error {
		return mysqlExec(ctx, o, "", "DROP DATABASE "+name)
	}
	return out
}

func fromURI(o *mysql.Options, dsn string) error {
	u, err := url.Parse(dsn)
	if err != nil || u.User == nil {
		return fmt.Errorf("%s is no mysql://user:password@host:port", mysqlDSN)
	}
	password, _ := u.User.Password()
	o.Host, o.Port, o.User, o.Password = u.Hostname(), 3306, u.User.Username(), executor.NewSecret(password)
	if port := u.Port(); port != "" {
		o.Port, err = strconv.Atoi(port)
	}
	return err
}

// connect opens a session in which double quotes make names and backslashes are
// characters, as the scripts have it.
func connect(o mysql.Options, database string) (*sql.DB, error) {
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
	db, err := connect(o, "")
	if err != nil {
		return "", err
	}
	defer db.Close()
	return version, db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version)
}

func mysqlExec(ctx context.Context, o mysql.Options, database string, scripts ...string) error {
	db, err := connect(o, database)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, script := range scripts {
		if _, err := db.ExecContext(ctx, script); err != nil {
			return fmt.Errorf("%w\n%.300s", err, script)
		}
	}
	return nil
}

// loadMySQL makes a database whose text compares byte by byte, as it does on the
// other engines.
func loadMySQL(ctx context.Context, o mysql.Options, name, script string) error {
	err := mysqlExec(ctx, o, "", "DROP DATABASE IF EXISTS "+name, "CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	if err != nil || script == "" {
		return err
	}
	return mysqlExec(ctx, o, name, script)
}
