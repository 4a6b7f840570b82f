package bigquery_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/bigquery"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/testwait"
)

func TestJob_RequestConfiguration(t *testing.T) {
	t.Run("a job carries its statement, dataset and time zone", func(t *testing.T) {
		f := newFake(t)
		e := f.open(t, 1)
		defer e.Close()
		if _, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(f.inserted["configuration"])
		want := `{"query":{"connectionProperties":[{"key":"time_zone","value":"UTC"}],"defaultDataset":{"datasetId":"sales","projectId":"p"},"query":"SELECT i FROM series(1)","useLegacySql":false}}`
		if d := cmp.Diff(want, string(got)); err != nil || d != "" {
			t.Error(d, err)
		}
	})
}

func TestOpen_BrokenCredentialsRejected(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":      warehousefake.FakeSecret,
		"no key":       `{"type":"service_account","private_key":"` + warehousefake.FakeSecret + `"}`,
		"another kind": `{"type":"external_account","token_url":"` + warehousefake.FakeSecret + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			e, err := bigquery.Open(bigquery.Options{Project: "p", CredentialsFile: warehousefake.WriteTestFile(t, []byte(text))})
			if name == "no key" && err == nil {
				// The key is read when a token is wanted.
				defer e.Close()
				_, err = executortest.CollectJSON(t.Context(), e, "SELECT 1")
			}
			if err == nil {
				t.Fatal("no error")
			}
			if strings.Contains(err.Error(), warehousefake.FakeSecret) {
				t.Errorf("the secret shows: %v", err)
			}
		})
	}
	executortest.TestRejectedOptions(t, bigquery.Open, warehousefake.FakeSecret, bigquery.Options{Project: "p", CredentialsFile: "/no/such/file"}, bigquery.Options{})
}

func TestErrors_CodePerFailure(t *testing.T) {
	on := func(part string, code int, reason, message string) warehousefake.RequestFault {
		return warehousefake.FaultOnPathContaining(part, func(w http.ResponseWriter, _ *http.Request) { refuse(w, code, reason, message) })
	}
	warehousefake.TestFailures(t, service, []warehousefake.FailureCase{
		{Name: "the key was revoked", Fault: warehousefake.FaultOnPathContaining("/token", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(400)
			reply(w, map[string]string{"error": "invalid_grant", "error_description": warehousefake.FakeSecret})
		}), Code: "auth", Words: "invalid_grant"},
		{Name: "the token is refused", Fault: on("/jobs", 401, "authError", warehousefake.FakeSecret), Code: "auth", Words: "authError"},
		{Name: "no right to run jobs", Fault: on("/jobs", 403, "accessDenied", "Access Denied: Project p: "+warehousefake.FakeSecret), Code: "auth", Words: "accessDenied"},
		{Name: "no such project", Fault: on("/jobs", 404, "notFound", "Not found: Project p"), Code: "config", Words: "project"},
		{Name: "no such table", Fault: on("/queries/", 404, "notFound", "Not found: Table p:sales.t was not found in location EU"), Code: "sql_rejected", Words: "Table p:sales.t was not found"},
		{Name: "no right to the table", Fault: on("/queries/", 403, "accessDenied", "Access Denied: Table p:sales.t"), Code: "sql_rejected", Words: "Access Denied: Table"},
		{Name: "unknown column", Fault: on("/queries/", 400, "invalidQuery", "Unrecognized name: x at [1:8]"), Code: "sql_rejected", Words: "Unrecognized name: x at [1:8] (invalidQuery)"},
		{Name: "too large", Fault: on("/queries/", 403, "responseTooLarge", "Response too large to return"), Code: "sql_rejected", Words: "too large"},
		{Name: "too dear", Fault: on("/queries", 400, "bytesBilledLimitExceeded", "Query exceeded limit for bytes billed: 5. 10485760 or higher required."), Code: "cost_limit_exceeded", Words: "bytes"},
		{Name: "out of quota", Fault: on("/jobs", 403, "quotaExceeded", "Quota exceeded"), Code: "connection", Words: "no more statements"},
		{Name: "cancelled by somebody", Fault: on("/queries/", 400, "stopped", "Job execution was cancelled: User requested cancellation"), Code: "driver", Words: "gave the statement up"},
		{Name: "out of memory", Fault: on("/queries/", 400, "resourcesExceeded", "Resources exceeded during query execution"), Code: "driver", Words: "resourcesExceeded"},
		{Name: "time limit of the job", Fault: on("/queries/", 400, "timeout", "Job timed out after 1s"), Code: "timeout", Words: "timed out"},
		{Name: "internal error of the service", Fault: on("/queries/", 500, "internalError", "127.0.0.1"), Code: "driver", Words: "internalError"},
		{Name: "a web page", Fault: warehousefake.FaultOnPathContaining("/jobs", warehousefake.RespondWithText("<html>")), Code: "connection", Words: "protocol failed"},
	})
}

