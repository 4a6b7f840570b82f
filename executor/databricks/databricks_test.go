package databricks_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
)

func TestStatement_RequestBody(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	for range 2 {
		if _, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := json.Marshal(f.begun)
	want := `{"catalog":"main","disposition":"EXTERNAL_LINKS","format":"ARROW_STREAM","schema":"sales","statement":"SELECT i FROM series(1)","wait_timeout":"0s","warehouse_id":"1a2b"}`
	if d := cmp.Diff(want, string(got)); err != nil || d != "" {
		t.Error(d, err)
	}
	if f.StatementCount() != 4 {
		t.Errorf("%d statements, want the two and, once, two questions about settings", f.StatementCount())
	}
}

func TestSession_RejectsUnsafeSettings(t *testing.T) {
	t.Run("a session with another time zone or without ANSI mode is rejected", func(t *testing.T) {
		for _, tt := range []struct{ zone, ansi, words string }{
			{"Europe/Warsaw", "true", "time zone"},
			{"UTC", "false", "ANSI mode"},
		} {
			f := newFake(t)
			f.zone, f.ansi = tt.zone, tt.ansi
			e := f.open(t, 1)
			_, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1))
			if m := warehousefake.ExpectErrorWithoutSecrets(t, err, executor.CodeConfig).Message; !strings.Contains(m, tt.words) {
				t.Errorf("%s, %s: %s", tt.zone, tt.ansi, m)
			}
			f.zone, f.ansi = "UTC", "true"
			if _, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1)); err != nil {
				t.Errorf("after the settings were mended: %v", err)
			}
			_ = e.Close()
		}
	})
}

func TestOptions_InvalidRejected(t *testing.T) {
	token := executor.NewSecret(warehousefake.FakeSecret)
	executortest.TestRejectedOptions(t, databricks.Open, warehousefake.FakeSecret,
		databricks.Options{HTTPPath: "/sql/1.0/warehouses/1a2b", Token: token},
		databricks.Options{Endpoint: "https://h", HTTPPath: "sql/protocolv1/o/1/0123-456789-abc", Token: token},
		databricks.Options{Endpoint: "https://h", HTTPPath: "/sql/1.0/warehouses/../x", Token: token},
		databricks.Options{Endpoint: "https://h", HTTPPath: "/sql/1.0/warehouses/1a2b"})
}

func TestErrors_CodePerFailure(t *testing.T) {
	always := func(code int, word, message string) warehousefake.RequestFault {
		return warehousefake.FaultOnEveryRequest(func(w http.ResponseWriter, _ *http.Request) { refuse(w, code, word, message) })
	}
	state := func(state, sqlState, code, message string) warehousefake.RequestFault {
		return warehousefake.FaultOnOneRowStatement(func(w http.ResponseWriter, _ *http.Request) {
			reply(w, map[string]any{"status": map[string]any{"state": state, "sql_state": sqlState, "error": map[string]any{"error_code": code, "message": message}}})
		})
	}
	warehousefake.TestFailures(t, service, []warehousefake.FailureCase{
		{Name: "wrong token", Fault: always(403, "403", "Invalid access token "+warehousefake.FakeSecret), Code: "auth", Words: "HTTP status 403"},
		{Name: "no token", Fault: always(401, "UNAUTHENTICATED", warehousefake.FakeSecret), Code: "auth", Words: "HTTP status 401"},
		{Name: "no such warehouse", Fault: always(404, "NOT_FOUND", "SQL warehouse 1a2b does not exist"), Code: "config", Words: "does not have this warehouse"},
		{Name: "another server", Fault: warehousefake.FaultOnEveryRequest(warehousefake.RespondWithRedirect(303)), Code: "connection", Words: "not a Databricks workspace"},
		{Name: "a web page", Fault: warehousefake.FaultOnEveryRequest(warehousefake.RespondWithText("<html>")), Code: "connection", Words: "protocol failed"},
		{Name: "internal error of the service", Fault: always(500, "INTERNAL_ERROR", "127.0.0.1"), Code: "driver", Words: "INTERNAL_ERROR"},
		{Name: "unknown table", Fault: state("FAILED", "42P01", "BAD_REQUEST", "[TABLE_OR_VIEW_NOT_FOUND] The table `t` cannot be found"), Code: "sql_rejected", Words: "The table `t` cannot be found (42P01)"},
		{Name: "overflow", Fault: state("FAILED", "22003", "UNKNOWN", "[ARITHMETIC_OVERFLOW] long overflow"), Code: "sql_rejected", Words: "long overflow"},
		{Name: "without a state", Fault: state("FAILED", "", "BAD_REQUEST", "no such thing"), Code: "sql_rejected", Words: "no such thing (BAD_REQUEST)"},
		{Name: "time limit of the warehouse", Fault: state("FAILED", "57KD0", "DEADLINE_EXCEEDED", "timed out"), Code: "timeout", Words: "DEADLINE_EXCEEDED"},
		{Name: "cancelled by somebody", Fault: state("CANCELED", "", "", ""), Code: "driver", Words: "gave the statement up"},
		{Name: "closed", Fault: state("CLOSED", "", "", ""), Code: "driver", Words: "gave the statement up"},
		{Name: "no capacity", Fault: state("FAILED", "", "RESOURCE_EXHAUSTED", "127.0.0.1"), Code: "connection", Words: "no more statements"},
		{Name: "lost executor", Fault: state("FAILED", "XXKDA", "IO_ERROR", "lost 127.0.0.1"), Code: "driver", Words: "IO_ERROR"},
		{Name: "a truncated result", Fault: warehousefake.FaultOnOneRowStatement(func(w http.ResponseWriter, _ *http.Request) {
			reply(w, map[string]any{"status": map[string]any{"state": "SUCCEEDED"}, "manifest": map[string]any{"truncated": true, "total_row_count": 5}})
		}), Code: "driver"},
	})
}

func TestStream_TruncatedChunkIsAnError(t *testing.T) {
	second := func(r *http.Request) bool { return r.URL.Query().Get("from") == "25000" }
	begin := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(stream(warehousefake.StatementAnswer{Rows: 100_000}, 25_000, 40_000))
	}
	warehousefake.TestTruncatedResults(t, service, map[string]warehousefake.RequestFault{
		"in the middle": warehousefake.FaultOnMatchingRequests(second, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			begin(w, r)
		}),
		// Arrow's reader takes the end of the bytes between batches for the end.
		"between batches": warehousefake.FaultOnMatchingRequests(second, begin),
		"an expired link": warehousefake.FaultOnMatchingRequests(second, func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "expired signature", http.StatusGone)
		}),
		"no link": warehousefake.FaultOnPathContaining("/result/chunks/1", func(w http.ResponseWriter, _ *http.Request) {
			reply(w, map[string]any{"external_links": []any{}})
		}),
	})
}

func TestRetry_BusyWorkspace(t *testing.T) {
	busy := warehousefake.FaultOnEveryRequest(func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "TEMPORARILY_UNAVAILABLE", "try again") })
	if n := warehousefake.TestRetriesWhenBusy(t, service(t), busy); n != 3 {
		t.Errorf("%d statements ran, want two questions about settings and the one", n)
	}
}

func TestStatement_CarriesTheTagOfItsRequest(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{"/* semlayer 0a1b/1 */ ", "/* semlayer 0a1b/2 */ "} {
		if _, err := executortest.CollectJSON(ctx, e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		if got := f.begun["statement"]; got != want+warehousefake.SeriesStatement(1) {
			t.Errorf("the statement is %v, want %s in front", got, want)
		}
	}
}
