package pgwire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
)

// stateOf returns the SQLSTATE of an error; "" for none.
func stateOf(err error) string {
	var e *pgconn.PgError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return err.Error()
}

func run(c *pgconn.PgConn, sql string) ([]*pgconn.Result, error) {
	return c.Exec(context.Background(), sql).ReadAll()
}

func TestSession_ErrorsHaveStateDetailHintAndPosition(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	_, err := run(c, "SELECT status, MEASURE(revenue) FROM orders")
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if e.Code != "42803" || !strings.HasPrefix(e.Detail, "code: sql_group_by_required\ncandidates: ") || e.Hint != "SELECT status, MEASURE(revenue) FROM orders GROUP BY status" || e.Position != 8 || e.Severity != "ERROR" {
		t.Errorf("%+v", e)
	}
	for sql, state := range map[string]string{
		"INSERT INTO orders VALUES (1)":                    "25006",
		"SELEKT":                                           "42601",
		"SELECT nothing FROM orders":                       "42703",
		"SELECT * FROM nowhere":                            "42P01",
		"SET nothing = 1":                                  "42704",
		"SET standard_conforming_strings = off":            "22023",
		"SHOW nothing":                                     "42704",
		"FETCH 1 FROM nothing":                             "34000",
		"EXECUTE nothing":                                  "26000",
		"SAVEPOINT a":                                      "25P01",
		"DECLARE c CURSOR FOR SELECT status FROM orders":   "25P01",
		"SELECT order_id, wrong FROM orders ORDER BY 1":    "22P02",
		"SET semlayer.context_filter = 'nothing = 1'":      "42703",
		"SET jit_optimize_above_cost = -2":                 "22023",
		"SET cpu_tuple_cost = 'much'":                      "22023",
		"SET geqo_threshold = 1":                           "22023",
		"SET enable_material = maybe":                      "22023",
		"SET semlayer.rollups = 'never'":                   "22023",
		"SET semlayer.max_age = -1":                        "22023",
		"SET semlayer.max_age = 'new'":                     "22023",
		"SELECT status FROM orders WHERE order_date = 'x'": "22007",
		"SHOW data_directory":                              "42501",
		"COPY orders FROM STDIN":                           "25006",
		"EXPLAIN (FORMAT JSON) SELECT 1":                   "0A000",
		"EXPLAIN (COSTS off, FORMAT 'yaml') SELECT 1":      "0A000",
		"LOCK TABLE orders":                                "25006",
		"LOCK orders IN ROW EXCLUSIVE MODE":                "25006",
		"LOCK TABLE orders IN ACCESS SHARE MODE":           "25P01",
		"SET ROLE postgres":                                "22023",
		"SET LOCAL ROLE 'postgres'":                        "22023",
		"SET role = postgres":                              "22023",
		"SET SESSION AUTHORIZATION postgres":               "22023",
	} {
		if _, err := run(c, sql); stateOf(err) != state {
			t.Errorf("%s: %v, want %s", sql, err, state)
		}
	}
	if got := rowsOf(t, c, "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
		t.Errorf("after the errors: %v", got)
	}
}

func TestSession_TransactionsHaveTheStatesOfPostgreSQL(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	for _, step := range []struct {
		sql, state, tag string
		status          byte
	}{
		{"BEGIN READ WRITE", "", "BEGIN", 'T'},
		{"LOCK TABLE public.orders, shop IN ACCESS SHARE MODE", "", "LOCK TABLE", 'T'},
		{"SET application_name = 'a'", "", "SET", 'T'},
		{"SAVEPOINT one", "", "SAVEPOINT", 'T'},
		{"SET application_name = 'b'", "", "SET", 'T'},
		{"SELECT nothing FROM orders", "42703", "", 'E'},
		{"SELECT status FROM orders", "25P02", "", 'E'},
		{"ROLLBACK TO two", "3B001", "", 'E'},
		{"ROLLBACK TO one", "", "ROLLBACK", 'T'},
		{"RELEASE one", "", "RELEASE", 'T'},
		{"COMMIT", "", "COMMIT", 'I'},
		{"START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", "", "START TRANSACTION", 'T'},
		{"SELECT 1 / FROM orders", "42601", "", 'E'},
		{"COMMIT", "", "ROLLBACK", 'I'},
		{"ROLLBACK", "", "ROLLBACK", 'I'},
		{"BEGIN; SET LOCAL application_name = 'c'; COMMIT", "", "COMMIT", 'I'},
		{"SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", "", "SET", 'I'},
		{"DISCARD PLANS", "", "DISCARD PLANS", 'I'},
		{"SET ROLE me", "", "SET", 'I'},
		{`SET SESSION AUTHORIZATION "me"`, "", "SET", 'I'},
		{"SET ROLE NONE", "", "SET", 'I'},
		{"SET SESSION AUTHORIZATION DEFAULT", "", "SET", 'I'},
		{"RESET ROLE", "", "RESET", 'I'},
	} {
		results, err := run(c, step.sql)
		tag := ""
		if err == nil {
			tag = results[len(results)-1].CommandTag.String()
		}
		if stateOf(err) != step.state || tag != step.tag || c.TxStatus() != step.status {
			t.Errorf("%s: %v, tag %q, status %c", step.sql, err, tag, c.TxStatus())
		}
	}
	if got := c.ParameterStatus("application_name"); got != "a" {
		t.Errorf("application_name is %q", got)
	}
}

