package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

func TestServe_LogsJSONAndExportsMetrics(t *testing.T) {
	t.Setenv("SVC_LOG_FORMAT", "json")
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	if status, body := post(t, s.base+"/v1/query/execute", `{"metrics":["revenue"],"where_sql":"orders.status <> 'canary-5'"}`, "X-Request-Id", "abc"); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	var line struct {
		RequestID string  `json:"request_id"`
		Route     string  `json:"route"`
		Status    int     `json:"status"`
		Took      float64 `json:"took_ms"`
		Plan      float64 `json:"plan_ms"`
		Execute   float64 `json:"execute_ms"`
		Rows      int     `json:"rows"`
	}
	testwait.Until(t, "the request is logged", func() bool {
		for text := range strings.Lines(s.err()) {
			if !strings.Contains(text, `"msg":"request"`) {
				continue
			}
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
		}
		return line.RequestID == "abc"
	})
	if line.Route != "/v1/query/execute" || line.Status != 200 || line.Rows != 1 || line.Plan <= 0 || line.Execute <= 0 || line.Took < line.Execute {
		t.Errorf("%+v", line)
	}
	if strings.Contains(s.err(), "canary-5") {
		t.Errorf("a literal is in the log: %s", s.err())
	}
	if _, body := ask(t, s.base+"/metrics", ""); !strings.Contains(body, `semlayer_build_info{go_version="`) || !strings.Contains(body, `version="v0.0.0-test"`) {
		t.Errorf("%.300s", body)
	}
}

func TestServe_OriginsAndTokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SVC_SERVER_TOKEN", "three")
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--auth-token-file", path, "--cors-origins", "https://a.example,https://b.example")
	for token, want := range map[string]int{"one": 200, "two": 200, "three": 200, "four": 401} {
		if status, body := post(t, s.base+"/v1/query/compile", `{"metrics":["revenue"]}`, "Authorization", "Bearer "+token); status != want {
			t.Errorf("%s: %d %s", token, status, body)
		}
	}
	r, err := http.NewRequest("OPTIONS", s.base+"/v1/query/execute", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://b.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Body.Close()
	if got.StatusCode != 204 || got.Header.Get("Access-Control-Allow-Origin") != "https://b.example" {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
	for _, secret := range []string{"one", "two", "three"} {
		if strings.Contains(s.err(), "="+secret) {
			t.Errorf("a token is in the log: %s", s.err())
		}
	}
}
