package mysql_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
	"github.com/semlayer/semlayer/executor/testwait"
)

var open = executortest.OpenForTest(mysql.Open)

// admin runs statements on one connection that may write.
func admin(t *testing.T, s *localdb.Server, statements ...string) {
	t.Helper()
	o := options(s.Address)
	o.PoolSize = 1
	e := open(t, o)
	for _, sql := range append([]string{"SET SESSION TRANSACTION READ WRITE"}, statements...) {
		if _, err := executortest.QueryRowsJSON(t.Context(), e, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func wantError(t *testing.T, err error, code string, s *localdb.Server) *executor.Error {
	t.Helper()
	return executortest.ExpectError(t, err, code, executortest.HiddenServerTexts(s.Address)...)
}

func TestOptions_InvalidAreConfigErrors(t *testing.T) {
	executortest.TestRejectedOptions(t, mysql.Open, "hunter2",
		mysql.Options{URI: executor.NewSecret("mysql://u:hunter2@h:notaport/db")},
		mysql.Options{URI: executor.NewSecret("mysql://u:hunter2@h/db?allowAllFiles=true")},
		mysql.Options{URI: executor.NewSecret("u:hunter2@tcp(h)/db")},
		mysql.Options{Host: "h", TLS: "perhaps"},
		mysql.Options{Host: "h", SQLMode: "ANSI', GLOBAL x = '"})
}

func TestOptions_URIReplacesFields(t *testing.T) {
	s := servers.MariaDB(t)
	admin(t, s, `CREATE OR REPLACE USER 'odd'@'%' IDENTIFIED BY 'p@ss:w/rd?'`)
	uri := url.URL{Scheme: "mysql", User: url.UserPassword("odd", "p@ss:w/rd?"), Host: s.HostPort(), RawQuery: "tls=false"}
	got, err := executortest.QueryRowsJSON(t.Context(), open(t, mysql.Options{URI: executor.NewSecret(uri.String())}), "SELECT 1 AS n")
	if err != nil || got != `[{"n":1}]` {
		t.Fatalf("got %s, %v", got, err)
	}
}

func TestSession_UTCReadOnlyKnownMode(t *testing.T) {
	t.Run("a session is read-only, in UTC and has a known SQL mode", func(t *testing.T) {
		s := servers.MariaDB(t)
		admin(t, s, "SET GLOBAL time_zone = '+09:00'", "SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'")
		defer admin(t, s, "SET GLOBAL time_zone = SYSTEM", "SET GLOBAL sql_mode = DEFAULT")
		e := open(t, options(s.Address))
		got, err := executortest.QueryRowsJSON(t.Context(), e, `SELECT @@time_zone AS tz, "text" AS text, 'a\\b' AS slash, @@character_set_results AS cs, @@sql_mode LIKE '%ONLY_FULL_GROUP_BY%' AS full_group_by`)
		if want := `[{"tz":"+00:00","text":"text","slash":"a\\b","cs":"utf8mb4","full_group_by":1}]`; err != nil || got != want {
			t.Fatalf("got %s, %v, want %s", got, err, want)
		}
		_, err = executortest.QueryRowsJSON(t.Context(), e, "CREATE TABLE semlayer.written(n INT)")
		wantError(t, err, executor.CodeSQLRejected, s)
	})
}

func TestTypes_TableColumns(t *testing.T) {
	s := servers.MariaDB(t)
	admin(t, s, `CREATE OR REPLACE TABLE semlayer.types(
		ti TINYINT, tu TINYINT UNSIGNED, si SMALLINT, su SMALLINT UNSIGNED, mi MEDIUMINT, mu MEDIUMINT UNSIGNED, i INT, iu INT UNSIGNED, b BIGINT, bu BIGINT UNSIGNED,
		f FLOAT, d DOUBLE, du DECIMAL(38,2) UNSIGNED, y YEAR, bits BIT(10), flag BIT(1), dt DATETIME(6), ts TIMESTAMP NULL, da DATE, c CHAR(4), vc VARCHAR(10), tx TEXT, bl BLOB, bi BINARY(2),
		e ENUM('a','b'), st SET('x','y'), js JSON)`,
		"SET SESSION sql_mode = ''",
		`INSERT INTO semlayer.types VALUES (-128, 255, -32768, 65535, -8388608, 16777215, -2147483648, 4294967295, -9223372036854775808, 18446744073709551615,
		0.5, 0.1, 999999999999999999999999999999999999.99, 2024, b'1000000001', b'1', '2024-01-05 10:00:00.25', '2024-01-05 10:00:00', '2024-01-05', 'ab', 'ab', 'text', x'ff', x'00ff', 'b', 'x,y', '{"a": 1}')`,
		`INSERT INTO semlayer.types(dt, ts, da, y) VALUES ('0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00', 0)`)
	rows, err := open(t, options(s.Address)).Query(t.Context(), "SELECT * FROM semlayer.types ORDER BY ti IS NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var types []string
	for _, f := range rows.Schema().Fields() {
		types = append(types, f.Type.String())
	}
	wantTypes := []string{
		"int8", "uint8", "int16", "uint16", "int32", "uint32", "int32", "uint32", "int64", "uint64",
		"float32", "float64", "decimal(38, 2)", "uint16", "uint64", "uint64", "timestamp[us]", "timestamp[us, tz=UTC]", "date32", "utf8", "utf8", "utf8", "binary", "binary",
		"utf8", "utf8", "utf8",
	}
	if diff := cmp.Diff(wantTypes, types); diff != "" {
		t.Error(diff)
	}
	result, err := jsonrows.CollectResult(t.Context(), rows, jsonrows.TypeHints{"flag": jsonrows.HintBoolean})
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"ti":-128,"tu":255,"si":-32768,"su":65535,"mi":-8388608,"mu":16777215,"i":-2147483648,"iu":4294967295,"b":-9223372036854775808,"bu":18446744073709551615,` +
		`"f":0.5,"d":0.1,"du":999999999999999999999999999999999999.99,"y":2024,"bits":513,"flag":true,"dt":"2024-01-05T10:00:00.25","ts":"2024-01-05T10:00:00Z","da":"2024-01-05","c":"ab","vc":"ab","tx":"text","bl":"/w==","bi":"AP8=",` +
		`"e":"b","st":"x,y","js":"{\"a\": 1}"},` +
		`{"ti":null,"tu":null,"si":null,"su":null,"mi":null,"mu":null,"i":null,"iu":null,"b":null,"bu":null,"f":null,"d":null,"du":null,"y":0,"bits":null,"flag":null,"dt":null,"ts":null,"da":null,"c":null,"vc":null,"tx":null,"bl":null,"bi":null,"e":null,"st":null,"js":null}]`
	if diff := cmp.Diff(want, string(result.Rows)); diff != "" {
		t.Error(diff)
	}
}

func TestTypes_UntypedNull(t *testing.T) {
	s := servers.MariaDB(t)
	rows, err := open(t, options(s.Address)).Query(t.Context(), "SELECT NULL AS n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if dt := rows.Schema().Field(0).Type; dt.ID() != arrow.NULL {
		t.Errorf("type %s", dt)
	}
	if result, err := jsonrows.CollectResult(t.Context(), rows, nil); err != nil || string(result.Rows) != `[{"n":null}]` {
		t.Errorf("got %s, %v", result.Rows, err)
	}
}

func TestErrors_ServerTimeoutIsTimeout(t *testing.T) {
	s := servers.MariaDB(t)
	_, err := executortest.QueryRowsJSON(t.Context(), open(t, options(s.Address)), "SET STATEMENT max_statement_time = 0.1 FOR SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_200000 a, seq_1_to_200000 b")
	wantError(t, err, executor.CodeTimeout, s)
}

func TestErrors_HideAccountOnRejection(t *testing.T) {
	s := servers.MariaDB(t)
	admin(t, s, "CREATE OR REPLACE USER 'limited'@'%' IDENTIFIED BY 'pw'", "CREATE OR REPLACE TABLE semlayer.hidden(n INT)", "CREATE OR REPLACE TABLE semlayer.open_to_all(n INT)", "GRANT SELECT ON semlayer.open_to_all TO 'limited'@'%'")
	o := options(s.Address)
	o.User, o.Password = "limited", executor.NewSecret("pw")
	_, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT * FROM semlayer.hidden")
	e := wantError(t, err, executor.CodeSQLRejected, s)
	if strings.Contains(e.Message, "limited") || !strings.Contains(e.Message, "hidden") || !e.Denied {
		t.Errorf("message %q", e.Message)
	}
}

func TestCancel_BrokenConnectionEndsStatement(t *testing.T) {
	t.Run("the server runs nothing on for a connection that broke", func(t *testing.T) {
		s := servers.MariaDB(t)
		proxy := executortest.NewFaultProxy(t, s.HostPort())
		o := options(s.Address)
		o.Port = proxy.Port
		e, direct := open(t, o), open(t, options(s.Address))
		const running = "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE 'SELECT SUM(a.seq + b.seq%'"
		count := func() string {
			got, err := executortest.QueryRowsJSON(t.Context(), direct, running)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		ended := make(chan error, 1)
		go func() {
			_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT SUM(a.seq + b.seq % 7) AS s FROM seq_1_to_200000 a, seq_1_to_200000 b")
			ended <- err
		}()
		testwait.Until(t, "the statement runs for a second: the server is then older than the session by whole seconds", func() bool {
			got, err := executortest.QueryRowsJSON(t.Context(), direct, running+" AND time_ms > 1000")
			return err == nil && got == `[{"n":1}]`
		})
		proxy.CutConnections()
		wantError(t, <-ended, executor.CodeDriver, s)
		testwait.Until(t, "the statement has ended", func() bool { return count() == `[{"n":0}]` })
	})
}

func TestErrors_KilledStatementIsDriverError(t *testing.T) {
	s := servers.MariaDB(t)
	e := open(t, options(s.Address))
	ended := make(chan error, 1)
	go func() {
		_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT SUM(a.seq * b.seq % 7) AS s FROM seq_1_to_200000 a, seq_1_to_200000 b")
		ended <- err
	}()
	testwait.Until(t, "the long statement runs and is killed", func() bool {
		id, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SUM(a.seq * b.seq%'")
		if err != nil {
			t.Fatal(err)
		}
		if id != "[]" {
			_, _ = executortest.QueryRowsJSON(t.Context(), e, "KILL QUERY "+strings.Trim(id, `[]{}"id:`))
		}
		return id != "[]"
	})
	wantError(t, <-ended, executor.CodeDriver, s)
}

func TestPool_ReplacesDeadConnection(t *testing.T) {
	s := servers.MariaDB(t)
	proxy := executortest.NewFaultProxy(t, s.HostPort())
	o := options(s.Address)
	o.Port, o.PoolSize = proxy.Port, 1
	e := open(t, o)
	for range 3 {
		if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1 AS n"); err != nil || got != `[{"n":1}]` {
			t.Fatalf("got %s, %v", got, err)
		}
		proxy.CutConnections()
	}
}