func TestSession_CursorsGoForwardInATransaction(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	if _, err := run(c, "BEGIN; DECLARE c NO SCROLL CURSOR FOR SELECT n FROM numbers ORDER BY n"); err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(t, c, "FETCH 2 FROM c; FETCH NEXT IN c; MOVE FORWARD 10 IN c; FETCH FORWARD 1 FROM c"); !cmp.Equal(got, [][]string{{"0"}, {"1"}, {"2"}, {"13"}}) {
		t.Error(got)
	}
	if _, err := run(c, "SAVEPOINT s"); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"FETCH BACKWARD 1 FROM c", "FETCH PRIOR FROM c", "FETCH ABSOLUTE 1 FROM c", "FETCH LAST FROM c"} {
		if _, err := run(c, sql); stateOf(err) != "55000" {
			t.Errorf("%s: %v", sql, err)
		}
		if _, err := run(c, "ROLLBACK TO s"); err != nil {
			t.Fatal(err)
		}
	}
	if got := rowsOf(t, c, "FETCH 1 FROM c"); got[0][0] != "14" {
		t.Errorf("a cursor before the savepoint: %v", got)
	}
	if _, err := run(c, "CLOSE c"); err != nil {
		t.Error(err)
	}
	if _, err := run(c, "FETCH 1 FROM c"); stateOf(err) != "34000" {
		t.Error(err)
	}
}

func TestSession_CursorsWithHoldSurviveCommit(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	// The statements of psqlodbc with UseDeclareFetch, and of libpqxx.
	got := rowsOf(t, c, `BEGIN;declare "a" cursor with hold for SELECT n FROM numbers ORDER BY n FOR READ ONLY;fetch 2 in "a"`)
	if diff := cmp.Diff([][]string{{"0"}, {"1"}}, got); diff != "" {
		t.Error(diff)
	}
	if got = rowsOf(t, c, "COMMIT; FETCH 1 IN a; BEGIN; DECLARE b CURSOR WITH HOLD FOR SELECT n FROM numbers; ROLLBACK; FETCH 1 IN a"); !cmp.Equal(got, [][]string{{"2"}, {"3"}}) {
		t.Error(got)
	}
	if _, err := run(c, "FETCH 1 IN b"); stateOf(err) != "34000" {
		t.Errorf("a cursor of a transaction that was rolled back: %v", err)
	}
	if got = rowsOf(t, c, "DECLARE d CURSOR WITH HOLD FOR SELECT n FROM numbers ORDER BY n; FETCH 1 IN a; FETCH 1 IN d"); !cmp.Equal(got, [][]string{{"4"}, {"0"}}) {
		t.Error(got)
	}
	if _, err := run(c, "CLOSE ALL; FETCH 1 IN a"); stateOf(err) != "34000" {
		t.Error(err)
	}
}