func TestStream_TruncatedPageIsAnError(t *testing.T) {
	fourth := func(r *http.Request) bool { return r.URL.Query().Get("pageToken") == "30000" }
	warehousefake.TestTruncatedResults(t, service, map[string]warehousefake.RequestFault{
		"in the middle": warehousefake.FaultOnMatchingRequests(fourth, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte(`{"jobComplete":true,"rows":[{"f":[{"v":"30000"}]},`))
		}),
	})
}

// The job exists, although a gateway in front of the service reported a failure.
func TestJob_LostResponseIsCancelled(t *testing.T) {
	t.Run("a job whose response was lost is cancelled when its context ends", func(t *testing.T) {
		f := newFake(t)
		f.options.Location = "EU"
		f.Misbehave = warehousefake.FaultAfterStatementStart(warehousefake.FaultOnMatchingRequests(func(r *http.Request) bool {
			return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/jobs")
		},
			func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "backendError", "try again") }))
		e := f.open(t, 1)
		defer e.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := executortest.CollectJSON(ctx, e, warehousefake.SlowStatement)
		_ = warehousefake.ExpectErrorWithoutSecrets(t, err, "timeout")
		testwait.Until(t, "no job runs", func() bool {
			running, _ := f.RunningAndCancelledCounts()
			return running == 0
		})
	})
}

func TestRetry_BusyServiceRunsJobOnce(t *testing.T) {
	for name, location := range map[string]string{"in a known location": "EU", "wherever its data is": ""} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.options.Location = location
			asked := func(r *http.Request) bool { return r.URL.Path != "/token" }
			busy := warehousefake.FaultOnMatchingRequests(asked, func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "backendError", "try again") })
			if n := warehousefake.TestRetriesWhenBusy(t, f.FakeService, warehousefake.FaultAfterStatementStart(busy)); n != 1 {
				t.Errorf("%d jobs ran", n)
			}
		})
	}
}

func TestJob_CarriesTheTagOfItsRequest(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{`{"semlayer_query":"0a1b","semlayer_statement":"1"}`, `{"semlayer_query":"0a1b","semlayer_statement":"2"}`} {
		if _, err := executortest.CollectJSON(ctx, e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		configuration := f.inserted["configuration"].(map[string]any)
		if got, err := json.Marshal(configuration["labels"]); err != nil || string(got) != want {
			t.Errorf("the labels are %s, %v, want %s", got, err, want)
		}
	}
}

// The lesser of the limits of the profile and of the caller is that of the job, and the fake rejects a job as BigQuery does.
func TestJob_IsBoundByTheLesserLimitOfBytes(t *testing.T) {
	for _, tt := range []struct {
		profile, caller int64
		want            any
	}{{0, 0, nil}, {5, 0, "5"}, {0, 7, "7"}, {5, 7, "5"}, {7, 5, "5"}} {
		f := newFake(t)
		f.options.MaxBytesBilled = tt.profile
		e := f.open(t, 1)
		t.Cleanup(func() { e.Close() })
		ctx := t.Context()
		if tt.caller > 0 {
			ctx = executor.WithMaxBytesBilled(ctx, tt.caller)
		}
		if _, err := executortest.CollectJSON(ctx, e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		if got := f.inserted["configuration"].(map[string]any)["query"].(map[string]any)["maximumBytesBilled"]; got != tt.want {
			t.Errorf("%+v: the limit is %v", tt, got)
		}
	}
}
