package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

// An operator finds an execution on the admin address and ends it: its client gets timeout, and its slot is free.
func TestServeAdmin_EndsExecution(t *testing.T) {
	model := filepath.Join(t.TempDir(), "endless.yaml")
	if err := os.WriteFile(model, []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, "serve", "--model", model, "--bind", "127.0.0.1:0", "--admin-bind", "127.0.0.1:0", "--max-concurrent-executions", "1", "--auth-token", "a-token-of-some-length")
	admin := strings.TrimPrefix(awaitAddress(t, regexp.MustCompile(`the admin address" address=http://[0-9.:]+`), s.err), `the admin address" address=`)
	bearer := []string{"Authorization", "Bearer a-token-of-some-length"}
	type answer struct {
		status int
		body   string
	}
	ended := make(chan answer, 1)
	go func() {
		status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["forever"]}`, bearer...)
		ended <- answer{status, body}
	}()
	var listed struct {
		Executions []struct {
			QueryID string `json:"query_id"`
			Model   string
			Surface string
			State   string
		}
	}
	testwait.Until(t, "the execution is listed", func() bool {
		_, body := ask(t, admin+"/debug/state", "")
		return json.Unmarshal([]byte(body), &listed) == nil && len(listed.Executions) == 1 && listed.Executions[0].State == "running"
	})
	if x := listed.Executions[0]; x.Model != "endless" || x.Surface != "rest" || len(x.QueryID) != 32 {
		t.Errorf("%+v", x)
	}
	if status, body := post(t, admin+"/debug/state/cancel?query_id="+listed.Executions[0].QueryID, ""); status != 200 || !strings.Contains(body, `"ended":1`) {
		t.Error(status, body)
	}
	if got := testwait.Receive(t, "the response", ended); got.status != http.StatusGatewayTimeout || !strings.Contains(got.body, `"code":"timeout"`) || !strings.Contains(got.body, "operator") {
		t.Errorf("%+v", got)
	}
	testwait.Until(t, "the slot is free", func() bool {
		status, _ := post(t, s.base+"/v1/query/execute", `{"metrics":["soon"]}`, bearer...)
		return status == 200
	})
	// The measurements moved, and the probes are on both addresses.
	if status, _ := post(t, s.base+"/metrics", "", bearer...); status == 200 {
		t.Error("the measurements are on both addresses")
	}
	for path, want := range map[string]string{"/metrics": "semlayer_executions_capacity 1", "/health": "ok", "/ready": "ready", "/debug/pprof/cmdline": ""} {
		if status, body := ask(t, admin+path, ""); status != 200 || !strings.Contains(body, want) {
			t.Error(path, status)
		}
	}
	if status, _ := ask(t, s.base+"/health", ""); status != 200 {
		t.Error(status)
	}
	if status, _ := ask(t, s.base+"/debug/state", ""); status != 401 {
		t.Error("the interface has the path:", status)
	}
	if code := s.stop(); code != 0 {
		t.Error(code, s.err())
	}
}