func TestSession_PreparedStatementsByText(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	got := rowsOf(t, c, "PREPARE p (bigint) AS SELECT status FROM orders WHERE order_id = $1 AND status = $2; EXECUTE p(2, 'completed'); EXECUTE p(3, 'completed'); DEALLOCATE p")
	if diff := cmp.Diff([][]string{{"completed"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSession_CopiesRowsAsTextAndCSV(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	for sql, want := range map[string]string{
		"COPY (SELECT order_id, note, amount FROM orders ORDER BY 1) TO STDOUT":                                  "1\ta \"b\", c\t10.50\n2\t\t20.00\n3\t\\N\t\\N\n",
		"COPY (SELECT order_id, note, amount FROM orders ORDER BY 1) TO STDOUT WITH (FORMAT csv, HEADER true)":   "order_id,note,amount\n1,\"a \"\"b\"\", c\",10.50\n2,\"\",20.00\n3,,\n",
		"COPY (SELECT order_id, note FROM orders ORDER BY 1) TO STDOUT CSV DELIMITER ';' NULL 'none' QUOTE ''''": "1;a \"b\", c\n2;\n3;none\n",
		"COPY (SELECT E'a\\tb\\\\c' AS x, order_id FROM orders WHERE order_id = 1) TO STDOUT":                    "a\\tb\\\\c\t1\n",
	} {
		var out bytes.Buffer
		if _, err := c.CopyTo(t.Context(), &out, sql); err != nil || out.String() != want {
			t.Errorf("%s: %v\n%q\n%q", sql, err, out.String(), want)
		}
	}
}

// frontend speaks the messages of the protocol itself.
func frontend(t *testing.T, address string) (*pgproto3.Frontend, net.Conn) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(testwait.Deadline))
	f := pgproto3.NewFrontend(conn, conn)
	f.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "me"}})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	readTo(t, f, "ReadyForQuery I")
	return f, conn
}

// readTo reads messages as short texts, up to one.
func readTo(t *testing.T, f *pgproto3.Frontend, last string) []string {
	t.Helper()
	var out []string
	for {
		m, err := f.Receive()
		if err != nil {
			t.Fatalf("%v after %q", err, out)
		}
		text := strings.TrimPrefix(fmt.Sprintf("%T", m), "*pgproto3.")
		switch m := m.(type) {
		case *pgproto3.ReadyForQuery:
			text += " " + string(m.TxStatus)
		case *pgproto3.CommandComplete:
			text += " " + string(m.CommandTag)
		case *pgproto3.ErrorResponse:
			text += " " + m.Code
		case *pgproto3.ParameterStatus, *pgproto3.BackendKeyData, *pgproto3.AuthenticationOk:
			continue
		case *pgproto3.DataRow:
			text += " " + string(m.Values[0])
		}
		if out = append(out, text); text == last {
			return out
		}
	}
}

