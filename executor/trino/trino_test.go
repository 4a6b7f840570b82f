package trino_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/trino"
)

func TestSession_RequestHeaders(t *testing.T) {
	t.Run("requests carry the user, catalog, schema and time zone", func(t *testing.T) {
		f := newFake(t, true)
		e := f.open(t, 1)
		defer e.Close()
		if _, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{
			"X-Trino-User": "ann", "X-Trino-Catalog": "hive", "X-Trino-Schema": "sales", "X-Trino-Time-Zone": "UTC",
			"X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME", "X-Trino-Language": "en-US",
		} {
			if got := f.headers.Get(key); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		}
		if user, password, _ := (&http.Request{Header: f.headers}).BasicAuth(); user != "ann" || password != warehousefake.FakeSecret {
			t.Errorf("credentials %s:%s", user, password)
		}
	})
}

func TestErrors_CodePerFailure(t *testing.T) {
	status := func(code int, body string) warehousefake.RequestFault {
		return warehousefake.FaultOnEveryRequest(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, code) })
	}
	failure := func(name, kind, message string) warehousefake.RequestFault {
		return warehousefake.FaultOnEveryRequest(func(w http.ResponseWriter, _ *http.Request) {
			reply(w, map[string]any{"id": "x", "error": refuse(name, kind, message)})
		})
	}
	warehousefake.TestFailures(t, secure, []warehousefake.FailureCase{
		{Name: "wrong password", Fault: status(401, "Access Denied for ann at 127.0.0.1: "+warehousefake.FakeSecret), Code: "auth", Words: "HTTP status 401"},
		{Name: "forbidden", Fault: status(403, warehousefake.FakeSecret), Code: "auth", Words: "HTTP status 403"},
		{Name: "another server", Fault: status(404, "<html>"), Code: "connection", Words: "not a Trino coordinator"},
		{Name: "a redirect", Fault: warehousefake.FaultOnEveryRequest(warehousefake.RespondWithRedirect(302)), Code: "connection", Words: "not a Trino coordinator"},
		{Name: "a web page", Fault: status(200, "<html>"), Code: "connection", Words: "protocol failed"},
		{Name: "internal error of the server", Fault: status(500, "NullPointerException at 127.0.0.1"), Code: "driver", Words: "HTTP status 500"},
		{Name: "unknown column", Fault: failure("COLUMN_NOT_FOUND", "USER_ERROR", "line 1:8: Column 'x' cannot be resolved"), Code: "sql_rejected", Words: "Column 'x' cannot be resolved (COLUMN_NOT_FOUND)"},
		{Name: "no right to the table", Fault: failure("PERMISSION_DENIED", "USER_ERROR", "Access Denied: Cannot select from table t"), Code: "sql_rejected", Words: "Cannot select from table t"},
		{Name: "time limit of the cluster", Fault: failure("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "Query exceeded maximum time limit of 1.00m"), Code: "timeout", Words: "maximum time limit"},
		{Name: "full queue", Fault: failure("QUERY_QUEUE_FULL", "INSUFFICIENT_RESOURCES", "Too many queued queries"), Code: "connection", Words: "no more statements"},
		{Name: "starting", Fault: failure("SERVER_STARTING_UP", "INTERNAL_ERROR", "127.0.0.1"), Code: "connection", Words: "no more statements"},
		{Name: "killed", Fault: failure("ADMINISTRATIVELY_KILLED", "USER_ERROR", "bye"), Code: "driver", Words: "gave the statement up"},
		{Name: "out of memory", Fault: failure("CLUSTER_OUT_OF_MEMORY", "INSUFFICIENT_RESOURCES", "127.0.0.1"), Code: "driver", Words: "CLUSTER_OUT_OF_MEMORY"},
		{Name: "lost worker", Fault: failure("REMOTE_TASK_ERROR", "INTERNAL_ERROR", "http://127.0.0.1:8080/v1/task"), Code: "driver", Words: "REMOTE_TASK_ERROR"},
		{Name: "a connector", Fault: failure("JDBC_ERROR", "EXTERNAL", "connect to 127.0.0.1 with "+warehousefake.FakeSecret), Code: "driver", Words: "JDBC_ERROR"},
	})
}

func TestStream_TruncatedPageIsAnError(t *testing.T) {
	fourth := func(r *http.Request) bool { return r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/3") }
	warehousefake.TestTruncatedResults(t, plain, map[string]warehousefake.RequestFault{
		"in the middle": warehousefake.FaultOnMatchingRequests(fourth, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"columns":[{"name":"i","typeSignature":{"rawType":"bigint"}}],"data":[[30000],[30001],`))
		}),
	})
}

func TestTypes_MismatchedRowIsAnError(t *testing.T) {
	for data, words := range map[string]string{`[[1,2]]`: "does not fit its columns", `[["x"]]`: "column i cannot be carried"} {
		f := newFake(t, false)
		f.Misbehave = warehousefake.FaultOnPathContaining("/executing/", warehousefake.RespondWithText(`{"columns":[{"name":"i","typeSignature":{"rawType":"bigint"}}],"data":`+data+`}`))
		e := f.open(t, 1)
		_, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1))
		if m := warehousefake.ExpectErrorWithoutSecrets(t, err, executor.CodeDriver).Message; !strings.Contains(m, words) {
			t.Errorf("%s: %s", data, m)
		}
		_ = e.Close()
	}
}

func TestRetry_BusyGateway(t *testing.T) {
	busy := warehousefake.FaultOnEveryRequest(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	if n := warehousefake.TestRetriesWhenBusy(t, plain(t), busy); n != 1 {
		t.Errorf("%d statements ran", n)
	}
}

func TestOptions_InvalidRejected(t *testing.T) {
	executortest.TestRejectedOptions(t, trino.Open, warehousefake.FakeSecret,
		trino.Options{User: "ann"}, trino.Options{Host: "h"}, trino.Options{Host: "h", User: "ann", Password: executor.NewSecret(warehousefake.FakeSecret)})
}

func TestStatement_CarriesTheTagOfItsRequest(t *testing.T) {
	f := newFake(t, false)
	e := f.open(t, 1)
	defer e.Close()
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{"semlayer 0a1b/1", "semlayer 0a1b/2"} {
		if _, err := executortest.CollectJSON(ctx, e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		if got := f.headers.Get("X-Trino-Client-Tags"); got != want {
			t.Errorf("the tags are %q, want %q", got, want)
		}
	}
}
