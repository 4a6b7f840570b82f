package integration_test

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/mysql"
)

const mysqlDSN = "SEMLAYER_MYSQL_DSN"

// mySQL is the server of the environment (mysql://user:password@host:port) or a
// MariaDB that is started for the run. Which of the two dialects it speaks, the
// server says. Each data key has a database of its own.
func mySQL() *backend {
	b := &backend{name: "mysql", family: "mysql"}
	o := mysql.Options{PoolSize: 1}
	b.start = func(tb testing.TB) {
		if dsn := os.Getenv(mysqlDSN); dsn != "" {
			if err := fromURI(&o, dsn); err != nil {
				tb.Fatal(err)
			}
		} else {
			s := servers.MariaDB(tb)
			o.Host, o.Port, o.User, o.Password = s.Host, s.Port, s.User, executor.NewSecret(s.Password)
		}
		version, err := serverVersion(tb.Context(), o)
		if err != nil {
			tb.Fatal(err)
		}
		b.dialect = "mysql"
		if strings.Contains(version, "MariaDB") {
			b.dialect = "mariadb"
		}
	}
	b.load = func(ctx context.Context, key, script string) (executor.Executor, error) {
		name := namespace(key)
		if err := loadMySQL(ctx, o, name, script); err != nil {
			return nil, err
		}
		of := o
		of.Database = name
		return mysql.Open(of)
	}
	b.drop = func(ctx context.Context, key string) error {
		db, err := connect(o, "")
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.ExecContext(ctx, "DROP DATABASE "+namespace(key))
		return err
	}
	return b
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

// loadMySQL makes a database whose text compares byte by byte, as it does on the
// other engines.
func loadMySQL(ctx context.Context, o mysql.Options, name, script string) error {
	root, err := connect(o, "")
	if err != nil {
		return err
	}
	defer root.Close()
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + name,
		"CREATE DATABASE " + name + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
	} {
		if _, err := root.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	db, err := connect(o, name)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, script)
	return err
}

// namespace is a schema or database name for a data key.
func namespace(key string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return "semlayer_" + strconv.FormatUint(h.Sum64(), 36)
}
