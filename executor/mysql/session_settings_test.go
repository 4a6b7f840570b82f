package mysql_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	mysqldriver "github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
)

// turnable returns the settings of sessions of both servers with a value that the server may have
// for all sessions.
func turnable() []executortest.ServerSettingCase {
	const three = "(SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) AS t"
	return []executortest.ServerSettingCase{
		{Name: "sql_select_limit", Wrong: "2", Probe: "SELECT n FROM " + three + " ORDER BY n"},
		{Name: "group_concat_max_len", Wrong: "8", Probe: "SELECT GROUP_CONCAT(n * 1000 ORDER BY n) AS v FROM " + three},
		{Name: "div_precision_increment", Wrong: "0", Probe: "SELECT 1 / 3 AS v"},
		{Name: "default_week_format", Wrong: "3", Probe: "SELECT WEEK(DATE '2024-01-01') AS v"},
		{Name: "lc_time_names", Wrong: "'de_DE'", Probe: "SELECT DATE_FORMAT(DATE '2024-03-05', '%M') AS v"},
		{Name: "time_zone", Wrong: "'+09:00'", Probe: "SELECT FROM_UNIXTIME(0) AS v"},
		{Name: "sql_mode", Wrong: "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,NO_UNSIGNED_SUBTRACTION,IGNORE_SPACE,HIGH_NOT_PRECEDENCE'", Probe: `SELECT NOT 1 BETWEEN -5 AND 5 AS a, 1 || 0 AS b, 'c\\c' AS c`},
		{Name: "max_sort_length", Wrong: "64", Probe: "SELECT GROUP_CONCAT(RIGHT(v, 1)) AS v FROM (SELECT v FROM (SELECT CONCAT(REPEAT('a', 100), n) AS v FROM " + three + ") AS u ORDER BY v DESC LIMIT 3) AS w"},
		{Name: "sql_auto_is_null", Wrong: "1", Probe: "SELECT @@sql_auto_is_null AS v"},
		{Name: "autocommit", Wrong: "0", Probe: "SELECT @@autocommit AS v"},
	}
}

// onMariaDB and onMySQL are those of one of the servers.
func onMariaDB() []executortest.ServerSettingCase {
	return append(turnable(),
		executortest.ServerSettingCase{Name: "old_mode", Wrong: "'ZERO_DATE_TIME_CAST'", Probe: "SELECT YEAR(CAST(TIME '10:00:00' AS DATETIME)) > 0 AS v"},
		executortest.ServerSettingCase{Name: "max_recursive_iterations", Wrong: "2", Probe: "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT COUNT(*) AS v FROM r"},
		executortest.ServerSettingCase{Name: "tx_isolation", Wrong: "'READ-UNCOMMITTED'", Probe: "SELECT @@tx_isolation AS v"})
}

func onMySQL() []executortest.ServerSettingCase {
	return append(turnable(),
		executortest.ServerSettingCase{Name: "windowing_use_high_precision", Wrong: "0", Probe: "SELECT @@windowing_use_high_precision AS v"},
		executortest.ServerSettingCase{Name: "block_encryption_mode", Wrong: "'aes-256-cbc'", Probe: "SELECT @@block_encryption_mode AS v"},
		executortest.ServerSettingCase{Name: "transaction_isolation", Wrong: "'READ-UNCOMMITTED'", Probe: "SELECT @@transaction_isolation AS v"})
}

func TestSession_TakesNoSettingFromTheServerThatChangesRows(t *testing.T) {
	for _, c := range []struct {
		name     string
		server   func(testing.TB) *localdb.Server
		settings []executortest.ServerSettingCase
	}{{"mariadb", servers.MariaDB, onMariaDB()}, {"mysql", servers.MySQL, onMySQL()}} {
		t.Run(c.name, func(t *testing.T) {
			s := c.server(t)
			executortest.TestIgnoresServerSettings(t, executortest.ServerSettingChangeBackend{
				Open:     func(t testing.TB) executor.Executor { return open(t, options(s.Address)) },
				Turn:     func(_ testing.TB, c executortest.ServerSettingCase) { admin(t, s, "SET GLOBAL "+c.Name+" = "+c.Wrong) },
				Back:     func(_ testing.TB, c executortest.ServerSettingCase) { admin(t, s, "SET GLOBAL "+c.Name+" = DEFAULT") },
				Bare:     func(t testing.TB, sql string) string { return bare(t, s.Address, sql) },
				Settings: c.settings,
			})
		})
	}
}

func TestSession_DifferencesOfUnsignedNumbersAreSigned(t *testing.T) {
	for name, server := range map[string]func(testing.TB) *localdb.Server{"mariadb": servers.MariaDB, "mysql": servers.MySQL} {
		t.Run(name, func(t *testing.T) {
			o := options(server(t).Address)
			o.Dialect = name
			got, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT CAST(1 AS UNSIGNED) - 2 AS a, YEAR(DATE '2024-01-05') - 2030 AS b, COUNT(*) - 5 AS c FROM (SELECT 1 AS x) AS t")
			if err != nil || got != `[{"a":-1,"b":-6,"c":-4}]` {
				t.Error(got, err)
			}
		})
	}
}

func TestSession_EachSettingIsTurnedByTheTest(t *testing.T) {
	executortest.CheckEverySessionSettingTested(t, mysql.SettingNames("mariadb"), onMariaDB(), "block_encryption_mode") // MariaDB from 11.2 on
	executortest.CheckEverySessionSettingTested(t, mysql.SettingNames("mysql"), onMySQL())
}

// bare returns the result in a session that keeps all settings of the server.
func bare(t testing.TB, at localdb.Address, text string) string {
	t.Helper()
	c := mysqldriver.NewConfig()
	c.User, c.Passwd, c.Net, c.Addr = at.User, at.Password, "tcp", at.HostPort()
	connector, err := mysqldriver.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(context.Background(), text)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for rows.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for _, cell := range cells {
			texts = append(texts, cell.String)
		}
	}
	if err := rows.Err(); err != nil {
		return err.Error()
	}
	return strings.Join(texts, "|")
}
