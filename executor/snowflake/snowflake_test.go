package snowflake_test

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/snowflake"
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
	want := `{"database":"DB","parameters":{"MULTI_STATEMENT_COUNT":"1","ROWS_PER_RESULTSET":"0","TIMEZONE":"UTC"},` +
		`"role":"ANALYST","schema":"My \"s","statement":"SELECT i FROM series(1)","warehouse":"WH"}`
	if d := cmp.Diff(want, string(got)); err != nil || d != "" {
		t.Error(d, err)
	}
	if f.StatementCount() != 3 {
		t.Errorf("%d statements, want the two and, once, a question about names", f.StatementCount())
	}
}

func TestAuth_KeyPairSignsTokens(t *testing.T) {
	f := newFake(t)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(warehousefake.FakePrivateKey())
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []*pem.Block{
		{Type: "PRIVATE KEY", Bytes: pkcs8},
		{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(warehousefake.FakePrivateKey())},
	} {
		o := f.options()
		o.Token, o.PrivateKeyFile = executor.Secret{}, writeKey(t, block)
		e, err := snowflake.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(3)); err != nil || got.Count != 3 {
			t.Errorf("%s: %d rows, %v", block.Type, got.Count, err)
		}
		_ = e.Close()
	}
}

func TestAuth_UnusableKeyRejected(t *testing.T) {
	for path, words := range map[string]string{
		"/no/such/file": "cannot be read",
		warehousefake.WriteTestFile(t, []byte(warehousefake.FakeSecret)):                                "not in PEM form",
		writeKey(t, &pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte(warehousefake.FakeSecret)}): "encrypted",
		writeKey(t, &pem.Block{Type: "PRIVATE KEY", Bytes: []byte(warehousefake.FakeSecret)}):           "no private RSA key",
	} {
		_, err := snowflake.Open(snowflake.Options{Account: "a", User: "u", PrivateKeyFile: path})
		if m := warehousefake.ExpectErrorWithoutSecrets(t, err, executor.CodeConfig).Message; !strings.Contains(m, words) {
			t.Errorf("%s, want %q in it", m, words)
		}
	}
	token := executor.NewSecret(warehousefake.FakeSecret)
	executortest.TestRejectedOptions(t, snowflake.Open, warehousefake.FakeSecret,
		snowflake.Options{User: "u", Token: token},
		snowflake.Options{Account: "a", Token: token},
		snowflake.Options{Account: "a", User: "u"},
		snowflake.Options{Account: "a", User: "u", Token: token, PrivateKeyFile: "f"})
}

func TestSession_RejectsIgnoredIdentifierCase(t *testing.T) {
	t.Run("a session that ignores the case of quoted names is rejected", func(t *testing.T) {
		f := newFake(t)
		f.ignoreCase = true
		e := f.open(t, 1)
		defer e.Close()
		_, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1))
		if m := warehousefake.ExpectErrorWithoutSecrets(t, err, executor.CodeConfig).Message; !strings.Contains(m, "QUOTED_IDENTIFIERS_IGNORE_CASE") {
			t.Error(m)
		}
		f.ignoreCase = false
		if _, err := executortest.CollectJSON(t.Context(), e, warehousefake.SeriesStatement(1)); err != nil {
			t.Errorf("after the setting was mended: %v", err)
		}
	})
}