func TestSession_PipelinedMessagesAreAnsweredInOrder(t *testing.T) {
	f, _ := frontend(t, startPort(t, nil).address)
	f.Send(&pgproto3.Parse{Name: "s", Query: "SELECT n FROM numbers ORDER BY n LIMIT 5"})
	f.Send(&pgproto3.Describe{ObjectType: 'S', Name: "s"})
	f.Send(&pgproto3.Bind{PreparedStatement: "s", DestinationPortal: "p"})
	f.Send(&pgproto3.Describe{ObjectType: 'P', Name: "p"})
	f.Send(&pgproto3.Execute{Portal: "p", MaxRows: 2})
	f.Send(&pgproto3.Execute{Portal: "p", MaxRows: 2})
	f.Send(&pgproto3.Execute{Portal: "p"})
	f.Send(&pgproto3.Close{ObjectType: 'P', Name: "p"})
	f.Send(&pgproto3.Parse{Query: "SELECT nothing FROM numbers WHERE n = $1"})
	f.Send(&pgproto3.Bind{Parameters: [][]byte{[]byte("1")}})
	f.Send(&pgproto3.Execute{})
	f.Send(&pgproto3.Sync{})
	f.Send(&pgproto3.Parse{})
	f.Send(&pgproto3.Bind{})
	f.Send(&pgproto3.Execute{})
	f.Send(&pgproto3.Execute{Portal: "p"})
	f.Send(&pgproto3.Sync{})
	f.Send(&pgproto3.Query{String: "BEGIN"})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	got := readTo(t, f, "ReadyForQuery T")
	want := []string{
		"ParseComplete", "ParameterDescription", "RowDescription", "BindComplete", "RowDescription", "DataRow 0", "DataRow 1", "PortalSuspended",
		"DataRow 2", "DataRow 3", "PortalSuspended", "DataRow 4", "CommandComplete SELECT 1", "CloseComplete",
		"ErrorResponse 42703", "ReadyForQuery I",
		"ParseComplete", "BindComplete", "EmptyQueryResponse", "ErrorResponse 34000", "ReadyForQuery I",
		"CommandComplete BEGIN", "ReadyForQuery T",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// In a transaction a portal survives Sync.
	f.Send(&pgproto3.Bind{PreparedStatement: "s", DestinationPortal: "q"})
	f.Send(&pgproto3.Execute{Portal: "q", MaxRows: 1})
	f.Send(&pgproto3.Sync{})
	f.Send(&pgproto3.Execute{Portal: "q", MaxRows: 1})
	f.Send(&pgproto3.Query{String: "COMMIT"})
	f.Send(&pgproto3.Execute{Portal: "q", MaxRows: 1})
	f.Send(&pgproto3.Sync{})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	got = readTo(t, f, "ErrorResponse 34000")
	want = []string{"BindComplete", "DataRow 0", "PortalSuspended", "ReadyForQuery T", "DataRow 1", "PortalSuspended", "CommandComplete COMMIT", "ReadyForQuery I", "ErrorResponse 34000"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A parameter of a metric is described, and takes a parameter of the statement.
func TestSession_ParametersOfMetricsAreDescribed(t *testing.T) {
	c := connect(t, startPort(t, nil).url(""))
	const sql = "SELECT MEASURE(above, t => $1), COUNT(*) FROM orders WHERE status = $2"
	described, err := c.Prepare(t.Context(), "above", sql)
	if err != nil {
		t.Fatal(err)
	}
	if len(described.ParamOIDs) != 2 || described.Fields[0].Name != "above" || described.Fields[0].DataTypeOID != 1700 {
		t.Errorf("%v %v", described.ParamOIDs, described.Fields)
	}
	for least, want := range map[int]string{5: "30.50", 15: "20.00"} {
		var sum string
		var count int64
		if err := c.QueryRow(t.Context(), sql, least, "completed").Scan(&sum, &count); err != nil || sum != want || count != 2 {
			t.Errorf("above %d: %s %d %v", least, sum, count, err)
		}
	}
}

// A client that sends Flush and no Sync reads the error of a message too.
func TestSession_ErrorsDoNotWaitForSync(t *testing.T) {
	f, _ := frontend(t, startPort(t, nil).address)
	f.Send(&pgproto3.Parse{Query: "SELECT nothing FROM orders"})
	f.Send(&pgproto3.Describe{ObjectType: 'S'})
	f.Send(&pgproto3.Flush{})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := readTo(t, f, "ErrorResponse 42703"); len(got) > 2 {
		t.Error(got)
	}
}

func TestSession_EveryValueIsTheSameInTextAndBinary(t *testing.T) {
	p := startPort(t, nil)
	const sql = "SELECT order_id, amount, order_date, placed_at, seen_at, opens, rushed, weight, note FROM orders ORDER BY order_id"
	read := func(mode pgx.QueryExecMode) [][]any {
		c := connect(t, p.url(""))
		rows, err := c.Query(t.Context(), sql, mode)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var out [][]any
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				values[i] = fmt.Sprint(v)
			}
			out = append(out, values)
		}
		if rows.Err() != nil || len(out) != 3 {
			t.Fatal(rows.Err(), out)
		}
		return out
	}
	if diff := cmp.Diff(read(pgx.QueryExecModeSimpleProtocol), read(pgx.QueryExecModeCacheStatement)); diff != "" {
		t.Error(diff)
	}
}

func TestSession_CancelEndsAStatementAndGivesItsSlotBack(t *testing.T) {
	p := startPort(t, nil)
	c := connect(t, p.url("")).PgConn()
	const slow = "SELECT SUM(a.n * b.n) FROM (SELECT n, k FROM numbers LIMIT 200000) a JOIN (SELECT n, k FROM numbers LIMIT 200000) b ON a.k = b.k"
	for range 3 {
		done := make(chan error, 1)
		go func() {
			_, err := run(c, slow)
			done <- err
		}()
		testwait.Until(t, "the statement runs", p.isBusy)
		var storm sync.WaitGroup
		for range 20 {
			storm.Go(func() { _ = c.CancelRequest(context.Background()) })
		}
		storm.Wait()
		if err := <-done; stateOf(err) != "57014" {
			t.Errorf("%v", err)
		}
		testwait.Until(t, "the slot is free", p.isIdle)
	}
	if got := rowsOf(t, c, "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
		t.Error(got)
	}
}

func TestSession_ClientThatLeavesEndsItsStatement(t *testing.T) {
	p := startPort(t, nil)
	f, conn := frontend(t, p.address)
	f.Send(&pgproto3.Query{String: "SELECT SUM(a.n * b.n) FROM (SELECT n, k FROM numbers LIMIT 200000) a JOIN (SELECT n, k FROM numbers LIMIT 200000) b ON a.k = b.k"})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the statement runs", p.isBusy)
	_ = conn.Close()
	testwait.Until(t, "the statement ends", p.isIdle)
}

func TestServer_RefusesWhatItDoesNotServe(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.MaxSessions = 1 })
	for _, c := range []struct{ url, state string }{
		{"postgres://me@" + p.address + "/nowhere?sslmode=disable", "3D000"},
		{"postgres://me@" + p.address + "/?sslmode=disable", ""},
		{"postgres://shop@" + p.address + "/?sslmode=disable", ""},
		{p.url("") + "&options=-c%20nothing%3D1", "42704"},
		{p.url("") + "&options=-c%20extra_float_digits%3D3", ""},
		{p.url("") + "&min_protocol_version=3.0&max_protocol_version=3.2", ""},
	} {
		conn, err := pgconn.Connect(t.Context(), c.url)
		if stateOf(err) != c.state && !strings.Contains(stateOf(err), c.state) {
			t.Errorf("%s: %v", c.url, err)
		}
		if err == nil {
			_ = conn.Close(t.Context())
		}
		testwait.Until(t, "the session ends", func() bool { return p.server.SessionCount() == 0 })
	}
	first := connect(t, p.url("")).PgConn()
	if _, err := pgconn.Connect(t.Context(), p.url("")); !strings.Contains(fmt.Sprint(err), "53300") {
		t.Errorf("a session too many: %v", err)
	}
	if got := rowsOf(t, first, "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
		t.Error(got)
	}
}

