package clickhouse_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/testwait"
)

func TestErrors_ClassifiedByExceptionCode(t *testing.T) {
	tests := []struct {
		name   string
		status int
		number string
		body   string
		code   string
		want   string // in the message
	}{
		{"syntax", 400, "62", "Code: 62. DB::Exception: Syntax error: failed at position 1 (SELEC). (SYNTAX_ERROR) (version 26.7.2.1 (official build))\n", "sql_rejected", "Syntax error: failed at position 1 (SELEC). (SYNTAX_ERROR) (code 62)"},
		{"unknown table", 404, "60", "Code: 60. DB::Exception: Unknown table expression identifier 't' in scope SELECT 1 FROM t. (UNKNOWN_TABLE) (version 25.3.1.1)\n", "sql_rejected", "identifier 't'"},
		{"of another server", 500, "395", "Code: 395. DB::Exception: Received from ch-01.internal.example:9000. DB::Exception: no more. (X) (version 25.3.1.1)", "sql_rejected", "rejected the SQL: no more. (X) (code 395)"},
		{"in the engine's own words", 500, "395", "Code: 395. DB::Exception: SUM exceeds 64 bits: while executing 'FUNCTION throwIf(greater(1, 2)) -> UInt8 : 2'. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 26.7.2.1)", "sql_rejected", "rejected the SQL: SUM exceeds 64 bits. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (code 395)"},
		{"no privilege", 403, "497", "Code: 497. DB::Exception: reader: Not enough privileges. To execute this query, it's necessary to have the grant SELECT(v) ON sales.t. (ACCESS_DENIED)", "sql_rejected", "rejected the SQL: Not enough privileges."},
		{"wrong password", 403, "516", "Code: 516. DB::Exception: reader: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)", "auth", "code 516"},
		{"wrong password, without a number", 401, "", "denied", "auth", "401"},
		{"unknown user", 403, "192", "Code: 192. DB::Exception: There is no user `reader` in local directory. (UNKNOWN_USER)", "auth", "code 192"},
		{"the profile's database", 404, "81", "Code: 81. DB::Exception: Database sales does not exist. (UNKNOWN_DATABASE)", "config", "database of the connection profile"},
		{"another database", 404, "81", "Code: 81. DB::Exception: Database other does not exist. (UNKNOWN_DATABASE)", "sql_rejected", "Database other"},
		{"the server's own timeout", 408, "159", "Code: 159. DB::Exception: Timeout exceeded: elapsed 1.0 seconds, maximum: 1. (TIMEOUT_EXCEEDED)", "timeout", "Timeout exceeded"},
		{"too many queries", 500, "202", "Code: 202. DB::Exception: Too many simultaneous queries. Maximum: 100. (TOO_MANY_SIMULTANEOUS_QUERIES)", "connection", "Too many"},
		{"memory", 500, "241", "Code: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED)", "driver", "Memory limit"},
		{"killed by somebody", 500, "394", "Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)", "driver", "cancelled"},
		{"a number without a text", 500, "60", "", "sql_rejected", "code 60"},
		{"reported with status 200", 200, "60", "Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)", "sql_rejected", "Unknown table"},
		{"no ClickHouse", 404, "", "<html>404 Not Found</html>", "config", "not ClickHouse"},
		{"a proxy without a server", 502, "", "Bad Gateway", "connection", "502"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
				if tt.number != "" {
					w.Header().Set("X-ClickHouse-Exception-Code", tt.number)
				}
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			})
			_, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT 1")
			e := executortest.ExpectError(t, err, tt.code)
			if !strings.Contains(e.Message, tt.want) {
				t.Errorf("%q lacks %q", e.Message, tt.want)
			}
			if want := tt.number == "497"; e.Denied != want {
				t.Errorf("denied: %v, want %v", e.Denied, want)
			}
			for _, secret := range []string{"internal.example", "reader", password, "(version"} {
				if strings.Contains(e.Message+e.Hint, secret) {
					t.Errorf("%q shows %q", e.Message, secret)
				}
			}
		})
	}
}