func TestErrors_CodePerFailure(t *testing.T) {
	answer := func(status int, code, state, message string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { refuse(w, status, code, state, message) }
	}
	always := func(status int, code, state, message string) warehousefake.RequestFault {
		return warehousefake.FaultOnEveryRequest(answer(status, code, state, message))
	}
	of := func(status int, code, state, message string) warehousefake.RequestFault {
		return warehousefake.FaultOnOneRowStatement(answer(status, code, state, message))
	}
	warehousefake.TestFailures(t, service, []warehousefake.FailureCase{
		{Name: "wrong token", Fault: always(401, "390144", "", "JWT token is invalid "+warehousefake.FakeSecret), Code: "auth", Words: "390144"},
		{Name: "network policy", Fault: always(403, "390422", "08001", "Incoming request with IP 127.0.0.1 is not allowed"), Code: "auth", Words: "390422"},
		{Name: "no such account", Fault: always(404, "390400", "", "not found"), Code: "config", Words: "no account"},
		{Name: "another server", Fault: warehousefake.FaultOnEveryRequest(warehousefake.RespondWithRedirect(302)), Code: "connection", Words: "not a Snowflake account"},
		{Name: "a web page", Fault: warehousefake.FaultOnEveryRequest(warehousefake.RespondWithText("<html>")), Code: "connection", Words: "protocol failed"},
		{Name: "internal error of the service", Fault: always(500, "391999", "", "127.0.0.1"), Code: "driver", Words: "391999"},
		{Name: "unknown table", Fault: of(422, "002003", "42S02", "SQL compilation error:\nObject 'T' does not exist or not authorized."), Code: "sql_rejected", Words: "Object 'T' does not exist or not authorized. (002003)"},
		{Name: "two statements", Fault: of(422, "000008", "0A000", "Actual statement count 2 did not match the desired statement count 1."), Code: "sql_rejected", Words: "statement count 2"},
		{Name: "statement timeout", Fault: of(422, "000630", "57014", "Statement reached its statement or warehouse timeout of 120 second(s) and was canceled."), Code: "timeout", Words: "timeout of 120 second"},
		{Name: "timeout of the interface", Fault: of(408, "000630", "", ""), Code: "timeout", Words: "000630"},
		{Name: "cancelled by somebody", Fault: of(422, "000604", "57014", "SQL execution canceled"), Code: "driver", Words: "gave the statement up"},
		{Name: "no warehouse", Fault: of(422, "000606", "57P03", "No active warehouse selected in the current session."), Code: "config", Words: "No active warehouse"},
		{Name: "no such role", Fault: of(422, "390189", "08001", "Role 'X' does not exist"), Code: "config", Words: "Role 'X'"},
		{Name: "out of credits", Fault: of(422, "090073", "57014", "Warehouse 'WH' cannot be resumed because resource monitor 'M' has exceeded its quota."), Code: "connection", Words: "no more statements"},
		{Name: "incident", Fault: of(422, "300002", "XX000", "Processing aborted by error 300002 at 127.0.0.1"), Code: "driver", Words: "300002"},
	})
}

func TestStream_TruncatedPartitionIsAnError(t *testing.T) {
	second := func(r *http.Request) bool { return r.URL.Query().Get("partition") == "1" }
	warehousefake.TestTruncatedResults(t, service, map[string]warehousefake.RequestFault{
		"in the middle": warehousefake.FaultOnMatchingRequests(second, warehousefake.RespondWithText(`{"data":[["25000"],["25001"],`)),
		"with fewer":    warehousefake.FaultOnMatchingRequests(second, warehousefake.RespondWithText(`{"data":[["25000"],["25001"]]}`)),
		"of nothing":    warehousefake.FaultOnMatchingRequests(second, warehousefake.RespondWithText(`{"data":[]}`)),
	})
}

func TestRetry_BusyServiceRunsStatementOnce(t *testing.T) {
	busy := warehousefake.FaultOnEveryRequest(func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "", "", "try again") })
	if n := warehousefake.TestRetriesWhenBusy(t, service(t), warehousefake.FaultAfterStatementStart(busy)); n != 2 {
		t.Errorf("%d statements ran, want the question about names and the one", n)
	}
}

func TestStatement_CarriesTheTagOfItsRequest(t *testing.T) {
	f := newFake(t)
	e := f.open(t, 1)
	defer e.Close()
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{"semlayer 0a1b/1", "semlayer 0a1b/2"} {
		if _, err := executortest.CollectJSON(ctx, e, warehousefake.SeriesStatement(1)); err != nil {
			t.Fatal(err)
		}
		if got := f.begun["parameters"].(map[string]any)["QUERY_TAG"]; got != want || f.begun["statement"] != warehousefake.SeriesStatement(1) {
			t.Errorf("the tag is %v of %v, want %s", got, f.begun["statement"], want)
		}
	}
}