func TestServer_HostileBytesEndOneSession(t *testing.T) {
	p := startPort(t, nil)
	for _, text := range []string{
		"", "\x00\x00\x00\x04", "\x7f\xff\xff\xff\x00\x03\x00\x00", "\x00\x00\x00\x08\x00\x02\x00\x00", "GET / HTTP/1.1\r\n\r\n",
		"\x00\x00\x00\x09\x00\x03\x00\x00\x00", "\x00\x00\x00\x0c\x00\x03\x00\x00user",
	} {
		conn, err := net.Dial("tcp", p.address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(text))
		_ = conn.Close()
	}
	for _, text := range []string{"Z\x00\x00\x00\x04", "Q\x7f\xff\xff\xff", "B\x00\x00\x00\x05\x00", "Q\x00\x00\x00\x00", "P\x00\x00\x00\x06ab"} {
		f, conn := frontend(t, p.address)
		_, _ = conn.Write([]byte(text))
		if got := readTo(t, f, "ErrorResponse 08P01"); len(got) != 1 {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := rowsOf(t, connect(t, p.url("")).PgConn(), "SELECT COUNT(*) FROM orders"); got[0][0] != "3" {
		t.Error(got)
	}
}

func TestServer_DrainEndsIdleSessionsAndLetsStatementsFinish(t *testing.T) {
	p := startPort(t, nil)
	idle, _ := frontend(t, p.address)
	busy := connect(t, p.url("")).PgConn()
	done := make(chan error, 1)
	go func() {
		_, err := run(busy, "SELECT n, label FROM numbers LIMIT 1500000")
		done <- err
	}()
	testwait.Until(t, "the statement runs", p.isBusy)
	p.stop()
	if got := readTo(t, idle, "ErrorResponse 57P01"); len(got) != 1 {
		t.Error(got)
	}
	if err := <-done; err != nil {
		t.Errorf("the running statement: %v", err)
	}
}

func TestServer_DisableExecuteStillDescribes(t *testing.T) {
	c := connect(t, startPort(t, func(c *pgwire.Config) { c.DisableExecute = true }).url(""))
	if _, err := run(c.PgConn(), "SELECT status FROM orders"); stateOf(err) != "42501" {
		t.Error(err)
	}
	d, err := c.PgConn().Prepare(t.Context(), "s", "SELECT status FROM orders WHERE order_id = $1", nil)
	if err != nil || len(d.Fields) != 1 || d.Fields[0].DataTypeOID != 25 || !cmp.Equal(d.ParamOIDs, []uint32{20}) {
		t.Errorf("%+v %v", d, err)
	}
}