func TestStream_MidwayFailureIsAnError(t *testing.T) {
	const text = "Code: 395. DB::Exception: Value passed to 'throwIf' function is non-zero. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)"
	begun, whole := unfinished(t, numbers(t, 1, 2), numbers(t, 3)), stream(t, numbers(t, 1, 2), numbers(t, 3))
	join := func(head []byte, tail string) []byte { return append(append([]byte(nil), head...), tail...) }
	tests := []struct {
		name string
		body []byte
		code string
		want string
	}{
		{"with a tag, as from 25.11 on", join(begun, "\r\n__exception__\r\nPU1FNUFH98\r\n"+text+" (version 26.7.2.1)\n129 PU1FNUFH98\r\n__exception__\r\n"), "sql_rejected", "is non-zero. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (code 395)"},
		{"with a marker, as from 24.11 on", join(begun, "__exception__\r\n"+text+" (version 25.1.6.34 (official build))\n"), "sql_rejected", "throwIf"},
		{"plain, as before", join(begun, text+" (version 22.10.1.1)\n"), "sql_rejected", "throwIf"},
		{"a timeout", join(begun, "Code: 159. DB::Exception: Timeout exceeded: elapsed 0.7 seconds. (TIMEOUT_EXCEEDED)"), "timeout", "Timeout exceeded"},
		{"inside of a message", join(begun[:len(begun)-20], "\r\n__exception__\r\n"+text), "sql_rejected", "throwIf"},
		{"behind the end marker", join(whole, "\r\n__exception__\r\nabc\r\n"+text+"\n99 abc\r\n__exception__\r\n"), "sql_rejected", "throwIf"},
		{"without the end marker", begun, "driver", "broke"},
		{"in the middle of a message", begun[:len(begun)-5], "driver", "broke"},
		{"in the middle of a length", join(begun, "\xff\xff\xff"), "driver", "broke"},
		{"garbage", join(begun, strings.Repeat("x", 100)), "driver", "broke"},
		{"a length beyond reason", join(begun, "\xff\xff\xff\xff\xff\xff\xff\x7f"), "driver", "broke"},
		{"something behind the end", join(whole, "surplus"), "driver", "broke"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := newFake(t, answerWith(tt.body)).open(t)
			rows, err := e.Query(t.Context(), "SELECT n FROM t")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for {
				batch, next := rows.Next(t.Context())
				if next != nil {
					err = next
					break
				}
				batch.Release()
			}
			if failure := executortest.ExpectError(t, err, tt.code); !strings.Contains(failure.Message, tt.want) {
				t.Errorf("%q lacks %q", failure.Message, tt.want)
			}
			if _, again := rows.Next(t.Context()); !errors.Is(again, err) {
				t.Errorf("the error does not stay: %v", again)
			}
		})
	}
}

func TestStream_CutConnectionIsAnError(t *testing.T) {
	body := unfinished(t, numbers(t, 1, 2))
	f := newFake(t, func(w http.ResponseWriter, _ *http.Request, text string) {
		if strings.HasPrefix(text, "KILL") {
			return
		}
		_, _ = w.Write(body)
		w.(http.Flusher).Flush()
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	})
	_, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT 1")
	executortest.ExpectError(t, err, executor.CodeDriver)
}

func TestErrors_UnreachableServer(t *testing.T) {
	const port = 1 // which no program uses
	for host, want := range map[string]string{"127.0.0.1": "refuses", "no-such-host.invalid": "does not resolve"} {
		_, err := executortest.QueryRowsJSON(t.Context(), open(t, clickhouse.Options{Host: host, Port: port}), "SELECT 1")
		e := executortest.ExpectError(t, err, executor.CodeConnection)
		if !strings.Contains(e.Message, want) || strings.Contains(e.Message, host) {
			t.Errorf("%s: %s", host, e.Message)
		}
	}
}

// stuck returns a server whose statements never end. The channel gone reports that the client of a
// statement has disconnected.
func stuck(t *testing.T, first []byte, killToo bool) (f *fake, gone chan struct{}) {
	gone = make(chan struct{}, 8)
	release := make(chan struct{})
	f = newFake(t, func(w http.ResponseWriter, r *http.Request, text string) {
		if strings.HasPrefix(text, "KILL") && !killToo {
			return
		}
		if len(first) > 0 {
			_, _ = w.Write(first)
			w.(http.Flusher).Flush()
		}
		select {
		case <-r.Context().Done():
			if !strings.HasPrefix(text, "KILL") {
				gone <- struct{}{}
			}
		case <-release:
		}
	})
	t.Cleanup(func() { close(release) })
	return f, gone
}

func TestCancel_KillsStatementAndConnection(t *testing.T) {
	begun := unfinished(t, numbers(t, 1))
	for _, tt := range []struct {
		name    string
		first   []byte
		killToo bool
	}{
		{"before the first byte", nil, false},
		{"in mid-stream", begun, false},
		{"where the kill hangs as well", begun, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, gone := stuck(t, tt.first, tt.killToo)
			e := f.open(t)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			_, err := executortest.QueryRowsJSON(ctx, e, "SELECT n FROM t")
			if executortest.ExpectError(t, err, executor.CodeTimeout); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v does not wrap the deadline", err)
			}
			testwait.Receive(t, "the cut of the connection", gone)
			requests := f.requests()
			want := "KILL QUERY WHERE query_id = '" + requests[0].settings.Get("query_id") + "' ASYNC"
			if len(requests) != 2 || requests[1].text != want || requests[1].settings.Has("readonly") {
				t.Errorf("asked %+v, want %s", requests[1:], want)
			}
			if use := e.PoolUse().InUse; use != 0 {
				t.Errorf("%d statements count as running", use)
			}
		})
	}
}

func TestCancel_EarlyCloseKillsStatement(t *testing.T) {
	f, gone := stuck(t, unfinished(t, numbers(t, 1)), false)
	rows, err := f.open(t).Query(t.Context(), "SELECT n FROM t")
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	testwait.Receive(t, "the cut of the connection", gone)
	if requests := f.requests(); len(requests) != 2 || !strings.HasPrefix(requests[1].text, "KILL QUERY") {
		t.Errorf("asked %+v", requests)
	}
}
